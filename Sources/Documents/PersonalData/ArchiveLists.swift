internal import Documents
internal import Linux
internal import Media
internal import People

/// The lists of a person's archive. Each is read while it is written, one page of rows at a time.
struct ArchiveLists: Sendable {
    let account: Account
    let accounts: AccountDesk
    let documents: DocumentStore
    let parts: [PersonalPart]
    let audit: AuditLog?
    /// How many of the latest bytes of the audit log are read.
    let activityByteCount: Int64
    /// Records what gets into no list.
    let gaps: ArchiveGaps

    private static let pageCount = 50

    /// The lists in order, except the list of what is missing.
    func all(_ found: [PartThings]) -> [ArchiveList] {
        [accountList(), documentList(), shareList(), schoolList(), templateList()] + found.map(list) + [activityList()]
    }

    /// What a part of the service keeps about the person.
    typealias PartThings = (part: PersonalPart, things: [PersonalPart.Thing])

    /// What all parts keep about the person.
    func partThings() throws -> [PartThings] {
        try parts.map { part in
            let (found, unreadable) = try part.things(account.id)
            for name in unreadable { gaps.note(part.kind, name, "cannot be read") }
            return (part, found)
        }
    }

    /// What the archive does not have, and the rows that no list shows.
    func missing() -> ArchiveList {
        let things = ArchivePaging.page { [documents, account, gaps] in
            for row in try documents.unreadableRows(of: account.id) { gaps.note(row.kind, row.name, "cannot be read") }
            return gaps.things
        }
        return ArchiveList("missing.json", of: things) { $0.json }
    }

    /// The path in the archive of a file in the store, `{person}/{type}/{name}`.
    func name(of path: String) -> String {
        "files/\(Substring(path.utf8.dropFirst(account.id.text.utf8.count + 1)))"
    }

    private func accountList() -> ArchiveList {
        ArchiveList("account.json", .lines, of: ArchivePaging.page { [self] in [try accountJSON()] }) { $0 }
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
        let versions = ArchivePaging.pages(of: StorePlace.self) { [self] place in
            let page = try documents.allVersions(of: account.id, behind: place, limit: Self.pageCount)
            for row in page.unreadable { gaps.note("document", row, "cannot be read") }
            return (page.elements, page.next)
        }
        return ArchiveList("documents.json", of: versions) { [self] version in
            if version.file.object == nil { gaps.note("file", name(of: version.file.path), "is not stored") }
            return json(version)
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

    /// Documents with the schools and the links that they are shared by, once for all versions of a document.
    private func shareList() -> ArchiveList {
        let shared = ArchivePaging.pages(of: ListCursor.self) { [documents, account] cursor in
            var query = ListQuery()
            // A document that gets a version meanwhile moves on, and is not skipped.
            (query.sort, query.cursor, query.limit) = (.oldest, cursor, Self.pageCount)
            let page = try documents.list(query, of: account.id)
            let links = Dictionary(
                grouping: try documents.links(toLines: page.documents.map(\.line), of: account.id), by: \.line)
            let shared = page.documents.map { (document: $0, links: links[$0.line] ?? []) }
                .filter { !$0.document.shares.isEmpty || !$0.links.isEmpty }
            return (shared, page.next)
        }
        return ArchiveList("shares.json", of: shared) { Self.json($0.document, $0.links) }
    }

    private static func json(_ document: Document, _ links: [ShareLink]) -> JSON {
        .object([
            "line_id": .string(document.line.text), "title": .string(document.title),
            "shared_with": .array(document.shares.map(\.archived)), "links": .array(links.map(\.archived)),
        ])
    }

    private func schoolList() -> ArchiveList {
        let schools = ArchivePaging.page { [documents, account] in try documents.schools(of: account.id) }
        return ArchiveList("schools.json", of: schools) {
            .object(["id": .string($0.id.text), "name": .string($0.name)])
        }
    }

    private func templateList() -> ArchiveList {
        let templates = ArchivePaging.page { [documents, account] in try documents.templates(of: account.id) }
        return ArchiveList("templates.json", of: templates) { $0.archived }
    }

    private func list(_ found: PartThings) -> ArchiveList {
        ArchiveList(found.part.listName, of: ArchivePaging.page { found.things }) { [gaps] thing in
            let record = try thing.record()
            if record == nil { gaps.note(found.part.kind, thing.name, "cannot be read") }
            return record
        }
    }

    private func activityList() -> ArchiveList {
        var lines: AuditLines?
        return ArchiveList("activity.jsonl", .lines) { [audit, account, activityByteCount, gaps] in
            do throws(SystemError) {
                if lines == nil {
                    lines = try audit?.lines(about: account.id, atMost: activityByteCount)
                    if let day = lines?.firstDay {
                        gaps.note("activity", day, "starts partway through this day; earlier days are omitted")
                    }
                }
                return try lines?.next()
            } catch {
                gaps.note("activity", "activity.jsonl", "is incomplete: the audit log cannot be read")
                return nil
            }
        }
    }
}
