import CLinux
import Linux
import Media

/// A small file that its owner alone may read. Whoever reads it reads it whole, whatever others do meanwhile.
struct PrivateFile {
    let path: String

    private static let mostByteCount = 64 << 10

    /// The file's bytes; `nil` where there is none.
    ///
    /// - Throws: `unavailable` where it cannot be read, or is over 64 KiB.
    func read() throws(Failure) -> [UInt8]? {
        try SmallFile.bytes(of: path, limit: Self.mostByteCount)
    }

    /// Makes the file; of two processes that make it at once the first one's stands.
    func make(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes) { aside throws(SystemError) in
            guard link(aside, path) != 0 else { return }
            let error = SystemError.last("link")
            if error.number != EEXIST { throw error }
        }
    }

    /// Puts other bytes in place of the file's.
    func replace(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes) { aside throws(SystemError) in try checking("rename") { rename(aside, path) } }
    }

    /// Writes aside, and has the body put the file in its place; after a power failure it is still there.
    private func write(_ bytes: [UInt8], _ place: (String) throws(SystemError) -> Void) throws(Failure) {
        let aside = "\(path).\(getpid())"
        defer { _ = unlink(aside) }
        do throws(SystemError) {
            let file = try Descriptor.open(aside, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            try file.write(bytes)
            try checking("fsync") { fsync(file.number) }
            try place(aside)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let opened = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
            try checking("fsync") { fsync(opened.number) }
        } catch {
            throw Failure(.unavailable, message: "The file \(path) cannot be made.", detail: "\(error)")
        }
    }
}
