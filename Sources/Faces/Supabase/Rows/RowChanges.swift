internal import Documents
internal import Library
internal import Media
internal import Objects
internal import People

/// Changes rows by the rules of the library.
struct RowChanges {
    let library: DocumentLibrary
    let caller: Caller
    let table: RowTable
    let reader: TableReader

    private var owner: ID<Person> { caller.owner }

    /// Inserts a row.
    ///
    /// - Returns: its ID.
    func insert(_ row: RowInput) throws(RowError) -> String {
        try requireOwnRow(row)
        switch table {
        case .documents: return try insertDocument(row).id.text
        case .schools: return try insertSchools([row])[0]
        case .communicationTemplates:
            let (name, body) = (try required("name", row), try required("body", row))
            let type = try channel(try required("type", row))
            return try converting { () throws(DocumentError) in
                try library.addTemplate(named: name, type: type, body: body, of: owner)
            }.id.text
        default: return try insertShare(row)
        }
    }

    /// Inserts rows of schools.
    ///
    /// - Returns: their IDs, in the order of the rows.
    func insertSchools(_ rows: [RowInput]) throws(RowError) -> [String] {
        var names: [String] = []
        for row in rows {
            try requireOwnRow(row)
            names.append(try required("name", row))
        }
        let added = try converting { () throws(DocumentError) in try library.addSchools(named: names, of: owner) }
        return added.map(\.id.text)
    }

    /// Writes given values to an existing row.
    ///
    /// - Parameter stored: the row with all columns.
    func update(_ stored: SelectedRow, to row: RowInput) throws(RowError) {
        if let text = row.text("user_id"), text != caller.owner.text { throw .rowSecurity(table) }
        switch table {
        case .documents: try updateDocument(stored, to: row)
        case .schools:
            try requireSame(["id"], stored, row)
            // An upsert contains most schools unchanged.
            guard let name = try given("name", row), .text(name) != stored.values[2], let id = ID<School>(stored.id)
            else { return }
            _ = try converting { () throws(DocumentError) in try library.renameSchool(id, of: owner, to: name) }
        case .communicationTemplates:
            try requireSame(["id"], stored, row)
            guard let id = ID<CommunicationTemplate>(stored.id) else { return }
            let (name, body) = (try given("name", row), try given("body", row))
            let word = try given("type", row)
            let type = try word.map { word throws(RowError) in try channel(word) }
            _ = try converting { () throws(DocumentError) in
                try library.changeTemplate(id, of: owner, name: name, type: type, body: body)
            }
        default:
            try requireSame(["id", "document_id", "school_id"], stored, row)
            guard let word = try given("permission", row) else { return }
            try share(try document(stored.values[1]), with: stored.values[2], permission: try permission(word))
        }
    }

    /// Removes a row. With a document's current version, its whole line is removed.
    func delete(_ stored: SelectedRow) throws(RowError) {
        do throws(DocumentError) {
            switch table {
            case .documents:
                guard let id = ID<Document>(stored.id) else { return }
                let document = try library.store.document(id, of: owner)
                if document.isCurrent {
                    try library.store.removeLine(of: id, owner: owner)
                } else {
                    try library.store.removeVersion(id, of: owner)
                }
            case .schools:
                if let id = ID<School>(stored.id) { try library.store.removeSchool(id, of: owner) }
            case .communicationTemplates:
                if let id = ID<CommunicationTemplate>(stored.id) { try library.store.removeTemplate(id, of: owner) }
            default:
                let (document, school) = (stored.values[1].text ?? "", stored.values[2].text ?? "")
                guard let id = ID<Document>(document), let school = ID<School>(school) else { return }
                _ = try library.store.unshare(id, of: owner, from: [school])
            }
        } catch {
            // The row may have been removed with another row of the request; an unreadable row still exists.
            if case .notFound = error {
                if table != .documents { return }
                if try reader.rows(.identities(of: table), ids: [stored.id]).isEmpty { return }
            }
            throw RowError(error, in: table)
        }
    }

    // MARK: Documents

