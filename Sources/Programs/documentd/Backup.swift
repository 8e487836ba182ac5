import CLinux
import DocumentDatabase
import Documents
import KeyDatabase
import Library
import Linux
import Media
import Objects
import SQLite

/// A copy of database and files in a folder of its own: `documents.sqlite` and `store`, as in the service's folder.
struct Backup {
    /// The folder of the copy.
    let folder: String

    private var database: String { "\(folder)/documents.sqlite" }
    private var part: String { "\(folder)/documents.sqlite-new" }

    /// What was copied.
    struct Result {
        /// The files that the database names and that are there.
        var fileCount = 0
        /// Those of them that were not there before.
        var copiedCount = 0
        /// Those that the database names and that are not as they were stored. They are not there.
        var damaged: [FileDamage] = []
        /// The versions that a restore has not brought back, as they were deleted since the copy was made.
        var deletedCount = 0
    }

    /// Copies the database as it is at one moment, then the files that it names and the copy lacks, while the service runs.
    ///
    /// A copy that is there already is brought up to date. It stays as it was until all new files are there. What was deleted meanwhile is not
    /// in it. A damaged file is left out, and everything else is complete.
    func make(from documents: SQLDocumentStore, _ files: any ObjectStore) throws(Failure) -> Result {
        do throws(SystemError) {
            try OwnerOnly.makeFolder(folder)
        } catch {
            throw Failure(.usage, message: "The folder \(folder) cannot be made: \(error.reason).")
        }
        return try Self.converting {
            removeSnapshot(part)
            try documents.backup(to: part)
            let snapshot = try Self.open(part, documents.recipes)
            let copies = try FolderStore(path: "\(folder)/store", making: true)
            var result = try Self.copy(snapshot, from: files, to: copies)
            // What was deleted since the moment of the copy is no damage, and not to be kept. What was replaced is missing: the backup has to be
            // made again.
            let gone = try documents.unknownObjects(among: result.damaged.map(\.object.id))
            let deleted = try result.damaged.map(\.object).filter { object in
                try gone.contains(object.id) && object.path.map { try documents.object(at: $0) == nil } ?? true
            }.map(\.id)
            for damage in result.damaged where deleted.contains(damage.object.id) {
                try Self.delete(damage.object.id, in: snapshot, as: documents)
            }
            result.damaged.removeAll { deleted.contains($0.object.id) }
            result.fileCount -= result.damaged.count + deleted.count
            let others = try Self.others(in: copies, than: snapshot)
            try snapshot.close()
            for ending in ["-wal", "-shm"] { unlink(database + ending) }
            guard rename(part, database) == 0 else { throw SystemError.last("rename \(database)") }
            removeSnapshot(part)
            for id in others { try copies.remove(id) }
            return result
        }
    }

    private static func open(_ path: String, _ recipes: [Recipe]) throws -> SQLDocumentStore {
        try SQLDocumentStore(try SQLiteDatabase(path: path), recipes: recipes)
    }

