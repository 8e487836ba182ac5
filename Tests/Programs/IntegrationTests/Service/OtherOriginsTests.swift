import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// Pages of other sites, as their browsers ask for them, and what they may read.
@Suite("documentd --allowed-origins", .serialized, .deadline)
struct OtherOriginsTests {
    private static let app = "https://app.example.org"
    private static let other = "https://evil.example"
    private static let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#

    private static func start(_ arguments: String...) throws -> DocumentdProgram {
        try DocumentdProgram(["--auth", "local"] + arguments)
    }

    private static func listed(worker: String = "no") throws -> DocumentdProgram {
        try start("--allowed-origins", "\(app), http://localhost:5173", "--worker", worker)
    }

    /// Signs up, and gives a person's token and cookie.
    private func person(_ service: DocumentdProgram) throws -> (token: [String: String], cookie: [String: String]) {
        let made = try service.client.send("POST", "/api/account", json: Self.credentials)
        let signed = try service.client.send("POST", "/auth/v1/token?grant_type=password", json: Self.credentials)
        let token = try #require(signed.json?["access_token"]?.string)
        return (
            ["Authorization": "Bearer \(token)"],
            ["Cookie": String((made["set-cookie"] ?? "").prefix { $0 != ";" })]
        )
    }

    /// The fields by which a browser decides what a page may read.
    private func decisions(_ answer: ServiceClient.Answer) -> [String: String] {
        let fields = answer.headers.filter { $0.name.hasPrefix("access-control-") }
        return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    }

    private func varies(_ answer: ServiceClient.Answer) -> Set<String> {
        Set(answer.headers.filter { $0.name == "vary" }.flatMap { $0.value.components(separatedBy: ", ") })
    }

    /// What a browser sends with the requests of a page of another site.
    private func page(_ origin: String) -> [String: String] { ["Origin": origin, "Sec-Fetch-Site": "cross-site"] }

    private func preflight(_ path: String, _ method: String, _ fields: String, from origin: String) -> [String: String]
    {
        page(origin).merging([
            "Access-Control-Request-Method": method, "Access-Control-Request-Headers": fields,
        ]) { $1 }
    }

    @Test("The question before a request is answered for origins of the list, on every face, and for no others")
    func preflights() throws {
        let service = try Self.listed()
        defer { service.remove() }
        let cases = [
            ("/api/documents", "GET", "authorization"),
            ("/api/uploads", "POST", "authorization,tus-resumable,upload-length,upload-metadata"),
            ("/api/uploads/00000000-0000-7000-8000-000000000000", "PATCH", "authorization,content-type,upload-offset"),
            ("/api/documents/00000000-0000-7000-8000-000000000000/file", "GET", "authorization,range,if-range"),
            ("/api/nothing", "DELETE", "authorization"), ("/rest/v1/documents", "PATCH", "apikey,authorization,prefer"),
            ("/storage/v1/upload/resumable", "POST", "apikey,tus-resumable,x-upsert"),
            ("/auth/v1/token", "POST", "apikey,content-type,x-supabase-api-version"),
        ]
        for (path, method, fields) in cases {
            for origin in [Self.app, "http://localhost:5173"] {
                let headers = preflight(path, method, fields, from: origin)
                let answer = try service.client.send("OPTIONS", path, headers: headers)
                #expect(answer.status == 204 && answer.body.isEmpty, "\(path): \(answer.status)")
                let decisions = decisions(answer)
                #expect(decisions["access-control-allow-origin"] == origin, "\(path): \(decisions)")
                #expect(decisions["access-control-allow-headers"] == fields)
                #expect(decisions["access-control-allow-methods"]?.contains(method) == true)
                #expect(decisions["access-control-allow-credentials"] == nil)
                #expect(varies(answer).isSuperset(of: ["Origin", "Access-Control-Request-Headers"]))
            }
            for origin in [
                Self.other, "null", "*", "https://app.example.org.evil.example", "http://app.example.org",
                "https://app.example.org:8443", "https://APP.example.org", "https://app.example.org/",
                "http://localhost",
            ] {
                let headers = preflight(path, method, fields, from: origin)
                let answer = try service.client.send("OPTIONS", path, headers: headers)
                #expect(decisions(answer) == [:], "\(path) for \(origin): \(decisions(answer))")
                #expect(varies(answer).contains("Origin"))
            }
        }
        let odd = preflight("/api/documents", "GET", "a\u{1}b<>", from: Self.app)
        let answer = try service.client.send("OPTIONS", "/api/documents", headers: odd)
        #expect(answer.status == 400 || decisions(answer)["access-control-allow-headers"]?.contains("<") == false)
    }

