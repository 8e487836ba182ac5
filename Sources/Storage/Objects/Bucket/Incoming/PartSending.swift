internal import Linux
internal import Media
internal import S3

/// A part on its way to the store, while the next one arrives; the rows are written behind it.
final class PartSending: Sendable {
    /// A part whose bytes are all there, and the hasher behind them.
    struct Part: Sendable {
        let buffer: PartBuffer
        let hasher: BlockHasher
    }

    /// What a sender has to know before the next part.
    struct End: Sendable {
        /// With the upload, which was begun even if the part failed.
        let arrival: Arrival
        /// `unavailable` or `busy` where another one may have the file by now.
        let result: Result<Void, ObjectError>
    }

    let part: Part
    private let end = Promise<End>()

    /// Starts a thread that sends.
    ///
    /// - Parameter arrival: with the parts before.
    init(_ part: Part, _ arrival: Arrival, _ hold: BucketIncoming.Hold, in store: BucketStore) {
        self.part = part
        let end = end
        let send: @Sendable () -> Void = { end.fulfil(Self.send(part, arrival, hold, in: store)) }
        do throws(SystemError) {
            _ = try WorkerThread(name: "part", send)
        } catch {
            // Without a thread the sender has to wait.
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

    /// Sends the next part; before the first one it begins the upload, and keeps the file's first bytes.
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
            // A rule of the bucket has ended it, or it was completed after the backup that the rows come from.
            throw error == .missingUpload ? .missing : ObjectError(error)
        }
        let known = arrival.hasher.midpoint.sums.count
        arrival.parts.append(sent)
        arrival.hasher = part.hasher
        return BucketRows.Part(part: sent, sums: Hex.string(part.hasher.result.sums.dropFirst(known)))
    }
}

extension ObjectLock {
    /// - Throws: `unavailable` where another one may have it by now: its server was away.
    func requireHeld() throws(ObjectError) {
        guard isHeld else { throw .unavailable(detail: "the lock of a file that arrives was lost") }
    }
}
