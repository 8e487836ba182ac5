import Console
import JobQueue
import Linux
import Media

// The work of the commands that only read.
extension QueueGroup.Status: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open(isReadOnly: true)
        if watch { try endOnInterrupt() }
        repeat {
            let status = try access.attempt { () throws(QueueError) in try queue.status() }
            show(StatusReport(path: access.path, status: status, now: WallClock().now))
            if watch { Time.sleep(.seconds(1)) }
        } while watch
    }

    /// Lets Ctrl-C end the program, even if it was started with the signal blocked.
    private func endOnInterrupt() throws(Failure) {
        do throws(SystemError) {
            try Process.interrupts { Process.leave(130) }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    private func show(_ report: StatusReport) {
        // Clears the screen from the upper left corner.
        let redraws = watch && !json && StandardOutput.isTerminal
        let text = json ? report.json.text + "\n" : report.text
        StandardOutput.write(redraws ? "\u{1B}[H\u{1B}[J\(text)" : watch && !json ? "\(text)\n" : text)
        StandardOutput.flush()
    }
}

extension QueueGroup.List: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open(isReadOnly: true)
        var filter = JobFilter(limit: limit)
        filter.state = dead ? .dead : state.flatMap { JobState(rawValue: $0.rawValue) }
        filter.kind = try kind.map { try JobKind(named: $0) }
        filter.before = before.map(JobID.init(rawValue:))
        let jobs = try access.attempt { () throws(QueueError) in try queue.list(filter) }
        if json {
            for job in jobs { StandardOutput.write(job.json.text + "\n") }
        } else {
            StandardOutput.write(JobTableText.text(of: jobs))
        }
    }
}

extension QueueGroup.Show: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open(isReadOnly: true)
        for (index, number) in jobs.enumerated() {
            let (job, attempts) = try access.attempt { () throws(QueueError) in
                try queue.show(JobID(rawValue: number))
            }
            let report = JobHistory(job: job, attempts: attempts)
            StandardOutput.write(json ? report.json.text + "\n" : (index > 0 ? "\n" : "") + report.text)
        }
    }
}

extension JobKind {
    /// The kind with a name from the command line.
    init(named name: String) throws(Failure) {
        guard let kind = JobKind(rawValue: name) else {
            throw Failure(
                .usage,
                message: "“\(Failure.bounded(name, to: 80))” is not a kind of job: up to 32 of a to z, 0 to 9 and -.")
        }
        self = kind
    }
}
