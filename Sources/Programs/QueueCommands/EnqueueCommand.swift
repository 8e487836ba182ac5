package import ArgumentParser
package import Console
package import Media

/// `compass enqueue`: renditions of files, made by the worker.
package struct EnqueueCommand: QueueCommand {
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

    /// Files and folders, as they were named.
    @Argument(help: ArgumentHelp("Files and folders.", valueName: "file"), completion: .file())
    package var files: [FilePath]

    /// What to make.
    @OptionGroup(title: "What to make")
    package var recipe: RecipeOptions

    /// How urgent it is.
    @Option(
        help: ArgumentHelp(
            "interactive: a person is waiting; upload: a person has sent the file; backfill: nobody waits.",
            valueName: "priority"))
    package var priority: PriorityName = .upload

    /// Whether to stay until the jobs are done.
    @Flag(help: "Wait until the jobs are done; print each rendition's path, or why there is none.")
    package var wait = false

    /// Whether the files' digests are left to the worker.
    @Flag(
        name: .customLong("no-hash"),
        help: "Queue files by path alone: faster, but equal files are not recognised, nor one that changes meanwhile.")
    package var skipsHashing = false

    /// Whether programs read what is printed.
    @Flag(help: "Print one JSON object a line, one line a file.")
    package var json = false

    /// Whether a zero byte ends each path.
    @Flag(name: .customLong("print0"), help: "With --wait, end each path with a zero byte, as find -print0 does.")
    package var endsPathsWithZero = false

    /// Where queue and cache lie.
    @OptionGroup(title: "Settings")
    package var options: QueueOptions

    package init() {}

    package func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file or folder.") }
        if endsPathsWithZero && (!wait || json) { throw ValidationError("--print0 goes with --wait, without --json.") }
        if files.contains(FilePath("-")) {
            throw ValidationError("Standard input cannot be queued: the worker opens files.")
        }
    }
}
