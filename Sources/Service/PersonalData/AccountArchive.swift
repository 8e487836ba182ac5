internal import Access
public import Accounts
public import Audit
public import Documents
public import JobSearch
internal import Media
public import Objects
internal import SearchDatabase
internal import Synchronization

/// Everything of a person as a ZIP archive: five lists in JSON, what was done by the person or with their things, and every file under
/// `files/` and `resumes/`. It is made piece by piece, as whoever takes it gets on.
///
/// What cannot be read stops nothing: the archive's last list, `missing.json`, names it.
public final class AccountArchive: Sendable {
    private let account: Account
    private let accounts: AccountDesk
    private let documents: any DocumentStore
    private let files: any ObjectStore
    private let searches: SearchDesk?
    private let audit: AuditLog?
    private let now: Instant
    private let state = Mutex(State())

    private struct State {
        var zip = ZipArchive()
        var stage = Stage.lists
        var waiting: [Entry] = []
        var current: (source: Source, offset: Int64, end: Int64)?
        var fileCount = 0
        var missing: [Missing] = []
        /// The files that documents and searches name and that have not come yet, with their places in the archive.
        var expected: [ObjectID: String] = [:]
    }

    /// Something of the person's that the archive does not have.
    public struct Missing: Hashable, Sendable {
        /// `document`, `school`, `template`, `search` or `file`.
        public let kind: String
        /// The identity of a row; of a file its place in the archive.
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

    private struct Entry {
        let name: String
        let moment: Instant
        let content: Content
    }

    private enum Content {
        case bytes([UInt8])
        case object(ObjectID)
    }

    private enum Source {
        case bytes([UInt8])
        case object(any ObjectReader)
    }

    private static let pageCount = 200
    private static let pieceByteCount = 1 << 20

    /// The archive of a person.
    ///
    /// - Parameters:
    ///   - accounts: has the account.
    ///   - searches: has the person's searches for jobs; `nil` where there are none.
    public init(
        of account: Account, in accounts: AccountDesk, documents: any DocumentStore, files: any ObjectStore,
        searches: SearchDesk? = nil, audit: AuditLog?, at now: Instant
    ) {
        self.account = account
        self.accounts = accounts
        self.documents = documents
        self.files = files
        self.searches = searches
        self.audit = audit
        self.now = now
    }

    /// The files that are in what was given so far and are the person's.
    public var fileCount: Int { state.withLock { $0.fileCount } }

    /// What is not in the archive, as far as that was made.
    public var missing: [Missing] { state.withLock { $0.missing } }

    /// The next bytes of the archive, at most 1 MiB but for its headers; `nil` at its end. Blocks: before a file's first piece the file is
    /// read for its checksum.
    ///
    /// - Throws: where a store cannot be read. What was given so far is no archive then.
    public func next() throws -> [UInt8]? {
        try state.withLock { state in
            while true {
                if let piece = try Self.piece(&state) { return piece }
                if !state.waiting.isEmpty {
                    if let header = try begin(state.waiting.removeFirst(), &state) { return header }
                    continue
                }
                switch state.stage {
                case .lists:
                    state.waiting = try lists(&state)
                    state.stage = .files(behind: nil)
                case .files(let place):
                    let page = try documents.objects(of: account.id, behind: place, limit: Self.pageCount)
                    // Files without a path are those of searches, which have come.
                    state.waiting = page.elements.compactMap { object in
                        object.path.map {
                            Entry(name: name(of: $0), moment: object.stored, content: .object(object.id))
                        }
                    }
                    state.missing += page.unreadable.map {
                        Missing(kind: "file", name: $0, reason: "cannot be read")
                    }
                    state.stage = page.next.map { .files(behind: $0) } ?? .missing
                case .missing:
                    for name in state.expected.values.sorted() {
                        state.missing.append(Missing(kind: "file", name: name, reason: "is not stored"))
                    }
                    state.waiting = [list("missing.json", .array(state.missing.map(Self.json)))]
                    state.stage = .directory
                case .directory:
                    state.stage = .over
                    return state.zip.directory()
                case .over: return nil
                }
            }
        }
    }

