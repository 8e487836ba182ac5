import Console
import JobQueue
import Media
import QueueCommands

// The commands that change something.
extension QueueGroup.Requeue: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        if dead { return try requeueDead(access, queue) }
        for number in jobs {
            try access.attempt { () throws(QueueError) in try queue.requeue(JobID(rawValue: number)) }
            StandardOutput.write("job \(number) is queued again\n")
        }
    }

    /// Page by page, the newest first: those that are requeued leave the list behind the last one looked at.
    private func requeueDead(_ access: QueueAccess, _ queue: SQLiteQueue) throws(Failure) {
        var filter = JobFilter(state: .dead, limit: 500)
        var count = 0
        while true {
            let page = try access.attempt { () throws(QueueError) in try queue.list(filter) }
            for job in page {
                do throws(QueueError) {
                    try queue.requeue(job.id)
                    count += 1
                } catch .duplicate {
                    // The same was queued anew meanwhile.
                    continue
                } catch .wrongState {
                    // Somebody else was faster.
                    continue
                } catch {
                    throw access.failure(error)
                }
            }
            guard let last = page.last else { break }
            filter.before = last.id
        }
        StandardOutput.write(
            count == 1 ? "1 dead letter is queued again\n" : "\(count) dead letters are queued again\n")
    }
}

extension QueueGroup.Cancel: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        for number in jobs {
            try access.attempt { () throws(QueueError) in try queue.cancel(JobID(rawValue: number)) }
            StandardOutput.write("job \(number) is cancelled\n")
        }
    }
}

extension QueueGroup.Pause: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        for kind in try kinds.isEmpty ? [.renditions] : kinds.map({ try JobKind(named: $0) }) {
            try access.attempt { () throws(QueueError) in try queue.pause(kind) }
            StandardOutput.write("jobs of kind \(kind) are paused; go on by: compass queue resume \(kind)\n")
        }
    }
}

extension QueueGroup.Resume: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        for kind in try kinds.isEmpty ? [.renditions] : kinds.map({ try JobKind(named: $0) }) {
            try access.attempt { () throws(QueueError) in try queue.resume(kind) }
            StandardOutput.write("jobs of kind \(kind) go on\n")
        }
    }
}

extension QueueGroup.Prune: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let count = try access.attempt { () throws(QueueError) in
            try queue.prune(olderThan: olderThan.duration, keepingAtMost: keep)
        }
        StandardOutput.write(count == 1 ? "1 done job is deleted\n" : "\(count) done jobs are deleted\n")
    }
}

extension QueueGroup.Migrate: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        try access.migrate()
        StandardOutput.write("\(access.path) is ready\n")
    }
}
