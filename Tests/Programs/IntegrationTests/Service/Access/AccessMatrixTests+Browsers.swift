import Foundation
import HTTPSyntax
import Media
import TestSupport
import Testing

extension AccessMatrixTests {
    /// What comes of browsers' sessions from their first request to their last.
    @Suite("Browsers sign in and out", .serialized)
    struct Browsers {
        private static let credentials = #"{"email":"ada@example.org","password":"correct horse"}"#

        private func send(
            _ method: String, _ address: String, _ body: String? = nil, _ headers: [String: String] = [:],
            to service: AccessService
        ) async throws -> ServiceClient.Answer {
            let headers = ["Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"].merging(headers) { $1 }
            return try await service.send(
                AccessRequest(
                    method: method, address: address, headers: headers.filter { !$0.value.isEmpty },
                    body: body.map { Array($0.utf8) }))
        }

        /// The cookie that an answer gives, as a browser sends it back.
        private func cookie(_ answer: ServiceClient.Answer) -> [String: String] {
            ["Cookie": String((answer["set-cookie"] ?? "").prefix { $0 != ";" })]
        }

        @Test("A person signs up, is known by the cookie, signs out, and is not known any more")
        func life() async throws {
            let service = try await AccessService.start()
            let nobody = try await send("GET", "/api/session", to: service)
            #expect(nobody.data?["auth"]?.string == "local" && nobody.data?["account"] == .null)
            let body = #"{"email":" Ada@Example.org","password":"correct horse","name":"  Ada  Lovelace "}"#
            let made = try await send("POST", "/api/account", body, to: service)
            #expect(made.status == 201 && made.data?["account"]?["email"]?.string == "ada@example.org")
            #expect(made.data?["account"]?["name"]?.string == "Ada Lovelace")
            let field = try #require(made["set-cookie"])
            #expect(field.hasPrefix("compass-session="))
            let parts = field.components(separatedBy: "; ").dropFirst()
            #expect(parts.filter { !$0.hasPrefix("Max-Age=") } == ["Path=/", "HttpOnly", "SameSite=Lax"])
            // Two weeks from when the session was made.
            let age = parts.compactMap { $0.hasPrefix("Max-Age=") ? Int($0.dropFirst(8)) : nil }
            #expect(age.count == 1 && (1_209_600 - 600...1_209_600).contains(age[0]), "\(field)")
            #expect(!made.text.contains(String(try #require(cookie(made)["Cookie"]).dropFirst(16))))

            let own = cookie(made)
            let list = try await send("GET", "/api/documents", nil, own, to: service)
            #expect(list.status == 200 && list.data?["documents"]?.array == [])
            let known = try await send("GET", "/api/session", nil, own, to: service)
            #expect(known.data?["account"]?["id"] == made.data?["account"]?["id"] && known["set-cookie"] == nil)

            let out = try await send("DELETE", "/api/session", nil, own, to: service)
            #expect(out.status == 200 && out["clear-site-data"] == "\"cache\"")
            #expect(out["set-cookie"]?.hasPrefix("compass-session=; Path=/; Max-Age=0;") == true)
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await send("GET", "/api/documents", nil, own, to: service).status == 401)
            let after = try await send("GET", "/api/session", nil, own, to: service)
            #expect(after.data?["account"] == .null && after["set-cookie"]?.contains("Max-Age=0") == true)
            await service.stop()
        }

