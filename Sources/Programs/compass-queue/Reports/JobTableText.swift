import Console
import JobQueue
import Media

/// The table of `compass queue list`, a line for each job.
enum JobTableText {
    static func text(of jobs: [Job]) -> String {
        if jobs.isEmpty { return "" }
        let width = max(3, String(jobs[0].id.rawValue).count)
        let head = Columns.line([("job", width), ("state", 9), ("priority", 11), ("queued", 19), ("source", 0)])
        return head + jobs.map { line($0, width) }.joined()
    }

    private static func line(_ job: Job, _ width: Int) -> String {
        // A file name may hold any bytes, so line ends and control characters are escaped.
        var source = FilePath(job.source.location).shown
        if let failure = job.lastFailure, job.state != .done { source += ": \(failure.line)" }
        if !job.unreadable.isEmpty { source += ": \(Failure.bounded(job.unreadable.text))" }
        return Columns.line([
            ("\(job.id)", width), (job.state.rawValue, 9), (job.priority.name, 11), (Moment.local(job.enqueued), 19),
            (source, 0),
        ])
    }
}
