import Foundation
import Linux
import Media
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd over a bucket", .serialized, .deadline)
struct BucketStoreServiceTests {
    /// A program whose home has the bucket's key.
    private static func program() throws -> CompassProgram {
        let program = try CompassProgram()
        try FileManager.default.createDirectory(atPath: program.path(".aws"), withIntermediateDirectories: true)
        let key = """
            [default]
            aws_access_key_id = \(TestStore.accessKey)
            aws_secret_access_key = \(TestStore.secretKey)
            """
        _ = try program.write(Data(key.utf8), ".aws/credentials")
        return program
    }

    private static func store(at address: String) -> [String] {
        ["--store", "s3://\(TestStore.bucket)/service-\(UUID().uuidString)", "--s3-endpoint", address]
    }

    /// A transcript of so many bytes.
    private static func pdf(_ byteCount: Int) throws -> [UInt8] {
        let page = try DocumentdTests.sample("page-1.pdf")
        return page + [UInt8](repeating: UInt8(ascii: "\n"), count: byteCount - page.count)
    }

    @Test("A piece of an upload that a slow gateway stores late takes no committed document: sweep, then verify")
    func latePiece() throws {
        let proxy = FaultProxy(to: try TestStore.shared.get()) { request in
            guard request.line.hasPrefix("PUT") else { return .aged }
            guard request.line.contains("/incoming/") else { return .pass }
            // The file's first bytes, behind its commit.
            return .late(milliseconds: 3000)
        }
        let program = try Self.program()
        let settings = Self.store(at: proxy.address)
        let documentd = try DocumentdProgram(["--worker", "no"] + settings, in: program)
        defer { documentd.remove() }
        let bytes = try Self.pdf(9 << 20)
        let sent = try documentd.client.send(
            "POST", "/api/documents?type=transcript&file_name=a.pdf", body: bytes)
        let document = try #require(sent.data?["id"]?.string, "\(sent.text)")
        func run(_ command: String) throws -> CompassProgram.Output {
            try CompassProgram.run(
                CompassProgram.built("documentd"),
                [command, "--data", program.path("data"), "--cache", program.path("cache")] + settings,
                environment: ["HOME": program.scratch.path, "PATH": "/usr/bin:/bin"])
        }
        _ = try Waiting.forValue("the piece does not come back") {
            let swept = try run("sweep")
            #expect(swept.status == 0, "\(swept)")
            return swept.standardOutput.contains(" 1 parts of files") ? true : nil
        }
        let verified = try run("verify")
        #expect(verified.status == 0 && verified.standardOutput == "1 files, 0 damaged\n", "\(verified)")
        let read = try documentd.client.send("GET", "/api/documents/\(document)/file")
        #expect(read.status == 200 && read.body == bytes)
        #expect(try run("sweep").standardOutput.contains(" 0 parts of files"))
    }

