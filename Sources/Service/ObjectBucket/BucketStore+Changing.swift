public import Media
public import Objects
internal import S3

extension BucketStore {
    /// Copies within the store.
    public func copy(_ id: ObjectID) throws(ObjectError) -> ObjectID {
        let object = try asking { () throws(S3Fault) in try client.status(of: keys.object(id)) }
        guard let sums = try BucketContent(client, keys).sums(of: object, id) else { throw .missing }
        let copy = ObjectID.random()
        let key = keys.object(copy)
        let metadata = try store(sums, of: copy)
        do throws(S3Fault) {
            try client.copy(keys.object(id), object, to: key, metadata: metadata)
            let stored = try client.status(of: key)
            guard stored.byteCount == sums.byteCount else {
                throw .truncated("\(stored.byteCount) bytes of \(sums.byteCount) were copied")
            }
        } catch {
            // The first error is the one that tells.
            _ = try? remove(copy)
            throw ObjectError(error)
        }
        return copy
    }

    /// Removes the sums first: as long as the object is there, a sweep finds both.
    @discardableResult
    public func remove(_ id: ObjectID) throws(ObjectError) -> Bool {
        let key = keys.object(id)
        let object = try existing(key)
        try asking { () throws(S3Fault) in
            // Those of an arrival may be there before the object.
            if object.map({ !ContentSums.areKnown(by: $0.metadata) }) ?? true { try client.remove(keys.sums(id)) }
            if object != nil { try client.remove(key) }
        }
        return object != nil
    }

    private func existing(_ key: String) throws(ObjectError) -> S3Object? {
        do throws(S3Fault) {
            return try client.status(of: key)
        } catch {
            if error == .missing { return nil }
            throw ObjectError(error)
        }
    }

    /// Stores the sums that do not fit into metadata.
    ///
    /// - Returns: the metadata of the object that has them.
    func store(_ sums: ContentSums, of id: ObjectID) throws(ObjectError) -> [String: String] {
        if !sums.isLarge { return sums.metadata }
        try asking { () throws(S3Fault) in try client.put(sums.bytes, as: keys.sums(id)) }
        return [:]
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
