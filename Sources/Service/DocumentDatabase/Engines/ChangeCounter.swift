internal import Linux
internal import Synchronization

/// Counts the signals of changes, without a thread of its own.
final class ChangeCounter: Sendable {
    private let listener: FileSignal.Listener
    private let count = Mutex<Int64>(0)

    init(_ listener: FileSignal.Listener) { self.listener = listener }

    /// The count after all signals that were sent before this call. A listener that fails counts every call: nothing is then
    /// taken for unchanged.
    var current: Int64 {
        count.withLock { count in
            do throws(SystemError) {
                if try listener.wait(atMost: .zero) { count += 1 }
            } catch {
                count += 1
            }
            return count
        }
    }
}
