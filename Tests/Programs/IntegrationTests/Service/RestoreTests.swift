import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// Restores that once lost what nobody had deleted, or brought back what had ended.
@Suite("documentd restore", .deadline)
struct RestoreTests {
    private let program: CompassProgram
    private var data: String { program.path("data") }

    init() throws { program = try CompassProgram() }

    private func run(_ words: String...) throws -> CompassProgram.Output {
        try CompassProgram.run(CompassProgram.built("documentd"), words, environment: [:])
    }

    /// Serves the folder for as long as the body runs.
    private func serving(_ flags: [String] = [], _ body: (DocumentdProgram) throws -> Void) throws {
        let documentd = try DocumentdProgram(["--worker", "no"] + flags, in: program)
        defer { documentd.stop() }
        try body(documentd)
        #expect(try documentd.end() == 0)
    }

    private func store(_ name: String, in documentd: DocumentdProgram) throws {
        let sent = try documentd.client.send(
            "POST", "/api/documents?type=transcript&file_name=\(name).txt&title=\(name)", body: Array("\(name)\n".utf8))
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test("After an older backup was restored by mistake, the newer one brings everything back")
    func mistake() throws {
        defer { program.remove() }
        let (older, newer) = (program.path("older"), program.path("newer"))
        try serving { documentd in
            try store("one", in: documentd)
            #expect(try run("backup", "--data", data, older).status == 0)
            try store("two", in: documentd)
            #expect(try run("accounts", "add", "--data", data, "eve@example.org").status == 0)
            #expect(try run("backup", "--data", data, newer).status == 0)
        }
        for backup in [older, newer] {
            let back = try run("restore", "--data", data, backup)
            #expect(back.status == 0 && back.standardOutput.contains(" 0 versions"), "\(back)")
        }
        #expect(try run("accounts", "list", "--data", data).standardOutput.contains("eve@example.org"))
        let formers = ["", "-2"].map { "\(data)/documents.sqlite-before-restore\($0)" }
        #expect(formers.allSatisfy(FileManager.default.fileExists), "the first restore's is not overwritten")
        try serving { documentd in
            #expect(try documentd.client.send("GET", "/api/documents").data?["total"]?.int == 2)
            try documentd.waitForStoredFiles(2)
        }
    }

    @Test("Files that were replaced while a backup ran, and once more later, are restored", .timeLimit(.minutes(2)))
    func replacedTwice() throws {
        defer { program.remove() }
        let (folder, backup) = (
            "/storage/v1/object/documents/00000000-0000-7000-8000-000000000001/transcript", program.path("backup")
        )
        let names = (0..<60).map { "\($0).txt" }
        try serving { documentd in
            let fields = ["apikey": try documentd.key(), "x-upsert": "true"]
            let client = documentd.client
            @Sendable func put(_ text: String) throws {
                for name in names {
                    let sent = try client.send("POST", "\(folder)/\(name)", headers: fields, body: Array(text.utf8))
                    #expect(sent.status == 200, "\(sent.text)")
                }
            }
            try put("first\n")
            let replacing = Thread { for round in 0..<4 { try? put("during \(round)\n") } }
            replacing.start()
            let made = try run("backup", "--data", data, backup)
            #expect(made.status == 0, "\(made)")
            _ = try Waiting.forValue("the replacements do not end") { replacing.isFinished ? true : nil }
            try put("last\n")
        }
        let back = try run("restore", "--data", data, backup)
        #expect(back.status == 0, "\(back)")
        try serving { documentd in
            let fields = ["apikey": try documentd.key()]
            for name in names {
                #expect(try documentd.client.send("GET", "\(folder)/\(name)", headers: fields).status == 200, "\(name)")
            }
        }
    }

    @Test("An invitation that was accepted since the backup stays accepted")
    func invitation() throws {
        defer { program.remove() }
        func signUp(_ name: String, _ client: ServiceClient) throws -> [String: String] {
            let answer = try client.send(
                "POST", "/api/account", json: #"{"email":"\#(name)@example.org","password":"a long password"}"#)
            #expect(answer.status == 201, "\(answer.text)")
            let cookie = String((answer["set-cookie"] ?? "").prefix { $0 != ";" })
            return ["Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"]
        }
        var (people, token): ([[String: String]], String) = ([], "")
        func accept(by person: Int, _ client: ServiceClient) throws -> Int {
            try client.send(
                "POST", "/api/account/invitation/acceptance", headers: people[person],
                body: Array(#"{"token":"\#(token)"}"#.utf8)
            ).status
        }
        try serving(["--auth", "local"]) { documentd in
            people = try ["ada", "gus", "xen"].map { try signUp($0, documentd.client) }
            let invited = try documentd.client.send(
                "POST", "/api/account/guardians", headers: people[0],
                body: Array(#"{"email":"gus@example.org","right":"manage"}"#.utf8))
            token = try #require(invited.data?["url"]?.string?.components(separatedBy: "#").last, "\(invited.text)")
            #expect(try run("backup", "--data", data, program.path("backup")).status == 0)
            #expect(try accept(by: 1, documentd.client) == 200)
        }
        #expect(try run("restore", "--data", data, program.path("backup")).status == 0)
        try serving(["--auth", "local"]) { documentd in
            let session = try documentd.client.send("GET", "/api/session", headers: people[1])
            #expect(session.text.contains("ada@example.org"), "\(session.text)")
            #expect(try accept(by: 2, documentd.client) == 410)
        }
    }
}
