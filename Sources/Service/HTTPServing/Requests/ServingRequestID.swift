internal import Linux
internal import Media

/// The id under which a request stands in the log, in its answer, and in what it starts.
enum ServingRequestID {
    /// The client's or proxy's own id where it is sane, else a new one.
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

    /// A UUID of version 7 (RFC 9562, 5.7), which sorts by time.
    static func make() -> String {
        let milliseconds = UInt64(Time.wall / 1_000_000)
        var generator = SystemRandomNumberGenerator()
        let high = milliseconds << 16 | 0x7000 | generator.next() & 0xFFF
        let low: UInt64 = 0x8000_0000_0000_0000 | generator.next() >> 2
        let digits = Hex.string([high, low].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) })
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
