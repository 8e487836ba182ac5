/// A segment's bytes, and how far their bits have been taken.
///
/// The bytes are followed by `padding` zero bytes. The bits may run into them, by no more than one unit of a scan takes;
/// then `isExhausted` says so.
struct BitReader {
    /// More than the longest unit of a scan: 10 blocks of 64 coefficients of at most 31 bits are 2,480 bytes.
    static let padding = 4096

    let bytes: [UInt8]
    /// A value of its own: the reading loops keep it in registers.
    var bits = Bits()
    /// The bytes that are not padding.
    let byteCount: Int

    /// - Parameter skipped: how many bits of the first byte have been read before.
    init(_ bytes: [UInt8] = [], skipping skipped: Int = 0) {
        byteCount = bytes.count
        self.bytes = bytes + [UInt8](repeating: 0, count: Self.padding)
        bits.refill(from: self.bytes)
        bits.skip(skipped)
    }

    /// Whether more was read than there is.
    var isExhausted: Bool { bits.position > byteCount * 8 }

    /// At or beyond this `Bits.next`, less than a unit of a scan may be left.
    var endOfPlenty: Int { byteCount - Self.padding }

    /// What is left, and how many bits of its first byte have been read.
    var rest: (bytes: ArraySlice<UInt8>, skipped: Int) {
        let start = min(bits.position >> 3, byteCount)
        return (bytes[start..<byteCount], bits.position & 7)
    }
}

/// Bits that were taken off bytes, most significant first, and are ready to be read.
struct Bits {
    /// The next byte to be taken.
    private(set) var next = 0
    /// The first at the top; of them `count` are sure, those behind are right or zero.
    private var word: UInt64 = 0
    private var count = 0

    /// How many bits were read.
    var position: Int { next * 8 - count }

    /// Makes at least 56 bits ready.
    @inline(__always)
    mutating func refill(from bytes: [UInt8]) {
        // Checked to lie inside; any eight bytes are a number.
        let more = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self)
        word |= more.bigEndian &>> UInt64(truncatingIfNeeded: count)
        next &+= (63 &- count) &>> 3
        count |= 56
    }

    /// Makes at least 32 bits ready.
    @inline(__always)
    mutating func refillIfLow(from bytes: [UInt8]) {
        if count < 32 { refill(from: bytes) }
    }

    /// The next `length` bits, 1...32, that are ready.
    @inline(__always)
    func peek(_ length: Int) -> Int { Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 64 &- length)) }

    /// Takes the next `length` bits, 0...56, that are ready.
    @inline(__always)
    mutating func take(_ length: Int) -> UInt64 {
        let bits = (word &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- length)
        skip(length)
        return bits
    }

    /// Passes over `length` bits that are ready.
    @inline(__always)
    mutating func skip(_ length: Int) {
        word &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }
}
