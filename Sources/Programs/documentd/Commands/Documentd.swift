import ArgumentParser
import CLinux
import Console
import Daemon
import Media

/// `documentd`: the document service, and the commands of its operator.
@main
struct Documentd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documentd",
        abstract: "Keeps documents, and serves them over HTTP with their pictures.",
        discussion: """
            Exit status: 0 ended when told to, 1 a file was refused, 2 the call makes no sense, 3 database, files or renderers \
            are out of reach or the end had to be forced, 130 ended by a second signal.
            """,
        subcommands: [
            ServeCommand.self, ImportCommand.self, SweepCommand.self, VerifyCommand.self, BackupCommand.self,
            RestoreCommand.self, MigrateCommand.self, KeysCommand.self, RotateKeysCommand.self,
            AccountsCommand.self, PostingsCommand.self, VocabularyCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() { runService() }
}
