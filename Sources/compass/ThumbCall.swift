import ArgumentParser
import Console
import Media
import Settings
import Thumbnailer

/// One call of `compass thumb`, however it was said.
struct ThumbCall {
    var files: [String]
    var recipes = [Preset.grid.recipe]
    var output: String?
    var json = false
    var isForced = false
    var usesCache = true
    var wantsDigest = false
    var explains = false
    /// What flags say of the settings.
    var flags: [Setting: String] = [:]

    init(files: [String]) { self.files = files }

    /// A call that names files and nothing else needs no parser, which takes longer than the rest of a cached answer.
    ///
    /// - Parameter arguments: what follows `thumb`; `nil` is returned where it is more, or less, than names of files.
    init?(plain arguments: some Collection<String>) {
        guard !arguments.isEmpty, arguments.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) else { return nil }
        self.init(files: Array(arguments))
    }

    func run() throws {
        let plan = try OutputPlan(output, sources: files, recipes: recipes)
        let session = try Session(
            try Settings(ofCallWith: flags), usesCache: usesCache, fileCount: files.count)
        defer { session.warnOfMissingLayers() }
        let order = Order(recipes: recipes, isForced: isForced, wantsDigest: wantsDigest)
        var report = Report(json: json, total: files.count)
        let (files, explains) = (files, explains)
        if files.count == 1 {
            report.add(ThumbWork.perform(files[0], index: 0, order, plan, session, explains: explains))
        } else {
            try session.endChildrenOnInterrupt()
            try Parallel.map(
                count: files.count, jobs: session.settings.jobCount,
                work: { index in
                    ThumbWork.perform(files[index], index: index, order, plan, session, explains: explains)
                },
                finished: { _, result in report.add(result) }, waiting: { report.tick($0) })
        }
        report.close()
        session.collectGarbageIfDue()
        if report.status != 0 { throw ExitCode(report.status) }
    }
}
