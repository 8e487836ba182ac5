internal import Database

/// The waiter of a queue whose database has signals.
struct SignalWaiter: JobWaiter {
    let queue: any JobQueue
    let arrivals: any SQLListener
    let database: any SQLDatabase
    let clock: any QueueClock

    /// Wakes all waiting workers, including those of other processes. A claim that finds no job costs less than a
    /// second watch.
    func wake() { database.send(.jobs) }

    func wait(atMost limit: Duration) throws(QueueError) -> Bool {
        let rest = try queue.nextDue().map { max(.zero, $0 - clock.now) } ?? limit
        do {
            return try arrivals.wait(atMost: min(limit, rest)) || rest < limit
        } catch {
            throw QueueError(error)
        }
    }
}
