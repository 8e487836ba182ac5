import ArgumentParser
import CLinux
import Console
import Daemon
import Documents
import Library
import Linux
import Media
import People
import RenderHost

/// `documentd import`: stores files of this machine as documents, with or without a running service.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store files of this machine as documents of the local person.",
        discussion: """
            Each argument is a type and a file. A running service shows the documents at once, and makes their pictures.

            Example:
              documentd import --data ./data resume=~/cv.pdf highlight_video=clip.mp4
            """)

    @Flag(help: "Do nothing if the person already has documents.")
    var ifEmpty = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("What to store.", valueName: "type=file"))
    var files: [String]

    func run() throws {
        let settings = try options.resolve()
        let words = try files.map(Self.parse)
        let logger = options.log.makeLogger("documentd")
        let stores = try Stores(settings, logger)
        let rendering = try RenderingEngine(settings, logger)
        defer { rendering.host.shutDown() }
        let library = try stores.library(settings, rendering, logger)
        let owner = Caller.local.owner
        if ifEmpty, try library.store.statistics(of: owner).totalCount > 0 { return }
        var hasRefused = false
        for (type, path) in words {
            do throws(DocumentError) {
                let document = try library.importFile(path, as: type, owner: owner)
                StandardStream.write("\(document.id)  \(type.rawValue)  \(document.title)\n", to: 1)
            } catch {
                hasRefused = true
                StandardStream.write("documentd: \(FilePath(path).shown): \(error)\n", to: 2)
            }
        }
        if hasRefused { throw ExitCode(1) }
    }

    private static func parse(_ word: String) throws -> (DocumentType, String) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let type = DocumentType(rawValue: parts[0]) else {
            throw Failure(
                .usage,
                message: """
                    \(FilePath(word).shown) is not TYPE=FILE. The types are \
                    \(DocumentType.allCases.map(\.rawValue).joined(separator: ", ")).
                    """)
        }
        return (type, parts[1])
    }
}
