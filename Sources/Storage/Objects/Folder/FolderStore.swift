internal import CLinux
public import Linux
public import Media
public import SourceFiles

/// The store below one folder of this machine: objects in `objects/`, incoming files in `incoming/`.
///
/// Only this user has access to the folders and files. No link below the folder is followed. All processes that share
/// the folder run as its owner.
public final class FolderStore: ObjectStore {
    let tree: FolderTree
    private let root: Descriptor
    let now: @Sendable () -> Int64
    /// The memory that this store shares with all transfers of the process.
    public let memory: TransferMemory
    let digests = DigestMemory()
    let room: FreeRoom

    /// Opens the store in a folder.
    ///
    /// - Parameters:
    ///   - making: whether to create the folder and its parents if they are missing.
    ///   - memory: the memory that all transfers of the process share.
    /// - Throws: `missing` if there is no folder; `unavailable` if it belongs to another user, or if others may write
    ///   to it.
    public convenience init(
        path: String, making: Bool, memory: TransferMemory = TransferMemory()
    ) throws(ObjectError) {
        try self.init(path: path, making: making, memory: memory, calls: LinuxObjectFiles())
    }

    /// The same with a test's system calls and clock.
    ///
    /// - Parameter now: the wall clock for the files' timestamps, in nanoseconds since 1970.
    package init(
        path: String, making: Bool, memory: TransferMemory = TransferMemory(), calls: any ObjectFiles,
        now: @escaping @Sendable () -> Int64 = { Time.wall }
    ) throws(ObjectError) {
        let root = try Self.openRoot(path, making: making, calls)
        self.now = now
        self.memory = memory
        self.root = root
        room = FreeRoom(root, calls)
        tree = FolderTree(
            objects: try Self.openPart("objects", in: root, calls),
            incoming: try Self.openPart("incoming", in: root, calls),
            calls: calls)
        try attempt { () throws(SystemError) in try calls.sync(root) }
    }

    /// None: bytes are written as they arrive.
    public func arrivalByteCount(of length: Int64?) -> Int { 0 }

    /// Creates a file of that name in `incoming/`, unless the disk's reserve is reached.
    public func begin(_ id: ObjectID, in memory: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        let calls = tree.calls
        try room.take(0)
        let writer = try attempt { () throws(SystemError) in try calls.create(id.rawValue, in: tree.incoming) }
        do throws(SystemError) {
            let reader = try calls.openForReading(id.rawValue, in: tree.incoming)
            try calls.lock(reader)
            return FolderIncoming(id, reader: reader, writer: writer, byteCount: 0, in: self)
        } catch {
            // Another caller has resumed it by now.
            if error.number == EWOULDBLOCK { throw .busy }
            try? calls.remove(id.rawValue, in: tree.incoming)
            throw ObjectError(error)
        }
    }

    /// Opens and locks the file, and checks that it still has its name: its last holder may just have committed it.
    public func resume(
        _ id: ObjectID, making: Bool, in room: MemoryBudget.Share?
    ) throws(ObjectError) -> any IncomingObject {
        if making {
            do throws(SystemError) {
                _ = try tree.calls.create(id.rawValue, in: tree.incoming)
            } catch {
                guard error.number == EEXIST else { throw ObjectError(error) }
            }
        }
        return try lockedIncoming(id)
    }

    /// Locks the object with its committer's lock, looks it up again, and synchronises the folders.
    public func confirm(_ id: ObjectID) throws(ObjectError) -> Bool {
        let (place, calls) = (FolderTree.place(of: id), tree.calls)
        do throws(ObjectError) {
            let (file, status) = try openFile(place, in: tree.objects)
            try attempt { () throws(SystemError) in try calls.lock(file) }
            defer { calls.unlock(file) }
            let named = try lookup { () throws(SystemError) in try calls.status(of: place, in: tree.objects) }
            guard status.isSameFile(as: named) else { return false }
            try attempt { () throws(SystemError) in
                try calls.sync(try calls.openFolder(id.folder, in: tree.objects))
                try calls.sync(tree.objects)
            }
            return true
        } catch {
            if error == .missing { return false }
            throw error
        }
    }

