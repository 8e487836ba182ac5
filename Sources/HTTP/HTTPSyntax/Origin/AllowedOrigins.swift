/// The origins whose pages may read the service's answers (Fetch, "CORS protocol"): the origins on a list, and never
/// all.
///
/// Their pages sign in with a bearer token. Cookies are not for them: no answer allows credentials.
public struct AllowedOrigins: Hashable, Sendable {
    private let origins: Set<String>

    /// Parses the list of a setting: origins such as `https://app.example.org`, separated by commas or spaces.
    ///
    /// - Returns: `nil` if one is not an http or https origin, for example has a path or is `*`.
    public init?(_ text: String) {
        let parts = text.split { ", \t".contains($0) }
        let origins = parts.compactMap { Self.normalised($0) }
        guard origins.count == parts.count else { return nil }
        self.origins = Set(origins)
    }

    /// Whether the list has no origins: then nothing is added to any answer.
    public var isEmpty: Bool { origins.isEmpty }

    /// The origin of the page that sends a request, if it is on the list.
    public func origin(of headers: some HeaderReading) -> String? {
        guard let origin = headers.single("Origin"), origins.contains(origin) else { return nil }
        return origin
    }

    /// Whether an address belongs to an origin on the list, so that browsers interpret it as neither another host nor
    /// another scheme.
    public func includes(address: String) -> Bool {
        guard let start = address.firstRange(of: "://")?.upperBound else { return false }
        let end = address[start...].firstIndex { "/?#".contains($0) } ?? address.endIndex
        return Self.normalised(address[..<end]).map(origins.contains) ?? false
    }

    /// Scheme, host and port as browsers write them: in lower case, without the scheme's default port (HTML,
    /// "Serialization of an origin").
    private static func normalised(_ text: Substring) -> String? {
        let text = text.lowercased()
        for (scheme, port) in [("https://", 443), ("http://", 80)] where text.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let host = HostName(rest) else { return nil }
            guard host.port == port else { return text }
            return scheme + rest.dropLast(":\(port)".count)
        }
        return nil
    }

    /// The fields of every answer to such a page: they list what it may read besides the body. It may always read
    /// `Content-Length` and some others.
    public func fields(for origin: String) -> [HeaderField] {
        [
            HeaderField("Access-Control-Allow-Origin", origin),
            HeaderField("Access-Control-Expose-Headers", Self.exposed.joined(separator: ", ")),
        ]
    }

    /// Fields of tus uploads, of ranges, of rows, and of answers in general.
    private static let exposed = [
        "Location", "Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Offset", "Upload-Length",
        "Upload-Defer-Length", "Upload-Metadata", "Upload-Expires", "Accept-Ranges", "Content-Range",
        "Content-Disposition", "Content-Location", "ETag", "Preference-Applied", "Retry-After", "X-Request-Id",
    ]

    /// The fields of the answer to a preflight, which a browser sends before a request.
    ///
    /// - Parameter headers: the fields of the preflight.
    public func preflightFields(for origin: String, _ headers: some HeaderReading) -> [HeaderField] {
        let wanted = headers.single("Access-Control-Request-Headers").flatMap { Self.isList($0) ? $0 : nil }
        return [
            HeaderField("Access-Control-Allow-Origin", origin),
            HeaderField("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE"),
            HeaderField("Access-Control-Allow-Headers", wanted ?? "authorization, apikey, content-type"),
            HeaderField("Access-Control-Max-Age", "3600"),
        ]
    }

    /// Whether a text is a comma-separated list of field names.
    private static func isList(_ text: String) -> Bool {
        text.utf8.count <= 2048
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2C, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
