import ArgumentParser
import Console
import Media
import Thumbnailer

/// `compass check`: tells whether a file may be uploaded as a document of a type.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the name and content of files against a document type's rule.",
        discussion: """
            Types: \(DocumentType.allCases.map(\.rawValue).joined(separator: ", ")).
            The exit status is 0 if every file is allowed, 1 otherwise.

            Example:
              compass check cv.docx --type resume
            """)

    @Argument(help: ArgumentHelp("Files.", valueName: "file"), completion: .file())
    var files: [FilePath]

    @Option(help: ArgumentHelp("The document type.", valueName: "type"))
    var type: DocumentType

    @Flag(help: "Print a line of JSON for each file.")
    var json = false

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
    }

    func run() throws {
        let session = try Session(settings.resolve(), usesCache: false, fileCount: files.count)
        defer { session.warnOfMissingLayers() }
        var status: Int32 = 0
        for file in files {
            var facts: Facts?
            var failure: Failure?
            do throws(Failure) {
                let sniffed = try session.thumbnailer.sniff(try session.open(file))
                facts = sniffed
                try type.check(fileName: file.readable, facts: sniffed)
            } catch {
                failure = error
                status = max(status, error.exitStatus)
            }
            print(file, facts, failure)
        }
        if status != 0 { throw ExitCode(status) }
    }

    private func print(_ file: FilePath, _ facts: Facts?, _ failure: Failure?) {
        if json {
            let line = JSON.object([
                "source": .string(file.readable), "sourceBytes": file.hexUnlessText.map(JSON.string),
                "type": .string(type.rawValue), "allowed": .bool(failure == nil),
                "facts": facts?.json, "failure": failure?.json ?? .null,
            ])
            StandardOutput.write(line.text + "\n")
        } else if let failure {
            StandardError.write("compass: \(file.shown): \(failure.line)\n")
        } else {
            StandardOutput.write(file)
            StandardOutput.write(": \(type.label), \(facts!.line)\n")
        }
    }
}
