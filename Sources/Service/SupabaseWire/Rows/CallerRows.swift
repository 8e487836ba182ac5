internal import Access
internal import Documents
internal import Library
internal import Media
internal import ThumbnailCache

/// The rows within a caller's reach, read from the store once for a request.
final class CallerRows: RowSource {
    private let library: DocumentLibrary
    private let reach: Reach
    private var tables: [String: [[RowValue]]] = [:]
    private var versions: [Document]?
    private var owners: [ID<Document>: ID<Person>]?
    /// The files of the documents that were read, by the documents' identities.
    private(set) var objects: [String: ObjectID] = [:]

    init(_ library: DocumentLibrary, within reach: Reach) {
        self.library = library
        self.reach = reach
    }

    func rows(of table: RowTable) throws(RowError) -> [[RowValue]] {
        if let rows = tables[table.name] { return rows }
        let rows = try RowError.converting(in: table) { () throws(DocumentError) in try read(table) }
        tables[table.name] = rows
        return rows
    }

    /// Forgets what was read, after a change.
    func forget() {
        tables = [:]
        versions = nil
        owners = nil
    }

    /// The person whose version this is; `nil` if there is none within reach.
    func owner(of id: ID<Document>) throws(DocumentError) -> ID<Person>? {
        if let owners { return owners[id] }
        let known = Dictionary(try documents().map { ($0.id, $0.owner) }, uniquingKeysWith: { $1 })
        owners = known
        return known[id]
    }

    /// The rows that a query can select: a few where it names their identities, else all.
    func candidates(for condition: RowCondition, of table: RowTable) throws(RowError) -> [[RowValue]] {
        guard table == .documents, case .person(let owner) = reach, let texts = condition.values(of: "id"),
            texts.count <= 100
        else { return try rows(of: table) }
        let ids = texts.map { ID<Document>($0) }
        // A text that is no identity is a fault of the query, which its filter finds.
        guard !ids.contains(nil) else { return try rows(of: table) }
        var found: [[RowValue]] = []
        for id in Set(ids.compactMap(\.self)).sorted() {
            if let document = try document(id, of: owner, table) { found.append(row(document)) }
        }
        return found
    }

    /// Rows that were read before, as they are now, without those that are there no more. All else that was read is forgotten.
    func again(_ rows: [[RowValue]], of table: RowTable) throws(RowError) -> [[RowValue]] {
        var now: [RowValue: [RowValue]] = [:]
        for owner in try owners(of: rows, table) {
            let rows = try RowError.converting(in: table) { () throws(DocumentError) in try list(table, of: owner) }
            for row in rows { now[row[0]] = row }
        }
        if table == .documents || table == .documentShares {
            for row in rows where now[row[0]] == nil {
                guard let document = try document(of: row, table) else { continue }
                let fresh =
                    table == .documents ? [self.row(document)] : document.shares.map { Self.row($0, of: document) }
                for row in fresh { now[row[0]] = row }
            }
        }
        forget()
        return rows.compactMap { now[$0[0]] }
    }

    /// The rows of a table of short lists; none of documents and shares.
    ///
    /// - Parameter owner: whose; `nil` for everybody's.
    private func list(_ table: RowTable, of owner: ID<Person>?) throws(DocumentError) -> [[RowValue]] {
        switch table {
        case .schools: try library.store.schools(of: owner).map(Self.row)
        case .communicationTemplates: try library.store.templates(of: owner).map(Self.row)
        default: []
        }
    }

    /// The people whose rows these are.
    func owners(of rows: [[RowValue]], _ table: RowTable) throws(RowError) -> Set<ID<Person>> {
        var owners: Set<ID<Person>> = []
        for row in rows { if let owner = try owner(of: row, table) { owners.insert(owner) } }
        return owners
    }

    /// The person whose row it is.
    private func owner(of row: [RowValue], _ table: RowTable) throws(RowError) -> ID<Person>? {
        guard table == .documentShares else { return ID<Person>(row[1].text ?? "") }
        if case .person(let person) = reach { return person }
        guard let id = ID<Document>(row[1].text ?? "") else { return nil }
        return try RowError.converting(in: table) { () throws(DocumentError) in try owner(of: id) }
    }

    /// The document of a row, or the one that a share's row names.
    private func document(of row: [RowValue], _ table: RowTable) throws(RowError) -> Document? {
        let place = table == .documents ? 0 : 1
        guard let id = ID<Document>(row[place].text ?? ""), let owner = try owner(of: row, table) else { return nil }
        return try document(id, of: owner, table)
    }

    /// A document; `nil` where there is none.
    private func document(
        _ id: ID<Document>, of owner: ID<Person>, _ table: RowTable
    ) throws(RowError) -> Document? {
        do throws(DocumentError) {
            return try library.store.document(id, of: owner)
        } catch {
            if case .notFound = error { return nil }
            throw RowError(error, in: table)
        }
    }

    /// The rows that go with these: the current version of a document takes the others with it.
    func allRemoved(with rows: [[RowValue]], of table: RowTable) throws(RowError) -> [[RowValue]] {
        guard table == .documents else { return rows }
        var removed: [[RowValue]] = []
        var known: Set<RowValue> = []
        for values in rows {
            guard let id = ID<Document>(values[0].text ?? ""), let owner = ID<Person>(values[1].text ?? "") else {
                continue
            }
            let versions = try RowError.converting(in: table) { () throws(DocumentError) in
                let all = try library.store.versions(of: id, owner: owner)
                return all.contains { $0.id == id && $0.isCurrent } ? all : all.filter { $0.id == id }
            }
            removed += versions.map(row).filter { known.insert($0[0]).inserted }
        }
        return removed
    }

