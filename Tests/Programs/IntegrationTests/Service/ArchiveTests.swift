import Database
import Documents
import Foundation
import Media
import People
import TestDeadline
import TestSupport
import Testing

@Suite("The archive of a person with many versions and shares", .deadline)
struct ArchiveTests {
    private static let versions = 150
    private static let schools = 200

    /// A person with a document of many versions, which is shared with many schools of long names and by a link.
    private func makePerson(_ service: DocumentdProgram) throws -> [String: String] {
        let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#
        let made = try service.client.send("POST", "/api/account", json: credentials)
        let path = service.program.path("data/documents.sqlite")
        let accounts = try AccountStore(try SQLiteDatabase(path: path))
        let person = try #require(try accounts.account(at: MailAddress("ada@example.org")!)).account.id
        let store = try DocumentStore(try SQLiteDatabase(path: path), recipes: [Preset.grid.recipe])
        let names = (0..<Self.schools).map { "\($0) \(String(repeating: "é", count: 190))" }
        let schools = try store.addSchools(named: names, of: person)
        try store.transaction {
            var last: ID<Document>?
            for number in 0..<Self.versions {
                let digits = String(1000 + number, radix: 16)
                func padded(_ count: Int) -> String { String(repeating: "0", count: count - digits.count) + digits }
                last = try store.add(
                    NewDocument(
                        owner: person, uploader: person, type: .transcript, title: "Grades", school: schools[0].id,
                        file: Document.File(
                            object: ObjectID(rawValue: padded(32))!, path: "\(person)/transcript/\(number)_a.txt",
                            name: "a.txt", mediaType: .plainText, digest: Digest(hex: padded(64))!, byteCount: 1),
                        predecessor: last)
                ).id
            }
            let shown = try #require(last)
            _ = try store.share(shown, of: person, with: schools.map(\.id), permission: .view)
            _ = try store.addLink(to: shown, of: person, by: person, permission: .view, lifetime: .seconds(3600))
        }
        return ["Cookie": String((made["set-cookie"] ?? "").prefix { $0 != ";" }), "Sec-Fetch-Site": "same-origin"]
    }

    @Test("It has each share and each school once, however many versions there are, and names the files it lacks")
    func size() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let own = try makePerson(service)
        let answer = try service.client.send("GET", "/api/account/archive", headers: own)
        #expect(answer.status == 200)
        // With the schools' names in each version it has over 10 MB.
        #expect(answer.body.count < 1_000_000, "\(answer.body.count) bytes")
        let archive = service.program.path("export.zip")
        try Data(answer.body).write(to: URL(fileURLWithPath: archive))
        let lines = try CompassProgram.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import json, sys, zipfile
                z = zipfile.ZipFile(sys.argv[1])
                assert z.testzip() is None
                read = lambda name: json.loads(z.read(name))
                versions, shares, schools = read('documents.json'), read('shares.json'), read('schools.json')
                print(len(versions), len(shares), len(schools), len(read('missing.json')))
                names = {x['id']: x['name'] for x in schools}
                print(len({names[x['school_id']] for x in shares[0]['shared_with']}), len(shares[0]['links']))
                print({x['line_id'] for x in versions} == {shares[0]['line_id']})
                print(names[versions[0]['school_id']].split()[0], sorted(x['version'] for x in versions)[-1])
                print(read('templates.json'), read('searches.json'), read('account.json')['email'])
                print(all(json.loads(x) for x in z.read('activity.jsonl').splitlines()))
                """,
                archive,
            ]
        ).lines
        #expect(
            lines == [
                "\(Self.versions) 1 \(Self.schools) \(Self.versions)", "\(Self.schools) 1", "True",
                "0 \(Self.versions)", "[] [] ada@example.org", "True",
            ])
    }
}
