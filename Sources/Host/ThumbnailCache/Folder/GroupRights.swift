internal import CLinux
internal import Linux

/// What a cache's group may do with its files, according to the mode of the cache's folder; others may do nothing.
///
/// A folder is shared with its group if the group may write to it, or if it has the setgid bit. That bit gives its
/// files the folder's group (inode(7)). Any other folder belongs to its user alone.
enum GroupRights {
    case none
    case reading
    case writing

    init(of folder: FileStatus) {
        let isShared = folder.mode & UInt32(S_ISGID) != 0
        if folder.mode & 0o020 != 0 {
            self = .writing
        } else {
            self = isShared && folder.mode & 0o040 != 0 ? .reading : .none
        }
    }

    /// The mode of a file.
    var file: mode_t {
        switch self {
        case .none: OwnerOnly.file
        case .reading: 0o640
        case .writing: 0o660
        }
    }

    /// The mode of a folder without the bit that it inherits.
    var folder: mode_t {
        switch self {
        case .none: OwnerOnly.folder
        case .reading: 0o750
        case .writing: 0o770
        }
    }
}

extension OpenFolder {
    /// Opens a file, and creates it if it is missing. A file that this call may have created gets its mode regardless
    /// of the umask.
    ///
    /// - Parameter flags: with `O_CREAT`.
    func make(_ place: String, _ flags: Int32, for rights: GroupRights) throws(SystemError) -> Descriptor {
        let file = try open(place, flags, mode: rights.file)
        guard rights != .none else { return file }
        let status = try file.status()
        if status.owner == geteuid(), status.mode & 0o777 != rights.file { _ = fchmod(file.number, rights.file) }
        return file
    }

    /// Creates a folder with its mode, regardless of the umask.
    func makeFolder(_ place: String, for rights: GroupRights) throws(SystemError) {
        try makeFolder(place, mode: rights.folder)
        guard rights != .none, let made = try? open(place, O_RDONLY | O_DIRECTORY), let status = try? made.status()
        else {
            return
        }
        // With the bit that the folder has inherited.
        _ = fchmod(made.number, mode_t(status.mode & 0o7000) | rights.folder)
    }
}
