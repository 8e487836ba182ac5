import HTTPServing
import HTTPSyntax
import Linux
import Media
import People
import SignIn
import Synchronization
import TestDeadline
import Testing
import TokenMaking

@Suite("The way to a provider and back", .deadline)
struct WayTests {
    private let setup: SignInSetup
    private var provider: FakeProvider { setup.provider }
    private var elsewhere: SignInElsewhere { setup.elsewhere }

    init() throws { setup = try SignInSetup(origins: "https://app.example,http://localhost:5173") }

    private func begin(_ setup: SignInSetup? = nil) async throws -> QueryItems {
        let address = try await (setup ?? self.setup).elsewhere.begin(
            "mock", .screen(path: "/documents"), browser: SignInSetup.browser, client: "a")
        return QueryItems(String(address.split(separator: "?", maxSplits: 1)[1]))!
    }

    @Test("The address at the provider has everything that is needed, and nothing twice")
    func address() async throws {
        let (first, second) = (try await begin(), try await begin())
        let expected = [
            "x": "1", "response_type": "code", "client_id": FakeProvider.clientID, "scope": "openid email profile",
            "redirect_uri": "https://service.example/auth/v1/callback", "code_challenge_method": "S256",
        ]
        for (name, value) in expected { #expect(first.values(of: name) == [value], "\(name)") }
        for name in ["state", "nonce", "code_challenge"] {
            #expect(first[name]!.utf8.count >= 43 && first[name] != second[name], "\(name)")
        }
        #expect(first.items.count == expected.count + 3)
        #expect(provider.count(of: "openid-configuration") == 1, "asked for each person")
    }

    @Test("What was begun is ended once, within ten minutes, in the browser that has begun it")
    func once() async throws {
        let address = try await elsewhere.begin(
            "mock", .screen(path: "/documents"), browser: SignInSetup.browser, client: "a")
        let answer = try await provider.agree(at: address, second: setup.second)
        let stranger = String(repeating: "0b", count: 32)
        for browser in [nil, stranger, "", SignInSetup.browser.uppercased(), SignInSetup.browser + " "] {
            #expect(await elsewhere.end(answer, browser: browser, program: "").fault == .ended)
        }
        let outcome = await elsewhere.end(answer, browser: SignInSetup.browser, program: "Chrome on Linux")
        guard case .signedIn(let grant, "/documents") = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(grant.session.program == "Chrome on Linux" && grant.session.end != nil)
        #expect(await elsewhere.end(answer, browser: SignInSetup.browser, program: "").fault == .ended)
        for text in ["", "code=a", "state=", "state=a&state=b", "code=a&state=\(String(repeating: "0", count: 64))"] {
            #expect(
                await elsewhere.end(QueryItems(text)!, browser: SignInSetup.browser, program: "").fault == .ended)
        }
        #expect(try await setup.fault(after: .seconds(599)) == nil)
        #expect(try await setup.fault(after: .seconds(600)) == .ended)
        #expect(try setup.store.takeTicket("") == nil)
    }

    @Test("A code is worth something by its own verifier alone, and once")
    func codes() async throws {
        let address = try await elsewhere.begin(
            "mock", .screen(path: "/documents"), browser: SignInSetup.browser, client: "a")
        let answer = try await provider.agree(at: address, second: setup.second)
        let stolen = QueryItems("code=\(PercentEncoding.encode(answer["code"]!))&state=\(try await begin()["state"]!)")!
        #expect(await elsewhere.end(stolen, browser: SignInSetup.browser, program: "").fault == .refused)
        #expect(setup.reason.contains("invalid_grant"))
        for codes in ["", "&code=", "&code=a&code=b", "&code=\(String(repeating: "a", count: 4097))"] {
            let items = QueryItems("state=\(try await begin()["state"]!)\(codes)")!
            #expect(await elsewhere.end(items, browser: SignInSetup.browser, program: "").fault == .refused)
        }
    }

    @Test("An answer of another issuer counts for nothing, also where it says nothing though it promised to")
    func mixUp() async throws {
        let own = "&iss=\(PercentEncoding.encode(FakeProvider.name))"
        #expect(try await setup.fault(more: own) == nil)
        #expect(try await setup.fault(more: "&iss=https%3A%2F%2Fevil.example") == .refused)
        #expect(try await setup.fault(more: own + own) == .refused)
        provider.describe("authorization_response_iss_parameter_supported", .bool(true))
        setup.pass(.seconds(3600))
        #expect(try await setup.fault() == .refused)
        #expect(try await setup.fault(more: own) == nil)
    }

