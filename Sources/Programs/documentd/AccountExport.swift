import Accounts
import Audit
import DocumentDatabase
import Documents
import Linux
import Media
import Objects

/// Everything of a person as a ZIP archive: four lists in JSON, what was done by the person or with their things, and every file under `files/`.
struct AccountExport {
    let account: Account
    let documents: SQLiteDocumentStore
    let files: FolderStore
    let audit: AuditLog

    private static let pageCount = 200

    /// Writes the archive.
    ///
    /// - Returns: the number of files in it that are the person's.
    func write(to file: consuming Descriptor, at now: Instant) throws -> Int {
        var archive = ZipWriter(file)
        let schools = try documents.schools(of: account.id)
        try archive.add("account.json", at: account.updated, Self.lines(accountJSON))
        try archive.add("documents.json", at: now, Self.lines(.array(try versions().map { try json($0, schools) })))
        try archive.add("schools.json", at: now, Self.lines(.array(schools.map { .string($0.name) })))
        let templates = try documents.templates(of: account.id)
        try archive.add("templates.json", at: now, Self.lines(.array(templates.map(Self.json))))
        let lines = try audit.lines(naming: account.id)
        try archive.add("activity.jsonl", at: now, Array(lines.map { "\($0)\n" }.joined().utf8))
        let count = try addFiles(to: &archive)
        try archive.finish()
        return count
    }

    private func addFiles(to archive: inout ZipWriter) throws -> Int {
        var (count, last) = (0, ObjectPath?.none)
        while true {
            let page = try files.list(prefix: "\(account.id)/", after: last, limit: Self.pageCount)
            for object in page {
                let reader = try files.open(object.path)
                try archive.add(name(of: object.path.text), at: Instant(microseconds: object.modified / 1000)) {
                    piece in
                    try Self.read(reader, piece)
                }
            }
            count += page.count
            last = page.last?.path
            if page.count < Self.pageCount { return count }
        }
    }

    private static func read(_ reader: any ObjectReader, _ piece: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try reader.read(into: buffer, at: offset)
            if count == 0 { return }
            try piece(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// The path in the archive of a file in the store, `{person}/{type}/{name}`.
    private func name(of path: String) -> String { "files/\(path.dropFirst(account.id.text.count + 1))" }

    private func versions() throws -> [Document] {
        var all: [Document] = []
        while true {
            let page = try documents.allVersions(of: account.id, behind: all.last?.id, limit: Self.pageCount)
            all += page
            if page.count < Self.pageCount { return all }
        }
    }

    // MARK: Lists

    private static func lines(_ json: JSON) -> [UInt8] { Array((json.text + "\n").utf8) }

    private var accountJSON: JSON {
        .object([
            "id": .string(account.id.text), "email": .string(account.address.text), "data": account.metadata,
            "created_at": .string(account.created.description),
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
            "file": .string(self.name(of: document.file.path)), "file_name": .string(document.file.name),
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
