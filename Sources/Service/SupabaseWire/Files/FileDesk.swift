internal import Access
internal import Documents
internal import Library
internal import Linux
internal import Media
internal import Objects

/// Works on the files of one caller. It blocks.
struct FileDesk: Sendable {
    let library: DocumentLibrary
    let caller: Caller
    /// Asks the store whether a file may still be written in the caller's name.
    let requireChange: @Sendable () throws(AccessError) -> Void

    private var objects: any ObjectStore { library.objects }

    /// The person whose path it is, where the path is within the caller's reach.
    func owner(of path: ObjectPath) -> ID<Person>? {
        guard let owner = path.owner, caller.reach.includes(owner) else { return nil }
        return owner
    }

    /// An object within the caller's reach.
    ///
    /// - Throws: `NoSuchKey`, also for objects of others.
    func file(_ path: ObjectPath) throws(FileError) -> StoredFile {
        guard owner(of: path) != nil else { throw .noObject }
        return try Self.file(path, in: library)
    }

    /// An object of anybody's, for signed and public addresses.
    ///
    /// - Throws: `NoSuchKey`, also for the file of a deleted document, which is still to be removed.
    static func file(_ path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> StoredFile {
        let status = try converting { () throws(ObjectError) in try library.objects.status(of: path) }
        guard let file = try stored(status, in: library) else { throw .noObject }
        return file
    }

    /// - Returns: `nil` where the object's document was deleted.
    private static func stored(_ status: ObjectStatus, in library: DocumentLibrary) throws(FileError) -> StoredFile? {
        let path = status.path.text
        let document = try document(at: status.path, in: library)
        return try asking { () throws(DocumentError) in
            if document == nil, try library.store.removal(of: path) != nil { return nil }
            return StoredFile(status, document: document, notes: try library.store.notes(ofFile: path))
        }
    }

    static func document(at path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> Document? {
        try asking { () throws(DocumentError) in try library.store.document(withFile: path.text) }
    }

    /// - Throws: where the path is not the caller's to write, or is that of a document's file.
    ///
    /// - Returns: the person whose path it is.
    @discardableResult
    func checkWritable(_ path: ObjectPath, replacing: Bool) throws(FileError) -> ID<Person> {
        guard let owner = owner(of: path) else { throw .notAllowed }
        guard try Self.document(at: path, in: library) == nil else { throw replacing ? .referenced : .taken }
        try waitForRemoval(of: path)
        return owner
    }

    /// Makes a whole file the object of a path, once the right to do so was asked about again: sending may have taken long.
    func commit(
        _ file: FileIntake, to path: ObjectPath, replacing: Bool, _ notes: FileNotes
    ) throws {
        try checkWritable(path, replacing: replacing)
        // Last of all, as waiting for a removal takes time.
        try requireChange()
        try Self.asking { () throws(DocumentError) in try file.commit(to: path, replacing: replacing) }
        try keep(notes, of: path)
    }

    /// Waits until the file of a deleted document is gone, which would take a new one of the same path with it.
    private func waitForRemoval(of path: ObjectPath) throws(FileError) {
        let deadline = Time.monotonic + .seconds(2)
        while try Self.asking({ () throws(DocumentError) in try library.store.removal(of: path.text) }) != nil {
            guard Time.monotonic < deadline else { throw .taken }
            Time.sleep(.milliseconds(20))
        }
    }

    /// Keeps what a client has said of an object that was just stored.
    func keep(_ notes: FileNotes, of path: ObjectPath) throws(FileError) {
        try Self.asking { () throws(DocumentError) in try library.store.keep(notes, ofFile: path.text) }
    }

    func move(_ path: ObjectPath, to newPath: ObjectPath) throws(FileError) {
        let notes = try file(path).notes
        guard let newOwner = owner(of: newPath) else { throw .notAllowed }
        if try Self.document(at: path, in: library) != nil { throw .referenced }
        try waitForRemoval(of: newPath)
        try Self.converting { () throws(ObjectError) in try objects.move(path, to: newPath, replacing: false) }
        try keep(notes, of: newPath)
        try keep(FileNotes(), of: path)
        try Self.asking { () throws(DocumentError) in
            try library.store.moveLooseFile(from: path.text, to: newPath.text, of: newOwner)
        }
    }

    func copy(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(FileError) -> StoredFile {
        let source = try file(path)
        let owner = try checkWritable(newPath, replacing: replacing)
        try Self.asking { () throws(DocumentError) in
            let room = try library.reserveRoom(for: source.byteCount, of: owner)
            defer { room.settle() }
            try library.keepFile(at: newPath, of: owner, byteCount: source.byteCount) { () throws(ObjectError) in
                _ = try objects.copy(path, to: newPath, replacing: replacing)
            }
        }
        try keep(source.notes, of: newPath)
        return try file(newPath)
    }

    /// Removes those of these paths that are within the caller's reach.
    ///
    /// - Returns: the removed objects.
    func remove(_ paths: [String]) throws(FileError) -> [JSON] {
        var removed: [JSON] = []
        for text in paths {
            guard let path = try? ObjectPath(text), let owner = owner(of: path), let file = try? file(path) else {
                continue
            }
            // Its owner may remove the file of a document, and then the document.
            if try Self.converting({ () throws(ObjectError) in try objects.removeReferenced(path) }) {
                removed.append(file.removed(owner: owner))
            }
            try Self.asking { () throws(DocumentError) in try library.store.forgetFile(at: path.text) }
        }
        return removed
    }

    /// The entries of a folder; a folder out of reach has none.
    func list(_ listing: Listing) throws(FileError) -> [JSON] {
        let slash = UInt8(ascii: "/")
        let isWhole = listing.prefix.isEmpty || listing.prefix.utf8.last == slash
        let folder = isWhole ? listing.prefix : listing.prefix + "/"
        var entries: [(name: String, modified: Int64, json: JSON)] = []
        // Names are told apart by their bytes.
        var folders: Set<[UInt8]> = []
        var last: ObjectPath?
        guard let prefix = reachable(folder) else { return [] }
        while entries.count < 10_000 {
            let page = try Self.converting { () throws(ObjectError) in
                try objects.list(prefix: prefix, after: last, limit: 1000)
            }
            for status in page.elements {
                let rest = status.path.text.utf8.dropFirst(folder.utf8.count)
                let name = String(Substring(rest.prefix { $0 != slash }))
                if name.utf8.count == rest.count {
                    guard let file = try Self.stored(status, in: library) else { continue }
                    entries.append((name, status.modified, file.entry(named: name)))
                } else if folders.insert(Array(name.utf8)).inserted {
                    entries.append((name, 0, Self.folder(name)))
                }
            }
            guard let next = page.next else { break }
            last = next
        }
        let search = listing.search.lowercased()
        let found = search.isEmpty ? entries : entries.filter { $0.name.lowercased().hasPrefix(search) }
        let sorted = found.sorted { left, right in
            let isBefore =
                listing.sortsByTime && left.modified != right.modified
                ? left.modified < right.modified : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            return isBefore != listing.isDescending
        }
        return sorted.dropFirst(listing.offset).prefix(listing.limit).map(\.json)
    }

    /// The part of a folder that the caller reaches: of the whole bucket, a person reaches their own folder.
    private func reachable(_ folder: String) -> String? {
        switch caller.reach {
        case .nobody: return nil
        case .everybody: return folder
        case .person(let person):
            let own = person.text + "/"
            if folder.isEmpty { return own }
            return folder.utf8.starts(with: own.utf8) ? folder : nil
        }
    }

    private static func folder(_ name: String) -> JSON {
        .object([
            "name": .string(name), "id": .null, "updated_at": .null, "created_at": .null, "last_accessed_at": .null,
            "metadata": .null,
        ])
    }

    static func converting<Value>(_ body: () throws(ObjectError) -> Value) throws(FileError) -> Value {
        do throws(ObjectError) { return try body() } catch { throw FileError(error) }
    }

    static func asking<Value>(_ body: () throws(DocumentError) -> Value) throws(FileError) -> Value {
        do throws(DocumentError) { return try body() } catch { throw FileError(error) }
    }
}

/// What a list asks for.
struct Listing: Sendable {
    let prefix: String
    let limit: Int
    let offset: Int
    let search: String
    let sortsByTime: Bool
    let isDescending: Bool

    init(_ json: JSON) {
        prefix = json["prefix"]?.string ?? ""
        limit = min(max(json["limit"]?.int ?? 100, 0), 10_000)
        offset = max(json["offset"]?.int ?? 0, 0)
        search = json["search"]?.string ?? ""
        let column = json["sortBy"]?["column"]?.string ?? "name"
        sortsByTime = column != "name"
        isDescending = json["sortBy"]?["order"]?.string?.lowercased() == "desc"
    }
}
