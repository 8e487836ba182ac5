internal import Linux
internal import RenderHost

/// Ends the work of a session when it is no longer wanted, or when it takes too long.
///
/// A thread checks once a second whether the session is still wanted. The worker passes `cancellation` to long calls,
/// and calls `check` between steps.
final class SearchWatch: Sendable {
    /// Why the work has to end.
    enum End: Error, Sendable {
        /// The search was deleted, or its session is over.
        case unwanted
        /// The deadline has passed.
        case overdue
    }

    /// Ends the children that work for the session.
    let cancellation = Cancellation()
    private let end = Promise<End>()
    private let isDone = Promise<Void>()
    private let deadline: Duration

    private static let interval: Duration = .seconds(1)

    /// Watches from now on, until `stop`.
    ///
    /// - Parameters:
    ///   - limit: time limit of the work.
    ///   - isWanted: called on the watching thread.
    init(for limit: Duration, isWanted: @escaping @Sendable () -> Bool) throws(SystemError) {
        deadline = Time.monotonic + limit
        _ = try WorkerThread(name: "search-watch") { [self] in
            while true {
                let now = Time.monotonic
                if isDone.wait(until: min(now + Self.interval, deadline)) != nil { return }
                if Time.monotonic >= deadline { return finish(.overdue) }
                if !isWanted() { return finish(.unwanted) }
            }
        }
    }

    private func finish(_ reason: End) {
        end.fulfil(reason)
        cancellation.cancel()
    }

    /// Why the work has to end; `nil` while it may continue.
    var reason: End? { end.current ?? (Time.monotonic >= deadline ? .overdue : nil) }

    /// - Throws: the reason, if the work has to end.
    func check() throws(End) {
        if let reason { throw reason }
    }

    /// Ends the watch, once the work is over.
    func stop() { isDone.fulfil(()) }
}
