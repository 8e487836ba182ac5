public import HTTPSyntax

/// The secret of a browser that has begun to sign in with a provider. It is in a cookie. So no other browser can finish
/// what this one began, and no page of another site can make it finish what somebody else began.
public struct SignInCookie: Sendable {
    /// The secret that the browser has sent; `nil` if it sent none.
    public let sent: String?
    /// The secret that it has sent, so that two tabs may begin at once; otherwise a new one.
    public let secret: String
    private let cookie: HostCookie

    /// - Parameter address: the address by which the browser came: `https://documents.example.org`.
    /// - Returns: `nil` for http to another machine.
    public init?(_ headers: some HeaderReading, address: String) {
        guard let cookie = HostCookie("compass-signin", address: address) else { return nil }
        self.cookie = cookie
        sent = cookie.value(in: headers).flatMap { SignInElsewhere.isSecret($0) ? $0 : nil }
        secret = sent ?? SignInElsewhere.makeSecret()
    }

    /// The field `Set-Cookie` that gives the browser the secret, for the longest time of a sign-in.
    public var setting: String { cookie.text(secret, for: SignInFlow.time) }
}
