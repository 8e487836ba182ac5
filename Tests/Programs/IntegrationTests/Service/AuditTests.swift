import Foundation
import Hashing
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd keeps who did what", .serialized, .deadline)
struct AuditTests {
    /// The audit log's text, and its lines: those about persons first, then nobody's, then visits.
    private static func log(of service: DocumentdProgram) throws -> (String, [JSON]) {
        let folder = URL(fileURLWithPath: service.program.path("data/audit"))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let text = try files.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        return (text, try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) })
    }

    @Test(
        "Everything that a guardian reads is kept, also what is answered at once; what others do by a signed address is a visit"
    )
    func others() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let client = service.client
        func signUp(_ name: String) throws -> (id: String, own: [String: String]) {
            let made = try client.send(
                "POST", "/api/account", json: #"{"email":"\#(name)@example.org","password":"correct horse"}"#)
            let cookie = String((made["set-cookie"] ?? "").prefix { $0 != ";" })
            let id = try #require(made.data?["account"]?["id"]?.string)
            return (id, ["Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"])
        }
        let (ada, bob) = (try signUp("ada"), try signUp("bob"))
        func post(_ path: String, _ json: String, by own: [String: String]) throws -> JSON {
            let answer = try client.send("POST", path, headers: own, body: Array(json.utf8))
            return try #require(answer.data, "\(path): \(answer.text)")
        }
        let stored = try client.send(
            "POST", "/api/documents?type=transcript&file_name=a.txt&title=T",
            headers: ada.own.merging(["Content-Type": "text/plain"]) { $1 }, body: Array("Text\n".utf8))
        let id = try #require(stored.data?["id"]?.string)
        let invited = try post("/api/account/guardians", #"{"email":"b@example.org","right":"view"}"#, by: ada.own)
        let token = try #require(invited["url"]?.string?.components(separatedBy: "#").last)
        let taken = try post("/api/account/invitation/acceptance", #"{"token":"\#(token)"}"#, by: bob.own)
        let acting = bob.own.merging(["Acting-For": ada.id]) { $1 }
        for _ in 0..<3 { #expect(try client.send("GET", "/api/documents", headers: acting).status == 200) }
        let signed = try post("/api/addresses", #"{"addresses":["/api/documents/\#(id)/file"]}"#, by: ada.own)
        let address = try #require(signed["addresses"]?.array?.first?.string)
        #expect(try client.send("GET", address).status == 200)

        let lines = try Self.log(of: service).1
        let reads = lines.filter { $0["action"]?.string == "GET /api/documents" }
        #expect(reads.count == 3)
        #expect(reads.allSatisfy { $0["actor"]?.string == bob.id && $0["owner"]?.string == ada.id })
        let handed = try #require(lines.last)
        #expect(handed["role"]?.string == "visitor" && handed["actor"] == .null && handed["owner"]?.string == ada.id)
        // Who became whose guardian can be told when it is over.
        let acceptance = lines.first { $0["action"]?.string?.hasSuffix("/acceptance") == true }
        #expect(acceptance?["actor"]?.string == bob.id && acceptance?["owner"]?.string == ada.id)
        #expect(acceptance?["subject"] == taken["id"])
    }

    @Test("A search's identity, which is a right, is in no log and in no file's name; the audit log has its digest")
    func searches() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let client = service.client
        let begun = try client.send("POST", "/api/resume/sample", body: []).json
        let id = try #require(begun?["user_search_id"]?.string)
        #expect(service.storedFiles.count == 1 && !service.storedFiles.contains { $0.contains(id) })
        let calls = [
            ("GET", id, 200), ("GET", "\(id)/more", 404), ("PUT", id, 405), ("DELETE", id.uppercased(), 204),
            ("DELETE", id, 404),
        ]
        for (method, path, status) in calls {
            #expect(try client.send(method, "/api/resume/\(path)").status == status, "\(method) \(path)")
        }
        let paths = try Waiting.forValue("no lines: \(service.text)") {
            let paths = service.lines(at: "info").compactMap { $0["path"]?.string }
            return paths.count == 6 ? paths : nil
        }
        let pattern = "/api/resume/{id}"
        #expect(Set(paths) == ["/api/resume/sample", pattern, "/api/resume/…"])
        #expect(paths.count { $0 == pattern } == 4)
        let (text, lines) = try Self.log(of: service)
        let digest = SHA256.digest(of: Array(id.utf8)).hex.prefix(16)
        let told = lines.map { line in
            "\(line["action"]?.string ?? "") \(line["subject"]?.string ?? "") \(line["status"]?.integer ?? 0)"
        }
        #expect(
            told == [
                "POST /api/resume/sample \(digest) 200", "DELETE \(pattern) \(digest) 204",
                "DELETE \(pattern) \(digest) 404",
            ])
        for place in [text, service.text] { #expect(!place.lowercased().contains(id)) }
    }

    @Test("Changes, sign-ins, visits of links and what the operator's key reads are kept, without contents")
    func entries() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let client = service.client
        let made = try client.send(
            "POST", "/api/account", json: #"{"email":"ada@example.org","password":"correct horse"}"#)
        let person = try #require(made.data?["account"]?["id"]?.string)
        let own = [
            "Cookie": String((made["set-cookie"] ?? "").prefix { $0 != ";" }), "Sec-Fetch-Site": "same-origin",
        ]
        _ = try client.send("POST", "/api/session", json: #"{"email":"ada@example.org","password":"wrong horse"}"#)
        let stored = try client.send(
            "POST", "/api/documents?type=transcript&file_name=Sekretariat.txt&title=Sekretariat", headers: own,
            body: Array("Sekretariat\n".utf8))
        let id = try #require(stored.data?["id"]?.string)
        for _ in 0..<3 { _ = try client.send("GET", "/api/documents/\(id)", headers: own) }
        let link = try client.send(
            "POST", "/api/documents/\(id)/links", headers: own.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(#"{"permission":"view"}"#.utf8))
        let visit = try #require(link.data?["url"]?.string).replacingOccurrences(of: "/shared", with: "/api/shared")
        #expect(try client.send("GET", visit).status == 200)
        #expect(try client.send("GET", visit.replacingOccurrences(of: "?", with: "/file?")).status == 403)
        let nobody = try client.send("DELETE", "/api/documents/\(id)", headers: ["Sec-Fetch-Site": "same-origin"])
        #expect(nobody.status == 401)
        #expect(try client.send("DELETE", "/api/documents/\(id)", headers: own).status == 200)

        let (text, lines) = try Self.log(of: service)
        let told = lines.map { line in
            "\(line["role"]?.string ?? "") \(line["action"]?.string ?? "") \(line["status"]?.integer ?? 0)"
        }
        #expect(
            told == [
                "person POST /api/account 201", "person POST /api/documents 201",
                "person POST /api/documents/{id}/links 201", "person DELETE /api/documents/{id} 200",
                "nobody POST /api/session 400", "nobody DELETE /api/documents/{id} 401",
                "visitor GET /api/shared 200", "visitor GET /api/shared/file 403",
            ])
        #expect(lines[0]["actor"]?.string == person && lines[3]["actor"]?.string == person)
        #expect(lines[6]["actor"] == .null && lines[6]["owner"]?.string == person)
        #expect(lines[6]["subject"]?.string?.hasPrefix("\(id) ") == true && lines[3]["subject"]?.string == id)
        #expect(lines.allSatisfy { $0["client"]?.string == "127.0.0.1" && $0["request"]?.string?.isEmpty == false })
        for word in ["Sekretariat", "ada@", "horse", visit.components(separatedBy: "link=")[1]] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("No text that people choose gets into the log: neither names of files, nor what stands in a path or a filter")
    func names() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let client = service.client
        let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#
        #expect(try client.send("POST", "/api/account", json: credentials).status == 201)
        let signIn = try client.send("POST", "/auth/v1/token?grant_type=password", json: credentials)
        let owner = try #require(signIn.json?["user"]?["id"]?.string)
        let own = [
            "apikey": try service.key(), "Authorization": "Bearer \(signIn.json?["access_token"]?.string ?? "")",
        ]
        func send(_ method: String, _ path: String, _ body: String? = nil, type: String = "application/json") throws
            -> ServiceClient.Answer
        {
            try client.send(
                method, path, headers: own.merging(["Content-Type": type]) { $1 }, body: body.map { Array($0.utf8) })
        }
        let path = "\(owner)/transcript/Sekretariat.txt"
        let stored = try send("POST", "/storage/v1/object/documents/\(path)", "Text\n", type: "text/plain")
        let file = try #require(stored.json?["Id"]?.string, "\(stored.text)")
        _ = try send("POST", "/storage/v1/object/sign/documents/\(path)", #"{"expiresIn":60}"#)
        _ = try send("POST", "/storage/v1/object/documents/\(owner)/Sekretariat/1_Sekretariat.txt", "Text\n")
        let row = try send(
            "POST", "/rest/v1/documents?select=id",
            #"{"user_id":"\#(owner)","type":"transcript","title":"Sekretariat","file_url":"\#(path)"}"#)
        #expect(row.status == 201, "\(row.text)")
        for address in [
            "/rest/v1/documents?id=eq.Sekretariat", "/rest/v1/documents?title=eq.Sekretariat",
            "/rest/v1/Sekretariat?id=eq.1", "/api/documents/Sekretariat", "/api/schools/Sekretariat",
            "/api/documents/Sekretariat/links/Sekretariat",
        ] { _ = try send("DELETE", address) }
        _ = try send("POST", "/auth/v1/Sekretariat", "{}")
        #expect(try send("DELETE", "/rest/v1/documents?title=eq.Sekretariat").status == 204)
        _ = try send("DELETE", "/storage/v1/object/documents/\(path)")

        let (text, lines) = try Self.log(of: service)
        #expect(!text.contains("Sekretariat"), "\(text)")
        let upload = lines.first { $0["action"]?.string == "POST /storage/v1/object/{bucket}/{path}" }
        #expect(upload?["subject"]?.string == "\(owner) \(file)" && upload?["owner"]?.string == owner)
        #expect(lines.contains { $0["action"]?.string == "DELETE /rest/v1/documents" })
        #expect(lines.contains { $0["action"]?.string == "POST /auth/v1/**" })
    }
}