    /// Every version of every document.
    func documents() throws(DocumentError) -> [Document] {
        if let versions { return versions }
        let owner: ID<Person>?
        switch reach {
        case .nobody: return []
        case .person(let person): owner = person
        case .everybody: owner = nil
        }
        var all: [Document] = []
        var place: StorePlace?
        repeat {
            let page = try library.store.allVersions(of: owner, behind: place, limit: 1000)
            all += page.elements
            place = page.next
        } while place != nil
        versions = all
        return all
    }

    /// A document as a row, whose file is noted.
    private func row(_ document: Document) -> [RowValue] {
        objects[document.id.text] = document.file.object
        return Self.row(document)
    }

    private func read(_ table: RowTable) throws(DocumentError) -> [[RowValue]] {
        let owner: ID<Person>?
        switch reach {
        case .nobody: return []
        case .person(let person): owner = person
        case .everybody: owner = nil
        }
        switch table {
        case .documents: return try documents().map(row)
        case .documentShares: return try shares().map(\.row)
        default: return try list(table, of: owner)
        }
    }

    /// A line is shared, not a version: its rows name the version that lists show.
    func shares() throws(DocumentError) -> [(document: Document, share: Share, row: [RowValue])] {
        var shown: [ID<Line>: Document] = [:]
        for document in try documents() where !document.shares.isEmpty {
            guard let other = shown[document.line],
                other.isCurrent || !document.isCurrent && other.version > document.version
            else {
                shown[document.line] = document
                continue
            }
        }
        return shown.values.sorted { $0.id < $1.id }.flatMap { document in
            document.shares.map { (document, $0, Self.row($0, of: document)) }
        }
    }
}

/// Things of the library as rows.
extension CallerRows {
    static func row(_ document: Document) -> [RowValue] {
        [
            .uuid(document.id.text), .uuid(document.owner.text), .text(document.type.rawValue), .text(document.title),
            document.description.map(RowValue.text) ?? .null, .text(document.file.path),
            .text(document.file.mediaType.rawValue), .integer(Int64(document.version)),
            document.school.map { .uuid($0.text) } ?? .null, .boolean(document.isCurrent),
            .array(document.shares.map { .text($0.school.text) }), .uuid(document.uploader.text),
            .timestamp(document.created), .timestamp(document.updated),
        ]
    }

    static func row(_ school: School) -> [RowValue] {
        [
            .uuid(school.id.text), .uuid(school.owner.text), .text(school.name), .timestamp(school.created),
            .timestamp(school.created),
        ]
    }

    static func row(_ template: CommunicationTemplate) -> [RowValue] {
        [
            .uuid(template.id.text), .uuid(template.owner.text), .text(template.name), .text(template.type.rawValue),
            .text(template.body), .array(template.variables.map(RowValue.text)), .timestamp(template.created),
            .timestamp(template.updated),
        ]
    }

    static func row(_ share: Share, of document: Document) -> [RowValue] {
        [
            .uuid(identity(of: share, document)), .uuid(document.id.text), .uuid(share.school.text),
            .text(share.permission.rawValue), .timestamp(document.created),
        ]
    }

    /// Shares have no identity of their own: theirs is made of line and school (version 8 of RFC 9562).
    private static func identity(of share: Share, _ document: Document) -> String {
        var bytes = Array(SHA256.digest(of: document.line.bytes + share.school.bytes).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID<Share>(bytes: bytes)?.text ?? ""
    }
}

extension RowError {
    /// An error of the library as PostgreSQL would say it of a table.
    init(_ error: DocumentError, in table: RowTable) {
        switch error {
        case .notFound(let subject):
            let column =
                switch subject {
                case .school: "school_id"
                case .document, .version: "document_id"
                default: "file_url"
                }
            if column == "file_url" {
                self = .check(column, of: table, error.message)
            } else {
                self.init(
                    409, "23503",
                    "insert or update on table \"\(table.name)\" violates foreign key constraint "
                        + "\"\(table.name)_\(column)_fkey\"", details: error.message)
            }
        case .invalid(let field, let message): self = .check(field, of: table, message)
        case .refusedType(let message, _): self = .check("file_type", of: table, message)
        case .tooLarge: self = .check("file_url", of: table, error.message)
        case .overQuota, .tooMany: self.init(413, "54000", error.message)
        case .conflict, .taken, .referenced:
            self.init(
                409, "23505", "duplicate key value violates unique constraint \"\(table.name)_key\"",
                details: error.message)
        case .notAllowed: self.init(403, "42501", error.message)
        case .quarantined: self.init(409, "55000", error.message)
        case .full: self.init(503, "53100", error.message)
        case .unavailable(let detail):
            self.init(503, "PGRST000", "Database connection error. Retrying the connection.", details: detail)
        }
    }

    static func check(_ column: String, of table: RowTable, _ message: String) -> RowError {
        RowError(
            400, "23514",
            "new row for relation \"\(table.name)\" violates check constraint \"\(table.name)_\(column)_check\"",
            details: message)
    }

    static func null(_ column: String, of table: RowTable) -> RowError {
        RowError(
            400, "23502",
            "null value in column \"\(column)\" of relation \"\(table.name)\" violates not-null constraint")
    }

    /// - Parameter isSignedIn: whether a key with more rights could help.
    static func rowSecurity(_ table: RowTable, isSignedIn: Bool = true) -> RowError {
        RowError(
            isSignedIn ? 403 : 401, "42501", "new row violates row-level security policy for table \"\(table.name)\"")
    }

    static func converting<Value>(
        in table: RowTable, _ body: () throws(DocumentError) -> Value
    ) throws(RowError) -> Value {
        do throws(DocumentError) { return try body() } catch { throw RowError(error, in: table) }
    }
}
