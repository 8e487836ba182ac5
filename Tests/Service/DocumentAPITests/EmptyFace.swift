import Access
import DocumentAPI
import DocumentDatabase
import HTTPServing
import JobQueue
import JobSearch
import Library
import Media
import Objects
import PostingDatabase
import RenderHost
import SearchDatabase
import ThumbnailCache
import Thumbnailer

/// A face over stores that have nothing yet, and without a renderer.
struct EmptyFace {
    let store: SQLDocumentStore
    let api: DocumentAPI

    init(in folder: String, identifying: any Identifying = LocalPerson()) throws {
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
            maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        store = try SQLDocumentStore(
            path: "\(folder)/documents.sqlite", recipes: [Preset.grid.recipe], unreadable: { _ in })
        let library = DocumentLibrary(
            store: store, objects: try FolderStore(path: "\(folder)/store", making: true), queue: InMemoryQueue(),
            engine: engine, cache: cache, warn: { _ in })
        api = DocumentAPI(
            library, work: BlockingPool(threadCount: 1, queueLength: 1), signingIn: .elsewhere(identifying),
            signer: AddressSigner(Secrets([UInt8](repeating: 1, count: 32))), patience: .zero,
            jobs: SearchDesk(
                try SQLSearchStore(path: "\(folder)/documents.sqlite"),
                try SQLPostingStore(path: "\(folder)/documents.sqlite"), objects: library.objects,
                queue: InMemoryQueue(), lifetime: .seconds(3600)))
    }
}