    func lockedIncoming(_ id: ObjectID) throws(ObjectError) -> FolderIncoming {
        let calls = tree.calls
        let reader = try lookup { () throws(SystemError) in
            try calls.openForReading(id.rawValue, in: tree.incoming)
        }
        try attempt { () throws(SystemError) in try calls.lock(reader) }
        do throws(ObjectError) {
            let (status, named) = try lookup { () throws(SystemError) in
                (try calls.status(of: reader), try calls.status(of: id.rawValue, in: tree.incoming))
            }
            guard status.isSameFile(as: named), status.isRegularFile else {
                throw .missing
            }
            let writer = try lookup { () throws(SystemError) in
                try calls.openForWriting(id.rawValue, in: tree.incoming)
            }
            return FolderIncoming(id, reader: reader, writer: writer, byteCount: status.byteCount, in: self)
        } catch {
            // Closing is not enough: a process that is being started may still have a copy of the descriptor.
            calls.unlock(reader)
            throw error
        }
    }

    /// Opens the file in `objects/`.
    public func open(_ id: ObjectID) throws(ObjectError) -> any ObjectReader {
        try reader(FolderTree.place(of: id), in: tree.objects)
    }

    private func reader(_ place: String, in folder: Descriptor) throws(ObjectError) -> FolderReader {
        let (file, status) = try openFile(place, in: folder)
        return FolderReader(file, status, tree.calls)
    }

    private func openFile(
        _ place: String, in folder: Descriptor
    ) throws(ObjectError) -> (Descriptor, FileStatus) {
        let (file, status) = try lookup { () throws(SystemError) in
            let file = try tree.calls.openForReading(place, in: folder)
            return (file, try tree.calls.status(of: file))
        }
        guard status.isRegularFile else { throw .missing }
        return (file, status)
    }

    /// The file itself, because nobody else can write to it.
    public func source(_ id: ObjectID, name: String) throws(ObjectError) -> SourceFile {
        try SourceFile(object: openFile(FolderTree.place(of: id), in: tree.objects).0, name: name)
    }

    /// Opens the file at its path beneath `files/`.
    public func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader {
        try reader("files/\(path.text)", in: root)
    }
}

extension FolderStore {
    private static func openRoot(
        _ path: String, making: Bool, _ calls: any ObjectFiles
    ) throws(ObjectError) -> Descriptor {
        let root: Descriptor
        let status: FileStatus
        do throws(SystemError) {
            if making { try makeFolder(path, calls) }
            root = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
            status = try calls.status(of: root)
        } catch {
            throw error.number == ENOENT ? .missing : .unavailable(detail: "the store's folder: \(error)")
        }
        guard status.owner == geteuid() else {
            throw .unavailable(detail: "the store's folder belongs to user \(status.owner), not to user \(geteuid())")
        }
        guard !status.isWritableByOthers else {
            throw .unavailable(detail: "others can write to the store's folder: chmod go-w")
        }
        return root
    }

    /// Creates a folder and its parents. The names of new ones are on the disk on return.
    private static func makeFolder(_ path: String, _ calls: any ObjectFiles) throws(SystemError) {
        let (parent, name) = split(path)
        let folder: Descriptor
        do throws(SystemError) {
            folder = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY)
        } catch {
            guard error.number == ENOENT, parent != path else { throw error }
            try makeFolder(parent, calls)
            return try makeFolder(path, calls)
        }
        do throws(SystemError) {
            try calls.makeFolder(name, in: folder)
        } catch {
            guard error.number == EEXIST else { throw error }
        }
        try calls.sync(folder)
    }

    /// The path of the parent folder, and the last name.
    private static func split(_ path: String) -> (parent: String, name: String) {
        let slash = ObjectPath.separator
        let names = path.utf8.split(separator: slash)
        guard let name = names.last else { return (".", ".") }
        let isAbsolute = path.utf8.first == slash
        let parent = (isAbsolute ? "/" : "") + names.dropLast().map { String(Substring($0)) }.joined(separator: "/")
        return (parent.isEmpty ? "." : parent, String(Substring(name)))
    }

    private static func openPart(
        _ name: String, in root: Descriptor, _ calls: any ObjectFiles
    ) throws(ObjectError) -> Descriptor {
        try attempt { () throws(SystemError) in
            do throws(SystemError) {
                try calls.makeFolder(name, in: root)
            } catch {
                guard error.number == EEXIST else { throw error }
            }
            return try calls.openFolder(name, in: root)
        }
    }
}

extension SourceFile {
    /// An open file of a store as a source.
    init(object file: Descriptor, name: String) throws(ObjectError) {
        do throws(Failure) {
            self = try SourceFile.opened(file, name: name)
        } catch {
            throw error.code == .sourceMissing ? .missing : .unavailable(detail: error.detail)
        }
    }
}
