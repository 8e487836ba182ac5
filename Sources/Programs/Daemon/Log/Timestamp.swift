internal import CLinux
internal import Linux

/// Formats the time of a log line.
enum Timestamp {
    /// The time now in UTC: `2026-11-21T16:05:03.123Z`.
    static var now: String {
        let wall = Time.wall
        var seconds = time_t(wall / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { padded($0, 2) }
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
        let milliseconds = padded(Int(wall / 1_000_000 % 1000), 3)
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":")).\(milliseconds)Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
