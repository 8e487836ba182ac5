internal import HTTPTypes
internal import Hashing
public import Hummingbird
internal import Media
internal import NIOCore

/// The files that browsers get, built into the program: a page for the documents' screens, one for the screens at
/// `/jobs`, their modules and style sheets.
///
/// The address of a module or style sheet contains a digest of all of them, so a browser caches it forever and still
/// gets the newest. Modules import each other by relative addresses.
public enum WebFiles {
    /// Adds the pages, at the address of every screen, and their files.
    public static func register<Context: RequestContext>(on router: Router<Context>) {
        for (page, addresses) in [(page, screens), (jobsPage, jobsScreens)] {
            for address in addresses {
                router.get(RouterPath(address)) { request, _ in page.response(to: request) }
            }
        }
        router.get("/") { _, _ in Response.redirect(to: "/documents", type: .found) }
        for file in WebAsset.all {
            let answer = Answer(file.bytes, type: file.type, cache: "public, max-age=31536000, immutable")
            router.get(RouterPath("/assets/\(version)/\(file.name)")) { request, _ in answer.response(to: request) }
        }
    }

    /// The answer to an address that has no screen: a page that says so, with the way back.
    static func missing(_ request: Request) -> Response {
        var response = page.response(to: request)
        response.status = .notFound
        return response
    }

    private static let page = Answer(
        WebPage.documents(version: version), type: "text/html; charset=utf-8", cache: "no-cache")
    private static let jobsPage = Answer(
        WebPage.jobs(version: version), type: "text/html; charset=utf-8", cache: "no-cache")

    /// The addresses of the documents' screens; the page's own script distinguishes them.
    private static let screens = [
        "/documents", "/documents/{id}", "/settings/communication-templates", "/signin", "/account",
        "/shared", "/forgot", "/reset", "/confirm", "/invitation",
    ]

    /// The addresses of the screens of JobMatchNow.
    private static let jobsScreens = ["/jobs", "/jobs/profile", "/jobs/dashboard", "/jobs/settings"]

    /// Names the files of this build.
    private static let version: String = {
        var digest = SHA256()
        for file in WebAsset.all { digest.update(file.bytes) }
        return String(digest.digest().hex.prefix(16))
    }()

    /// A file as it is answered, plain or compressed.
    private struct Answer: Sendable {
        private let headers: HTTPFields
        private let plain: ByteBuffer
        private let compressed: ByteBuffer

        init(_ bytes: [UInt8], type: String, cache: String) {
            plain = ByteBuffer(bytes: bytes)
            compressed = ByteBuffer(bytes: GZip.compress(bytes))
            headers = [
                .contentType: type, .cacheControl: cache, .vary: "Accept-Encoding",
                HTTPField.Name("Content-Security-Policy")!: policy,
                HTTPField.Name("X-Content-Type-Options")!: "nosniff",
                HTTPField.Name("Referrer-Policy")!: "same-origin",
            ]
        }

        func response(to request: Request) -> Response {
            let accepted = request.headers[.acceptEncoding]?.split(separator: ",") ?? []
            guard accepted.contains(where: { $0.split(separator: ";").first?.contains("gzip") == true }) else {
                return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: plain))
            }
            var headers = headers
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
        }
    }

    /// Only the service's own files: no scripts or styles in pages, no frames, no other servers.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """
}
