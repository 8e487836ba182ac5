/// The page that all screens share.
enum WebPage {
    /// The page's text: its files' addresses carry the version, and the list's modules are asked for at once instead of one
    /// after the other as they import each other. Browsers have six connections to a server: the list itself, which `early.js` asks for, goes
    /// before the modules that wait for one.
    static func text(version: String) -> [UInt8] {
        let assets = "/assets/\(version)"
        let preloads = WebAsset.all.filter(\.isPreloaded).map { file in
            "<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"\(assets)/\(file.name)\">\n"
        }
        let text = String(decoding: PackageResources.index_html, as: UTF8.self)
        return Array(
            text.split(separator: "PRELOADS", maxSplits: 1).joined(separator: preloads.joined())
                .split(separator: "ASSETS").joined(separator: assets).utf8)
    }
}
