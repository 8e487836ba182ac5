internal import CLinux
internal import Linux

/// The folders of a store: `files`, where each object lies at its path, and `incoming`, where files are written.
struct FolderTree: Sendable {
    let files: Descriptor
    let incoming: Descriptor
    let calls: any ObjectFiles

    /// A file's folder and those above it up to `files`, open; the folder itself is the last.
    struct Chain {
        let folders: [Descriptor]
        /// The names of the folders below `files`; one fewer than `folders`.
        let names: [String]

        var folder: Descriptor { folders.last! }
    }

    /// Opens the folders of a path, as far as they are there.
    ///
    /// - Parameter making: makes those that are missing.
    /// - Throws: `ENOENT` where one was removed meanwhile.
    func chain(of path: ObjectPath, making: Bool) throws(SystemError) -> Chain {
        var folders = [files]
        let names = path.names.dropLast().map(String.init)
        for name in names {
            do throws(SystemError) {
                folders.append(try calls.openFolder(name, in: folders.last!))
            } catch {
                guard error.number == ENOENT else { throw error }
                if !making { break }
                try makeFolder(name, in: folders.last!)
                folders.append(try calls.openFolder(name, in: folders.last!))
            }
        }
        return Chain(folders: folders, names: Array(names.prefix(folders.count - 1)))
    }

    private func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError) {
        do throws(SystemError) {
            try calls.makeFolder(name, in: folder)
        } catch {
            guard error.number == EEXIST else { throw error }
        }
    }

    /// Removals take empty folders away between their making and their use.
    private static let folderTries = 32

    /// Runs `body` in the folder of a path, which is made where it is missing; on return the names of all its folders, and what
    /// `body` has changed, are on the disk.
    ///
    /// The folders above are synchronised even if they were there: their maker may not have come to that yet.
    /// - Parameter undo: reverts `body` where the folders cannot be synchronised.
    func change(
        _ path: ObjectPath, undo: (Descriptor) -> Void, _ body: (Descriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let chain = try changed(path, body)
        do throws(SystemError) {
            for folder in chain.folders.reversed() { try calls.sync(folder) }
        } catch {
            undo(chain.folder)
            throw error
        }
    }

    private func changed(
        _ path: ObjectPath, _ body: (Descriptor) throws(SystemError) -> Void
    ) throws(SystemError) -> Chain {
        var tries = 0
        while true {
            do throws(SystemError) {
                let chain = try chain(of: path, making: true)
                try body(chain.folder)
                return chain
            } catch {
                tries += 1
                guard error.number == ENOENT, tries < Self.folderTries else { throw error }
            }
        }
    }

    /// Removes the folders of a chain that are empty, from the last one up.
    func removeEmpty(_ chain: Chain) {
        for index in chain.names.indices.reversed() {
            do throws(SystemError) {
                try calls.removeFolder(chain.names[index], in: chain.folders[index])
            } catch {
                return
            }
        }
    }
}
