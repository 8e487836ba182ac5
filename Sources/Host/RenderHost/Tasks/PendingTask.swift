internal import CLinux
internal import Linux
internal import Synchronization
internal import Wire

/// A task that was sent to a renderer; one thread waits for its end.
final class PendingTask: Sendable {
    /// The three ways in which the wait for a child ends.
    enum End: Sendable {
        /// The child was reaped: nobody writes to its pixels any more.
        case ended(ChildEnd)
        /// No child was made.
        case refused(String)
        /// The renderer itself died, and its children with it.
        case vanished
    }

    let end = Promise<End>()
    /// Whether the renderer itself is to become the child.
    let isOnly: Bool
    private let child = Mutex<(handle: Descriptor?, isKilled: Bool)>((nil, false))

    init(isOnly: Bool) { self.isOnly = isOnly }

    /// The renderer has forked the child, or become it.
    func started(as handle: Descriptor) {
        let isKilled = child.withLock { child in
            child.handle = handle
            return child.isKilled
        }
        if isKilled { clinux_pidfd_kill(handle.number, SIGKILL) }
    }

    /// Ends the task for a client that has left. It does not wait for a child that is not known yet; that child ends as
    /// soon as it is known.
    func abandon() {
        kill()
        if child.withLock({ $0.handle == nil }) { end.fulfil(.vanished) }
    }

    /// Ends the child now, or as soon as it is known.
    func kill() {
        child.withLock { child in
            child.isKilled = true
            if let handle = child.handle { clinux_pidfd_kill(handle.number, SIGKILL) }
        }
    }
}
