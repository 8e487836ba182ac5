internal import Linux
internal import Media
internal import S3
internal import SourceFiles
internal import Synchronization

/// The incoming file of a `BucketStore`.
///
/// Up to a part's length, it is in memory, and a piece holds a copy as of the last `sync`. A longer file is a multipart
/// upload. If there is memory for two parts, one arrives while the previous one is sent. Otherwise it arrives once the
/// previous one is stored.
///
/// Releasing the instance sends nothing: its holder ends it with `commit`, `discard` or `close`. A part that is then
/// being sent continues, and keeps the lock until it is stored.
final class BucketIncoming: IncomingObject {
    let id: ObjectID
    let store: BucketStore
    let state: Mutex<State>

    /// The exclusive hold of a file.
    struct Hold: Sendable {
        let id: ObjectID
        let lock: any ObjectLock
        /// The holder's name in the rows; no other hold has it.
        let name: String

        init(_ id: ObjectID, _ lock: any ObjectLock) {
            (self.id, self.lock) = (id, lock)
            name = ObjectID.random().rawValue
        }
    }

    struct State: Sendable {
        /// `nil` once the file is committed, discarded or closed.
        var hold: Hold?
        /// The memory of the arriving part.
        var room: MemoryBudget.Share?
        /// The memory of the part that is being sent; `nil` if none was available.
        var sendingRoom: MemoryBudget.Share?
        /// The progress in the rows.
        var arrival: Arrival
        /// The first bytes.
        var head: [UInt8]
        /// The bytes that arrived after the parts, including the waiting parts.
        var current: PartBuffer?
        /// Hashes all bytes.
        var hasher: BlockHasher
        /// Whole parts that wait for the one that is being sent.
        var waiting: [PartSending.Part] = []
        var sending: PartSending?
        /// The last part of the file, until it has its row.
        var lastPart: BucketRows.Part?
        /// The number of bytes that the rows record; `nil` if there are no rows.
        var recordedByteCount: Int64?
        /// Whether the parts have become one file.
        var isComplete = false
        /// Whether the last attempt to store something failed.
        var hasFailed = false

        var byteCount: Int64 { arrival.sealed?.byteCount ?? hasher.byteCount }
        /// Whether parts of the file are in the store, or soon will be.
        var isInParts: Bool { arrival.upload != nil || sending != nil || !waiting.isEmpty }
    }

    /// A new file, or a file to continue.
    ///
    /// - Parameters:
    ///   - arrival: the progress in its rows.
    ///   - head: the bytes of the head piece.
    ///   - tail: the bytes of the tail piece.
    /// - Throws: `unavailable` if there is no memory.
    init(
        _ hold: Hold, _ room: MemoryBudget.Share?, _ arrival: Arrival = Arrival(), head: [UInt8] = [],
        tail: [UInt8] = [], in store: BucketStore
    ) throws(ObjectError) {
        id = hold.id
        self.store = store
        var hasher = arrival.hasher
        var current: PartBuffer?
        if !tail.isEmpty {
            guard let buffer = PartBuffer() else { throw .unavailable(detail: "no memory for a part") }
            tail.withUnsafeBytes { hasher.update(buffer.append($0)) }
            current = buffer
        }
        state = Mutex(
            State(
                hold: hold, room: room, arrival: arrival,
                head: arrival.parts.isEmpty ? Array(tail.prefix(Arrival.headByteCount)) : head, current: current,
                hasher: hasher,
                recordedByteCount: arrival.hasRows ? arrival.sealed?.byteCount ?? hasher.byteCount : nil))
    }

