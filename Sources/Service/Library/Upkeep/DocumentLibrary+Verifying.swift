public import Documents
internal import Linux
public import Media
internal import Objects
internal import ThumbnailCache

/// A file that is not what its row says.
public struct FileDamage: Hashable, Sendable {
    /// The version whose file it is.
    public let document: ID<Document>
    /// The file's path in the object store.
    public let path: String
    /// What was found.
    public let kind: Kind

    /// The ways in which a file can differ.
    public enum Kind: String, Hashable, Sendable {
        /// There is no such file.
        case missing
        /// It has other bytes than those that were stored.
        case changed
        /// It cannot be read.
        case unreadable
    }
}

extension DocumentLibrary {
    /// Reads every file again, and compares its SHA-256 with its row's.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: how fast it reads at most, since others read from the same disk; `nil` for no bound.
    ///   - found: told of each damaged file.
    /// - Returns: the number of files that were read.
    public func verify(
        bytesPerSecond: Int64?, found: (FileDamage) -> Void
    ) throws(DocumentError) -> Int {
        var count = 0
        var place: StorePlace?
        repeat {
            let page = try store.files(behind: place, limit: 100)
            for document in page.elements {
                let (path, digest) = (document.file.path, document.file.digest)
                if let kind = damage(
                    at: path, byteCount: document.file.byteCount, digest: digest, bytesPerSecond: bytesPerSecond)
                {
                    // A document that was removed meanwhile has no file.
                    if try !store.hasVersion(withFile: path) { continue }
                    found(FileDamage(document: document.id, path: path, kind: kind))
                }
                count += 1
            }
            place = page.next
        } while place != nil
        return count
    }

    /// Reads a file to its end.
    ///
    /// - Parameters:
    ///   - byteCount: its length; `nil` where nobody has noted that.
    ///   - digest: that of its bytes; `nil` where nobody has noted that.
    ///   - bytesPerSecond: as for `verify`.
    /// - Returns: what is wrong with it; `nil` for a sound file.
    public func damage(
        at path: String, byteCount: Int64?, digest: Digest?, bytesPerSecond: Int64?
    ) -> FileDamage.Kind? {
        do throws(ObjectError) {
            let reader = try objects.open(try ObjectPath(path))
            if let byteCount, reader.byteCount != byteCount { return .changed }
            guard let found = try reader.digest(bytesPerSecond: bytesPerSecond) else { return .changed }
            return digest == nil || found == digest ? nil : .changed
        } catch {
            return error == .missing ? .missing : .unreadable
        }
    }
}

extension ObjectReader {
    /// Reads the object, and hashes it; `nil` where it ends early.
    func digest(bytesPerSecond: Int64? = nil) throws(ObjectError) -> Digest? {
        let begin = Time.monotonic
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var hasher = SHA256()
        var offset: Int64 = 0
        while offset < byteCount {
            let count = try read(into: buffer, at: offset)
            if count == 0 { return nil }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
            if let bytesPerSecond {
                let due = Duration.seconds(1) * (Double(offset) / Double(bytesPerSecond))
                let ahead = due - (Time.monotonic - begin)
                if ahead > .milliseconds(1) { Time.sleep(ahead) }
            }
        }
        return hasher.digest()
    }
}
