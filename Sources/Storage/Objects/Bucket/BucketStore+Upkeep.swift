internal import Linux
public import Media
internal import S3

extension BucketStore {
    /// Pages of the bucket's own list, in its order.
    public func walk() throws(ObjectError) -> any ObjectWalk { BucketWalk(client, keys) }

    /// Asks the rows, which record what was stored. They do not include bytes in the memory of another process.
    public func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        try rows.all(untouchedFor: age)
    }

    /// Asks the row.
    public func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus { try rows.status(of: id) }

    /// Asks the rows with one statement.
    public func incoming(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus] { try rows.status(among: ids) }

    /// Aborts the multipart upload, and removes the rows and all pieces. It holds the lock, so that nobody resumes the
    /// file meanwhile.
    @discardableResult
    public func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        let hold = try hold(id)
        var arrival: Arrival?
        do throws(ObjectError) {
            guard try rows.isUntouched(id, for: age) else { return false }
            arrival = try rows.take(id, for: hold.name)
        } catch {
            if error != .missing { throw error }
        }
        if let arrival {
            try remove(arrival, of: id)
            try endRows(arrival, hold)
        }
        // Pieces that a crash between the bucket and the row has left are in no row.
        for piece in try pieces(below: keys.pieces(of: id)) {
            try asking { () throws(S3Fault) in try client.remove(piece.key) }
        }
        return arrival != nil
    }

    /// Removes pieces and multipart uploads that no row names, as after a crash between the bucket and the row.
    ///
    /// - Returns: their number.
    public func removeStrays(untouchedFor age: Duration) throws(ObjectError) -> Int {
        let latest = Time.wall - age.nanoseconds
        let pieces = try pieces(below: keys.incoming).filter { $0.modified < latest }.map(\.key)
        let uploads = try asking { () throws(S3Fault) in try client.uploads(prefix: keys.objects) }
            .filter { $0.begun < latest }
        if pieces.isEmpty, uploads.isEmpty { return 0 }
        // Read after the lists: anything in use and that old is in a row by now.
        let inUse = try rows.inUse()
        var count = 0
        for key in pieces where !inUse.contains(keys.name(ofPiece: key)) {
            try asking { () throws(S3Fault) in try client.remove(key) }
            count += 1
        }
        for upload in uploads where !inUse.contains(upload.name) {
            try asking { () throws(S3Fault) in _ = try client.abortParts(of: upload.name, upload.key) }
            count += 1
        }
        return count
    }

    private func pieces(below prefix: String) throws(ObjectError) -> [(key: String, modified: Int64)] {
        var (found, token) = ([(key: String, modified: Int64)](), String?.none)
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(prefix: prefix, after: nil, delimiter: nil, limit: 1000, token: token)
            }
            found += page.entries.map { ($0.key, $0.modified) }
            token = page.next
        } while token != nil
        return found
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { Int64(milliseconds * 1e6) }
}

/// A walk over the objects of a bucket, one page of its list at a time.
private final class BucketWalk: ObjectWalk {
    private let client: S3Client
    private let keys: BucketKeys
    private var token: String?
    private var isOver = false

    init(_ client: S3Client, _ keys: BucketKeys) {
        self.client = client
        self.keys = keys
    }

    func next() throws(ObjectError) -> [ObjectStatus]? {
        if isOver { return nil }
        let page = try asking { () throws(S3Fault) in
            try client.list(prefix: keys.objects, after: nil, delimiter: nil, limit: 1000, token: token)
        }
        token = page.next
        isOver = page.next == nil
        return page.entries.compactMap { entry in
            keys.id(ofKey: entry.key).map {
                ObjectStatus(id: $0, byteCount: entry.byteCount, modified: entry.modified)
            }
        }
    }
}
