internal import Access
public import Accounts
public import Audit
public import Documents
public import JobSearch
internal import Media
public import Objects
internal import SearchDatabase
internal import Synchronization

/// Everything of a person as a ZIP archive: lists in JSON, what was done by the person or with their things, and every file under `files/`
/// and `resumes/`. It is made piece by piece, as whoever takes it gets on: the memory that it takes does not grow with what is in it, but
/// for some 150 bytes a file.
///
/// What cannot be read stops nothing: the archive's last list, `missing.json`, names it.
public final class AccountArchive: Sendable {
    private let lists: ArchiveLists
    private let documents: any DocumentStore
    private let files: any ObjectStore
    private let now: Instant
    private let gaps = ArchiveGaps()
    private let state = Mutex(State())

    private struct State {
        var zip = ZipArchive()
        var stage = Stage.lists
        var waiting: [Entry] = []
        var current: Source?
        var fileCount = 0
    }

    /// Something of the person's that the archive does not have.
    public struct Missing: Hashable, Sendable {
        /// `document`, `school`, `template`, `link`, `search`, `activity`, `file`; or `list` if there is more than `missing.json` names.
        public let kind: String
        /// The identity of a row; of a file its place in the archive, of a list its name.
        public let name: String
        /// Why it is missing, for people.
        public let reason: String
    }

    private enum Stage {
        case lists
        /// The files behind a place are still to come.
        case files(behind: StorePlace?)
        case missing
        case directory
        case over
    }

    private enum Entry {
        case list(ArchiveList)
        case file(name: String, stored: Instant, ObjectID)
    }

    /// What the next bytes are read from.
    private enum Source {
        case list(ArchiveList)
        case object(any ObjectReader, offset: Int64, end: Int64)
        case directory(ArraySlice<UInt8>)
    }

    private static let pageCount = 200
    private static let pieceByteCount = 1 << 20

    /// The archive of a person.
    ///
    /// - Parameters:
    ///   - accounts: has the account.
    ///   - searches: has the person's searches for jobs; `nil` where there are none.
    ///   - activityByteCount: how many bytes of the audit log are read, the latest ones.
    public init(
        of account: Account, in accounts: AccountDesk, documents: any DocumentStore, files: any ObjectStore,
        searches: SearchDesk? = nil, audit: AuditLog?, activityByteCount: Int64 = 1 << 30, at now: Instant
    ) {
        lists = ArchiveLists(
            account: account, accounts: accounts, documents: documents, searches: searches, audit: audit,
            activityByteCount: activityByteCount, gaps: gaps)
        self.documents = documents
        self.files = files
        self.now = now
    }

    /// The files that are in what was given so far and are the person's.
    public var fileCount: Int { state.withLock { $0.fileCount } }

    /// What is not in the archive, as far as that was made.
    public var missing: [Missing] { gaps.things }

    /// The next bytes of the archive, at most 1 MiB; none where it has to look further for some; `nil` at its end. Blocks: before a file's
    /// first piece the file is read for its checksum.
    ///
    /// - Throws: where a store cannot be read. What was given so far is no archive then.
    public func next() throws -> [UInt8]? {
        try state.withLock { state in
            while true {
                if let piece = try piece(&state) { return piece }
                if !state.waiting.isEmpty {
                    if let header = try begin(state.waiting.removeFirst(), &state) { return header }
                    continue
                }
                switch state.stage {
                case .lists:
                    let searched = try lists.searched()
                    state.waiting = lists.all(searched).map(Entry.list)
                    state.waiting += searched.map {
                        .file(name: Self.name(of: $0), stored: $0.created, $0.object)
                    }
                    state.stage = .files(behind: nil)
                case .files(let place):
                    let page = try documents.objects(of: lists.account.id, behind: place, limit: Self.pageCount)
                    // Files without a path are those of searches, which have come.
                    state.waiting = page.elements.compactMap { object in
                        object.path.map { .file(name: lists.name(of: $0), stored: object.stored, object.id) }
                    }
                    for row in page.unreadable { gaps.note("file", row, "cannot be read") }
                    state.stage = page.next.map { .files(behind: $0) } ?? .missing
                case .missing:
                    state.waiting = [.list(lists.missing())]
                    state.stage = .directory
                case .directory:
                    state.current = .directory(state.zip.directory()[...])
                    state.stage = .over
                case .over: return nil
                }
            }
        }
    }

    /// Opens what comes next; `nil` for a file that the person has removed meanwhile, or that cannot be read.
    private func begin(_ entry: Entry, _ state: inout State) throws -> [UInt8]? {
        switch entry {
        case .list(let list):
            state.current = .list(list)
            return state.zip.begin(list.name, at: now)
        case .file(let name, let stored, let id): return try begin(id, name, stored, &state)
        }
    }

    private func begin(_ id: ObjectID, _ name: String, _ stored: Instant, _ state: inout State) throws -> [UInt8]? {
        if let reason = Self.reason(try documents.object(id)?.verdict) {
            gaps.note("file", name, reason)
            return nil
        }
        do {
            let reader = try files.open(id)
            let checksum = try Self.checksum(of: reader)
            state.current = .object(reader, offset: 0, end: Int64(checksum.byteCount))
            state.fileCount += 1
            return state.zip.header(name, at: stored, checksum)
        } catch ObjectError.missing {
            // Bytes are removed after their row.
            if try documents.hasObject(id) { gaps.note("file", name, "is not stored") }
        } catch let error as ObjectError {
            // A store that is away has none of the files, and the archive is made again later.
            if case .unavailable = error, !isReachable { throw error }
            gaps.note("file", name, "cannot be read")
        }
        return nil
    }

    /// Why a file with a verdict is handed out to nobody; `nil` for another one.
    private static func reason(_ verdict: StoredObject.Verdict?) -> String? {
        switch verdict {
        case nil, .passed: nil
        case .pending: "waits for the scanner"
        case .infected: "has a virus"
        }
    }

    /// Whether the store of files answers at all.
    private var isReachable: Bool { (try? files.walk().next()) != nil }

    private static func checksum(of reader: any ObjectReader) throws -> ZipArchive.Checksum {
        var checksum = ZipArchive.Checksum()
        while true {
            let piece = try bytes(of: reader, at: Int64(checksum.byteCount))
            if piece.isEmpty { return checksum }
            piece.withUnsafeBytes { checksum.add($0) }
        }
    }

    /// The next bytes of what was opened last; `nil` at its end.
    private func piece(_ state: inout State) throws -> [UInt8]? {
        switch state.current {
        case nil: return nil
        case .list(var list):
            guard let bytes = try list.piece() else {
                state.current = nil
                return state.zip.end()
            }
            state.current = .list(list)
            return state.zip.part(bytes)
        case .object(_, let offset, let end) where offset >= end:
            state.current = nil
            return nil
        case .object(let reader, let offset, let end):
            let piece = try Self.bytes(of: reader, at: offset)
            guard !piece.isEmpty else {
                throw ObjectError.unavailable(detail: "a file has become shorter while it was read")
            }
            state.current = .object(reader, offset: offset + Int64(piece.count), end: end)
            return piece
        case .directory(let rest):
            let piece = Array(rest.prefix(Self.pieceByteCount))
            state.current = rest.count > piece.count ? .directory(rest.dropFirst(piece.count)) : nil
            return piece
        }
    }

    private static func bytes(of reader: any ObjectReader, at offset: Int64) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: pieceByteCount) { buffer, count in
            count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    /// The place in the archive of a search's résumé.
    private static func name(of search: ResumeSearch) -> String {
        "resumes/\(search.id)_\(FileName.safe(search.fileName))"
    }
}
