import ArgumentParser
import Daemon
import Library
import Media
import Settings

/// `documentd backup`: copies database and files to a folder, while the service runs.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy database and files to a folder, while the service runs.",
        discussion: """
            A folder that has a copy already is brought up to date: files that it has are not copied again, and deleted ones are removed \
            from it. A file that is missing or damaged, or out of reach, is named at the end, as `verify` names it; everything else is \
            copied. If ten files in a row are out of reach, the command ends, and the copy before stays.

            Exit status: 0 everything was copied, 3 a file was not.

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

/// `documentd restore`: puts a copy in place of what the service has.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in place of what the service has; no documentd may run.",
        discussion: """
            What was deleted since the backup was made stays deleted, if the database before is still there, and accounts, sessions and \
            guardianships that have ended stay so. That database is kept as documents.sqlite-before-restore for 7 days, or until \
            `accounts delete` removes an account. A file that the backup has not, or not as it was stored, is named at the end. \
            A backup of another service is refused where this one has things.

            Exit status: 0 everything was restored, 2 the backup is another service's, 3 a file was not restored.
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
        let result = try Backup(folder: folder).restore(
            to: path, recipes: Preset.allCases.map(\.recipe)
        ) { database throws(Failure) in try Stores.files(settings, over: database) }
        StandardStream.write(
            "Restored \(result.fileCount) files; \(result.deletedCount) versions that were deleted since stay deleted.\n",
            to: 1)
        try result.complain()
    }
}
