import ArgumentParser
import CLinux
import Console
import Daemon
import Foundation
import Library
import Linux
import MatchStore
import Matching
import Media

/// `documentd postings`: the operator's work on job postings, with or without a running service.
struct PostingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "postings",
        abstract: "Import, list, show, expire and count the postings that résumés are matched with.",
        subcommands: [
            PostingImportCommand.self, PostingListCommand.self, PostingShowCommand.self, PostingExpireCommand.self,
            PostingStatsCommand.self,
        ])
}

extension DocumentdOptions {
    /// The store of postings in the service's database.
    ///
    /// - Throws: `unavailable`.
    func postings() throws -> PostingStore {
        try Stores(try resolve(), log.makeLogger("documentd")).database.postings()
    }
}

/// `documentd postings import`.
struct PostingImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import postings from files: JSON Lines, CSV, JSON-LD, or HTML pages that contain it.",
        discussion: """
            A file's extension gives its format: .jsonl, .ndjson, .csv, .json, .jsonld, .html. A row needs an id and a title; optional \
            columns are company, location, remote, posted, expires, url, text and salary. JSON-LD is read as schema.org's JobPosting.

            A posting is identified by its source and id: importing it again updates it if anything has changed. A file whose name has a \
            number, such as feed-2026-11-25.csv, may be one of many from a source: name the source with --source. A line for each refused \
            row gives the reason. The other rows are imported.

            Exit status: 0 done, 1 rows were refused, 2 a file cannot be read.

            Example:
              documentd postings import --data ./data --source board feed.jsonl
            """)

    @Option(
        help: ArgumentHelp(
            "The source's name (by default, each file's name without its extension, unless it has a number).",
            valueName: "name"))
    var source: String?

    @Flag(help: "Shift all days so that the newest day of the files is today: for samples.")
    var asOfToday = false

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("What to read.", valueName: "file"))
    var files: [String]

    func validate() throws {
        guard source == nil, let file = files.first(where: { Self.name(of: $0).contains(where: \.isNumber) }) else {
            return
        }
        throw ValidationError(
            "\(FilePath(file).shown) may be one of many files of a source, whose postings would be imported twice: name the source with --source."
        )
    }

    func run() throws {
        let forms = try files.map { file in
            guard let form = PostingForm(fileName: file) else {
                throw Failure(
                    .usage,
                    message: "\(FilePath(file).shown) does not end in .jsonl, .ndjson, .csv, .json, .jsonld or .html.")
            }
            return (file, form)
        }
        let delay = asOfToday ? try Self.delay(of: forms) : 0
        let store = try options.postings()
        var (total, refusedCount) = (ImportCount(), 0)
        for (file, form) in forms {
            let (count, refused) = try take(file, form, delay, into: store)
            StandardStream.write(
                """
                \(FilePath(file).shown): \(count.added) added, \(count.changed) changed, \(count.unchanged) unchanged, \
                \(refused) refused\n
                """, to: 1)
            total += count
            refusedCount += refused
        }
        if files.count > 1 {
            StandardStream.write("\(total.total) postings, \(refusedCount) rows refused\n", to: 1)
        }
        if refusedCount > 0 { throw ExitCode(1) }
    }

    /// The file's name without its extension.
    private static func name(of file: String) -> String {
        URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    }

    /// Days from the newest day in some files to today; 0 if they have none.
    private static func delay(of forms: [(String, PostingForm)]) throws -> Int {
        let newest = try forms.compactMap { file, form in
            PostingReader.newestDay(in: try bytes(of: file), as: form)
        }.max()
        return newest.map { CivilDay(of: .now).number - $0.number } ?? 0
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: file), options: .mappedIfSafe))
        } catch {
            throw Failure(.usage, message: "\(FilePath(file).shown) cannot be read.", detail: "\(error)")
        }
    }

    /// - Parameter delay: by how many days the file's dates are moved forward.
    private func take(
        _ file: String, _ form: PostingForm, _ delay: Int, into store: PostingStore
    ) throws -> (ImportCount, Int) {
        let path = FilePath(file)
        let bytes = try Self.bytes(of: file)
        let reader = PostingReader(source: source ?? Self.name(of: file), today: CivilDay(of: .now), delay: delay)
        var (count, refusedCount) = (ImportCount(), 0)
        var batch: [Posting] = []
        func flush() throws {
            count += try store.store(batch, at: .now)
            batch = []
        }
        try reader.read(bytes, as: form) { (row) throws in
            switch row {
            case .success(let posting):
                batch.append(posting)
                if batch.count == Self.batchCount { try flush() }
            case .failure(let refusal):
                refusedCount += 1
                let id = refusal.sourceID.map { " (\(FilePath($0).shown))" } ?? ""
                StandardStream.write("documentd: \(path.shown):\(refusal.row)\(id): \(refusal.message)\n", to: 2)
            }
        }
        try flush()
        return (count, refusedCount)
    }

    /// The number of postings in one transaction.
    private static let batchCount = 500
}

