import HTTPServing
import HTTPSyntax
import Hummingbird
import Linux
import Synchronization
import TestDeadline
import Testing

/// Uploads in memory, of which another request may have one while this one waits for it.
private final class MemoryUploads: ResumableUploads {
    struct Upload: Sendable {
        var length: Int64?
        var bytes: [UInt8] = []
        var state = State.receiving
        /// How often it is asked for before another request lets go of it; that one has finished it then, if it had all bytes.
        var patience = 0
        var isOvertaken = false
    }

    enum State: Sendable {
        case receiving
        case finished
        case removed
    }

    let limits = TusLimits(byteCount: 1000)
    let pool: BlockingPool
    let upload = Mutex(Upload())
    let closeCount = Mutex(0)

    init(_ pool: BlockingPool) { self.pool = pool }

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run(body)
    }

    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run(body)
    }

    func room(for creation: TusCreation) -> MemoryBudget.Share? { nil }

    func room(for known: Int) -> MemoryBudget.Share? { nil }

    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) -> Int {
        upload.withLock { $0 = Upload(length: creation.length) }
        return 1
    }

    func known(_ open: Int) -> Int { open }

    func location(of known: Int) -> String { "http://here/uploads/\(known)" }

    func find(_ id: String) throws -> Int {
        guard id == "1", upload.withLock({ $0.state != .removed }) else { throw TusError.notFound }
        return 1
    }

    func isReceiving(_ known: Int) -> Bool { upload.withLock { $0.state == .receiving } }

    func open(_ known: Int, in room: MemoryBudget.Share?) -> Int? { isHeld() ? nil : known }

    /// Whether another request still has the upload.
    private func isHeld() -> Bool {
        upload.withLock { upload in
            guard upload.patience > 0 else { return false }
            upload.patience -= 1
            if upload.patience == 0, Int64(upload.bytes.count) == upload.length { upload.state = .finished }
            return true
        }
    }

    func state(of known: Int) -> TusUpload {
        let upload = upload.withLock { $0 }
        return TusUpload(
            length: upload.length, offset: Int64(upload.bytes.count), expires: HTTPDate(seconds: 9_999_999_999),
            metadata: TusMetadata())
    }

    func declare(_ length: Int64, of open: Int) -> Int {
        upload.withLock { $0.length = length }
        return open
    }

    func append(_ bytes: UnsafeRawBufferPointer, to open: Int) {
        let bytes = Array(bytes)
        upload.withLock { $0.bytes += bytes }
    }

    /// The newer request brings the rest, and finishes the upload.
    func isOvertaken(_ open: Int) -> Bool {
        upload.withLock { upload in
            guard upload.isOvertaken else { return false }
            upload.bytes = Array("abc".utf8)
            upload.state = .finished
            return true
        }
    }

    func close(_ open: Int) { closeCount.withLock { $0 += 1 } }

    func finish(_ open: Int) -> [HeaderField] {
        upload.withLock { $0.state = .finished }
        return [HeaderField("Document-Id", "7")]
    }

    func complete(_ known: Int) -> [HeaderField]? { isHeld() ? nil : finish(known) }

    func terminate(_ known: Int) throws {
        try upload.withLock { upload in
            if upload.state == .finished { throw TusError.finished }
            upload.state = .removed
        }
    }
}

@Suite("The exchange of resumable uploads", .deadline)
struct ResumableExchangeTests {
    /// A service with one upload of a length, and the uploads behind it.
    private func start() async throws -> (service: TestService, uploads: MemoryUploads) {
        let uploads = MemoryUploads(BlockingPool(threadCount: 2, queueLength: 10))
        let handler: @Sendable (Request, BasicServingContext) async throws -> Response = { request, context in
            do {
                return try await ResumableExchange(uploads, request).answer(id: context.parameters.get("id"), context)
            } catch let error as TusError {
                return Response(TusAnswer.failed(error))
            }
        }
        let service = try await TestService.start { router, _ in
            router.post("/uploads", use: handler)
            for method in [.head, .patch, .delete] as [HTTPRequest.Method] {
                router.on("/uploads/{id}", method: method, use: handler)
            }
        }
        return (service, uploads)
    }

    private static func piece(at offset: Int, _ body: String, _ more: String = "") -> String {
        "PATCH /uploads/1 HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\nUpload-Offset: \(offset)\n\(more)"
            + "Content-Type: application/offset+octet-stream\nContent-Length: \(body.utf8.count)\n\n\(body)"
    }

