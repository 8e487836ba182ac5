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

    /// A call as most are: names of files, a size or presets, an output, a flag or two. It needs no parser, which takes
    /// longer than the rest of a cached answer.
    ///
    /// - Parameter arguments: what follows `thumb`; `nil` is returned where it says anything else, or makes no sense: the
    ///   parser takes it, or words the complaint.
    init?(usual arguments: some Sequence<String>) {
        self.init(files: [])
        var choice = RecipeChoice()
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--json": json = true
            case "--force": isForced = true
            case "--no-cache": usesCache = false
            case "--explain": explains = true
            case "--alone": flags[.warmSocket] = "no"
            case "--size":
                guard let size = rest.next().flatMap(Box.init(parsing:)), choice.size == nil else { return nil }
                choice.size = size
            case "--preset":
                guard let preset = rest.next().flatMap(Preset.init) else { return nil }
                choice.presets.append(preset)
            case "-o", "--output":
                guard let target = rest.next(), Self.isName(target), output == nil else { return nil }
                output = target
            default:
                guard Self.isName(argument) else { return nil }
                files.append(argument)
            }
        }
        let isSound =
            !files.isEmpty && (usesCache || output != nil) && (choice.size == nil || choice.presets.isEmpty)
        guard isSound else { return nil }
        recipes = choice.recipes(output: output)
    }

    /// No flag, nor what stands for standard input and output.
    private static func isName(_ argument: String) -> Bool { !argument.isEmpty && !argument.hasPrefix("-") }

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
