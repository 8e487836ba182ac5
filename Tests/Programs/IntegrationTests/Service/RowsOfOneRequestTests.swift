import Foundation
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("Several rows of one request of the app's wire", .deadline)
struct RowsOfOneRequestTests {
    @Test("Either all rows of a request are written, or none")
    func allOrNone() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        func send(_ method: String, _ path: String, _ json: String? = nil, prefer: String = "return=representation")
            throws -> ServiceClient.Answer
        {
            try documentd.client.send(
                method, "/rest/v1/\(path)",
                headers: ["apikey": key, "Content-Type": "application/json", "Prefer": prefer],
                body: json.map { Array($0.utf8) })
        }
        func names() throws -> [String] {
            try send("GET", "schools?select=name&order=name").json?.array?.compactMap { $0["name"]?.string } ?? []
        }
        let good = try send("POST", "schools", #"[{"name": "A"}, {"name": "B"}]"#)
        #expect(good.status == 201 && good.json?.array?.count == 2, "\(good.text)")
        // The third one's name is taken.
        let taken = try send("POST", "schools", #"[{"name": "C"}, {"name": "D"}, {"name": "a"}]"#)
        #expect(taken.status == 409, "\(taken.text)")
        #expect(try names() == ["A", "B"])
        // The second of two schools would get the first one's new name.
        let renamed = try send("PATCH", "schools?name=in.(A,B)", #"{"name": "Z"}"#)
        #expect(renamed.status == 409, "\(renamed.text)")
        #expect(try names() == ["A", "B"])
        // Of a document with a bad row behind it nothing stays, and its file can be used again.
        let document = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        let school = try #require(good.json?.array?[0]["id"]?.string)
        let shares = try send(
            "POST", "document_shares",
            #"[{"document_id": "\#(document)", "school_id": "\#(school)"}, {"document_id": "\#(document)", "school_id": null}]"#
        )
        #expect(shares.status == 400, "\(shares.text)")
        #expect(try send("GET", "document_shares").json == .array([]))
        let all = try send("DELETE", "schools?name=in.(A,B)")
        #expect(all.status == 200 && all.json?.array?.count == 2, "\(all.text)")
        #expect(try names() == [])
    }

    /// What sends requests to the tables of a service, and wants the rows of each change.
    private static func sender(
        _ documentd: DocumentdProgram
    ) throws -> @Sendable (_ method: String, _ path: String, _ json: String?) throws -> ServiceClient.Answer {
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        let client = documentd.client
        return { method, path, json in
            try client.send(
                method, "/rest/v1/\(path)",
                headers: [
                    "apikey": key, "Content-Type": "application/json", "Prefer": "return=representation,count=exact",
                ],
                body: json.map { Array($0.utf8) })
        }
    }

    @Test("An answer that cannot be made undoes the change")
    func casts() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let send = try Self.sender(documentd)
        #expect(try send("POST", "schools", #"{"name": "A"}"#).status == 201)
        for (method, query, body) in [
            ("DELETE", "schools?name=eq.A&select=name::int", nil),
            ("PATCH", "schools?name=eq.A&select=name::int", #"{"name": "B"}"#),
            ("POST", "schools?select=name::int", #"{"name": "C"}"#),
        ] {
            let answer = try send(method, query, body)
            #expect(answer.status == 400 && answer.code == "22P02", "\(method): \(answer.text)")
        }
        let names = try send("GET", "schools?select=name", nil).json?.array?.compactMap { $0["name"]?.string }
        #expect(names == ["A"])
    }

    @Test("Of changes that expect the same value, one finds it", .timeLimit(.minutes(1)))
    func comparing() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let send = try Self.sender(documentd)
        let made = try send("POST", "schools", #"{"name": "0"}"#)
        let id = try #require(made.json?.array?[0]["id"]?.string)
        for round in 0..<10 {
            let answers = Mutex<[ServiceClient.Answer?]>([])
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                let query = "schools?id=eq.\(id)&name=like.\(round)*"
                let answer = try? send("PATCH", query, #"{"name": "\#(round + 1) by \#(number)"}"#)
                answers.withLock { $0.append(answer) }
            }
            let counts = answers.withLock { $0.map { $0?.json?.array?.count ?? -1 } }
            #expect(counts.sorted() == [0, 0, 0, 0, 0, 1], "round \(round)")
        }
    }

    @Test("Deleting the current version reports the others, which go with it")
    func versions() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let send = try Self.sender(documentd)
        let id = try #require(documentd.upload("page-1.pdf", as: "transcript")["id"]?.string)
        for _ in 2...4 {
            let answer = try documentd.client.send(
                "POST", "/api/documents/\(id)/versions?file_name=page-1.pdf",
                body: try DocumentdTests.sample("page-1.pdf"))
            #expect(answer.status == 201, "\(answer.text)")
        }
        func deleted(_ query: String) throws -> [Int] {
            let answer = try send("DELETE", "documents?\(query)&select=version", nil)
            let numbers = (answer.json?.array ?? []).compactMap { $0["version"]?.int }.sorted()
            #expect(answer.status == 200 && answer["content-range"] == "*/\(numbers.count)", "\(answer.text)")
            return numbers
        }
        #expect(try deleted("version=eq.2") == [2])
        #expect(try deleted("version=gte.3") == [1, 3, 4])
        #expect(try send("GET", "documents", nil).json == .array([]))
    }

    @Test("A request writes at most a thousand rows, whichever way it names them", .timeLimit(.minutes(2)))
    func bounds() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        func send(_ method: String, _ path: String, _ json: String? = nil, prefer: String = "") throws
            -> ServiceClient.Answer
        {
            try documentd.client.send(
                method, "/rest/v1/\(path)",
                headers: ["apikey": key, "Content-Type": "application/json", "Prefer": prefer],
                body: json.map { Array($0.utf8) })
        }
        func rows(_ count: Int) -> String { "[\((0..<count).map { #"{"name":"S\#($0)"}"# }.joined(separator: ","))]" }
        let upsert = "schools?on_conflict=user_id,name"
        let refused = try send("POST", upsert, rows(1001), prefer: "resolution=merge-duplicates")
        #expect(refused.status == 413 && refused.code == "54000", "\(refused.text)")
        #expect(try send("GET", "schools?select=id").json == .array([]))
        for _ in 0..<2 {
            let merged = try send("POST", upsert, rows(1000), prefer: "resolution=merge-duplicates")
            #expect(merged.status == 201 || merged.status == 200, "\(merged.text)")
        }
        let head = try send("HEAD", "schools", prefer: "count=exact")
        let whole = try send("GET", "schools", prefer: "count=exact")
        #expect(head["content-range"] == "0-999/1000" && head.body.isEmpty)
        #expect(head["content-length"] == "\(whole.body.count)")
    }

    @Test("An upsert answers its rows in the order of the body, and takes none of them twice", .timeLimit(.minutes(1)))
    func order() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        func upsert(_ names: String) throws -> ServiceClient.Answer {
            let body = "[\(names.map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]"
            return try documentd.client.send(
                "POST", "/rest/v1/schools?on_conflict=user_id,name&select=name",
                headers: [
                    "apikey": key, "Content-Type": "application/json",
                    "Prefer": "resolution=merge-duplicates, return=representation",
                ], body: Array(body.utf8))
        }
        func names(_ answer: ServiceClient.Answer) throws -> String {
            try #require(answer.json?.array, "\(answer.text)").compactMap { $0["name"]?.string }.joined()
        }
        #expect(try names(upsert("DB")) == "DB")
        #expect(try names(upsert("ABCDE")) == "ABCDE")
        let twice = try upsert("FAF")
        #expect(twice.status == 400 && twice.code == "21000", "\(twice.text)")
        #expect(try upsert("F").status == 201, "the refused request has left nothing")
    }

    @Test("A write whose client has left stops, and is undone", .timeLimit(.minutes(1)))
    func departure() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        let body = "[\((0..<1000).map { #"{"name":"S\#($0)"}"# }.joined(separator: ","))]"
        let head =
            "POST /rest/v1/schools HTTP/1.1\r\nHost: \(documentd.client.host)\r\napikey: \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        // The write waits for the lock, its client for a second.
        let client = documentd.client
        try OtherProgram.withWriteLock(on: documentd.program.path("data/documents.sqlite")) { () throws in
            let answer = try client.exchange(Array((head + body).utf8), within: 1)
            #expect(answer == nil, "the write has not waited")
            // By then every event loop of the service has seen its clients leave.
            for _ in 0..<32 { _ = try client.send("GET", "/healthz") }
        }
        let line = try Waiting.forValue("the request does not end") {
            documentd.lines(at: "info").first { $0["path"]?.string == "/rest/v1/schools" }
        }
        #expect(line["status"]?.string == "499", "\(line)")
        let left = try documentd.client.send("GET", "/rest/v1/schools?select=id", headers: ["apikey": key])
        #expect(left.json == .array([]), "\(left.text.prefix(200))")
    }
}
