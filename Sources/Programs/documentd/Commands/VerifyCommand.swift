import ArgumentParser
import Console
import Daemon
import JobSearch
import Library
import Media

/// `documentd verify`: reads every file again, and compares it with its row.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every file again, and compare it with the digest that was stored.",
        discussion: """
            A line for each file that is missing, changed or unreadable: its document, its path, and what was found. A search for jobs \
            is named by its session. No digest of its file was stored: other bytes show only where it is shorter or longer, or in a bucket.

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
        let settings = try options.resolve()
        let logger = options.log.makeLogger("documentd")
        let stores = try Stores(settings, logger)
        let library = try stores.library(
            settings, try RenderingEngine(settings, logger, isWarm: false), logger)
        var damageCount = 0
        let tell = { (subject: String, path: String, kind: FileDamage.Kind) in
            damageCount += 1
            StandardStream.write("\(subject)  \(FilePath(path).shown)  \(kind.rawValue)\n", to: 1)
        }
        let documentCount = try library.verify(bytesPerSecond: rate) { damage in
            tell("\(damage.document)", damage.path, damage.kind)
        }
        let searchCount = try stores.searches(settings).verify { path, byteCount in
            library.damage(at: path, byteCount: byteCount, digest: nil, bytesPerSecond: rate)
        } found: { session, path, kind in
            tell(session, path, kind)
        }
        StandardStream.write("\(documentCount + searchCount) files, \(damageCount) damaged\n", to: 1)
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