    /// Opens what comes next; `nil` for a file that the person has removed meanwhile, or that cannot be read.
    private func begin(_ entry: Entry, _ state: inout State) throws -> [UInt8]? {
        if case .object(let id) = entry.content, let reason = Self.reason(try documents.object(id)?.verdict) {
            state.expected[id] = nil
            state.missing.append(Missing(kind: "file", name: entry.name, reason: reason))
            return nil
        }
        do {
            guard let source = try open(entry.content) else { return nil }
            if case .object(let id) = entry.content { state.expected[id] = nil }
            let header = try header(of: entry, source, &state)
            if case .object = source { state.fileCount += 1 }
            return header
        } catch let error as ObjectError {
            // A store that is away has none of the files, and the archive is made again later.
            if case .unavailable = error, !isReachable { throw error }
            if case .object(let id) = entry.content { state.expected[id] = nil }
            state.missing.append(Missing(kind: "file", name: entry.name, reason: "cannot be read"))
            return nil
        }
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

    private func header(of entry: Entry, _ source: Source, _ state: inout State) throws -> [UInt8] {
        var (checksum, offset) = (ZipArchive.Checksum(), Int64(0))
        while true {
            let piece = try Self.bytes(of: source, at: offset)
            if piece.isEmpty { break }
            piece.withUnsafeBytes { checksum.add($0) }
            offset += Int64(piece.count)
        }
        state.current = (source, 0, offset)
        return state.zip.header(entry.name, at: entry.moment, checksum)
    }

    /// A way to read what an entry has; `nil` for a file that is gone.
    private func open(_ content: Content) throws(ObjectError) -> Source? {
        switch content {
        case .bytes(let bytes): return .bytes(bytes)
        case .object(let id):
            do throws(ObjectError) { return .object(try files.open(id)) } catch {
                guard error == .missing else { throw error }
                return nil
            }
        }
    }

    /// The next bytes of what was opened last; `nil` at its end.
    private static func piece(_ state: inout State) throws -> [UInt8]? {
        guard let (source, offset, end) = state.current, offset < end else {
            state.current = nil
            return nil
        }
        let piece = try bytes(of: source, at: offset)
        guard !piece.isEmpty else {
            throw ObjectError.unavailable(detail: "a file has become shorter while it was read")
        }
        state.current?.offset += Int64(piece.count)
        return piece
    }

    private static func bytes(of source: Source, at offset: Int64) throws -> [UInt8] {
        switch source {
        case .bytes(let bytes):
            Array(bytes.dropFirst(Int(offset)).prefix(pieceByteCount))
        case .object(let reader):
            try [UInt8](unsafeUninitializedCapacity: pieceByteCount) { buffer, count in
                count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            }
        }
    }

    /// The path in the archive of a file in the store, `{person}/{type}/{name}`.
    private func name(of path: String) -> String {
        "files/\(Substring(path.utf8.dropFirst(account.id.text.utf8.count + 1)))"
    }

    // MARK: Lists

    private func list(_ name: String, _ json: JSON) -> Entry {
        Entry(name: name, moment: now, content: .bytes(Array((json.text + "\n").utf8)))
    }

    private func lists(_ state: inout State) throws -> [Entry] {
        let schools = try documents.schools(of: account.id)
        let templates = try documents.templates(of: account.id)
        let activity = try audit?.lines(about: account.id) ?? []
        let record = try searches?.record(of: account.id)
        let searched = record?.searches ?? []
        let versions = try versions(&state)
        state.missing += (record?.unreadable ?? []).map {
            Missing(kind: "search", name: $0, reason: "cannot be read")
        }
        state.missing += try documents.unreadableRows(of: account.id).map {
            Missing(kind: $0.kind, name: $0.name, reason: "cannot be read")
        }
        for version in versions {
            let name = name(of: version.file.path)
            if let object = version.file.object {
                state.expected[object] = name
            } else {
                state.missing.append(Missing(kind: "file", name: name, reason: "is not stored"))
            }
        }
        for search in searched.map(\.search) { state.expected[search.object] = Self.name(of: search) }
        return [
            list("account.json", try accountJSON()),
            list("documents.json", .array(try versions.map { try json($0, schools) })),
            list("schools.json", .array(schools.map { .string($0.name) })),
            list("templates.json", .array(templates.map(Self.json))),
            list("searches.json", .array(searched.map(\.json))),
            Entry(
                name: "activity.jsonl", moment: now,
                content: .bytes(Array(activity.map { "\($0)\n" }.joined().utf8))),
        ]
            + searched.map(\.search).map { search in
                Entry(name: Self.name(of: search), moment: search.created, content: .object(search.object))
            }
    }

    /// The place in the archive of a search's résumé.
    private static func name(of search: ResumeSearch) -> String {
        "resumes/\(search.id)_\(FileName.safe(search.fileName))"
    }

    private func versions(_ state: inout State) throws -> [Document] {
        var all: [Document] = []
        var place: StorePlace?
        repeat {
            let page = try documents.allVersions(of: account.id, behind: place, limit: Self.pageCount)
            all += page.elements
            state.missing += page.unreadable.map { Missing(kind: "document", name: $0, reason: "cannot be read") }
            place = page.next
        } while place != nil
        return all
    }

    private static func json(_ missing: Missing) -> JSON {
        .object([
            "kind": .string(missing.kind), "name": .string(missing.name), "reason": .string(missing.reason),
        ])
    }

    private func accountJSON() throws -> JSON {
        .object([
            "id": .string(account.id.text), "email": .string(account.address.text), "data": account.metadata,
            "created_at": .string(account.created.description),
            "identities": .array(try accounts.store.identities(of: account.id).map(Self.json)),
            "guardians": .array(try accounts.guardians(of: account.id).map(Self.json)),
        ])
    }

    /// Somebody who acts for the person, or is invited to.
    private static func json(_ guardian: AccountDesk.Guardian) -> JSON {
        let guardianship = guardian.guardianship
        return .object([
            "email": .string((guardian.account?.address ?? guardianship.address).text),
            "right": .string(guardianship.right.rawValue), "created_at": .string(guardianship.created.description),
            "accepted_at": guardianship.accepted.map { .string($0.description) } ?? .null,
        ])
    }

    /// A provider by which the person signs in.
    private static func json(_ identity: AccountIdentity) -> JSON {
        .object([
            "provider": .string(identity.provider), "issuer": .string(identity.issuer),
            "subject": .string(identity.subject), "email": .string(identity.address),
            "created_at": .string(identity.created.description), "used_at": .string(identity.used.description),
        ])
    }

    private func json(_ document: Document, _ schools: [School]) throws -> JSON {
        func name(_ id: ID<School>?) -> JSON {
            id.flatMap { id in schools.first { $0.id == id } }.map { .string($0.name) } ?? .null
        }
        return .object([
            "id": .string(document.id.text), "type": .string(document.type.rawValue), "title": .string(document.title),
            "description": document.description.map(JSON.string) ?? .null,
            "version": .integer(Int64(document.version)), "is_current": .bool(document.isCurrent),
            "school": name(document.school), "shared_with": .array(document.shares.map { name($0.school) }),
            "links": .array(try documents.links(to: document.id, of: account.id).map(Self.json)),
            "uploaded_by": .string(document.uploader.text), "file": .string(self.name(of: document.file.path)),
            "file_name": .string(document.file.name),
            "sha256": .string("\(document.file.digest)"), "created_at": .string(document.created.description),
            "updated_at": .string(document.updated.description),
        ])
    }

    /// A link without its token, which opens the document for whoever has the archive.
    private static func json(_ link: ShareLink) -> JSON {
        .object([
            "permission": .string(link.permission.rawValue), "created_at": .string(link.created.description),
            "expires_at": .string(link.expires.description), "visit_count": .integer(Int64(link.visitCount)),
        ])
    }

    private static func json(_ template: CommunicationTemplate) -> JSON {
        .object([
            "name": .string(template.name), "type": .string(template.type.rawValue), "body": .string(template.body),
            "created_at": .string(template.created.description), "updated_at": .string(template.updated.description),
        ])
    }
}
