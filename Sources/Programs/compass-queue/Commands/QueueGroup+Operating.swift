import Console
import JobQueue
import Media

// The work of the commands that change the queue.
extension QueueGroup.Requeue: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let report = ChangeReport("requeue", of: access, json: json)
        var requeued: [JobID] = []
        defer { report.close(jobs: requeued) }
        guard !dead else {
            try requeueDead(access, queue) { requeued.append($0) }
            let count = requeued.count
            return report.say(count == 1 ? "1 dead letter is queued again" : "\(count) dead letters are queued again")
        }
        for id in jobs.map(JobID.init(rawValue:)) {
            try access.attempt { () throws(QueueError) in try queue.requeue(id) }
            requeued.append(id)
            report.say("job \(id) is queued again")
        }
    }

    /// Requeues page by page, newest first. Requeued jobs leave the list, so the next page begins at the last job seen.
    private func requeueDead(
        _ access: QueueAccess, _ queue: any JobQueue, _ requeued: (JobID) -> Void
    ) throws(Failure) {
        var filter = JobFilter(state: .dead, limit: 500)
        while true {
            let page = try access.attempt { () throws(QueueError) in try queue.list(filter) }
            for job in page {
                do throws(QueueError) {
                    try queue.requeue(job.id)
                    requeued(job.id)
                } catch .duplicate {
                    // An equal job has been queued in the meantime.
                    continue
                } catch .wrongState {
                    // Another process has requeued the job.
                    continue
                } catch .invalid(let reason) {
                    StandardError.write("compass: \(Failure.bounded(reason)). Queue its file again.\n")
                    continue
                } catch {
                    throw access.failure(error)
                }
            }
            guard let last = page.last else { break }
            filter.before = last.id
        }
    }
}

extension QueueGroup.Cancel: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let report = ChangeReport("cancel", of: access, json: json)
        var cancelled: [JobID] = []
        defer { report.close(jobs: cancelled) }
        for id in jobs.map(JobID.init(rawValue:)) {
            try access.attempt { () throws(QueueError) in try queue.cancel(id) }
            cancelled.append(id)
            report.say("job \(id) is cancelled")
        }
    }
}

extension QueueGroup.Pause: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let report = ChangeReport("pause", of: access, json: json)
        var paused: [JobKind] = []
        defer { report.close(kinds: paused) }
        for kind in try JobKind.named(kinds) {
            try access.attempt { () throws(QueueError) in try queue.pause(kind) }
            paused.append(kind)
            report.say("jobs of kind \(kind) are paused; to continue: compass queue resume \(kind)")
        }
    }
}

extension QueueGroup.Resume: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let report = ChangeReport("resume", of: access, json: json)
        var resumed: [JobKind] = []
        defer { report.close(kinds: resumed) }
        for kind in try JobKind.named(kinds) {
            try access.attempt { () throws(QueueError) in try queue.resume(kind) }
            resumed.append(kind)
            report.say("jobs of kind \(kind) are resumed")
        }
    }
}

extension QueueGroup.Prune: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let queue = try access.open()
        let report = ChangeReport("prune", of: access, json: json)
        let count = try access.attempt { () throws(QueueError) in
            try queue.prune(olderThan: olderThan.duration, keepingAtMost: keep)
        }
        report.say(count == 1 ? "1 done job is deleted" : "\(count) done jobs are deleted")
        report.close(["jobCount": .integer(Int64(count))])
    }
}

extension QueueGroup.Migrate: QueueWork {
    func perform() throws {
        let access = QueueAccess(try options.resolve())
        let report = ChangeReport("migrate", of: access, json: json)
        let versions = try access.migrate()
        report.say("\(FilePath(access.path).shown) is ready")
        report.close([
            "versionBefore": .integer(Int64(versions.before)), "version": .integer(Int64(versions.after)),
        ])
    }
}

extension JobKind {
    /// The named kinds; without names, renditions.
    fileprivate static func named(_ names: [String]) throws(Failure) -> [JobKind] {
        guard !names.isEmpty else { return [.renditions] }
        var kinds: [JobKind] = []
        for name in names { kinds.append(try JobKind(named: name)) }
        return kinds
    }
}
