import Console
import JobQueue
import Media

/// The output of `compass queue show` for one job: its columns, and a line for each attempt.
struct JobHistory {
    let job: Job
    let attempts: [Attempt]

    /// The object that `--json` prints.
    var json: JSON {
        guard case .object(let members) = job.json else { return .null }
        return .object(members + [JSON.Member("attempts", .array(attempts.map(\.json)))])
    }

    /// The lines for a person.
    var text: String {
        let policy = QueuePolicy()
        var rows = [
            ("source", FilePath(job.source.location).shown),
            ("digest", job.digest?.hex ?? "not known yet"),
            ("recipes", job.recipes.map(\.readableName).joined(separator: ", ")),
            ("kind", "\(job.kind), priority \(job.priority.name)"),
            ("queued", Moment.local(job.enqueued)),
        ]
        if job.state == .available { rows.append(("due", Moment.local(job.notBefore))) }
        if let lease = job.lease {
            rows.append(("worker", "\(lease.worker), since \(Moment.local(lease.claimed))"))
            rows.append(("lease", "until \(Moment.local(lease.deadline))"))
        }
        if let finished = job.finished { rows.append(("finished", Moment.local(finished))) }
        if job.failureCount > 0 || job.workerDeathCount > 0 {
            rows.append(
                (
                    "counted",
                    "failures \(job.failureCount) of \(policy.failureLimit), "
                        + "worker deaths \(job.workerDeathCount), "
                        + "\(job.aloneDeathCount) of \(policy.aloneDeathLimit) with this job alone"
                ))
        }
        if job.isSuspected && job.state.isUnfinished {
            rows.append(("suspect", "a worker died while it ran this job: its worker now runs no other job beside it"))
        }
        if let failure = job.lastFailure { rows.append(("reason", failure.line)) }
        if !job.unreadable.isEmpty { rows.append(("damaged", Failure.bounded(job.unreadable.text, to: 4096))) }
        let head = "job \(job.id): \(job.state.rawValue)\n"
        return head + rows.map { Columns.line([("  \($0.0)", 10), ($0.1, 0)]) }.joined() + history
    }

    private var history: String {
        if attempts.isEmpty { return "  no attempts yet\n" }
        return attempts.map { "  attempt \($0.number): \(Self.line($0))\n" }.joined()
    }

    private static func line(_ attempt: Attempt) -> String {
        var text = "\(Moment.local(attempt.started)), \(attempt.worker)"
        if let end = attempt.end, let ended = attempt.ended {
            text += ", \(words(for: end)) after \(Moment.span(ended - attempt.started))"
        } else {
            text += ", running"
        }
        if attempt.isAlone { text += ", alone" }
        if let failure = attempt.failure { text += "\n      \(failure.line)" }
        if !attempt.timings.isEmpty {
            let timings = attempt.timings.map { "\($0.step) \(($0.milliseconds * 10).rounded() / 10)" }
            text += "\n      \(timings.joined(separator: ", ")) ms"
        }
        return text
    }

    private static func words(for end: Attempt.End) -> String {
        switch end {
        case .completed: "done"
        case .failed: "failed"
        case .workerDied: "the worker died"
        case .released: "returned to the queue"
        case .cancelled: "cancelled"
        }
    }
}
