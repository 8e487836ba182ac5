import Foundation
import MailSupport
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("What one kind of credential opens, no other kind does", .serialized, .deadline)
struct CredentialKindTests {
    private static let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#

    @Test("A cookie is no bearer's token and a token is no cookie, also right after each was used as what it is")
    func kinds() throws {
        let service = try DocumentdProgram(["--auth", "local", "--worker", "no"])
        defer { service.remove() }
        let client = service.client
        let made = try client.send("POST", "/api/account", json: Self.credentials)
        let cookie = String(try #require(made["set-cookie"]).prefix { $0 != ";" })
        let value = String(cookie.drop { $0 != "=" }.dropFirst())
        let signIn = try client.send("POST", "/auth/v1/token?grant_type=password", json: Self.credentials)
        let token = try #require(signIn.json?["access_token"]?.string)
        let refresh = try #require(signIn.json?["refresh_token"]?.string)
        let key = ["apikey": try service.key()]
        func bearer(_ text: String) -> [String: String] { ["Authorization": "Bearer \(text)"] }
        func browser(_ text: String) -> [String: String] {
            ["Cookie": "compass-session=\(text)", "Sec-Fetch-Site": "same-origin"]
        }
        for address in ["/api/documents", "/api/account/sessions"] {
            for _ in 0..<2 {
                #expect(try client.send("GET", address, headers: browser(value)).status == 200)
                #expect(try client.send("GET", address, headers: bearer(value)).status == 401, "\(address)")
                #expect(try client.send("GET", address, headers: bearer(token)).status == 200)
                #expect(try client.send("GET", address, headers: browser(token)).status == 401, "\(address)")
                for other in [refresh, key["apikey"]!] {
                    #expect(try client.send("GET", address, headers: bearer(other)).status == 401)
                    #expect(try client.send("GET", address, headers: browser(other)).status == 401)
                }
            }
        }
        #expect(try client.send("GET", "/api/documents", headers: browser(value)).status == 200)
        let rows = try client.send("GET", "/rest/v1/documents", headers: key.merging(bearer(value)) { $1 })
        #expect(rows.status == 401, "\(rows.text)")
        #expect(try client.send("GET", "/auth/v1/user", headers: bearer(value)).status == 401)
    }

    @Test("Strangers' sign-ups use up nothing of a person's own recovery, from elsewhere or from the same network")
    func letters() throws {
        let box = try MailBox()
        defer { box.remove() }
        let service = try DocumentdProgram([
            "--auth", "local", "--worker", "no", "--trusted-proxies", "127.0.0.1", "--mail-server",
            "smtp://127.0.0.1:\(box.port)", "--mail-from", "Compass <noreply@example.org>", "--public-address",
            "http://localhost:8080",
        ])
        defer { service.remove() }
        func ask(_ path: String, _ body: String, from network: String) throws -> ServiceClient.Answer {
            try service.client.send(
                "POST", path,
                headers: [
                    "Content-Type": "application/json", "X-Forwarded-For": network, "X-Forwarded-Proto": "https",
                    "Sec-Fetch-Site": "same-origin",
                ], body: Array(body.utf8))
        }
        #expect(try ask("/api/account", Self.credentials, from: "192.0.2.1").status == 202)
        _ = try #require(try box.mail(1))
        var count = 1
        /// Signs up with the person's address until several letters have gone out, so that the next one would have to wait.
        func attack(from network: String) throws {
            for _ in 0..<3 {
                let end = Date().addingTimeInterval(20)
                while try box.mail(count + 1, within: 0.05) == nil, Date() < end {
                    _ = try ask("/api/account", Self.credentials, from: network)
                }
                count += 1
            }
        }
        for (network, person) in [("198.51.100.7", "203.0.113.9"), ("203.0.113.77", "203.0.113.77")] {
            try attack(from: network)
            let asked = try ask("/api/account/recovery", #"{"email":"ada@example.org"}"#, from: person)
            #expect(asked.status == 202, "\(asked.text)")
            var token: String?
            while token == nil, let mail = try box.mail(count + 1, within: 5) {
                count += 1
                token = mail.token(for: "reset")
            }
            #expect(token != nil, "no letter of the recovery from \(person)")
        }
    }
}
