import ArgumentParser
import Console
import JobQueue
import Media
import ThumbnailCache

extension EnqueueCommand: QueueWork {
    func perform() throws {
        let settings = try options.resolve()
        let recipes = recipe.recipes()
        let making = try JobMaking(settings, recipes: recipes, priority: Priority(named: priority.rawValue))
        let access = QueueAccess(settings)
        let queue = try access.open()
        var batch = JobBatch(queue: queue)
        var report = EnqueueReport(json: json, isSilent: wait)
        let decide = skipsHashing ? JobMaking.byPath : JobMaking.hashed
        do throws(Failure) {
            try making.plan(SourceWalk(files).entries, decide) { plan throws(Failure) in
                switch plan.outcome {
                case .failure(let failure): report.add(failure, of: plan.name)
                case .success(.cached): break
                case .success(.wanted(let request)):
                    report.add(try access.attempt { () throws(QueueError) in try batch.add(plan.name, request) })
                }
            }
            report.add(try access.attempt { () throws(QueueError) in try batch.close() })
        } catch {
            report.close()
            throw error
        }
        report.close()
        var status = report.status
        if wait {
            var waiting = JobWaiting(
                access: access, queue: queue, jobs: report.queued,
                results: JobResults(
                    settings: settings,
                    cache: try FolderCache(checking: settings.cachePath, trustedOwner: settings.cacheOwner),
                    recipes: recipes, json: json, endsPathsWithZero: endsPathsWithZero))
            status = max(status, try waiting.run())
        }
        if status != 0 { throw ExitCode(status) }
    }
}
