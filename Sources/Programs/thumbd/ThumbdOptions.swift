import ArgumentParser
import Settings

/// The flags of `thumbd`; what has none is set by environment or file.
struct ThumbdOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File of settings: lines of `name = value`.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("File of the queue; it is made where it is missing.", valueName: "file"))
    var queue: String?

    @Option(help: ArgumentHelp("Folder of the cache.", valueName: "folder"))
    var cache: String?

    @Option(
        name: .customLong("root"),
        help: ArgumentHelp("Folder below which sources may lie (repeatable).", valueName: "folder"))
    var roots: [String] = []

    @Option(help: ArgumentHelp("Where to tell health and metrics; empty for nowhere.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Jobs that run at once (the processors, as a rule).", valueName: "count"))
    var jobs: String?

    @Option(help: ArgumentHelp("Seconds that one file may take.", valueName: "seconds"))
    var timeout: String?

    @Option(help: ArgumentHelp("Private memory that one file may take.", valueName: "bytes"))
    var memory: String?

    @Option(help: ArgumentHelp("Private memory that all files in work may take together, or half.", valueName: "bytes"))
    var memoryBudget: String?

    @Option(help: ArgumentHelp("Another user whom the cache's folder may belong to.", valueName: "number"))
    var cacheOwner: String?

    @Option(help: ArgumentHelp("Bytes that the cache may take.", valueName: "bytes"))
    var cacheBudget: String?

    @Option(help: ArgumentHelp("Largest source that is opened.", valueName: "bytes"))
    var maxSource: String?

    @Option(help: ArgumentHelp("Seconds after which a silent worker's jobs are another's.", valueName: "seconds"))
    var lease: String?

    @Option(help: ArgumentHelp("Seconds that running jobs get at the end.", valueName: "seconds"))
    var drain: String?

    @Flag(help: "Put the renderers into a control group with a bound on their memory, or fail (cgroup v2, delegated).")
    var controlGroup = false

    @Flag(help: "Open nothing where the machine lacks a layer of the sandbox.")
    var requireSandbox = false

    @Option(help: "text or json; by default text on a terminal.")
    var logFormat: LogSettings.Format?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: LogSettings.Level = .info

    /// What of it was given.
    var flags: [Setting: String] {
        let given: [Setting: String?] = [
            .queue: queue, .cache: cache, .roots: roots.isEmpty ? nil : roots.map(absolute).joined(separator: ":"),
            .listen: listen, .jobs: jobs, .timeout: timeout, .memory: memory, .memoryBudget: memoryBudget,
            .cacheOwner: cacheOwner, .cacheBudget: cacheBudget, .maxSource: maxSource, .lease: lease, .drain: drain,
            .controlGroup: controlGroup ? "yes" : nil, .requireSandbox: requireSandbox ? "yes" : nil,
        ]
        return given.compactMapValues { $0 }
    }

    /// A root given by hand may be relative to where the person is.
    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(Settings.workingFolder)/\(path)"
    }
}
