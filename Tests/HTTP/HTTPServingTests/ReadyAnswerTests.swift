import HTTPServing
import HTTPTypes
import Hummingbird
import Linux
import TestDeadline
import TestSupport
import Testing

/// Knows the answer to `/ready`, finds that to `/found` once its gate opens, and none to `/lost`. All are routes too.
private struct OneReadyAnswer: ReadyAnswering {
    static let body = "here at once"
    static let large = ByteBuffer(repeating: UInt8(ascii: "~"), count: 200_000)
    let gate: Promise<Void>

    func readyAnswer(to request: HTTPRequest, port: Int) -> ReadyAnswer.Way? {
        switch request.path {
        case "/large": return .known(ReadyAnswer(status: .ok, headers: [:], body: Self.large, route: "/large"))
        case "/ready":
            return .known(
                ReadyAnswer(
                    status: .ok, headers: [.contentType: "text/plain", .eTag: "\"ready\""],
                    body: ByteBuffer(string: Self.body), route: "/ready"))
        case "/found":
            return .found(party: nil) {
                _ = try? gate.value()
                return ReadyAnswer(status: .ok, headers: [:], body: ByteBuffer(string: "found"), route: "/found")
            }
        case "/mine":
            return .found(party: "me") {
                _ = try? gate.value()
                return ReadyAnswer(status: .ok, headers: [:], body: ByteBuffer(string: "mine"), route: "/mine")
            }
        case "/yours":
            return .found(party: "you") {
                ReadyAnswer(status: .ok, headers: [:], body: ByteBuffer(string: "yours"), route: "/yours")
            }
        case "/lost":
            return .found(party: nil) {
                _ = try? gate.value()
                return nil
            }
        default: return nil
        }
    }
}

@Suite("Answers from memory", .deadline)
struct ReadyAnswerTests {
    private func start(_ limits: ConnectionLimits = ConnectionLimits(), gate: Promise<Void> = Promise()) async throws
        -> TestService
    {
        try await TestService.start(limits: limits, ready: OneReadyAnswer(gate: gate)) { router, pool in
            for method: HTTPRequest.Method in [.get, .head, .post] {
                router.on("/ready", method: method) { _, _ in
                    Response(
                        status: .ok, headers: [.contentType: "text/plain"],
                        body: .init(byteBuffer: .init(string: "by the route")))
                }
            }
            router.get("/large") { _, _ in OneReadyAnswer.large }
            for path in ["/found", "/lost"] { router.get(RouterPath(path)) { _, _ in "by the route" } }
            router.get("/other") { _, _ in "other" }
            router.get("/waits") { _, _ in
                try await pool.run { try gate.value() }
                return "waited"
            }
        }
    }

    @Test("An answer from memory has length, date, server and the request's id, and HEAD has no body")
    func fields() async throws {
        let service = try await start()
        for method in ["GET", "HEAD"] {
            let answer = try await service.get("/ready", "X-Request-Id: request-1\n", method: method)
            #expect(answer.status == 200)
            #expect(answer.text == (method == "GET" ? OneReadyAnswer.body : ""))
            #expect(answer.fields["content-length"] == "12")
            #expect(answer.fields["x-request-id"] == "request-1")
            #expect(answer.fields["server"] == "test")
            #expect(answer.fields["date"]?.hasSuffix(" GMT") == true)
            #expect(answer.fields["connection"] == nil)
        }
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A request with a body or with another method goes to its route",
        arguments: [
            "POST /ready HTTP/1.1\nHost: a\nContent-Length: 2\n\nab",
            "GET /ready HTTP/1.1\nHost: a\nContent-Length: 2\n\nab",
            "POST /ready HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
            "GET /ready HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n0\n\n",
        ])
    func passed(request: String) async throws {
        let service = try await start()
        #expect(try await service.request(request).text == "by the route")
        await service.service.stop(within: .seconds(1))
    }

    @Test("The answers that one party waits for do not take the threads of all others")
    func parties() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        var waiting: [RawClient] = []
        for _ in 0..<8 {
            let client = try service.client()
            try await client.send("GET /mine HTTP/1.1\r\nHost: a\r\n\r\n")
            waiting.append(client)
        }
        #expect(try await service.eventually { service.pool.load.waiting > 0 })
        #expect(try await service.get("/yours").text == "yours")
        gate.fulfil(())
        for client in waiting { #expect(try await client.answer().text == "mine") }
        await service.service.stop(within: .seconds(1))
    }

