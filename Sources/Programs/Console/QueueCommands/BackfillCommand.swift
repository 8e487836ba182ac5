package import ArgumentParser
package import Media

/// `compass backfill`: queues the renditions that the cache lacks.
package struct BackfillCommand: QueueCommand {
    /// Name, abstract and examples for the help.
    package static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Queue the renditions of folders' files that the cache lacks.",
        discussion: """
            Each file is hashed (or identified by its stat). Only recipes for which the cache has neither a rendition nor a \
            lasting failure are queued, behind all other work.

            Examples:
              compass backfill --dry-run photos/          show what would be queued
              compass backfill --preset list --preset grid /srv/uploads
            """)

    /// The folders and files of the call.
    @Argument(help: ArgumentHelp("Folders, or files.", valueName: "folder"), completion: .directory)
    package var folders: [FilePath]

    /// The renditions to make.
    @OptionGroup(title: "What to make")
    package var recipe: RecipeOptions

    /// Whether the files are listed and not queued.
    @Flag(help: "Only show what would be queued.")
    package var dryRun = false

    /// Whether the output is JSON.
    @Flag(help: "Print a line of JSON for each file.")
    package var json = false

    /// The locations of queue and cache.
    @OptionGroup(title: "Settings")
    package var options: QueueOptions

    /// For ArgumentParser, which fills in the values.
    package init() {}

    /// Refuses flags that contradict each other or values that make no sense.
    package func validate() throws {
        if folders.isEmpty { throw ValidationError("Name at least one folder.") }
    }
}
