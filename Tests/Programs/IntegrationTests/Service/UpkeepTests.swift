import Database
import Documents
import Foundation
import Hashing
import JobQueue
import Library
import Linux
import Media
import Objects
import QueueWrapping
import RenderHost
import Synchronization
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("The library's threads: removals, sweeps, and what must not wait for them", .deadline)
struct UpkeepTests {
    /// One store of rows and one of files, with a clock of rows that the test moves.
    private final class Bench: Sendable {
        let folder = TemporaryFolder.make("upkeep")
        let owner = ID<Person>.make(at: Instant(microseconds: 1))
        let files: FolderStore
        private let moment = Mutex(Instant(microseconds: 1_800_000_000_000_000))

        init() throws { files = try FolderStore(path: "\(folder)/store", making: true) }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func advance(_ duration: Duration) { moment.withLock { $0 = $0 + duration } }

        /// The library as a process of its own has it.
        func library(_ objects: (any ObjectStore)? = nil) throws -> DocumentLibrary {
            let cache = FolderCache(path: "\(folder)/cache")
            let engine = Thumbnailer(
                host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
                maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
            let store = try DocumentStore(
                try SQLiteDatabase(path: "\(folder)/documents.sqlite"), recipes: [Preset.grid.recipe],
                now: { [self] in moment.withLock { $0 } })
            return DocumentLibrary(
                store: store, objects: objects ?? files, queue: try makeScratchQueue(), engine: engine, cache: cache,
                warn: { _ in })
        }

        /// Stores bytes without a row.
        func put(_ text: String) throws -> ObjectID {
            let file = try files.begin()
            try file.append(Array(text.utf8))
            try file.commit()
            return file.id
        }

        /// Stores a document with its file.
        func add(_ name: String, to library: DocumentLibrary) throws -> Document {
            let digest = SHA256.digest(of: Array(name.utf8))
            let file = Document.File(
                object: try put(name), path: "\(owner)/resume/1_\(name).pdf", name: "\(name).pdf", mediaType: .pdf,
                digest: digest, byteCount: Int64(name.utf8.count))
            return try library.store.add(
                NewDocument(
                    owner: owner, uploader: owner, type: .resume, title: name, description: nil, school: nil,
                    file: file, predecessor: nil, state: .stored))
        }

        func has(_ id: ObjectID) throws -> Bool {
            do throws(ObjectError) {
                _ = try files.open(id)
                return true
            } catch {
                if error == .missing { return false }
                throw error
            }
        }
    }

    @Test("A process that stood still in the middle of a removal does no harm to what came to its path since")
    func lateRemoval() throws {
        let bench = try Bench()
        let held = HeldObjects(bench.files, holding: .removal)
        let late = try bench.library(held)
        let other = try bench.library()
        let document = try bench.add("a", to: late)
        try late.store.removeLine(of: document.id, owner: bench.owner)
        let watcher = Watcher(late)
        try watcher.start()
        defer { watcher.stop() }
        defer { held.isReleased.fulfil(()) }
        try held.isHeld.value()
        // It is the first one's alone, until its lease is over.
        #expect(try other.store.dueRemovals(limit: 9).isEmpty)
        bench.advance(.seconds(61))
        let second = Watcher(other)
        try second.start()
        defer { second.stop() }
        let again = try bench.add("a", to: other)
        #expect(again.file.path == document.file.path)
        _ = try Waiting.forValue("the removal does not end") {
            try other.store.hasRemovals(of: bench.owner) ? nil : true
        }
        #expect(try !bench.has(document.file.object!))
        held.isReleased.fulfil(())
        try held.isOver.value()
        #expect(try bench.has(again.file.object!))
    }

    @Test("Pictures and removals come in the middle of what takes long", arguments: HeldObjects.Operation.allCases)
    func inTheMiddle(operation: HeldObjects.Operation) throws {
        let bench = try Bench()
        let held = HeldObjects(bench.files, holding: operation)
        let library = try bench.library(held)
        let removed = try bench.add("removed", to: library)
        if operation == .removal { try library.store.removeLine(of: removed.id, owner: bench.owner) }
        let watcher = Watcher(library, sweepPause: .milliseconds(50))
        try watcher.start()
        defer { watcher.stop() }
        defer { held.isReleased.fulfil(()) }
        try held.isHeld.value()
        if operation == .walk {
            #expect(try bench.library().sweep() == nil, "one process sweeps")
            try library.store.removeLine(of: removed.id, owner: bench.owner)
            _ = try Waiting.forValue("the file stays") {
                try library.store.hasRemovals(of: bench.owner) ? nil : true
            }
            #expect(try !bench.has(removed.file.object!))
        }
        let document = try bench.add("seen", to: library)
        let queue = try SQLiteQueue(path: "\(bench.folder)/documents.sqlite")
        for claimed in try queue.claim(upTo: 9, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try queue.complete(claimed.token, JobOutcome())
        }
        _ = try Waiting.forValue("no pictures") {
            try library.store.document(document.id, of: bench.owner).state == .ready ? true : nil
        }
    }

    @Test("A sweep removes old bytes that no row has, and nothing else")
    func sweeping() throws {
        let bench = try Bench()
        let library = try bench.library()
        let document = try bench.add("a", to: library)
        let (old, young) = (try bench.put("old"), try bench.put("young"))
        for id in [old, document.file.object!] {
            #expect(utimes("\(bench.folder)/store/objects/\(id.folder)/\(id)", [timeval(), timeval()]) == 0)
        }
        #expect(try library.sweep()?.fileCount == 1)
        #expect(try !bench.has(old) && bench.has(young) && bench.has(document.file.object!))
    }
}
