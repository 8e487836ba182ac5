internal import Linux
public import Media
public import Objects
internal import S3

extension BucketStore {
    /// Pages of the store's own list, in its order.
    public func walk() throws(ObjectError) -> any ObjectWalk { BucketWalk(client, keys) }

    /// Lists the records of files that arrive; each has the time at which the last bytes were stored.
    public func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        var (found, token) = ([IncomingStatus](), String?.none)
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(prefix: keys.incoming, after: nil, delimiter: nil, limit: 1000, token: token)
            }
            for entry in page.entries where Self.isUntouched(entry.modified, for: age) {
                let name = String(entry.key.dropFirst(keys.incoming.count))
                guard let id = ObjectID(rawValue: name) else { continue }
                do throws(ObjectError) {
                    let status = try incoming(id)
                    if Self.isUntouched(status.modified, for: age) { found.append(status) }
                } catch {
                    // Committed or discarded meanwhile.
                    guard error == .missing else { throw error }
                }
            }
            token = page.next
        } while token != nil
        return found.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Asks for the record's header. It tells what was stored: bytes that another process has in memory are not in it.
    public func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus {
        let record = try asking { () throws(S3Fault) in try client.status(of: keys.record(id)) }
        guard let byteCount = record.metadata[ArrivalRecord.byteCountName].flatMap({ Int64($0) }) else {
            throw ObjectError(S3Fault.corrupted("the record of the incoming file \(id)"))
        }
        return IncomingStatus(id: id, byteCount: byteCount, modified: record.modified)
    }

    /// Gives the upload in parts up, and removes the record, under the lock, so that nobody resumes it meanwhile.
    @discardableResult
    public func removeIncoming(
        _ id: ObjectID, untouchedFor age: Duration, isStored: Bool
    ) throws(ObjectError) -> Bool {
        let file: BucketIncoming
        do throws(ObjectError) {
            file = try lockedIncoming(id)
        } catch {
            if error == .missing { return false }
            throw error
        }
        guard Self.isUntouched(try incoming(id).modified, for: age) else { return false }
        try isStored ? file.forget() : file.discard()
        return true
    }

    private static func isUntouched(_ modified: Int64, for age: Duration) -> Bool {
        Duration.nanoseconds(Time.wall - modified) >= age
    }
}

/// A walk over the objects of a bucket, a page of its list at a time.
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
