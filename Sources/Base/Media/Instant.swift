/// A moment in UTC, to the microsecond.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01 00:00 UTC.
    public let microseconds: Int64

    /// A moment by its distance from 1970-01-01 00:00 UTC.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// The moment `duration` later, truncated to the microsecond.
    public static func + (moment: Instant, duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        return Instant(microseconds: moment.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// The moment `duration` earlier, truncated to the microsecond.
    public static func - (moment: Instant, duration: Duration) -> Instant { moment + (.zero - duration) }
}

extension Instant: CustomStringConvertible {
    /// ISO 8601 with milliseconds: `2026-01-31T09:00:00.120Z`.
    public var description: String { text(fractionDigits: 3, zone: "Z") }

    /// ISO 8601 truncated to the second: `2026-01-31T09:00:00Z`.
    public var secondsText: String { text(fractionDigits: 0, zone: "Z") }

    /// ISO 8601 as PostgreSQL writes it in JSON: `2026-01-31T09:00:00.12+00:00`, without trailing zeros of the fraction.
    public var postgresText: String {
        var (digits, rest) = (6, fraction)
        while digits > 0, rest % 10 == 0 { (digits, rest) = (digits - 1, rest / 10) }
        return text(fractionDigits: digits, zone: "+00:00")
    }

    private var fraction: Int64 { Self.remainder(microseconds, 1_000_000) }

    /// Date and time with a truncated fraction. A page of a list has a hundred, so digits are written directly, not
    /// joined from strings.
    private func text(fractionDigits: Int, zone: StaticString) -> String {
        let seconds = Self.quotient(microseconds, 1_000_000)
        let (days, second) = (Self.quotient(seconds, 86_400), Self.remainder(seconds, 86_400))
        let date = Self.date(ofDay: days)
        var fraction = fraction
        for _ in fractionDigits..<6 { fraction /= 10 }
        return String(unsafeUninitializedCapacity: 48) { text in
            var writer = DigitWriter(text)
            writer.write(date.year, width: 4, before: "-")
            writer.write(date.month, width: 2, before: "-")
            writer.write(date.day, width: 2, before: "T")
            writer.write(second / 3600, width: 2, before: ":")
            writer.write(second / 60 % 60, width: 2, before: ":")
            writer.write(second % 60, width: 2, before: fractionDigits > 0 ? "." : "")
            if fractionDigits > 0 { writer.write(fraction, width: fractionDigits, before: "") }
            writer.write(zone)
            return writer.count
        }
    }
}

/// Writes numbers into memory that the caller made large enough.
private struct DigitWriter {
    private let text: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ text: UnsafeMutableBufferPointer<UInt8>) { self.text = text }

    /// Writes a number in at least `width` digits, followed by the word `end`.
    mutating func write(_ number: Int64, width: Int, before end: StaticString) {
        if number < 0 { write("-") }
        var (digits, limit) = (width, Self.powers[width])
        while digits < Self.powers.count - 1, number.magnitude >= limit {
            digits += 1
            limit = Self.powers[digits]
        }
        var rest = number.magnitude
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
        write(end)
    }

    mutating func write(_ word: StaticString) {
        for index in 0..<word.utf8CodeUnitCount {
            text[count] = word.utf8Start[index]
            count += 1
        }
    }

    /// Powers of ten; a year has at most six digits.
    private static let powers: [UInt64] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
}

extension Instant {
    /// A moment from ISO 8601 (RFC 3339): `2026-01-31T09:00:00.12+01:00`; a space may replace `T`; the fraction may be
    /// missing, and the zone too if the time is UTC. `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        guard let year = Self.number(&rest, 4, before: "-"), let month = Self.number(&rest, 2, before: "-"),
            let day = Self.number(&rest, 2, before: nil), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var total = Self.day(year: year, month: month, day: day) * 86_400
        guard Self.date(ofDay: Self.quotient(total, 86_400)) == (year, month, day) else { return nil }
        var fraction: Int64 = 0
        if let separator = rest.popFirst() {
            guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(separator),
                let hour = Self.number(&rest, 2, before: ":"), let minute = Self.number(&rest, 2, before: nil),
                (0...23).contains(hour), (0...59).contains(minute)
            else { return nil }
            total += hour * 3600 + minute * 60
            if rest.first == UInt8(ascii: ":") {
                rest.removeFirst()
                guard let second = Self.number(&rest, 2, before: nil), (0...60).contains(second) else { return nil }
                total += second
                guard let digits = Self.fraction(&rest) else { return nil }
                fraction = digits
            }
            guard let offset = Self.offset(&rest) else { return nil }
            total -= offset
        }
        guard rest.isEmpty else { return nil }
        self.init(microseconds: total * 1_000_000 + fraction)
    }

    /// The digits of a number of fixed width, and the character that must follow.
    private static func number(_ rest: inout ArraySlice<UInt8>, _ width: Int, before end: Unicode.Scalar?) -> Int64? {
        guard rest.count >= width else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(width) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(width)
        if let end {
            guard rest.popFirst() == UInt8(ascii: end) else { return nil }
        }
        return value
    }

    /// Microseconds, without digits after the sixth; 0 if there is no fraction.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return 0 }
        rest.removeFirst()
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        var value: Int64 = 0
        for index in 0..<6 {
            let offset = digits.startIndex + index
            value = value * 10 + (offset < digits.endIndex ? Int64(digits[offset] - UInt8(ascii: "0")) : 0)
        }
        return value
    }

    /// The zone's seconds east of UTC.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard let sign = rest.popFirst() else { return 0 }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(&rest, 2, before: nil),
            hours <= 15
        else { return nil }
        if rest.first == UInt8(ascii: ":") { rest.removeFirst() }
        let minutes = rest.isEmpty ? 0 : number(&rest, 2, before: nil)
        guard let minutes, minutes < 60 else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The days from 1970-01-01 to a Gregorian date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = quotient(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date of a day since 1970-01-01, by the same source.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = quotient(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        value - quotient(value, divisor) * divisor
    }
}
