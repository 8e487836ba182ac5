package import ArgumentParser
package import Console
package import Media

/// `compass backfill`: queue what the cache lacks.
package struct BackfillCommand: QueueCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backfill",
        abstract: "Queue what the cache lacks of folders' files.",
        discussion: """
            Each file is hashed (or known by its stat), and only recipes that the cache has neither a rendition nor a lasting \
            failure for are queued, behind all other work.

            Examples:
              compass backfill --dry-run photos/          say what would be queued
              compass backfill --preset list --preset grid /srv/uploads
            """)

    /// Folders and files, as they were named.
    @Argument(help: ArgumentHelp("Folders, or files.", valueName: "folder"), completion: .directory)
    package var folders: [FilePath]

    /// What to make.
    @OptionGroup(title: "What to make")
    package var recipe: RecipeOptions

    /// Whether nothing is queued.
    @Flag(help: "Only say what would be queued.")
    package var dryRun = false

    /// Whether programs read what is printed.
    @Flag(help: "Print one JSON object a line, one line a file.")
    package var json = false

    /// Where queue and cache lie.
    @OptionGroup(title: "Settings")
    package var options: QueueOptions

    package init() {}

    package func validate() throws {
        if folders.isEmpty { throw ValidationError("Name at least one folder.") }
    }
}
