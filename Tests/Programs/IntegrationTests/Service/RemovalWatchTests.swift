import Database
import Documents
import Library
import Linux
import Media
import Objects
import People
import PersonalData
import QueueWrapping
import RenderHost
import Synchronization
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("The watch that removes persons", .deadline)
struct RemovalWatchTests {
    /// What the watch's thread notes.
    private final class Noted<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    private let accounts: AccountStore
    private let library: DocumentLibrary

    init() throws {
        let folder = TemporaryFolder.make("removal-watch")
        let cache = FolderCache(path: "\(folder)/cache")
        let database = try SQLiteDatabase(path: "\(folder)/documents.sqlite")
        accounts = try AccountStore(database)
        library = DocumentLibrary(
            store: try DocumentStore(database, recipes: [Preset.grid.recipe]),
            objects: try FolderStore(path: "\(folder)/store", making: true), queue: try makeScratchQueue(),
            engine: Thumbnailer(
                host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
                maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in }), cache: cache, warn: { _ in })
    }

    @Test("It overwrites deleted rows again if that failed, and if a process before it may have been killed")
    func tidying() throws {
        let (calls, warnings) = (Noted(0), Noted<[String]>([]))
        let done = Promise<Void>()
        let removal = AccountRemoval(accounts, library, []) { () throws(DocumentError) in
            calls.value.withLock { $0 += 1 }
            if calls.value.withLock({ $0 }) < 3 { throw .unavailable(detail: "a backup reads the database") }
            done.fulfil(())
        }
        let watch = try RemovalWatch(
            removal, now: { Instant(microseconds: Time.wall / 1000) }, pauseAfterFault: .milliseconds(1),
            warn: { warning in warnings.value.withLock { $0.append(warning) } })
        #expect(done.wait(until: Time.monotonic + .seconds(60)) != nil)
        watch.stop()
        #expect(calls.value.withLock { $0 } == 3, "nobody was removed after that")
        let told = warnings.value.withLock { $0 }
        #expect(told.count == 2 && told.allSatisfy { $0.contains("a backup reads the database") }, "\(told)")
    }
}
