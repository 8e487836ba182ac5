import Foundation
import Linux
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd and clients that stall or leave", .serialized, .deadline)
struct SlowClientTests {
    private static let pdf = try! DocumentdTests.sample("pages-24.pdf")

    @Test("Clients that stall in the middle of an upload are ended after half a minute, and leave nothing half-stored")
    func stalled() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let half = Array(Self.pdf[..<(Self.pdf.count / 2)])
        let host = "Host: \(client.host)\r\n"
        let raw =
            "POST /api/documents?type=transcript&file_name=a.pdf HTTP/1.1\r\n\(host)"
            + "Content-Length: \(Self.pdf.count)\r\n\r\n"
        let form =
            "POST /api/documents HTTP/1.1\r\n\(host)Content-Type: multipart/form-data; boundary=b\r\n"
            + "Content-Length: 1000000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ntranscript\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"
        let wire =
            "POST /storage/v1/object/documents/00000000-0000-7000-8000-000000000001/transcript/1_a.pdf HTTP/1.1\r\n"
            + "\(host)apikey: \(try documentd.key())\r\nContent-Length: \(Self.pdf.count)\r\n\r\n"
        let upload = try begin(documentd)
        let piece =
            "PATCH \(upload) HTTP/1.1\r\n\(host)Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
            + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(Self.pdf.count)\r\n\r\n"
        let answers = Mutex<[String: (status: Int?, seconds: Double)]>([:])
        let threads = try [("raw", raw), ("form", form), ("wire", wire), ("tus", piece)].map { name, head in
            try WorkerThread(name: name) {
                let began = Time.monotonic
                let answer = try? client.exchange(Array(head.utf8) + half, within: 60)
                let seconds = (Time.monotonic - began).milliseconds / 1000
                answers.withLock { $0[name] = (answer?.status, seconds) }
            }
        }
        // Meanwhile others are served, and the bytes that have come lie aside.
        _ = try Waiting.forValue("nothing arrives") { documentd.storedFiles.count == 4 ? true : nil }
        #expect(documentd.storedFiles.allSatisfy { $0.hasPrefix("data/store/incoming/") })
        #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 0)
        for thread in threads { thread.join() }
        let ended = answers.withLock { $0 }
        for (name, status) in [("raw", 408), ("form", 408), ("wire", 400), ("tus", 408)] {
            #expect(ended[name]?.status == status, "\(name): \(ended)")
            #expect(ended[name].map { $0.seconds > 25 && $0.seconds < 50 } == true, "\(name): \(ended)")
        }
        // A resumable upload goes on from there.
        try documentd.waitForStoredFiles(1)
        let status = try client.send("HEAD", upload, headers: ["Tus-Resumable": "1.0.0"])
        #expect(status["upload-offset"] == "\(half.count)")
        let rest = try client.send(
            "PATCH", upload,
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "\(half.count)",
                "Content-Type": "application/offset+octet-stream",
            ], body: Array(Self.pdf[half.count...]))
        let document = try #require(rest["document-id"], "\(rest.text)")
        #expect(try client.send("GET", "/api/documents/\(document)/file").body == Self.pdf)
        #expect(documentd.lines(at: "error").isEmpty, "a slow client is no fault of the service: \(documentd.text)")
        #expect(try documentd.end() == 0)
    }

    /// The address of a new resumable upload.
    private func begin(_ documentd: DocumentdProgram) throws -> String {
        let metadata = "type \(Base64.encode(Array("transcript".utf8))),file_name \(Base64.encode(Array("a.pdf".utf8)))"
        let answer = try documentd.client.send(
            "POST", "/api/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(Self.pdf.count)", "Upload-Metadata": metadata,
            ], body: [])
        return try #require(answer["location"]?.split(separator: "/", maxSplits: 2).last.map { "/\($0)" })
    }

    @Test(
        "A body that stalls after its first byte is ended after half a minute, also of those who have not signed in",
        .timeLimit(.minutes(2)))
    func firstByte() throws {
        let documentd = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let calls = [
            "POST /auth/v1/token?grant_type=password", "POST /auth/v1/signup", "POST /auth/v1/recover",
            "POST /auth/v1/token?grant_type=refresh_token", "POST /api/session", "POST /api/account",
        ]
        let answers = Mutex<[String: (status: Int?, seconds: Double)]>([:])
        let threads = try calls.map { call in
            try WorkerThread(name: "stalled") {
                let began = Time.monotonic
                let head =
                    "\(call) HTTP/1.1\r\nHost: \(client.host)\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
                let answer = try? client.exchange(Array(head.utf8), within: 60)
                let seconds = (Time.monotonic - began).milliseconds / 1000
                answers.withLock { $0[call] = (answer?.status, seconds) }
            }
        }
        for thread in threads { thread.join() }
        let ended = answers.withLock { $0 }
        for call in calls {
            #expect(ended[call]?.status == 408, "\(call): \(ended)")
            #expect(ended[call].map { $0.seconds > 25 && $0.seconds < 50 } == true, "\(call): \(ended)")
        }
        #expect(documentd.lines(at: "error").isEmpty, "\(documentd.text)")
    }

    @Test(
        "One address has a bound on its connections: more are closed as they come, and others get in",
        .timeLimit(.minutes(1)))
    func oneAddress() throws {
        let documentd = try DocumentdProgram(["--worker", "no", "--connections-per-address", "256"])
        defer { documentd.remove() }
        let client = documentd.client
        var held: [HeldConnection] = []
        for _ in 0..<300 {
            let connection = try HeldConnection(to: client)
            connection.send(
                "POST /api/documents?type=transcript&file_name=a.pdf HTTP/1.1\r\nHost: \(client.host)\r\n"
                    + "Content-Length: 1000\r\n\r\n%")
            held.append(connection)
        }
        let isBounded = try? Waiting.forValue("they stay", within: 15) {
            held.count(where: \.isClosed) >= 44 ? true : nil
        }
        #expect(isBounded == true)
        #expect(held.count(where: \.isClosed) == 44)
        func metrics(from address: UInt8) throws -> String? {
            let connection = try HeldConnection(to: client, from: address)
            connection.send("GET /metrics HTTP/1.1\r\nHost: \(client.host)\r\n\r\n")
            return try connection.receive(until: "documentd_connections ")
        }
        let text = try #require(try metrics(from: 2), "another address is not served")
        #expect(text.contains("documentd_refused_connections_total 44"), "\(text)")
        #expect(documentd.lines(at: "warning").count == 1, "one line for all: \(documentd.text)")
        held = []
        _ = try Waiting.forValue("the address stays shut out") { try? metrics(from: 1) }
    }

    @Test("A client that leaves before its answer is one quiet line with the status 499, and is counted")
    func departed() throws {
        // Nobody makes the picture, so the answer would wait a minute.
        let documentd = try DocumentdProgram(["--worker", "no", "--picture-wait", "60"])
        defer { documentd.remove() }
        let client = documentd.client
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        let key = try documentd.key()
        let file = try documentd.path(of: id)
        for path in ["/api/documents/\(id)/thumbnail", "/storage/v1/render/image/authenticated/documents/\(file)"] {
            let head =
                "GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\napikey: \(key)\r\n"
                + "X-Request-Id: leaving-\(path.count)\r\n\r\n"
            let answer = try client.exchange(Array(head.utf8), closes: true)
            #expect(answer == nil || answer?.status == 499, "\(answer?.text ?? "")")
            let line = try Waiting.forValue("no line: \(documentd.text)") {
                documentd.lines(at: "info").first { $0["request"]?.string == "leaving-\(path.count)" }
            }
            #expect(line["status"]?.string == "499" && line["message"]?.string == "request")
            #expect(documentd.text.components(separatedBy: "leaving-\(path.count)").count == 2, "\(documentd.text)")
        }
        #expect(documentd.lines(at: "error").isEmpty && documentd.lines(at: "warning").isEmpty, "\(documentd.text)")
        let metrics = try client.send("GET", "/metrics").text
        let route = #"documentd_requests_total{route="/api/documents/{id}/thumbnail",method="GET",status="499"} 1"#
        #expect(metrics.contains(route), "\(metrics)")
    }
}
