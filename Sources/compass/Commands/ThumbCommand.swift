import ArgumentParser
import Media
import Settings
import ThumbnailCache
import Thumbnailer

/// `compass thumb`: renditions of files.
struct ThumbCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumb",
        abstract: "Make thumbnails of files.",
        discussion: """
            Without -o the path of each rendition in the cache is printed, one line a file.

            Examples:
              compass thumb talk.mp4                              the preset grid: 640×360
              compass thumb --preset list --preset preview a.pdf  two renditions from one decode
              compass thumb --size 800x --format webp a.jpg -o a.webp
              compass thumb --at 10% talk.mp4 -o frame.png        a frame at a tenth of the duration
              compass thumb --page 3 report.pdf -o page3.png
              compass thumb *.jpg -o 'thumbs/{stem}-{recipe}.{ext}'
              curl -s https://example.org/a.pdf | compass thumb - -o - > a.jpg
            """)

    @Argument(help: ArgumentHelp("Files; - reads standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup(title: "What to make")
    var recipe: RecipeOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to a file, a folder, a pattern with {stem} {name} {recipe} {index} {ext}, or - for standard output.",
            valueName: "target"))
    var output: String?

    @Flag(help: "Print one JSON object a line, one line a file.")
    var json = false

    @Option(help: ArgumentHelp("Files worked on at once (the processors, as a rule).", valueName: "count"))
    var jobs: String?

    @Flag(help: "Make everything anew, whatever the cache has.")
    var force = false

    @Flag(name: .customLong("no-cache"), help: "Use no cache: neither look up nor keep.")
    var ignoresCache = false

    @Flag(help: "Compute the digest even of a large file, so that its renditions are found by content.")
    var digest = false

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read once.") }
        if ignoresCache && output == nil {
            throw ValidationError("--no-cache needs -o: there would be no file to print.")
        }
    }

    func run() throws {
        let recipes = try recipe.recipes(output: output)
        let plan = try OutputPlan(output, sources: files, recipes: recipes)
        let session = try Session(settings, jobs: jobs, usesCache: !ignoresCache, fileCount: files.count)
        let order = Order(recipes: recipes, isForced: force, wantsDigest: digest)
        var report = Report(json: json, total: files.count)
        let files = files
        if files.count == 1 {
            report.add(ThumbWork.perform(files[0], index: 0, order, plan, session))
        } else {
            try session.endChildrenOnInterrupt()
            try Parallel.map(
                count: files.count, jobs: session.settings.jobCount,
                work: { index in ThumbWork.perform(files[index], index: index, order, plan, session) },
                finished: { _, result in report.add(result) }, waiting: { report.tick($0) })
        }
        report.close()
        session.collectGarbageIfDue()
        if report.status != 0 { throw ExitCode(report.status) }
    }
}
