internal import CLinux
internal import Linux

/// Folders that this user alone may enter.
package enum PrivateFolders {
    /// Makes a folder, and those above it, where they are missing.
    ///
    /// Errors are ignored here: whatever is made in the folder fails then, with the reason.
    /// - Parameter isOwn: whether the folder holds this program's files alone, so that others lose the rights that they have in it.
    package static func make(_ folder: String, isOwn: Bool = true) {
        let path = "\(folder)/"
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            _ = mkdir(String(path[..<index]), OwnerOnly.folder)
        }
        if isOwn { OwnerOnly.narrow(folder) }
    }
}