        @Test("Sign-ups and sign-ins with wrong values say what is wrong, beside which field")
        func faults() async throws {
            let service = try await AccessService.start()
            #expect(try await send("POST", "/api/account", Self.credentials, to: service).status == 201)
            let cases: [(String, String, Int, String?, String?)] = [
                (
                    "account", #"{"email":"ADA@example.org","password":"correct horse"}"#, 409, "email",
                    "This email is already registered"
                ),
                (
                    "account", #"{"email":"bob@example.org","password":"1234567"}"#, 400, "password",
                    "Password must be at least 8 characters"
                ),
                ("account", #"{"email":"bob","password":"correct horse"}"#, 400, "email", nil),
                ("account", #"{"email":"bob@exämple.org","password":"correct horse"}"#, 400, "email", nil),
                ("account", #"{"email":"bob@example.org"}"#, 400, "password", nil),
                ("account", #"{"email":"b@example.org","password":"correct horse","role":"x"}"#, 400, "role", nil),
                ("account", #"{"email":"b@example.org","password":"correct horse","name":"\u0007"}"#, 400, "name", nil),
                (
                    "session", #"{"email":"ada@example.org","password":"wrong horse"}"#, 400, nil,
                    "Email or password is wrong"
                ),
                (
                    "session", #"{"email":"nobody@example.org","password":"wrong horse"}"#, 400, nil,
                    "Email or password is wrong"
                ),
                ("session", #"{"email":"ada@example.org","password":""}"#, 400, nil, "Email or password is wrong"),
                ("session", #"["ada"]"#, 400, nil, nil),
            ]
            for (place, body, status, field, message) in cases {
                let answer = try await send("POST", "/api/\(place)", body, to: service)
                #expect(answer.status == status && answer.field == field, "\(body): \(answer.status) \(answer.text)")
                #expect(answer["set-cookie"] == nil)
                if let message { #expect(answer.message == message) }
            }
            await service.stop()
        }

        @Test("After five failures for an address even the right password has to wait")
        func slowed() async throws {
            let service = try await AccessService.start()
            #expect(try await send("POST", "/api/account", Self.credentials, to: service).status == 201)
            let wrong = #"{"email":"ada@example.org","password":"wrong horse"}"#
            for _ in 0..<5 { #expect(try await send("POST", "/api/session", wrong, to: service).status == 400) }
            let late = try await send("POST", "/api/session", Self.credentials, to: service)
            #expect(late.status == 429 && late.code == "too_many" && Int(late["retry-after"] ?? "") ?? 0 > 0)
            await service.stop()
        }

        @Test("A new password needs the present one, and signs out everywhere else")
        func passwords() async throws {
            let service = try await AccessService.start()
            let here = cookie(try await send("POST", "/api/account", Self.credentials, to: service))
            let there = cookie(try await send("POST", "/api/session", Self.credentials, to: service))
            let wrong = #"{"password":"battery staple","current_password":"wrong horse"}"#
            let refused = try await send("PATCH", "/api/account", wrong, here, to: service)
            #expect(refused.status == 400 && refused.field == "current_password")
            let missing = try await send("PATCH", "/api/account", #"{"password":"battery staple"}"#, here, to: service)
            #expect(missing.status == 400 && missing.field == "current_password")
            let right = #"{"password":"battery staple","current_password":"correct horse"}"#
            #expect(try await send("PATCH", "/api/account", right, here, to: service).status == 200)
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await send("GET", "/api/documents", nil, here, to: service).status == 200)
            #expect(try await send("GET", "/api/documents", nil, there, to: service).status == 401)
            await service.stop()
        }

        @Test("A person sees where they are signed in, and ends sessions one by one or all others")
        func sessions() async throws {
            let service = try await AccessService.start()
            let android = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
            let here = cookie(try await send("POST", "/api/account", Self.credentials, to: service))
            let phone = cookie(
                try await send("POST", "/api/session", Self.credentials, ["User-Agent": android], to: service))
            let third = cookie(try await send("POST", "/api/session", Self.credentials, to: service))
            let list = try await send("GET", "/api/account/sessions", nil, here, to: service).data?.array ?? []
            #expect(list.count == 3 && list.count { $0["is_current"] == .bool(true) } == 1)
            let id = try #require(
                list.first { $0["program"]?.string == "Chrome on Android" }?["id"]?.string)
            let address = "/api/account/sessions/\(id)"
            #expect(try await send("DELETE", address, nil, here, to: service).status == 200)
            #expect(try await send("DELETE", address, nil, here, to: service).status == 404)
            #expect(try await send("DELETE", "/api/account/sessions/x", nil, here, to: service).status == 404)
            #expect(try await send("DELETE", "/api/account/sessions/others", nil, here, to: service).status == 200)
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await send("GET", "/api/documents", nil, here, to: service).status == 200)
            #expect(try await send("GET", "/api/documents", nil, phone, to: service).status == 401)
            #expect(try await send("GET", "/api/documents", nil, third, to: service).status == 401)
            await service.stop()
        }

        @Test(
            "Behind a proxy that brings TLS the cookie is bound to the host; by http to another machine there is none")
        func addresses() async throws {
            let service = try await AccessService.start(proxies: try #require(TrustedProxies("127.0.0.1")))
            let https = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "docs.example.org"]
            let made = try await send("POST", "/api/account", Self.credentials, https, to: service)
            let field = try #require(made["set-cookie"])
            #expect(field.hasPrefix("__Host-compass-session=") && field.hasSuffix("; HttpOnly; SameSite=Lax; Secure"))
            let own = cookie(made).merging(https) { $1 }
            #expect(try await send("GET", "/api/documents", nil, own, to: service).status == 200)
            // A cookie of the plain name may have been set by another host of the domain.
            let plain = ["Cookie": try #require(cookie(made)["Cookie"]).replacingOccurrences(of: "__Host-", with: "")]
            #expect(
                try await send("GET", "/api/documents", nil, plain.merging(https) { $1 }, to: service).status == 401)
            #expect(try await send("GET", "/api/documents", nil, plain, to: service).status == 200)
            for address in ["session", "account"] {
                let http = ["X-Forwarded-Proto": "http", "X-Forwarded-Host": "docs.example.org"]
                let refused = try await send("POST", "/api/\(address)", Self.credentials, http, to: service)
                #expect(refused.status == 403 && refused["set-cookie"] == nil)
            }
            await service.stop()
        }

        @Test("A change by a cookie has to come from the service's own page")
        func sites() async throws {
            let service = try await AccessService.start()
            let own = cookie(try await send("POST", "/api/account", Self.credentials, to: service))
            let host = ServiceClient(port: service.port).host
            let cases: [([String: String], Int)] = [
                (["Sec-Fetch-Site": "same-origin"], 201), (["Sec-Fetch-Site": "none"], 201),
                (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
                (["Sec-Fetch-Site": ""], 403), (["Sec-Fetch-Site": "", "Origin": "http://\(host)"], 201),
                (["Sec-Fetch-Site": "", "Origin": "https://evil.example"], 403),
                (["Sec-Fetch-Site": "", "Origin": "null"], 403),
                (["Sec-Fetch-Site": "cross-site", "Origin": "http://\(host)"], 403),
            ]
            for (number, (headers, status)) in cases.enumerated() {
                let answer = try await send(
                    "POST", "/api/schools", #"{"name":"S\#(number)"}"#, own.merging(headers) { $1 }, to: service)
                #expect(answer.status == status, "\(headers): \(answer.status)")
            }
            // Signing in is guarded without a cookie too: a page of others may not sign its visitor in to another's account.
            let foreign = ["Sec-Fetch-Site": "cross-site"]
            #expect(try await send("POST", "/api/session", Self.credentials, foreign, to: service).status == 403)
            #expect(
                try await send("POST", "/api/session", Self.credentials, ["Sec-Fetch-Site": ""], to: service).status
                    == 200)
            let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
            #expect(
                try await send("GET", "/api/documents", nil, own.merging(link) { $1 }, to: service).status == 200)
            await service.stop()
        }

        @Test("A page that was opened for another person is told so, and changes nothing")
        func otherPerson() async throws {
            let service = try await AccessService.start()
            let made = try await send("POST", "/api/account", Self.credentials, to: service)
            let bob = #"{"email":"bob@example.org","password":"correct horse"}"#
            let other = cookie(try await send("POST", "/api/account", bob, to: service))
            let ada = try #require(made.data?["account"]?["id"]?.string)
            let mine = cookie(made).merging(["Expected-Person": ada]) { $1 }
            #expect(try await send("POST", "/api/schools", #"{"name":"A"}"#, mine, to: service).status == 201)
            let wrong = other.merging(["Expected-Person": ada]) { $1 }
            let refused = try await send("POST", "/api/schools", #"{"name":"A"}"#, wrong, to: service)
            #expect(refused.status == 409 && refused.code == "other_person")
            #expect(try await send("GET", "/api/schools", nil, other, to: service).data?.array == [])
            await service.stop()
        }

        @Test("Cookies of every wrong kind are nobody's")
        func wrongCookies() async throws {
            let service = try await AccessService.start()
            let own = try #require(
                cookie(try await send("POST", "/api/account", Self.credentials, to: service))["Cookie"])
            var changed = Array(own.utf8)
            changed[40] = changed[40] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            let wrong = [
                "compass-session=", "compass-session=x", String(decoding: changed, as: UTF8.self), "\(own); \(own)",
                "\(own)0", String(own.dropLast()),
                own.replacingOccurrences(of: "compass-session", with: "Compass-Session"),
                "compass-session=" + String(repeating: "0", count: 112), ";;;=;",
            ]
            for cookie in wrong {
                let answer = try await send("GET", "/api/documents", nil, ["Cookie": cookie], to: service)
                #expect(answer.status == 401, "\(cookie)")
            }
            #expect(
                try await send("GET", "/api/documents", nil, ["Cookie": "a=b; \(own);c=d"], to: service).status == 200)
            let huge = try await send(
                "GET", "/api/documents", nil, ["Cookie": own + String(repeating: "0", count: 65_536)], to: service)
            #expect([400, 401, 431].contains(huge.status))
            await service.stop()
        }

        @Test("A browser that signs in again leaves no session behind")
        func again() async throws {
            let service = try await AccessService.start()
            let first = cookie(try await send("POST", "/api/account", Self.credentials, to: service))
            let second = cookie(try await send("POST", "/api/session", Self.credentials, first, to: service))
            let list = try await send("GET", "/api/account/sessions", nil, second, to: service).data?.array
            #expect(list?.count == 1)
            await service.stop()
        }

        @Test("The stream of events ends when its session does")
        func events() async throws {
            let service = try await AccessService.start()
            let made = cookie(try await send("POST", "/api/account", Self.credentials, to: service))
            let client = ServiceClient(port: service.port)
            let fields = made.map { "\($0.key): \($0.value)\r\n" }.joined()
            let head = "GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\(fields)\r\n"
            async let stream = Task.detached { try client.exchange(Array(head.utf8)) }.value
            try await Task.sleep(for: .seconds(1))
            #expect(try await send("DELETE", "/api/session", nil, made, to: service).status == 200)
            // The stream asks at least each 15 seconds who follows it; then the server closes it, and the exchange ends.
            let began = ContinuousClock.now
            _ = try await stream
            #expect(ContinuousClock.now - began < .seconds(30))
            await service.stop()
        }
    }
}
