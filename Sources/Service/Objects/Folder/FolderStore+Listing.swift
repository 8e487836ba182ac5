internal import CLinux
internal import Linux
public import Media

extension FolderStore {
    /// Walks the folders, and reads only those in which such paths can lie. Items whose names are no part of an object's path are
    /// left out.
    public func list(
        prefix: String, after: ObjectPath?, limit: Int
    ) throws(ObjectError) -> StorePage<ObjectStatus, ObjectPath> {
        var walk = FolderWalk(
            calls: tree.calls, prefix: Array(prefix.utf8), after: after.map { Array($0.text.utf8) } ?? [],
            limit: max(0, limit))
        try attempt { () throws(SystemError) in try walk.visit(tree.files, place: []) }
        // A walk that has found so many was stopped there, whatever follows.
        return StorePage(walk.found, next: walk.found.count >= walk.limit ? walk.found.last?.path : nil)
    }

    /// Locks the folder `files/` by a descriptor of its own.
    public func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? {
        let calls = tree.calls
        let folder = try attempt { () throws(SystemError) in try calls.openFolder("", in: tree.files) }
        do throws(ObjectError) {
            try attempt { () throws(SystemError) in try calls.lock(folder) }
        } catch {
            guard error == .busy else { throw error }
            return nil
        }
        return LockedFolder(folder, calls)
    }

    /// Lists `incoming/`; each file's time of modification tells when something arrived.
    public func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        let calls = tree.calls
        let items = try attempt { () throws(SystemError) in try calls.contents(of: tree.incoming) }
        var found: [IncomingStatus] = []
        for item in items {
            guard let id = IncomingID(rawValue: String(decoding: item.name, as: UTF8.self)) else { continue }
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

    /// Asks for the file's status in `incoming/`, without its lock.
    public func status(of id: IncomingID) throws(ObjectError) -> IncomingStatus {
        let status = try lookup { () throws(SystemError) in
            try tree.calls.status(of: id.rawValue, in: tree.incoming)
        }
        guard status.isRegularFile else { throw .missing }
        return IncomingStatus(id: id, byteCount: status.byteCount, modified: status.modified)
    }

    /// Removes the file under its lock, so that nobody resumes it meanwhile.
    @discardableResult
    public func removeIncoming(_ id: IncomingID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
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

/// A folder that is locked as long as this object lives.
private final class LockedFolder: ObjectLock {
    private let folder: Descriptor
    private let calls: any ObjectFiles

    init(_ folder: Descriptor, _ calls: any ObjectFiles) {
        self.folder = folder
        self.calls = calls
    }

    deinit { calls.unlock(folder) }
}

/// A walk through the folders in the order of the paths' bytes.
struct FolderWalk {
    let calls: any ObjectFiles
    let prefix: [UInt8]
    let after: [UInt8]
    let limit: Int
    private(set) var found: [ObjectStatus] = []

    init(calls: any ObjectFiles, prefix: [UInt8], after: [UInt8], limit: Int) {
        self.calls = calls
        self.prefix = prefix
        self.after = after
        self.limit = limit
    }

    /// - Parameter place: the folder's path with a slash at its end; empty for the uppermost.
    mutating func visit(_ folder: Descriptor, place: [UInt8]) throws(SystemError) {
        if found.count >= limit { return }
        for item in try items(of: folder, place) {
            if found.count >= limit { return }
            do throws(SystemError) {
                if item.isFolder {
                    let name = String(decoding: item.path[place.count...].dropLast(), as: UTF8.self)
                    try visit(calls.openFolder(name, in: folder), place: item.path)
                } else {
                    try add(item.path, place, in: folder)
                }
            } catch {
                // Removed meanwhile, or a link.
                guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else { throw error }
            }
        }
    }

    /// The items that can matter; with a slash behind a folder's name their order is that of the paths below them.
    private func items(
        of folder: Descriptor, _ place: [UInt8]
    ) throws(SystemError) -> [(path: [UInt8], isFolder: Bool)] {
        var items: [(path: [UInt8], isFolder: Bool)] = []
        for item in try calls.contents(of: folder) {
            let name = String(decoding: item.name, as: UTF8.self)
            var kind = item.kind
            if kind == .unknown { kind = try statedKind(of: name, in: folder) }
            guard kind == .file || kind == .folder else { continue }
            let path = place + item.name + (kind == .folder ? [UInt8(ascii: "/")] : [])
            if isWanted(path, isFolder: kind == .folder) { items.append((path, kind == .folder)) }
        }
        return items.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    private func statedKind(of name: String, in folder: Descriptor) throws(SystemError) -> FolderNames.Kind {
        do throws(SystemError) {
            return FolderNames.Kind(try calls.status(of: name, in: folder))
        } catch {
            guard error.number == ENOENT else { throw error }
            return .other
        }
    }

    private func isWanted(_ path: [UInt8], isFolder: Bool) -> Bool {
        guard path.starts(with: prefix) || (isFolder && prefix.starts(with: path)) else { return false }
        return after.lexicographicallyPrecedes(path) || (isFolder && after.starts(with: path))
    }

    private mutating func add(_ path: [UInt8], _ place: [UInt8], in folder: Descriptor) throws(SystemError) {
        let text = String(decoding: path, as: UTF8.self)
        // Another program's file: its name is no UTF-8, or no object's.
        guard let object = try? ObjectPath(text), Array(object.text.utf8) == path else { return }
        let status = try calls.status(of: object.lastName, in: folder)
        guard status.isRegularFile else { return }
        found.append(ObjectStatus(path: object, byteCount: status.byteCount, modified: status.modified))
    }
}
