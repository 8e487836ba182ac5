internal import Linux
public import Media
public import Objects
internal import S3
internal import Synchronization

extension BucketStore {
    /// Pages of the store's own list, or where its order is another one, folder by folder.
    public func list(
        prefix: String, after: ObjectPath?, limit: Int
    ) throws(ObjectError) -> StorePage<ObjectStatus, ObjectPath> {
        guard limit > 0 else { return StorePage([], next: nil) }
        switch try listOrder() {
        case .bytes: return try page(of: keys.files + prefix, after: after, limit: limit)
        case .folders:
            let walk = BucketWalk(client, keys, prefix: prefix, after: after)
            let found = try walk.next(limit) ?? []
            return StorePage(found, next: walk.isOver ? nil : found.last?.path)
        }
    }

    /// Lists each folder once where the store has an order of its own.
    public func walk() throws(ObjectError) -> any ObjectWalk {
        switch try listOrder() {
        case .bytes: PagedWalk(self)
        case .folders: BucketWalk(client, keys, prefix: "", after: nil)
        }
    }

    private func page(
        of prefix: String, after: ObjectPath?, limit: Int
    ) throws(ObjectError) -> StorePage<ObjectStatus, ObjectPath> {
        var (found, token) = ([ObjectStatus](), String?.none)
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(
                    prefix: prefix, after: token == nil ? after.map { keys.files + $0.text } : nil, delimiter: nil,
                    limit: min(1000, limit - found.count), token: token)
            }
            found += page.entries.compactMap { entry in
                keys.path(ofKey: entry.key).map {
                    ObjectStatus(path: $0, byteCount: entry.byteCount, modified: entry.modified)
                }
            }
            token = page.next
        } while token != nil && found.count < limit
        return StorePage(found, next: token == nil ? nil : found.last?.path)
    }

    /// Asks once: two objects, whose order differs, are stored and listed.
    private func listOrder() throws(ObjectError) -> ListOrder {
        if let known = order.withLock({ $0 }) { return known }
        let names = ["a-b", "a/x"]
        let listed = try asking { () throws(S3Fault) in
            var listed = try client.list(prefix: keys.order, after: nil, delimiter: nil, limit: 10).entries
            if listed.count < names.count {
                for name in names { try client.put([], as: keys.order + name) }
                listed = try client.list(prefix: keys.order, after: nil, delimiter: nil, limit: 10).entries
            }
            return listed.map { String($0.key.dropFirst(keys.order.count)) }
        }
        guard listed.sorted() == names else {
            throw .unavailable(detail: "the store does not list what it has just stored")
        }
        let found: ListOrder = listed == names ? .bytes : .folders
        order.withLock { $0 = found }
        return found
    }

    /// Lists the records of files that arrive; each has the time at which the last bytes were stored.
    public func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        var (found, token) = ([IncomingStatus](), String?.none)
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(prefix: keys.incoming, after: nil, delimiter: nil, limit: 1000, token: token)
            }
            for entry in page.entries where Self.isUntouched(entry.modified, for: age) {
                let name = String(entry.key.dropFirst(keys.incoming.count))
                guard let id = IncomingID(rawValue: name) else { continue }
                do throws(ObjectError) {
                    let status = try status(of: id)
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
    public func status(of id: IncomingID) throws(ObjectError) -> IncomingStatus {
        let record = try asking { () throws(S3Fault) in try client.status(of: keys.record(id)) }
        guard let byteCount = record.metadata[ArrivalRecord.byteCountName].flatMap({ Int64($0) }) else {
            throw ObjectError(S3Fault.corrupted("the record of the incoming file \(id)"))
        }
        return IncomingStatus(id: id, byteCount: byteCount, modified: record.modified)
    }

    /// Gives the upload in parts up, and removes the record, under the lock, so that nobody resumes it meanwhile.
    @discardableResult
    public func removeIncoming(_ id: IncomingID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        let file: BucketIncoming
        do throws(ObjectError) {
            file = try lockedIncoming(id)
        } catch {
            if error == .missing { return false }
            throw error
        }
        guard Self.isUntouched(try status(of: id).modified, for: age) else { return false }
        try file.discard()
        return true
    }

    private static func isUntouched(_ modified: Int64, for age: Duration) -> Bool {
        Duration.nanoseconds(Time.wall - modified) >= age
    }
}
