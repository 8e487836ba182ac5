import ArgumentParser
import CLinux
import Console
import Daemon
import Linux
import Media

/// `thumbd`: the service that works on the queue.
@main
struct Thumbd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbd",
        abstract: "Makes queued renditions and stores them in the cache.",
        discussion: """
            Jobs come from `compass enqueue`. Each file is opened in its own confined process. The first SIGTERM or \
            Ctrl-C lets running jobs finish (--drain), a second hands them back at once.

            Examples:
              thumbd --root ~/Pictures                     process your own queue until stopped
              thumbd --config /etc/compass/thumbd.conf     as the service does
              thumbd --root /srv/uploads --jobs 4 --listen 127.0.0.1:9400
              curl -s 127.0.0.1:9321/metrics               what it does; also /healthz and /readyz
              thumbd --print-config                        every setting with its value and origin

            A value comes from a flag, else from the environment (COMPASS_ROOTS and so on), else from the file of --config \
            or $COMPASS_CONFIG (lines of `name = value`), else it is the default.

            Exit status: 0 stopped on request, 2 invalid arguments, 3 the queue or the renderers are unreachable \
            or the exit was forced, 130 stopped by a second signal.
            """)

    @Flag(name: .customLong("version"), help: "Print the version.")
    var printsVersion = false

    @Flag(help: "Print every setting with its value and origin, and exit.")
    var printConfig = false

    @OptionGroup(title: "Settings")
    var options: ThumbdOptions

    static func main() { runService() }

    func run() throws {
        if printsVersion {
            StandardStream.write("thumbd \(Release.version)\n", to: 1)
            return
        }
        let settings = try Settings(ofCallWith: options.settings, configPath: options.config)
        if printConfig {
            StandardStream.write(settings.listing, to: 1)
            return
        }
        let format = options.logFormat ?? (isatty(2) == 1 ? .text : .json)
        let isInterrupted = try Service(settings, LogSettings(format: format, level: options.logLevel)).run()
        if isInterrupted { throw ExitCode(130) }
    }
}
