internal import CLinux
internal import Linux
public import Media

extension FolderStore {
    /// Reads the folders one after another.
    public func walk() throws(ObjectError) -> any ObjectWalk {
        let items = try attempt { () throws(SystemError) in try tree.calls.contents(of: tree.objects) }
        return FolderWalk(tree, items.map { String(decoding: $0.name, as: UTF8.self) }.sorted())
    }

    /// Locks the folder `objects/` through a separate descriptor.
    public func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? {
        let calls = tree.calls
        let folder = try attempt { () throws(SystemError) in try calls.openFolder("", in: tree.objects) }
        do throws(ObjectError) {
            try attempt { () throws(SystemError) in try calls.lock(folder) }
        } catch {
            guard error == .busy else { throw error }
            return nil
        }
        return LockedFolder(folder, calls)
    }

    /// Lists `incoming/`; each file's modification time says when something last arrived.
    public func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        let calls = tree.calls
        let items = try attempt { () throws(SystemError) in try calls.contents(of: tree.incoming) }
        var found: [IncomingStatus] = []
        for item in items {
            guard let id = ObjectID(rawValue: String(decoding: item.name, as: UTF8.self)) else { continue }
            do throws(SystemError) {
                let status = try calls.status(of: id.rawValue, in: tree.incoming)
                guard status.isRegularFile, isUntouched(status, for: age) else { continue }
                found.append(IncomingStatus(id: id, byteCount: status.byteCount, modified: status.modified))
            } catch {
                // Committed or discarded meanwhile.
                guard error.number == ENOENT else { throw ObjectError(error) }
            }
        }
        return found.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Reads the file's status in `incoming/`, without its lock.
    public func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus {
        let status = try lookup { () throws(SystemError) in
            try tree.calls.status(of: id.rawValue, in: tree.incoming)
        }
        guard status.isRegularFile else { throw .missing }
        return IncomingStatus(id: id, byteCount: status.byteCount, modified: status.modified)
    }

    /// Removes the file under its lock, so that nobody resumes it meanwhile. It is never the object's.
    @discardableResult
    public func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        let file: FolderIncoming
        do throws(ObjectError) {
            file = try lockedIncoming(id)
        } catch {
            if error == .missing { return false }
            throw error
        }
        let status = try lookup { () throws(SystemError) in
            try tree.calls.status(of: id.rawValue, in: tree.incoming)
        }
        guard isUntouched(status, for: age) else { return false }
        try file.discard()
        return true
    }

    private func isUntouched(_ status: FileStatus, for age: Duration) -> Bool {
        Duration.nanoseconds(now()) - .nanoseconds(status.modified) >= age
    }
}

/// A folder that is locked as long as this object exists.
private final class LockedFolder: ObjectLock {
    private let folder: Descriptor
    private let calls: any ObjectFiles

    init(_ folder: Descriptor, _ calls: any ObjectFiles) {
        self.folder = folder
        self.calls = calls
    }

    deinit { calls.unlock(folder) }
}

/// A walk over the folders of a store, one folder at a time.
private final class FolderWalk: ObjectWalk {
    private let tree: FolderTree
    /// The folders that are still to be read.
    private var folders: [String]

    init(_ tree: FolderTree, _ folders: [String]) {
        self.tree = tree
        self.folders = folders
    }

    /// Skips items that are not objects of this store.
    func next() throws(ObjectError) -> [ObjectStatus]? {
        guard let name = folders.popLast() else { return nil }
        let calls = tree.calls
        var found: [ObjectStatus] = []
        do throws(SystemError) {
            let folder = try calls.openFolder(name, in: tree.objects)
            for item in try calls.contents(of: folder) {
                guard let id = ObjectID(rawValue: String(decoding: item.name, as: UTF8.self)), id.folder == name,
                    let status = try status(of: id, in: folder), status.isRegularFile
                else { continue }
                found.append(ObjectStatus(id: id, byteCount: status.byteCount, modified: status.modified))
            }
        } catch {
            // Not a folder, but a file or a link of another program.
            guard error.number == ENOTDIR || error.number == ELOOP else { throw ObjectError(error) }
        }
        return found
    }

    /// - Returns: `nil` for a file that was removed meanwhile.
    private func status(of id: ObjectID, in folder: Descriptor) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try tree.calls.status(of: id.rawValue, in: folder)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }
}
