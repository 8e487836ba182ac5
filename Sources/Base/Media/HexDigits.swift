/// Fast hexadecimal digits in memory: a page of a list has ten thousand.
package enum HexDigits {
    /// The value of one ASCII digit of either case; `nil` for anything else.
    static func value(of digit: UInt8) -> UInt64? {
        let number = digit &- UInt8(ascii: "0")
        if number < 10 { return UInt64(number) }
        // Sets the bit for lower case.
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? UInt64(letter) + 10 : nil
    }

    /// Writes the lowest `count` digits of a number in lower case, most significant first.
    package static func write(_ number: UInt64, count: Int, to text: UnsafeMutablePointer<UInt8>) {
        var rest = number
        for place in stride(from: count - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest & 0xF)
            text[place] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            rest >>= 4
        }
    }
}

extension Digest {
    /// A digest from 64 ASCII hexadecimal digits of either case; `nil` for anything else.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard text.count == 2 * Self.byteCount else { return nil }
        var isHex = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { bytes, count in
            for place in 0..<Self.byteCount {
                let (high, low) = (HexDigits.value(of: text[2 * place]), HexDigits.value(of: text[2 * place + 1]))
                isHex = isHex && high != nil && low != nil
                bytes.initializeElement(at: place, to: UInt8((high ?? 0) << 4 | (low ?? 0)))
            }
            count = Self.byteCount
        }
        guard isHex else { return nil }
        self.init(bytes: bytes)
    }
}
