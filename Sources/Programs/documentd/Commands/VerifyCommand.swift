import ArgumentParser
import Console
import Daemon
import Documents
import Library
import Media

/// `documentd verify`: reads every file again, and compares it with its row.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every file, and compare it with its stored digest.",
        discussion: """
            Prints a line for each file that is missing, changed, unreadable or unreachable: its object, its path or "-", its owner or "-", \
            and the problem. An unreachable file may still be sound, because the store is busy or refuses the request; after ten in a row \
            the command stops. --list instead prints a line for each file, without the problem, and reads none.

            Exit status: 0 all files are sound, 1 a file is damaged, 3 a file could not be checked, and no checked file is damaged.
            """)

    @Flag(help: "List every file without reading any.")
    var list = false

    @Option(help: ArgumentHelp("The most bytes to read per second.", valueName: "bytes"))
    var rate: Int64?

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func validate() throws {
        if let rate, rate < 1 { throw ValidationError("--rate must be a positive number of bytes.") }
    }

    func run() throws {
        let settings = try options.resolve()
        let logger = options.log.makeLogger("documentd")
        let stores = try Stores(settings, logger)
        let library = try stores.library(
            settings, try RenderingEngine(settings, logger, isWarm: false), logger)
        if list { return try name(stores.documents) }
        var damageCount = 0
        var unreachableCount = 0
        let count = try library.verify(bytesPerSecond: rate) { damage in
            if damage.kind == .unreachable { unreachableCount += 1 } else { damageCount += 1 }
            StandardStream.write("\(damage.object.words)  \(damage.kind.rawValue)\n", to: 1)
        }
        if let count {
            let others = unreachableCount > 0 ? ", \(unreachableCount) unreachable" : ""
            StandardStream.write("\(count) files, \(damageCount) damaged\(others)\n", to: 1)
        } else {
            StandardStream.write("documentd: \(FileDamage.unreachableStore.message)\n", to: 2)
        }
        if damageCount > 0 { throw ExitCode(1) }
        if unreachableCount > 0 { throw ExitCode(3) }
    }

    private func name(_ documents: DocumentStore) throws {
        var place: Media::StorePlace?
        repeat {
            let page = try documents.objects(of: nil, behind: place, limit: 500)
            for object in page.elements { StandardStream.write("\(object.words)\n", to: 1) }
            place = page.next
        } while place != nil
    }
}

extension StoredObject {
    /// The object as commands name it: identity, path and person.
    var words: String { "\(id)  \(path.map { FilePath($0).shown } ?? "-")  \(owner?.text ?? "-")" }
}

extension DocumentdOptions {
    /// The library over the stores that the settings name, for commands that open no media.
    ///
    /// - Throws: `unavailable` if a store cannot be used.
    func libraryAlone() throws -> DocumentLibrary {
        let settings = try resolve()
        let logger = log.makeLogger("documentd")
        return try Stores(settings, logger).library(
            settings, try RenderingEngine(settings, logger, isWarm: false), logger)
    }
}
