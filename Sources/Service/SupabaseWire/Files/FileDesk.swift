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
    /// - Throws: `NoSuchKey`.
    static func file(_ path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> StoredFile {
        guard let object = try object(at: path, in: library) else { throw .noObject }
        return StoredFile(object, at: path)
    }

    private static func object(at path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> StoredObject? {
        try asking { () throws(DocumentError) in try library.store.object(at: path.text) }
    }

    /// Refuses at once what the transaction that stores the file would refuse in the end.
    ///
    /// - Returns: the person whose path it is.
    @discardableResult
    func checkWritable(_ path: ObjectPath, replacing: Bool) throws(FileError) -> ID<Person> {
        guard let owner = owner(of: path) else { throw .notAllowed }
        guard let object = try Self.object(at: path, in: library) else { return owner }
        guard replacing else { throw .taken }
        let isNamed = try Self.asking { () throws(DocumentError) in
            try library.store.document(withObject: object.id) != nil
        }
        if isNamed { throw .referenced }
        return owner
    }

    /// Stores a whole file under a path. Whether the caller may still do so is asked in the transaction: sending may have taken long.
    func commit(
        _ file: Intake, to path: ObjectPath, replacing: Bool, _ notes: FileNotes
    ) throws -> StoredFile {
        let owner = try checkWritable(path, replacing: replacing)
        var refusal: AccessError?
        do throws(DocumentError) {
            let object = try file.finish(owner: owner, at: path, replacing: replacing, notes) {
                do throws(AccessError) { try requireChange() } catch { refusal = error }
                return refusal == nil
            }
            return StoredFile(object, at: path)
        } catch {
            if let refusal { throw refusal }
            throw FileError(error)
        }
    }

    func move(_ path: ObjectPath, to newPath: ObjectPath) throws(FileError) {
        _ = try file(path)
        guard let newOwner = owner(of: newPath) else { throw .notAllowed }
        try Self.asking { () throws(DocumentError) in
            try library.store.moveObject(
                from: path.text, to: newPath.text, of: newOwner, allowed: library.options.personByteCount)
        }
    }

    func copy(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(FileError) -> StoredFile {
        let source = try file(path).object
        let owner = try checkWritable(newPath, replacing: replacing)
        let copy = try Self.asking { () throws(DocumentError) in
            try library.copy(source, to: newPath, of: owner, replacing: replacing)
        }
        return StoredFile(copy, at: newPath)
    }

    /// Removes those of these paths that are within the caller's reach. A document whose file it is stays without one.
    ///
    /// - Returns: the removed objects.
    func remove(_ paths: [String]) throws(FileError) -> [JSON] {
        var removed: [JSON] = []
        for text in paths {
            guard let path = try? ObjectPath(text), let owner = owner(of: path),
                let object = try Self.object(at: path, in: library)
            else { continue }
            if try Self.asking({ () throws(DocumentError) in try library.store.removeObject(object.id, at: text) }) {
                removed.append(StoredFile(object, at: path).removed(owner: owner))
            }
        }
        return removed
    }

    /// The entries of a folder; a folder out of reach has none.
    func list(_ listing: Listing) throws(FileError) -> [JSON] {
        let slash = UInt8(ascii: "/")
        let isWhole = listing.prefix.isEmpty || listing.prefix.utf8.last == slash
        let folder = isWhole ? listing.prefix : listing.prefix + "/"
        var entries: [(name: String, stored: Instant, json: JSON)] = []
        // Names are told apart by their bytes.
        var folders: Set<[UInt8]> = []
        var place: StorePlace?
        guard let reached = reachable(folder) else { return [] }
        while entries.count < 10_000 {
            let page = try Self.asking { () throws(DocumentError) in
                try library.store.objects(below: reached, behind: place, limit: 1000)
            }
            for object in page.elements {
                guard let text = object.path, let path = try? ObjectPath(text) else { continue }
                let rest = text.utf8.dropFirst(folder.utf8.count)
                let name = String(Substring(rest.prefix { $0 != slash }))
                if name.utf8.count == rest.count {
                    entries.append((name, object.stored, StoredFile(object, at: path).entry(named: name)))
                } else if folders.insert(Array(name.utf8)).inserted {
                    entries.append((name, Instant(microseconds: 0), Self.folder(name)))
                }
            }
            guard let next = page.next else { break }
            place = next
        }
        let search = listing.search.lowercased()
        let found = search.isEmpty ? entries : entries.filter { $0.name.lowercased().hasPrefix(search) }
        let sorted = found.sorted { left, right in
            let isBefore =
                listing.sortsByTime && left.stored != right.stored
                ? left.stored < right.stored : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
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
