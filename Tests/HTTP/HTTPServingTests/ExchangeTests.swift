import HTTPServing
import Hummingbird
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Requests in log and metrics", .deadline)
struct ExchangeTests {
    private func start(_ more: (Router<BasicServingContext>, BlockingPool) -> Void = { _, _ in }) async throws
        -> TestService
    {
        try await TestService.start { router, pool in
            router.get("/documents/:id") { _, context in context.passage.requestID }
            router.get("/secrets/:id") { _, context in context.passage.requestID }
            router.get("/fails") { _, _ -> String in throw ServingError.overloaded }
            router.get("/page") { _, _ in
                Response(status: .ok, headers: [.contentSecurityPolicy: "default-src 'self'"])
            }
            more(router, pool)
        }
    }

    @Test(
        "A sane id is taken, any other replaced by a UUID of version 7",
        arguments: [
            ("abcdefgh", true), ("0199-aa_b.c", true), ("short", false), ("has space in it", false),
            (String(repeating: "a", count: 129), false), ("abcdefgh\u{e9}", false), (nil, false),
        ] as [(String?, Bool)])
    func ids(stated: String?, isTaken: Bool) async throws {
        let service = try await start()
        let answer = try await service.get("/documents/1", stated.map { "X-Request-Id: \($0)\n" } ?? "")
        let id = try #require(answer.fields["x-request-id"])
        #expect(answer.text == id)
        #expect((id == stated) == isTaken)
        if !isTaken {
            let bytes = Array(id.utf8)
            #expect(bytes.count == 36 && bytes[14] == UInt8(ascii: "7") && "89ab".utf8.contains(bytes[19]))
            let milliseconds = UInt64(id.replacing("-", with: "").prefix(12), radix: 16) ?? 0
            #expect(abs(Int64(milliseconds) - Time.wall / 1_000_000) < 60_000)
        }
        await service.service.stop(within: .seconds(1))
    }

    @Test("A line tells of each request, and has no token")
    func log() async throws {
        let service = try await start()
        _ = try await service.get(
            "/documents/1?token=geheim&sort=name&flag", "Authorization: Bearer geheim\nX-Request-Id: request-1\n")
        #expect(try await service.eventually { service.log.lines.contains { $0.contains("request=request-1") } })
        let line = try #require(service.log.lines.first { $0.contains("request=request-1") })
        #expect(line.hasPrefix("info request bytes=9 client=127.0.0.1 method=GET ms="))
        #expect(line.hasSuffix("path=/documents/1?token=&sort=&flag received=0 request=request-1 status=200"))
        #expect(!service.log.lines.joined().contains("geheim"))
        await service.service.stop(within: .seconds(1))
    }

    @Test("Below a folder of secrets the line has the route's pattern, or nothing but the folder")
    func secrets() async throws {
        let service = try await start()
        for (number, path) in ["geheim?a=b", "%67eheim", "geheim/more", ""].enumerated() {
            _ = try await service.get("/secrets/\(path)", "X-Request-Id: request-\(number)\n")
        }
        for (number, path) in ["/secrets/{id}?a=", "/secrets/{id}", "/secrets/…", "/secrets/…"].enumerated() {
            let id = "request=request-\(number)"
            #expect(try await service.eventually { service.log.lines.contains { $0.contains(id) } })
            let line = try #require(service.log.lines.first { $0.contains(id) })
            #expect(line.contains(" path=\(path) "), "\(line)")
        }
        #expect(!service.log.lines.joined().contains("eheim"))
        await service.service.stop(within: .seconds(1))
    }

    @Test("Requests are counted by route, method and status")
    func metrics() async throws {
        let service = try await start()
        for number in 0..<3 { _ = try await service.get("/documents/\(number)") }
        let busy = try await service.get("/fails")
        #expect(busy.status == 503 && busy.fields["retry-after"] == "1")
        #expect(busy.text == "The service is busy. Please try again in a moment.\n")
        #expect(try await service.get("/nothing").status == 404)
        _ = try await service.get("/nothing", method: "PROPFIND")
        #expect(try await service.get("/documents/1", method: "BREW").status == 400)
        let expected = [
            "test_requests_total{route=\"/documents/{id}\",method=\"GET\",status=\"200\"} 3",
            "test_requests_total{route=\"/fails\",method=\"GET\",status=\"503\"} 1",
            "test_requests_total{route=\"-\",method=\"GET\",status=\"404\"} 1",
            "test_requests_total{route=\"-\",method=\"other\",status=\"404\"} 1",
            "test_request_duration_seconds_count{route=\"/documents/{id}\",method=\"GET\"} 3",
            "test_requests_running 0.0", "test_unreadable_requests_total 1",
        ]
        for line in expected {
            #expect(try await service.eventually { service.metrics.contains(line) }, "\(line) in \(service.metrics)")
        }
        await service.service.stop(within: .seconds(1))
    }

