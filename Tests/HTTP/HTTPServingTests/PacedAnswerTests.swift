import HTTPServing
import HTTPSyntax
import Hummingbird
import Linux
import NIOCore
import Synchronization
import TestDeadline
import TestSupport
import Testing

/// A busy event loop takes the parts of an answer late. Readers of large files, a few hundred at once, then had 14 MB each in memory.
@Suite("Answers while the event loop is busy", .deadline)
struct PacedAnswerTests {
    /// A service whose first answer finds the event loop busy until the gate opens.
    private final class BusyService: Sendable {
        let reads = Atomic(0)
        private let gate = Promise<Bool>()
        private let isBusy = Atomic(false)

        func start() async throws -> TestService {
            try await TestService.start { router, pool in
                router.get("/file/:length") { [self] request, context in
                    let length = context.parameters.get("length").flatMap { Int64($0) } ?? 0
                    let answer = RangedFile(
                        Representation(byteCount: length, entityTag: nil), type: "text/plain", fields: [], pool: pool,
                        memory: MemoryBudget(byteCount: 64 << 20)
                    ) { [self] buffer, _ in
                        reads.add(1, ordering: .relaxed)
                        buffer.initializeMemory(as: UInt8.self, repeating: 0x61)
                        return buffer.count
                    }
                    let response = try await answer.response(to: request)
                    if !isBusy.exchange(true, ordering: .relaxed) {
                        context.channel.eventLoop.execute { [gate] in
                            _ = gate.wait(until: Time.monotonic + .seconds(60))
                        }
                    }
                    return response
                }
            }
        }

        /// Lets the answers go as far as they go, and then opens the gate.
        ///
        /// - Returns: the number of reads until then.
        func readCount(after least: Int, _ service: TestService) async throws -> Int {
            _ = try await service.eventually { self.reads.load(ordering: .relaxed) >= least }
            try await Task.sleep(for: .milliseconds(300))
            defer { gate.fulfil(true) }
            return reads.load(ordering: .relaxed)
        }
    }

    @Test("Of a file, one piece waits for the loop, and one is read meanwhile")
    func file() async throws {
        let busy = BusyService()
        let service = try await busy.start()
        let client = try service.client()
        let length = 40 * RangedFile.pieceByteCount
        try await client.send("GET /file/\(length) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await busy.readCount(after: 2, service) == 2)
        let answer = try await client.answer()
        #expect(answer.isWhole && answer.body.count == length)
        await service.service.stop(within: .seconds(1))
    }

    @Test("Of many requests that come together, one answer waits for the loop")
    func pipeline() async throws {
        let busy = BusyService()
        let service = try await busy.start()
        let client = try service.client()
        let request = "GET /file/50000 HTTP/1.1\r\nHost: a\r\n\r\n"
        try await client.send(String(repeating: request, count: 30))
        #expect(try await busy.readCount(after: 1, service) == 1)
        let bytes = try await client.receive { $0.count >= 30 * 50000 }
        #expect(bytes.count >= 30 * 50000)
        await service.service.stop(within: .seconds(1))
    }
}
