import Foundation
import Media
import TestSupport
import Testing

extension AccessMatrixTests {
    @Suite("Visitors of links")
    struct Visitors {
        @Test("An owner makes a link, a visitor opens it without an account, and the owner sees the visit and ends it")
        func visit() async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let place = "/api/documents/\(things.document)/links"
            let own = ["Authorization": "Bearer \(things.person.token)"]
            func ask(_ method: String, _ address: String, _ headers: [String: String] = [:], _ json: String? = nil)
                async throws -> ServiceClient.Answer
            {
                try await service.send(
                    AccessRequest(method: method, address: address, headers: headers, body: json.map { Array($0.utf8) })
                )
            }
            let made = try await ask("POST", place, own, #"{"permission":"view","days":7}"#)
            #expect(made.status == 201 && made.data?["permission"]?.string == "view", "\(made.text)")
            let page = try #require(made.data?["url"]?.string)
            #expect(page.hasPrefix("/shared?link="))
            let query = try #require(page.split(separator: "?").last)

            let opened = try await ask("GET", "/api/shared?\(query)")
            let shown = try #require(opened.data?.members)
            #expect(opened.data?["title"]?.string == AccessThings.marker && opened.data?["file_url"] == .null)
            // Nothing of the owner beside the document.
            let known: Set = [
                "title", "type", "type_label", "file_type", "file_size", "file_name", "file_url", "thumbnail_url",
                "state",
                "failure", "placeholder", "facts", "updated_at", "permission", "expires_at",
            ]
            #expect(Set(shown.map(\.key)) == known)
            #expect(!opened.text.contains(things.document) && !opened.text.contains(things.owner.text))
            let file = try await ask("GET", "/api/shared/file?\(query)")
            #expect(file.status == 403 && file.code == "view_only")
            #expect(try await ask("GET", "/api/shared/pages/99?\(query)").status == 503)
            #expect(try await ask("GET", "/api/shared/pages/0?\(query)").status == 404)
            #expect(try await ask("HEAD", "/api/shared?\(query)").status == 200)

            let id = try #require(made.data?["id"]?.string)
            let links = try await ask("GET", place, own)
            let link = links.data?.array?.first { $0["id"]?.string == id }
            #expect(link?["visit_count"]?.integer == 1 && link?["last_visit_at"]?.string != nil)
            #expect(try await ask("DELETE", "\(place)/\(id)", own).status == 200)
            let ended = try await ask("GET", "/api/shared?\(query)")
            #expect(ended.status == 404 && ended.message == "Link not found")

            let lasting = try await ask("POST", place, own, #"{"permission":"download"}"#)
            let other = try #require(lasting.data?["url"]?.string?.split(separator: "?").last)
            let whole = try await ask("GET", "/api/shared/file?\(other)&download")
            #expect(whole.status == 200 && whole["content-disposition"]?.hasPrefix("attachment") == true)
            #expect(try await ask("DELETE", "/api/documents/\(things.document)", own).status == 200)
            #expect(try await ask("GET", "/api/shared/file?\(other)").status == 404)
            await service.stop()
        }

        @Test(
            "A link with a wrong permission or end is not made",
            arguments: [
                (#"{"permission":"edit"}"#, "permission"), (#"{"permission":1}"#, "permission"),
                (#"{"days":0}"#, "days"),
                (#"{"days":366}"#, "days"), (#"{"days":1.5}"#, "days"), (#"{"days":"7"}"#, "days"),
                (#"{"end":1}"#, "end"),
            ])
        func faults(body: String, field: String) async throws {
            let service = try await AccessService.start()
            let things = try await AccessThings(on: service)
            let answer = try await service.send(
                AccessRequest(
                    method: "POST", address: "/api/documents/\(things.document)/links",
                    headers: ["Authorization": "Bearer \(things.person.token)"], body: Array(body.utf8)))
            #expect(answer.status == 400 && answer.field == field, "\(answer.text)")
            await service.stop()
        }
    }
}
