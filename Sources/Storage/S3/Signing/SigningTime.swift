internal import HTTPSyntax

/// A moment as Signature Version 4 writes it: `20130524T000000Z`, in UTC.
package struct SigningTime: Hashable, Sendable {
    /// Year, month and day: `20130524`.
    package let day: String
    /// The day and the time of day.
    package let text: String

    /// A moment in the years 1970 to 9999.
    ///
    /// - Parameter seconds: the seconds since 1970.
    package init(seconds: Int64) {
        let date = CivilDate(day: Int(seconds / 86_400))
        let time = Int(seconds % 86_400)
        day = Self.padded(date.year, 4) + Self.padded(date.month, 2) + Self.padded(date.day, 2)
        text = "\(day)T\(Self.padded(time / 3600, 2))\(Self.padded(time / 60 % 60, 2))\(Self.padded(time % 60, 2))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
