public import Documents
internal import Hashing
internal import Linux
public import Media
public import Objects

/// A file that is not what its row says, or that cannot be checked.
public struct FileDamage: Hashable, Sendable {
    /// The object, as its row has it.
    public let object: StoredObject
    /// What was found.
    public let kind: Kind

    /// Damage that was found.
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
        /// The store has it but cannot read it: a bad disk, or checksums that do not match.
        case unreadable
        /// Unknown: the store is busy, refuses, or does not respond.
        case unreachable
    }

    /// How many files in a row may be unreachable before the store itself counts as unreachable.
    public static let mostUnreachable = 10

    /// The error of an unreachable store.
    public static var unreachableStore: Failure {
        Failure(
            .unavailable,
            message: "The file store is unreachable: \(mostUnreachable) files in a row could not be read.")
    }
}

extension DocumentLibrary {
    /// Reads every object again, and compares its SHA-256 with its row's.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: the highest read rate, since others read from the same disk; `nil` for no limit.
    ///   - found: called with each object that is damaged or unreachable.
    /// - Returns: the number of checked objects; `nil` if it ended early because the store is unreachable.
    public func verify(
        bytesPerSecond: Int64?, found: (FileDamage) -> Void
    ) throws(DocumentError) -> Int? {
        var count = 0
        var unreachableCount = 0
        var place: StorePlace?
        repeat {
            let page = try store.objects(of: nil, behind: place, limit: 100)
            for object in page.elements {
                let kind = objects.damage(of: object, bytesPerSecond: bytesPerSecond)
                unreachableCount = kind == .unreachable ? unreachableCount + 1 : 0
                if let kind {
                    // It may have been removed meanwhile.
                    if try store.object(object.id) == nil { continue }
                    found(FileDamage(object: object, kind: kind))
                }
                count += 1
                if unreachableCount == FileDamage.mostUnreachable { return nil }
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
    /// - Returns: what is wrong with it; `nil` if it is sound.
    public func damage(of object: StoredObject, bytesPerSecond: Int64? = nil) -> FileDamage.Kind? {
        do throws(ObjectError) {
            let reader = try open(object.id)
            guard reader.byteCount == object.byteCount else { return .changed }
            return try reader.digest(bytesPerSecond: bytesPerSecond) == object.digest ? nil : .changed
        } catch {
            return FileDamage.Kind(error)
        }
    }
}

extension FileDamage.Kind {
    /// What a reader's error says about its file.
    public init(_ error: ObjectError) {
        self =
            switch error {
            case .missing: .missing
            case .damaged: .unreadable
            default: .unreachable
            }
    }
}

extension ObjectReader {
    /// Reads the object, and hashes it; `nil` if it ends early.
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
