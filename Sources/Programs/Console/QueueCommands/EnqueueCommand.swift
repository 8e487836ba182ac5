package import ArgumentParser
package import Media

/// `compass enqueue`: queues files for the worker.
package struct EnqueueCommand: QueueCommand {
    /// Name, abstract and examples for the help.
    package static let configuration = CommandConfiguration(
        commandName: "enqueue",
        abstract: "Queue files for the worker (thumbd).",
        discussion: """
            All files below a folder are queued, except hidden files and links that lead out of the folder. Files without \
            a preview get their icon. A job that is already queued is not queued twice.

            Examples:
              compass enqueue photos/                     print each job's number and path
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
            "interactive: a person is waiting; upload: a person has sent the file; backfill: nobody is waiting.",
            valueName: "priority"))
    package var priority: PriorityName = .upload

    /// Whether the command waits until the jobs have ended.
    @Flag(help: "Wait until the jobs are done; print each rendition's path, or why there is none.")
    package var wait = false

    /// Whether the worker computes the files' digests.
    @Flag(
        name: .customLong("no-hash"),
        help: "Queue files by path alone: faster, but equal or changed files are not recognised.")
    package var skipsHashing = false

    /// Whether the output is JSON.
    @Flag(help: "Print a line of JSON for each file.")
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
        if endsPathsWithZero && (!wait || json) { throw ValidationError("--print0 needs --wait and excludes --json.") }
        if files.contains(FilePath("-")) {
            throw ValidationError("Standard input cannot be queued: the worker opens files.")
        }
    }
}
