import HTTPServing
import HTTPSyntax
import Hummingbird
import Linux
import Logging
import TestDeadline
import TestSupport
import Testing

@Suite("Connections and their bounds", .deadline)
struct ConnectionTests {
    private func start(
        _ limits: ConnectionLimits = ConnectionLimits(), gate: Promise<Bool> = Promise(),
        proxies: TrustedProxies = TrustedProxies([])
    ) async throws -> TestService {
        try await TestService.start(limits: limits, proxies: proxies) { router, pool in
            router.get("/quick") { _, _ in "quick" }
            router.post("/reads") { request, context in
                "\(try await request.wholeBody(context, BodyLimits(byteCount: 1000)).readableBytes)"
            }
            router.get("/waits") { _, _ in try await pool.run { try gate.value() ? "waited" : "" } }
        }
    }

    @Test("A connection without a request is closed in time, also one whose header does not end")
    func idle() async throws {
        var limits = ConnectionLimits()
        limits.idleTime = .seconds(3)
        let service = try await start(limits)
        let silent = try service.client()
        let slow = try service.client()
        try await slow.send("GET /quick HTTP/1.1\r\nHost: a\r\nX-A: ")
        let used = try service.client()
        try await used.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await used.answer().text == "quick")
        for client in [silent, slow, used] { #expect(try await client.receive(within: 30).isEmpty) }
        #expect(try await service.eventually { service.parts.connectionCount == 0 })
        await service.service.stop(within: .seconds(1))
    }

    @Test("While all connections are taken, idle ones make room")
    func full() async throws {
        var limits = ConnectionLimits()
        limits.connectionCount = 8
        let service = try await start(limits)
        var silent: [RawClient] = []
        for _ in 0..<30 { silent.append(try service.client()) }
        let answer = try await service.get("/quick")
        #expect(answer.text == "quick")
        #expect(service.parts.connectionCount <= 8)
        #expect(silent.count == 30)
        await service.service.stop(within: .seconds(1))
    }

    @Test("A network has so many connections at once: more are closed as they come, unless it is a trusted proxy's")
    func network() async throws {
        var limits = ConnectionLimits()
        limits.connectionCountPerNetwork = 4
        // The silent ones stay.
        limits.idleTime = .seconds(600)
        let service = try await start(limits, proxies: TrustedProxies("127.0.0.3/32")!)
        var held = try (0..<4).map { _ in try service.client() }
        #expect(try await service.eventually { service.parts.connectionCount == 4 })
        for _ in 0..<20 { #expect(try await service.client().receive(within: 30).isEmpty) }
        #expect(service.metrics.contains("test_refused_connections_total 20"), "\(service.metrics)")
        for _ in 0..<8 { held.append(try service.client(from: 3)) }
        let other = try service.client(from: 2)
        try await other.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await other.answer().text == "quick")
        #expect(service.parts.connectionCount == 13)
        held = []
        var text = ""
        for _ in 0..<500 where text != "quick" {
            try await Task.sleep(for: .milliseconds(10))
            text = try await service.get("/quick").text
        }
        #expect(text == "quick")
        await service.service.stop(within: .seconds(1))
    }

    /// Each connection is in the middle of a request, which it may be for long, and so not idle.
    @Test("Two networks that take all connections that they may have do not keep a third one out")
    func crowd() async throws {
        var limits = ConnectionLimits()
        limits.connectionCount = 64
        limits.connectionCountPerNetwork = 40
        limits.bodyStallTime = .seconds(600)
        let service = try await start(limits)
        var held: [RawClient] = []
        for network in [UInt8(2), 3] {
            for _ in 0..<40 {
                guard let client = try? service.client(from: network) else { continue }
                _ = try? await client.send("POST /reads HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
                held.append(client)
            }
        }
        #expect(held.count == 80)
        let other = try service.client(from: 4)
        try await other.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await other.answer().text == "quick")
        #expect(service.parts.connectionCount <= 56)
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A header over its limits is refused",
        arguments: [
            "X-Long: \(String(repeating: "a", count: 20_000))\r\n",
            (0..<150).map { "X-\($0): a\r\n" }.joined(),
            (0..<50).map { "X-\($0): \(String(repeating: "a", count: 900))\r\n" }.joined(),
        ])
    func headers(fields: String) async throws {
        let service = try await start()
        let client = try service.client()
        try await client.send("GET /quick HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        let answer = try await client.answer()
        #expect(answer.status == 400)
        await service.service.stop(within: .seconds(1))
    }

    @Test("Stopping closes idle connections, and lets a request under way finish")
    func gracefulStop() async throws {
        let gate = Promise<Bool>()
        defer { gate.fulfil(true) }
        let service = try await start(gate: gate)
        let idle = try service.client()
        try await idle.send("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await idle.answer().text == "quick")
        let busy = try service.client()
        try await busy.send("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { service.pool.load.running == 1 })
        let stop = Task { await service.service.stop(within: .seconds(30)) }
        #expect(try await idle.receive(within: 30).isEmpty)
        #expect(throws: RawClient.Fault.self) { try service.client() }
        gate.fulfil(true)
        let answer = try await busy.answer()
        #expect(answer.text == "waited" && answer.fields["connection"] == "close")
        await stop.value
        try await service.service.wait()
    }

    @Test("A request that does not finish within the bound is cut")
    func boundedStop() async throws {
        let gate = Promise<Bool>()
        defer { gate.fulfil(true) }
        let service = try await start(gate: gate)
        let busy = try service.client()
        try await busy.send("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { service.pool.load.running == 1 })
        let began = ContinuousClock.now
        let stop = Task { await service.service.stop(within: .milliseconds(500)) }
        #expect(try await busy.receive(within: 30).isEmpty)
        #expect(ContinuousClock.now - began >= .milliseconds(450))
        // The call still blocks its thread.
        await stop.value
        gate.fulfil(true)
    }

    @Test("An address that is taken is a failure with its setting")
    func taken() async throws {
        let service = try await start()
        let failure = await #expect(throws: (any Error).self) {
            _ = try await HTTPService.start(
                Router(context: BasicServingContext.self), ServingParts(metrics: HTTPMetrics(prefix: "b")),
                host: "127.0.0.1", port: service.port, name: "b", logger: .init(label: "b"))
        }
        #expect("\(failure as Any)".contains("Cannot listen on"))
        await service.service.stop(within: .seconds(1))
    }
}
