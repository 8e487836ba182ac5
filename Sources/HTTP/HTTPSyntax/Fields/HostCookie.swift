/// A cookie for one host only: under one name over https, and under another over http on the same machine.
public struct HostCookie: Hashable, Sendable {
    private let name: String
    private let isSecure: Bool

    /// The cookie for an address such as `https://docs.example.org`; `nil` for http to another machine, where anyone
    /// could read it.
    ///
    /// - Parameter word: its name on this machine. Over https, `__Host-` precedes it: browsers accept such a cookie
    ///   only over https, only from this host, and for every path (RFC 6265bis, 4.1.3.2).
    public init?(_ word: String, address: String) {
        isSecure = address.hasPrefix("https://")
        name = isSecure ? "__Host-\(word)" : word
        if !isSecure, HostName(address.dropFirst("http://".count))?.isLoopback != true { return nil }
    }

    /// The `Set-Cookie` field that sets the cookie in a browser; a lifetime of zero removes it.
    public func text(_ value: String, for lifetime: Duration) -> String {
        Cookie(name, value, lifetime: lifetime, isSecure: isSecure).text
    }

    /// The value that a browser sends.
    public func value(in headers: some HeaderReading) -> String? { headers.cookie(name) }
}
