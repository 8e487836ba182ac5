import Console
import Hummingbird
import HummingbirdCore
import Linux
import Logging
import Media
import NIOCore

/// Serves health and metrics over HTTP.
struct StatusServer {
    let status: ServiceStatus
    let logger: Logger

    /// Starts to listen.
    ///
    /// - Returns: the task that serves until it is cancelled.
    /// - Throws: `unavailable` if the address cannot be bound.
    func start(at address: WorkerSettings.ListenAddress) throws(Failure) -> Task<Void, Never> {
        let isListening = Promise<Result<Int, Failure>>()
        let bounds = ConnectionBounds()
        let application = Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [bounds.makeWatch()],
                    idleTimeout: TimeAmount(ConnectionBounds.patience),
                    httpDecoderConfiguration: .init(maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10))),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: "thumbd",
                backlog: ConnectionBounds.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(ConnectionBounds.accepted, logger: quiet)),
            onServerRunning: { isListening.fulfil(.success($0.localAddress?.port ?? address.port)) },
            logger: quiet)
        let task = Task {
            do {
                try await application.run()
            } catch {
                let failure = Failure(
                    .unavailable,
                    message: "Cannot listen on \(address.host):\(address.port) (setting listen).",
                    detail: "\(error)")
                // After the start nothing waits for the promise, so the end is logged instead.
                if !isListening.fulfil(.failure(failure)), !Task.isCancelled {
                    logger.error("the status server stopped", metadata: ["reason": "\(error)"])
                }
            }
        }
        let port = try isListening.wait().get()
        logger.info("serving health and metrics", metadata: ["host": "\(address.host)", "port": "\(port)"])
        return task
    }

    /// A logger for warnings only: Hummingbird logs every request at `info`.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(.warning, logger.logLevel)
        return logger
    }

    private var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        let status = status
        router.get("/healthz") { _, _ in
            status.isHealthy ? Self.answer(.ok, "ok\n") : Self.answer(.serviceUnavailable, "hanging\n")
        }
        router.get("/readyz") { _, _ in
            let notReadyReasons = status.notReadyReasons
            return notReadyReasons.isEmpty
                ? Self.answer(.ok, "ready\n")
                : Self.answer(.serviceUnavailable, notReadyReasons.map { "\($0)\n" }.joined())
        }
        let metrics = SharedText { status.text }
        router.get("/metrics") { _, _ in
            Self.answer(.ok, await metrics.current, type: "text/plain; version=0.0.4; charset=utf-8")
        }
        return router
    }

    private static func answer(
        _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
