import HTTPServing
import HTTPSyntax
import Hummingbird
import Linux
import Media
import Synchronization
import TestDeadline
import Testing

@Suite("Bodies of requests", .deadline)
struct BodyTests {
    private final class Faults: Sendable {
        let faults = Mutex<[String]>([])
        /// Fulfilled once a route has begun to read.
        let hasBegun = Promise<Void>()
        func note(_ error: any Error) { faults.withLock { $0.append("\(error)") } }
        var all: [String] { faults.withLock { $0 } }
    }

    /// Counts the bytes of a body, and notes what it threw.
    private func start(_ limits: BodyLimits, _ faults: Faults = Faults()) async throws -> TestService {
        try await TestService.start { router, _ in
            router.put("/count") { request, context in
                faults.hasBegun.fulfil(())
                do {
                    let count = try await request.withBody(context, limits) { reader in
                        var count = 0
                        while let piece = try await reader.next() { count += piece.readableBytes }
                        return count
                    }
                    return "\(count)"
                } catch {
                    faults.note(error)
                    throw error
                }
            }
        }
    }

    private let short = BodyLimits(byteCount: 1000)

    @Test("A body is read whole, by its length or in chunks, and the connection goes on")
    func whole() async throws {
        let service = try await start(short)
        let client = try service.client()
        for _ in 0..<3 {
            try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
            #expect(try await client.answer().text == "5")
            try await client.send(
                "PUT /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\nabcd\r\n0\r\n\r\n"
            )
            #expect(try await client.answer().text == "7")
        }
        try await client.send(
            "PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000))
        #expect(try await client.answer().text == "1000")
        await service.service.stop(within: .seconds(1))
    }

    @Test("A declared length over the limit is refused before a byte is sent")
    func declared() async throws {
        let service = try await start(short)
        let client = try service.client()
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
        let answer = try await client.answer()
        #expect(answer.status == 413 && answer.fields["connection"] == "close")
        #expect(answer.text == "The request is too large.\n")
        await service.service.stop(within: .seconds(1))
    }

    @Test("A client that asks for leave to send gets it when the body is wanted")
    func expectation() async throws {
        let service = try await start(short)
        let client = try service.client()
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let leave = try await client.answer()
        #expect(leave.status == 100 && leave.fields.isEmpty)
        try await client.send("abc")
        #expect(try await client.answer().text == "3")
        await service.service.stop(within: .seconds(1))
    }

    @Test("A body in chunks over the limit is cut, and the client gets the answer while it still sends")
    func counted() async throws {
        let service = try await start(short)
        let client = try service.client()
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 65536) + Array("\r\n".utf8)
        // Made before the head is sent: a body that comes late is refused for that.
        let body = (0..<200).reduce(into: [UInt8]()) { body, _ in body += chunk }
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        async let sending = client.send(body)
        let answer = try await client.answer()
        #expect(answer.status == 413 && answer.fields["connection"] == "close")
        _ = try await sending
        await service.service.stop(within: .seconds(1))
    }

    @Test("A client that stops sending is told, and the connection ends")
    func stalled() async throws {
        let faults = Faults()
        let service = try await start(BodyLimits(byteCount: 1000, stallTime: .seconds(3)), faults)
        let client = try service.client()
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        let began = ContinuousClock.now
        let answer = try await client.answer()
        #expect(answer.status == 408 && answer.text == "The upload stalled for too long.\n")
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(faults.all == ["bodyStalled"])
        #expect(try await client.receive().isEmpty)
        await service.service.stop(within: .seconds(1))
    }

    @Test("A client that sends too slowly is cut, though it never stops")
    func slow() async throws {
        let faults = Faults()
        let limits = BodyLimits(byteCount: 1000, stallTime: .seconds(2), leastSpeed: 100, graceTime: .milliseconds(600))
        let service = try await start(limits, faults)
        let client = try service.client()
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        let dripping = Task {
            while !Task.isCancelled {
                try await client.send("x")
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        #expect(try await client.answer().status == 408)
        dripping.cancel()
        #expect(faults.all == ["bodyStalled"])
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A body that breaks off is an error, never a short body",
        arguments: [
            "Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "Transfer-Encoding: chunked\r\n\r\n8\r\nabc",
        ], [true, false])
    func interrupted(rest: String, isReset: Bool) async throws {
        let faults = Faults()
        let service = try await start(short, faults)
        let client = try service.client()
        try await client.send("PUT /count HTTP/1.1\r\nHost: a\r\n\(rest)")
        #expect(try await service.eventually { faults.hasBegun.current != nil })
        if isReset { client.reset() } else { client.finishSending() }
        #expect(try await service.eventually { !faults.all.isEmpty })
        #expect(faults.all == ["bodyInterrupted"])
        await service.service.stop(within: .seconds(1))
    }

    @Test("A body that nobody reads does not hold the connection")
    func unread() async throws {
        let service = try await TestService.start { router, _ in router.put("/ignore") { _, _ in "ignored" } }
        let client = try service.client()
        try await client.send("PUT /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
        async let sending = client.send([UInt8](repeating: 0, count: 100_000_000))
        let answer = try await client.answer()
        #expect(answer.text == "ignored" && answer.fields["connection"] == "close")
        _ = try await sending
        #expect(try await service.eventually { service.parts.connectionCount == 0 })
        await service.service.stop(within: .seconds(1))
    }

    @Test("A form's parts are read while they arrive")
    func form() async throws {
        let service = try await TestService.start { router, _ in
            router.post("/form") { request, context in
                let form = try FormReader(request)
                return try await request.withBody(context, BodyLimits(byteCount: 10_000_000)) { body in
                    var form = form
                    var lines: [String] = []
                    var count = 0
                    while let event = try await form.next(from: &body) {
                        switch event {
                        case .began(let header):
                            lines.append("\(header.name) \(header.fileName ?? "-")")
                            count = 0
                        case .bytes(let bytes): count += bytes.count
                        case .ended: lines.append("\(count)")
                        }
                    }
                    return lines.joined(separator: ",")
                }
            }
        }
        let file = String(repeating: "0123456789", count: 300_000)
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; "
            + "name=\"f\"; filename=\"a b.pdf\"\r\n\r\n\(file)\r\n--b--\r\n"
        let client = try service.client()
        try await client.send(
            "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
                + "\(body.utf8.count)\r\n\r\n\(body)")
        #expect(try await client.answer().text == "t -,3,f a b.pdf,3000000")
        await service.service.stop(within: .seconds(1))
    }
}