    @Test(
        "A page of the list uses the whole service with a person's token: documents, pictures, ranges, uploads, rows, errors"
    )
    func requests() throws {
        let service = try Self.listed(worker: "yes")
        defer { service.remove() }
        let client = service.client
        let own = try person(service).token.merging(page(Self.app)) { $1 }
        func check(_ answer: ServiceClient.Answer, _ status: Int, exposes names: [String] = []) {
            let decisions = decisions(answer)
            #expect(answer.status == status, "\(answer.status) \(answer.text)")
            #expect(decisions["access-control-allow-origin"] == Self.app, "\(decisions)")
            #expect(decisions["access-control-allow-credentials"] == nil && varies(answer).contains("Origin"))
            let exposed = Set(
                (decisions["access-control-expose-headers"] ?? "").lowercased().components(separatedBy: ", "))
            for name in names {
                #expect(answer[name] != nil, "no \(name)")
                #expect(exposed.contains(name.lowercased()), "\(name) is not exposed")
            }
        }
        let stored = try client.send(
            "POST", "/api/documents?type=transcript&file_name=a.pdf&title=T", headers: own,
            body: Array(try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf")))))
        check(stored, 201)
        let id = try #require(stored.data?["id"]?.string)
        // Without the router the second time.
        for _ in 0..<2 { check(try client.send("GET", "/api/documents", headers: own), 200) }
        _ = try Waiting.forValue("no picture") {
            try client.send("GET", "/api/documents/\(id)", headers: own).data?["state"]?.string == "ready" ? true : nil
        }
        for _ in 0..<3 {
            let picture = try client.send("GET", "/api/documents/\(id)/thumbnail?preset=grid", headers: own)
            check(picture, 200, exposes: ["ETag"])
            #expect(varies(picture).contains("Accept"))
        }
        check(
            try client.send(
                "GET", "/api/documents/\(id)/file", headers: own.merging(["Range": "bytes=0-3"]) { $1 }), 206,
            exposes: ["Content-Range", "ETag", "Accept-Ranges", "Content-Disposition"])
        let metadata = [("type", "transcript"), ("file_name", "b.txt"), ("title", "B")].map { name, text in
            "\(name) \(Base64.encode(Array(text.utf8)))"
        }
        let tus = own.merging(["Tus-Resumable": "1.0.0"]) { $1 }
        let begun = try client.send(
            "POST", "/api/uploads",
            headers: tus.merging([
                "Upload-Length": "5", "Upload-Metadata": metadata.joined(separator: ","),
            ]) { $1 }, body: [])
        check(begun, 201, exposes: ["Location", "Tus-Resumable", "Upload-Expires"])
        let address = "/api/uploads/\(begun["location"]?.components(separatedBy: "/").last ?? "")"
        let piece = tus.merging(["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]) { $1 }
        check(
            try client.send("PATCH", address, headers: piece, body: Array("Text\n".utf8)), 204,
            exposes: ["Upload-Offset"])
        check(try client.send("GET", "/api/documents/\(id)x", headers: own), 404)
        check(try client.send("GET", "/api/nothing", headers: own), 404)
        check(try client.send("PUT", "/api/documents", headers: own), 405)
        check(try client.send("GET", "/nothing", headers: own), 404)
        let wire = own.merging(["apikey": try service.key()]) { $1 }
        check(try client.send("GET", "/rest/v1/documents", headers: wire), 200, exposes: ["Content-Range"])
        check(try client.send("GET", "/rest/v1/documents", headers: page(Self.app)), 401)
        check(try client.send("GET", "/auth/v1/user", headers: wire), 200)
    }

    @Test(
        "A page that is not in the list reads nothing on any face; without a list the app's wire stays open as Supabase is, and /api shut"
    )
    func others() throws {
        let service = try Self.listed()
        let client = service.client
        let own = try person(service).token
        let key = ["apikey": try service.key()]
        for path in ["/api/documents", "/rest/v1/documents", "/auth/v1/user", "/auth/v1/settings", "/", "/healthz"] {
            let headers = own.merging(page(Self.other)) { $1 }.merging(key) { $1 }
            for _ in 0..<2 {
                let answer = try client.send("GET", path, headers: headers)
                #expect(decisions(answer) == [:], "\(path): \(decisions(answer))")
                #expect(varies(answer).contains("Origin"), "\(path)")
            }
            #expect(
                varies(try client.send("GET", path, headers: own.merging(key) { $1 })).contains("Origin"), "\(path)")
        }
        // Two origins are none.
        let twice =
            "GET /api/documents HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\nAuthorization: "
            + "\(own["Authorization"]!)\r\nOrigin: \(Self.app)\r\nOrigin: \(Self.other)\r\n\r\n"
        #expect(decisions(try #require(try client.exchange(Array(twice.utf8)))) == [:])
        service.remove()

        let plain = try Self.start("--worker", "no")
        defer { plain.remove() }
        let headers = try person(plain).token.merging(page(Self.app)) { $1 }.merging(["apikey": try plain.key()]) { $1 }
        let api = try plain.client.send("GET", "/api/documents", headers: headers)
        #expect(decisions(api) == [:] && !varies(api).contains("Origin"))
        let question = preflight("/api/documents", "GET", "authorization", from: Self.app)
        #expect(decisions(try plain.client.send("OPTIONS", "/api/documents", headers: question)) == [:])
        let rows = try plain.client.send("GET", "/rest/v1/documents", headers: headers)
        #expect(decisions(rows)["access-control-allow-origin"] == "*")
        #expect(decisions(rows)["access-control-allow-credentials"] == nil)
    }

    @Test("A cookie is not valid for another site's page, in the list or not, and it can get none")
    func cookies() throws {
        let service = try Self.listed()
        defer { service.remove() }
        let client = service.client
        let cookie = try person(service).cookie
        for origin in [Self.app, Self.other] {
            let headers = cookie.merging(page(origin)) { $1 }.merging(["Content-Type": "application/json"]) { $1 }
            for path in ["/api/documents", "/api/session", "/api/account/sessions"] {
                #expect(try client.send("GET", path, headers: headers).status == 403, "\(path)")
            }
            let school = Array(#"{"name":"S"}"#.utf8)
            #expect(try client.send("POST", "/api/schools", headers: headers, body: school).status == 403)
            // Older browsers state the origin alone.
            let old = headers.filter { $0.key != "Sec-Fetch-Site" }
            #expect(try client.send("POST", "/api/schools", headers: old, body: school).status == 403)
            let signIn = try client.send(
                "POST", "/api/session", headers: headers.filter { $0.key != "Cookie" },
                body: Array(Self.credentials.utf8))
            #expect(signIn.status == 403 && signIn["set-cookie"] == nil)
        }
    }

    @Test("What is no list of origins is refused, and so is a list without accounts")
    func settings() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let cases = [
            ("*", "local"), ("null", "local"), ("app.example.org", "local"), ("https://*.example.org", "local"),
            ("https://app.example.org/", "local"), ("https://app.example.org/a", "local"), ("https://", "local"),
            ("https://a.example,ftp://b.example", "local"), ("https://user@a.example", "local"),
            ("https://a.example:0", "local"), (Self.app, "off"),
        ]
        for (origins, way) in cases {
            let output = try CompassProgram.run(
                CompassProgram.built("documentd"),
                [
                    "--auth", way, "--allowed-origins", origins, "--data", program.path("data"), "--cache",
                    program.path("cache"), "--listen", "127.0.0.1:0",
                ], environment: [:])
            #expect(
                output.status == 2 && output.standardError.contains("--allowed-origins"),
                "\(origins): \(output.standardError)")
        }
    }
}
