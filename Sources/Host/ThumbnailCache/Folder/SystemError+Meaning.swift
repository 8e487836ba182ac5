internal import CLinux
internal import Linux
internal import Media

extension SystemError {
    /// Whether nothing has that name, or no folder exists to contain it.
    var isMissing: Bool { number == ENOENT }

    /// Whether the name is taken.
    var isTaken: Bool { number == EEXIST }

    /// Whether a link or a file is in the place of a folder.
    var isNoFolder: Bool { number == ENOTDIR || number == ELOOP }

    /// Whether there is nothing for this user: no such file, a file in the place of a folder, or no permission.
    var isAbsence: Bool { [ENOENT, ENOTDIR, EACCES, EPERM].contains(number) }

    /// Whether the folder has items.
    var isNotEmpty: Bool { number == ENOTEMPTY || number == EEXIST }

    /// Whether the file has more bytes than the reader's limit.
    var isTooLong: Bool { number == EFBIG }

    /// The remedy for a cache that cannot be written.
    var remedy: String {
        switch number {
        case EACCES, EPERM, EROFS: "give this user write access there, or choose another cache folder"
        case ENOSPC, EDQUOT: "free space on that disk, or lower the cache's budget"
        case ENOTDIR, ELOOP, EISDIR:
            "something else there has a folder's or file's name: move it, or choose another folder"
        case EIO: "check the disk and its log"
        default: "check the folder, or choose another cache folder"
        }
    }
}

extension Failure {
    /// The failure of a cache operation; `detail` states call, folder and remedy.
    init(_ code: Code, cache folder: String, purpose: String, _ error: SystemError) {
        self.init(
            code, message: "The thumbnail cache cannot be \(purpose).", detail: "\(error) in \(folder): \(error.remedy)"
        )
    }
}
