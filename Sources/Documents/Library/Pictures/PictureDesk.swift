internal import JobQueue
internal import Linux
internal import Synchronization

/// Requests that wait for a job's end: any number for one job, without a thread each.
final class PictureDesk: Sendable {
    private let state = Mutex(State())

    private struct State {
        var nextID = 0
        var waiting: [JobID: [Int: Wakeup]] = [:]
    }

    /// The place of one request in the wait for a job.
    struct Ticket: Sendable {
        fileprivate let job: JobID
        fileprivate let id: Int
        fileprivate let end: Wakeup
    }

    /// The jobs that somebody waits for.
    var jobs: [JobID] { state.withLock { Array($0.waiting.keys) } }

    /// Takes a place. From here on an end is noticed, even before the caller waits.
    func take(for job: JobID) -> Ticket {
        let end = Wakeup()
        let id = state.withLock { state in
            state.nextID += 1
            state.waiting[job, default: [:]][state.nextID] = end
            return state.nextID
        }
        return Ticket(job: job, id: id, end: end)
    }

    /// Waits until the job has ended, the time has passed, or the caller's task is cancelled; then gives up the place.
    func wait(_ ticket: Ticket, atMost limit: Duration) async {
        await ticket.end.wait(atMost: limit)
        leave(ticket)
    }

    /// Gives up a place.
    func leave(_ ticket: Ticket) {
        state.withLock { state in
            state.waiting[ticket.job]?.removeValue(forKey: ticket.id)
            if state.waiting[ticket.job]?.isEmpty == true { state.waiting[ticket.job] = nil }
        }
    }

    /// Wakes the requests that wait for a job, once the job has ended.
    func end(_ job: JobID) {
        let waiting = state.withLock { Array(($0.waiting.removeValue(forKey: job) ?? [:]).values) }
        for wakeup in waiting { wakeup.wake() }
    }
}
