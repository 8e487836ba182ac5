import CLinux
import Database
import Documents
import Library
import Linux
import Media
import Objects

/// A copy of the database and the files in its own folder: `documents.sqlite` and `store`, as in the service's folder.
struct Backup {
    /// The folder of the copy.
    let folder: String

    var database: String { "\(folder)/documents.sqlite" }
    private var part: String { "\(folder)/documents.sqlite-new" }

    /// The result of a copy.
    struct Result {
        /// The files that the database names and that exist.
        var fileCount = 0
        /// How many of them were not there before.
        var copiedCount = 0
        /// The files that the database names and that are damaged or unreachable. They are not in the copy.
        var damaged: [FileDamage] = []
        /// The versions that a restore did not bring back, because they were deleted since the copy was made.
        var deletedCount = 0
    }

    /// Copies the database as it is at one moment, then the files that it names and the copy lacks, while the service
    /// runs.
    ///
    /// An existing copy is updated. It stays unchanged until all new files are there. What was deleted in the meantime
    /// is not in it. A damaged file is left out, and everything else is complete.
    func make(from documents: DocumentStore, _ files: any ObjectStore) throws(Failure) -> Result {
        do throws(SystemError) {
            try OwnerOnly.makeFolder(folder)
        } catch {
            throw Failure(.usage, message: "Cannot create the folder \(folder): \(error.reason).")
        }
        let lock = try FolderLock(backup: folder)
        defer { withExtendedLifetime(lock) {} }
        return try Self.converting {
            let copies = try FolderStore(path: "\(folder)/store", making: true)
            Self.removeSnapshot(part)
            let start = Instant.now
            try documents.backup(to: part)
            let snapshot = try Self.open(part, documents.recipes)
            try snapshot.noteBackup(begun: start)
            var result = try Self.copy(snapshot, from: files, to: copies)
            try Self.follow(documents, from: files, in: snapshot, to: copies, &result)
            let others = try Self.others(in: copies, than: snapshot)
            try snapshot.close()
            for ending in ["-wal", "-shm"] { unlink(database + ending) }
            guard rename(part, database) == 0 else { throw SystemError.last("rename \(database)") }
            // Files that only the previous copy names are deleted once the new one is durable.
            let names = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
            try checking("fsync") { fsync(names.number) }
            Self.removeSnapshot(part)
            for id in others { try copies.remove(id) }
            return result
        }
    }

    /// Updates a snapshot to changes of files that were made before they were copied. A deleted file is not damage, and
    /// its row is removed; a replaced file is exchanged for the new one.
    private static func follow(
        _ documents: DocumentStore, from files: any ObjectStore, in snapshot: DocumentStore,
        to copies: FolderStore, _ result: inout Result
    ) throws {
        let gone = try documents.unknownObjects(among: result.damaged.map(\.object.id))
        for object in result.damaged.map(\.object) where gone.contains(object.id) {
            let heir = try heir(of: object, documents, from: files, to: copies)
            if case .lost = heir { continue }
            result.damaged.removeAll { $0.object.id == object.id }
            guard case .copied(let new, let owner, let path) = heir else {
                try delete(object.id, in: snapshot, as: documents)
                result.fileCount -= 1
                continue
            }
            // A document's file is never replaced. Other files are: so the new file keeps the first one's identity. By
            // it a restore recognises the file if it has been replaced again by then.
            if try snapshot.document(withObject: object.id) != nil {
                try delete(object.id, in: snapshot, as: documents)
            }
            let row = NewObject(new.id, copying: new, owner: owner, path: path)
            _ = try snapshot.add(row, replacing: true, allowed: nil, arrival: nil) { true }
            result.copiedCount += 1
        }
        result.fileCount -= result.damaged.count
    }

    /// The file at the path of a file that is gone.
    private enum Heir {
        case nothing
        case copied(StoredObject, ID<Person>, path: String)
        /// The file was replaced faster than it could be copied.
        case lost
    }

    private static func heir(
        of object: StoredObject, _ documents: DocumentStore, from files: any ObjectStore, to copies: FolderStore
    ) throws -> Heir {
        for _ in 0..<20 {
            guard let path = object.path, let new = try documents.object(at: path), let owner = new.owner else {
                return .nothing
            }
            if try copy(new, from: files, to: copies) == nil { return .copied(new, owner, path: path) }
        }
        return .lost
    }