    @Test("Stalled uploads share a bounded memory: others wait without a thread, then are told to try again")
    func uploadMemory() throws {
        let store = try TestStore.shared.get()
        let documentd = try DocumentdProgram(
            ["--worker", "no", "--upload-memory", "16M"] + Self.store(at: store.address), in: try Self.program())
        defer { documentd.remove() }
        let client = documentd.client
        let (host, key) = ("Host: \(client.host)\r\n", try documentd.key())
        let folder = "00000000-0000-7000-8000-000000000001/transcript"
        let bytes = try Self.pdf(9 << 20)
        func wire(_ name: String) -> String {
            "POST /storage/v1/object/documents/\(folder)/\(name) HTTP/1.1\r\n\(host)apikey: \(key)\r\n"
                + "Content-Length: \(bytes.count)\r\n\r\n"
        }
        let answers = Mutex<[String: ServiceClient.Answer]>([:])
        func stall(_ name: String, _ head: String) throws -> WorkerThread {
            try WorkerThread(name: name) {
                // Most of a part, and no more.
                let answer = try? client.exchange(Array(head.utf8) + bytes.prefix(7 << 20), within: 60)
                answers.withLock { $0[name] = answer }
            }
        }
        func memory(_ use: String) throws -> Double? {
            try client.send("GET", "/metrics").text.split(separator: "\n")
                .first { $0.hasPrefix("documentd_transfer_memory_bytes{use=\"\(use)\"} ") }?
                .split(separator: " ").last.flatMap { Double($0) }
        }
        // Two have everything, and four more will stall in their turn, each for five seconds.
        var threads = try (1...2).map { try stall("\($0)", wire("\($0).pdf")) }
        _ = try Waiting.forValue("nobody holds the memory") {
            try memory("uploads") == Double(16 << 20) ? true : nil
        }
        threads += try (3...6).map { try stall("\($0)", wire("\($0).pdf")) }
        _ = try Waiting.forValue("nobody waits") {
            try client.send("GET", "/metrics").text.contains("documentd_transfer_waiting{use=\"uploads\"} 4")
                ? true : nil
        }
        let metadata = "bucketName ZG9jdW1lbnRz,objectName \(Base64.encode(Array("\(folder)/t.pdf".utf8)))"
        let tus =
            "POST /storage/v1/upload/resumable HTTP/1.1\r\n\(host)apikey: \(key)\r\nTus-Resumable: 1.0.0\r\n"
            + "Upload-Length: \(bytes.count)\r\nUpload-Metadata: \(metadata)\r\n"
            + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(bytes.count)\r\n\r\n"
        let form =
            "POST /api/documents?type=transcript&file_name=a.pdf HTTP/1.1\r\n\(host)Content-Length: \(bytes.count)\r\n\r\n"
        // Behind those: their time is over before their turn comes.
        threads += try [("wire", wire("7.pdf")), ("tus", tus), ("form", form)].map { try stall($0.0, $0.1) }
        // Meanwhile everything else is served.
        for path in ["/readyz", "/api/documents", "/api/documents/statistics"] {
            #expect(try client.send("GET", path, within: 5).status == 200, "\(path)")
        }
        for thread in threads { thread.join() }
        let ended = answers.withLock { $0 }
        #expect(ended.count == 9, "\(ended.keys)")
        // The last two of the four, in whatever order they came, stall on while nobody waits any more, up to the bound of all bodies.
        let later = (3...6).filter { ended["\($0)"]?.status == 503 }.map(String.init)
        #expect(later.count >= 2, "\(ended.mapValues(\.status))")
        for name in ["1", "2", "wire", "tus", "form"] + later {
            let answer = ended[name]
            #expect(answer?.status == 503 && answer?["retry-after"] != nil, "\(name): \(answer?.text ?? "")")
        }
        #expect(ended["wire"]?.json?["error"]?.string == "SlowDown")
        #expect(ended["form"]?.code == "unavailable")
        #expect(ended["tus"]?["tus-resumable"] == "1.0.0")
        // Nobody holds anything any more.
        let sent = try client.send("POST", "/api/documents?type=transcript&file_name=a.pdf", body: bytes)
        #expect(sent.status == 201, "\(sent.text)")
        let id = try #require(sent.data?["id"]?.string)
        #expect(try client.send("GET", "/api/documents/\(id)/file").body == bytes)
        _ = try Waiting.forValue("memory is lost") {
            try memory("uploads") == 0 && memory("reading") == 0 ? true : nil
        }
    }

    @Test("Slow readers share a bounded memory, and nobody waits for them")
    func readMemory() throws {
        let store = try TestStore.shared.get()
        let documentd = try DocumentdProgram(
            ["--worker", "no", "--read-memory", "16M"] + Self.store(at: store.address), in: try Self.program())
        defer { documentd.remove() }
        let client = documentd.client
        let bytes = try Self.pdf(40 << 20)
        let sent = try client.send("POST", "/api/documents?type=transcript&file_name=a.pdf", body: bytes)
        let id = try #require(sent.data?["id"]?.string, "\(sent.text)")
        let request = "GET /api/documents/\(id)/file HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\r\n"
        // Each takes a megabyte and then nothing, until all have been looked at.
        let begun = Atomic(0)
        let isOver = Promise<Void>()
        let threads = try (0..<40).map { _ in
            try WorkerThread(name: "reader") {
                let hasBegun = Atomic(false)
                _ = try? client.exchange(Array(request.utf8)) { received in
                    guard received.count >= 1 << 20 else { return false }
                    if !hasBegun.exchange(true, ordering: .relaxed) { begun.add(1, ordering: .relaxed) }
                    _ = try? isOver.value()
                    return true
                }
            }
        }
        defer {
            isOver.fulfil(())
            for thread in threads { thread.join() }
        }
        _ = try Waiting.forValue("only \(begun.load(ordering: .relaxed)) read") {
            begun.load(ordering: .relaxed) == 40 ? true : nil
        }
        let used = try client.send("GET", "/metrics").text.split(separator: "\n")
            .first { $0.hasPrefix("documentd_transfer_memory_bytes{use=\"reading\"}") }
            .flatMap { Double($0.split(separator: " ")[1]) }
        #expect(try #require(used) > 0 && used! <= Double(16 << 20))
        #expect(try client.send("GET", "/api/documents/\(id)/file", within: 30).body == bytes)
    }
}
