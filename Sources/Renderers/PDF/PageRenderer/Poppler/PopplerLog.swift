internal import CPoppler
internal import Glibc
internal import Synchronization

/// GLib's log, in which Poppler reports the defects of a document. It keeps the last message and prints none.
///
/// GLib's own writer examines standard error with system calls that the sandbox forbids. A message may report that
/// memory ran out, so keeping it allocates nothing.
enum PopplerLog {
    private static let capacity = 1024
    /// A null-terminated text in a buffer that is never moved or freed; `lock` guards its bytes.
    nonisolated(unsafe) private static let warning: UnsafeMutablePointer<CChar> = {
        let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        bytes.initialize(repeating: 0, count: capacity)
        return bytes
    }()
    private static let lock = Mutex(())

    /// The last message of Poppler or a library under it; empty before the first message.
    static var lastWarning: String { lock.withLock { _ in String(cString: warning) } }

    private static func keep(_ text: UnsafePointer<CChar>) {
        lock.withLock { _ in
            let count = strnlen(text, capacity - 1)
            memcpy(warning, text, count)
            warning[count] = 0
        }
    }

    /// Makes this the log of the process. GLib allows only one call, so later calls do nothing.
    static func install() { _ = installation }

    private static let installation: Void = {
        // Allocates the buffer before the first message.
        _ = lastWarning
        g_log_set_writer_func(
            { level, fields, count, _ in
                for field in UnsafeBufferPointer(start: fields, count: Int(count)) where field.isMessage {
                    let text = field.value.assumingMemoryBound(to: CChar.self)
                    PopplerLog.keep(text)
                    // After this `g_malloc` error GLib aborts the process; errno tells the crash handler the cause.
                    if level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0, strstr(text, "failed to allocate") != nil {
                        errno = ENOMEM
                    }
                }
                return G_LOG_WRITER_HANDLED
            }, nil, nil)
    }()
}

extension GLogField {
    /// Whether this field is the message, as a null-terminated text: its length is −1.
    fileprivate var isMessage: Bool { length < 0 && strcmp(key, "MESSAGE") == 0 }
}