    @Test("Who does not agree is told so; other refusals have a word in the log, and never more than a word")
    func refusals() async throws {
        for (error, fault) in [
            ("access_denied", SignInFault.cancelled), ("server_error", .refused), ("a\nb\"c", .refused),
        ] {
            let items = QueryItems("state=\(try await begin()["state"]!)&error=\(PercentEncoding.encode(error))")!
            #expect(await elsewhere.end(items, browser: SignInSetup.browser, program: "").fault == fault)
            #expect(!setup.reason.contains("\n"))
        }
    }

    @Test("The secret goes where the provider wants it; without one the verifier alone proves the client")
    func clients() async throws {
        func request(_ entry: [JSON.Member], ways: [String]?) async throws -> ProviderRequest {
            let setup = try SignInSetup(entry)
            setup.provider.describe(
                "token_endpoint_auth_methods_supported", ways.map { .array($0.map { .string($0) }) })
            #expect(try await setup.fault() == nil)
            return setup.provider.state.withLock { $0.requests.last { $0.form != nil }! }
        }
        let pair = "Authorization: Basic " + Base64.encode(Array("compass%20client:a%20secret%3A%20100%25".utf8))
        for ways in [nil, ["client_secret_basic"], ["client_secret_post", "client_secret_basic"], ["private_key_jwt"]] {
            let sent = try await request([], ways: ways)
            #expect(sent.fields.contains(pair) && !sent.form!.contains("client_secret"))
        }
        let posted = try await request([], ways: ["client_secret_post"])
        #expect(posted.fields.count == 1 && posted.form!.contains("client_secret=a%20secret%3A%20100%25"))
        let bare = try await request([.init("client_secret_file", .null)], ways: nil)
        #expect(bare.fields.count == 1 && !bare.form!.contains("client_secret"))
        #expect(bare.form!.contains("client_id=compass%20client") && bare.form!.contains("code_verifier="))
    }

    @Test("A provider like LinkedIn gets neither nonce nor challenge")
    func plain() async throws {
        let setup = try SignInSetup([.init("nonce", .bool(false)), .init("pkce", .bool(false))])
        let items = try await begin(setup)
        #expect(items["nonce"] == nil && items["code_challenge"] == nil && items["state"] != nil)
        #expect(try await setup.fault() == nil)
        #expect(setup.provider.state.withLock { $0.requests.allSatisfy { $0.form?.contains("verifier") != true } })
    }

