public import Media
internal import S3

extension BucketStore {
    /// Copies within the store. A copy whose sums need a row is an incoming file until it is whole.
    public func copy(_ id: ObjectID, to copy: ObjectID) throws(ObjectError) {
        let hold = try hold(copy)
        defer { withExtendedLifetime(hold) {} }
        let object = try asking { () throws(S3Fault) in try client.status(of: keys.object(id)) }
        guard let sums = try sums(of: object, id) else { throw .missing }
        let key = keys.object(copy)
        var arrival = Arrival()
        arrival.sealed = sums
        do {
            if sums.isLarge {
                try rows.save(&arrival, of: copy, sums.byteCount, for: hold.name, adding: nil)
            }
            try client.copy(keys.object(id), object, to: key, metadata: sums.isLarge ? [:] : sums.metadata)
            let stored = try client.status(of: key)
            guard stored.byteCount == sums.byteCount else {
                throw S3Fault.truncated("\(stored.byteCount) bytes of \(sums.byteCount) were copied")
            }
            if sums.isLarge { try rows.end(copy, for: hold.name) }
        } catch {
            // Only the first error is informative.
            _ = try? remove(copy)
            if sums.isLarge { try? rows.end(copy, for: hold.name) }
            throw error as? ObjectError ?? (error as? S3Fault).map { ObjectError($0) }
                ?? .unavailable(detail: "\(error)")
        }
    }

    /// Removes the sums first: while the object exists, a sweep finds both.
    @discardableResult
    public func remove(_ id: ObjectID) throws(ObjectError) -> Bool {
        let key = keys.object(id)
        let object = try existing(key)
        if object.map({ !ContentSums.areKnown(by: $0.metadata) }) ?? true { try rows.removeSums(of: id) }
        guard object != nil else { return false }
        try asking { () throws(S3Fault) in try client.remove(key) }
        return true
    }

    private func existing(_ key: String) throws(ObjectError) -> S3Object? {
        do throws(S3Fault) {
            return try client.status(of: key)
        } catch {
            if error == .missing { return nil }
            throw ObjectError(error)
        }
    }
}

extension S3Client {
    /// The maximum number of bytes that one request copies.
    private static let mostCopied: Int64 = 5 << 30
    private static let copiedPart: Int64 = 1 << 30

    /// Copies an object of any size, with new metadata.
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
            // Only the first error is informative.
            _ = try? abortParts(of: upload, newKey)
            throw error
        }
    }
}
