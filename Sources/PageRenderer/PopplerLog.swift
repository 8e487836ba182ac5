internal import CPoppler
internal import Synchronization

/// GLib's log, by which Poppler tells what is wrong with a document: kept instead of printed.
///
/// GLib's own writer asks the kernel what standard error is, which a sandbox forbids.
enum PopplerLog {
    private static let warning = Mutex("")

    /// What Poppler or a library under it said last, or nothing.
    static var lastWarning: String { warning.withLock { $0 } }

    /// Makes this the log of the process. GLib allows that once, so later calls do nothing.
    static func install() { _ = installation }

    private static let installation: Void = g_log_set_writer_func(
        { _, fields, count, _ in
            for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.isMessage {
                let text = String(cString: field.value.assumingMemoryBound(to: CChar.self))
                PopplerLog.warning.withLock { $0 = text }
            }
            return G_LOG_WRITER_HANDLED
        }, nil, nil)
}

extension GLogField {
    /// Whether this field is the text, which ends with a zero byte (a length of −1 says so).
    fileprivate var isMessage: Bool { length < 0 && String(cString: key) == "MESSAGE" }
}
