/// A time to the second, as header fields carry it (RFC 9110, 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970 in UTC.
    public let seconds: Int64

    /// A time in the years 0 to 9999; others become the nearest of these.
    public init(seconds: Int64) {
        self.seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    }

    /// Whether the first is earlier.
    public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var text: String {
        let day = Int(seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400)
        let time = Int(seconds) - day * 86400
        let date = CivilDate(day: day)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        let name = Self.days[((day + 4) % 7 + 7) % 7]
        return
            "\(name), \(Self.padded(date.day, 2)) \(Self.months[date.month - 1]) \(Self.padded(date.year, 4)) \(clock) GMT"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension HTTPDate {
    /// Parses the preferred form and the two older ones (RFC 850, `asctime`). The day's name must be valid, but is not
    /// compared with the date.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        switch words.count {
        case 6 where words[0].count == 4 && words[0].last == "," && words[5] == "GMT":
            guard Self.days.contains(String(words[0].dropLast())), words[3].utf8.count == 4 else { return nil }
            self.init(day: words[1], month: words[2], year: Self.number(words[3]), clock: words[4])
        case 4 where words[0].last == "," && words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard Self.longDays.contains(String(words[0].dropLast())), date.count == 3, date[2].utf8.count == 2,
                let short = Self.number(date[2])
            else { return nil }
            // The form died out in the nineties: a year is never meant to be more than fifty years ahead.
            self.init(day: date[0], month: date[1], year: short < 70 ? 2000 + short : 1900 + short, clock: words[2])
        case 5:
            guard Self.days.contains(String(words[0])), words[4].utf8.count == 4 else { return nil }
            let day = words[2].utf8.count == 1 ? "0\(words[2])" : words[2]
            self.init(day: day, month: words[1], year: Self.number(words[4]), clock: words[3])
        default: return nil
        }
    }

    private init?(day: Substring, month: Substring, year: Int?, clock: Substring) {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard let year, day.utf8.count == 2, let day = Self.number(day),
            let month = Self.months.firstIndex(of: String(month)).map({ $0 + 1 }),
            parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = Self.number(parts[0]), let minute = Self.number(parts[1]), let second = Self.number(parts[2]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard CivilDate(day: date.dayNumber) == date else { return nil }
        self.init(seconds: Int64(date.dayNumber * 86400 + hour * 3600 + minute * 60 + min(second, 59)))
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
