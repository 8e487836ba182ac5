import CLinux
import Console
import Daemon
import Database
import Documents
import JobQueue
import Library
import Logging
import MatchStore
import Media
import Objects
import People
import PersonalData
import ThumbnailCache

/// The database and the files of the service, in its folder.
struct Stores {
    let documents: DocumentStore
    let files: any ObjectStore
    /// The pictures that several machines share; `nil` if each machine has its own.
    let pictures: (any SharedPictures)?
    let queue: any JobQueue
    let database: SharedDatabase

    /// Opens the stores, and creates them if they are missing.
    ///
    /// - Parameter adopts: whether tables of the app's former database are adopted.
    init(_ settings: Settings, _ logger: Logger, adopts: Bool = false) throws(Failure) {
        PrivateFolders.make(settings.service.dataPath)
        database = try SharedDatabase(settings.service)
        let unreadable: @Sendable (String) -> Void = { id in
            logger.error("a document's row cannot be read: skipping it", metadata: ["document": "\(id)"])
        }
        let recipes = Preset.allCases.map(\.recipe)
        do {
            documents = try DocumentStore(
                try database.opened(makes: true), recipes: recipes, adopts: adopts, unreadable: unreadable)
            queue = try database.openQueue()
        } catch let error as DocumentError {
            throw Failure(.unavailable, message: "The database \(database.name) cannot be used.", detail: error.detail)
        } catch {
            throw database.unusable(error)
        }
        let shared = database
        let opening = try StoreOpening(
            settings, in: { try shared.opened(makes: true) }, environment: Process.environment)
        let store = Self.store(settings)
        files = try opening.open(store, making: true)
        pictures = try opening.pictures(store)
    }

    /// The store of the files over a database other than the service's; a missing folder is created.
    static func files(_ settings: Settings, over database: any SQLDatabase) throws(Failure) -> any ObjectStore {
        try StoreOpening(settings, in: { database }, environment: Process.environment).open(
            store(settings), making: true)
    }

    private static func store(_ settings: Settings) -> StoreAddress {
        settings.store ?? .folder("\(settings.service.dataPath)/store")
    }

    /// The library over the stores, and over an engine.
    ///
    /// - Parameter mayChange: by default, persons change only their own data.
    /// - Throws: `usage` if the scanner's address is invalid.
    func library(
        _ settings: Settings, _ rendering: RenderingEngine,
        mayChange: @escaping DocumentLibrary.PermissionCheck = DocumentLibrary.onlyOwn,
        _ logger: Logger
    ) throws(Failure) -> DocumentLibrary {
        var options = DocumentLibrary.Options()
        options.maxUploadByteCount = Int64(clamping: settings.service.maxUploadByteCount)
        options.maxResumeByteCount = Int64(clamping: settings.service.maxResumeByteCount)
        options.personByteCount = settings.service.personByteCount.map { Int64(clamping: $0) }
        options.nobodyByteCount = settings.service.nobodyByteCount.map { Int64(clamping: $0) }
        return DocumentLibrary(
            store: documents, objects: files, queue: queue, engine: rendering.engine, cache: rendering.cache,
            shared: pictures,
            scanner: try Self.scanner(settings), options: options, mayChange: mayChange,
            warn: { error in logger.warning("\(error.message)", metadata: ["detail": "\(error.detail)"]) })
    }

    /// The searches for jobs by résumé.
    ///
    /// - Throws: `unavailable`.
    func searches(_ settings: Settings) throws(Failure) -> SearchDesk {
        SearchDesk(
            try database.searches(), try database.postings(), queue: queue, lifetime: settings.service.searchTime,
            removeFile: documents.removeObject(_:with:))
    }

    /// Removes persons with all their data.
    func removal(
        _ accounts: AccountStore, _ library: DocumentLibrary, _ searches: SearchDesk
    ) -> AccountRemoval {
        let documents = documents
        return AccountRemoval(accounts, library, [PersonalPart(searches)]) { () throws(DocumentError) in
            try documents.tidy()
        }
    }

    private static func scanner(_ settings: Settings) throws(Failure) -> ClamdScanner? {
        guard let text = settings.service.scannerAddress else { return nil }
        guard let address = ScannerAddress(parsing: text) else {
            throw Failure(
                .usage,
                message: "--scanner must be clamd's socket or host and port: /run/clamav/clamd.ctl, 127.0.0.1:3310.")
        }
        return ClamdScanner(at: address)
    }

    /// The folder of the audit log.
    static func auditFolder(_ settings: ServiceSettings) -> String { "\(settings.dataPath)/audit" }
}

extension SharedDatabase {
    /// The database of the service.
    convenience init(_ settings: ServiceSettings) throws(Failure) {
        let path = if case .file(let path) = settings.database { path } else { "\(settings.dataPath)/documents" }
        try self.init(settings.database, path: path, program: "documentd")
    }
}
