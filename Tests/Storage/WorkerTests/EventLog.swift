import JobQueue
import Linux
import Synchronization
import Testing
import Worker

/// A job of the queue: the renderers' host also has a type of that name, and the module and the protocol `JobQueue`
/// share theirs.
typealias QueuedJob = Job

/// Collects the events of workers.
final class EventLog: Sendable {
    private let events = Mutex<[WorkerEvent]>([])

    func note(_ event: WorkerEvent) { events.withLock { $0.append(event) } }

    var reports: [JobReport] {
        events.withLock { events in
            events.compactMap { event in
                if case .finished(let report) = event { report } else { nil }
            }
        }
    }

    var troubles: [String] {
        events.withLock { events in
            events.compactMap { event in
                switch event {
                case .troubleBegan(let dependency, _): "\(dependency) lost"
                case .troubleEnded(let dependency, _): "\(dependency) back"
                default: nil
                }
            }
        }
    }

    var others: [String] {
        events.withLock { events in
            events.compactMap { event in
                switch event {
                case .reclaimed(let jobCount, let name): "\(jobCount) from \(name)"
                case .neighbour(let name, let version, let isSame): "\(name) \(version) \(isSame)"
                default: nil
                }
            }
        }
    }

    /// Waits until this many attempts have ended.
    func waitForReports(_ count: Int) throws -> [JobReport] {
        let deadline = Time.monotonic + .seconds(60)
        while reports.count < count {
            try #require(Time.monotonic < deadline, "\(reports.count) of \(count) attempts have ended")
            Time.sleep(.milliseconds(2))
        }
        return reports
    }
}
