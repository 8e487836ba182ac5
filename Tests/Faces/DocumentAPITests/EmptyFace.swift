import Database
import DocumentAPI
import Documents
import HTTPServing
import Library
import MatchStore
import Media
import Objects
import People
import QueueWrapping
import RenderHost
import ThumbnailCache
import Thumbnailer

/// A face over stores that have nothing yet, and without a renderer.
struct EmptyFace {
    let store: DocumentStore
    let searches: SearchStore
    let api: DocumentAPI

    /// - Parameter streamTime: the longest time of a stream of a search's steps.
    init(
        in folder: String, authenticator: any Authenticator = LocalPerson(), shared: (any SharedPictures)? = nil,
        streamTime: Duration = .seconds(120)
    ) throws {
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: folder)), cache: cache, limits: Limits(),
            maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        let database = try SQLiteDatabase(path: "\(folder)/documents.sqlite")
        store = try DocumentStore(database, recipes: [Preset.grid.recipe])
        let library = DocumentLibrary(
            store: store, objects: try FolderStore(path: "\(folder)/store", making: true),
            queue: try makeScratchQueue(),
            engine: engine, cache: cache, shared: shared, warn: { _ in })
        searches = try SearchStore(database)
        api = DocumentAPI(
            library, work: BlockingPool(threadCount: 1, queueLength: 1), signingIn: .elsewhere(authenticator),
            signer: AddressSigner(Secrets([UInt8](repeating: 1, count: 32))), patience: .zero,
            jobs: SearchDesk(
                searches, try PostingStore(database), queue: try makeScratchQueue(), lifetime: .seconds(3600),
                removeFile: store.removeObject(_:with:)), streamTime: streamTime)
    }
}
