import Foundation
import Media
import People
import Supabase
import TestSupport
import Testing

extension AccessMatrixTests {
    @Suite("Guardians")
    struct Guardians {
        @Test(
            "Images and streams, which have no header fields of their own, name the athlete in the address",
            arguments: ["documents", "documents/statistics", "documents/DOCUMENT/thumbnail?preset=grid", "events"])
        func addresses(path: String) async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let address = "/api/\(path.replacingOccurrences(of: "DOCUMENT", with: things.document))"
            let named = "\(address)\(address.contains("?") ? "&" : "?")person=\(things.owner)"
            func status(_ caller: String) async throws -> Int {
                var headers = things.acting(caller)
                headers["Acting-For"] = nil
                return try await service.send(AccessRequest(method: "GET", address: named, headers: headers)).status
            }
            // The second call of each is answered by what is known of the first one.
            for _ in 0..<2 { #expect(try await status("viewer") == 200) }
            for _ in 0..<2 { #expect(try await status("stranger") == 403) }
            for _ in 0..<2 { #expect(try await status("former") == 403) }
            await service.stop()
        }

        @Test(
            "What a guardian has signed on the app's wire ends with the guardianship, and so does an upload on its way")
        func signed() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            var headers = things.acting("manager")
            headers["apikey"] = AccessService.keys.key(of: .anonymous)
            func post(_ place: String, _ json: String) async throws -> JSON? {
                try await service.send(
                    AccessRequest(
                        method: "POST", address: "/storage/v1/object/\(place)",
                        headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: Array(json.utf8))
                ).json
            }
            let reading = try #require(
                try await post("sign/documents/\(things.filePath)", #"{"expiresIn":600000}"#)?["signedURL"]?.string)
            let writing = try #require(
                try await post("upload/sign/documents/\(things.owner)/transcript/9_new.txt", "{}")?["url"]?.string)
            func status(_ method: String, _ address: String) async throws -> Int {
                try await service.send(
                    AccessRequest(
                        method: method, address: "/storage/v1\(address)", headers: ["Content-Type": "text/plain"],
                        body: method == "PUT" ? Array("Text\n".utf8) : nil)
                ).status
            }
            #expect(try await status("GET", reading) == 200)
            let ended = try #require(
                try service.desk.guardians(of: things.owner).first {
                    $0.guardianship.guardian == service.guardians["manager"]?.id
                })
            try service.desk.endGuardianship(ended.guardianship.id, by: things.owner)
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await status("GET", reading) == 400)
            #expect(try await status("PUT", writing) == 400)
            let list = try await service.send(
                AccessRequest(
                    method: "POST", address: "/storage/v1/object/list/documents",
                    headers: ["Authorization": "Bearer \(things.person.token)", "apikey": headers["apikey"]!],
                    body: Array(#"{"prefix":"\#(things.owner)/transcript"}"#.utf8)))
            #expect(!list.text.contains("9_new"))
            await service.stop()
        }

        @Test("What a guardian stores belongs to the athlete, and says who stored it")
        func uploader() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let guardian = try #require(service.guardians["manager"])
            let made = try await service.send(
                AccessRequest(
                    method: "POST", address: "/api/documents?type=transcript&title=T&file_name=a.txt",
                    headers: things.acting("manager"), body: Array("Some text.\n".utf8)))
            #expect(made.data?["user_id"]?.string == things.owner.text)
            #expect(made.data?["uploaded_by"]?.string == guardian.id.text)
            let own = try await service.send(
                AccessRequest(
                    method: "GET", address: "/api/documents", headers: ["Authorization": "Bearer \(guardian.token)"]))
            #expect(own.data?["documents"]?.array == [])
            await service.stop()
        }
    }
}
