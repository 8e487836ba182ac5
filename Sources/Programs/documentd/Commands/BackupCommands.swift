import ArgumentParser
import Daemon
import Media
import Settings

/// `documentd backup`: copies database and files to a folder, while the service runs.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy database and files to a folder, while the service runs.",
        discussion: """
            A folder that has a copy already is brought up to date: files that it has are not copied again, and those of deleted \
            documents are removed from it.

            Example:
              documentd backup --data ./data /mnt/backup/documents
            """)

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("Where the copy lies, or will lie.", valueName: "folder"))
    var folder: String

    func run() throws {
        let settings = try options.resolve()
        let stores = try Stores(settings, options.log.makeLogger("documentd"))
        let result = try Backup(folder: folder).make(from: stores.documents, stores.files)
        StandardStream.write("\(result.versions) versions, \(result.copied) files copied\n", to: 1)
    }
}

/// `documentd restore`: puts a copy in place of what the service has.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in place of what the service has; no documentd may run.",
        discussion: """
            What was deleted since the backup was made stays deleted, if the database before is still there. That database is kept \
            as documents.sqlite-before-restore.
            """)

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("Where the backup lies.", valueName: "folder"))
    var folder: String

    func run() throws {
        let settings = try options.resolve()
        let data = settings.service.dataPath
        PrivateFolders.make(data)
        let lock = try FolderLock(data, isExclusive: true)
        defer { withExtendedLifetime(lock) {} }
        guard case .file(let path) = settings.service.database else {
            throw Failure(.usage, message: "A server's database is restored by its own tools: pg_restore.")
        }
        let count = try Backup(folder: folder).restore(
            to: path, try Stores.emptyFiles(settings),
            recipes: Preset.allCases.map(\.recipe))
        StandardStream.write("Restored; \(count) versions that were deleted since stay deleted.\n", to: 1)
    }
}
