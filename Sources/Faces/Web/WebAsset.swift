/// A file of the front end, built into the program.
struct WebAsset: Sendable {
    let name: String
    let bytes: [UInt8]
    /// Whether the list needs it, so that the page requests it at once.
    let isPreloaded: Bool

    private init(_ name: String, _ bytes: [UInt8], isPreloaded: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isPreloaded = isPreloaded
    }

    /// The media type, by the end of the name.
    var type: String {
        if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        return name.hasSuffix(".css") ? "text/css; charset=utf-8" : "image/svg+xml"
    }

    /// Every file except the pages themselves.
    static let all = [
        WebAsset("account.css", PackageResources.account_css),
        WebAsset("account.js", PackageResources.account_js),
        WebAsset("address.js", PackageResources.address_js),
        WebAsset("analysis.js", PackageResources.analysis_js),
        WebAsset("api.js", PackageResources.api_js, isPreloaded: true),
        WebAsset("app.js", PackageResources.app_js),
        WebAsset("base.css", PackageResources.base_css),
        WebAsset("card.js", PackageResources.card_js, isPreloaded: true),
        WebAsset("collection.js", PackageResources.collection_js, isPreloaded: true),
        WebAsset("dashboard.js", PackageResources.dashboard_js),
        WebAsset("detail.css", PackageResources.detail_css),
        WebAsset("detail.js", PackageResources.detail_js),
        WebAsset("dom.js", PackageResources.dom_js, isPreloaded: true),
        WebAsset("early.js", PackageResources.early_js),
        WebAsset("film.js", PackageResources.film_js),
        WebAsset("filters.js", PackageResources.filters_js, isPreloaded: true),
        WebAsset("guardians.js", PackageResources.guardians_js),
        WebAsset("icon.svg", PackageResources.icon_svg),
        WebAsset("icons.js", PackageResources.icons_js, isPreloaded: true),
        WebAsset("jobs.css", PackageResources.jobs_css),
        WebAsset("jobs.js", PackageResources.jobs_js),
        WebAsset("jobs.svg", PackageResources.jobs_svg),
        WebAsset("jobsettings.js", PackageResources.jobsettings_js),
        WebAsset("leaving.js", PackageResources.leaving_js),
        WebAsset("links.js", PackageResources.links_js),
        WebAsset("list.css", PackageResources.list_css),
        WebAsset("list.js", PackageResources.list_js, isPreloaded: true),
        WebAsset("matches.js", PackageResources.matches_js),
        WebAsset("messages.js", PackageResources.messages_js, isPreloaded: true),
        WebAsset("pages.js", PackageResources.pages_js),
        WebAsset("picture.js", PackageResources.picture_js, isPreloaded: true),
        WebAsset("placeholder.js", PackageResources.placeholder_js, isPreloaded: true),
        WebAsset("profile.js", PackageResources.profile_js),
        WebAsset("providers.js", PackageResources.providers_js),
        WebAsset("pulling.js", PackageResources.pulling_js),
        WebAsset("query.js", PackageResources.query_js),
        WebAsset("reasons.js", PackageResources.reasons_js),
        WebAsset("recovery.js", PackageResources.recovery_js),
        WebAsset("removing.js", PackageResources.removing_js),
        WebAsset("resume.js", PackageResources.resume_js),
        WebAsset("searches.js", PackageResources.searches_js),
        WebAsset("session.js", PackageResources.session_js, isPreloaded: true),
        WebAsset("shared.js", PackageResources.shared_js),
        WebAsset("signin.js", PackageResources.signin_js),
        WebAsset("templates.css", PackageResources.templates_css),
        WebAsset("templates.js", PackageResources.templates_js),
        WebAsset("text.js", PackageResources.text_js, isPreloaded: true),
        WebAsset("upload.js", PackageResources.upload_js),
        WebAsset("uploads.js", PackageResources.uploads_js),
        WebAsset("viewer.css", PackageResources.viewer_css),
        WebAsset("viewer.js", PackageResources.viewer_js),
        WebAsset("welcome.js", PackageResources.welcome_js),
        WebAsset("zoom.js", PackageResources.zoom_js),
    ]
}
