public import Linux
public import Media

/// The thread that removes people who requested it, and expired rows of accounts. Any number of processes may run one
/// over the same stores.
public final class RemovalWatch: Sendable {
    private let isOver: Promise<Void>
    private let thread: WorkerThread

    private static let pause = Duration.seconds(2)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - now: the clock.
    ///   - pauseAfterFault: the pause before a retry.
    ///   - warn: called with the reason if something could not be done now, in words for the log.
    /// - Throws: `SystemError` if no thread can be started.
    public init(
        _ removal: AccountRemoval, now: @escaping @Sendable () -> Instant, pauseAfterFault: Duration = .seconds(30),
        warn: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let isOver = Promise<Void>()
        self.isOver = isOver
        thread = try WorkerThread(name: "removals") {
            // A process before this one may have ended between a removal and its tidying.
            var isUntidy = true
            while isOver.current == nil {
                var hasFault = false
                func attempt(_ what: String, _ body: () throws(AccountRemoval.Fault) -> Void) {
                    do throws(AccountRemoval.Fault) {
                        try body()
                    } catch {
                        warn("\(what): \(error)")
                        hasFault = true
                    }
                }
                attempt("people who asked to be removed cannot be listed") { () throws(AccountRemoval.Fault) in
                    let hasRemoved = try removal.removeRequested(at: now(), while: { isOver.current == nil }) {
                        warn("the person \($0) cannot be removed yet: \($1)")
                        hasFault = true
                    }
                    isUntidy = isUntidy || hasRemoved
                }
                attempt("expired account rows cannot be removed yet") { () throws(AccountRemoval.Fault) in
                    try removal.removeExpiredRows(at: now())
                }
                if isUntidy, isOver.current == nil {
                    attempt("copies of deleted rows in the database's files cannot be erased yet") {
                        () throws(AccountRemoval.Fault) in
                        try removal.tidy()
                        isUntidy = false
                    }
                }
                _ = isOver.wait(until: Time.monotonic + (hasFault ? pauseAfterFault : Self.pause))
            }
        }
    }

    /// Ends the thread after the document or file that it is removing. The rest follows when a watch runs again.
    public func stop() {
        isOver.fulfil(())
        thread.join()
    }
}
