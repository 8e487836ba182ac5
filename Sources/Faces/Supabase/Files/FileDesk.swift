internal import Documents
internal import HTTPServing
internal import Library
internal import Linux
package import Media
internal import Objects
internal import People

/// Handles the files of one caller. It blocks.
struct FileDesk: Sendable {
    let library: DocumentLibrary
    let caller: Caller
    /// Requires, from the store, that a file may still be written in the caller's name.
    let requireChange: @Sendable () throws(AccessError) -> Void

    /// The owner of a path, if the path is within the caller's reach.
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

    /// Anybody's object, for signed and public addresses.
    ///
    /// - Throws: `NoSuchKey`.
    static func file(_ path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> StoredFile {
        guard let object = try object(at: path, in: library) else { throw .noObject }
        return StoredFile(object, at: path)
    }

    private static func object(at path: ObjectPath, in library: DocumentLibrary) throws(FileError) -> StoredObject? {
        try asking { () throws(DocumentError) in try library.store.object(at: path.text) }
    }

    /// Refuses immediately what the transaction that stores the file would refuse in the end.
    ///
    /// - Returns: the owner of the path.
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

    /// Stores a whole file under a path. The transaction checks whether the caller may still do so: sending may have
    /// taken long.
    func commit(
        _ file: Intake, to path: ObjectPath, replacing: Bool, _ notes: FileNotes
    ) throws -> StoredFile {
        _ = try checkWritable(path, replacing: replacing)
        var refusal: AccessError?
        do throws(DocumentError) {
            let object = try file.finish(at: path, replacing: replacing, notes) {
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
        try using(path) { source throws(FileError) in
            let owner = try checkWritable(newPath, replacing: replacing)
            let copy = try Self.asking { () throws(DocumentError) in
                try library.copy(source.object, to: newPath, of: owner, replacing: replacing)
            }
            return StoredFile(copy, at: newPath)
        }
    }

    /// Removes the paths that are within the caller's reach. A document whose file is removed stays without one.
    ///
    /// - Returns: the removed objects.
    func remove(_ paths: [String]) throws(FileError) -> [JSON] {
        var removed: [JSON] = []
        for text in paths {
            guard let path = try? ObjectPath(text), let owner = owner(of: path) else { continue }
            do throws(FileError) {
                let gone = try using(path) { found throws(FileError) in
                    let isRemoved = try Self.asking { () throws(DocumentError) in
                        try library.store.removeObject(found.object.id, at: text)
                    }
                    return isRemoved ? found : nil
                }
                removed.append(gone.removed(owner: owner))
            } catch {
                if !error.isMissing { throw error }
            }
        }
        return removed
    }

    private func using<Value>(
        _ path: ObjectPath, _ use: (StoredFile) throws(FileError) -> Value?
    ) throws(FileError) -> Value {
        func find() throws(FileError) -> StoredFile { try file(path) }
        return try Self.using(find, use)
    }

    /// Uses the file that is at a path. If it was replaced after the look-up, the new one is used.
    ///
    /// - Parameter use: returns `nil` or throws `NoSuchKey` if the file is gone.
    static func using<Value>(
        _ find: () throws(FileError) -> StoredFile, _ use: (StoredFile) throws(FileError) -> Value?
    ) throws(FileError) -> Value {
        var file = try find()
        for _ in 0..<mostReplacements {
            do throws(FileError) {
                if let value = try use(file) { return value }
            } catch {
                if !error.isMissing { throw error }
            }
            let other = try find()
            if other.object.id == file.object.id { break }
            file = other
        }
        throw .noObject
    }

    /// How often a file may be replaced between look-up and use.
    private static let mostReplacements = 20

    /// The entries of a folder, written as an answer; none if the folder is out of reach.
    func list(_ listing: Listing) throws -> AnswerBody {
        let isWhole = listing.prefix.isEmpty || listing.prefix.utf8.last == UInt8(ascii: "/")
        let folder = isWhole ? listing.prefix : listing.prefix + "/"
        var entries = FolderEntries(of: folder, listing)
        guard let reached = reachable(folder) else { return try AnswerBody(entries.json) }
        var place: StorePlace?
        repeat {
            let page = try Self.asking { () throws(DocumentError) in
                try library.store.objects(below: reached, behind: place, limit: entries.pageLength)
            }
            for object in page.elements { entries.add(object) }
            place = page.next.map(entries.place)
        } while place != nil && !entries.isComplete
        return try AnswerBody(entries.json)
    }

    /// The part of a folder that the caller reaches: in the whole bucket, a person reaches their own folder.
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

    static func converting<Value>(_ body: () throws(ObjectError) -> Value) throws(FileError) -> Value {
        do throws(ObjectError) { return try body() } catch { throw FileError(error) }
    }

    static func asking<Value>(_ body: () throws(DocumentError) -> Value) throws(FileError) -> Value {
        do throws(DocumentError) { return try body() } catch { throw FileError(error) }
    }
}

/// The parameters of a list request.
package struct Listing: Sendable {
    let prefix: String
    let limit: Int
    let offset: Int
    let search: String
    let sortsByTime: Bool
    let isDescending: Bool

    /// The parameters in a body, or their defaults.
    package init(_ json: JSON) {
        prefix = json["prefix"]?.string ?? ""
        limit = min(max(json["limit"]?.int ?? 100, 0), 10_000)
        offset = min(max(json["offset"]?.int ?? 0, 0), 1_000_000)
        search = json["search"]?.string ?? ""
        let column = json["sortBy"]?["column"]?.string ?? "name"
        sortsByTime = column != "name"
        isDescending = json["sortBy"]?["order"]?.string?.lowercased() == "desc"
    }
}
