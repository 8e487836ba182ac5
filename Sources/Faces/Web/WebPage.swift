/// The pages, each of which several screens share.
enum WebPage {
    /// The page of the documents' screens.
    ///
    /// Its files' addresses contain the version. The list's modules are requested at once instead of one after another
    /// as they import each other. Browsers have six connections to a server: the list itself, which `early.js`
    /// requests, goes before the modules that wait for one.
    static func documents(version: String) -> [UInt8] {
        let preloads = WebAsset.all.filter(\.isPreloaded).map { file in
            "<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"ASSETS/\(file.name)\">\n"
        }
        let text = String(decoding: PackageResources.index_html, as: UTF8.self)
        return addressed(
            text.split(separator: "PRELOADS", maxSplits: 1).joined(separator: preloads.joined()), version: version)
    }

    /// The page of the screens at `/jobs`, which have a head, tabs and colours of their own.
    static func jobs(version: String) -> [UInt8] {
        addressed(String(decoding: PackageResources.jobs_html, as: UTF8.self), version: version)
    }

    /// Replaces `ASSETS` with the folder of this build's files.
    private static func addressed(_ text: String, version: String) -> [UInt8] {
        Array(text.split(separator: "ASSETS").joined(separator: "/assets/\(version)").utf8)
    }
}