    static func open(_ path: String, _ recipes: [Recipe]) throws -> DocumentStore {
        try DocumentStore(try SQLiteDatabase(path: path), recipes: recipes)
    }

    /// Removes from a snapshot an object that was since removed from the database, with its version if that is gone,
    /// too.
    private static func delete(
        _ id: ObjectID, in snapshot: DocumentStore, as documents: DocumentStore
    ) throws {
        guard let document = try snapshot.document(withObject: id) else {
            try snapshot.removeObject(id)
            return
        }
        do throws(DocumentError) {
            _ = try documents.document(document.id, of: document.owner)
            try snapshot.removeObject(id)
        } catch {
            guard case .notFound = error else { throw error }
            try snapshot.removeVersion(document.id, of: document.owner)
        }
    }

    /// Copies all objects that a database names and that are missing or damaged in the target.
    ///
    /// - Throws: `unavailable`, too, if several files in a row are out of reach.
    static func copy(
        _ documents: DocumentStore, from source: any ObjectStore, to target: any ObjectStore
    ) throws -> Result {
        var result = Result()
        var unreachableCount = 0
        var place: Media::StorePlace?
        repeat {
            let page = try documents.objects(of: nil, behind: place, limit: 500)
            for object in page.elements {
                result.fileCount += 1
                if target.damage(of: object) == nil { continue }
                let kind = try copy(object, from: source, to: target)
                unreachableCount = kind == .unreachable ? unreachableCount + 1 : 0
                if unreachableCount == FileDamage.mostUnreachable { throw FileDamage.unreachableStore }
                if let kind {
                    result.damaged.append(FileDamage(object: object, kind: kind))
                } else {
                    result.copiedCount += 1
                }
            }
            place = page.next
        } while place != nil
        return result
    }

    /// - Returns: what is wrong with the file; `nil` if it was copied.
    /// - Throws: if the target takes nothing, or the source names no file at all.
    private static func copy(
        _ object: StoredObject, from source: any ObjectStore, to target: any ObjectStore
    ) throws -> FileDamage.Kind? {
        // Left by an interrupted copy.
        try target.removeIncoming(object.id, untouchedFor: .zero)
        let incoming = try target.begin(object.id, in: nil)
        do {
            if let kind = try append(object, from: source, to: incoming) {
                try incoming.discard()
                if kind == .unreachable { _ = try source.walk().next() }
                return kind
            }
            guard try incoming.seal() == object.digest else {
                try incoming.discard()
                return .changed
            }
            try incoming.commit()
            return nil
        } catch {
            try? incoming.discard()
            throw error
        }
    }

    /// - Returns: why the file cannot be read; `nil` if all of its bytes were read.
    private static func append(
        _ object: StoredObject, from source: any ObjectStore, to incoming: any IncomingObject
    ) throws -> FileDamage.Kind? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var reader: (any ObjectReader)?
        var offset: Int64 = 0
        while true {
            let count: Int
            do throws(ObjectError) {
                let open = if let reader { reader } else { try source.open(object.id) }
                reader = open
                count = try open.read(into: buffer, at: offset)
            } catch {
                return FileDamage.Kind(error)
            }
            if count == 0 { return nil }
            try incoming.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// The objects of a store that a database does not name.
    private static func others(in files: FolderStore, than documents: DocumentStore) throws -> [ObjectID] {
        var others: [ObjectID] = []
        let walk = try files.walk()
        while let page = try walk.next() { others += try documents.unknownObjects(among: page.map(\.id)) }
        return others
    }

    /// Removes a database and the files that belong to it.
    static func removeSnapshot(_ path: String) {
        for ending in ["", "-journal", "-wal", "-shm", "-wake", "-changes"] { unlink(path + ending) }
    }

    static func converting<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch let error as Failure {
            throw error
        } catch let error as DocumentError {
            throw Failure(.unavailable, message: error.message, detail: error.detail)
        } catch let error as ObjectError {
            throw Failure(.unavailable, message: error.message, detail: error.detail)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }
}
