internal import Linux
internal import Media
internal import Objects
internal import S3

/// A part on its way to the store, while the next one arrives; the record is stored behind it.
final class PartSending: Sendable {
    /// A part whose bytes are all there, and the hasher behind them.
    struct Part: Sendable {
        let buffer: PartBuffer
        let hasher: BlockHasher
    }

    /// What a sender has to know before the next part.
    struct End: Sendable {
        /// With the upload, which was begun even if the part failed.
        let record: ArrivalRecord
        /// `busy` where another one may have the file by now.
        let result: Result<S3Part, ObjectError>
    }

    let part: Part
    private let end = Promise<End>()

    /// Starts a thread that sends.
    ///
    /// - Parameter record: that of the parts before.
    init(
        _ part: Part, _ record: ArrivalRecord, _ id: ObjectID, _ lock: any ObjectLock, _ client: S3Client,
        _ keys: BucketKeys
    ) {
        self.part = part
        let end = end
        let send: @Sendable () -> Void = { end.fulfil(Self.send(part, record, id, lock, client, keys)) }
        do throws(SystemError) {
            _ = try WorkerThread(name: "part", send)
        } catch {
            // Without a thread the sender has to wait.
            send()
        }
    }

    func wait() -> End { end.wait() }

    private static func send(
        _ part: Part, _ record: ArrivalRecord, _ id: ObjectID, _ lock: any ObjectLock, _ client: S3Client,
        _ keys: BucketKeys
    ) -> End {
        var record = record
        do throws(ObjectError) {
            try lock.requireHeld()
            let sent = try asking { () throws(S3Fault) in try append(part.buffer, to: &record, id, client, keys) }
            record.hasher = part.hasher
            try lock.requireHeld()
            try asking { () throws(S3Fault) in try store(record, id, client, keys) }
            return End(record: record, result: .success(sent))
        } catch {
            return End(record: record, result: .failure(error))
        }
    }

    /// Sends the next part, and begins the upload before the first.
    @discardableResult
    static func append(
        _ buffer: PartBuffer, to record: inout ArrivalRecord, _ id: ObjectID, _ client: S3Client, _ keys: BucketKeys
    ) throws(S3Fault) -> S3Part {
        let upload: String
        if let known = record.upload {
            upload = known
        } else {
            upload = try client.beginParts(keys.object(id), metadata: [:])
            record.upload = upload
        }
        defer { withExtendedLifetime(buffer) {} }
        let sent = try client.send(part: record.parts.count + 1, of: upload, keys.object(id), buffer.body)
        record.parts.append(sent)
        return sent
    }

    /// - Parameter tail: the bytes behind the parts.
    static func store(
        _ record: ArrivalRecord, endingWith tail: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        _ id: ObjectID, _ client: S3Client, _ keys: BucketKeys
    ) throws(S3Fault) {
        try client.put(
            record.bytes(endingWith: tail), as: keys.record(id),
            metadata: [ArrivalRecord.byteCountName: "\(record.byteCount(with: tail))"])
    }
}

extension ObjectLock {
    /// - Throws: `busy` where another one may have it.
    func requireHeld() throws(ObjectError) { guard isHeld else { throw .busy } }
}
