import ArgumentParser
import Console
import Daemon
import Library
import Media

/// `documentd backup`: copies the database and the files to a folder, while the service runs.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database and the files to a folder while the service runs.",
        discussion: """
            If the folder already contains a copy, it is updated: only new files are copied, and deleted files are removed from it. \
            A file that is missing, damaged or unreachable is reported at the end, as `verify` reports it; everything else is copied. \
            If ten files in a row are unreachable, the command stops, and the previous copy remains.

            Exit status: 0 everything was copied, 3 a file was not.

            Example:
              documentd backup --data ./data /mnt/backup/documents
            """)

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("The folder of the copy.", valueName: "folder"))
    var folder: String

    func run() throws {
        let settings = try options.resolve()
        let stores = try Stores(settings, options.log.makeLogger("documentd"))
        let result = try Backup(folder: folder).make(from: stores.documents, stores.files)
        StandardStream.write("\(result.fileCount) files, \(result.copiedCount) of them copied\n", to: 1)
        try result.complain()
    }
}

extension Backup.Result {
    /// Names the damaged files.
    ///
    /// - Throws: the exit status, if there are any.
    func complain() throws {
        for damage in damaged {
            StandardStream.write("documentd: \(damage.object.words)  \(damage.kind.rawValue)\n", to: 2)
        }
        if !damaged.isEmpty { throw ExitCode(3) }
    }
}

/// `documentd restore`: replaces the service's data with a copy.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the service's data with a backup. No documentd may be running.",
        discussion: """
            What was deleted since the backup stays deleted if the current database still exists. Accounts, sessions and \
            guardianships that have ended also stay ended. The current database is kept as documents.sqlite-before-restore for \
            7 days, or until `accounts delete` removes an account. A file that is missing from the backup or differs from what was \
            stored is reported at the end. A backup of another service is refused if this one has data.

            Exit status: 0 everything was restored, 2 the backup is another service's, 3 a file was not restored.
            """)

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "folder"))
    var folder: String

    func run() throws {
        let settings = try options.resolve()
        let data = settings.service.dataPath
        PrivateFolders.make(data)
        let lock = try FolderLock(data, isExclusive: true)
        defer { withExtendedLifetime(lock) {} }
        guard case .file(let path) = settings.service.database else {
            throw Failure(.usage, message: "Restore a PostgreSQL database with PostgreSQL's own tools: pg_restore.")
        }
        let result = try Backup(folder: folder).restore(
            to: path, recipes: Preset.allCases.map(\.recipe)
        ) { database throws(Failure) in try Stores.files(settings, over: database) }
        StandardStream.write(
            "Restored \(result.fileCount) files; \(result.deletedCount) versions that were deleted since stay deleted.\n",
            to: 1)
        try result.complain()
    }
}
