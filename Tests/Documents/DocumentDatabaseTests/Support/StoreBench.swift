import Database
import Documents
import Foundation
import JobQueue
import Media
import PostgreSQLSupport
import Synchronization
import TestSupport

/// The drivers that the conformance suite runs on.
enum StoreDriver: String, CaseIterable, Sendable {
    case sqlite
    case postgreSQL
}

/// A clock that only the test moves.
final class ManualTime: Sendable {
    private let instant = Mutex(Instant(microseconds: 1_800_000_000_000_000))

    var now: Instant { instant.withLock { $0 } }

    func advance(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
}

/// Records which rows were left out.
final class UnreadableLog: Sendable {
    private let noted = Mutex<[String]>([])

    var rows: [String] { noted.withLock { $0 } }

    func note(_ row: String) { noted.withLock { $0.append(row) } }
}

/// A store with a clock that a test moves, in its own folder.
final class StoreBench: Sendable {
    let driver: StoreDriver
    let clock = ManualTime()
    let unreadable = UnreadableLog()
    let folder = TemporaryFolder.make("store")
    let owner = ID<Person>.make(at: Instant(microseconds: 1))
    let stranger = ID<Person>.make(at: Instant(microseconds: 2))
    let store: DocumentStore
    /// The database of a PostgreSQL store.
    let scratch: ScratchDatabase?
    private let fileCount = Atomic(0)

    var path: String { "\(folder)/documents.sqlite" }

    init(_ driver: StoreDriver = .sqlite) throws {
        self.driver = driver
        scratch = driver == .postgreSQL ? try ScratchDatabase() : nil
        let database: any SQLDatabase =
            try scratch?.database ?? SQLiteDatabase(path: "\(folder)/documents.sqlite")
        store = try Self.open(database, clock, unreadable)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Another store over the same rows, as another process opens it.
    func reopened() throws -> DocumentStore {
        try Self.open(scratch?.reopened() ?? SQLiteDatabase(path: path), clock, unreadable)
    }

    /// The queue of the documents' database, as a worker opens it.
    func queue() throws -> any JobQueue {
        switch driver {
        case .sqlite: try SQLiteQueue(path: path)
        case .postgreSQL: try PostgreSQLQueue(scratch!.reopened())
        }
    }

    private static func open(
        _ database: any SQLDatabase, _ clock: ManualTime, _ unreadable: UnreadableLog
    ) throws -> DocumentStore {
        try DocumentStore(
            database, recipes: [Preset.grid.recipe], now: { clock.now }, unreadable: { unreadable.note($0) })
    }

    /// A file that no other version has, with its own content unless one is given.
    func file(_ content: Int? = nil, size: Int64 = 1000) -> Document.File {
        let number = fileCount.add(1, ordering: .relaxed).newValue
        return Document.File(
            object: .random(), path: "\(owner)/resume/\(number)_file.pdf", name: "file.pdf", mediaType: .pdf,
            digest: .numbered(content ?? number + 1_000_000), byteCount: size)
    }

    /// The document that `add` stores next.
    func new(
        _ title: String, type: DocumentType = .resume, description: String? = nil, school: ID<School>? = nil,
        content: Int? = nil, size: Int64 = 1000, after predecessor: ID<Document>? = nil, upload: ID<Upload>? = nil,
        state: Document.State = .stored
    ) -> NewDocument {
        NewDocument(
            owner: owner, uploader: owner, type: type, title: title, description: description, school: school,
            file: file(content, size: size), predecessor: predecessor, arrival: upload.map(ObjectArrival.upload),
            state: state)
    }

    /// Stores a document a millisecond after the previous one.
    @discardableResult
    func add(
        _ title: String, type: DocumentType = .resume, description: String? = nil, school: ID<School>? = nil,
        content: Int? = nil, size: Int64 = 1000, after predecessor: ID<Document>? = nil
    ) throws -> Document {
        clock.advance(.milliseconds(1))
        return try store.add(
            new(
                title, type: type, description: description, school: school, content: content, size: size,
                after: predecessor))
    }

    /// The titles of a list's page.
    func titles(_ change: (inout ListQuery) -> Void = { _ in }) throws -> [String] {
        try page(change).documents.map(\.title)
    }

    /// A list's page.
    func page(_ change: (inout ListQuery) -> Void = { _ in }) throws -> ListPage {
        var query = ListQuery()
        change(&query)
        return try store.list(query, of: owner)
    }

    /// The kinds of all events of the owner so far.
    func events() throws -> [DocumentEvent.Kind] {
        try store.events(after: 0, of: owner, limit: 10_000).map(\.kind)
    }
}

extension Digest {
    /// A digest made from a number.
    static func numbered(_ number: Int) -> Digest {
        let digits = String(number, radix: 16)
        return Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits)!
    }
}

extension DocumentStore {
    /// An upload without a limit in bytes.
    func addUpload(
        of owner: ID<Person>, by uploader: ID<Person>, for purpose: Upload.Purpose, length: Int64?, lifetime: Duration
    ) throws(DocumentError) -> Upload {
        try addUpload(
            .make(at: Instant(microseconds: 1_790_000_000_000_000)), of: owner, by: uploader, for: purpose,
            length: length, lifetime: lifetime, allowed: nil)
    }

    /// A length without a limit in bytes.
    @discardableResult
    func declareLength(_ length: Int64, of id: ID<Upload>, owner: ID<Person>) throws(DocumentError) -> Upload {
        try declareLength(length, of: id, owner: owner, allowed: nil)
    }
}
