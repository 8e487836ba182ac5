internal import CLinux
internal import Hashing
internal import Linux
internal import Media
internal import SourceFiles
internal import Synchronization

/// The incoming file of a `FolderStore`: `incoming/<id>`. A descriptor for reading holds its lock. Another one writes
/// it, and is closed before the file becomes an object.
final class FolderIncoming: IncomingObject {
    let id: ObjectID
    private let store: FolderStore
    private let state: Mutex<State>

    private struct State: Sendable {
        /// Holds the lock; `nil` once the file is committed or discarded.
        var reader: Descriptor?
        /// `nil` once the file is sealed.
        var writer: Descriptor?
        var byteCount: Int64
        var progress: DigestMemory.Progress
        /// The number of bytes whose writing to the disk has begun.
        var writtenCount: Int64
        var isNameSynced = false
        var digest: Digest?
    }

    /// - Parameters:
    ///   - reader: holds the lock.
    ///   - byteCount: the file's length.
    init(
        _ id: ObjectID, reader: Descriptor, writer: Descriptor, byteCount: Int64, in store: FolderStore
    ) {
        self.id = id
        self.store = store
        state = Mutex(
            State(
                reader: reader, writer: writer, byteCount: byteCount,
                progress: store.digests.take(id, byteCount: byteCount), writtenCount: byteCount))
    }

    deinit { state.withLock { release(&$0) } }

    /// Releases the file, and keeps its hashing progress for the next holder.
    private func release(_ state: inout State) {
        if state.reader != nil { store.digests.keep(state.progress, of: id) }
        end(&state)
    }

    func close() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in
            guard state.reader != nil else { return }
            defer { release(&state) }
            try sync(&state)
        }
    }

    private var tree: FolderTree { store.tree }
    private var calls: any ObjectFiles { tree.calls }

    var byteCount: Int64 { state.withLock { $0.byteCount } }

    /// How many bytes arrive before the kernel is asked to write them. So the last sync has little left to do.
    private static let writingStep: Int64 = 8 << 20

    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError) {
        guard !bytes.isEmpty else { return }
        try state.withLock { state throws(ObjectError) in
            guard state.reader != nil else { throw .missing }
            guard let writer = state.writer else { preconditionFailure("a sealed file takes no more bytes") }
            try store.room.take(Int64(bytes.count))
            do throws(SystemError) {
                try calls.write(bytes, to: writer, at: state.byteCount)
            } catch {
                // If this fails too, the next write or the seal corrects the length.
                try? calls.truncate(writer, to: state.byteCount)
                throw ObjectError(error)
            }
            if state.progress.byteCount == state.byteCount {
                state.progress.hasher.update(bytes)
                state.progress.byteCount += Int64(bytes.count)
            }
            state.byteCount += Int64(bytes.count)
            startWriting(&state, atLeast: Self.writingStep)
        }
    }

    /// The following sync reports errors.
    private func startWriting(_ state: inout State, atLeast least: Int64) {
        let count = state.byteCount - state.writtenCount
        guard count >= least, let writer = state.writer else { return }
        try? calls.startWriting(writer, from: state.writtenCount, byteCount: count)
        state.writtenCount = state.byteCount
    }

    func sync() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in try sync(&state) }
    }

    private func sync(_ state: inout State) throws(ObjectError) {
        guard state.reader != nil else { throw .missing }
        if let writer = state.writer { try sync(writer, &state) }
        if state.isNameSynced { return }
        try attempt { () throws(SystemError) in try calls.sync(tree.incoming) }
        state.isNameSynced = true
    }

    /// After a failed sync, the kernel forgets which pages are not on the disk, and a second sync succeeds although
    /// they are lost (fsync(2), "ERRORS"). So the file is removed, and its sender starts from scratch.
    private func sync(_ writer: Descriptor, _ state: inout State) throws(ObjectError) {
        do throws(SystemError) {
            try calls.sync(writer)
        } catch {
            try? calls.remove(id.rawValue, in: tree.incoming)
            end(&state)
            throw ObjectError(error)
        }
    }

    func prefix(_ byteCount: Int) throws(ObjectError) -> [UInt8] {
        try state.withLock { state throws(ObjectError) in
            guard let reader = state.reader else { throw .missing }
            var failure: SystemError?
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(min(Int64(byteCount), state.byteCount))) {
                buffer, count in
                do throws(SystemError) {
                    count = try calls.read(reader, into: UnsafeMutableRawBufferPointer(buffer), at: 0)
                } catch {
                    failure = error
                }
            }
            if let failure { throw ObjectError(failure) }
            return bytes
        }
    }

    func source(name: String) throws(ObjectError) -> SourceFile {
        try state.withLock { state throws(ObjectError) in
            guard state.reader != nil else { throw .missing }
            let file = try lookup { () throws(SystemError) in
                try calls.openForReading(id.rawValue, in: tree.incoming)
            }
            return try SourceFile(object: file, name: name)
        }
    }

    @discardableResult
    func seal() throws(ObjectError) -> Digest {
        try state.withLock { state throws(ObjectError) in try seal(&state) }
    }

    private func seal(_ state: inout State) throws(ObjectError) -> Digest {
        if let digest = state.digest { return digest }
        guard let reader = state.reader, let writer = state.writer else { throw .missing }
        // The disk writes while the rest is hashed.
        startWriting(&state, atLeast: 1)
        let byteCount = state.byteCount
        try attempt { () throws(SystemError) in
            if try calls.status(of: writer).byteCount != byteCount { try calls.truncate(writer, to: byteCount) }
        }
        try hashRest(&state, reader)
        // The last bytes may have arrived long ago. Sweeps must not treat the object as old before it has a row.
        try attempt { () throws(SystemError) in try calls.touch(writer) }
        try sync(writer, &state)
        // Closed, so that from now on nobody can write to the file.
        state.writer = nil
        var hasher = state.progress.hasher
        let digest = hasher.digest()
        state.digest = digest
        return digest
    }

    /// Hashes the bytes that arrived while another process had the file.
    private func hashRest(_ state: inout State, _ reader: Descriptor) throws(ObjectError) {
        guard state.progress.byteCount < state.byteCount else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.hashingStep, alignment: 64)
        defer { buffer.deallocate() }
        while state.progress.byteCount < state.byteCount {
            let offset = state.progress.byteCount
            let wanted = Int(min(Int64(buffer.count), state.byteCount - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try attempt { () throws(SystemError) in try calls.read(reader, into: part, at: offset) }
            guard count > 0 else { throw .unavailable(detail: "the incoming file became shorter") }
            state.progress.hasher.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
            state.progress.byteCount += Int64(count)
        }
    }

    private static let hashingStep = 256 << 10

    func commit() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in
            _ = try seal(&state)
            guard state.reader != nil else { throw .missing }
            do throws(SystemError) {
                try tree.commit(id)
            } catch {
                throw error.number == ENOENT ? .missing : ObjectError(error)
            }
            end(&state)
        }
    }

    func discard() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in
            guard state.reader != nil else { return }
            do throws(SystemError) {
                try calls.remove(id.rawValue, in: tree.incoming)
            } catch {
                guard error.number == ENOENT else { throw ObjectError(error) }
            }
            end(&state)
        }
    }

    private func end(_ state: inout State) {
        if let reader = state.reader { calls.unlock(reader) }
        state.reader = nil
        state.writer = nil
    }
}
