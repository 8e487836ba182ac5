/// A day of the Gregorian calendar, without a time.
public struct CivilDay: Hashable, Sendable, Comparable {
    /// Days since 1 January 1970.
    public var number: Int

    /// The day this many days after 1 January 1970.
    public init(number: Int) { self.number = number }

    /// A day by its year, month and day; `nil` if the calendar has no such day.
    ///
    /// The formulas are those of H. Hinnant's "chrono-Compatible Low-Level Date Algorithms" (days_from_civil).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// A day in ISO 8601 form; a time after it is ignored: `2026-01-31T09:00:00Z`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes.count == 10 || bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ")
                || bytes[10] == UInt8(ascii: "t"),
            let year = Self.value(bytes[0..<4]), let month = Self.value(bytes[5..<7]),
            let day = Self.value(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0 as Int?) { value, digit in
            (0x30...0x39).contains(digit) ? value.map { $0 * 10 + Int(digit - 0x30) } : nil
        }
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Year, month and day (civil_from_days).
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    /// `2026-01-31`.
    public var text: String {
        let (year, month, day) = parts
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Whether `first` is the earlier day.
    public static func < (first: CivilDay, second: CivilDay) -> Bool { first.number < second.number }
}
