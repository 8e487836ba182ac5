import Database
import Documents
import Foundation
import Library
import Media
import People
import TestDeadline
import TestSupport
import Testing

@Suite("documentd accounts", .serialized, .deadline)
struct AccountsCommandTests {
    private let service: DocumentdProgram
    private var client: ServiceClient { service.client }

    init() throws { service = try DocumentdProgram(["--auth", "local", "--worker", "yes"]) }

    /// Runs a command about accounts over the folder of the running service.
    private func run(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
        let (process, pipe, standardInput) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CompassProgram.built("documentd"))
        process.arguments =
            [
                "accounts", arguments[0], "--data", service.program.path("data"), "--cache",
                service.program.path("cache"),
            ]
            + arguments.dropFirst()
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": service.program.scratch.path]
        process.standardInput = standardInput
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// Signs in, and gives the header fields of what follows.
    private func signIn(_ address: String, _ password: String) throws -> (status: Int, headers: [String: String]) {
        let answer = try client.send(
            "POST", "/api/session", json: #"{"email":"\#(address)","password":"\#(password)"}"#)
        let cookie = String((answer["set-cookie"] ?? "").prefix { $0 != ";" })
        return (answer.status, ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"])
    }

    @Test("The operator adds, lists, resets, disables and enables accounts while the service runs")
    func keeping() throws {
        defer { service.remove() }
        let added = try run(["add", "--name", "Ada", "Ada@example.org"])
        #expect(added.status == 0, "\(added.output)")
        let password = try #require(added.output.split(separator: "\n").last.map(String.init))
        #expect(password.count == 20)
        let session = try signIn("ada@example.org", password)
        #expect(session.status == 200)
        #expect(try run(["list"]).output.contains("  ada@example.org  active  "))

        #expect(try run(["add", "ada@example.org"]).status == 2)
        #expect(try run(["add", "ada"]).status == 2)
        #expect(try run(["add", "--password-stdin", "bob@example.org"], input: "short\n").status == 2)
        #expect(try run(["reset", "nobody@example.org"]).status == 2)

        #expect(try run(["reset", "--password-stdin", "ada@example.org"], input: "battery staple\n").output == "")
        usleep(1_100_000)
        #expect(try client.send("GET", "/api/documents", headers: session.headers).status == 401)
        #expect(try signIn("ada@example.org", password).status == 400)
        let again = try signIn("ada@example.org", "battery staple")
        #expect(again.status == 200)

        #expect(try run(["disable", "ada@example.org"]).status == 0)
        usleep(1_100_000)
        #expect(try client.send("GET", "/api/documents", headers: again.headers).status == 401)
        #expect(try signIn("ada@example.org", "battery staple").status == 400)
        #expect(try run(["list"]).output.contains("disabled"))
        #expect(try run(["enable", "ada@example.org"]).status == 0)
        #expect(try signIn("ada@example.org", "battery staple").status == 200)
    }

    @Test(
        "A deleted person leaves nothing, by whomever: no row, no file, no picture, no word in the database or its log",
        arguments: [true, false])
    func deleting(isByOperator: Bool) throws {
        defer { service.remove() }
        let word = "Sekretariat"
        for name in ["zerelda", "bob"] {
            let added = try run(["add", "--password-stdin", "\(name)@example.org"], input: "correct horse\n")
            #expect(added.status == 0, "\(added.output)")
        }
        let (gone, kept) = (
            try signIn("zerelda@example.org", "correct horse").headers,
            try signIn("bob@example.org", "correct horse").headers
        )
        try connect("zerelda")
        #expect(try run(["list"]).output.contains("  keycloak\n"))
        let marked = Array("Zerelda's grades: \(word).\n".utf8)
        func add(_ body: [UInt8], _ name: String, _ title: String, by headers: [String: String]) throws -> JSON {
            let answer = try client.send(
                "POST", "/api/documents?type=transcript&file_name=\(name)&title=\(title)", headers: headers, body: body)
            return try #require(answer.data, "\(answer.text)")
        }
        let pdf = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
        _ = try add(marked, "\(word).txt", word, by: gone)
        let picture = try add(pdf, "a.pdf", word, by: gone)
        let other = try add(Array("Of Bob.\n".utf8), "b.txt", "Bob", by: kept)
        for (path, body) in [
            ("schools", #"{"name":"\#(word)"}"#),
            ("communication-templates", #"{"name":"\#(word)","type":"email","body":"\#(word)"}"#),
        ] {
            #expect(
                try client.send(
                    "POST", "/api/\(path)", headers: gone.merging(["Content-Type": "application/json"]) { $1 },
                    body: Array(body.utf8)
                ).status == 201)
        }
        let metadata = [
            "type dHJhbnNjcmlwdA==", "file_name eC50eHQ=", "title " + Data(word.utf8).base64EncodedString(),
        ]
        #expect(
            try client.send(
                "POST", "/api/uploads",
                headers: gone.merging([
                    "Tus-Resumable": "1.0.0", "Upload-Length": "5", "Upload-Metadata": metadata.joined(separator: ","),
                ]) { $1 }, body: []
            ).status == 201)
        _ = try Waiting.forValue("no picture") {
            let now = try client.send("GET", "/api/documents/\(picture["id"]!.string!)", headers: gone).data
            return now?["state"]?.string == "ready" ? true : nil
        }
        // The second answer comes from memory, on the event loop, where the same callers are known.
        let thumbnail = "/api/documents/\(picture["id"]!.string!)/thumbnail?preset=grid"
        for _ in 0..<3 { #expect(try client.send("GET", thumbnail, headers: gone).status == 200) }
        #expect(try client.send("GET", thumbnail, headers: kept).status == 404)
        #expect(try client.send("GET", thumbnail).status == 401)
        let foreign = gone.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
        #expect(try client.send("GET", thumbnail, headers: foreign).status == 403)
        #expect(traces(of: [word, "zerelda"]) != [], "the search finds nothing where there is something")

        let archive = service.program.path("export.zip")
        if isByOperator {
            let exported = try run(["export", "zerelda@example.org", archive])
            #expect(exported.status == 0 && exported.output == "2 files\n", "\(exported.output)")
            #expect(try run(["export", "zerelda@example.org", archive]).status == 2, "an archive was written over")
        } else {
            let answer = try client.send("GET", "/api/account/archive", headers: gone)
            #expect(answer.status == 200 && answer["content-type"] == "application/zip")
            #expect(answer["content-disposition"]?.hasPrefix("attachment; filename=\"compass-") == true)
            try Data(answer.body).write(to: URL(fileURLWithPath: archive))
        }
        try check(archive, of: "zerelda@example.org", marked, word)
        if isByOperator {
            #expect(try run(["delete", "zerelda@example.org"]).status == 2)
            let deleted = try run(["delete", "--yes", "zerelda@example.org"])
            #expect(deleted.status == 0, "\(deleted.output)")
            #expect(deleted.output == "The account and all of the person's data are removed.\n")
        } else {
            try deleteThemselves(gone)
        }
        #expect(try signIn("zerelda@example.org", "correct horse").status == 400)
        for path in ["/api/documents", thumbnail] {
            #expect(try client.send("GET", path, headers: gone).status == 401)
        }
        let left = try client.send("GET", "/api/documents", headers: kept).data
        #expect(left?["documents"]?.array?.map { $0["id"] } == [other["id"]])
        try service.waitForStoredFiles(1)
        #expect(try run(["delete", "--yes", "zerelda@example.org"]).status == 2)
        _ = try service.end()
        #expect(traces(of: [word, "zerelda"]) == [])
    }

    @Test("A file whose name begins with a combining mark goes with the account of its person", .timeLimit(.minutes(2)))
    func combiningMark() throws {
        defer { service.remove() }
        #expect(try run(["add", "--password-stdin", "ada@example.org"], input: "correct horse\n").status == 0)
        let store = try AccountStore(try SQLiteDatabase(path: service.program.path("data/documents.sqlite")))
        let person = try #require(try store.account(at: MailAddress("ada@example.org")!)).account.id
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--service", "--data", service.program.path("data")],
            environment: [:]
        ).lines.first
        for name in ["first.pdf", "%CC%81x.pdf", "e%CC%81.pdf", "%C3%A9.pdf"] {
            let sent = try client.send(
                "PUT", "/storage/v1/object/documents/\(person)/resume/\(name)", headers: ["apikey": try #require(key)],
                body: Array("%PDF-1.7".utf8))
            #expect(sent.status == 200, "\(name): \(sent.text)")
        }
        try service.waitForStoredFiles(4)
        let deleted = try run(["delete", "--yes", "ada@example.org"])
        #expect(deleted.status == 0, "\(deleted.output)")
        try service.waitForStoredFiles(0)
    }

    /// Connects a provider to an account.
    private func connect(_ name: String) throws {
        let store = try AccountStore(try SQLiteDatabase(path: service.program.path("data/documents.sqlite")))
        let person = try #require(try store.account(at: MailAddress("\(name)@example.org")!)).account.id
        try store.addIdentity(
            AccountIdentity(
                id: .make(at: .now), person: person, issuer: "https://\(name).example", subject: "\(name) at Keycloak",
                provider: "keycloak", address: "\(name)@example.org", created: .now, used: .now))
    }

    /// Deletes an account as its person does, and waits until its address is free.
    private func deleteThemselves(_ headers: [String: String]) throws {
        func delete(_ password: String) throws -> ServiceClient.Answer {
            try client.send(
                "DELETE", "/api/account", headers: headers.merging(["Content-Type": "application/json"]) { $1 },
                body: Array(#"{"password":"\#(password)"}"#.utf8))
        }
        let refused = try delete("wrong horse")
        #expect(refused.status == 400 && refused.field == "password", "\(refused.text)")
        let taken = try delete("correct horse")
        #expect(taken.status == 202 && taken["set-cookie"]?.contains("Max-Age=0") == true, "\(taken.text)")
        _ = try Waiting.forValue("the account stays") {
            try run(["list"]).output.contains("zerelda") ? nil : true
        }
    }

    /// Looks for an account's things in its archive, as Python's reader of ZIP finds them.
    private func check(_ archive: String, of address: String, _ bytes: [UInt8], _ word: String) throws {
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let folder = service.program.path("export")
        reader.arguments = [
            "-c",
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])",
            archive, folder,
        ]
        try reader.run()
        reader.waitUntilExit()
        #expect(reader.terminationStatus == 0)
        func json(_ name: String) throws -> JSON {
            try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).json"))))
        }
        #expect(try json("account")["email"]?.string == address)
        #expect(try json("account")["identities"]?.array?.first?["subject"]?.string == "zerelda at Keycloak")
        #expect(try json("schools").array?.map { $0["name"]?.string } == [word])
        #expect(try json("templates").array?.first?["body"]?.string == word)
        let documents = try json("documents").array ?? []
        #expect(documents.count == 2)
        let file = documents.first { $0["file_name"]?.string == "\(word).txt" }?["file"]?.string ?? ""
        #expect(FileManager.default.contents(atPath: "\(folder)/\(file)") == Data(bytes))
    }

    /// The files below the service's folders in whose names or bytes one of the words stands.
    private func traces(of words: [String]) -> [String] {
        ["data", "cache"].flatMap { folder in
            service.program.files(below: folder).filter { path in
                let file = service.program.path("\(folder)/\(path)")
                let bytes = FileManager.default.contents(atPath: file) ?? Data()
                return words.contains { path.contains($0) || bytes.range(of: Data($0.utf8)) != nil }
            }
        }
    }
}
