internal import Linux
internal import Media
internal import Objects
internal import S3
internal import ThumbnailCache

/// A part on its way to the store, while the next one arrives; the record is stored behind it.
final class PartSending: Sendable {
    /// A part whose bytes are all there, and the hasher behind them.
    struct Part: Sendable {
        let bytes: [UInt8]
        let hasher: BlockHasher
    }

    /// How the sending ended.
    struct End: Sendable {
        /// Begun, even if the part failed.
        let upload: String?
        let result: Result<S3Part, S3Fault>
    }

    let part: Part
    private let end = Promise<End>()

    /// Starts a thread that sends.
    ///
    /// - Parameter record: that of the parts before.
    init(_ part: Part, _ record: ArrivalRecord, _ id: IncomingID, _ client: S3Client, _ keys: BucketKeys) {
        self.part = part
        let end = end
        let send: @Sendable () -> Void = { end.fulfil(Self.send(part, record, id, client, keys)) }
        do throws(SystemError) {
            _ = try WorkerThread(name: "part", send)
        } catch {
            // Without a thread the sender has to wait.
            send()
        }
    }

    func wait() -> End { end.wait() }

    private static func send(
        _ part: Part, _ record: ArrivalRecord, _ id: IncomingID, _ client: S3Client, _ keys: BucketKeys
    ) -> End {
        var record = record
        do throws(S3Fault) {
            let sent = try append(part.bytes, to: &record, id, client, keys)
            record.hasher = part.hasher
            try store(record, id, client, keys)
            return End(upload: record.upload, result: .success(sent))
        } catch {
            return End(upload: record.upload, result: .failure(error))
        }
    }

    /// Sends the next part, and begins the upload before the first.
    @discardableResult
    static func append(
        _ bytes: [UInt8], to record: inout ArrivalRecord, _ id: IncomingID, _ client: S3Client, _ keys: BucketKeys
    ) throws(S3Fault) -> S3Part {
        let key = keys.received(id)
        let upload: String
        if let known = record.upload {
            upload = known
        } else {
            upload = try client.beginParts(key, metadata: [:])
            record.upload = upload
        }
        let number = record.parts.count + 1
        let digest = SHA256.digest(of: bytes)
        let sent = try bytes.withUnsafeBytes { buffer in
            Result { () throws(S3Fault) in
                try client.send(part: number, of: upload, key, buffer, digest: digest)
            }
        }.get()
        record.parts.append(sent)
        return sent
    }

    static func store(
        _ record: ArrivalRecord, _ id: IncomingID, _ client: S3Client, _ keys: BucketKeys
    ) throws(S3Fault) {
        try client.put(
            record.bytes, as: keys.record(id), metadata: [ArrivalRecord.byteCountName: "\(record.byteCount)"])
    }
}
