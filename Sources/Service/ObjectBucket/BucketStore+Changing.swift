internal import Media
public import Objects
internal import S3
internal import ThumbnailCache

extension BucketStore {
    /// Copies within the store. An object that another program has written is read once for its digest.
    public func copy(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject {
        let key = try lookedUp(path)
        guard let object = try existing(key) else { throw .missing }
        let known = try BucketContent(client, keys).sums(of: object)
        let sums = if let known { known } else { try sums(reading: path) }
        let turn = try turn(at: newPath)
        defer { withExtendedLifetime(turn) {} }
        let newKey = try keys.file(newPath)
        try references.requireUnnamed(newPath, replacing: replacing)
        let replaced = try existing(newKey)
        guard replacing || replaced == nil else { throw .taken }
        let metadata = try storeSums(sums)
        try asking { () throws(S3Fault) in try client.copy(key, object, to: newKey, metadata: metadata) }
        let copy = try asking { () throws(S3Fault) in try client.status(of: newKey) }
        guard copy.byteCount == sums.byteCount else {
            throw ObjectError(S3Fault.truncated("\(copy.byteCount) bytes of \(sums.byteCount) were copied"))
        }
        if let replaced { try? removeSums(of: replaced) }
        return StoredObject(path: newPath, digest: sums.digest, byteCount: copy.byteCount, modified: copy.modified)
    }

    private func sums(reading path: ObjectPath) throws(ObjectError) -> ContentSums {
        let reader = try reader(path)
        var hasher = BlockHasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockHasher.blockByteCount, alignment: 64)
        defer { buffer.deallocate() }
        while hasher.byteCount < reader.byteCount {
            let count = try reader.read(into: buffer, at: hasher.byteCount)
            guard count > 0 else { throw .unavailable(detail: "an object ended early") }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return hasher.result
    }

    /// Copies, and then removes. Between the two the object has both paths; its time is that of the move.
    public func move(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) {
        let key = try lookedUp(path)
        guard let object = try existing(key) else { throw .missing }
        let turn = try turn(at: newPath)
        defer { withExtendedLifetime(turn) {} }
        let newKey = try keys.file(newPath)
        let replaced = path == newPath ? object : try existing(newKey)
        guard replacing || replaced == nil else { throw .taken }
        if path == newPath { return }
        if try references.isReferenced(path) { throw .referenced }
        try references.requireUnnamed(newPath, replacing: replacing)
        // The sums stay where they are: the metadata goes along, and with it their name.
        try asking { () throws(S3Fault) in
            try client.copy(key, object, to: newKey, metadata: object.metadata)
            let copy = try client.status(of: newKey)
            guard copy.byteCount == object.byteCount else {
                throw .truncated("\(copy.byteCount) bytes of \(object.byteCount) were copied")
            }
            try client.remove(key)
        }
        if let replaced { try? removeSums(of: replaced) }
    }

    /// Has the turn at the path meanwhile, as commits, copies and moves have.
    @discardableResult
    public func remove(_ path: ObjectPath, if isDue: () -> Bool) throws(ObjectError) -> Bool {
        do throws(ObjectError) {
            _ = try keys.file(path)
        } catch {
            // No object can be there. The caller learns that its turn has come, all the same.
            _ = isDue()
            return false
        }
        let turn = try turn(at: path)
        defer { withExtendedLifetime(turn) {} }
        guard isDue() else { return false }
        try turn.requireHeld()
        return try remove(path)
    }

    /// Asks for a row that names the path right before.
    @discardableResult
    public func remove(_ path: ObjectPath) throws(ObjectError) -> Bool {
        try references.isReferenced(path) ? false : removeReferenced(path)
    }

    /// Removes the sums first: where that is interrupted, the next call finds them by the object.
    @discardableResult
    public func removeReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool {
        let key: String
        do throws(ObjectError) { key = try keys.file(path) } catch { return false }
        guard let object = try existing(key) else { return false }
        try removeSums(of: object)
        try asking { () throws(S3Fault) in try client.remove(key) }
        return true
    }
}

extension S3Client {
    /// The most bytes that one request copies.
    private static let mostCopied: Int64 = 5 << 30
    private static let copiedPart: Int64 = 1 << 30

    /// Copies an object of any size, with metadata of its own.
    func copy(_ key: String, _ object: S3Object, to newKey: String, metadata: [String: String]) throws(S3Fault) {
        guard object.byteCount > Self.mostCopied else {
            return try copy(key, tag: object.tag, to: newKey, metadata: metadata)
        }
        let upload = try beginParts(newKey, metadata: metadata)
        do throws(S3Fault) {
            var parts: [S3Part] = []
            for start in stride(from: 0, to: object.byteCount, by: Int64.Stride(Self.copiedPart)) {
                parts.append(
                    try copy(
                        part: parts.count + 1, of: upload, newKey, from: key, tag: object.tag,
                        start..<min(start + Self.copiedPart, object.byteCount)))
            }
            try completeParts(parts, of: upload, newKey)
        } catch {
            // The first error is the one that tells.
            _ = try? abortParts(of: upload, newKey)
            throw error
        }
    }
}
