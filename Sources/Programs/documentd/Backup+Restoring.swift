import CLinux
import Database
import Documents
import Linux
import MatchStore
import Media
import Objects
import People

extension Backup {
    /// Puts the copy in place of the database and the files of a service, which must not run. The copy may be on a
    /// read-only medium.
    ///
    /// What was deleted or expired there since the copy was made stays deleted or expired. The former database stays
    /// next to the new one for `RestoreRemains.keptTime`.
    ///
    /// - Parameter openFiles: opens the store of the service's files over the new database.
    /// - Throws: `usage` if the service has data, and the copy was made of another service.
    func restore(
        to target: String, recipes: [Recipe], _ openFiles: (any SQLDatabase) throws(Failure) -> any ObjectStore
    ) throws(Failure) -> Result {
        guard (try? FileStatus.of(path: database)) != nil else {
            throw Failure(.usage, message: "\(folder) is not a backup: it has no documents.sqlite.")
        }
        return try Self.converting {
            let copies = try FolderStore(path: "\(folder)/store", making: false)
            let part = RestoreRemains(of: target).part
            Self.removeSnapshot(part)
            try copyDatabase(to: part)
            let database = try SQLiteDatabase(path: part)
            let backup = try DocumentStore(database, recipes: recipes)
            try backup.noteRestore()
            let before = try keepDatabase(target, recipes)
            let isSame = try before.map { try Self.isSameService($0, database, target) } ?? false
            let files = try openFiles(database)
            var result = try Self.copy(backup, from: copies, to: files)
            result.fileCount -= result.damaged.count
            if let before, isSame { result.deletedCount = try Self.keepChanges(of: before, in: backup, database) }
            try before?.close()
            try backup.close()
            // The new database must not use files next to the old one; the old one already contains its log.
            for ending in ["-wal", "-shm"] { unlink(target + ending) }
            guard rename(part, target) == 0 else { throw SystemError.last("rename \(target)") }
            Self.removeSnapshot(part)
            return result
        }
    }

    /// Copies the backup's database byte for byte: SQLite opens no database that it cannot write to.
    private func copyDatabase(to copy: String) throws {
        if let log = try? FileStatus.of(path: database + "-wal"), log.byteCount > 0 {
            throw Failure(.usage, message: "\(database) is open in another program or was not closed cleanly.")
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

    /// Keeps the former database as a copy.
    ///
    /// - Returns: the copy, for reading; `nil` if there is no former database.
    private func keepDatabase(_ target: String, _ recipes: [Recipe]) throws -> SQLiteDatabase? {
        guard (try? FileStatus.of(path: target)) != nil else { return nil }
        let remains = RestoreRemains(of: target)
        let (part, former) = (remains.formerPart, remains.newFormer())
        Self.removeSnapshot(part)
        do {
            let old = try Self.open(target, recipes)
            try old.backup(to: part)
            try old.close()
        } catch {
            throw Failure(
                .unavailable,
                message:
                    "The database \(target) cannot be read. Move it away to restore without the record of later deletions.",
                detail: "\(error)")
        }
        guard rename(part, former) == 0 else { throw SystemError.last("rename \(part)") }
        return try SQLiteDatabase(path: former, options: SQLiteDatabase.Options(.reading))
    }

    /// Whether the backup is the service's own. A service that was started in a new folder, and has no data yet, is
    /// another one.
    ///
    /// - Throws: `usage` for another service that has data.
    private static func isSameService(
        _ before: SQLiteDatabase, _ backup: SQLiteDatabase, _ target: String
    ) throws -> Bool {
        if try DocumentStore.identity(of: before) == DocumentStore.identity(of: backup) { return true }
        guard try DocumentStore.isEmpty(before), try !AccountStore.hasAccounts(before) else {
            throw Failure(
                .usage,
                message:
                    "\(target) belongs to a different service than the backup. Move it away, or restore into a new folder."
            )
        }
        return false
    }

    /// Applies to the new database what must outlive a restore: deletions, expiries, and the current keys.
    ///
    /// - Returns: the number of versions that stay deleted.
    private static func keepChanges(
        of before: SQLiteDatabase, in restored: DocumentStore, _ database: SQLiteDatabase
    ) throws -> Int {
        let history = try RestoreHistory(of: before)
        let count = try restored.removeWhatWasDeleted(history)
        let ended = try AccountStore.endWhatHasEnded(from: database, history)
        for person in ended { try restored.forget(person) }
        try SearchStore.removeWhatWasDeleted(from: database, history)
        try SQLKeyStore.copyKeys(from: before, to: database)
        return count
    }
}
