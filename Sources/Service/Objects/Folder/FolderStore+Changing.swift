internal import CLinux
internal import Linux

extension FolderStore {
    /// Copies by way of an incoming file, so that the copy appears whole.
    public func copy(
        _ path: ObjectPath, to newPath: ObjectPath, replacing: Bool
    ) throws(ObjectError) -> StoredObject {
        let object = try open(path)
        let copy = try begin()
        do throws(ObjectError) {
            try append(object, to: copy)
            return try copy.commit(to: newPath, replacing: replacing)
        } catch {
            try? copy.discard()
            throw error
        }
    }

    private func append(_ object: any ObjectReader, to copy: any IncomingObject) throws(ObjectError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try object.read(into: buffer, at: offset)
            if count == 0 { return }
            try copy.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Renames the file, which the file system does in one step.
    public func move(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) {
        _ = try status(of: path)
        if path == newPath {
            if replacing { return }
            throw .taken
        }
        if try references.isReferenced(path) { throw .referenced }
        try references.requireUnnamed(newPath, replacing: replacing)
        let calls = tree.calls
        let (name, newName) = (path.lastName, newPath.lastName)
        let old = try lookup { () throws(SystemError) in try tree.chain(of: path, making: false) }
        guard old.names.count == path.names.count - 1 else { throw .missing }
        do throws(SystemError) {
            try tree.change(newPath) { folder in
                if replacing { return }
                try? calls.rename(newName, in: folder, to: name, in: old.folder, replacing: false)
            } _: { folder throws(SystemError) in
                try calls.rename(name, in: old.folder, to: newName, in: folder, replacing: replacing)
            }
            try calls.sync(old.folder)
        } catch {
            throw error.number == ENOENT ? .missing : ObjectError(error)
        }
        tree.removeEmpty(old)
    }

    /// Locks the file itself, which keeps its name meanwhile: nothing replaces a file unasked, and whoever removes it so locks it first.
    @discardableResult
    public func remove(_ path: ObjectPath, if isDue: () -> Bool) throws(ObjectError) -> Bool {
        let file: Descriptor
        do throws(ObjectError) {
            file = try lookup { () throws(SystemError) in try tree.calls.openForReading(path.text, in: tree.files) }
        } catch {
            guard error == .missing else { throw error }
            return isDue() ? try remove(path, hasFile: false) : false
        }
        try attempt { () throws(SystemError) in try tree.calls.lock(file) }
        // To close is not enough: a process that is being started may still have a copy of the descriptor.
        defer { tree.calls.unlock(file) }
        guard try isAt(path, file) else { throw .busy }
        return isDue() ? try remove(path) : false
    }

    /// Whether a file that was opened still has its name.
    private func isAt(_ path: ObjectPath, _ file: Descriptor) throws(ObjectError) -> Bool {
        let calls = tree.calls
        do throws(ObjectError) {
            let (status, named) = try lookup { () throws(SystemError) in
                (try calls.status(of: file), try calls.status(of: path.text, in: tree.files))
            }
            return status.isSameFile(as: named)
        } catch {
            guard error == .missing else { throw error }
            return false
        }
    }

    /// Asks for a row that names the path right before.
    @discardableResult
    public func remove(_ path: ObjectPath) throws(ObjectError) -> Bool {
        try references.isReferenced(path) ? false : removeReferenced(path)
    }

    /// Removes the file's name, and then the folders that are empty now.
    @discardableResult
    public func removeReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool { try remove(path, hasFile: true) }

    /// - Parameter hasFile: whether there may be a file; else only what an earlier call has left is done.
    private func remove(_ path: ObjectPath, hasFile: Bool) throws(ObjectError) -> Bool {
        let calls = tree.calls
        do throws(SystemError) {
            let chain = try tree.chain(of: path, making: false)
            var wasThere = hasFile && chain.names.count == path.names.count - 1
            if wasThere {
                do throws(SystemError) {
                    try calls.remove(path.lastName, in: chain.folder)
                } catch {
                    // A folder bears the name (EISDIR), or nothing: either is no object.
                    guard [ENOENT, EISDIR, ENAMETOOLONG].contains(error.number) else { throw error }
                    wasThere = false
                }
            }
            // An earlier call may have died between the removal and this.
            try calls.sync(chain.folder)
            tree.removeEmpty(chain)
            return wasThere
        } catch {
            // A file bears a folder's name: there is no such object.
            if error.number == ENOTDIR || error.number == ENAMETOOLONG { return false }
            throw .unavailable(detail: "\(error)")
        }
    }
}
