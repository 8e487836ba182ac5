/// A piece of a scan's entropy-coded bytes, and the position up to which its bits have been read.
///
/// `padding` zero bytes follow the bytes. Decoding may run into them by at most the longest MCU; `isExhausted` then
/// reports it.
struct EntropyBitReader {
    /// More than the longest MCU: 10 blocks of 64 coefficients of at most 31 bits are 2,480 bytes.
    static let padding = 4096

    let bytes: [UInt8]
    /// A separate value, so that decoding loops keep it in registers.
    var bits = BitBuffer()
    /// The number of bytes without the padding.
    let byteCount: Int

    /// - Parameter skipped: the number of bits of the first byte that have already been read.
    init(_ bytes: [UInt8] = [], skipping skipped: Int = 0) {
        byteCount = bytes.count
        self.bytes = bytes + [UInt8](repeating: 0, count: Self.padding)
        bits.refill(from: self.bytes)
        bits.skip(skipped)
    }

    /// Whether more bits were read than exist.
    var isExhausted: Bool { bits.position > byteCount * 8 }

    /// The value of `BitBuffer.next` beyond which less than an MCU may be left.
    var refillPosition: Int { byteCount - Self.padding }

    /// The unread bytes, and the number of bits of the first byte that have been read.
    var rest: (bytes: ArraySlice<UInt8>, skipped: Int) {
        let start = min(bits.position >> 3, byteCount)
        return (bytes[start..<byteCount], bits.position & 7)
    }
}

/// Up to 63 bits that were taken from bytes, most significant first, ready to be read.
struct BitBuffer {
    /// The index of the next byte to take.
    private(set) var next = 0
    /// The first bit is at the top. `count` bits are valid; the bits after them are correct or zero.
    private var word: UInt64 = 0
    private var count = 0

    /// The number of bits read.
    var position: Int { next * 8 - count }

    /// Makes at least 56 bits ready.
    @inline(__always)
    mutating func refill(from bytes: [UInt8]) {
        // The load checks its own bounds; any eight bytes are a number.
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

    /// Skips `length` bits that are ready.
    @inline(__always)
    mutating func skip(_ length: Int) {
        word &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }
}
