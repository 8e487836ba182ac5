import Documents
import Foundation
import Library
import Media
import People
import Supabase
import TestSupport
import Testing

extension AccessMatrixTests {
    /// Each test has a service of its own.
    @Suite("What persons have handed out ends with their right")
    struct Revocation {
        private static let json = ["Content-Type": "application/json"]

        private static func ask(
            _ service: AccessService, _ method: String, _ address: String, _ headers: [String: String] = [:],
            _ body: String? = nil
        ) async throws -> ServiceClient.Answer {
            try await service.send(
                AccessRequest(
                    method: method, address: address, headers: headers.merging(json) { old, _ in old },
                    body: body.map { Array($0.utf8) }))
        }

        /// Asks until the answer has a status, as what other processes have changed counts within a second.
        private static func expect(
            _ status: Int, _ service: AccessService, _ method: String, _ address: String,
            _ headers: [String: String] = [:]
        ) async throws {
            let end = ContinuousClock.now + .seconds(10)
            var last = 0
            while ContinuousClock.now < end {
                last = try await ask(service, method, address, headers).status
                if last == status { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("\(method) \(address): \(last), not \(status)")
        }

        private static func guardianship(_ name: String, on service: AccessService, of things: AccessThings) throws
            -> ID<Guardianship>
        {
            try #require(
                try service.desk.guardians(of: things.owner).first {
                    $0.guardianship.guardian == service.guardians[name]?.id
                }
            ).guardianship.id
        }

        @Test("A guardian's link says who made it, ends with the guardianship, and does not come back with a new one")
        func guardiansLink() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let place = "/api/documents/\(things.document)/links"
            let manager = try #require(service.guardians["manager"])
            let own = ["Authorization": "Bearer \(things.person.token)"]
            let made = try await Self.ask(
                service, "POST", place, things.acting("manager"), #"{"permission":"download"}"#)
            #expect(made.status == 201, "\(made.text)")
            let query = try #require(made.data?["url"]?.string?.split(separator: "?").last)
            let id = try #require(made.data?["id"]?.string)
            for part in ["", "/thumbnail", "/file"] {
                #expect(try await Self.ask(service, "GET", "/api/shared\(part)?\(query)").status < 400, "\(part)")
            }
            func listed() async throws -> JSON? {
                try await Self.ask(service, "GET", place, own).data?.array?.first { $0["id"]?.string == id }
            }
            let before = try await listed()
            #expect(before?["made_by"]?["id"]?.string == manager.id.text && before?["is_open"]?.bool == true)
            #expect(before?["made_by"]?["name"]?.string == AccessThings.marker)
            #expect(before?["made_by"]?["email"]?.string == "\(manager.id)@example.org")

            let ended = try Self.guardianship("manager", on: service, of: things)
            try service.desk.endGuardianship(ended, by: things.owner)
            for part in ["", "/thumbnail", "/pages/1", "/frame", "/file", "/text?q=a"] {
                let sign = part.contains("?") ? "&" : "?"
                try await Self.expect(404, service, "GET", "/api/shared\(part)\(sign)\(query)")
            }
            #expect(try await listed()?["is_open"]?.bool == false)
            let visits = try await listed()?["visit_count"]?.integer
            #expect(try await Self.ask(service, "GET", "/api/shared?\(query)").status == 404)
            #expect(try await listed()?["visit_count"]?.integer == visits, "only what was opened counts")
            // The owner's own link goes on.
            let view = try #require(things.links["view"]).token.text
            #expect(try await Self.ask(service, "GET", "/api/shared?link=\(view)").status == 200)

            // Links have the time of their making to the second.
            try await Task.sleep(for: .milliseconds(1100))
            let (_, token) = try service.desk.invite(
                "\(manager.id)@example.org", by: things.owner, right: .manage, client: "a")
            _ = try service.desk.acceptInvitation(token, by: manager.id)
            #expect(try await listed()?["is_open"]?.bool == false)
            #expect(try await Self.ask(service, "GET", "/api/shared?\(query)").status == 404)
            await service.stop()
        }

        @Test("The links of a disabled account open nothing until it is enabled again")
        func disabled() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let address = "/api/shared?link=\(try #require(things.links["view"]).token.text)"
            #expect(try await Self.ask(service, "GET", address).status == 200)
            try service.desk.store.setDisabled(true, for: things.owner)
            try await Self.expect(404, service, "GET", address)
            try service.desk.store.setDisabled(false, for: things.owner)
            try await Self.expect(200, service, "GET", address)
            await service.stop()
        }

