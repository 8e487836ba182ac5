import HTTPServing
import HTTPTypes
import Hummingbird
import Linux
import TestDeadline
import TestSupport
import Testing

/// Knows the answer to `/ready`, and finds that to `/found` once its gate opens.
private struct Answers: ReadyAnswering {
    let gate: Promise<Void>

    func readyAnswer(to request: HTTPRequest, port: Int) -> ReadyAnswer.Way? {
        let gate = gate
        switch request.path {
        case "/ready": return .known(Self.answer(to: "/ready"))
        case "/found":
            return .found(party: nil) {
                _ = try? gate.value()
                return Self.answer(to: "/found")
            }
        default: return nil
        }
    }

    private static func answer(to path: String) -> ReadyAnswer {
        ReadyAnswer(status: .ok, headers: [:], body: ByteBuffer(string: "answer"), route: path)
    }
}

@Suite("Version, Host and Connection of requests", .deadline)
struct RequestHeadTests {
    private static let paths = ["/ready", "/route"]

    private func start(gate: Promise<Void> = Promise()) async throws -> TestService {
        try await TestService.start(ready: Answers(gate: gate)) { router, _ in
            router.get("/ready") { _, _ in "answer" }
            router.get("/route") { _, _ in "answer" }
            router.get("/pieces") { _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        for _ in 0..<3 { try await writer.write(ByteBuffer(string: "piece")) }
                        try await writer.finish(nil)
                    })
            }
            router.put("/body") { request, _ in
                let bytes = try await request.body.collect(upTo: 100)
                return String(buffer: bytes)
            }
        }
    }

    /// All that a service sends until it closes the connection, which it does long before the connection is idle.
    private func exchange(_ service: TestService, _ text: String) async throws -> String {
        let client = try service.client()
        try await client.send(text)
        return String(decoding: try await client.receive(within: 30), as: UTF8.self)
    }

    @Test(
        "A connection is closed after the answer if the request says so, or is of HTTP/1.0", arguments: paths,
        [
            "HTTP/1.1\r\nHost: a\r\nConnection: close", "HTTP/1.1\r\nHost: a\r\nConnection: CLOSE",
            "HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close", "HTTP/1.1\r\nHost: a\r\nConnection: te , Close,",
            "HTTP/1.1\r\nHost: a\r\nConnection: te\r\nconnection: close", "HTTP/1.0", "HTTP/1.0\r\nHost: a",
            "HTTP/1.0\r\nHost: a\r\nConnection: keep-alive",
        ])
    func closing(path: String, head: String) async throws {
        let service = try await start()
        // What comes behind is not answered.
        let text = try await exchange(service, "GET \(path) \(head)\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try #require(Answer(Array(text.utf8), hasBody: true))
        #expect(answer.status == 200 && answer.text == "answer")
        #expect(answer.fields["connection"] == "close")
        #expect(text.hasPrefix(head.hasPrefix("HTTP/1.0") ? "HTTP/1.0 200 " : "HTTP/1.1 200 "))
        await service.service.stop(within: .seconds(1))
    }

    @Test("Only the request that says so ends the connection", arguments: paths)
    func keeping(path: String) async throws {
        let service = try await start()
        let text = try await exchange(
            service,
            "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n"
                + "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 3)
        #expect(text.lowercased().ranges(of: "connection: close").count == 1)
        await service.service.stop(within: .seconds(1))
    }

    @Test("A last request with a body is read to its end and answered")
    func lastBody() async throws {
        let service = try await start()
        let text = try await exchange(
            service, "PUT /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody")
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("\r\n\r\nbody"))
        await service.service.stop(within: .seconds(1))
    }

    @Test("An answer without a length has chunks, but none for a client of HTTP/1.0, which does not know them")
    func chunks() async throws {
        let service = try await start()
        let new = try await exchange(service, "GET /pieces HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(new.lowercased().contains("transfer-encoding: chunked") && new.hasSuffix("0\r\n\r\n"))
        let old = try await exchange(service, "GET /pieces HTTP/1.0\r\nHost: a\r\n\r\n")
        #expect(!old.lowercased().contains("transfer-encoding") && old.hasSuffix("\r\n\r\npiecepiecepiece"))
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A request with several Host fields, without one, or with one that is no host, is refused", arguments: paths,
        [
            "HTTP/1.1\r\nHost: a\r\nHost: b", "HTTP/1.1\r\nHost: a\r\nHost: a", "HTTP/1.1\r\nhost: a\r\nHOST: a",
            "HTTP/1.1\r\nHost: a b", "HTTP/1.1\r\nHost: a/b", "HTTP/1.1\r\nHost: user@a", "HTTP/1.1",
            "HTTP/1.0\r\nHost: a\r\nHost: b",
        ])
    func hosts(path: String, head: String) async throws {
        let service = try await start()
        let good = "GET \(path) HTTP/1.1\r\nHost: a:80\r\n\r\n"
        let text = try await exchange(service, "\(good)GET \(path) \(head)\r\n\r\n\(good)")
        let answers = text.split(separator: "HTTP/1.").map { $0.prefix { !$0.isNewline } }
        #expect(answers == ["1 200 OK", "1 400 Bad Request"])
        #expect(text.lowercased().contains("connection: close\r\n"))
        await service.service.stop(within: .seconds(1))
    }

    @Test("An empty Host, an address and a port are hosts", arguments: ["", "[::1]:80", "127.0.0.1:8080", "A-b_c.d"])
    func goodHosts(host: String) async throws {
        let service = try await start()
        let text = try await exchange(service, "GET /route HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        await service.service.stop(within: .seconds(1))
    }

    @Test("A request that is refused behind one whose answer is looked for is answered after it")
    func order() async throws {
        let gate = Promise<Void>()
        defer { gate.fulfil(()) }
        let service = try await start(gate: gate)
        let client = try service.client()
        try await client.send("GET /found HTTP/1.1\r\nHost: a\r\n\r\nGET /found HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { service.pool.load.running == 1 })
        gate.fulfil(())
        let text = String(decoding: try await client.receive(within: 30), as: UTF8.self)
        #expect(
            text.split(separator: "HTTP/1.").map { $0.prefix { !$0.isNewline } } == ["1 200 OK", "1 400 Bad Request"])
        await service.service.stop(within: .seconds(1))
    }
}
