/// The identity of one `Subject`: a UUID, so that identities of different things cannot be mixed up.
///
/// New UUIDs are version 7 (RFC 9562, §5.7): they begin with the time, so later ones sort after earlier ones.
public struct ID<Subject>: Sendable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The identity with these 16 bytes in network order; `nil` for another count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: Self.number(bytes[..<8]), low: Self.number(bytes[8...]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// An identity from a UUID's text: 36 characters with hyphens, in either case; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard let (high, low) = UUIDText.numbers(String(text)) else { return nil }
        self.init(high: high, low: low)
    }

    /// An identity from the UTF-8 of a UUID's text; `nil` for anything else.
    public init?(utf8 text: UnsafeRawBufferPointer) {
        guard let (high, low) = UUIDText.numbers(text) else { return nil }
        self.init(high: high, low: low)
    }

    /// A new version 7 identity.
    ///
    /// - Parameter moment: its leading timestamp, to the millisecond.
    public static func make(at moment: Instant) -> ID {
        var random = SystemRandomNumberGenerator()
        let time = UInt64(bitPattern: moment.microseconds / 1000)
        return ID(
            high: time << 16 | 0x7000 | random.next() & 0x0FFF, low: 0x8000 << 48 | random.next() & (~0 >> 2))
    }

    /// The 16 bytes in network order.
    public var bytes: [UInt8] {
        [high, low].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }

    /// The UUID in lower case with hyphens.
    public var text: String {
        String(unsafeUninitializedCapacity: Self.textByteCount) { text in
            write(to: text.baseAddress!)
            return Self.textByteCount
        }
    }

    /// The length of every UUID as ASCII.
    package static var textByteCount: Int { 36 }

    /// Writes `text` into memory with room for `textByteCount` bytes.
    package func write(to text: UnsafeMutablePointer<UInt8>) { UUIDText.write(high, low, to: text) }
}

extension ID: Hashable, Comparable, CustomStringConvertible {
    /// Whether `left` sorts before `right`, byte by byte.
    public static func < (left: ID, right: ID) -> Bool { (left.high, left.low) < (right.high, right.low) }

    /// The UUID, as in `text`.
    public var description: String { text }
}

/// A person with documents, or a person who acts for one.
public enum Person {}

/// All versions of one document.
public enum Line {}

/// Conversion between a UUID's text and its two halves. Not generic: a page of a list converts hundreds.
private enum UUIDText {
    static func numbers(_ text: String) -> (high: UInt64, low: UInt64)? {
        var text = text
        return text.withUTF8 { numbers(UnsafeRawBufferPointer($0)) }
    }

    static func numbers(_ characters: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64)? {
        guard characters.count == 36 else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for place in 0..<36 {
            if isHyphen(place) {
                guard characters[place] == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = HexDigits.value(of: characters[place]) else { return nil }
                if place < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
            }
        }
        return (high, low)
    }

    static func write(_ high: UInt64, _ low: UInt64, to text: UnsafeMutablePointer<UInt8>) {
        HexDigits.write(high >> 32, count: 8, to: text)
        HexDigits.write(high >> 16, count: 4, to: text + 9)
        HexDigits.write(high, count: 4, to: text + 14)
        HexDigits.write(low >> 48, count: 4, to: text + 19)
        HexDigits.write(low, count: 12, to: text + 24)
        for place in 0..<36 where isHyphen(place) { text[place] = UInt8(ascii: "-") }
    }

    private static func isHyphen(_ place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }
}
