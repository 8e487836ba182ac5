/// The addresses to which a person may be redirected after a sign-in elsewhere: an exact list, such as
/// `jobmatchnow://auth/callback`, compared byte by byte.
///
/// Supabase compares the same way if its list has no wildcards. An app's own scheme has no origin, so a list of origins
/// cannot contain it.
public struct RedirectAddresses: Hashable, Sendable {
    private let addresses: Set<String>

    /// Parses the list of a setting: addresses separated by commas or spaces.
    ///
    /// - Returns: `nil` if one has no scheme (RFC 3986, 3.1) with `://` and something after it; if it has a part after
    ///   `#`, a user, a wildcard or a backslash; if it is a program; or if it is an unencrypted page elsewhere, because
    ///   anyone on the network path could read the session.
    public init?(_ text: String) {
        let parts = text.split { ", \t".contains($0) }
        guard parts.allSatisfy(Self.isAddress) else { return nil }
        addresses = Set(parts.map(String.init))
    }

    /// Whether an address is on the list. The part after its `#` is ignored.
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
