import ArgumentParser
import Daemon
import Library
import Media
import RenderHost

/// `documentd sweep`: removes what interrupted uploads have left.
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Remove what interrupted uploads have left: bytes without a row, and parts of files.",
        discussion:
            "Nothing younger than a day is touched, and no whole file younger than two. A running service does the same every six hours."
    )

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let library = try options.libraryAlone()
        guard let report = try library.sweep() else {
            throw Failure(.unavailable, message: "Another process is sweeping. Try again when it is done.")
        }
        StandardStream.write(
            """
            \(report.fileCount) files without a row, \(report.incomingCount) parts of files, \(report.uploadCount) uploads: \
            \(report.byteCount) bytes removed; shared pictures of \(report.contentCount) contents without a document

            """, to: 1)
    }
}
