internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// The files that browsers get: one bare page, which uploads and lists.
public enum WebFiles {
    /// A file of the front, built into the program.
    private struct File {
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    private static let files = [
        File(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        File(path: "/assets/app.js", type: "text/javascript; charset=utf-8", bytes: PackageResources.app_js),
        File(path: "/assets/style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
    ]

    /// Adds the files.
    public static func register<Context: RequestContext>(on router: Router<Context>) {
        for file in files {
            let body = ByteBuffer(bytes: file.bytes)
            router.get(RouterPath(file.path)) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: file.type, .cacheControl: "no-cache",
                        HTTPField.Name("Content-Security-Policy")!: policy,
                        HTTPField.Name("X-Content-Type-Options")!: "nosniff",
                        HTTPField.Name("Referrer-Policy")!: "same-origin",
                    ], body: ResponseBody(byteBuffer: body))
            }
        }
    }

    /// Nothing but the service's own files: no scripts in pages, no frames, no other servers.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; \
        connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """
}
