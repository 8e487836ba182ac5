internal import CVips
internal import Synchronization

/// Keeps GLib's log in memory. GLib's own writer queries standard error, with a system call that the sandbox forbids.
enum VipsLog {
    private static let warning = Mutex("")

    /// Errors, critical conditions and warnings.
    private static let notable =
        G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue

    /// The last warning of libvips or a library under it; empty if there is none.
    static var lastWarning: String { warning.withLock { $0 } }

    /// Installs this log for the process; GLib allows that once.
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
    /// Whether this field is the message. A length of −1 means that it ends with a zero byte.
    fileprivate var isMessage: Bool { length < 0 && String(cString: key) == "MESSAGE" }
}
