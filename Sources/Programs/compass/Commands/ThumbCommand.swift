import ArgumentParser
import Console
import Media
import Settings

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
              compass thumb --explain --force talk.mp4            and say how it was done
              compass thumb *.jpg -o 'thumbs/{stem}-{recipe}.{ext}'
              curl -s https://example.org/a.pdf | compass thumb - -o - > a.jpg
            """)

    @Argument(help: ArgumentHelp("Files; - reads standard input.", valueName: "file"), completion: .file())
    var files: [FilePath]

    @OptionGroup(title: "What to make")
    var recipe: RecipeOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to a file, a folder, a pattern with {stem} {name} {recipe} {index} {ext}, or - for standard output.",
            valueName: "target"))
    var output: FilePath?

    @Flag(help: "Print one JSON object a line, one line a file.")
    var json = false

    @Flag(name: .customLong("print0"), help: "End each path with a zero byte, as find -print0 does: for xargs -0.")
    var endsPathsWithZero = false

    @Option(help: ArgumentHelp("Files worked on at once (the processors, as a rule).", valueName: "count"))
    var jobs: String?

    @Flag(help: "Make everything anew, whatever the cache has.")
    var force = false

    @Flag(name: .customLong("no-cache"), help: "Use no cache: neither look up nor keep.")
    var ignoresCache = false

    @Flag(help: "Compute the digest even of a large file, so that its renditions are found by content.")
    var digest = false

    @Flag(help: "Do not ask a running thumbd, whose renderers are warm.")
    var alone = false

    @Flag(
        help: "Say how each file was opened: by whom, decoder, orientation, colours, frame, shrinking, limits, times.")
    var explain = false

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
        if files.filter({ $0 == Session.standardStream }).count > 1 {
            throw ValidationError("Standard input can be read once.")
        }
        if json && endsPathsWithZero { throw ValidationError("Use --json or --print0, not both.") }
        if ignoresCache && output == nil {
            throw ValidationError("--no-cache needs -o: there would be no file to print.")
        }
    }

    func run() throws { try call().run() }

    func call() throws -> ThumbCall {
        var call = ThumbCall(files: files)
        call.recipes = recipe.recipes(output: output?.readable)
        call.output = output
        call.json = json
        call.endsPathsWithZero = endsPathsWithZero
        call.isForced = force
        call.usesCache = !ignoresCache
        call.wantsDigest = digest
        call.explains = explain
        call.flags = settings.flags(jobs: jobs)
        if alone { call.flags[.warmSocket] = "no" }
        return call
    }
}
