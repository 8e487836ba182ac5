import CLinux
import JobQueue
import Linux

/// Formats times and spans.
enum Moment {
    /// `2026-11-21 16:04:11`, in this machine's time zone.
    static func local(_ instant: QueueInstant) -> String { text(instant, "%Y-%m-%d %H:%M:%S", localtime_r) }

    /// `2026-11-21T15:04:11.250Z`.
    static func universal(_ instant: QueueInstant) -> String {
        let rest = Int(((instant.milliseconds % 1000) + 1000) % 1000)
        let thousandths = String(String(1000 + rest).dropFirst())
        return text(instant, "%Y-%m-%dT%H:%M:%S", gmtime_r) + ".\(thousandths)Z"
    }

    /// `850 ms`, `12 s`, `3 min 12 s`, `5 h 10 min`, `3 d 4 h`.
    static func span(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds < 1000 { return "\(Int(milliseconds)) ms" }
        let seconds = Int(min(milliseconds / 1000, 1e12))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return join(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return join(seconds / 3600, "h", seconds / 60 % 60, "min")
        default: return join(seconds / 86_400, "d", seconds / 3600 % 24, "h")
        }
    }

    private static func join(_ large: Int, _ unit: String, _ small: Int, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }

    private static func text(
        _ instant: QueueInstant, _ format: String,
        _ convert: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String {
        // Rounded down, for moments before 1970 too.
        var seconds = time_t((instant.milliseconds - ((instant.milliseconds % 1000) + 1000) % 1000) / 1000)
        var parts = tm()
        guard convert(&seconds, &parts) != nil else { return "\(instant.milliseconds) ms" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = strftime(buffer.baseAddress!, buffer.count, format, &parts)
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
        }
    }
}
