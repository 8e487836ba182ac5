import ArgumentParser
import CLinux
import Console
import Daemon
import Library
import Linux
import Media
import People
import PersonalData
import RenderHost

/// `documentd accounts`: the operator's work on accounts, with or without a running service.
struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, add, reset, disable, enable, export and delete the accounts of --auth local.",
        subcommands: [
            AccountListCommand.self, AccountAddCommand.self, AccountResetCommand.self, AccountDisableCommand.self,
            AccountEnableCommand.self, AccountExportCommand.self, AccountDeleteCommand.self,
        ])
}

/// `documentd accounts list`.
struct AccountListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print a line for each account: identity, address, state, creation time, and linked providers.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let book = try AccountBook(options)
        let removed = Set(try book.removedPersons())
        for account in try book.accounts() {
            let state =
                removed.contains(account.id)
                ? "being deleted"
                : account.isDisabled ? "disabled" : account.confirmed == nil ? "unconfirmed" : "active"
            let providers = account.providers.isEmpty ? "" : "  \(account.providers.joined(separator: ","))"
            StandardStream.write(
                "\(account.id)  \(account.address)  \(state)  \(account.created)\(providers)\n", to: 1)
        }
    }
}

/// `documentd accounts add`.
struct AccountAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Create an account, and print its password.",
        discussion: """
            Without --password-stdin, a random password is made and printed once. The person can change it in their account.

            Example:
              documentd accounts add --data ./data --name "Ada Lovelace" ada@example.org
            """)

    @Option(help: "The person's name.")
    var name: String?

    @OptionGroup
    var password: PasswordSource

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address.")
    var address: String

    func run() throws {
        let (password, isMade) = try password.read()
        let book = try AccountBook(options)
        let account = try AccountBook.mapErrors(address) { () throws(AccountError) in
            try book.desk.addAccount(address, password, metadata: .object(["name": name.map(JSON.string)]))
        }
        StandardStream.write("\(account.id)  \(account.address)\n" + (isMade ? "\(password)\n" : ""), to: 1)
    }
}

/// `documentd accounts reset`.
struct AccountResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Give an account a new password, print it, and end all its sessions.",
        discussion: "Without --password-stdin, a random password is made and printed once.")

    @OptionGroup
    var password: PasswordSource

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address or the identity.")
    var account: String

    func run() throws {
        let (password, isMade) = try password.read()
        let book = try AccountBook(options)
        let found = try book.account(account)
        try AccountBook.mapErrors(account) { () throws(AccountError) in
            try book.desk.resetPassword(of: found.id, to: password)
        }
        if isMade { StandardStream.write("\(password)\n", to: 1) }
    }
}

/// `documentd accounts disable`.
struct AccountDisableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Keep a person from signing in, and end their sessions. Their data is kept.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address or the identity.")
    var account: String

    func run() throws { try AccountBook(options).setDisabled(true, account) }
}

/// `documentd accounts enable`.
struct AccountEnableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let a disabled person sign in again.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address or the identity.")
    var account: String

    func run() throws { try AccountBook(options).setDisabled(false, account) }
}

/// `documentd accounts export`.
struct AccountExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export all of a person's data to a ZIP archive.",
        discussion: """
            The archive contains account.json with guardians and providers, documents.json with all versions, shares.json with \
            schools and links of each document, schools.json, templates.json, searches.json, activity.jsonl of the audit log, \
            and every file under files/ and resumes/. The archive file must not exist yet.

            missing.json lists what could not be read. If it lists anything, the exit status is 1.

            Example:
              documentd accounts export --data ./data ada@example.org ada.zip
            """)

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address or the identity.")
    var account: String

    @Argument(help: ArgumentHelp("The archive.", valueName: "file"))
    var path: String

    func run() throws {
        let book = try AccountBook(options)
        let found = try book.account(account)
        let stores = try Stores(try options.resolve(), options.log.makeLogger("documentd"))
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            throw Failure(.usage, message: "Cannot create the archive \(path): \(error.reason).")
        }
        let missing: [AccountArchive.Missing]
        do {
            let settings = try options.resolve()
            let audit = try AuditLog(
                folder: Stores.auditFolder(settings.service), keptDays: settings.service.auditDays
            ) { _ in }
            let archive = AccountArchive(
                of: found, in: book.desk, documents: stores.documents, files: stores.files,
                parts: [PersonalPart(try stores.searches(settings))], audit: audit, activityByteCount: .max,
                spoolingIn: settings.service.dataPath, at: Instant(microseconds: Time.wall / 1000))
            while let piece = try archive.next() { try file.write(piece) }
            StandardStream.write("\(archive.fileCount) files\n", to: 1)
            missing = archive.missing
        } catch {
            // Half an archive would be mistaken for a whole one.
            unlink(path)
            throw Failure(.unavailable, message: "The archive could not be written.", detail: "\(error)")
        }
        for thing in missing {
            let name = FilePath(thing.name).shown
            StandardStream.write("documentd: not in the archive: \(thing.kind) \(name): \(thing.reason)\n", to: 2)
        }
        if !missing.isEmpty { throw ExitCode(1) }
    }
}

/// `documentd accounts delete`.
struct AccountDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account with all of the person's data.",
        discussion: """
            Permanently removes documents with all versions, files, pictures, uploads, schools and templates. The deleted rows are \
            overwritten in the database and its log, and the database kept by a restore (documents.sqlite-before-restore) is removed. \
            Backups and the service's own log are not touched. Pictures are removed from the cache that --cache names: name the \
            service's cache, or the pictures stay there until it needs the space.

            Example:
              documentd accounts delete --data ./data --yes ada@example.org
            """)

    @Flag(help: "Confirm the deletion. Without this flag, nothing is deleted.")
    var yes = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The email address or the identity.")
    var account: String

    func run() throws {
        guard yes else {
            throw Failure(.usage, message: "Nothing was deleted. Deletion cannot be undone: add --yes to confirm.")
        }
        let book = try AccountBook(options)
        let found = try book.account(account)
        try AccountBook.mapErrors(account) { () throws(AccountError) in
            try book.desk.store.requestRemoval(of: found.id, at: Instant(microseconds: Time.wall / 1000))
        }
        Time.sleep(AccountRemoval.noticeTime)
        let settings = try options.resolve()
        let logger = options.log.makeLogger("documentd")
        let stores = try Stores(settings, logger)
        let rendering = try RenderingEngine(settings, logger, isWarm: false)
        defer { rendering.host.shutDown() }
        let library = try stores.library(settings, rendering, logger)
        let removal = stores.removal(book.desk.store, library, try stores.searches(settings))
        do throws(AccountRemoval.Fault) {
            try removal.remove(found.id)
        } catch {
            throw Failure(
                .unavailable, message: "Some data is not removed yet. Run the command again.", detail: "\(error)")
        }
        RestoreRemains(settings.service)?.removeFormers(olderThan: .zero)
        do throws(AccountRemoval.Fault) {
            try removal.tidy()
        } catch {
            throw Failure(
                .unavailable,
                message: """
                    The account and all of the person's data are removed. Copies of the deleted rows stay in the database's files until \
                    documentd next starts.
                    """, detail: "\(error)")
        }
        StandardStream.write("The account and all of the person's data are removed.\n", to: 1)
    }
}
