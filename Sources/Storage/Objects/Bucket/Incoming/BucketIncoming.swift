internal import Linux
internal import Media
internal import S3
internal import SourceFiles
internal import Synchronization

/// The incoming file of a `BucketStore`.
///
/// Up to a part's length it is in memory, and a piece has a copy since the last `sync`. A longer file is an upload in parts: one
/// part arrives while the one before is sent, if there is memory for two; else it arrives once that one is stored.
///
/// Nothing is sent when it is released: who has it ends it by `commit`, `discard` or `close`. A part that is being sent then goes on, and
/// keeps the lock until it is stored.
final class BucketIncoming: IncomingObject {
    let id: ObjectID
    let store: BucketStore
    let state: Mutex<State>

    /// Who has the file.
    struct Hold: Sendable {
        let id: ObjectID
        let lock: any ObjectLock
        /// In the rows; no other hold has it.
        let name: String

        init(_ id: ObjectID, _ lock: any ObjectLock) {
            (self.id, self.lock) = (id, lock)
            name = ObjectID.random().rawValue
        }
    }

    struct State: Sendable {
        /// `nil` once the file is committed, discarded or closed.
        var hold: Hold?
        /// The memory of the part that arrives.
        var room: MemoryBudget.Share?
        /// That of the part that is sent; `nil` if there was none to be had.
        var sendingRoom: MemoryBudget.Share?
        /// What the rows tell.
        var arrival: Arrival
        /// The first bytes.
        var head: [UInt8]
        /// What arrived behind the parts, and behind those that wait.
        var current: PartBuffer?
        /// Hashes all bytes.
        var hasher: BlockHasher
        /// Parts that are whole, and wait for the one that is sent.
        var waiting: [PartSending.Part] = []
        var sending: PartSending?
        /// The last part of the file, until it has its row.
        var lastPart: BucketRows.Part?
        /// How many bytes the rows tell of; `nil` where there are none.
        var recordedByteCount: Int64?
        /// Whether the parts have become one file.
        var isComplete = false
        /// Whether the last try to store something failed.
        var hasFailed = false

        var byteCount: Int64 { arrival.sealed?.byteCount ?? hasher.byteCount }
        /// Whether parts of the file are, or are about to be, in the store.
        var isInParts: Bool { arrival.upload != nil || sending != nil || !waiting.isEmpty }
    }

    /// A new file, or one that goes on.
    ///
    /// - Parameters:
    ///   - arrival: what its rows tell.
    ///   - head: the bytes of that piece.
    ///   - tail: those of that one.
    /// - Throws: `unavailable` without memory.
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
            // All that may fail comes first: after an error none of the bytes is taken.
            while !state.waiting.isEmpty { try sendNext(&state) }
            if state.sending != nil, state.sendingRoom == nil { try finishSending(&state) }
            try take(bytes, &state)
            if state.sending == nil, !state.waiting.isEmpty { try sendNext(&state) }
        }
    }

    /// - Throws: `unavailable` without memory, before anything is taken.
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

    /// Waits for the part that is on its way, and sends the next one.
    private func sendNext(_ state: inout State) throws(ObjectError) {
        try finishSending(&state)
        guard !state.waiting.isEmpty else { return }
        guard let hold = state.hold else { throw .missing }
        state.sendingRoom = store.memory.uploads.takeNow(PartBuffer.byteCount)
        state.sending = PartSending(state.waiting.removeFirst(), state.arrival, hold, in: store)
    }

    /// A part that failed waits again: its sender may add bytes later.
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
        // A short file has its digest from its bytes, whoever goes on with it.
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

    /// Makes one file of the parts. Its answer may have been lost before: then the file is there, and the upload is not.
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
