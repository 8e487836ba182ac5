internal import CFFmpeg
internal import Synchronization

/// Keeps FFmpeg's error log for the details of failures.
///
/// The log is process-wide, like FFmpeg's; a child works on one file.
enum FFmpegLog {
    private static let lines = Mutex<[String]>([])
    private static let lineLimit = 16

    /// The last error line since `clear`; empty if there is none.
    static var lastError: String { lines.withLock { $0.last ?? "" } }

    /// The last error line since `clear` that contains `text`.
    static func line(with text: String) -> String? {
        lines.withLock { lines in lines.last { $0.contains(text) } }
    }

    /// Forgets all lines.
    static func clear() { lines.withLock { $0 = [] } }

    /// Installs this log for the process. FFmpeg also calls it from decoder threads.
    static func install() {
        av_log_set_callback { source, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format, let arguments else { return }
            FFmpegLog.keep(FFmpegLog.line(source, level, format, arguments))
        }
    }

    private static func keep(_ line: String) {
        if !line.isEmpty { lines.withLock { $0 = $0.suffix(lineLimit - 1) + [line] } }
    }

    /// The message as one line, prefixed with the FFmpeg component that logs it.
    private static func line(
        _ source: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer
    ) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            var printsPrefix: Int32 = 0
            av_log_format_line(source, level, format, arguments, buffer.baseAddress, Int32(buffer.count), &printsPrefix)
            return String(cString: buffer.baseAddress!).split(separator: "\n").joined(separator: " ")
        }
    }
}
