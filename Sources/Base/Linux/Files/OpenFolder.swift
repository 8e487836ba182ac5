public import CLinux

/// An open folder whose files are reached by places such as `a/b/c`. No link is followed, neither on the way nor at the
/// end, so anyone who can write below the folder cannot lead readers out of it.
///
/// A place is relative, without `.` and `..`; the empty place is the folder itself.
public struct OpenFolder: Sendable {
    /// Every path is resolved from here; closed with the last copy.
    public let descriptor: Descriptor
    private let usesOpenat2: Bool

    /// The folder of a descriptor; it uses `openat2` if the kernel has it.
    public init(_ descriptor: Descriptor) { self.init(descriptor, usesOpenat2: true) }

    /// - Parameter usesOpenat2: `false`: as on a kernel without it.
    package init(_ descriptor: Descriptor, usesOpenat2: Bool) {
        self.descriptor = descriptor
        self.usesOpenat2 = usesOpenat2
    }

    /// Opens a file, close-on-exec; a link is refused (`ELOOP`).
    public func open(_ place: String, _ flags: Int32, mode: mode_t = OwnerOnly.file) throws(SystemError) -> Descriptor {
        if usesOpenat2 {
            do throws(SystemError) {
                let path = place.isEmpty ? "." : place
                return Descriptor(
                    owning: try checking("openat2") {
                        clinux_openat_without_links(descriptor.number, path, flags | O_NOFOLLOW, mode)
                    })
            } catch {
                guard error.number == ENOSYS || error.number == EPERM, !isOpenat2There else { throw error }
            }
        }
        return try openStepwise(place, flags, mode)
    }

    /// The status of a file; for a link, the link's own.
    public func status(of place: String) throws(SystemError) -> FileStatus {
        if !place.utf8.contains(UInt8(ascii: "/")), !place.isEmpty {
            return try FileStatus.of(name: place, in: descriptor)
        }
        return try open(place, Self.asPlace).status()
    }

    /// The contents of a folder in no order: names as bytes with their statuses; links are not followed.
    ///
    /// Files removed meanwhile are omitted.
    public func contents(of place: String) throws(SystemError) -> [(name: [UInt8], status: FileStatus)] {
        let folder = place.isEmpty ? descriptor : try open(place, O_RDONLY | O_DIRECTORY)
        return try FolderNames.bytes(in: folder).compactMap { name in
            (try? FileStatus.of(name: name, in: folder)).map { (name, $0) }
        }
    }

    /// Kernels without the call return `ENOSYS`; filters that refuse unknown calls, and files that may not be opened,
    /// give `EPERM`.
    private var isOpenat2There: Bool {
        let probe = clinux_openat_without_links(descriptor.number, ".", Self.asPlace, 0)
        if probe >= 0 { close(probe) }
        return probe >= 0
    }

    /// `O_PATH` (open(2)), which headers define only with `_GNU_SOURCE`: the descriptor names the file without opening
    /// it.
    private static let asPlace: Int32 = 0o10_000_000 | O_NOFOLLOW

    private func openStepwise(_ place: String, _ flags: Int32, _ mode: mode_t) throws(SystemError) -> Descriptor {
        var folder = descriptor
        let names = PathBytes.components(of: place)
        if names.contains(where: { PathBytes.areEqual($0, "..") }) { throw SystemError("openat", number: EXDEV) }
        for name in names.dropLast() {
            folder = try Self.open(String(name), in: folder, Self.asPlace | O_DIRECTORY, 0)
        }
        return try Self.open(names.last.map(String.init) ?? ".", in: folder, flags | O_NOFOLLOW, mode)
    }

    private static func open(
        _ name: String, in folder: Descriptor, _ flags: Int32, _ mode: mode_t
    ) throws(SystemError) -> Descriptor {
        Descriptor(
            owning: try checking("openat") { clinux_openat(folder.number, name, flags | O_CLOEXEC, mode) })
    }
}

// Functions that change a folder open the parent first and use a name in it.
extension OpenFolder {
    /// Renames a file and replaces any file with the new name.
    public func rename(_ place: String, to newPlace: String) throws(SystemError) {
        let (folder, name) = try parent(of: place)
        let (newFolder, newName) = try parent(of: newPlace)
        try checking("rename") { renameat(folder.number, name, newFolder.number, newName) }
    }

    /// Removes a file; for a link, the link itself.
    public func remove(_ place: String) throws(SystemError) {
        let (folder, name) = try parent(of: place)
        try checking("unlink") { unlinkat(folder.number, name, 0) }
    }

    /// Makes one folder in an existing parent; throws `EEXIST` if the name is taken.
    public func makeFolder(_ place: String, mode: mode_t) throws(SystemError) {
        let (folder, name) = try parent(of: place)
        try checking("mkdir") { mkdirat(folder.number, name, mode) }
    }

    /// Removes an empty folder.
    public func removeFolder(_ place: String) throws(SystemError) {
        let (folder, name) = try parent(of: place)
        try checking("rmdir") { unlinkat(folder.number, name, AT_REMOVEDIR) }
    }

    /// Sets a file's access time (nanoseconds since 1970) and keeps its modification time.
    public func touch(_ place: String, accessed: Int64) throws(SystemError) {
        let (folder, name) = try parent(of: place)
        let times = [
            timespec(tv_sec: Int(accessed / 1_000_000_000), tv_nsec: Int(accessed % 1_000_000_000)),
            timespec(tv_sec: 0, tv_nsec: Self.leaveTime),
        ]
        try checking("utimensat") { utimensat(folder.number, name, times, AT_SYMLINK_NOFOLLOW) }
    }

    /// `UTIME_OMIT` (utimensat(2)), a macro that Swift does not import.
    private static let leaveTime = (1 << 30) - 2

    private func parent(of place: String) throws(SystemError) -> (folder: Descriptor, name: String) {
        guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (descriptor, place) }
        let folder = try open(String(place[..<slash]), Self.asPlace | O_DIRECTORY)
        return (folder, String(place[place.utf8.index(after: slash)...]))
    }
}

extension FileStatus {
    /// The status of a name in an open folder; for a link, the status of the link itself.
    static func of(name: [UInt8], in folder: Descriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        let text = terminated(name)
        try checking("stat") { fstatat(folder.number, text, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    static func of(name: String, in folder: Descriptor) throws(SystemError) -> FileStatus {
        var status = stat()
        try checking("stat") { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }
}