    private func insertDocument(_ row: RowInput) throws(RowError) -> Document {
        let word = try required("type", row)
        guard let type = DocumentType(rawValue: word) else {
            throw .check(
                "type", of: table, "Types are \(DocumentType.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let title = try required("title", row)
        _ = try required("file_url", row)
        let path = try filePath(row, type)
        let school = try schoolID(row)
        let library = library
        let owner = owner
        let version = row.text("version").flatMap { Int($0) } ?? 1
        if version < 1 { throw .check("version", of: table, "Versions count from 1.") }
        let document = try converting { () throws(DocumentError) in
            let predecessor =
                version > 1
                ? try library.store.document(ofType: type, titled: try TextRules.title(title), of: owner)?.id : nil
            return try library.addDocument(
                of: path, owner: owner, uploader: caller.actor, type: type, title: title,
                description: row.text("description"), school: school, predecessor: predecessor,
                isCurrent: row.values["is_current"] != .boolean(false))
        }
        if let schools = row.values["shared_with_schools"] { try setShares(of: document, schools) }
        return document
    }

    /// The path of a file that the caller has uploaded for this type.
    private func filePath(_ row: RowInput, _ type: DocumentType) throws(RowError) -> ObjectPath {
        guard let path = row.text("file_url").flatMap(FileAddresses.path).flatMap({ try? ObjectPath($0) }) else {
            throw .check("file_url", of: table, "This is no address of a file in the bucket.")
        }
        guard path.owner == owner else { throw .rowSecurity(table) }
        guard path.names.count >= 3, path.names[1] == type.rawValue else {
            throw .check("file_url", of: table, "The file lies at no path of this type: \(owner)/\(type.rawValue)/….")
        }
        return path
    }

    /// Whether two paths have the same bytes.
    private static func isSame(_ path: String?, _ other: String?) -> Bool {
        path.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    private func updateDocument(_ stored: SelectedRow, to row: RowInput) throws(RowError) {
        guard let id = ID<Document>(stored.id) else { return }
        try requireSame(["id", "type", "version", "file_type"], stored, row)
        let path = table.fileColumn.flatMap { stored.values[$0].text }
        if let text = row.text("file_url"), !Self.isSame(FileAddresses.path(text), path) {
            throw .check("file_url", of: table, "A version keeps its file: store a new version.")
        }
        var change = DocumentChange()
        change.title = try given("title", row)
        if let value = row.values["description"] { change.description = .some(value.text) }
        if row.values["school_id"] != nil { change.school = .some(try schoolID(row)) }
        if change.title != nil || change.description != nil || change.school != nil {
            let wanted = change
            _ = try converting { () throws(DocumentError) in try library.change(id, of: owner, to: wanted) }
        }
        if case .boolean(let isCurrent)? = row.values["is_current"] {
            _ = try converting { () throws(DocumentError) in
                isCurrent
                    ? try library.store.restore(id, of: owner) : try library.store.clearCurrent(id, of: owner)
            }
        }
        if let schools = row.values["shared_with_schools"] {
            try setShares(of: try document(stored.values[0]), schools)
        }
    }

    /// Shares a document with exactly these schools.
    private func setShares(of document: Document, _ value: RowValue) throws(RowError) {
        var wanted: [ID<School>] = []
        if case .texts(let texts) = value {
            for text in texts {
                guard let id = text.flatMap({ ID<School>($0) }) else {
                    throw RowError(.notFound(.school), in: table)
                }
                wanted.append(id)
            }
        }
        let present = document.shares.map(\.school)
        let (added, removed) = (wanted.filter { !present.contains($0) }, present.filter { !wanted.contains($0) })
        try converting { () throws(DocumentError) in
            if !added.isEmpty {
                _ = try library.store.share(document.id, of: owner, with: added, permission: .view)
            }
            if !removed.isEmpty { _ = try library.store.unshare(document.id, of: owner, from: removed) }
        }
    }

    // MARK: Shares

    private func insertShare(_ row: RowInput) throws(RowError) -> String {
        _ = (try required("document_id", row), try required("school_id", row))
        let document = try document(row.values["document_id"] ?? .null)
        let school = row.values["school_id"] ?? .null
        let permission = try permission(row.text("permission") ?? Share.Permission.view.rawValue)
        if document.shares.contains(where: { $0.school.text == school.text }) {
            throw RowError(
                409, "23505",
                "duplicate key value violates unique constraint \"document_shares_document_id_school_id_key\"")
        }
        try share(document, with: school, permission: permission)
        // The row has the version that lists show.
        let versions = try converting { () throws(DocumentError) in
            try library.store.versions(of: document.id, owner: owner)
        }
        let rows = try reader.rows(
            .everything(of: table), where: [1: versions.map { .uuid($0.id.text) }])
        return rows.first { $0.values[2] == school }?.id ?? ""
    }

    private func share(
        _ document: Document, with school: RowValue, permission: Share.Permission
    ) throws(RowError) {
        guard let school = ID<School>(school.text ?? "") else { throw RowError(.notFound(.school), in: table) }
        _ = try converting { () throws(DocumentError) in
            try library.store.share(document.id, of: owner, with: [school], permission: permission)
        }
    }

    private func permission(_ word: String) throws(RowError) -> Share.Permission {
        guard let permission = Share.Permission(rawValue: word) else {
            throw .check("permission", of: table, "The permission is view or edit.")
        }
        return permission
    }

    // MARK: Values

    private func document(_ value: RowValue) throws(RowError) -> Document {
        guard let id = ID<Document>(value.text ?? "") else { throw RowError(.notFound(.document), in: table) }
        return try converting { () throws(DocumentError) in try library.store.document(id, of: owner) }
    }

    private func channel(_ word: String) throws(RowError) -> CommunicationTemplate.Channel {
        guard let channel = CommunicationTemplate.Channel(rawValue: word) else {
            throw .check("type", of: table, "The type is email, text or twitter.")
        }
        return channel
    }

    private func schoolID(_ row: RowInput) throws(RowError) -> ID<School>? {
        guard let text = row.text("school_id") else { return nil }
        guard let id = ID<School>(text) else { throw RowError(.notFound(.school), in: table) }
        return id
    }

    private func required(_ column: String, _ row: RowInput) throws(RowError) -> String {
        guard let text = row.text(column) else { throw .null(column, of: table) }
        return text
    }

    /// The text of a column that may not be null; `nil` if it is absent.
    private func given(_ column: String, _ row: RowInput) throws(RowError) -> String? {
        row.values[column] == nil ? nil : try required(column, row)
    }

    /// Nobody creates rows for another person, or chooses their IDs.
    private func requireOwnRow(_ row: RowInput) throws(RowError) {
        if let id = row.text("id") {
            throw .notBuilt("The service gives identities itself; leave out the id \(id).")
        }
        for (column, person) in [("user_id", caller.owner), ("uploaded_by", caller.actor)] {
            if let text = row.text(column), text != person.text { throw .rowSecurity(table) }
        }
    }

    /// Requires that a change leaves these columns as they are.
    private func requireSame(_ columns: [String], _ stored: SelectedRow, _ row: RowInput) throws(RowError) {
        for column in columns {
            guard let value = row.values[column], let place = table.index(of: column), value != stored.values[place]
            else { continue }
            throw .check(column, of: table, "\(column) cannot be changed.")
        }
    }

    private func converting<Value>(_ body: () throws(DocumentError) -> Value) throws(RowError) -> Value {
        try RowError.converting(in: table, body)
    }
}
