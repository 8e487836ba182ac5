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
        abstract: "Stores documents, and serves them and their pictures over HTTP.",
        discussion: """
            Exit status: 0 stopped on request, 1 a file was refused, 2 invalid arguments, 3 database, files or renderers \
            are unreachable or the exit was forced, 130 stopped by a second signal.
            """,
        subcommands: [
            ServeCommand.self, ImportCommand.self, SweepCommand.self, VerifyCommand.self, BackupCommand.self,
            RestoreCommand.self, MigrateCommand.self, KeysCommand.self, RotateKeysCommand.self,
            AccountsCommand.self, PostingsCommand.self, VocabularyCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() { runService() }
}