    var byteCount: Int64 { state.withLock { $0.byteCount } }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        guard !bytes.isEmpty else { return }
        try state.withLock { state throws(ObjectError) in
            guard state.hold != nil else { throw .missing }
            precondition(state.arrival.sealed == nil, "a sealed file takes no more bytes")
            let most = Int64(Arrival.mostParts) * Int64(Arrival.partByteCount)
            guard state.byteCount + Int64(bytes.count) <= most else {
                throw .noSpace(detail: "a file of over \(most) bytes has too many parts for the store")
            }
            // Everything that may fail comes first, so that after an error none of the bytes is taken.
            while !state.waiting.isEmpty { try sendNext(&state) }
            if state.sending != nil, state.sendingRoom == nil { try finishSending(&state) }
            try take(bytes, &state)
            if state.sending == nil, !state.waiting.isEmpty { try sendNext(&state) }
        }
    }

    /// - Throws: `unavailable` if there is no memory, before anything is taken.
    private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(ObjectError) {
        var fresh = try buffers(for: bytes.count - (state.current.map { PartBuffer.byteCount - $0.count } ?? 0))
        if state.head.count < Arrival.headByteCount {
            state.head += bytes.prefix(Arrival.headByteCount - state.head.count)
        }
        var rest = bytes
        while !rest.isEmpty {
            let current = state.current ?? fresh.removeLast()
            state.current = current
            let taken = current.append(rest)
            state.hasher.update(taken)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken.count))
            guard current.isFull else { continue }
            state.waiting.append(PartSending.Part(buffer: current, hasher: state.hasher))
            state.current = nil
        }
    }

    private func buffers(for byteCount: Int) throws(ObjectError) -> [PartBuffer] {
        var buffers: [PartBuffer] = []
        for _ in 0..<max(0, (byteCount + PartBuffer.byteCount - 1) / PartBuffer.byteCount) {
            guard let buffer = PartBuffer() else { throw .unavailable(detail: "no memory for a part") }
            buffers.append(buffer)
        }
        return buffers
    }

    // MARK: Sending

    /// Waits for the part in transit, and sends the next one.
    private func sendNext(_ state: inout State) throws(ObjectError) {
        try finishSending(&state)
        guard !state.waiting.isEmpty else { return }
        guard let hold = state.hold else { throw .missing }
        state.sendingRoom = store.memory.uploads.takeNow(PartBuffer.byteCount)
        state.sending = PartSending(state.waiting.removeFirst(), state.arrival, hold, in: store)
    }

    /// A failed part waits again, because the sender may add bytes later.
    private func finishSending(_ state: inout State) throws(ObjectError) {
        guard let sending = state.sending else { return }
        let end = sending.wait()
        (state.sending, state.sendingRoom) = (nil, nil)
        state.arrival = end.arrival
        switch end.result {
        case .success:
            state.recordedByteCount = end.arrival.hasher.byteCount
            state.hasFailed = false
        case .failure(let fault):
            state.waiting.insert(sending.part, at: 0)
            state.hasFailed = true
            throw fault
        }
    }

    private func sendAll(_ state: inout State) throws(ObjectError) {
        repeat { try sendNext(&state) } while state.sending != nil
    }

    func sync() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in try sync(&state) }
    }

    func sync(_ state: inout State) throws(ObjectError) {
        guard let hold = state.hold else { throw .missing }
        if state.arrival.sealed != nil, state.isInParts { return }
        try sendAll(&state)
        guard state.recordedByteCount != state.byteCount else { return }
        state.hasFailed = true
        try hold.lock.requireHeld()
        var next = state.arrival
        // Whoever continues a short file computes its digest from its bytes.
        next.sealed = nil
        next.tail = nil
        if let current = state.current {
            defer { withExtendedLifetime(current) {} }
            next.tail = try asking { () throws(S3Fault) in try store.keepPiece(current.body, of: id) }
        }
        try save(&next, &state, hold)
        let old = state.arrival.tail
        next.sealed = state.arrival.sealed
        state.arrival = next
        store.removePiece(old, of: id)
    }

    private func save(_ next: inout Arrival, _ state: inout State, _ hold: Hold) throws(ObjectError) {
        state.hasFailed = true
        try store.rows.save(&next, of: id, state.byteCount, for: hold.name, adding: state.lastPart)
        state.lastPart = nil
        state.recordedByteCount = state.byteCount
        state.hasFailed = false
    }

    // MARK: Looking

    func prefix(_ byteCount: Int) throws(ObjectError) -> [UInt8] {
        try state.withLock { state throws(ObjectError) in
            guard state.hold != nil else { throw .missing }
            return Array(state.head.prefix(byteCount))
        }
    }

    func source(name: String) throws(ObjectError) -> SourceFile {
        try state.withLock { state throws(ObjectError) in
            guard state.hold != nil else { throw .missing }
            guard state.isInParts else { return try BucketContent.source(state.current, name: name) }
            guard state.isComplete, let sums = state.arrival.sealed else {
                throw .unavailable(detail: "parts of a file cannot be read before it is sealed")
            }
            let reader = try BucketReader(store.keys.object(id), of: store.client, store.memory.reading) {
                _ throws(ObjectError) in sums
            }
            return try BucketContent.source(reader, name: name, folder: store.temporaryFolder)
        }
    }

    // MARK: The end

    @discardableResult
    func seal() throws(ObjectError) -> Digest {
        try state.withLock { state throws(ObjectError) in try seal(&state).digest }
    }

    func seal(_ state: inout State) throws(ObjectError) -> ContentSums {
        guard let hold = state.hold else { throw .missing }
        if state.arrival.sealed == nil { try sendAll(&state) }
        let sums = state.arrival.sealed ?? state.hasher.result
        guard state.isInParts else {
            state.arrival.sealed = sums
            return sums
        }
        if state.arrival.sealed == nil {
            if let current = state.current {
                state.hasFailed = true
                try hold.lock.requireHeld()
                let part = PartSending.Part(buffer: current, hasher: state.hasher)
                state.lastPart = try PartSending.append(part, to: &state.arrival, hold, in: store)
                state.current = nil
            }
            state.arrival.sealed = sums
            state.recordedByteCount = nil
        }
        if state.recordedByteCount == nil {
            var next = state.arrival
            next.tail = nil
            try save(&next, &state, hold)
            store.removePiece(state.arrival.tail, of: id)
            state.arrival = next
        }
        if !state.isComplete { try complete(&state, sums, hold) }
        return sums
    }

    /// Makes one file of the parts. If an earlier answer was lost, the file exists and the upload does not.
    private func complete(_ state: inout State, _ sums: ContentSums, _ hold: Hold) throws(ObjectError) {
        guard let upload = state.arrival.upload else { throw .unavailable(detail: "parts without an upload") }
        let key = store.keys.object(id)
        try hold.lock.requireHeld()
        do throws(S3Fault) {
            try store.client.completeParts(state.arrival.parts, of: upload, key)
        } catch {
            guard error == .missingUpload || error == .missing else { throw ObjectError(error) }
            let found = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard found.byteCount == sums.byteCount else { throw .missing }
        }
        state.isComplete = true
    }
}
