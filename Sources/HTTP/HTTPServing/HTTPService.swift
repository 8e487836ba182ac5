public import HTTPSyntax
public import Hummingbird
internal import HummingbirdCore
internal import Linux
public import Logging
public import Media
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// What the middlewares and the server of one service share.
public struct ServingParts: Sendable {
    let connections: Connections
    /// Counts all requests.
    public let metrics: HTTPMetrics

    /// - Parameter metrics: counts the requests of the service.
    public init(limits: ConnectionLimits = ConnectionLimits(), metrics: HTTPMetrics) {
        self.metrics = metrics
        connections = Connections(limits, metrics)
    }

    /// The number of open connections.
    public var connectionCount: Int { connections.count }
}

/// The answers that a server sends without its router, and the parts that log and measure them as all others.
public struct ReadyWay: Sendable {
    let answers: any ReadyAnswering
    let work: BlockingPool
    let exchanges: ExchangeOpening

    /// - Parameters:
    ///   - work: runs the work that finds answers.
    ///   - proxies: the same as those of `ExchangeMiddleware`.
    ///   - log: the same as that of `ExchangeMiddleware`.
    public init(
        _ answers: any ReadyAnswering, _ service: ServingParts, work: BlockingPool, proxies: TrustedProxies, log: Logger
    ) {
        self.answers = answers
        self.work = work
        exchanges = ExchangeOpening(connections: service.connections, proxies: proxies, log: log)
    }
}

/// A server that runs until it is stopped.
public final class HTTPService: Sendable {
    /// The port on which it listens.
    public let port: Int
    private let group: ServiceGroup
    private let run: Task<Void, any Error>
    private let connections: Connections

    private init(port: Int, group: ServiceGroup, run: Task<Void, any Error>, connections: Connections) {
        self.port = port
        self.group = group
        self.run = run
        self.connections = connections
    }

    /// Binds an address and serves the routes on it.
    ///
    /// - Parameters:
    ///   - ready: answers that are sent without the router.
    ///   - proxies: they carry many clients, so their connections are not counted as one client's.
    ///   - port: 0 for any free port.
    ///   - name: the value of `Server`.
    /// - Throws: `unavailable` if the address cannot be bound.
    public static func start<Context: ServingContext>(
        _ router: Router<Context>, _ parts: ServingParts, ready: ReadyWay? = nil,
        proxies: TrustedProxies = TrustedProxies([]), host: String, port: Int, name: String, logger: Logger
    ) async throws(Failure) -> HTTPService {
        let connections = parts.connections
        let limits = connections.limits
        let (ports, listening) = AsyncStream<Int>.makeStream()
        // Hummingbird logs its own start, which the program reports itself.
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        let makeHandlers: @Sendable () -> [any RemovableChannelHandler] = {
            let watch = ConnectionWatch(connections)
            guard let ready else { return [watch] }
            return [watch, ReadyAnswerHandler(ready, serverName: name)]
        }
        let application = Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: makeHandlers(),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headerFieldByteCount, maxHeaderListSize: limits.headerByteCount,
                        maxHeaderFieldCount: limits.headerFieldCount))),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: name, backlog: limits.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(connections.acceptedCount, logger: quiet)),
            onServerRunning: { channel in
                if let most = limits.connectionCountPerNetwork {
                    try? await channel.eventLoop.submit {
                        try channel.pipeline.syncOperations.addHandler(
                            ConnectionGate(most: most, connections, proxies: proxies, logger: logger),
                            position: .first)
                    }.get()
                }
                listening.yield(channel.localAddress?.port ?? port)
                listening.finish()
            },
            logger: quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
        let run = Task {
            defer { listening.finish() }
            try await group.run()
        }
        for await port in ports { return HTTPService(port: port, group: group, run: run, connections: connections) }
        let failure = await run.result
        throw Failure(
            .unavailable, message: "Cannot listen on \(host):\(port) (setting listen).", detail: "\(failure)")
    }

    /// Waits until the server ends.
    ///
    /// - Throws: the error that ended it, unless it was stopped.
    public func wait() async throws { try await run.value }

    /// Accepts no more connections, ends connections without a request, and lets the others finish.
    ///
    /// New requests on open connections are refused with 503.
    /// - Parameter bound: the time limit for requests in progress. Then their connections are closed, and a second
    ///   later this returns.
    public func stop(within bound: Duration) async {
        connections.beginStopping()
        await group.triggerGracefulShutdown()
        let (ends, ending) = AsyncStream<Void>.makeStream()
        let waiting = Task { [run] in
            _ = await run.result
            ending.finish()
        }
        let closing = Task { [connections] in
            try await Task.sleep(for: bound)
            connections.closeAll()
            // A blocking call that hangs cannot be ended: it must not delay the program's end.
            try await Task.sleep(for: .seconds(1))
            ending.finish()
        }
        for await _ in ends {}
        waiting.cancel()
        closing.cancel()
    }
}
