import CLinux
import Linux
import Media

/// A small file that only its owner may read. Readers always see a whole file, whatever others do meanwhile.
struct PrivateFile {
    let path: String

    private static let mostByteCount = 64 << 10

    /// The file's bytes; `nil` if it does not exist.
    ///
    /// - Throws: `unavailable` if it cannot be read, or is over 64 KiB.
    func read() throws(Failure) -> [UInt8]? {
        // Reading a pipe would block.
        if let status = try? FileStatus.of(path: path), !status.isRegularFile {
            throw Failure(.unavailable, message: "The file \(path) is damaged: it is not a regular file.")
        }
        return try SmallFile.bytes(of: path, limit: Self.mostByteCount)
    }

    /// Makes the file. If two processes make it at once, the first one's file stays. It survives a power failure.
    func make(_ bytes: [UInt8]) throws(Failure) {
        let aside = "\(path).\(UInt64.random(in: 0...(.max)))"
        defer { _ = unlink(aside) }
        do throws(SystemError) {
            let file = try Descriptor.open(aside, O_WRONLY | O_CREAT | O_EXCL, mode: OwnerOnly.file)
            try file.write(bytes)
            try checking("fsync") { fsync(file.number) }
            do throws(SystemError) {
                try checking("link") { link(aside, path) }
            } catch {
                if error.number != EEXIST { throw error }
            }
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let opened = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
            try checking("fsync") { fsync(opened.number) }
        } catch {
            throw Failure(.unavailable, message: "Cannot create the file \(path).", detail: "\(error)")
        }
    }
}