    @Test("A client's code is exchanged once, within five minutes, by the verifier of its challenge")
    func exchange() async throws {
        let verifier = String(repeating: "v", count: 43)
        let purpose = SignInPurpose.client(
            address: "https://app.example/back?a=b#c", challenge: CodeChallenge.text(of: verifier))
        func code() async throws -> String {
            guard case .coded(_, let address) = try await setup.signIn(purpose) else { return "" }
            #expect(address.hasPrefix("https://app.example/back?a=b&code=") && !address.contains("#"))
            return String(address.split(separator: "=").last!)
        }
        let first = try await code()
        let grant = try await elsewhere.exchange(first, verifier: verifier, program: "app")
        #expect(grant.session.method == .provider && grant.session.end == nil)
        await #expect(throws: SignInElsewhere.CodeFault.unknown) {
            try await elsewhere.exchange(first, verifier: verifier, program: "app")
        }
        let second = try await code()
        for fault in [SignInElsewhere.CodeFault.badVerifier, .unknown] {
            await #expect(throws: fault) { try await elsewhere.exchange(second, verifier: "w", program: "app") }
        }
        let third = try await code()
        setup.pass(.seconds(300))
        await #expect(throws: SignInElsewhere.CodeFault.ended) {
            try await elsewhere.exchange(third, verifier: verifier, program: "app")
        }
        let fourth = try await code()
        try setup.store.setDisabled(true, for: grant.account.id)
        await #expect(throws: AccountError.badCredentials) {
            try await elsewhere.exchange(fourth, verifier: verifier, program: "app")
        }
    }

    @Test("A client without a challenge gets a session of tokens at an address of the list, and nothing elsewhere")
    func implicit() async throws {
        let address = "jobmatchnow://auth/callback"
        let setup = try SignInSetup(origins: "https://app.example", redirects: address)
        #expect(setup.elsewhere.implicitAddress(address) == address)
        for other in [
            nil, "", "https://app.example/", "https://service.example/", "\(address)/", "\(address)?a",
            "JOBMATCHNOW://auth/callback",
        ] { #expect(setup.elsewhere.implicitAddress(other) == nil, "\(other ?? "")") }
        guard case .granted(let grant, address) = try await setup.signIn(.implicit(address: address)) else {
            Issue.record("no session")
            return
        }
        // A session with tokens, which lives as long as an app needs it, not a browser's session.
        #expect(grant.session.method == .provider && grant.session.end == nil && !grant.refreshToken.isEmpty)
        #expect(try setup.store.session(grant.session.id)?.person == grant.account.id)
        #expect(
            SignInElsewhere.address("\(address)#old", withFragment: [("a", "b c"), ("d", "#")])
                == "\(address)#a=b%20c&d=%23")
    }

    @Test("A code goes to an address of the list too")
    func listedCode() async throws {
        let setup = try SignInSetup(redirects: "jobmatchnow://auth/callback")
        let address = setup.elsewhere.returnAddress("jobmatchnow://auth/callback")
        let challenge = CodeChallenge.text(of: String(repeating: "v", count: 43))
        let outcome = try await setup.signIn(.client(address: address, challenge: challenge))
        guard case .coded(_, let back) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(back.hasPrefix("jobmatchnow://auth/callback?code="))
        #expect(setup.elsewhere.returnAddress("jobmatchnow://auth/other") == "https://service.example/")
    }

    @Test("Clients' persons go to addresses of the service and of allowed origins alone")
    func returning() {
        for good in [
            "https://service.example/x?y#z", "https://service.example", "https://app.example/a",
            "http://localhost:5173?a",
            "HTTPS://APP.example:443/a",
        ] { #expect(elsewhere.returnAddress(good) == good) }
        for bad in [
            nil, "", "/", "//evil.example", "https://evil.example/", "https://app.example.evil.example/",
            "https://app.example@evil.example/", "https://evil.example\\@app.example/", "https://app.example:444/",
            "http://app.example/", "javascript:alert(1)//https://app.example", "https://app.example\\.evil.example",
            "https://app.example/\r\nSet-Cookie: a", " https://app.example/", "https://app.example%2eevil.example/",
        ] { #expect(elsewhere.returnAddress(bad) == "https://service.example/", "\(bad ?? "")") }
    }

    @Test("A browser goes on to a path of the service alone")
    func paths() {
        for good in [
            "/", "/documents?x=1", "/documents/view?id=a%2Fb", "/jobs/", "/invitation#a//b", "/documents?q=/../x",
        ] {
            #expect(SignInElsewhere.screenPath(good) == good)
        }
        for bad in [
            nil, "", "documents", "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/\ta", "/é",
            "/.//evil.example/x", "/..//evil.example", "/%2e//evil.example", "/documents/%2E.//evil.example", "/a//b",
            "/documents/..", "/.",
        ] {
            #expect(SignInElsewhere.screenPath(bad) == "/documents", "\(bad ?? "")")
        }
    }

    @Test("Somebody who leaves while the provider is asked keeps nobody else from it", .timeLimit(.minutes(1)))
    func leaving() async throws {
        let (gate, pool) = (Promise<Void>(), setup.pool)
        defer { gate.fulfil(()) }
        let busy = (0..<2).map { _ in Task { try await pool.run { gate.wait() } } }
        while pool.load.running < 2 { try await Task.sleep(for: .milliseconds(1)) }
        let elsewhere = elsewhere
        func begin(_ client: String) -> Task<String, any Error> {
            Task {
                try await elsewhere.begin(
                    "mock", .screen(path: "/"), browser: SignInSetup.browser, client: client)
            }
        }
        let first = begin("a")
        while pool.load.waiting < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let second = begin("b")
        first.cancel()
        await #expect(throws: SignInFault.self) { try await first.value }
        gate.fulfil(())
        for task in busy { try await task.value }
        #expect(try await second.value.hasPrefix("https://"))
        #expect(try await begin("c").value.hasPrefix("https://"))
    }

    @Test("One address begins 60 ways a minute at most, and nobody for a provider that is not there")
    func bounds() async throws {
        await #expect(throws: SignInFault.unknown) {
            try await elsewhere.begin("other", .screen(path: "/"), browser: SignInSetup.browser, client: "a")
        }
        var count = 0
        await #expect(throws: SignInFault.busy) {
            for _ in 0..<400 {
                _ = try await begin()
                count += 1
            }
        }
        #expect(count >= 30)
        _ = try await elsewhere.begin("mock", .screen(path: "/"), browser: SignInSetup.browser, client: "b")
    }
}
