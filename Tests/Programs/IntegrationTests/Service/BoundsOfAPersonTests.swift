import Documents
import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("What one person may store and ask for", .serialized, .deadline)
struct BoundsOfAPersonTests {
    private static let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#

    private func signUp(_ service: DocumentdProgram) throws -> [String: String] {
        let answer = try service.client.send("POST", "/api/account", json: Self.credentials)
        #expect(answer.status == 201, "\(answer.text)")
        return ["Cookie": String((answer["set-cookie"] ?? "").prefix { $0 != ";" }), "Sec-Fetch-Site": "same-origin"]
    }

    @Test("A full storage refuses files by every way in, before their bytes are sent where their size is known")
    func storage() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no", "--storage-per-person", "100000"])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        func upload(_ count: Int) throws -> ServiceClient.Answer {
            try client.send(
                "POST", "/api/documents?type=transcript&file_name=a.txt", headers: own,
                body: Array(String(repeating: "grade\n", count: count / 6).utf8))
        }
        #expect(try upload(60_000).status == 201)
        let sums = try client.send("GET", "/api/documents/statistics", headers: own).data
        #expect(sums?["allowed_bytes"]?.integer == 100_000 && sums?["total_bytes"]?.integer == 60_000)
        let refused = try upload(42_000)
        #expect(refused.status == 413 && refused.code == "over_quota" && refused.field == "file")
        #expect(refused.message == "Your storage is full: 60 KB of 100 KB are used. Delete what you no longer need.")
        try service.waitForStoredFiles(1)

        // A started upload counts with the size that it declares.
        func begin(_ length: Int) throws -> ServiceClient.Answer {
            let metadata = ["type", "transcript", "file_name", "b.txt"]
            let pairs = stride(from: 0, to: 4, by: 2).map { index in
                "\(metadata[index]) \(Data(metadata[index + 1].utf8).base64EncodedString())"
            }
            return try client.send(
                "POST", "/api/uploads",
                headers: own.merging([
                    "Tus-Resumable": "1.0.0", "Upload-Length": "\(length)",
                    "Upload-Metadata": pairs.joined(separator: ","),
                ]) { $1 }, body: [])
        }
        #expect(try begin(40_001).status == 413)
        let begun = try begin(30_000)
        #expect(begun.status == 201, "\(begun.text)")
        #expect(try begin(10_001).status == 413)
        #expect(try upload(12_000).status == 413)
        let place = try #require(begun["location"].flatMap { URL(string: $0)?.path })
        let ended = try client.send("DELETE", place, headers: own.merging(["Tus-Resumable": "1.0.0"]) { $1 })
        #expect(ended.status == 204)
        #expect(try upload(12_000).status == 201)
    }

    @Test("A person's résumés count with their documents; each has a bound of its own, which the refusal names")
    func resumes() throws {
        let service = try DocumentdProgram([
            "--auth", "local", "--worker", "no", "--storage-per-person", "100000", "--max-resume", "60000",
        ])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        func send(_ name: String, _ headers: [String: String]) throws -> ServiceClient.Answer {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/resumes/\(name).pdf")))
            return try client.post("/api/resume", fields: [], file: ("a.pdf", Array(bytes)), headers: headers)
        }
        let document = try client.send(
            "POST", "/api/documents?type=transcript&file_name=a.txt", headers: own,
            body: Array(String(repeating: "grade\n", count: 5000).utf8))
        #expect(document.status == 201)
        // 42,942 bytes.
        #expect(try send("nurse", own).status == 200)
        let full = try send("nurse", own)
        #expect(full.status == 413 && full.json?["error"]?.string == "over_quota", "\(full.text)")
        #expect(full.message == "Your storage is full: 72.9 KB of 100 KB are used. Delete what you no longer need.")
        try service.waitForStoredFiles(2)
        #expect(try client.send("DELETE", "/api/me/searches", headers: own).status == 204)
        #expect(try send("nurse", own).status == 200)
        // Nobody's résumés are not the person's; 66,629 bytes are too many for anybody.
        for _ in 0..<3 { #expect(try send("nurse", [:]).status == 200) }
        let large = try send("mechanical-engineer", [:])
        #expect(large.status == 413 && large.json?["error"]?.string == "too_large")
        #expect(large.message == "File exceeds 60KB limit. Please compress or choose a smaller file.")
    }

    @Test("Résumés that are nobody's share one bound of bytes, which the end of a search gives back")
    func resumesOfNobody() throws {
        let service = try DocumentdProgram([
            "--auth", "local", "--worker", "no", "--storage-of-nobody", "100000",
        ])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/resumes/nurse.pdf"))))
        func send(_ headers: [String: String] = [:]) throws -> ServiceClient.Answer {
            try client.post("/api/resume", fields: [], file: ("a.pdf", bytes), headers: headers)
        }
        // 42,942 bytes each.
        let first = try send()
        #expect(try first.status == 200 && send().status == 200)
        let full = try send()
        #expect(full.status == 507 && full.json?["error"]?.string == "full", "\(full.text)")
        #expect(full.message?.hasPrefix("Storage for people who have not signed in is full at the moment.") == true)
        try service.waitForStoredFiles(2)
        #expect(try send(own).status == 200)
        let id = try #require(first.json?["user_search_id"]?.string, "\(first.text)")
        #expect(try client.send("DELETE", "/api/resume/\(id)").status == 204)
        #expect(try send().status == 200)
    }

    @Test(
        "Searches begin at a bounded pace: of a person wherever they are, of others ten times as fast by their network")
    func searches() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no", "--searches-per-hour", "4"])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        for (headers, count) in [(own, 2), ([:], 20)] {
            for _ in 0..<count {
                #expect(try client.send("POST", "/api/resume/sample", headers: headers, body: []).status == 200)
            }
            let file = Array(try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/resumes/nurse.pdf"))))
            for refused in [
                try client.send("POST", "/api/resume/sample", headers: headers, body: []),
                try client.post("/api/resume", fields: [], file: ("a.pdf", file), headers: headers),
            ] {
                #expect(refused.status == 429 && refused.json?["error"]?.string == "too_many", "\(refused.text)")
                #expect((1...901).contains(Int(refused["retry-after"] ?? "") ?? 0))
            }
        }
        #expect(try client.send("GET", "/api/me/dashboard", headers: own).status == 200)
        try service.waitForStoredFiles(22)
    }

    @Test(
        "A person has 16 streams of events at once, and a network 128; further ones are told when to come back",
        .timeLimit(.minutes(2)))
    func streams() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no", "--connections-per-address", "none"])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        func open(_ path: String, _ headers: [String: String] = [:]) throws -> HeldConnection {
            let connection = try HeldConnection(to: client)
            let fields = headers.map { "\($0): \($1)\r\n" }.joined()
            connection.send("GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\n\(fields)\r\n")
            #expect(try connection.receive(until: "retry: ")?.hasPrefix("HTTP/1.1 200 ") == true)
            return connection
        }
        var streams = try (0..<16).map { _ in try open("/api/events", own) }
        let refused = try client.send("GET", "/api/events", headers: own, within: 10)
        #expect(refused.status == 429 && refused.code == "too_many" && refused["retry-after"] == "2", "\(refused.text)")
        // One leaves, and makes room before anything is written to it.
        streams.removeLast()
        let next = try Waiting.forValue("there is no room", within: 10) {
            let isFull = try client.send("HEAD", "/api/events", headers: own).status == 429
            return isFull ? nil : try open("/api/events", own)
        }
        streams.append(next)

        let search = try client.send("POST", "/api/resume/sample", body: []).json
        let token = try #require(search?["view_token"]?.string)
        let path = "/api/public/session/events?token=\(token)"
        for _ in 16..<128 { streams.append(try open(path)) }
        let full = try client.send("GET", path, within: 10)
        #expect(full.status == 429 && full.json?["error"]?.string == "too_many", "\(full.text)")
        #expect(Int(full["retry-after"] ?? "") ?? 0 >= 1)
        streams = []
        _ = try Waiting.forValue("the network stays shut out", within: 10) { try? open(path) }
    }

    @Test("Who asks for more than they may is told when to come back; others go on")
    func requests() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no", "--requests-per-minute", "60"])
        defer { service.remove() }
        let (client, own) = (service.client, try signUp(service))
        var statuses: [Int: Int] = [:]
        var last: ServiceClient.Answer?
        for _ in 0..<60 {
            let answer = try client.send("GET", "/api/documents", headers: own)
            statuses[answer.status, default: 0] += 1
            if answer.status == 429 { last = answer }
        }
        #expect(Set(statuses.keys) == [200, 429], "\(statuses)")
        #expect((25...45).contains(statuses[200] ?? 0), "\(statuses)")
        #expect(last?.code == "too_many" && last?.message == "Too many requests. Please try again.")
        #expect(Int(last?["retry-after"] ?? "") ?? 0 >= 1)
        // Who is nobody is counted by their address, and apart from the person.
        #expect(try client.send("GET", "/api/documents").status == 401)
        #expect(try client.send("GET", "/healthz").status == 200)
        var refused = 0
        for _ in 0..<60 where try client.send("GET", "/api/documents").status == 429 { refused += 1 }
        #expect(refused > 10)
    }

    /// The key of the app's wire, which callers with a cookie do not have: here one person does everything.
    private func wire(_ service: DocumentdProgram) throws -> (key: [String: String], person: String) {
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", service.program.path("data")]
        ).lines[0]
        return (["apikey": key], "00000000-0000-7000-8000-000000000001")
    }

    private static func chunked(_ count: Int) -> [UInt8] {
        let piece = String(repeating: "grade\n", count: 1000)
        let chunks = (0..<count / 6000).map { _ in "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n" }
        return Array((chunks.joined() + "0\r\n\r\n").utf8)
    }

    @Test(
        "A file of unknown length is refused while it arrives, by every way in, and leaves the room free",
        .timeLimit(.minutes(2)))
    func unknownLengths() throws {
        let service = try DocumentdProgram(["--worker", "no", "--storage-per-person", "100000"])
        defer { service.remove() }
        let (client, (key, person)) = (service.client, try wire(service))
        func chunked(_ method: String, _ path: String, _ count: Int) throws -> ServiceClient.Answer {
            let fields = key.map { "\($0.key): \($0.value)\r\n" }.joined()
            let head =
                "\(method) \(path) HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\(fields)"
                + "Transfer-Encoding: chunked\r\n\r\n"
            return try #require(try client.exchange(Array(head.utf8) + Self.chunked(count)))
        }
        let place = "/storage/v1/object/documents/\(person)/transcript"
        for path in ["/api/documents?type=transcript&file_name=a.txt", "\(place)/1_a.txt"] {
            let refused = try chunked("POST", path, 120_000)
            let told = refused.json?["statusCode"]?.string.flatMap { Int($0) } ?? refused.status
            #expect(told == 413, "\(refused.text)")
        }
        try service.waitForStoredFiles(0)
        // A file in the bucket counts before a document has it, once, and no more when it is gone.
        #expect(try chunked("POST", "\(place)/1_a.txt", 60_000).status == 200)
        #expect(try chunked("POST", "\(place)/2_a.txt", 60_000).status == 400)
        #expect(try chunked("POST", "/api/documents?type=transcript&file_name=a.txt", 60_000).status == 413)
        let folder = "\(person)/transcript"
        let copy =
            #"{"bucketId":"documents","sourceKey":"\#(folder)/1_a.txt","destinationKey":"\#(folder)/3_a.txt"}"#
        let copied = try client.send(
            "POST", "/storage/v1/object/copy", headers: key.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(copy.utf8))
        #expect(copied.status == 400 && copied.json?["statusCode"]?.string == "413", "\(copied.text)")
        let row =
            #"{"user_id":"\#(person)","type":"transcript","title":"T","file_url":"\#(folder)/1_a.txt"}"#
        let named = try client.send(
            "POST", "/rest/v1/documents", headers: key.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(row.utf8))
        #expect(named.status == 201, "\(named.text)")
        #expect(try chunked("POST", "\(place)/2_a.txt", 36_000).status == 200)
        #expect(try client.send("DELETE", "\(place)/2_a.txt", headers: key).status == 200)
        #expect(try chunked("POST", "\(place)/4_a.txt", 36_000).status == 200)
    }

    @Test(
        "Resumable uploads of either face take room with or without a declared length", .timeLimit(.minutes(2)))
    func resumable() throws {
        let service = try DocumentdProgram(["--worker", "no", "--storage-per-person", "100000"])
        defer { service.remove() }
        let (client, (key, person)) = (service.client, try wire(service))
        func encoded(_ pairs: [(String, String)]) -> String {
            pairs.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }.joined(separator: ",")
        }
        func begin(_ place: String, _ number: Int, _ length: Int?) throws -> ServiceClient.Answer {
            let metadata =
                place == "/api/uploads"
                ? [("type", "transcript"), ("file_name", "\(number).txt")]
                : [("bucketName", "documents"), ("objectName", "\(person)/transcript/\(number)_b.txt")]
            let size = length.map { ["Upload-Length": "\($0)"] } ?? ["Upload-Defer-Length": "1"]
            return try client.send(
                "POST", place,
                headers: key.merging(["Tus-Resumable": "1.0.0", "Upload-Metadata": encoded(metadata)]) { $1 }
                    .merging(size) { $1 }, body: [])
        }
        func append(_ count: Int, to location: String?, length: Int? = nil) throws -> ServiceClient.Answer {
            let path = try #require(location.flatMap { URL(string: $0)?.path })
            var headers = key.merging([
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
            ]) { $1 }
            headers["Upload-Length"] = length.map { "\($0)" }
            return try client.send(
                "PATCH", path, headers: headers,
                body: Array(String(repeating: "grade\n", count: count / 6).utf8))
        }
        func end(_ location: String?) throws {
            let path = try #require(location.flatMap { URL(string: $0)?.path })
            let ended = try client.send("DELETE", path, headers: key.merging(["Tus-Resumable": "1.0.0"]) { $1 })
            #expect(ended.status == 204, "\(ended.text)")
        }
        for place in ["/api/uploads", "/storage/v1/upload/resumable"] {
            #expect(try begin(place, 1, 120_000).status == 413)
            let deferred = try begin(place, 2, nil)
            #expect(deferred.status == 201, "\(deferred.text)")
            #expect(try append(120_000, to: deferred["location"]).status == 413)
            // What had arrived of it until then counts until it is given up.
            try end(deferred["location"])
            let declared = try begin(place, 3, nil)
            #expect(try append(60_000, to: declared["location"], length: 120_000).status == 413)
            // What has arrived of one counts for the next.
            let first = try begin(place, 4, nil)
            #expect(try append(60_000, to: first["location"]).status == 204)
            #expect(try begin(place, 5, 60_000).status == 413)
            for location in [declared["location"], first["location"]] { try end(location) }
            let last = try begin(place, 6, 90_000)
            #expect(last.status == 201, "\(last.text)")
            try end(last["location"])
        }
    }

    @Test("Two uploads at once take no more room than one after the other", .timeLimit(.minutes(1)))
    func together() throws {
        let service = try DocumentdProgram(["--worker", "no", "--storage-per-person", "100000"])
        defer { service.remove() }
        let client = service.client
        let bytes = Array(String(repeating: "grade\n", count: 10_000).utf8)
        let path = "/api/documents?type=transcript&file_name=a.txt"
        let head =
            "POST \(path) HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\nContent-Length: \(bytes.count)\r\n"
            + "Expect: 100-continue\r\n\r\n"
        // The first one has asked for room once it is told to go on; then the other one comes.
        var second: ServiceClient.Answer?
        let first = try client.exchange(Array(head.utf8)) { answered in
            if String(decoding: answered, as: UTF8.self).contains("100 Continue"), second == nil {
                second = try? client.send("POST", path, body: bytes)
                return true
            }
            return false
        }
        #expect(first == nil)
        #expect(second?.status == 413, "\(second?.text ?? "no answer")")
        // The client of the first has left, and its room is free again.
        let later = try Waiting.forValue("the room stays taken") {
            let answer = try client.send("POST", path, body: bytes)
            return answer.status == 201 ? answer : nil
        }
        #expect(later.status == 201)
    }

    @Test("One person has a bounded number of rows of each kind", .timeLimit(.minutes(2)))
    func rows() throws {
        let service = try DocumentdProgram(["--worker", "no"])
        defer { service.remove() }
        let (client, (key, _)) = (service.client, try wire(service))
        func insert(_ table: String, _ count: Int, _ row: (Int) -> String) throws -> ServiceClient.Answer {
            try client.send(
                "POST", "/rest/v1/\(table)", headers: key.merging(["Content-Type": "application/json"]) { $1 },
                body: Array("[\((0..<count).map(row).joined(separator: ","))]".utf8))
        }
        let template = { (_: Int) in #"{"name":"N","type":"email","body":"B"}"# }
        #expect(try insert("communication_templates", PersonBounds.templates, template).status == 201)
        let refused = try insert("communication_templates", 1, template)
        #expect(refused.status == 413 && refused.code == "54000", "\(refused.text)")
        let told = try client.send("POST", "/api/communication-templates", json: template(0))
        #expect(told.status == 409 && told.code == "conflict", "\(told.text)")
        #expect(told.message == "You have reached the limit of 500 templates. Remove some that you no longer need.")
        #expect(try insert("schools", PersonBounds.schools) { #"{"name":"S\#($0)"}"# }.status == 201)
        #expect(try client.send("POST", "/api/schools", json: #"{"name":"One more"}"#).status == 409)
        // What is removed makes room.
        let first = try client.send("GET", "/api/communication-templates").data?.array?.first?["id"]?.string ?? ""
        #expect(try client.send("DELETE", "/api/communication-templates/\(first)").status == 200)
        #expect(try client.send("POST", "/api/communication-templates", json: template(0)).status == 201)
    }
}
