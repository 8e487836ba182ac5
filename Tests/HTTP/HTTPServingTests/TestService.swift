import HTTPServing
import HTTPSyntax
import Hummingbird
import Logging
import Media
import Synchronization

/// A service with some routes, on a port of its own.
struct TestService: Sendable {
    let service: HTTPService
    let parts: ServingParts
    let log: LineCollector
    let pool: BlockingPool

    var port: Int { service.port }

    static func start(
        limits: ConnectionLimits = ConnectionLimits(), ready: (any ReadyAnswering)? = nil,
        proxies: TrustedProxies = TrustedProxies([]),
        _ routes: (Router<BasicServingContext>, BlockingPool) -> Void
    ) async throws -> TestService {
        let parts = ServingParts(limits: limits, metrics: HTTPMetrics(prefix: "test"))
        let log = LineCollector()
        let logger = Logger(label: "test") { _ in log }
        let pool = BlockingPool(threadCount: 4, queueLength: 100)
        let router = Router(context: BasicServingContext.self)
        router.add(
            middleware: ExchangeMiddleware(
                parts, proxies: TrustedProxies([]), log: logger, secretFolders: ["/secrets/"]))
        router.add(middleware: SecurityHeaders())
        routes(router, pool)
        let way = ready.map { ReadyWay($0, parts, work: pool, proxies: TrustedProxies([]), log: logger) }
        let service = try await HTTPService.start(
            router, parts, ready: way, proxies: proxies, host: "127.0.0.1", port: 0, name: "test", logger: logger)
        return TestService(service: service, parts: parts, log: log, pool: pool)
    }

    func client(receiveBuffer: Int32? = nil, from lastByte: UInt8 = 1) throws -> RawClient {
        try RawClient(port: port, receiveBuffer: receiveBuffer, from: lastByte)
    }

    /// Sends one request on a connection of its own.
    func request(_ text: String, hasBody: Bool = true) async throws -> Answer {
        let client = try client()
        try await client.send(text.replacing("\n", with: "\r\n"))
        return try await client.answer(hasBody: hasBody)
    }

    func get(_ path: String, _ fields: String = "", method: String = "GET") async throws -> Answer {
        try await request("\(method) \(path) HTTP/1.1\nHost: localhost\n\(fields)\n", hasBody: method != "HEAD")
    }

    /// Waits until the test holds, for a minute at most.
    func eventually(_ holds: () -> Bool) async throws -> Bool {
        for _ in 0..<6000 where !holds() { try await Task.sleep(for: .milliseconds(10)) }
        return holds()
    }

    var metrics: String { parts.metrics.families.map(\.text).joined() }
}

/// Keeps the lines of a log.
struct LineCollector: LogHandler {
    private final class Lines: Sendable {
        let lines = Mutex<[String]>([])
    }

    private let kept = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .debug

    var lines: [String] { kept.lines.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let line = "\(event.level) \(event.message) " + fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        kept.lines.withLock { $0.append(line) }
    }
}
