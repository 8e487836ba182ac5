import ArgumentParser
import Console
import Linux
import Media
import Thumbnailer

/// A call of `compass thumb`: its files and flags, read without ArgumentParser if possible.
struct ThumbCall {
    var files: [FilePath] = []
    var recipe = RecipeOptions()
    var options = ThumbOptions()
    var settings = SettingsOptions()

    /// - Throws: `ValidationError` if files and flags do not fit together.
    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
        if files.filter({ $0 == Session.standardStream }).count > 1 {
            throw ValidationError("Standard input can be read only once.")
        }
        if options.json && options.endsPathsWithZero { throw ValidationError("Use --json or --print0, not both.") }
        if options.ignoresCache && options.output == nil {
            throw ValidationError("--no-cache requires -o: without a cache there is no path to print.")
        }
    }

    /// Makes the renditions and reports on each file.
    ///
    /// - Throws: `ExitCode` if a file failed.
    func run() throws {
        let recipes = recipe.recipes(output: options.output?.readable)
        let plan = try OutputPlan(options.output, sources: files, recipes: recipes)
        let given = settings.given.merging(options.given) { $1 }
        let session = try Session(
            try Settings(ofCallWith: given), usesCache: !options.ignoresCache, fileCount: files.count)
        defer { session.warnOfMissingLayers() }
        let order = Order(recipes: recipes, isForced: options.isForced, wantsDigest: options.wantsDigest)
        var report = ThumbReport(
            json: options.json, endsPathsWithZero: options.endsPathsWithZero, total: files.count)
        let (files, explains) = (files, options.explains)
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

extension ThumbCall {
    /// Reads a call from the tables of flags. No `ThumbCommand` is made: its wrappers alone take the runtime a seventh
    /// of the time of a cached answer.
    ///
    /// - Parameter arguments: the program's arguments, `thumb` first.
    /// - Returns: `nil` if `WordReader` cannot read a word, or if the call is invalid.
    init?(reading arguments: [String]) {
        var reader = WordReader(arguments, from: 1)
        while let word = reader.next() {
            if WordReader.isName(word) {
                files.append(FilePath(carrier: word))
            } else if !reader.take(word, into: &recipe), !reader.take(word, into: &options),
                !reader.take(word, into: &settings)
            {
                return nil
            }
        }
        guard (try? recipe.validate()) != nil, (try? validate()) != nil else { return nil }
    }
}