    @Test("Answers let nothing run, and a page keeps its own policy")
    func security() async throws {
        let service = try await start()
        let answer = try await service.get("/documents/1")
        #expect(
            answer.fields["x-content-type-options"] == "nosniff" && answer.fields["referrer-policy"] == "no-referrer")
        #expect(
            answer.fields["content-security-policy"]
                == "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox")
        #expect(try await service.get("/page").fields["content-security-policy"] == "default-src 'self'")
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A stream of events ends when its client leaves, though nothing more is written", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func streams(isReset: Bool) async throws {
        let (isOpen, isOver) = (Promise<Bool>(), Promise<Bool>())
        let service = try await start { router, _ in
            router.get("/events") { _, context in
                EventAnswer(context, retryTime: .milliseconds(1500)).response { writer in
                    isOpen.fulfil(true)
                    defer { isOver.fulfil(Task.isCancelled) }
                    try await Task.sleep(for: .seconds(600))
                    try await writer.writeComment()
                }
            }
        }
        let client = try service.client()
        try await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = try await client.receive { String(decoding: $0, as: UTF8.self).contains("retry: ") }
        #expect(String(decoding: text, as: UTF8.self).contains("retry: 1500\n\n"))
        #expect(try await service.eventually { isOpen.current == true })
        if isReset { client.reset() } else { client.finishSending() }
        #expect(try await service.eventually { isOver.current == true })
        #expect(try await service.eventually { service.parts.connectionCount == 0 })
        await service.service.stop(within: .seconds(1))
    }

    @Test("The work for a reader who left is given up while it waits", arguments: [true, false])
    func departure(isReset: Bool) async throws {
        let release = Promise<Bool>()
        defer { release.fulfil(true) }
        let isOccupied = Promise<Bool>()
        let pool = BlockingPool(threadCount: 1, queueLength: 10)
        let occupying = Task {
            try await pool.run {
                isOccupied.fulfil(true)
                return try release.value()
            }
        }
        let service = try await start { router, _ in
            router.get("/waits") { _, _ in try await pool.run { "done" } }
        }
        while isOccupied.current == nil { try await Task.sleep(for: .milliseconds(1)) }
        let client = try service.client()
        try await client.send("GET /waits HTTP/1.1\r\nHost: a\r\nX-Request-Id: leaving-1\r\n\r\n")
        #expect(try await service.eventually { pool.load.waiting == 1 })
        if isReset { client.reset() } else { client.finishSending() }
        #expect(try await service.eventually { pool.load.waiting == 0 })
        #expect(pool.load.running == 1)
        release.fulfil(true)
        _ = try await occupying.value
        #expect(try await service.eventually { service.log.lines.contains { $0.contains("request=leaving-1") } })
        let lines = service.log.lines.filter { $0.contains("request=leaving-1") }
        #expect(lines.count == 1 && lines[0].hasPrefix("info request ") && lines[0].hasSuffix("status=499"), "\(lines)")
        let count = "test_requests_total{route=\"/waits\",method=\"GET\",status=\"499\"} 1"
        #expect(try await service.eventually { service.metrics.contains(count) }, "\(service.metrics)")
        await service.service.stop(within: .seconds(1))
    }

    @Test("Requests one after another on a connection are all answered in order")
    func pipelining() async throws {
        let service = try await start()
        let client = try service.client()
        let requests = (0..<20).map {
            "GET /documents/\($0) HTTP/1.1\r\nHost: a\r\nX-Request-Id: request-\($0 + 10)\r\n\r\n"
        }
        try await client.send(requests.joined())
        let bytes = try await client.receive { String(decoding: $0, as: UTF8.self).contains("\r\n\r\nrequest-29") }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.matches(of: /\r\n\r\nrequest-(\d+)/).map { $0.output.1 } == (10..<30).map { "\($0)" })
        #expect(try await service.eventually { service.log.lines.count { $0.contains("bytes=10 ") } == 20 })
        await service.service.stop(within: .seconds(1))
    }
}
