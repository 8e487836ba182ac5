internal import CVips
internal import Synchronization

/// GLib's log, kept instead of printed: GLib's own writer asks the kernel what standard error is, which a sandbox forbids.
enum VipsLog {
    private static let warning = Mutex("")

    /// Errors, critical conditions and warnings.
    private static let notable =
        G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue

    /// What libvips or a library under it warned of last, or nothing.
    static var lastWarning: String { warning.withLock { $0 } }

    /// Makes this the log of the process; GLib allows that once.
    static func install() {
        g_log_set_writer_func(
            { level, fields, count, _ in
                guard level.rawValue & VipsLog.notable != 0 else { return G_LOG_WRITER_HANDLED }
                for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.isMessage {
                    let text = String(cString: field.value.assumingMemoryBound(to: CChar.self))
                    VipsLog.warning.withLock { $0 = text }
                }
                return G_LOG_WRITER_HANDLED
            }, nil, nil)
    }
}

extension GLogField {
    /// Whether this field is the text, which ends with a zero byte (a length of −1 says so).
    fileprivate var isMessage: Bool { length < 0 && String(cString: key) == "MESSAGE" }
}
