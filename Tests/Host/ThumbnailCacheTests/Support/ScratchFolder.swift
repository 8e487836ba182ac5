import CLinux
import Linux
import TestSupport
import Testing

/// A folder of one test's own, removed with the last reference.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        path = TemporaryFolder.make("cache")
    }

    deinit { Self.removeAll(path) }

    /// Writes a file with exactly these bytes, over what is there.
    func write(_ bytes: [UInt8], to name: String) throws {
        unlink("\(path)/\(name)")
        try Descriptor.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL, mode: 0o666).write(bytes)
    }

    /// Appends to a file.
    func append(_ bytes: [UInt8], to name: String) throws {
        try Descriptor.open("\(path)/\(name)", O_WRONLY | O_APPEND).write(bytes)
    }

    func read(_ name: String) throws -> [UInt8] {
        try #require(try Descriptor.open("\(path)/\(name)", O_RDONLY).readAll(limit: 1 << 24))
    }

    func status(_ name: String) throws -> FileStatus { try FileStatus.of(path: "\(path)/\(name)") }

    /// Sets both times of a file.
    func setTimes(_ name: String, to nanoseconds: Int64) {
        let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        utimensat(AT_FDCWD, "\(path)/\(name)", [time, time], 0)
    }

    /// Every regular file below `name`, relative to the folder.
    func files(below name: String = "") -> [String] {
        let folder = name.isEmpty ? path : "\(path)/\(name)"
        return ((try? FolderNames.texts(in: folder)) ?? []).sorted().flatMap { child -> [String] in
            let relative = name.isEmpty ? child : "\(name)/\(child)"
            return (try? status(relative))?.isDirectory == true ? files(below: relative) : [relative]
        }
    }

    private static func removeAll(_ path: String) {
        for name in (try? FolderNames.texts(in: path)) ?? [] {
            if unlink("\(path)/\(name)") != 0 { removeAll("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
