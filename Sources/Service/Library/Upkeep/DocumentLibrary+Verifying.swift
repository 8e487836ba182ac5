public import Documents
internal import Linux
internal import Media
public import Objects
internal import ThumbnailCache

/// A file that is not what its row says.
public struct FileDamage: Hashable, Sendable {
    /// The object, as its row has it.
    public let object: StoredObject
    /// What was found.
    public let kind: Kind

    /// A damage that somebody has found.
    public init(object: StoredObject, kind: Kind) {
        self.object = object
        self.kind = kind
    }

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
    /// Reads every object again, and compares its SHA-256 with its row's.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: how fast it reads at most, since others read from the same disk; `nil` for no bound.
    ///   - found: told of each damaged object.
    /// - Returns: the number of objects that were read.
    public func verify(
        bytesPerSecond: Int64?, found: (FileDamage) -> Void
    ) throws(DocumentError) -> Int {
        var count = 0
        var place: StorePlace?
        repeat {
            let page = try store.objects(of: nil, behind: place, limit: 100)
            for object in page.elements {
                if let kind = objects.damage(of: object, bytesPerSecond: bytesPerSecond) {
                    // It may have been removed meanwhile.
                    if try store.object(object.id) == nil { continue }
                    found(FileDamage(object: object, kind: kind))
                }
                count += 1
            }
            place = page.next
        } while place != nil
        return count
    }
}

extension ObjectStore {
    /// Reads an object to its end.
    ///
    /// - Parameter bytesPerSecond: as for `verify`.
    /// - Returns: what is wrong with it; `nil` for a sound one.
    public func damage(of object: StoredObject, bytesPerSecond: Int64? = nil) -> FileDamage.Kind? {
        do throws(ObjectError) {
            let reader = try open(object.id)
            guard reader.byteCount == object.byteCount else { return .changed }
            return try reader.digest(bytesPerSecond: bytesPerSecond) == object.digest ? nil : .changed
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
