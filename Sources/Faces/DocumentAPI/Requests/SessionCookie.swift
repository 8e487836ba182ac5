internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import People

/// The cookie of a browser's session: with one name over https, and another over http on the same machine.
struct SessionCookie {
    private static let secureName = "__Host-\(loopbackName)"
    private static let loopbackName = "compass-session"

    private let cookie: HostCookie

    /// The cookie for an address such as `https://docs.example.org`; `nil` for http to another machine, because anyone
    /// could read it.
    init?(address: String) {
        guard let cookie = HostCookie(Self.loopbackName, address: address) else { return nil }
        self.cookie = cookie
    }

    /// The field that gives a browser the cookie.
    func set(_ value: String, for lifetime: Duration) -> HTTPField { field(value, lifetime) }

    /// The field that removes the cookie.
    var removal: HTTPField { field("", .zero) }

    private func field(_ value: String, _ lifetime: Duration) -> HTTPField {
        HTTPField(name: .setCookie, value: cookie.text(value, for: lifetime))
    }

    /// The value that a browser sends to an address. A cookie with the plain name counts only on this machine:
    /// elsewhere, another host of the same domain could have set it.
    static func value(in headers: some HeaderReading, host: String?, scheme: String?) -> String? {
        if let value = headers.cookie(secureName) { return value }
        guard scheme != "https", let host, isLoopback(host) else { return nil }
        return headers.cookie(loopbackName)
    }

    private static func isLoopback(_ host: String) -> Bool { HostName(host)?.isLoopback == true }
}

extension Credentials {
    /// The credentials in a request's header fields.
    ///
    /// - Parameters:
    ///   - host: the host that the client asked for.
    ///   - scheme: if it is known.
    ///   - query: the text after the question mark, in which images and streams name the person for whom they are
    ///     requested.
    init(of headers: HTTPFields, host: String?, scheme: String? = nil, query: String?) {
        self.init()
        owner =
            HTTPField.Name("Acting-For").flatMap { headers[$0] }
            ?? query?.split(separator: "&").first { $0.hasPrefix("person=") }.map { String($0.dropFirst(7)) }
        if let text = headers[.authorization], text.lowercased().hasPrefix("bearer ") {
            bearer = String(text.dropFirst(7))
        }
        if let name = HTTPField.Name("apikey") { key = headers[name] }
        if headers.contains(.cookie) { cookie = SessionCookie.value(in: headers, host: host, scheme: scheme) }
    }

    /// The credentials of a request that has passed no middleware; no cookie if a proxy names the host.
    init(ofEarly request: HTTPRequest) {
        let query = request.path?.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        self.init(of: request.headerFields, host: request.authority, query: query)
        if ["X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"].contains(where: {
            HTTPField.Name($0).map { request.headerFields.contains($0) } == true
        }) {
            cookie = nil
        }
    }
}

extension ServiceContext {
    /// The host that the client asked for; a trusted proxy's value comes before the request's own.
    func host(of request: Request) -> String? { passage.origin.host ?? request.head.authority }

    /// What a request contains to identify its caller.
    func credentials(of request: Request) -> Credentials {
        Credentials(
            of: request.headers, host: host(of: request), scheme: passage.origin.scheme, query: request.uri.query)
    }
}
