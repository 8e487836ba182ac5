internal import Linux
internal import Media
internal import S3

/// A part that is being sent to the store while the next one arrives. The rows are written after it.
final class PartSending: Sendable {
    /// A whole part, and the state of the hasher after it.
    struct Part: Sendable {
        let buffer: PartBuffer
        let hasher: BlockHasher
    }

    /// What a sender must know before the next part.
    struct End: Sendable {
        /// Includes the upload, which may have been begun even if the part failed.
        let arrival: Arrival
        /// `unavailable` or `busy` if another holder may have the file by now.
        let result: Result<Void, ObjectError>
    }

    let part: Part
    private let end = Promise<End>()

    /// Starts a thread that sends.
    ///
    /// - Parameter arrival: includes the previous parts.
    init(_ part: Part, _ arrival: Arrival, _ hold: BucketIncoming.Hold, in store: BucketStore) {
        self.part = part
        let end = end
        let send: @Sendable () -> Void = { end.fulfil(Self.send(part, arrival, hold, in: store)) }
        do throws(SystemError) {
            _ = try WorkerThread(name: "part", send)
        } catch {
            // Without a thread, the sender has to wait.
            send()
        }
    }

    func wait() -> End { end.wait() }

    private static func send(
        _ part: Part, _ arrival: Arrival, _ hold: BucketIncoming.Hold, in store: BucketStore
    ) -> End {
        var next = arrival
        do throws(ObjectError) {
            try hold.lock.requireHeld()
            let row = try append(part, to: &next, hold, in: store)
            next.tail = nil
            try store.rows.save(&next, of: hold.id, next.hasher.byteCount, for: hold.name, adding: row)
            store.removePiece(arrival.tail, of: hold.id)
            return End(arrival: next, result: .success(()))
        } catch {
            var failed = arrival
            (failed.upload, failed.head) = (next.upload, next.head)
            return End(arrival: failed, result: .failure(error))
        }
    }

    /// Sends the next part. Before the first one, it begins the upload and stores the file's first bytes.
    static func append(
        _ part: Part, to arrival: inout Arrival, _ hold: BucketIncoming.Hold, in store: BucketStore
    ) throws(ObjectError) -> BucketRows.Part {
        defer { withExtendedLifetime(part.buffer) {} }
        let (client, key) = (store.client, store.keys.object(hold.id))
        let sent: S3Part
        do throws(S3Fault) {
            let upload = if let known = arrival.upload { known } else { try client.beginParts(key, metadata: [:]) }
            arrival.upload = upload
            if arrival.head == nil {
                let head = part.buffer.bytes.prefix(Arrival.headByteCount)
                arrival.head = try store.keepPiece(S3Body(UnsafeRawBufferPointer(rebasing: head)), of: hold.id)
            }
            sent = try client.send(part: arrival.parts.count + 1, of: upload, key, part.buffer.body)
        } catch {
            // A lifecycle rule of the bucket has ended the upload, or it was completed after the backup that the rows
            // come from.
            throw error == .missingUpload ? .missing : ObjectError(error)
        }
        let known = arrival.hasher.midpoint.sums.count
        arrival.parts.append(sent)
        arrival.hasher = part.hasher
        return BucketRows.Part(part: sent, sums: Hex.string(part.hasher.result.sums.dropFirst(known)))
    }
}

extension ObjectLock {
    /// - Throws: `unavailable` if another holder may have the lock by now, because its server was unreachable.
    func requireHeld() throws(ObjectError) {
        guard isHeld else { throw .unavailable(detail: "the lock of a file that arrives was lost") }
    }
}
