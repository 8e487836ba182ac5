/// A moment as Signature Version 4 writes it: `20130524T000000Z`, in UTC.
package struct SigningTime: Hashable, Sendable {
    /// Year, month and day: `20130524`.
    package let day: String
    /// Day and time of day.
    package let text: String

    /// A moment of the years 1970 to 9999.
    ///
    /// - Parameter seconds: since 1970.
    package init(seconds: Int64) {
        let date = CalendarDay(number: seconds / 86_400)
        let time = seconds % 86_400
        day = Self.padded(date.year, 4) + Self.padded(date.month, 2) + Self.padded(date.day, 2)
        text = "\(day)T\(Self.padded(time / 3600, 2))\(Self.padded(time / 60 % 60, 2))\(Self.padded(time % 60, 2))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day of the Gregorian calendar, by Howard Hinnant's `civil_from_days` and `days_from_civil`.
struct CalendarDay: Hashable, Sendable {
    let year: Int64
    let month: Int64
    let day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter number: the days since 1970, not negative.
    init(number: Int64) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days since 1970.
    var number: Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
