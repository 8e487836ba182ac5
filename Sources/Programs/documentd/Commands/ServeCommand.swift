import ArgumentParser
import CLinux
import Console
import Daemon
import Media

/// `documentd [serve]`: serves until a signal ends it.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve over HTTP (the default command).",
        discussion: """
            Database and files are in --data. Pictures are made by a worker in this process, or with --worker no by thumbd. \
            The first SIGTERM or Ctrl-C lets running requests finish (--drain), a second stops the service within two seconds.

            Examples:
              documentd --data ./data                      serve one local person at http://127.0.0.1:8080
              documentd --data ./data --listen 127.0.0.1:9000 --max-upload 1G
              documentd --print-config                     every setting, its value and its origin

            A value comes from a flag, the environment (COMPASS_DATA and so on), or the file of --config \
            or $COMPASS_CONFIG (lines of `name = value`), in this order. Otherwise it is the default.
            """)

    @Flag(name: .customLong("version"), help: "Print the version.")
    var printsVersion = false

    @Flag(help: "Print every setting with its value and origin, and exit.")
    var printConfig = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        if printsVersion {
            StandardStream.write("documentd \(Release.version)\n", to: 1)
            return
        }
        let settings = try options.resolve()
        if printConfig {
            StandardStream.write(settings.listing, to: 1)
            return
        }
        let isInterrupted = try DocumentService(settings, options.log).run()
        if isInterrupted { throw ExitCode(130) }
    }
}

extension DocumentdOptions {
    /// The log's settings: text on a terminal, otherwise JSON, unless a flag says otherwise.
    var log: LogSettings { LogSettings(format: logFormat ?? (isatty(2) == 1 ? .text : .json), level: logLevel) }

    /// Resolves all settings; these flags take precedence over every other source.
    ///
    /// - Throws: `usage` naming the setting, its origin and the values that it takes.
    func resolve() throws(Failure) -> Settings { try Settings(ofCallWith: given, configPath: config) }
}
