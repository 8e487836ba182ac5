internal import CLinux
internal import Linux

/// Folders that only this user may enter.
package enum PrivateFolders {
    /// Makes a folder and its parents if they are missing.
    ///
    /// Errors are ignored here: creating anything in the folder then fails, with the reason.
    /// - Parameter isOwn: whether the folder holds only this program's files; if so, others lose their rights to it.
    package static func make(_ folder: String, isOwn: Bool = true) {
        let path = "\(folder)/"
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            _ = mkdir(String(path[..<index]), OwnerOnly.folder)
        }
        if isOwn { OwnerOnly.narrow(folder) }
    }
}
