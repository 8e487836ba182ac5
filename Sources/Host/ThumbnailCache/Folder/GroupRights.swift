internal import CLinux
internal import Linux

/// What a cache's group may do with its files, as the mode of the cache's folder says; others may do nothing.
///
/// A folder is its group's where the group may write to it, or where it has the setgid bit (inode(7)), by which its files belong to the
/// folder's group. Any other folder is its user's alone.
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
    /// Opens a file that is made where it is missing. One that this call may have made gets its mode whatever the umask is.
    ///
    /// - Parameter flags: with `O_CREAT`.
    func make(_ place: String, _ flags: Int32, for rights: GroupRights) throws(SystemError) -> Descriptor {
        let file = try open(place, flags, mode: rights.file)
        guard rights != .none else { return file }
        let status = try file.status()
        if status.owner == geteuid(), status.mode & 0o777 != rights.file { _ = fchmod(file.number, rights.file) }
        return file
    }

    /// Makes a folder with its mode, whatever the umask is.
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