        @Test("An address is signed for seven days at most, and lives no longer whatever its token says")
        func longest() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let own = [
                "Authorization": "Bearer \(things.person.token)", "apikey": AccessService.keys.key(of: .anonymous),
            ]
            for (seconds, status) in [("604800", 200), ("\"604800\"", 200), ("604801", 400), ("1099511627776", 400)] {
                let one = try await Self.ask(
                    service, "POST", "/storage/v1/object/sign/documents/\(things.filePath)", own,
                    #"{"expiresIn":\#(seconds)}"#)
                let many = try await Self.ask(
                    service, "POST", "/storage/v1/object/sign/documents", own,
                    #"{"expiresIn":\#(seconds),"paths":["\#(things.filePath)"]}"#)
                #expect(one.status == status && many.status == status, "\(seconds): \(one.text) \(many.text)")
            }
            let refused = try await Self.ask(
                service, "POST", "/api/addresses", own,
                #"{"addresses":["/api/documents/\#(things.document)/file"],"seconds":604801}"#)
            #expect(refused.status == 400 && refused.field == "seconds")
            // As a program signed that had no bound.
            let now = Instant.now.microseconds / 1_000_000
            func status(signed age: Int64) async throws -> Int {
                let claims = JSON.object([
                    "url": .string("documents/\(things.filePath)"), "use": .string("object"),
                    "owner": .string(things.owner.text), "actor": .string(things.owner.text), "epoch": .integer(0),
                    "iat": .integer(now - age), "exp": .integer(now + 1 << 40),
                ])
                let token = WireToken.sign(claims, with: AccessService.secret)
                return try await Self.ask(
                    service, "GET", "/storage/v1/object/sign/documents/\(things.filePath)?token=\(token)"
                ).status
            }
            #expect(try await status(signed: 604_000) == 200)
            #expect(try await status(signed: 604_801) == 400)
            await service.stop()
        }

        @Test(
            "A sign-out everywhere ends every address that the person has signed, and leaves those of others",
            arguments: ["global", "others", "local"])
        func signOut(scope: String) async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let key = ["apikey": AccessService.keys.key(of: .anonymous)]
            let own = key.merging(["Authorization": "Bearer \(things.person.token)"]) { $1 }
            func addresses(_ headers: [String: String]) async throws -> [String] {
                let file = things.filePath
                let picture = try await Self.ask(
                    service, "POST", "/storage/v1/object/sign/documents/\(file)", headers,
                    #"{"expiresIn":600,"transform":{"width":100}}"#)
                let signed = try await Self.ask(
                    service, "POST", "/storage/v1/object/sign/documents/\(file)", headers, #"{"expiresIn":600}"#)
                let rows = try await Self.ask(service, "GET", "/rest/v1/documents?select=file_url", headers)
                let row = try #require(rows.json?.array?.first?["file_url"]?.string)
                let parts = row.components(separatedBy: "/storage/v1")
                let face = try await Self.ask(
                    service, "POST", "/api/addresses", headers,
                    #"{"addresses":["/api/documents/\#(things.document)/file"]}"#)
                return [
                    "/storage/v1\(try #require(signed.json?["signedURL"]?.string))",
                    "/storage/v1\(try #require(picture.json?["signedURL"]?.string))", "/storage/v1\(parts[1])",
                    try #require(face.data?["addresses"]?.array?.first?.string),
                ]
            }
            let (mine, guardians) = (
                try await addresses(own), try await addresses(things.acting("manager").merging(key) { $1 })
            )
            // A picture of a text is none, or is still to be made: the address is accepted.
            func isRefused(_ answer: ServiceClient.Answer) -> Bool {
                answer.status == 401 || answer.status == 400 && answer.text.contains("Unauthorized")
            }
            for address in mine + guardians {
                let answer = try await Self.ask(service, "GET", address)
                #expect(!isRefused(answer), "\(address): \(answer.text)")
            }
            #expect(try await Self.ask(service, "POST", "/auth/v1/logout?scope=\(scope)", own).status == 204)
            try await Task.sleep(for: .milliseconds(1100))
            for (address, isMine) in mine.map({ ($0, true) }) + guardians.map({ ($0, false) }) {
                let answer = try await Self.ask(service, "GET", address)
                #expect(isRefused(answer) == (isMine && scope != "local"), "\(address): \(answer.text)")
            }
            await service.stop()
        }

        /// Sends a request whose body ends after the guardianship has.
        private static func status(
            _ head: String, _ body: String, on service: AccessService, _ things: AccessThings
        ) async throws -> Int? {
            let client = ServiceClient(port: service.port)
            let id = try guardianship("manager", on: service, of: things)
            let (folder, desk, owner) = ("\(service.folder)/store", service.desk, things.owner)
            func files() -> Set<String> {
                Set(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            }
            let before = files()
            let start =
                "\(head)\r\nHost: \(client.host)\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            return try await SplitRequest.send(
                Array((start + body.dropLast()).utf8), Array(body.suffix(1).utf8), to: client
            ) {
                // The service has admitted the request once it has a file for it.
                let end = Date().addingTimeInterval(20)
                while Set(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []) == before,
                    Date() < end
                { usleep(10_000) }
                try desk.endGuardianship(id, by: owner)
            }
        }

        @Test(
            "An upload that a guardian began is not stored once the guardianship has ended, by whichever way it comes",
            arguments: ["api", "wire", "signed"])
        func upload(way: String) async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            var headers = things.acting("manager")
            headers["apikey"] = AccessService.keys.key(of: .anonymous)
            let path = "\(things.owner)/transcript/9_new.txt"
            let line: String
            switch way {
            case "api": line = "POST /api/documents?type=transcript&title=Late&file_name=late.txt HTTP/1.1"
            case "wire": line = "POST /storage/v1/object/documents/\(path) HTTP/1.1\r\nContent-Type: text/plain"
            default:
                let signed = try await Self.ask(
                    service, "POST", "/storage/v1/object/upload/sign/documents/\(path)", headers, "{}")
                let address = try #require(signed.json?["url"]?.string)
                line = "PUT /storage/v1\(address) HTTP/1.1\r\nContent-Type: text/plain"
                headers = [:]
            }
            let fields = headers.map { "\r\n\($0.key): \($0.value)" }.joined()
            let status = try await Self.status(line + fields, "Some late text.\n", on: service, things)
            #expect(status == (way == "api" ? 403 : 400))
            let own = [
                "Authorization": "Bearer \(things.person.token)", "apikey": AccessService.keys.key(of: .anonymous),
            ]
            let documents = try await Self.ask(service, "GET", "/api/documents", own)
            #expect(documents.data?["documents"]?.array?.count == 1, "\(documents.text)")
            let list = try await Self.ask(
                service, "POST", "/storage/v1/object/list/documents", own,
                #"{"prefix":"\#(things.owner)/transcript"}"#)
            #expect(list.status == 200 && !list.text.contains("9_new") && !list.text.contains("late"), "\(list.text)")
            await service.stop()
        }
    }
}
