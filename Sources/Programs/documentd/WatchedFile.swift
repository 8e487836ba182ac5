import Linux
import Logging
import Media
import Synchronization

/// What a file says that other processes may replace: it is looked at once a second at most, or at once on demand.
///
/// A look is one call of the kernel; the file is read where it has changed. A file that is gone or damaged changes nothing.
final class WatchedFile<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var status: FileStatus?
        var looked: Duration
        var isTold = false
    }

    private let file: PrivateFile
    private let reading: @Sendable () throws(Failure) -> Value
    private let logger: Logger?
    private let state: Mutex<State>

    private static var memory: Duration { .seconds(1) }

    /// - Parameters:
    ///   - reading: the file's meaning.
    ///   - logger: is told once of a file that cannot be read any more.
    init(
        _ file: PrivateFile, _ logger: Logger? = nil, reading: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) {
        self.file = file
        self.reading = reading
        self.logger = logger
        // Asked before reading: what changes between the two is noticed at the next look.
        let status = try? FileStatus.of(path: file.path)
        state = Mutex(State(value: try reading(), status: status, looked: Time.monotonic))
    }

    /// What the file says; of the last second, where it need not be fresh.
    func value(isFresh: Bool) -> Value {
        state.withLock { state in
            let now = Time.monotonic
            guard isFresh || now >= state.looked + Self.memory else { return state.value }
            state.looked = now
            guard let status = try? FileStatus.of(path: file.path), !isSame(status, state.status) else {
                return state.value
            }
            do throws(Failure) {
                state.value = try reading()
                (state.status, state.isTold) = (status, false)
            } catch {
                if !state.isTold { logger?.error("keys: \(error.message) Those before it count on.") }
                state.isTold = true
            }
            return state.value
        }
    }

    /// Whether it is the same file, unchanged; reading it may have changed the rest.
    private func isSame(_ status: FileStatus, _ known: FileStatus?) -> Bool {
        status.inode == known?.inode && status.changed == known?.changed && status.byteCount == known?.byteCount
    }
}