    @Test("A connection ends behind an answer from memory where the client wants it")
    func closing() async throws {
        let service = try await start()
        let client = try service.client()
        try await client.send("GET /ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = try #require(Answer(try await client.receive(), hasBody: true))
        #expect(answer.fields["connection"] == "close")
        #expect(answer.text == OneReadyAnswer.body)
        await service.service.stop(within: .seconds(1))
    }

    @Test("Pipelined requests are answered in their order, from memory and by routes")
    func pipelined() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        let client = try service.client()
        let paths = ["/ready", "/other", "/ready", "/waits", "/ready", "/ready", "/other", "/ready"]
        try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        try await Task.sleep(for: .milliseconds(50))
        gate.fulfil(())
        try await client.send("GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let text = String(decoding: try await client.receive(), as: UTF8.self)
        let bodies = text.split(separator: "HTTP/1.1 200 OK").map {
            $0.split(separator: "\r\n\r\n").last.map(String.init) ?? ""
        }
        let ready = OneReadyAnswer.body
        #expect(bodies.count == paths.count + 1)
        for (path, body) in zip(paths + ["/other"], bodies) {
            switch path {
            case "/ready": #expect(body == ready || body == "by the route")
            case "/waits": #expect(body == "waited")
            default: #expect(body == "other")
            }
        }
        #expect(bodies.first == ready)
        await service.service.stop(within: .seconds(1))
    }

    @Test("A client that does not read its pipelined answers gets them all later, however short a connection lingers")
    func unread() async throws {
        var limits = ConnectionLimits()
        limits.lingerTime = .milliseconds(1)
        let service = try await start(limits)
        let client = try service.client(receiveBuffer: 4096)
        let count = 100
        let last = "GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        try await client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: count) + last)
        // Connections are looked at four times a second.
        try await Task.sleep(for: .milliseconds(600))
        let received = try await client.receive()
        #expect(received.count { $0 == UInt8(ascii: "~") } == count * OneReadyAnswer.large.readableBytes)
        #expect(received.suffix(5).elementsEqual("other".utf8))
        await service.service.stop(within: .seconds(1))
    }

    @Test("Answers from memory stand in log and metrics as those of routes")
    func accounts() async throws {
        let service = try await start()
        _ = try await service.get("/ready?token=geheim")
        _ = try await service.get("/ready", "X-Request-Id: request-1\nAuthorization: Bearer geheim\n")
        #expect(try await service.eventually { service.log.lines.contains { $0.contains("request=request-1") } })
        let line = try #require(service.log.lines.first { $0.contains("request=request-1") })
        #expect(line.hasPrefix("info request bytes=12 client=127.0.0.1 method=GET ms="))
        #expect(line.contains("path=/ready") && line.contains("status=200") && !line.contains("geheim"))
        #expect(service.metrics.contains("test_requests_total{route=\"/ready\",method=\"GET\",status=\"200\"} "))
        #expect(service.metrics.contains("test_requests_running 0"))
        await service.service.stop(within: .seconds(1))
    }

    @Test("A connection that only memory has answered is closed once it is idle")
    func idle() async throws {
        var limits = ConnectionLimits()
        limits.idleTime = .seconds(3)
        let service = try await start(limits)
        let client = try service.client()
        try await client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer().text == OneReadyAnswer.body)
        #expect(try await client.receive(within: 30).isEmpty)
        await service.service.stop(within: .seconds(1))
    }

    @Test("An answer that work finds leaves whole, and a request for which it finds none goes to its route")
    func found() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        gate.fulfil(())
        let service = try await start(gate: gate)
        let answer = try await service.get("/found", "X-Request-Id: request-1\n")
        #expect(answer.text == "found" && answer.fields["x-request-id"] == "request-1")
        #expect(try await service.get("/found", method: "HEAD").fields["content-length"] == "5")
        #expect(try await service.get("/lost").text == "by the route")
        #expect(try await service.eventually { service.metrics.contains("test_requests_running 0") })
        for route in ["found", "lost"] {
            let labels = "route=\"/\(route)\",method=\"GET\",status=\"200\""
            #expect(service.metrics.contains("test_requests_total{\(labels)} 1"))
        }
        await service.service.stop(within: .seconds(1))
    }

    @Test("Requests behind one whose answer is looked for wait for it, and all are answered in their order")
    func pipelinedBehindWork() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        let client = try service.client()
        let paths = ["/ready", "/found", "/other", "/lost", "/ready", "/found", "/lost", "/other", "/found"]
        try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        try await Task.sleep(for: .milliseconds(50))
        try await client.send("GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        try await Task.sleep(for: .milliseconds(50))
        gate.fulfil(())
        let text = String(decoding: try await client.receive(), as: UTF8.self)
        let bodies = text.split(separator: "HTTP/1.1 200 OK").map {
            $0.split(separator: "\r\n\r\n").last.map(String.init) ?? ""
        }
        #expect(bodies.count == paths.count + 1)
        for (path, body) in zip(paths + ["/other"], bodies) {
            switch path {
            case "/ready": #expect(body == OneReadyAnswer.body || body == "by the route")
            case "/found": #expect(body == "found" || body == "by the route")
            case "/lost": #expect(body == "by the route")
            default: #expect(body == "other")
            }
        }
        #expect(bodies.prefix(2) == [OneReadyAnswer.body, "found"])
        await service.service.stop(within: .seconds(1))
    }

    @Test("A service that stops waits for an answer that is looked for, and sends it")
    func stopping() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        let client = try service.client()
        try await client.send("GET /found HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { service.pool.load.running == 1 })
        async let stop: Void = service.service.stop(within: .seconds(60))
        #expect(try await service.eventually { (try? service.client()) == nil })
        gate.fulfil(())
        let answer = try #require(Answer(try await client.receive(), hasBody: true))
        #expect(answer.text == "found" && answer.fields["connection"] == "close")
        await stop
    }

    @Test("Where the pool takes no work, the route answers")
    func refusedWork() async throws {
        let service = try await start()
        await service.pool.stop()
        #expect(try await service.get("/found").text == "by the route")
        await service.service.stop(within: .seconds(1))
    }

    @Test("A client that leaves while its answer is looked for holds nothing, and is told of in the log")
    func departure() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        let client = try service.client()
        try await client.send("GET /found HTTP/1.1\r\nHost: a\r\nX-Request-Id: departed\r\n\r\n")
        #expect(try await service.eventually { service.pool.load.running == 1 })
        client.reset()
        #expect(try await service.eventually { service.parts.connectionCount == 0 })
        gate.fulfil(())
        #expect(try await service.eventually { service.log.lines.contains { $0.contains("request=departed") } })
        #expect(try #require(service.log.lines.first { $0.contains("request=departed") }).contains("status=499"))
        #expect(try await service.get("/found").text == "found")
        await service.service.stop(within: .seconds(1))
    }
}
