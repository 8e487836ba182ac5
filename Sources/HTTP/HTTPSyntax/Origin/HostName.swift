/// A host with an optional port, as in `Host` (RFC 9110, 7.2): `example.org:8080`, `[::1]:80`.
public struct HostName: Hashable, Sendable {
    /// In lower case; an IPv6 address without its brackets.
    public let name: String
    /// `nil` if the text states none.
    public let port: Int?

    /// Parses a field's value; `nil` for anything but a name or an address with an optional port.
    public init?(_ text: some StringProtocol) {
        let rest: Substring
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let inside = text[text.index(after: text.startIndex)..<end]
            guard inside.contains(":"), IPAddress(inside) != nil else { return nil }
            name = inside.lowercased()
            rest = Substring(text[text.index(after: end)...])
        } else {
            let host = text.prefix { $0 != ":" }
            guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isNameByte) else { return nil }
            name = host.lowercased()
            rest = Substring(text[host.endIndex...])
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
            (1...65535).contains(number)
        else { return nil }
        port = number
    }

    /// Whether the name means this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
    public var isLoopback: Bool { name == "localhost" || IPAddress(name)?.isLoopback == true }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
