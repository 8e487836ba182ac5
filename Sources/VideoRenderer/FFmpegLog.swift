internal import CFFmpeg
internal import Synchronization

/// FFmpeg's log, kept instead of printed: its last error line is what a failure's detail says.
enum FFmpegLog {
    private static let lastLine = Mutex("")

    /// The last error since `clear`, as one line, or nothing.
    static var lastError: String { lastLine.withLock { $0 } }

    static func clear() { lastLine.withLock { $0 = "" } }

    /// Makes this the log of the process. The callback comes from decoders' threads too.
    static func install() {
        av_log_set_callback { source, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format, let arguments else { return }
            let line = FFmpegLog.line(source, level, format, arguments)
            if !line.isEmpty { FFmpegLog.lastLine.withLock { $0 = line } }
        }
    }

    /// The message with the name of the part of FFmpeg that says it, without its address.
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
