import ArgumentParser
import Console
import Media
import SourceFiles
import ThumbnailCache
import Thumbnailer

/// `compass text`: prints the text of a PDF's pages, or of a document without fixed lines.
struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Print the text of a PDF, a Word, OpenDocument or RTF document, or a text file.",
        discussion: """
            Each page of a PDF ends with a form feed, unless one page is requested. The words of a scanned page
            are recognised if they are English and upright. Other documents are printed as paragraphs, a line each; tabs separate
            the cells of a table's row.

            Examples:
              compass text report.pdf | less
              compass text --page 3 report.pdf
              compass text --json report.pdf | jq -r '.words[][0]'
              compass text --json letter.docx | jq -r '.paragraphs[].text'
            """)

    @Argument(help: ArgumentHelp("A document; - reads standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @OptionGroup
    var options: TextOptions

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func validate() throws {
        if let page = options.page, !(1...Int(Int32.max)).contains(page) {
            throw ValidationError("--page must be 1 or more.")
        }
    }

    func run() throws {
        let given = settings.given.merging(options.given) { $1 }
        // Renderers outlive the first page if others follow.
        let session = try Session(try Settings(ofCallWith: given), fileCount: options.page == nil ? 2 : 1)
        defer { session.warnOfMissingLayers() }
        try session.endChildrenOnInterrupt()
        let reading: DocumentReading
        let first: [PageText]
        do throws(Failure) {
            reading = try DocumentReading(file, session)
            if let document = try reading.document() {
                try print(document)
                return session.collectGarbageIfDue()
            }
            first = try reading.texts(from: (options.page ?? 1) - 1, atMost: options.page == nil ? Self.firstCount : 1)
        } catch {
            print(.failure(error), page: nil)
            throw ExitCode(error.exitStatus)
        }
        // The first pages are printed while the others are being read.
        let start = first[0].pageIndex
        let groups =
            [start..<start + first.count]
            + (options.page == nil ? Self.groups(behind: first.count, of: first[0].pageCount) : [])
        var status: Int32 = 0
        try Parallel.map(
            count: groups.count, jobs: session.settings.jobCount,
            work: { $0 == 0 ? first.map(Result.success) : reading.texts(of: groups[$0]) },
            finished: { group, results in
                for (index, result) in zip(groups[group], results) {
                    status = max(status, print(result, page: index + 1))
                }
            },
            waiting: { _ in })
        session.collectGarbageIfDue()
        if status != 0 { throw ExitCode(status) }
    }

    /// The number of pages that are read together before the others: they tell how many pages there are.
    private static let firstCount = 16
    /// The number of pages in one piece of work: in most documents one child reads them, and one file of the cache
    /// keeps them.
    private static let groupCount = FolderCache.textGroupCount

    /// The pages after the first ones, grouped as the cache keeps them.
    private static func groups(behind first: Int, of pageCount: Int) -> [Range<Int>] {
        var (groups, start) = ([Range<Int>](), first)
        while start < pageCount {
            let end = min((start / groupCount + 1) * groupCount, pageCount)
            groups.append(start..<end)
            start = end
        }
        return groups
    }

    /// Prints the text of a document without pages.
    ///
    /// - Throws: `usage` if a page is asked for.
    private func print(_ document: DocumentText) throws(Failure) {
        if options.page != nil {
            throw Failure(.usage, message: "Only PDF files have pages of text. Omit --page.")
        }
        let isEmpty = document.paragraphs.isEmpty
        StandardOutput.write(options.json ? document.jsonLine(source: file) : document.text + (isEmpty ? "" : "\n"))
    }

    /// Prints one page's text or failure.
    ///
    /// - Parameter page: the page number; `nil` if the failure is the file's.
    /// - Returns: the exit status for this page.
    @discardableResult
    private func print(_ result: Result<PageText, Failure>, page: Int?) -> Int32 {
        switch result {
        case .success(let text):
            StandardOutput.write(options.json ? text.jsonLine(source: file) : self.text(of: text))
            return 0
        case .failure(let failure):
            if options.json {
                let line = JSON.object([
                    "source": .string(file.readable), "sourceBytes": file.hexUnlessText.map(JSON.string),
                    "page": page.map { .integer(Int64($0)) }, "failure": failure.json,
                ])
                StandardOutput.write(line.text + "\n")
            } else {
                let place = page.map { ": page \($0)" } ?? ""
                StandardError.write("compass: \(file.shown)\(place): \(failure.line)\n")
            }
            return failure.exitStatus
        }
    }

    private func text(of page: PageText) -> String {
        (page.words.isEmpty ? "" : page.text + "\n") + (options.page == nil ? "\u{0C}" : "")
    }
}

/// The only document of a call, opened once for all its pages.
private struct DocumentReading: Sendable {
    private let thumbnailer: Thumbnailer
    private let source: SourceFile
    /// The digest of a copy, which has no place in the index of files.
    private let digest: Digest?

    init(_ file: FilePath, _ session: Session) throws(Failure) {
        thumbnailer = session.thumbnailer
        source = try thumbnailer.secured(try session.open(file))
        digest = source.isCopy && session.cache != nil ? try thumbnailer.digest(of: source) : nil
    }

    /// The text of a document without pages; `nil` for a PDF.
    ///
    /// - Throws: `unsupported` if no text can be read.
    func document() throws(Failure) -> DocumentText? {
        if MediaType.guess(fromHead: try source.bytes(at: 0, count: 192), fileName: source.name) == .pdf { return nil }
        do throws(Failure) {
            return try thumbnailer.paragraphs(of: source, knownDigest: digest)
        } catch {
            // A PDF may begin with other bytes.
            if error.code == .unsupported, error.detail == MediaType.pdf.rawValue { return nil }
            throw error
        }
    }

    /// The texts of a page and of the following pages that are read with it.
    func texts(from index: Int, atMost count: Int) throws(Failure) -> [PageText] {
        try thumbnailer.texts(of: source, from: index, atMost: count, knownDigest: digest)
    }

    /// The text of each page, or the reason why it cannot be read.
    func texts(of pages: Range<Int>) -> [Result<PageText, Failure>] {
        var results: [Result<PageText, Failure>] = []
        while results.count < pages.count {
            let index = pages.lowerBound + results.count
            do throws(Failure) {
                results += try texts(from: index, atMost: pages.count - results.count).map(Result.success)
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}

extension PageText {
    /// The line of `--json`: the source, and the text's own members.
    fileprivate func jsonLine(source: FilePath) -> String { json.line(source: source) }
}

extension DocumentText {
    /// The line of `--json`: the source, and the text's own members.
    fileprivate func jsonLine(source: FilePath) -> String { json.line(source: source) }
}

extension JSON {
    /// An object's line of `--json`: the source, the object's members, and no failure.
    fileprivate func line(source: FilePath) -> String {
        var all = [Member("source", .string(source.readable))]
        if let bytes = source.hexUnlessText { all.append(Member("sourceBytes", .string(bytes))) }
        all += members ?? []
        all.append(Member("failure", .null))
        return JSON.object(all).text + "\n"
    }
}

/// The flags of `compass text` in addition to the settings of all commands.
struct TextOptions: SettingFlags {
    var given: [Setting: String] = [:]
    var json = false
    var page: Int?

    static let flags: [CommandFlag<TextOptions>] = [
        .flag(
            "json",
            "Print a line of JSON for each page (its size, its words and their places), or for all paragraphs."
        ) {
            $0.json = true
        },
        .option("page", "Only this page, counted from 1.", value: "number") { (options: inout TextOptions, page: Int) in
            options.page = page
        },
        .setting(.jobs),
    ]
}
