/// A year, or a month of a year, as résumés date things.
public struct PartialDate: Hashable, Sendable, Comparable, Codable {
    /// The year of the common era.
    public var year: Int
    /// 1...12; `nil` if the text names only a year.
    public var month: Int?

    /// A date without a day.
    public init(year: Int, month: Int? = nil) {
        self.year = year
        self.month = month
    }

    /// `2019` or `2019-03`, as JSON Resume writes dates.
    public var text: String {
        guard let month else { return String(year) }
        return "\(year)-\(month < 10 ? "0" : "")\(month)"
    }

    /// Reads what `text` writes.
    public init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard let year = parts.first.flatMap({ Int($0) }), (1900...2200).contains(year), parts.count <= 2 else {
            return nil
        }
        self.init(year: year)
        guard parts.count == 2 else { return }
        guard let month = Int(parts[1]), (1...12).contains(month) else { return nil }
        self.month = month
    }

    /// Months since the year 0; without a month, the first of the year.
    public var firstMonth: Int { year * 12 + (month ?? 1) - 1 }

    /// Months since the year 0; without a month, the last of the year.
    public var lastMonth: Int { year * 12 + (month ?? 12) - 1 }

    /// Whether `first` is earlier; a year without a month sorts before its months.
    public static func < (first: PartialDate, second: PartialDate) -> Bool {
        (first.year, first.month ?? 0) < (second.year, second.month ?? 0)
    }
}
