import ArgumentParser
import Daemon
import Library
import Media

/// `documentd sweep`: removes what interrupted uploads have left behind.
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Remove what interrupted uploads left behind: bytes without a row, and parts of files.",
        discussion:
            "Keeps everything younger than a day, and complete files younger than two. A running service does the same every six hours."
    )

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let library = try options.libraryAlone()
        guard let report = try library.sweep() else {
            throw Failure(.unavailable, message: "Another sweep is running. Try again when it has finished.")
        }
        StandardStream.write(
            """
            \(report.fileCount) files without a row, \(report.incomingCount) parts of files, \(report.uploadCount) uploads: \
            \(report.byteCount) bytes removed; shared pictures of \(report.contentCount) contents without a document

            """, to: 1)
    }
}
