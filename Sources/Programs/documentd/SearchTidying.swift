import Linux
import Logging
import MatchStore
import Media

/// The thread that deletes what is kept for a limited time: searches for jobs, and the database before a restore. Any
/// number of processes may run one over the same stores.
final class SearchTidying: Sendable {
    private let isOver = Promise<Void>()
    private let thread: WorkerThread

    private static let pause = Duration.seconds(3600)

    /// - Parameter remains: the remains of restores; `nil` if there are none.
    init(_ searches: SearchDesk, _ remains: RestoreRemains?, _ logger: Logger) throws(Failure) {
        let isOver = isOver
        do throws(SystemError) {
            thread = try WorkerThread(name: "searches") {
                // Not at the same moment on all hosts.
                var pause = Duration.seconds(Int.random(in: 10...60))
                while isOver.wait(until: Time.monotonic + pause) == nil {
                    pause = Self.pause
                    remains?.removeFormers(olderThan: RestoreRemains.keptTime)
                    do {
                        let count = try searches.tidy()
                        if count > 0 { logger.info("searches deleted", metadata: ["count": "\(count)"]) }
                    } catch {
                        logger.warning(
                            "expired searches cannot be deleted", metadata: ["reason": "\(error)"])
                    }
                }
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Ends the thread.
    func stop() {
        isOver.fulfil(())
        thread.join()
    }
}
