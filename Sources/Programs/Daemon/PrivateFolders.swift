internal import CLinux

/// Folders that this user alone may enter.
package enum PrivateFolders {
    /// Makes a folder, and those above it, where they are missing.
    ///
    /// Errors are ignored here: whatever is made in the folder fails then, with the reason.
    package static func make(_ folder: String) {
        let path = "\(folder)/"
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            _ = mkdir(String(path[..<index]), 0o700)
        }
    }
}
