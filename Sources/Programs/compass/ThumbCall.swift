import ArgumentParser
import Console
import Media
import Settings
import Thumbnailer

/// One call of `compass thumb`, however it was said.
struct ThumbCall {
    var files: [FilePath]
    var recipes = [Preset.grid.recipe]
    var output: FilePath?
    var json = false
    var endsPathsWithZero = false
    var isForced = false
    var usesCache = true
    var wantsDigest = false
    var explains = false
    /// What flags say of the settings.
    var flags: [Setting: String] = [:]

    init(files: [FilePath]) { self.files = files }

    /// A call that says nothing of settings but how many files at once. It needs no parser, which takes longer than the rest of a cached answer.
    ///
    /// - Parameter arguments: what follows `thumb` of `Process.arguments`; `nil` is returned where it says anything else, says a thing twice, or
    ///   makes no sense: the parser takes it, or words the complaint.
    init?(usual arguments: some Sequence<String>) {
        self.init(files: [])
        var choice = RecipeChoice()
        var rest = arguments.makeIterator()
        func next<Value: ExpressibleByArgument>(into value: inout Value?) -> Bool {
            guard value == nil, let word = rest.next(), Self.isName(word) else { return false }
            value = Value(argument: word)
            return value != nil
        }
        while let argument = rest.next() {
            switch argument {
            case "--json": json = true
            case "--print0": endsPathsWithZero = true
            case "--force": isForced = true
            case "--no-cache": usesCache = false
            case "--digest": wantsDigest = true
            case "--explain": explains = true
            case "--alone": flags[.warmSocket] = "no"
            case "--enlarge": choice.enlarge = true
            case "--no-icon": choice.refusesIcons = true
            case "--preset":
                var preset: Preset?
                guard next(into: &preset), let preset else { return nil }
                choice.presets.append(preset)
            case "--size": guard next(into: &choice.size) else { return nil }
            case "--fit": guard next(into: &choice.fit) else { return nil }
            case "--format": guard next(into: &choice.format) else { return nil }
            case "--quality": guard next(into: &choice.quality) else { return nil }
            case "--page": guard next(into: &choice.page) else { return nil }
            case "--at": guard next(into: &choice.time) else { return nil }
            case "--background": guard next(into: &choice.background) else { return nil }
            case "-o", "--output": guard next(into: &output) else { return nil }
            case "--jobs": guard next(into: &flags[.jobs]) else { return nil }
            default:
                guard Self.isName(argument) else { return nil }
                files.append(FilePath(carrier: argument))
            }
        }
        guard !files.isEmpty, usesCache || output != nil, !(json && endsPathsWithZero), choice.complaint == nil else {
            return nil
        }
        recipes = choice.recipes(output: output?.readable)
    }

    /// No flag, nor what stands for standard input and output.
    private static func isName(_ argument: String) -> Bool { !argument.isEmpty && !argument.hasPrefix("-") }

    func run() throws {
        let plan = try OutputPlan(output, sources: files, recipes: recipes)
        let session = try Session(
            try Settings(ofCallWith: flags), usesCache: usesCache, fileCount: files.count)
        defer { session.warnOfMissingLayers() }
        let order = Order(recipes: recipes, isForced: isForced, wantsDigest: wantsDigest)
        var report = ThumbReport(json: json, endsPathsWithZero: endsPathsWithZero, total: files.count)
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
