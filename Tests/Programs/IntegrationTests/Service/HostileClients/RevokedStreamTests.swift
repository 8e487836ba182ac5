import Foundation
import Linux
import Media
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("Rights that end while an answer goes on", .serialized)
    struct RevokedStreamTests {
        /// An answer asks with a write, every ten seconds, whether its reader may go on; how soon its next write comes, is up to the reader. At the
        /// readers' pace the whole file takes 74 s.
        private static let mostTime = Duration.seconds(60)

        /// Readers of one service, each with what it reads.
        private struct Readers {
            let swarm: ClientSwarm

            func follow(_ name: String, _ address: String, _ headers: [(name: String, value: String)] = []) throws {
                let request = HostileRequest(name: name, method: "GET", address: address, headers: headers)
                try swarm.add(
                    request, id: name, sending: request.whole(id: Self.id(name)),
                    reading: .slowly(byteCount: 8000, pause: .milliseconds(10)), buffers: .small)
            }

            /// The id in the log.
            static func id(_ name: String) -> String { "follows-\(name.filter { $0 != " " && $0 != ":" })" }

            /// Everything that a person reads of a document.
            func follow(_ name: String, _ person: HostilePerson, _ document: String) throws {
                let path = try RevokedStreamTests.path(of: document, person)
                try follow("\(name): events", "/api/events", person.credentials)
                try follow("\(name): file", "/api/documents/\(document)/file", person.credentials)
                try follow("\(name): picture", "/api/documents/\(document)/picture", person.credentials)
                try follow("\(name): object", "/storage/v1/object/documents/\(path)", person.credentials)
            }

            /// What others read by addresses that a person has signed.
            func followSigned(_ name: String, _ person: HostilePerson, _ document: String) throws {
                let (path, address) = (
                    try RevokedStreamTests.path(of: document, person), "/api/documents/\(document)/file"
                )
                let signed = try person.must(
                    "POST", "/storage/v1/object/sign/documents/\(path)", body: Array(#"{"expiresIn":600}"#.utf8))
                try follow("\(name): signed object", "/storage/v1\(signed.json?["signedURL"]?.string ?? "")")
                let handed = try person.must(
                    "POST", "/api/addresses", body: Array(#"{"addresses":["\#(address)"]}"#.utf8))
                try follow("\(name): signed file", handed.data?["addresses"]?.array?.first?.string ?? "")
            }

            /// What the visitor of a link reads.
            ///
            /// - Returns: the link.
            func followLink(_ name: String, _ person: HostilePerson, _ document: String) throws -> String {
                let made = try person.must(
                    "POST", "/api/documents/\(document)/links", body: Array(#"{"permission":"download"}"#.utf8)
                ).data
                let token = made?["url"]?.string?.split(separator: "=").last ?? ""
                try follow("\(name): shared file", "/api/shared/file?link=\(token)")
                try follow("\(name): shared picture", "/api/shared/picture?link=\(token)")
                return made?["id"]?.string ?? ""
            }
        }

        @Test("Streams, files on their way and waiting pictures end once their reader has lost the right to them")
        func answers() throws {
            let service = try HostileService(
                stallTime: .seconds(60), ["--picture-wait", "10", "--max-upload", "60000000"])
            defer { service.remove() }
            let readers = Readers(swarm: ClientSwarm(port: service.client.port))
            let persons = try (0..<5).map { _ in try HostilePerson(service) }
            let documents = try persons.map { try Self.largeDocument(of: $0) }
            try readers.follow("session", persons[0], documents[0])
            try readers.follow("account", persons[1], documents[1])
            try readers.followSigned("account", persons[1], documents[1])
            _ = try readers.followLink("account", persons[1], documents[1])
            let guardian = try persons[2].makeGuardian()
            try readers.follow("guardianship", guardian, documents[2])
            try readers.followSigned("guardianship", guardian, documents[2])
            try readers.follow("document: file", "/api/documents/\(documents[3])/file", persons[3].credentials)
            try readers.followSigned("document", persons[3], documents[3])
            let link = try readers.followLink("link", persons[4], documents[4])
            let swarm = readers.swarm
            swarm.run(for: .seconds(1)) { _ in false }
            #expect(swarm.over == [], "they ended early")

            try persons[0].must("POST", "/auth/v1/logout?scope=global", body: [])
            try service.accounts("disable", persons[1].email)
            try persons[2].endGuardianships()
            try persons[3].must("DELETE", "/api/documents/\(documents[3])")
            try persons[4].must("DELETE", "/api/documents/\(documents[4])/links/\(link)")
            // The log tells when an answer ends; the client's buffers have some of it still.
            var goOn = swarm.clients.map(\.id)
            let end = Time.monotonic + Self.mostTime
            while !goOn.isEmpty, Time.monotonic < end {
                swarm.run(for: .milliseconds(500)) { _ in false }
                let ended = service.endedRequests()
                goOn = goOn.filter { !ended.contains(Readers.id($0)) }
            }
            #expect(goOn == [])
        }

        private static func largeDocument(of person: HostilePerson) throws -> String {
            let made = try person.must(
                "POST", "/api/documents?type=transcript&title=T&file_name=large.txt",
                body: HostileRequest.text(59_000_000))
            return made.data?["id"]?.string ?? ""
        }

        fileprivate static func path(of document: String, _ person: HostilePerson) throws -> String {
            let row = try person.must("GET", "/rest/v1/documents?select=file_url&id=eq.\(document)").json?.array?.first
            let address = row?["file_url"]?.string ?? ""
            return address.components(separatedBy: "/documents/").last?.components(separatedBy: "?").first ?? ""
        }
    }
}
