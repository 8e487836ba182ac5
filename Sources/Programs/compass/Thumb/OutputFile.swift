import CLinux
import Linux
import Media

/// Writes the output of `-o`. A regular file appears whole or not at all.
///
/// A regular file or a new file is written under a temporary name and renamed. A link stays a link: its target is
/// replaced. A device, pipe or socket is opened and written to, as by `cp` and `>`.
enum OutputFile {
    /// Writes all bytes to a path.
    ///
    /// - Throws: `unavailable` with the path; no temporary file is left.
    static func write(_ bytes: [UInt8], to path: FilePath) throws(Failure) {
        do throws(SystemError) {
            guard let status = try status(of: path) else {
                return try replace(try target(of: path), by: bytes)
            }
            if status.isRegularFile {
                try replace(try target(of: path), by: bytes)
            } else {
                try Descriptor.open(path: path.bytes, O_WRONLY | O_NOCTTY).write(bytes)
            }
        } catch {
            throw Failure(
                .unavailable, message: "\(path.shown) cannot be written: \(error.reason).", detail: "\(error)")
        }
    }

    /// The status of a path's target; `nil` if there is none.
    private static func status(of path: FilePath) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.of(path: path.bytes)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// The number of links that the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// The path after following all links in its last component.
    private static func target(of path: FilePath) throws(SystemError) -> FilePath {
        var path = path
        for _ in 0..<mostLinks {
            guard let link = link(at: path) else { return path }
            let folder = path.bytes.lastIndex(of: UInt8(ascii: "/")).map { path.bytes[...$0] } ?? []
            path = FilePath(link.first == UInt8(ascii: "/") ? link : folder + link)
        }
        throw SystemError("readlink", number: ELOOP)
    }

    private static func link(at path: FilePath) -> [UInt8]? {
        let count = 4096
        let link = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = buffer.withMemoryRebound(to: CChar.self) {
                max(0, readlink(terminated(path.bytes), $0.baseAddress!, count))
            }
        }
        return link.isEmpty ? nil : link
    }

    private static func replace(_ path: FilePath, by bytes: [UInt8]) throws(SystemError) {
        let temporary = path.bytes + Array(".\(getpid())-\(Time.wall).part".utf8)
        let file = try Descriptor.open(path: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        do throws(SystemError) {
            try file.write(bytes)
            try checking("rename") { rename(terminated(temporary), terminated(path.bytes)) }
        } catch {
            unlink(terminated(temporary))
            throw error
        }
    }
}