    private static let creation = "POST /uploads HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\nContent-Length: 0\n"
    private static let status = "HEAD /uploads/1 HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\n\n"

    @Test("An upload in pieces, with a length that comes late, is finished by its last byte alone")
    func pieces() async throws {
        let (service, uploads) = try await start()
        let begun = try await service.request(Self.creation + "Upload-Defer-Length: 1\n\n")
        #expect(begun.status == 201 && begun.fields["location"] == "http://here/uploads/1")
        let first = try await service.request(Self.piece(at: 0, "abc"))
        #expect(first.status == 204 && first.fields["upload-offset"] == "3" && first.fields["document-id"] == nil)
        let wrong = try await service.request(Self.piece(at: 2, "x"))
        #expect(wrong.status == 409)
        let long = try await service.request(Self.piece(at: 3, "defgh", "Upload-Length: 6\n"))
        #expect(long.status == 413, "a body beyond the length")
        #expect(uploads.closeCount.withLock { $0 } == 4, "each request has let go of the upload")
        let last = try await service.request(Self.piece(at: 3, "def", "Upload-Length: 6\n"))
        #expect(last.status == 204 && last.fields["upload-offset"] == "6" && last.fields["document-id"] == "7")
        #expect(uploads.upload.withLock { String(decoding: $0.bytes, as: UTF8.self) } == "abcdef")
        for piece in [Self.piece(at: 6, ""), Self.piece(at: 3, "def")] {
            let again = try await service.request(piece)
            #expect(again.status == 204 && again.fields["document-id"] == "7", "a client that did not see the answer")
        }
        #expect(try await service.request(Self.piece(at: 2, "xdef")).fields["document-id"] == "7")
        #expect(try await service.request(Self.piece(at: 3, "x")).status == 409)
        let end = try await service.request("DELETE /uploads/1 HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\n\n")
        #expect(end.status == 400)
        let other = try await service.request(
            "HEAD /uploads/2 HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\n\n", hasBody: false)
        #expect(other.status == 404)
        await service.service.stop(within: .seconds(1))
    }

    @Test("An upload whose server died behind its last byte is finished when its client asks")
    func asked() async throws {
        let (service, uploads) = try await start()
        _ = try await service.request(Self.creation + "Upload-Length: 3\n\n")
        uploads.upload.withLock { $0.bytes = Array("abc".utf8) }
        let status = try await service.request(Self.status, hasBody: false)
        #expect(status.status == 200 && status.fields["upload-offset"] == "3" && status.fields["document-id"] == "7")
        #expect(uploads.upload.withLock { $0.state == .finished })
        await service.service.stop(within: .seconds(1))
    }

    @Test(
        "A client that comes back while its last request finishes the upload is told of the end",
        arguments: [true, false])
    func finishing(asks: Bool) async throws {
        let (service, uploads) = try await start()
        _ = try await service.request(Self.creation + "Upload-Length: 3\n\n")
        uploads.upload.withLock { ($0.bytes, $0.patience) = (Array("abc".utf8), 3) }
        let answer = try await service.request(asks ? Self.status : Self.piece(at: 0, "abc"), hasBody: !asks)
        #expect(answer.status == (asks ? 200 : 204) && answer.fields["document-id"] == "7")
        #expect(answer.fields["upload-offset"] == "3")
        await service.service.stop(within: .seconds(1))
    }

    @Test("A request that is overtaken by one with the same bytes is answered as that one")
    func overtaken() async throws {
        let (service, uploads) = try await start()
        _ = try await service.request(Self.creation + "Upload-Length: 3\n\n")
        uploads.upload.withLock { $0.isOvertaken = true }
        let answer = try await service.request(Self.piece(at: 0, "abc"))
        #expect(answer.status == 204 && answer.fields["document-id"] == "7" && answer.fields["upload-offset"] == "3")
        await service.service.stop(within: .seconds(1))
    }

    @Test("An upload whose first piece is refused with its creation is no more: nobody knows its address")
    func refusedCreation() async throws {
        let (service, _) = try await start()
        let creation = "POST /uploads HTTP/1.1\nHost: a\nTus-Resumable: 1.0.0\nUpload-Length: 3\n"
        let answer = try await service.request(
            creation + "Content-Type: application/offset+octet-stream\nTransfer-Encoding: chunked\n\n4\nabcd\n0\n\n")
        #expect(answer.status == 413)
        #expect(try await service.request(Self.status, hasBody: false).status == 404)
        await service.service.stop(within: .seconds(1))
    }
}
