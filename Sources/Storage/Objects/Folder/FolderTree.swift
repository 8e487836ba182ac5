internal import CLinux
internal import Linux
internal import Media

/// The folders of a store. In `objects`, each object lies in the folder of its first two digits. In `incoming`, files
/// are written.
struct FolderTree: Sendable {
    let objects: Descriptor
    let incoming: Descriptor
    let calls: any ObjectFiles

    /// The place of an object below `objects`.
    static func place(of id: ObjectID) -> String { "\(id.folder)/\(id)" }

    /// Moves a file from `incoming` to its place. The move is on the disk on return.
    ///
    /// The parent folders are synchronised even if they existed, because their creator may not have done so yet.
    func commit(_ id: ObjectID) throws(SystemError) {
        do throws(SystemError) {
            try calls.makeFolder(id.folder, in: objects)
        } catch {
            guard error.number == EEXIST else { throw error }
        }
        let folder = try calls.openFolder(id.folder, in: objects)
        try calls.rename(id.rawValue, in: incoming, to: id.rawValue, in: folder)
        do throws(SystemError) {
            try calls.sync(folder)
            try calls.sync(objects)
        } catch {
            try? calls.rename(id.rawValue, in: folder, to: id.rawValue, in: incoming)
            throw error
        }
    }

    /// Removes an object. The removal is on the disk on return, even if an earlier call died before that.
    ///
    /// - Returns: whether there was one.
    func remove(_ id: ObjectID) throws(SystemError) -> Bool {
        let folder: Descriptor
        do throws(SystemError) {
            folder = try calls.openFolder(id.folder, in: objects)
        } catch {
            guard error.number == ENOENT else { throw error }
            return false
        }
        var wasThere = true
        do throws(SystemError) {
            try calls.remove(id.rawValue, in: folder)
        } catch {
            guard error.number == ENOENT else { throw error }
            wasThere = false
        }
        try calls.sync(folder)
        return wasThere
    }
}
