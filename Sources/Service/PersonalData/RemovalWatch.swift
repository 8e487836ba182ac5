public import Documents
public import Linux
internal import Media

/// The thread that removes persons who have asked for it. Any number of processes may run one over the same stores.
public final class RemovalWatch: Sendable {
    private let isOver = Promise<Void>()
    private let thread: WorkerThread

    private static let pause = Duration.seconds(2)
    private static let pauseAfterFault = Duration.seconds(30)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - now: the clock.
    ///   - warn: told why somebody could not be removed now, in words for the log.
    /// - Throws: `SystemError` where no thread can be started.
    public init(
        _ removal: AccountRemoval, now: @escaping @Sendable () -> Instant, warn: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let isOver = isOver
        thread = try WorkerThread(name: "removals") {
            while isOver.current == nil {
                var pause = Self.pause
                do throws(AccountRemoval.Fault) {
                    try removal.removeRequested(at: now(), while: { isOver.current == nil }) { person, fault in
                        warn("the person \(person) is not removed yet: \(fault)")
                        pause = Self.pauseAfterFault
                    }
                } catch {
                    warn("persons who are to be removed cannot be found: \(error)")
                    pause = Self.pauseAfterFault
                }
                _ = isOver.wait(until: Time.monotonic + pause)
            }
        }
    }

    /// Ends the thread, after the document or file that it removes. The rest follows when a watch runs again.
    public func stop() {
        isOver.fulfil(())
        thread.join()
    }
}
