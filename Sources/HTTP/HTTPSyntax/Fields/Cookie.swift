/// A cookie that a service sets in a browser (RFC 6265), hidden from scripts.
public struct Cookie: Hashable, Sendable {
    /// Characters of a token (RFC 9110, 5.6.2).
    public let name: String
    /// Letters, digits and characters that need no quotes.
    public let value: String
    /// How long the browser keeps it; zero removes it.
    public let lifetime: Duration
    /// Whether browsers send it only over https.
    public let isSecure: Bool

    /// A cookie for every path of the host that sets it.
    public init(_ name: String, _ value: String, lifetime: Duration, isSecure: Bool) {
        self.name = name
        self.value = value
        self.lifetime = lifetime
        self.isSecure = isSecure
    }

    /// The value of `Set-Cookie`. On requests from other sites' pages, browsers send the cookie only if a person
    /// follows a link.
    public var text: String {
        let words = [
            "\(name)=\(value)", "Path=/", "Max-Age=\(lifetime.components.seconds)", "HttpOnly", "SameSite=Lax",
        ]
        return (words + (isSecure ? ["Secure"] : [])).joined(separator: "; ")
    }
}

extension HeaderReading {
    /// The value of a cookie that the browser sends exactly once; `nil` if it is absent, empty or repeated.
    ///
    /// If two cookies have the same name, another host of the same domain may have set one of them.
    public func cookie(_ name: String) -> String? {
        let pairs = values(of: "Cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        let found = pairs.compactMap { pair -> Substring? in
            let text = Substring(pair.drop { $0 == 0x20 || $0 == 0x09 })
            return text.hasPrefix("\(name)=") ? text.dropFirst(name.count + 1) : nil
        }
        return found.count == 1 && !found[0].isEmpty ? String(found[0]) : nil
    }
}
