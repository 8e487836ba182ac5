import ArgumentParser
import CLinux
import Console
import Daemon
import Media
import Settings

/// `documentd`: the document service.
@main
struct Documentd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documentd",
        abstract: "Keeps documents, and serves them over HTTP with their pictures.",
        discussion: """
            Database and files lie in --data. Pictures are made by a worker in this process, or with --worker no by thumbd. \
            The first SIGTERM or Ctrl-C lets running requests finish (--drain), a second ends at once.

            Examples:
              documentd --data ./data                      serve one local person at http://127.0.0.1:8080
              documentd --data ./data --listen 127.0.0.1:9000 --max-upload 1G
              documentd --print-config                     every setting, its value and where that comes from

            A value comes from a flag, else from the environment (COMPASS_DATA and so on), else from the file of --config \
            or $COMPASS_CONFIG (lines of `name = value`), else it is the default.

            Exit status: 0 ended when told to, 2 the call makes no sense, 3 database, files or renderers are out of reach, \
            130 ended by a second signal.
            """)

    @Flag(name: .customLong("version"), help: "Print the version.")
    var printsVersion = false

    @Flag(help: "Print every setting with its value and origin, and end.")
    var printConfig = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    /// Not `async`: on Linux the main thread of an `async` program blocks no signals, and SIGTERM would end it.
    static func main() {
        do {
            let command = try parse(Process.arguments)
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
            _exit(isHelp ? 0 : 2)
        }
    }

    func run() throws {
        if printsVersion {
            StandardStream.write("documentd \(Release.version)\n", to: 1)
            return
        }
        let settings = try Settings(ofCallWith: options.given, configPath: options.config)
        if printConfig {
            StandardStream.write(settings.listing, to: 1)
            return
        }
        let format = options.logFormat ?? (isatty(2) == 1 ? .text : .json)
        let isInterrupted = try DocumentService(settings, LogSettings(format: format, level: options.logLevel)).run()
        if isInterrupted { throw ExitCode(130) }
    }
}
