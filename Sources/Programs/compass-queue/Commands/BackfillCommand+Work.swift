import ArgumentParser
import Console
import JobQueue
import Media

extension BackfillCommand: QueueWork {
    func perform() throws {
        let settings = try options.resolve()
        let making = try JobMaking(settings, recipes: recipe.recipes(), priority: .backfill)
        let access = QueueAccess(settings)
        // A dry run needs no queue.
        var batch = dryRun ? nil : JobBatch(queue: try access.open())
        var report = BackfillReport(json: json, isDry: dryRun)
        try making.plan(SourceWalk(folders).entries, JobMaking.lacking) { plan throws(Failure) in
            switch plan.outcome {
            case .failure(let failure): report.add(failure, of: plan.name)
            case .success(.cached): report.addCached()
            case .success(.wanted(let request)):
                guard batch != nil else { return report.addWanted(plan.name, request) }
                report.add(try access.attempt { () throws(QueueError) in try batch!.add(plan.name, request) })
            }
        }
        report.add(try access.attempt { () throws(QueueError) in try batch?.close() ?? [] })
        report.close()
        if report.status != 0 { throw ExitCode(report.status) }
    }
}
