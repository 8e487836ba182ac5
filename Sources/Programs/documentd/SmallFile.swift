import CLinux
import Linux
import Media

/// Reads files that are short: keys, secrets, sets of keys.
enum SmallFile {
    /// The file's bytes; `nil` if it does not exist.
    ///
    /// - Throws: `unavailable` if it cannot be read, or has more than `limit` bytes.
    static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try Descriptor.open(path, O_RDONLY).readAll(limit: limit)
        } catch {
            if error.number == ENOENT { return nil }
            throw Failure(.unavailable, message: "The file \(path) cannot be read.", detail: "\(error)")
        }
        guard let bytes else {
            throw Failure(.unavailable, message: "The file \(path) is over \(limit >> 10) KiB.")
        }
        return bytes
    }

    /// The bytes of a file that must exist, at most 1 MiB.
    ///
    /// - Throws: `unavailable`.
    static func bytes(of path: String) throws(Failure) -> [UInt8] {
        guard let bytes = try bytes(of: path, limit: 1 << 20) else {
            throw Failure(.unavailable, message: "The file \(path) cannot be read.", detail: "it does not exist")
        }
        return bytes
    }
}
