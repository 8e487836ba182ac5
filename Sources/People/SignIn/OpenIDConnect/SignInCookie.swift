public import HTTPSyntax

/// The secret of a browser that has begun to sign in elsewhere. It lies in a cookie, so nobody else's browser can end what it has begun,
/// and no page of another site can have it end what somebody else has begun.
public struct SignInCookie: Sendable {
    /// The secret that the browser has sent; `nil` where it has none.
    public let sent: String?
    /// The one that it has sent, so that two tabs may begin at once; else a new one.
    public let secret: String
    private let cookie: HostCookie

    /// - Parameter address: by which the browser has come: `https://documents.example.org`.
    /// - Returns: `nil` for http to another machine.
    public init?(_ headers: some HeaderReading, address: String) {
        guard let cookie = HostCookie("compass-signin", address: address) else { return nil }
        self.cookie = cookie
        sent = cookie.value(in: headers).flatMap { SignInElsewhere.isSecret($0) ? $0 : nil }
        secret = sent ?? SignInElsewhere.makeSecret()
    }

    /// The field `Set-Cookie` that gives the browser the secret, for as long as somebody may take.
    public var setting: String { cookie.text(secret, for: SignInFlow.time) }
}
