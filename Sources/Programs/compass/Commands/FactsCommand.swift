import ArgumentParser
import Console
import Media
import Thumbnailer

/// `compass facts`: prints type, size, pages and duration of files.
struct FactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facts",
        abstract: "Print what files are: type, size, pages, duration.",
        discussion: """
            Examples:
              compass facts talk.mp4
              compass facts --json *.pdf | jq .facts.pageCount
            """)

    @Argument(help: ArgumentHelp("Files; - reads standard input.", valueName: "file"), completion: .file())
    var files: [FilePath]

    @OptionGroup
    var options: FactsOptions

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
        if files.filter({ $0 == Session.standardStream }).count > 1 {
            throw ValidationError("Standard input can be read only once.")
        }
    }

    func run() throws {
        let given = settings.given.merging(options.given) { $1 }
        let session = try Session(try Settings(ofCallWith: given), fileCount: files.count)
        defer { session.warnOfMissingLayers() }
        try session.endChildrenOnInterrupt()
        let (files, wantsDigest) = (files, options.wantsDigest)
        var status: Int32 = 0
        var bar = ProgressBar(total: files.count)
        try Parallel.map(
            count: files.count, jobs: session.settings.jobCount,
            work: { index -> Result<Thumbnails, Failure> in
                Result { () throws(Failure) in
                    try session.thumbnailer.facts(of: try session.open(files[index]), wantsDigest: wantsDigest)
                }
            },
            finished: { index, result in
                bar.clear()
                status = max(status, print(result, of: files[index]))
            },
            waiting: { bar.show($0) })
        bar.clear()
        if status != 0 { throw ExitCode(status) }
    }

    /// Prints one file's facts or failure.
    ///
    /// - Returns: the exit status for this file.
    private func print(_ result: Result<Thumbnails, Failure>, of source: FilePath) -> Int32 {
        if options.json {
            let found = try? result.get()
            var failure: Failure?
            if case .failure(let error) = result { failure = error }
            let line = JSON.object([
                "source": .string(source.readable), "sourceBytes": source.hexUnlessText.map(JSON.string),
                "digest": found?.digest.map { .string($0.hex) }, "facts": found?.facts?.json,
                "cached": .bool(found?.isCached ?? false), "failure": failure?.json ?? .null,
                "timings": found?.timings.json,
            ])
            StandardOutput.write(line.text + "\n")
            return failure?.exitStatus ?? 0
        }
        switch result {
        case .success(let found):
            StandardOutput.write(source)
            StandardOutput.write(": \(found.facts?.line ?? "")\n")
            return 0
        case .failure(let failure):
            StandardError.write("compass: \(source.shown): \(failure.line)\n")
            return failure.exitStatus
        }
    }
}

/// The flags of `compass facts` in addition to the settings of all commands.
struct FactsOptions: SettingFlags {
    var given: [Setting: String] = [:]
    var json = false
    var wantsDigest = false

    static let flags: [CommandFlag<FactsOptions>] = [
        .flag("json", "Print a line of JSON for each file.") { $0.json = true },
        .setting(.jobs),
        .flag("digest", "Compute the digest even of a large file.") { $0.wantsDigest = true },
    ]
}