    /// Removes an object from a snapshot that was removed from the database since, with its version if that is gone, too.
    private static func delete(
        _ id: ObjectID, in snapshot: SQLDocumentStore, as documents: SQLDocumentStore
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

    /// Copies all objects that a database names and that are not there as they were stored.
    private static func copy(
        _ documents: SQLDocumentStore, from source: any ObjectStore, to target: any ObjectStore
    ) throws -> Result {
        var result = Result()
        var place: Media::StorePlace?
        repeat {
            let page = try documents.objects(of: nil, behind: place, limit: 500)
            for object in page.elements {
                result.fileCount += 1
                if target.damage(of: object) == nil { continue }
                if let kind = try copy(object, from: source, to: target) {
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
    /// - Throws: where the target takes nothing, or the source gives no file at all.
    private static func copy(
        _ object: StoredObject, from source: any ObjectStore, to target: any ObjectStore
    ) throws -> FileDamage.Kind? {
        // Left by a copy that was interrupted.
        try target.removeIncoming(object.id, untouchedFor: .zero, isStored: false)
        let incoming = try target.begin(object.id, in: nil)
        do {
            if let kind = try append(object, from: source, to: incoming) {
                try incoming.discard()
                if kind == .unreadable { _ = try source.walk().next() }
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

    /// - Returns: why the file cannot be read; `nil` if all of its bytes were.
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
                return error == .missing ? .missing : .unreadable
            }
            if count == 0 { return nil }
            try incoming.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// The objects of a store that a database does not name.
    private static func others(in files: FolderStore, than documents: SQLDocumentStore) throws -> [ObjectID] {
        var others: [ObjectID] = []
        let walk = try files.walk()
        while let page = try walk.next() { others += try documents.unknownObjects(among: page.map(\.id)) }
        return others
    }

    /// Puts the copy in place of the database and the files of a service, which must not run. The copy may lie on a medium that cannot be
    /// written to.
    ///
    /// What was deleted there since the copy was made stays deleted. The database before stays beside the new one.
    func restore(to target: String, _ files: any ObjectStore, recipes: [Recipe]) throws(Failure) -> Result {
        guard (try? FileStatus.of(path: database)) != nil else {
            throw Failure(.usage, message: "\(folder) has no backup: there is no documents.sqlite.")
        }
        return try Self.converting {
            let copies = try FolderStore(path: "\(folder)/store", making: false)
            let part = "\(target)-new"
            removeSnapshot(part)
            try copyDatabase(to: part)
            let backup = try Self.open(part, recipes)
            var result = try Self.copy(backup, from: copies, to: files)
            result.fileCount -= result.damaged.count
            try backup.close()
            let hasOne = (try? FileStatus.of(path: target)) != nil
            result.deletedCount = hasOne ? try keepChanges(of: target, in: part, recipes) : 0
            // What lies beside the old file must not be taken for the new one's; its log is part of it by now.
            for ending in ["-wal", "-shm"] { unlink(target + ending) }
            guard rename(part, target) == 0 else { throw SystemError.last("rename \(target)") }
            removeSnapshot(part)
            return result
        }
    }

    /// Copies the backup's database byte by byte: SQLite opens none that it cannot write to.
    private func copyDatabase(to copy: String) throws {
        if let log = try? FileStatus.of(path: database + "-wal"), log.byteCount > 0 {
            throw Failure(.usage, message: "\(database) is open in another program, or was not closed.")
        }
        let source = try Descriptor.open(database, O_RDONLY)
        let file = try Descriptor.open(copy, O_WRONLY | O_CREAT | O_EXCL, mode: OwnerOnly.file)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try source.read(into: buffer, at: offset)
            if count == 0 { break }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            offset += Int64(count)
        }
        try checking("fsync") { fsync(file.number) }
    }

    /// Keeps the database before as a copy, and applies to the new one what must outlive a restore: deletions, and the keys as they are.
    ///
    /// - Returns: the number of versions that stay deleted.
    private func keepChanges(of target: String, in part: String, _ recipes: [Recipe]) throws -> Int {
        let (before, beforePart) = ("\(target)-before-restore", "\(target)-before-restore-new")
        removeSnapshot(beforePart)
        let old = try Self.open(target, recipes)
        try old.backup(to: beforePart)
        try old.close()
        guard rename(beforePart, before) == 0 else { throw SystemError.last("rename \(before)") }
        let restored = try Self.open(part, recipes)
        let count = try restored.removeWhatWasDeleted(in: before)
        try restored.close()
        let keys = try SQLiteDatabase(path: part)
        try SQLKeyStore.copyKeys(
            from: try SQLiteDatabase(path: before, options: SQLiteDatabase.Options(.reading)), to: keys)
        try keys.close()
        return count
    }

    /// Removes a database with the files beside it.
    private func removeSnapshot(_ path: String) {
        for ending in ["", "-wal", "-shm", "-wake", "-changes"] { unlink(path + ending) }
    }

    private static func converting<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
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
