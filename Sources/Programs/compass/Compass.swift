import ArgumentParser
import Console
import Linux
import Media

/// `compass`: makes thumbnails of untrusted files, and tells and checks their facts.
@main
struct Compass: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compass",
        abstract: "Makes thumbnails of untrusted images, PDFs and videos.",
        discussion: """
            Each file is opened in its own confined process. A cache keeps the results and finds them again by \
            content.

            Examples:
              compass thumb talk.mp4                      print the path of a 640×360 thumbnail
              compass thumb *.jpg -o thumbs/              write them into a folder
              compass facts --json report.pdf             page count, sizes, title
              compass text report.pdf                     the text of its pages
              compass check cv.docx --type resume         is it what it says it is?
              compass enqueue --wait uploads/             have the worker make them
              compass doctor                              is everything installed that decoding needs?

            Results go to standard output, everything else to standard error. Exit status: 0 done, 1 some file failed, \
            2 invalid arguments, 3 a service or the cache is unreachable, 130 interrupted.
            """,
        subcommands: [
            ThumbCommand.self, FactsCommand.self, TextCommand.self, CheckCommand.self, SheetCommand.self,
            EnqueueCommand.self, BackfillCommand.self, QueueGroup.self, CacheCommand.self, DoctorCommand.self,
            ConfigCommand.self,
        ])

    @Flag(name: .customLong("version"), help: "Print the versions of compass and of its libraries.")
    var printsVersion = false

    static func main() {
        Process.prepare()
        let arguments = Process.arguments
        do {
            if let call = thumbCall(arguments) {
                try call.run()
            } else {
                if let name = arguments.first, QueueProgram.commandNames.contains(name) {
                    try QueueProgram.takeOver()
                }
                var command = try parseAsRoot(arguments)
                try command.run()
            }
            Process.exit(0)
        } catch {
            leave(with: error)
        }
    }

    /// A valid call of `thumb`, read from its tables of flags or, if they do not suffice, parsed without its siblings.
    /// Reflecting over all commands takes longer than a cached answer. Any other call is parsed from the root, which
    /// words the error.
    private static func thumbCall(_ arguments: [String]) -> ThumbCall? {
        guard arguments.first == ThumbCommand.configuration.commandName else { return nil }
        return ThumbCall(reading: arguments) ?? (try? ThumbCommand.parse(Array(arguments.dropFirst())))?.call
    }

    func run() throws {
        guard printsVersion else { throw CleanExit.helpRequest(self) }
        try VersionReport.print()
    }
}
