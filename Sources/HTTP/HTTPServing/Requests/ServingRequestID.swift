internal import Linux

/// The id of a request in the log, in its answer, and in everything that it starts.
enum ServingRequestID {
    /// The id that a proxy or a local program states, if it is sane; otherwise a new one.
    static func taken(from stated: String?) -> String {
        guard let stated, (8...128).contains(stated.utf8.count), stated.utf8.allSatisfy(isSane) else { return make() }
        return stated
    }

    private static func isSane(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// A UUID of version 7 (RFC 9562, 5.7 and 6.2, method 3), which sorts by time: milliseconds, 12 bits of their
    /// fraction, and 62 random bits.
    static func make() -> String {
        let (milliseconds, rest) = UInt64(Time.wall).quotientAndRemainder(dividingBy: 1_000_000)
        let high = milliseconds << 16 | 0x7000 | rest << 12 / 1_000_000
        let low = 1 << 63 | UInt64.random(in: 0..<1 << 62)
        return String(unsafeUninitializedCapacity: 36) { text in
            var count = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    text[count] = UInt8(ascii: "-")
                    count += 1
                }
                let value = UInt8((digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4) & 0xF)
                text[count] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                count += 1
            }
            return count
        }
    }
}
