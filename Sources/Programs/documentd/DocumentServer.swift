import Access
import DocumentAPI
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Library
import Linux
import Logging
import Media
import NIOCore
import NIOPosix
import Settings
import Web

/// Serves the faces of the library over HTTP.
struct DocumentServer {
    private let settings: ServiceSettings
    private let library: DocumentLibrary
    private let logger: Logger
    /// Fulfilled once all requests have ended.
    let hasEnded = Promise<Void>()

    init(_ settings: ServiceSettings, _ library: DocumentLibrary, _ logger: Logger) {
        self.settings = settings
        self.library = library
        self.logger = logger
    }

    /// Starts to listen.
    ///
    /// - Returns: the task that serves until it is cancelled.
    /// - Throws: `unavailable` where the address cannot be had.
    func start() throws(Failure) -> Task<Void, Never> {
        let isListening = Promise<Result<Int, Failure>>()
        let address = settings.address
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        let application = Application(
            router: router,
            server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(75))),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: "documentd"),
            onServerRunning: { isListening.fulfil(.success($0.localAddress?.port ?? address.port)) }, logger: quiet)
        let (logger, hasEnded) = (logger, hasEnded)
        let task = Task {
            do {
                try await application.run()
            } catch {
                let failure = Failure(
                    .unavailable,
                    message: "The address \(address.host):\(address.port) cannot be had (setting serve).",
                    detail: "\(error)")
                if !isListening.fulfil(.failure(failure)), !Task.isCancelled {
                    logger.error("the server ended", metadata: ["reason": "\(error)"])
                }
            }
            hasEnded.fulfil(())
        }
        let port = try isListening.wait().get()
        logger.notice("serving", metadata: ["address": "http://\(address.host):\(port)"])
        return task
    }

    private var router: Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        let threads = NIOThreadPool(numberOfThreads: 16)
        threads.start()
        let api = DocumentAPI(
            library, work: ThreadWork(threads: threads), identifying: LocalPerson(), patience: settings.pictureWait)
        api.register(on: router)
        WebFiles.register(on: router)
        return router
    }
}

/// Blocking work on a pool of threads.
struct ThreadWork: BlockingWork {
    let threads: NIOThreadPool

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.runIfActive(body)
    }
}
