import Media
import People
import SignIn
import Synchronization
import TestDeadline
import Testing
import TokenMaking

@Suite("What a provider says of itself", .deadline)
struct DiscoveryTests {
    private let setup: SignInSetup
    private var provider: FakeProvider { setup.provider }

    init() throws { setup = try SignInSetup() }

    @Test("A document of another issuer, by http, or without what is needed sends nobody anywhere")
    func lies() async throws {
        let cases: [(String, JSON?)] = [
            ("issuer", .string("https://issuer.example")), ("issuer", .string(FakeProvider.name + "/")),
            ("issuer", nil),
            ("authorization_endpoint", .string("http://issuer.example/a")), ("authorization_endpoint", nil),
            ("authorization_endpoint", .string("javascript:alert(1)")),
            ("authorization_endpoint", .string("https://issuer.example/a#b")),
            ("token_endpoint", .string("http://127.0.0.1/token")), ("token_endpoint", nil),
            ("token_endpoint", .string("https://a:b@issuer.example/token")),
            ("jwks_uri", .string("file:///etc/passwd")), ("jwks_uri", nil),
            ("jwks_uri", .string("https://issuer.example/a b")),
        ]
        for (name, value) in cases {
            let setup = try SignInSetup()
            setup.provider.describe(name, value)
            await #expect(throws: SignInFault.refused, "\(name) \(value?.text ?? "")") { try await setup.fault() }
        }
        for (end, text) in [
            ("/.well-known/openid-configuration", "<html>"), ("/keys", "{}"), ("/keys", #"{"keys":[]}"#),
        ] {
            let setup = try SignInSetup()
            setup.provider.answer(end, 200, text)
            await #expect(throws: SignInFault.refused) { try await setup.fault() }
        }
    }

    @Test("A provider that is away is asked again after five seconds; what was known of it counts for a day")
    func away() async throws {
        let document = "/.well-known/openid-configuration"
        provider.answer(document, 503, "")
        for _ in 0..<3 { await #expect(throws: SignInFault.away) { try await setup.fault() } }
        #expect(provider.count(of: document) == 1, "asked for each person")
        provider.state.withLock { $0.answers = [:] }
        setup.pass(.seconds(5))
        #expect(try await setup.fault() == nil)
        provider.answer(document, 503, "")
        setup.pass(.seconds(3600))
        for _ in 0..<3 { #expect(try await setup.fault() == nil) }
        #expect(provider.count(of: document) == 3)
        setup.pass(.seconds(86_400))
        await #expect(throws: SignInFault.away) { try await setup.fault() }
    }

    @Test("A token request that is refused, or fails, or is answered with nonsense signs nobody in")
    func tokens() async throws {
        let cases: [(Int, String, SignInFault)] = [
            (500, "", .away), (400, #"{"error":"invalid_client"}"#, .refused), (200, "<html>", .refused),
            (200, "{}", .refused), (200, #"{"id_token":7}"#, .refused), (302, "{}", .refused), (401, "", .refused),
        ]
        for (status, text, fault) in cases {
            provider.answer("/token", status, text)
            #expect(try await setup.fault() == fault, "\(status) \(text)")
        }
    }

    @Test("An address that the token lacks comes from userinfo, where that is about the same subject")
    func userinfo() async throws {
        provider.state.withLock { $0.claims = [.init("email", .null), .init("email_verified", .null)] }
        let told = #"{"sub":"subject","email":"cleo@example.org","email_verified":"true","name":"Cleo"}"#
        provider.answer("/userinfo", 200, told)
        let grant = try #require(try await setup.signIn().grant)
        #expect(grant.account.address.text == "cleo@example.org")
        let request = provider.state.withLock { $0.requests.last! }
        #expect(request.fields.contains("Authorization: Bearer access") && request.form == nil)
        provider.answer("/userinfo", 200, told.replacing("\"subject\"", with: "\"other\""))
        #expect(try await setup.fault() == .refused)
        provider.answer("/userinfo", 401, "")
        #expect(try await setup.fault() == .away)
    }

    @Test("A list that makes no sense is refused with what is wrong")
    func lists() throws {
        let cases: [([JSON.Member], String)] = [
            ([.init("name", .string("email"))], "name"), ([.init("name", .string("Linked In"))], "name"),
            ([.init("name", .null)], "name"), ([.init("label", .null)], "label"),
            ([.init("label", .string(""))], "label"),
            ([.init("issuer", .string("http://issuer.example"))], "issuer"), ([.init("issuer", .null)], "issuer"),
            ([.init("issuer", .string("https://issuer.example/?a"))], "issuer"),
            ([.init("client_id", .null)], "client_id"),
            ([.init("secret", .string("a"))], "secret"), ([.init("nonce", .string("no"))], "nonce"),
            ([.init("scopes", .string("email"))], "openid"), ([.init("scopes", .array([]))], "scopes"),
            ([.init("client_secret_file", .null), .init("pkce", .bool(false))], "pkce"),
        ]
        for (entry, word) in cases {
            do {
                _ = try OpenIDProvider.list(in: SignInSetup.list(entry)) { _ in "secret" }
                Issue.record("\(entry)")
            } catch { #expect("\(error)".contains(word), "\(error)") }
        }
        for text in ["", "[]", "{}", #"{"providers":{}}"#, #"{"providers":[],"x":1}"#, #"{"providers":[1]}"#] {
            #expect(throws: OpenIDProvider.ListFault.self) {
                try OpenIDProvider.list(in: Array(text.utf8)) { _ in "secret" }
            }
        }
        let entry = String(decoding: SignInSetup.list([]), as: UTF8.self).dropFirst(15).dropLast(2)
        #expect(throws: OpenIDProvider.ListFault.self) {
            try OpenIDProvider.list(in: Array(#"{"providers":[\#(entry),\#(entry)]}"#.utf8)) { _ in "secret" }
        }
    }
}
