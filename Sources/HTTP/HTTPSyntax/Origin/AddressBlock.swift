/// A block of addresses, as in `10.0.0.0/8` (RFC 4632, 3.1; RFC 4291, 2.3).
public struct AddressBlock: Hashable, Sendable {
    private let address: IPAddress
    private let prefixLength: Int

    /// Parses an address with the length of its prefix, or an address alone.
    ///
    /// - Returns: `nil` for any other text. Bits after the prefix may be set; they are ignored.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]) else { return nil }
        let bitCount = address.bytes.count * 8
        guard parts.count == 2 else {
            self.address = address
            prefixLength = bitCount
            return
        }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]), length <= bitCount
        else { return nil }
        self.address = address
        prefixLength = length
    }

    /// Whether an address is of the same family and begins with the prefix.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = prefixLength / 8
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        let rest = prefixLength % 8
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - rest) == 0
    }
}
