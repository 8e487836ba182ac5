import HTTPServing
import HTTPSyntax
import Hummingbird
import Linux
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("Downloads", .deadline)
struct RangedFileTests {
    private static let bytes: [UInt8] = {
        var random = SplitMix(seed: 1)
        return (0..<3_000_001).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()

    private func start(_ limits: ConnectionLimits = ConnectionLimits(), reads: Reads = Reads()) async throws
        -> TestService
    {
        try await TestService.start(limits: limits) { router, pool in
            let respond: @Sendable (Request, BasicServingContext) async throws -> Response = { request, context in
                let length = context.parameters.get("length").flatMap { Int($0) } ?? 0
                let answer = RangedFile(
                    Representation(
                        byteCount: Int64(length), entityTag: EntityTag("t"), modified: HTTPDate(seconds: 1_000_000)),
                    type: "application/pdf",
                    fields: [
                        HeaderField("Cache-Control", "private, max-age=3600"),
                        HeaderField("Content-Disposition", ContentDisposition.inline("R\u{e9}sum\u{e9}.pdf").text),
                    ], pool: pool, memory: MemoryBudget(byteCount: 64 << 20)
                ) { buffer, offset in
                    reads.count.add(1, ordering: .relaxed)
                    // Short reads happen.
                    let count = min(buffer.count, 100_000, Self.bytes.count - Int(offset))
                    Self.bytes[Int(offset)..<Int(offset) + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
                    return count
                }
                return try await answer.response(to: request)
            }
            router.get("/file/:length", use: respond)
            router.head("/file/:length", use: respond)
        }
    }

    final class Reads: Sendable {
        let count = Atomic(0)
    }

    @Test("A file comes as it is, whatever its length", arguments: [0, 1, 1000, 262_144, 262_145, 524_288, 3_000_001])
    func whole(length: Int) async throws {
        let service = try await start()
        let answer = try await service.get("/file/\(length)")
        #expect(answer.status == 200 && answer.body == Array(Self.bytes[..<length]))
        #expect(answer.fields["content-length"] == "\(length)" && answer.fields["content-type"] == "application/pdf")
        #expect(answer.fields["etag"] == "\"t\"" && answer.fields["accept-ranges"] == "bytes")
        #expect(answer.fields["cache-control"] == "private, max-age=3600")
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        #expect(
            answer.fields["content-disposition"]
                == "inline; filename=\"R_sum_.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf")
        let head = try await service.get("/file/\(length)", method: "HEAD")
        #expect(head.status == 200 && head.fields["content-length"] == "\(length)" && head.body.isEmpty)
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A range comes alone, several come framed",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=1000000-1999999", 1_000_000..<2_000_000), ("bytes=-7", 2_999_994..<3_000_001),
        ])
    func ranges(range: String, expected: Range<Int>) async throws {
        let service = try await start()
        let answer = try await service.get("/file/3000001", "Range: \(range)\n")
        #expect(answer.status == 206 && answer.body == Array(Self.bytes[expected]))
        #expect(answer.fields["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/3000001")
        let several = try await service.get("/file/3000001", "Range: \(range),500000-500009\n")
        #expect(several.status == 206)
        let boundary = try #require(several.fields["content-type"]?.split(separator: "boundary=").last)
        #expect(several.fields["content-length"] == "\(several.body.count)")
        #expect(several.body.suffix(boundary.utf8.count + 8).elementsEqual("\r\n--\(boundary)--\r\n".utf8))
        let second =
            "\r\n--\(boundary)\r\nContent-Type: application/pdf\r\nContent-Range: bytes 500000-500009/3000001\r\n\r\n"
        let place = try #require(several.body.firstRange(of: Array(second.utf8)))
        #expect(several.body[place.upperBound...].starts(with: Self.bytes[500_000..<500_010]))
        await service.service.stop(within: .seconds(1))
    }

    @Test("What the client has is not sent again, and what lies outside is refused")
    func conditions() async throws {
        let service = try await start()
        let same = try await service.get("/file/1000", "If-None-Match: \"t\"\n")
        #expect(
            same.status == 304 && same.body.isEmpty && same.fields["cache-control"] != nil
                && same.fields["etag"] == "\"t\"")
        let outside = try await service.get("/file/1000", "Range: bytes=1000-\n")
        #expect(outside.status == 416 && outside.fields["content-range"] == "bytes */1000")
        #expect(try await service.get("/file/1000", "If-Match: \"u\"\n").status == 412)
        await service.service.stop(within: .seconds(1))
    }

    @Test("A file that became shorter is an error before the first byte, and a broken connection after it")
    func shrunk() async throws {
        let service = try await start()
        #expect(try await service.get("/file/3000002", "Range: bytes=3000001-\n").status == 400)
        let broken = try await service.get("/file/3000002")
        #expect(broken.status == 200 && !broken.isWhole && broken.body.count < 3_000_002)
        await service.service.stop(within: .seconds(1))
    }

    /// A service with a file that does not end, and a client of it that reads nothing.
    private func stalled(_ limits: ConnectionLimits, _ reads: Reads) async throws -> (TestService, RawClient) {
        let service = try await TestService.start(limits: limits) { router, pool in
            router.get("/endless") { request, _ in
                let representation = Representation(byteCount: 1 << 40, entityTag: nil)
                let answer = RangedFile(
                    representation, type: "text/plain", fields: [], pool: pool,
                    memory: MemoryBudget(byteCount: 64 << 20)
                ) { buffer, _ in
                    reads.count.add(1, ordering: .relaxed)
                    buffer.initializeMemory(as: UInt8.self, repeating: 0x61)
                    return buffer.count
                }
                return try await answer.response(to: request)
            }
        }
        let client = try service.client(receiveBuffer: 65536)
        try await client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        return (service, client)
    }

    @Test("Reading waits for a client that does not take the bytes")
    func backPressure() async throws {
        let reads = Reads()
        let (service, client) = try await stalled(ConnectionLimits(), reads)
        defer { client.reset() }
        // The sockets' own buffers hold a few megabytes, as many as the kernel likes; then reading stands still.
        var last = -1
        for _ in 0..<50 {
            let count = reads.count.load(ordering: .relaxed)
            if count > 0, count == last { break }
            last = count
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect((1...1000).contains(last) && reads.count.load(ordering: .relaxed) <= 1000)
        #expect(service.parts.connectionCount == 1)
        await service.service.stop(within: .milliseconds(10))
    }

    @Test("A client that takes no byte of an answer for long is cut")
    func unread() async throws {
        var limits = ConnectionLimits()
        limits.writeStallTime = .milliseconds(2500)
        let (service, client) = try await stalled(limits, Reads())
        defer { client.reset() }
        #expect(try await service.eventually { service.log.lines.contains { $0.contains("interrupted=true") } })
        #expect(try await service.eventually { service.parts.connectionCount == 0 })
        await service.service.stop(within: .seconds(1))
    }
}
