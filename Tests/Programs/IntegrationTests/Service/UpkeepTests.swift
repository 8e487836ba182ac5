import DocumentDatabase
import Documents
import Foundation
import JobQueue
import Library
import Linux
import Media
import Objects
import QueueWrapping
import RenderHost
import SQLite
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
            let store = try SQLDocumentStore(
                try SQLiteDatabase(path: "\(folder)/documents.sqlite"), recipes: [Preset.grid.recipe],
                now: { [self] in moment.withLock { $0 } })
            return DocumentLibrary(
                store: store, objects: objects ?? files, queue: try makeScratchQueue(), engine: engine, cache: cache,
                warn: { _ in })
        }

        func put(_ text: String, at path: String) throws {
            let file = try files.begin()
            try file.append(Array(text.utf8))
            _ = try file.commit(to: ObjectPath(path), replacing: false)
        }

        /// Stores a document with its file.
        func add(_ name: String, to library: DocumentLibrary) throws -> Document {
            let path = "\(owner)/resume/1_\(name).pdf"
            try put(name, at: path)
            let digest = SHA256.digest(of: Array(name.utf8))
            let file = Document.File(
                path: path, name: "\(name).pdf", mediaType: .pdf, digest: digest, byteCount: Int64(name.utf8.count))
            return try library.store.add(
                NewDocument(
                    owner: owner, uploader: owner, type: .resume, title: name, description: nil, school: nil,
                    file: file, predecessor: nil, upload: nil, state: .stored))
        }

        func has(_ path: String) throws -> Bool {
            do throws(ObjectError) {
                _ = try files.status(of: ObjectPath(path))
                return true
            } catch {
                if error == .missing { return false }
                throw error
            }
        }
    }

    @Test("A process that stood still in the middle of a removal leaves the new file that is at the path since")
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
        let path = document.file.path
        _ = try Waiting.forValue("the removal does not end") { try other.store.removal(of: path) == nil ? true : nil }
        #expect(try !bench.has(path))
        try bench.put("new", at: path)
        held.isReleased.fulfil(())
        try held.isOver.value()
        #expect(try bench.has(path))
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
            let path = removed.file.path
            _ = try Waiting.forValue("the file stays") { try library.store.removal(of: path) == nil ? true : nil }
            #expect(try !bench.has(path))
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

    @Test("A file that came to a path after an old one was listed there is not swept away")
    func youngFile() throws {
        let bench = try Bench()
        let held = HeldObjects(bench.files, holding: .removal)
        let library = try bench.library(held)
        let path = "\(bench.owner)/resume/2_a.pdf"
        try bench.put("old", at: path)
        let file = "\(bench.folder)/store/files/\(path)"
        #expect(utimes(file, [timeval(), timeval()]) == 0)
        defer { held.isReleased.fulfil(()) }
        let sweeping = try WorkerThread(name: "sweep") { _ = try? library.sweep() }
        try held.isHeld.value()
        try bench.files.remove(ObjectPath(path))
        try bench.put("new", at: path)
        held.isReleased.fulfil(())
        sweeping.join()
        #expect(try bench.has(path))
        #expect(utimes(file, [timeval(), timeval()]) == 0)
        #expect(try library.sweep()?.fileCount == 1)
        #expect(try !bench.has(path))
    }
}
