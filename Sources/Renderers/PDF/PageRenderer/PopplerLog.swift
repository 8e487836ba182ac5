internal import CPoppler
internal import Glibc
internal import Synchronization

/// GLib's log, by which Poppler tells what is wrong with a document: kept instead of printed.
///
/// GLib's own writer asks the kernel what standard error is, which a sandbox forbids. What is written here may be that
/// there is no memory: nothing is allocated for it.
enum PopplerLog {
    private static let capacity = 1024
    /// A text that ends with a zero byte, always in the same place; `lock` guards it.
    nonisolated(unsafe) private static let warning: UnsafeMutablePointer<CChar> = {
        let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        bytes.initialize(repeating: 0, count: capacity)
        return bytes
    }()
    private static let lock = Mutex(())

    /// What Poppler or a library under it said last, or nothing.
    static var lastWarning: String { lock.withLock { _ in String(cString: warning) } }

    private static func keep(_ text: UnsafePointer<CChar>) {
        lock.withLock { _ in
            let count = strnlen(text, capacity - 1)
            memcpy(warning, text, count)
            warning[count] = 0
        }
    }

    /// Makes this the log of the process. GLib allows that once, so later calls do nothing.
    static func install() { _ = installation }

    private static let installation: Void = {
        // Made now, not when the first message comes.
        _ = lastWarning
        g_log_set_writer_func(
            { level, fields, count, _ in
                for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.isMessage {
                    let text = field.value.assumingMemoryBound(to: CChar.self)
                    PopplerLog.keep(text)
                    // GLib ends the process after its own error, and has said by then why (`g_malloc`).
                    if level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0, strstr(text, "failed to allocate") != nil {
                        errno = ENOMEM
                    }
                }
                return G_LOG_WRITER_HANDLED
            }, nil, nil)
    }()
}

extension GLogField {
    /// Whether this field is the text, which ends with a zero byte (a length of −1 says so).
    fileprivate var isMessage: Bool { length < 0 && strcmp(key, "MESSAGE") == 0 }
}
