import ArgumentParser
import Console
import Daemon
import Library
import Media

/// `documentd verify`: reads every file again, and compares it with its row.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every file again, and compare it with the digest that was stored.",
        discussion: """
            A line for each file that is missing, changed or unreadable: its document, its path, and what was found.

            Exit status: 0 all files are sound, 1 one is not.
            """)

    @Option(help: ArgumentHelp("Bytes that are read in a second at most.", valueName: "bytes"))
    var rate: Int64?

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func validate() throws {
        if let rate, rate < 1 { throw ValidationError("--rate takes a number of bytes.") }
    }

    func run() throws {
        let library = try options.libraryAlone()
        var damageCount = 0
        let count = try library.verify(bytesPerSecond: rate) { damage in
            damageCount += 1
            StandardStream.write(
                "\(damage.document)  \(FilePath(damage.path).shown)  \(damage.kind.rawValue)\n", to: 1)
        }
        StandardStream.write("\(count) files, \(damageCount) damaged\n", to: 1)
        if damageCount > 0 { throw ExitCode(1) }
    }
}

extension DocumentdOptions {
    /// The library over the stores that the settings name, for commands that open no media.
    ///
    /// - Throws: `unavailable` where a store cannot be used.
    func libraryAlone() throws -> DocumentLibrary {
        let settings = try resolve()
        let logger = log.makeLogger("documentd")
        return try Stores(settings, logger).library(
            settings, try RenderingEngine(settings, logger, isWarm: false), logger)
    }
}
