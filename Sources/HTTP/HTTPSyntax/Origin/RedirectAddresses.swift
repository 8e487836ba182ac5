/// The addresses to which a person may be sent back after a sign-in elsewhere: those of a list, byte by byte, as
/// `jobmatchnow://auth/callback`.
///
/// Supabase compares so where its list has no wildcards. An app's own scheme has no origin, so a list of origins cannot have it.
public struct RedirectAddresses: Hashable, Sendable {
    private let addresses: Set<String>

    /// Parses the list of a setting: addresses with commas or spaces between them.
    ///
    /// - Returns: `nil` where one has no scheme (RFC 3986, 3.1) with `://` and something behind it, has a part behind `#`, a user, a
    ///   wildcard or a backslash, or is a program or a page in the clear that lies elsewhere: whoever is on the way could read the session.
    public init?(_ text: String) {
        let parts = text.split { ", \t".contains($0) }
        guard parts.allSatisfy(Self.isAddress) else { return nil }
        addresses = Set(parts.map(String.init))
    }

    /// Whether an address is in the list. What stands behind its `#` does not count.
    public func includes(_ address: String) -> Bool { addresses.contains(String(address.prefix { $0 != "#" })) }

    private static func isAddress(_ text: Substring) -> Bool {
        guard let mark = text.firstRange(of: "://"), let first = text.utf8.first else { return false }
        let isLetter = (0x61...0x7A).contains(first | 0x20)
        let rest = text[mark.upperBound...]
        let scheme = text[..<mark.lowerBound].lowercased()
        let host = rest.prefix { !"/:?".contains($0) }
        if ["javascript", "data"].contains(scheme) { return false }
        if scheme == "http", !["localhost", "127.0.0.1"].contains(host) { return false }
        return isLetter && text[..<mark.lowerBound].utf8.allSatisfy(isSchemeByte) && !rest.isEmpty
            && rest.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !rest.contains { "#*@\\\"<>".contains($0) }
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}