/// `documentd postings list`.
struct PostingListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print a line for each posting: identity, source, its id there, title, company, place, last day.")

    @Option(help: ArgumentHelp("Only postings of this source.", valueName: "name"))
    var source: String?

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let store = try options.postings()
        var place: Posting.Key?
        var unreadable: [String] = []
        repeat {
            let page = try store.postings(of: source, behind: place, limit: 500)
            unreadable += page.unreadable
            place = page.next
            for stored in page.elements {
                let posting = stored.posting
                let parts = [
                    "\(stored.id)", posting.source, posting.sourceID, posting.title, posting.company, posting.location,
                    posting.expires?.text ?? "-",
                ]
                StandardStream.write(parts.map { FilePath($0).shown }.joined(separator: "  ") + "\n", to: 1)
            }
        } while place != nil
        for id in unreadable {
            StandardStream.write("documentd: the posting \(FilePath(id).shown) cannot be read\n", to: 2)
        }
        if !unreadable.isEmpty { throw ExitCode(1) }
    }
}

/// `documentd postings show`.
struct PostingShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print all of a posting as JSON.",
        discussion: "Exit status: 1 if it does not exist.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: "The posting's identity, as `list` prints it.")
    var id: String

    func run() throws {
        guard let id = ID<StoredPosting>(id) else { throw ValidationError("\(FilePath(id).shown) is not an identity.") }
        let store = try options.postings()
        let stored: StoredPosting
        do throws(PostingError) {
            stored = try store.posting(id)
        } catch {
            guard error == .notFound else { throw error }
            StandardStream.write("documentd: the posting \(id) does not exist\n", to: 2)
            throw ExitCode(1)
        }
        let posting = stored.posting
        let json = JSON.object([
            "id": .string(stored.id.text), "source": .string(posting.source), "source_id": .string(posting.sourceID),
            "title": .string(posting.title), "company": .string(posting.company), "location": .string(posting.location),
            "is_remote": .bool(posting.isRemote), "posted": posting.posted.map { .string($0.text) },
            "expires": posting.expires.map { .string($0.text) }, "url": posting.url.map(JSON.string),
            "salary": posting.salary.map(JSON.string), "text": .string(posting.text),
            "added": .string(stored.added.description), "changed": .string(stored.changed.description),
        ])
        StandardStream.write("\(json.text)\n", to: 1)
    }
}

/// `documentd postings expire`.
struct PostingExpireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract:
            "Remove expired postings; with --source all postings of that source, or only those with the given ids.")

    @Option(help: ArgumentHelp("The source whose postings are removed.", valueName: "name"))
    var source: String?

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    @Argument(help: ArgumentHelp("Ids at the source.", valueName: "id"))
    var ids: [String] = []

    func validate() throws {
        if source == nil, !ids.isEmpty { throw ValidationError("Ids belong to a source: name it with --source.") }
    }

    func run() throws {
        let store = try options.postings()
        let count =
            if let source {
                try store.remove(source: source, ids: ids.isEmpty ? nil : ids)
            } else {
                try store.removeEnded(before: CivilDay(of: .now))
            }
        StandardStream.write("\(count) postings removed\n", to: 1)
    }
}

/// `documentd postings stats`.
struct PostingStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the postings of each source: open, remote, titles, ended, and the newest day.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        for source in try options.postings().statistics(on: CivilDay(of: .now)) {
            StandardStream.write(
                """
                \(FilePath(source.source).shown)  \(source.openCount) open  \(source.remoteCount) remote  \(source.titleCount) titles  \
                \(source.endedCount) ended  newest \(source.newest?.text ?? "-")\n
                """, to: 1)
        }
    }
}
