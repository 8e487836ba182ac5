import HTTPServing
import HTTPTypes
import Hummingbird
import Media
import TestDeadline
import Testing

/// Sixty clients that did not read one answer of 59 MB each held 3.4 GB.
@Suite("Answers in memory", .deadline)
struct AnswerBodyTests {
    /// Strings of one letter, with an object between them; about `kibibytes` KiB.
    private static func value(_ kibibytes: Int) -> JSON {
        let element = JSON.object(["é\"": .string(String(repeating: "é", count: 505)), "n": .null])
        return .array(Array(repeating: element, count: kibibytes))
    }

    @Test("A body is the bytes of its value, in pieces of one length")
    func pieces() throws {
        for kibibytes in [0, 1, 63, 64, 65, 300] {
            let value = Self.value(kibibytes)
            let body = try AnswerBody(value)
            #expect(body.bytes == value.utf8 && body.byteCount == body.bytes.count)
            #expect(body.pieces.dropLast().allSatisfy { $0.readableBytes == AnswerBody.pieceByteCount })
        }
        let long = JSON.string(String(repeating: "a", count: 1_000_000))
        #expect(try AnswerBody(long).bytes == long.utf8)
    }

    @Test("A body has its share of the memory while it is there, and one that finds none is refused")
    func memory() throws {
        let memory = AnswerMemory(byteCount: 1 << 20)
        do {
            let held = try AnswerBody(Self.value(500), in: memory)
            let used = memory.usedByteCount
            #expect(used > held.byteCount - AnswerBody.pieceByteCount && used <= held.byteCount)
            #expect(throws: ServingError.overloaded) { try AnswerBody(Self.value(500), in: memory) }
            #expect(memory.usedByteCount == used)
            #expect(throws: Never.self) { try AnswerBody(Self.value(60), in: memory) }
            withExtendedLifetime(held) {}
        }
        #expect(memory.usedByteCount == 0)
    }

    @Test("A body of more than 16 MiB is refused")
    func size() {
        let memory = AnswerMemory(byteCount: 128 << 20)
        let limit = AnswerBody.mostBytes
        #expect(throws: ServingError.answerTooLarge(limit: limit)) { try AnswerBody(Self.value(17 << 10), in: memory) }
        #expect(memory.usedByteCount == 0)
    }

    @Test("A client that does not read holds a share until it leaves; HEAD has the length of GET, and holds none")
    func slowReaders() async throws {
        let memory = AnswerMemory(byteCount: 24 << 20)
        let service = try await TestService.start { router, pool in
            for method in [HTTPRequest.Method.get, .head] {
                router.on("/list", method: method) { _, _ in
                    let body = try await pool.run { try AnswerBody(Self.value(7 << 10), in: memory) }
                    return Response(body, headers: [.contentType: "application/json"])
                }
            }
        }
        let whole = try await service.get("/list")
        #expect(whole.isWhole && whole.body == Self.value(7 << 10).utf8)
        let head = try await service.get("/list", method: "HEAD")
        #expect(head.fields["content-length"] == "\(whole.body.count)")
        #expect(try await service.eventually { memory.usedByteCount == 0 })
        let reader = try service.client(receiveBuffer: 4096)
        try await reader.send("GET /list HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { memory.usedByteCount > 6 << 20 })
        let second = try service.client(receiveBuffer: 4096)
        try await second.send("GET /list HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await service.eventually { memory.usedByteCount > 13 << 20 })
        #expect(try await service.get("/list").status == 503)
        reader.reset()
        second.reset()
        #expect(try await service.eventually { memory.usedByteCount == 0 })
        #expect(try await service.get("/list").isWhole)
        await service.service.stop(within: .seconds(1))
    }
}
