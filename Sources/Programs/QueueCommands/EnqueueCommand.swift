package import ArgumentParser
package import Console
package import Media

/// `compass enqueue`: queues files for the worker.
package struct EnqueueCommand: QueueCommand {
    /// Name, abstract and examples for the help.
    package static let configuration = CommandConfiguration(
        commandName: "enqueue",
        abstract: "Queue files for the worker (thumbd).",
        discussion: """
            Of a folder all files are queued, those in its folders too, but no hidden ones; no link leads out of it. Files \
            without a preview get their icon. What is queued already is not queued twice.

            Examples:
              compass enqueue photos/                     one job a file, its number and path a line
              compass enqueue --priority interactive --wait a.pdf
              compass enqueue --preset list --preset preview uploads/ --json
            """)

    /// The files and folders of the call.
    @Argument(help: ArgumentHelp("Files and folders.", valueName: "file"), completion: .file())
    package var files: [FilePath]

    /// The renditions to make.
    @OptionGroup(title: "What to make")
    package var recipe: RecipeOptions

    /// The priority of the jobs.
    @Option(
        help: ArgumentHelp(
            "interactive: a person is waiting; upload: a person has sent the file; backfill: nobody waits.",
            valueName: "priority"))
    package var priority: PriorityName = .upload

    /// Whether the command waits until the jobs have ended.
    @Flag(help: "Wait until the jobs are done; print each rendition's path, or why there is none.")
    package var wait = false

    /// Whether the worker computes the files' digests.
    @Flag(
        name: .customLong("no-hash"),
        help: "Queue files by path alone: faster, but equal files are not recognised, nor one that changes meanwhile.")
    package var skipsHashing = false

    /// Whether the output is JSON.
    @Flag(help: "Print one JSON object a line, one line a file.")
    package var json = false

    /// Whether each path ends with a zero byte.
    @Flag(name: .customLong("print0"), help: "With --wait, end each path with a zero byte, as find -print0 does.")
    package var endsPathsWithZero = false

    /// The locations of queue and cache.
    @OptionGroup(title: "Settings")
    package var options: QueueOptions

    /// For ArgumentParser, which fills in the values.
    package init() {}

    /// Refuses flags that contradict each other or values that make no sense.
    package func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file or folder.") }
        if endsPathsWithZero && (!wait || json) { throw ValidationError("--print0 goes with --wait, without --json.") }
        if files.contains(FilePath("-")) {
            throw ValidationError("Standard input cannot be queued: the worker opens files.")
        }
    }
}
