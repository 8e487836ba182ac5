internal import Access
internal import Accounts
internal import Audit
internal import Documents
internal import JobSearch
internal import Media
internal import SearchDatabase

/// The lists of a person's archive. Each is read while it is written, a page of rows at a time.
struct ArchiveLists: Sendable {
    let account: Account
    let accounts: AccountDesk
    let documents: any DocumentStore
    let searches: SearchDesk?
    let audit: AuditLog?
    /// How many bytes of the audit log are read, the latest ones.
    let activityByteCount: Int64
    /// Is told what gets into no list.
    let gaps: ArchiveGaps

    private static let pageCount = 50

    /// The lists in their order, but for the one of what is missing.
    func all(_ searched: [ResumeSearch]) -> [ArchiveList] {
        [
            accountList(), documentList(), shareList(), schoolList(), templateList(), searchList(searched),
            activityList(),
        ]
    }

    /// The person's searches for jobs, the latest first.
    func searched() throws -> [ResumeSearch] {
        guard let searches else { return [] }
        let (found, unreadable) = try searches.searches(of: account.id)
        for session in unreadable { gaps.note("search", session, "cannot be read") }
        return found
    }

    /// What the archive does not have, and the rows that no list shows.
    func missing() -> ArchiveList {
        let next = Self.elements { [documents, account, gaps] in
            for row in try documents.unreadableRows(of: account.id) { gaps.note(row.kind, row.name, "cannot be read") }
            return gaps.things
        }
        return ArchiveList("missing.json", .array) { try next().map { Self.text($0.json) } }
    }

    /// The path in the archive of a file in the store, `{person}/{type}/{name}`.
    func name(of path: String) -> String {
        "files/\(Substring(path.utf8.dropFirst(account.id.text.utf8.count + 1)))"
    }

    private func accountList() -> ArchiveList {
        let next = Self.elements { [self] in [try accountJSON()] }
        return ArchiveList("account.json", .lines) { try next().map(Self.text) }
    }

    private func accountJSON() throws -> JSON {
        .object([
            "id": .string(account.id.text), "email": .string(account.address.text), "data": account.metadata,
            "created_at": .string(account.created.description),
            "identities": .array(try accounts.store.identities(of: account.id).map(\.archived)),
            "guardians": .array(try accounts.guardians(of: account.id).map(\.archived)),
        ])
    }

    /// All versions of all documents.
    private func documentList() -> ArchiveList {
        let next = Self.elements(of: StorePlace.self) { [self] place in
            let page = try documents.allVersions(of: account.id, behind: place, limit: Self.pageCount)
            for row in page.unreadable { gaps.note("document", row, "cannot be read") }
            return (page.elements, page.next)
        }
        return ArchiveList("documents.json", .array) { [self] in
            guard let version = try next() else { return nil }
            if version.file.object == nil { gaps.note("file", name(of: version.file.path), "is not stored") }
            return Self.text(json(version))
        }
    }

    private func json(_ version: Document) -> JSON {
        .object([
            "id": .string(version.id.text), "line_id": .string(version.line.text),
            "type": .string(version.type.rawValue), "title": .string(version.title),
            "description": version.description.map(JSON.string) ?? .null,
            "version": .integer(Int64(version.version)), "is_current": .bool(version.isCurrent),
            "school_id": version.school.map { .string($0.text) } ?? .null,
            "uploaded_by": .string(version.uploader.text), "file": .string(name(of: version.file.path)),
            "file_name": .string(version.file.name), "sha256": .string("\(version.file.digest)"),
            "created_at": .string(version.created.description), "updated_at": .string(version.updated.description),
        ])
    }

    /// Documents with the schools and the links that they are shared by: once for all versions of a document.
    private func shareList() -> ArchiveList {
        let next = Self.elements(of: ListCursor.self) { [documents, account] cursor in
            var query = ListQuery()
            // A document that gets a version meanwhile moves on, and is not passed over.
            (query.sort, query.cursor, query.limit) = (.oldest, cursor, Self.pageCount)
            let page = try documents.list(query, of: account.id)
            return (page.documents, page.next)
        }
        return ArchiveList("shares.json", .array) { [documents, account] in
            while let document = try next() {
                do {
                    let links = try documents.links(to: document.id, of: account.id)
                    guard !document.shares.isEmpty || !links.isEmpty else { continue }
                    return Self.text(Self.json(document, links))
                } catch DocumentError.notFound {
                    // It was removed meanwhile.
                }
            }
            return nil
        }
    }

    private static func json(_ document: Document, _ links: [ShareLink]) -> JSON {
        .object([
            "line_id": .string(document.line.text), "title": .string(document.title),
            "shared_with": .array(document.shares.map(\.archived)), "links": .array(links.map(\.archived)),
        ])
    }

    private func schoolList() -> ArchiveList {
        let next = Self.elements { [documents, account] in try documents.schools(of: account.id) }
        return ArchiveList("schools.json", .array) {
            try next().map { Self.text(.object(["id": .string($0.id.text), "name": .string($0.name)])) }
        }
    }

    private func templateList() -> ArchiveList {
        let next = Self.elements { [documents, account] in try documents.templates(of: account.id) }
        return ArchiveList("templates.json", .array) { try next().map { Self.text($0.archived) } }
    }

    private func searchList(_ searched: [ResumeSearch]) -> ArchiveList {
        let next = Self.elements { searched }
        return ArchiveList("searches.json", .array) { [searches, gaps] in
            while let search = try next() {
                if let record = try searches?.record(of: search) { return Self.text(record) }
                gaps.note("search", search.session.text, "cannot be read")
            }
            return nil
        }
    }

    private func activityList() -> ArchiveList {
        var lines: AuditLines?
        return ArchiveList("activity.jsonl", .lines) { [audit, account, activityByteCount, gaps] in
            if lines == nil {
                lines = try audit?.lines(about: account.id, atMost: activityByteCount)
                if let day = lines?.firstDay { gaps.note("activity", day, "is cut, and earlier days are left out") }
            }
            return try lines?.next()
        }
    }

    // MARK: Rows

    private static func text(_ json: JSON) -> [UInt8] { Array(json.text.utf8) }

    /// The elements of an array that is read with the first of them.
    private static func elements<Element>(of all: @escaping () throws -> [Element]) -> () throws -> Element? {
        elements(of: Never.self) { _ in (try all(), nil) }
    }

    /// The elements of a list that comes page by page.
    private static func elements<Element, Place>(
        of places: Place.Type, _ page: @escaping (Place?) throws -> (elements: [Element], next: Place?)
    ) -> () throws -> Element? {
        var (rest, place, isOver) = ([Element]()[...], Place?.none, false)
        return {
            while rest.isEmpty {
                if isOver { return nil }
                let next = try page(place)
                (rest, place, isOver) = (next.elements[...], next.next, next.next == nil)
            }
            return rest.removeFirst()
        }
    }
}
