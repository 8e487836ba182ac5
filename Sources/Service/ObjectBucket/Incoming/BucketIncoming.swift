internal import Linux
internal import Media
internal import Objects
internal import S3
internal import Synchronization
internal import Thumbnailer

/// The incoming file of a `BucketStore`.
///
/// Up to a part's length it is in memory, and its record has a copy since the last `sync`. A longer file is an upload in parts:
/// one part arrives while the one before is sent, if there is memory for two; else it arrives once that one is stored.
///
/// Nothing is sent when it is released: who has it ends it by `commit`, `discard` or `close`. A part that is being sent then goes on, and
/// keeps the lock until it is stored.
final class BucketIncoming: IncomingObject {
    let id: ObjectID
    let store: BucketStore
    let state: Mutex<State>

    struct State: Sendable {
        /// `nil` once the file is committed, discarded or closed.
        var lock: (any ObjectLock)?
        /// The memory of the part that arrives.
        var room: MemoryBudget.Share?
        /// That of the part that is sent; `nil` if there was none to be had.
        var sendingRoom: MemoryBudget.Share?
        /// All that the store has of the parts; without `tail`.
        var record: ArrivalRecord
        /// What arrived behind the parts, and behind those that wait.
        var current: PartBuffer?
        /// Hashes all bytes.
        var hasher: BlockHasher
        /// Parts that are whole, and wait for the one that is sent.
        var waiting: [PartSending.Part] = []
        var sending: PartSending?
        /// How many bytes the stored record tells of; `nil` where there is none.
        var recordedByteCount: Int64?
        /// Whether the parts have become one file.
        var isComplete = false
        /// Whether the last try to store something failed.
        var hasFailed = false

        var byteCount: Int64 { record.sealed?.byteCount ?? hasher.byteCount }
        /// Whether parts of the file are, or are about to be, in the store.
        var isInParts: Bool { record.upload != nil || sending != nil || !waiting.isEmpty }
    }

    /// A new file, or one with a record.
    ///
    /// - Throws: `unavailable` without memory.
    init(
        _ id: ObjectID, _ lock: any ObjectLock, _ record: ArrivalRecord?, _ room: MemoryBudget.Share?,
        in store: BucketStore
    ) throws(ObjectError) {
        self.id = id
        self.store = store
        let recordedByteCount = record?.byteCount
        var record = record ?? ArrivalRecord()
        var hasher = record.hasher
        if record.parts.isEmpty { record.head = Array(record.tail.prefix(ArrivalRecord.headByteCount)) }
        var current: PartBuffer?
        if !record.tail.isEmpty {
            guard let buffer = PartBuffer() else { throw .unavailable(detail: "no memory for a part") }
            record.tail.withUnsafeBytes { hasher.update(buffer.append($0)) }
            current = buffer
        }
        record.tail = []
        state = Mutex(
            State(
                lock: lock, room: room, record: record, current: current, hasher: hasher,
                recordedByteCount: recordedByteCount))
    }

    var byteCount: Int64 { state.withLock { $0.byteCount } }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        guard !bytes.isEmpty else { return }
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { throw .missing }
            precondition(state.record.sealed == nil, "a sealed file takes no more bytes")
            let most = Int64(ArrivalRecord.mostParts) * Int64(ArrivalRecord.partByteCount)
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
        if state.record.head.count < ArrivalRecord.headByteCount {
            state.record.head += bytes.prefix(ArrivalRecord.headByteCount - state.record.head.count)
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
        guard let lock = state.lock else { throw .missing }
        state.sendingRoom = store.memory.uploads.takeNow(PartBuffer.byteCount)
        state.sending = PartSending(state.waiting.removeFirst(), state.record, id, lock, store.client, store.keys)
    }

    /// A part that failed waits again: its sender may add bytes later.
    private func finishSending(_ state: inout State) throws(ObjectError) {
        guard let sending = state.sending else { return }
        let end = sending.wait()
        (state.sending, state.sendingRoom) = (nil, nil)
        state.record.upload = end.record.upload
        switch end.result {
        case .success(let part):
            state.record.parts.append(part)
            state.record.hasher = sending.part.hasher
            state.recordedByteCount = sending.part.hasher.byteCount
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
        guard state.lock != nil else { throw .missing }
        if state.record.sealed != nil, state.isInParts { return }
        try sendAll(&state)
        if state.recordedByteCount != state.byteCount { try storeRecord(&state) }
    }

    private func storeRecord(_ state: inout State) throws(ObjectError) {
        state.hasFailed = true
        try requireLock(state)
        // A short file has its digest from its bytes, whoever goes on with it.
        var record = state.record
        if !state.isInParts { (record.sealed, record.head) = (nil, []) }
        defer { withExtendedLifetime(state.current) {} }
        let tail = state.current?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        try asking { () throws(S3Fault) in
            try PartSending.store(record, endingWith: tail, id, store.client, store.keys)
        }
        state.recordedByteCount = state.byteCount
        state.hasFailed = false
    }

    /// Before what would harm another one that goes on with the file.
    ///
    /// - Throws: `busy` where there may be one.
    func requireLock(_ state: State) throws(ObjectError) {
        guard let lock = state.lock else { throw .missing }
        try lock.requireHeld()
    }

    // MARK: Looking

    func prefix(_ byteCount: Int) throws(ObjectError) -> [UInt8] {
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { throw .missing }
            return Array(state.record.head.prefix(byteCount))
        }
    }

    func source(name: String) throws(ObjectError) -> SourceFile {
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { throw .missing }
            guard state.isInParts else { return try BucketContent.source(state.current, name: name) }
            guard state.isComplete, let sums = state.record.sealed else {
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
        guard state.lock != nil else { throw .missing }
        if state.record.sealed == nil { try sendAll(&state) }
        guard state.isInParts else {
            let sums = state.record.sealed ?? state.hasher.result
            state.record.sealed = sums
            return sums
        }
        let sums = state.record.sealed ?? state.hasher.result
        if state.record.sealed == nil {
            if let current = state.current {
                state.hasFailed = true
                try requireLock(state)
                _ = try asking { () throws(S3Fault) in
                    try PartSending.append(current, to: &state.record, id, store.client, store.keys)
                }
                state.current = nil
            }
            state.record.sealed = sums
            state.recordedByteCount = nil
        }
        if state.recordedByteCount == nil { try storeRecord(&state) }
        if !state.isComplete { try complete(&state, sums) }
        return sums
    }

    /// Makes one file of the parts. Its answer may have been lost before: then the file is there, and the upload is not.
    private func complete(_ state: inout State, _ sums: ContentSums) throws(ObjectError) {
        guard let upload = state.record.upload else { throw .unavailable(detail: "parts without an upload") }
        let key = store.keys.object(id)
        try requireLock(state)
        try asking { () throws(S3Fault) in try store.client.put(sums.bytes, as: store.keys.sums(id)) }
        do throws(S3Fault) {
            try store.client.completeParts(state.record.parts, of: upload, key)
        } catch {
            guard error == .missingUpload || error == .missing else { throw ObjectError(error) }
            let found = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard found.byteCount == sums.byteCount else { throw .missing }
        }
        state.isComplete = true
    }
}
