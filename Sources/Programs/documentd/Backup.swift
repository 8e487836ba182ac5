import CLinux
import DocumentDatabase
import Documents
import KeyDatabase
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

    /// Copies the database as it is at one moment, then the files that it names and the copy lacks, while the service runs.
    ///
    /// A copy that is there already is brought up to date. It stays as it was until all new files are there.
    /// - Returns: the number of documents' versions, and of files that were copied.
    func make(
        from documents: SQLDocumentStore, _ files: any ObjectStore
    ) throws(Failure) -> (versions: Int, copied: Int) {
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
            let result = try copy(snapshot, files, to: copies)
            try snapshot.close()
            for ending in ["-wal", "-shm"] { unlink(database + ending) }
            guard rename(part, database) == 0 else { throw SystemError.last("rename \(database)") }
            removeSnapshot(part)
            try removeOthers(in: copies, recipes: documents.recipes)
            return result
        }
    }

    private static func open(_ path: String, _ recipes: [Recipe]) throws -> SQLDocumentStore {
        try SQLDocumentStore(try SQLiteDatabase(path: path), recipes: recipes)
    }

    private func copy(
        _ snapshot: SQLDocumentStore, _ files: any ObjectStore, to copies: FolderStore
    ) throws -> (versions: Int, copied: Int) {
        var (versions, copied) = (0, 0)
        var place: Media::StorePlace?
        repeat {
            let page = try snapshot.files(behind: place, limit: 500)
            for document in page.elements {
                let path = try ObjectPath(document.file.path)
                if (try? copies.status(of: path))?.byteCount != document.file.byteCount {
                    do throws(ObjectError) {
                        try Self.copy(path, document.file.digest, from: files, to: copies)
                        copied += 1
                    } catch {
                        guard error == .missing else { throw error }
                        // Deleted since the moment of the copy, and so not to be kept.
                        try snapshot.removeVersion(document.id, of: document.owner)
                        continue
                    }
                }
                versions += 1
            }
            place = page.next
        } while place != nil
        return (versions, copied)
    }

    private static func copy(
        _ path: ObjectPath, _ digest: Digest, from files: any ObjectStore, to copies: any ObjectStore
    ) throws(ObjectError) {
        let reader = try files.open(path)
        let incoming = try copies.begin()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try reader.read(into: buffer, at: offset)
            if count == 0 { break }
            try incoming.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        guard try incoming.seal() == digest else {
            try incoming.discard()
            throw .unavailable(detail: "\(path) is not what was stored: documentd verify tells more")
        }
        _ = try incoming.commit(to: path, replacing: true)
    }

    /// Removes the files of documents that were deleted since the last copy.
    private func removeOthers(in copies: FolderStore, recipes: [Recipe]) throws {
        let store = try Self.open(database, recipes)
        var place: ObjectPath?
        repeat {
            let page = try copies.list(prefix: "", after: place, limit: 500)
            for object in page.elements where try !store.hasVersion(withFile: object.path.text) {
                try copies.remove(object.path)
            }
            place = page.next
        } while place != nil
        try store.close()
    }

    /// Puts the copy in place of the database and the files of a service, which must not run.
    ///
    /// What was deleted there since the copy was made stays deleted. The database before stays beside the new one.
    /// - Returns: the number of versions that stay deleted.
    func restore(to target: String, _ files: any ObjectStore, recipes: [Recipe]) throws(Failure) -> Int {
        guard (try? FileStatus.of(path: database)) != nil else {
            throw Failure(.usage, message: "\(folder) has no backup: there is no documents.sqlite.")
        }
        return try Self.converting {
            let copies = try FolderStore(path: "\(folder)/store", making: false)
            let backup = try Self.open(database, recipes)
            let part = "\(target)-new"
            removeSnapshot(part)
            try backup.backup(to: part)
            _ = try copyBack(backup, copies, to: files)
            try backup.close()
            let hasOne = (try? FileStatus.of(path: target)) != nil
            let count = hasOne ? try keepChanges(of: target, in: part, recipes) : 0
            // What lies beside the old file must not be taken for the new one's; its log is part of it by now.
            for ending in ["-wal", "-shm"] { unlink(target + ending) }
            guard rename(part, target) == 0 else { throw SystemError.last("rename \(target)") }
            removeSnapshot(part)
            return count
        }
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

    private func copyBack(
        _ backup: SQLDocumentStore, _ copies: FolderStore, to files: any ObjectStore
    ) throws -> Int {
        var count = 0
        var place: Media::StorePlace?
        repeat {
            let page = try backup.files(behind: place, limit: 500)
            for document in page.elements {
                let path = try ObjectPath(document.file.path)
                if (try? files.status(of: path))?.byteCount == document.file.byteCount { continue }
                try Self.copy(path, document.file.digest, from: copies, to: files)
                count += 1
            }
            place = page.next
        } while place != nil
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
