import ArgumentParser
import CLinux
import Console
import Linux
import Media
import ThumbnailCache
import Thumbnailer

/// `compass sheet`: prints a table of a folder's files and writes a contact sheet.
struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Print a table of a folder's files and write a contact sheet of their pictures.",
        discussion: """
            Example:
              compass sheet samples -o contact-sheet.png
            """)

    @Argument(help: ArgumentHelp("The folder; its files appear in the order of their names.", valueName: "folder"))
    var folder: FilePath

    @Option(name: .shortAndLong, help: ArgumentHelp("The sheet: .png, .jpg or .webp.", valueName: "file"))
    var output: FilePath

    @Option(help: ArgumentHelp("Pictures in a row.", valueName: "count"))
    var columns = 8

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if !(1...40).contains(columns) { throw ValidationError("--columns must be from 1 to 40.") }
        if Recipe.Format(ofPath: output.readable) == nil {
            throw ValidationError("-o must name a .png, .jpg or .webp file.")
        }
    }

    func run() throws {
        let names = try Self.files(in: folder)
        guard !names.isEmpty else { throw Failure(.sourceMissing, message: "\(folder.shown) has no files.") }
        let session = try Session(settings.resolve(), fileCount: names.count)
        defer { session.warnOfMissingLayers() }
        try session.endChildrenOnInterrupt()
        let (folder, order) = (folder, Order(recipes: [Preset.list.recipe]))
        let labels = SheetLabels(host: session.host, limits: session.settings.limits)
        var sheet = ContactSheet(columns: columns, count: names.count)
        StandardOutput.write(Self.line("file", "media type", "facts", "time", "path"))
        try Parallel.map(
            count: names.count, jobs: session.settings.jobCount, window: 2 * session.settings.jobCount,
            work: { index in Self.work(folder.appending(names[index].bytes), order, session) },
            finished: { index, row in
                sheet.add(row.picture, title: names[index].shown, failure: row.failure)
                StandardOutput.write(row.line(named: names[index].shown))
            },
            waiting: { _ in })
        if let failure = sheet.drawLabels(by: labels) {
            if failure.code == .cancelled { throw failure }
            StandardError.write("compass: warning: the sheet has no labels: \(failure.line)\n")
        }
        let recipe = Recipe(
            box: Box(width: Box.longestSide, height: nil)!, fit: .inside,
            format: Recipe.Format(ofPath: output.readable)!)
        try OutputFile.write(try Encoder.encode(sheet.bitmap, for: recipe).bytes, to: output)
        StandardOutput.write("\n\(names.count) files, contact sheet: \(output.shown)\n")
    }

    /// One file's line in the table and picture in the sheet.
    struct Row: Sendable {
        let thumbnails: Result<Thumbnails, Failure>
        let picture: Bitmap?

        var failure: Failure? {
            switch thumbnails {
            case .failure(let failure): return failure
            case .success(let thumbnails):
                if case .failure(let failure) = thumbnails.results[0] { return failure }
                return nil
            }
        }

        func line(named name: String) -> String {
            let found = try? thumbnails.get()
            let type = found?.facts?.mediaType.rawValue ?? "-"
            let time =
                found.map { $0.isCached ? "cached" : "\(Int($0.timings.total.milliseconds.rounded())) ms" } ?? "-"
            if let failure { return SheetCommand.line(name, type, failure.code.rawValue, time, failure.message) }
            let facts = found?.facts?.line.split(separator: ",", maxSplits: 1).dropFirst().joined() ?? ""
            let path = (try? found?.results[0].get())?.path.map { FilePath($0).shown } ?? "-"
            return SheetCommand.line(name, type, facts.isEmpty ? "-" : String(facts.dropFirst()), time, path)
        }
    }

    private static func work(_ path: FilePath, _ order: Order, _ session: Session) -> Row {
        do throws(Failure) {
            let source = try session.open(path)
            let thumbnails = try session.thumbnailer.thumbnails(of: source, order: order)
            let picture = try? session.thumbnailer.picture(of: source, in: ContactSheet.pictureBox)
            return Row(thumbnails: .success(thumbnails.withoutBytes), picture: picture)
        } catch {
            return Row(thumbnails: .failure(error), picture: nil)
        }
    }

    private static func line(_ file: String, _ type: String, _ facts: String, _ time: String, _ path: String) -> String
    {
        Columns.line([(file, 34), (type, 30), (facts, 44), (time, 8), (path, 0)])
    }

    /// The regular files of a folder, without hidden files, programs, README.md and MANIFEST.tsv, sorted by their
    /// names' bytes.
    private static func files(in folder: FilePath) throws(Failure) -> [FilePath] {
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try FolderNames.bytes(in: folder.bytes)
        } catch {
            throw Failure(.sourceMissing, message: "\(folder.shown) cannot be read: \(error.reason).")
        }
        return names.filter { name in
            let isText = ["README.md", "MANIFEST.tsv"].contains { name == Array($0.utf8) }
            let path = folder.appending(name).bytes
            guard name.first != UInt8(ascii: "."), !isText, let status = try? FileStatus.of(path: path) else {
                return false
            }
            return status.isRegularFile && (access(terminated(path), X_OK) != 0 || status.mode & 0o111 == 0)
        }.sorted { $0.lexicographicallyPrecedes($1) }.map { FilePath($0) }
    }
}
