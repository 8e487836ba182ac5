internal import Synchronization

/// Decides which of many calls fail, whatever the calls are. Safe for several threads.
package final class FaultPlan: Sendable {
    /// The calls that fail, counted from 0.
    package enum Fault: Hashable, Sendable {
        case once(Int)
        /// As after a process has died.
        case fromOn(Int)
    }

    private let fault: Fault?
    private let count = Mutex(0)

    /// - Parameter fault: `nil` for none.
    package init(_ fault: Fault? = nil) { self.fault = fault }

    /// The number of calls so far.
    package var callCount: Int { count.withLock { $0 } }

    /// Counts a call.
    ///
    /// - Returns: whether it must fail.
    package func isFault() -> Bool {
        let index = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return switch fault {
        case .once(let failing): index == failing
        case .fromOn(let failing): index >= failing
        case nil: false
        }
    }
}
