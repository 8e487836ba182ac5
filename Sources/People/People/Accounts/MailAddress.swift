/// A mail address in the normal form by which accounts are found: lower case, without spaces around it.
///
/// Letters outside ASCII are refused, as many of them look like others; a domain with such letters is written as
/// `xn--…`.
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The normal form.
    public let text: String

    /// The normal form of typed text; `nil` if the text is not an address.
    public init?(_ typed: String) {
        guard typed.utf8.count <= 512 else { return nil }
        var bytes = Array(typed.utf8)[...]
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].count), (3...253).contains(parts[1].count),
            parts[0].allSatisfy(Self.isOfName), Self.isDotted(parts[0]), Self.isDotted(parts[1]),
            parts[1].contains(UInt8(ascii: ".")), parts[1].allSatisfy(Self.isOfDomain)
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// The normal form, as in `text`.
    public var description: String { text }

    private static func isDotted(_ part: ArraySlice<UInt8>) -> Bool {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    private static func isOfDomain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
        default: false
        }
    }

    /// The characters of an atom (RFC 5322, 3.2.3), and the dot.
    private static func isOfName(_ byte: UInt8) -> Bool {
        isOfDomain(byte) || "!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
    }
}
