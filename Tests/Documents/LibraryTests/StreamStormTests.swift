import HTTPServing
import HTTPSyntax
import Hummingbird
import Library
import Linux
import Logging
import TestDeadline
import TestSupport
import Testing

/// What `documentd` does under `EventStormTests`, in one process, so that ThreadSanitizer sees it.
@Suite("Streams of events that are broken off while things happen", .deadline)
struct StreamStormTests {
    @Test("They hold up neither the library nor each other, and none is left")
    func storm() async throws {
        let bench = try LibraryBench()
        let service = try await start(bench)
        let isOver = Promise<Void>()
        let uploads = try (0..<30).map { try bench.begin("\($0).pdf") }
        var threads = try (0..<16).map { _ in
            try WorkerThread(name: "browser") {
                let client = ServiceClient(port: service.port)
                while isOver.current == nil { Self.follow(client, until: isOver) }
            }
        }
        threads.append(
            try WorkerThread(name: "writer") {
                var number = 0
                while isOver.current == nil {
                    number += 1
                    try? bench.change(number)
                    let byte: [UInt8] = [1]
                    try? byte.withUnsafeBytes { try bench.library.append($0, to: uploads[number % 30]) }
                }
            })
        try await Task.sleep(for: .seconds(5))
        isOver.fulfil(())
        let ended = Promise<Void>()
        _ = try WorkerThread(name: "joiner") { [threads] in
            for thread in threads { thread.join() }
            ended.fulfil(())
        }
        #expect(await eventually { ended.current != nil }, "a client waits forever")
        #expect(await eventually { bench.library.events.followerCount == 0 }, "a stream stays")
        await service.stop(within: .seconds(1))
        let stopped = Promise<Void>()
        _ = try WorkerThread(name: "stopper") {
            bench.stop()
            stopped.fulfil(())
        }
        #expect(await eventually { stopped.current != nil }, "the library's threads hang")
    }

    /// Waits until the condition holds, for at most thirty seconds.
    private func eventually(_ holds: () -> Bool) async -> Bool {
        for _ in 0..<3000 where !holds() { try? await Task.sleep(for: .milliseconds(10)) }
        return holds()
    }

    private func start(_ bench: LibraryBench) async throws -> HTTPService {
        let parts = ServingParts(metrics: HTTPMetrics(prefix: "test"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pool = BlockingPool(threadCount: 4, queueLength: 1000)
        let router = Router(context: BasicServingContext.self)
        router.add(middleware: ExchangeMiddleware(parts, proxies: TrustedProxies([]), log: logger))
        router.get("/events") { _, context in
            let follower = try await pool.run { try bench.library.events.follow(bench.owner, after: nil) }
            return EventAnswer(context, retryTime: .seconds(1)).response { writer in
                while let events = await follower.next(within: .seconds(1)) {
                    try await writer.write("data: \(events.count)\n\n")
                }
            }
        }
        return try await HTTPService.start(
            router, parts, host: "127.0.0.1", port: 0, name: "test", logger: logger)
    }

    /// Opens a stream, reads a little, and leaves.
    private static func follow(_ client: ServiceClient, until isOver: Promise<Void>) {
        var left = Int.random(in: 1...4)
        _ = try? client.exchange(Array("GET /events HTTP/1.1\r\nHost: \(client.host)\r\n\r\n".utf8), within: 20) { _ in
            left -= 1
            return left == 0 || isOver.current != nil
        }
    }
}
