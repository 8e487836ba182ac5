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
            are out of reach, 130 ended by a second signal.
            """,
        subcommands: [
            ServeCommand.self, ImportCommand.self, SweepCommand.self, VerifyCommand.self, BackupCommand.self,
            RestoreCommand.self, KeysCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    /// Not `async`: on Linux the main thread of an `async` program blocks no signals, and SIGTERM would end it.
    static func main() {
        do {
            var command = try parseAsRoot(Process.arguments)
            try command.run()
            _exit(0)
        } catch let failure as Failure {
            StandardStream.write(
                "documentd: \(failure.message)\(failure.detail.isEmpty ? "" : " [\(failure.detail)]")\n", to: 2)
            _exit(failure.exitStatus)
        } catch let status as ExitCode {
            _exit(status.rawValue)
        } catch {
            let isHelp = exitCode(for: error) == .success
            StandardStream.write(fullMessage(for: error) + "\n", to: isHelp ? 1 : 2)
            // ArgumentParser exits with 64 (sysexits.h) for a bad call; most programs exit with 2.
            _exit(isHelp ? 0 : 2)
        }
    }
}
