/// A cookie for one host alone: under one name by https, and under another by http on the same machine.
public struct HostCookie: Hashable, Sendable {
    private let name: String
    private let isSecure: Bool

    /// The cookie for an address such as `https://docs.example.org`; `nil` for http to another machine, where anybody could read it.
    ///
    /// - Parameter word: its name on this machine. By https `__Host-` stands before it: browsers take such a cookie by https alone, from this
    ///   host alone, and for every path (RFC 6265bis, 4.1.3.2).
    public init?(_ word: String, address: String) {
        isSecure = address.hasPrefix("https://")
        name = isSecure ? "__Host-\(word)" : word
        if !isSecure, HostName(address.dropFirst("http://".count))?.isLoopback != true { return nil }
    }

    /// The field `Set-Cookie` that gives a browser the cookie; for no time it takes it away.
    public func text(_ value: String, for lifetime: Duration) -> String {
        Cookie(name, value, lifetime: lifetime, isSecure: isSecure).text
    }

    /// The value that a browser sends.
    public func value(in headers: some HeaderReading) -> String? { headers.cookie(name) }
}
