import Foundation
import Media
import People
import SignIn
import TestDeadline
import Testing
import TokenMaking

@Suite("Persons by tokens that are issued elsewhere", .deadline)
struct TokenAuthenticatorTests {
    private let issuer = Issuer()

    private func setup(secret: [UInt8]? = nil, issuer name: String? = Issuer.name) async throws -> TokenSetup {
        let set = Issuer.set(issuer.publicKey())
        return try await TokenSetup(secret: secret, issuer: name, fetching: { set })
    }

    @Test("ES256, RS256 and HS256 with the keys that are configured say who it is")
    func good() async throws {
        let rsa = try RSAIssuer()
        let set = Issuer.set(issuer.publicKey(), try rsa.publicKey())
        let setup = try await TokenSetup(secret: issuer.secret, fetching: { set })
        for token in [
            try await issuer.token(), try await rsa.token(), try await issuer.token(secret: issuer.secret),
            try await issuer.token(Issuer.header("HS256", kid: nil), secret: issuer.secret),
            try await issuer.token(.object(["alg": .string("ES256")])),
        ] {
            #expect(try await setup.person(token) == Issuer.person)
        }
    }

    @Test("A token counts from nbf until exp, each with a minute for the clocks")
    func times() async throws {
        let setup = try await setup()
        func fault(_ name: String, _ value: JSON) async throws -> TokenFault? {
            await setup.fault(try await issuer.token(Issuer.header(), Issuer.claims([JSON.Member(name, value)])))
        }
        for (second, expected) in [(-60, TokenFault.expired), (-59, nil), (0, nil), (1 << 61, nil)] {
            #expect(try await fault("exp", .integer(Issuer.second + Int64(second))) == expected, "exp \(second)")
        }
        for (second, expected) in [(-1, TokenFault?.none), (60, nil), (61, .early)] {
            #expect(try await fault("nbf", .integer(Issuer.second + Int64(second))) == expected, "nbf \(second)")
        }
        #expect(try await fault("exp", .number(1e300)) == nil)
        #expect(try await fault("exp", .number(1_799_999_939.5)) == .expired)
        #expect(try await fault("exp", .string("1900000000")) == .noEnd)
        #expect(try await fault("exp", .null) == .noEnd)
        #expect(try await fault("exp", .bool(true)) == .noEnd)
        #expect(try await fault("exp", .array([.integer(1_900_000_000)])) == .noEnd)
        #expect(try await fault("nbf", .string("0")) == .early)
        #expect(await setup.fault(try await issuer.token(Issuer.header(), Issuer.claims(without: "exp"))) == .noEnd)
    }

    @Test("Issuer, audience, role and subject have to be right, byte by byte")
    func claims() async throws {
        let setup = try await setup()
        let cases: [(String, JSON?, TokenFault?)] = [
            ("iss", .string("https://other.example/auth/v1"), .issuer), ("iss", .string(Issuer.name + "/"), .issuer),
            ("iss", .string(Issuer.name.uppercased()), .issuer), ("iss", .array([.string(Issuer.name)]), .issuer),
            ("iss", .null, .issuer), ("iss", nil, .issuer),
            ("aud", .string("other"), .audience), ("aud", .string("Authenticated"), .audience),
            ("aud", .string("authenticated "), .audience), ("aud", .array([]), .audience), ("aud", nil, .audience),
            ("aud", .array([.array([.string("authenticated")])]), .audience), ("aud", .integer(1), .audience),
            ("aud", .array([.string("other"), .string("authenticated")]), nil),
            ("role", .string("service_role"), .role), ("role", .string("anon"), .role),
            ("role", .string("supabase_admin"), .role), ("role", nil, nil), ("role", .string("teacher"), nil),
            ("sub", .string(""), .subject), ("sub", .null, .subject), ("sub", nil, .subject),
            ("sub", .integer(7), .subject), ("sub", .string(String(repeating: "é", count: 128)), .subject),
            ("sub", .string(String(repeating: "s", count: 255)), nil),
        ]
        for (name, value, expected) in cases {
            let claims = Issuer.claims(value.map { [JSON.Member(name, $0)] } ?? [], without: name)
            let fault = await setup.fault(try await issuer.token(Issuer.header(), claims))
            #expect(fault == expected, "\(name) \(value?.text ?? "absent"): \(String(describing: fault))")
        }
    }

    @Test("Supabase's keys are no persons, whatever is signed into them")
    func supabaseKeys() async throws {
        let setup = try await TokenSetup(secret: issuer.secret, issuer: nil, fetching: nil)
        for role in ["anon", "service_role"] {
            let key = JSON.object([
                "iss": .string("supabase"), "ref": .string("abc"), "role": .string(role),
                "iat": .integer(Issuer.second), "exp": .integer(Issuer.second + 315_360_000),
            ])
            #expect(
                await setup.fault(
                    try await issuer.token(.object(["alg": .string("HS256")]), key, secret: issuer.secret)) != nil)
            let dressed = Issuer.claims([JSON.Member("role", .string(role))])
            #expect(
                await setup.fault(try await issuer.token(Issuer.header("HS256"), dressed, secret: issuer.secret))
                    == .role)
        }
    }

    @Test("A UUID is its person; other subjects are persons of their issuer's, and nobody can choose to be one of them")
    func subjects() {
        func person(_ subject: String, of issuer: String = "a") -> String {
            TokenRule.person(subject, of: issuer).text
        }
        #expect(person(Issuer.person) == Issuer.person && person(Issuer.person, of: "b") == Issuer.person)
        #expect(person("auth0|5f7c") == person("auth0|5f7c") && person("auth0|5f7c") != person("auth0|5f7d"))
        #expect(person("ada") != person("ada", of: "b") && person("a", of: "bc") != person("ca", of: "b"))
        // docs/accounts.md specifies the derivation: SHA-256 of "compass person", issuer and subject, with zeros
        // between.
        #expect(person("ada", of: "https://issuer.example") == "9ac3e53b-5ad7-8d39-8336-167ef52fb31f")
        let derived = person("ada")
        #expect(derived.dropFirst(14).first == "8")
        for subject in [
            derived, Issuer.person.uppercased(), "00000000-0000-0000-0000-000000000000",
            Caller.local.owner.text, " \(Issuer.person)", "\(Issuer.person)\n",
        ] {
            #expect(person(subject) != subject.lowercased() && person(subject) != Issuer.person, "\(subject)")
        }
    }

    @Test("Every kind of wrong token is refused for its reason")
    func wrong() async throws {
        let setup = try await setup()
        let good = try await issuer.token()
        let parts = good.split(separator: ".").map(String.init)
        let other = try await Issuer().token()
        let otherParts = other.split(separator: ".").map(String.init)
        func encoded(_ text: String) -> String { Issuer.encoded(Array(text.utf8)) }
        func with(header: String) async throws -> String {
            try await issuer.token(text: header, Issuer.claims().text)
        }
        let claims = Issuer.claims().text
        let long = Issuer.claims([JSON.Member("x", .string(String(repeating: "x", count: 64 << 10)))])
        let twice = String(claims.dropLast()) + #","sub":"\#(ID<Person>.make(at: Issuer.now))"}"#
        var cases: [(String, String, TokenFault)] = [
            ("64 KiB", try await issuer.token(Issuer.header(), long), .malformed),
            ("64 KiB of nothing", String(repeating: "a", count: 64 << 10), .malformed),
            ("a megabyte of dots", String(repeating: ".", count: 1 << 20), .malformed),
            ("empty", "", .malformed), ("dots", "..", .malformed), ("nonsense", "a.b.c", .malformed),
            ("nonsense of three parts", "\(encoded("{"))..\(encoded("x"))", .malformed),
            ("words", "not.a.token", .malformed), ("two parts", "\(parts[0]).\(parts[1])", .malformed),
            ("four parts", good + ".", .malformed), ("five parts", "\(good).a.b", .malformed),
            ("spaces", " \(good)", .malformed), ("a line", good + "\n", .malformed),
            ("two tokens", "\(good), Bearer \(good)", .malformed), ("padding", good + "=", .malformed),
            ("bits left over", String(good.dropLast()) + "B", .malformed),
            ("another alphabet", "\(parts[0]).\(parts[1].dropLast(2))+/.\(parts[2])", .malformed),
            ("claims that are no object", try await issuer.token(text: Issuer.header().text, "[]"), .malformed),
            ("claims that are a text", try await issuer.token(text: Issuer.header().text, "\"a\""), .malformed),
            ("a header that is no object", try await with(header: "[]"), .malformed),
            ("no algorithm", try await with(header: #"{"typ":"JWT"}"#), .malformed),
            ("an algorithm that is no text", try await with(header: #"{"alg":["ES256"]}"#), .malformed),
            ("two algorithms", try await with(header: #"{"alg":"ES256","alg":"none"}"#), .malformed),
            ("two algorithms, escaped", try await with(header: #"{"alg":"ES256","a\u006cg":"none"}"#), .malformed),
            ("two subjects", try await issuer.token(text: Issuer.header().text, twice), .malformed),
            ("an extension", try await with(header: #"{"alg":"ES256","crit":["b64"],"b64":false}"#), .malformed),
            ("another type", try await with(header: #"{"alg":"ES256","typ":"dpop+jwt"}"#), .malformed),
            ("a key that is no text", try await with(header: #"{"alg":"ES256","kid":1}"#), .malformed),
            ("deep nesting", try await with(header: String(repeating: "[", count: 9000)), .malformed),
            ("no UTF-8", "\(Issuer.encoded([0x7B, 0xFF, 0x7D])).\(parts[1]).\(parts[2])", .malformed),
            ("unknown key", try await issuer.token(Issuer.header(kid: "two")), .unknownKey),
            ("empty key", try await issuer.token(Issuer.header(kid: "")), .unknownKey),
            ("RS256 without such a key", try await issuer.token(Issuer.header("RS256")), .unknownKey),
            ("another key", other, .signature),
            ("another's claims", "\(parts[0]).\(otherParts[1]).\(otherParts[2])", .signature),
            (
                "changed claims", "\(parts[0]).\(encoded(Issuer.claims([JSON.Member("a", .null)]).text)).\(parts[2])",
                .signature
            ),
            ("no signature", "\(parts[0]).\(parts[1]).", .signature),
            ("a short signature", "\(parts[0]).\(parts[1]).AAAA", .signature),
            (
                "a signature of zeros", "\(parts[0]).\(parts[1]).\(Issuer.encoded([UInt8](repeating: 0, count: 64)))",
                .signature
            ),
        ]
        for name in [
            "none", "None", "NONE", "nOnE", "", "es256", "ES256 ", " ES256", "ES256\u{0}", "ES256K", "ES384", "ES512",
            "ＥＳ256", "ЕS256", "PS256", "EdDSA", "HS256", "HS384", "HS512", "RSA", "dir", "A256KW",
        ] {
            cases.append(("alg \(name)", try await issuer.token(Issuer.header(name)), .algorithm))
            let unsigned = "\(encoded(Issuer.header(name).text)).\(parts[1])."
            cases.append(("alg \(name), unsigned", unsigned, .algorithm))
        }
        for (name, token, expected) in cases {
            let fault = await setup.fault(token)
            #expect(fault == expected, "\(name): \(String(describing: fault))")
            #expect(setup.people.knownCaller(with: Credentials(bearer: token)) == nil, "\(name)")
        }
        #expect(await setup.fault(good) == nil)
    }

    @Test("A public key is no secret: HS256 signed with any form of it is refused")
    func confusion() async throws {
        let rsa = try RSAIssuer()
        let set = Issuer.set(issuer.publicKey(), try rsa.publicKey())
        for secret in [nil, issuer.secret] {
            let setup = try await TokenSetup(secret: secret, fetching: { set })
            let pem = issuer.publicPEM
            let forms: [[UInt8]] = [
                Array(pem.utf8), Array((pem + "\n").utf8), set, Array(issuer.publicKey().text.utf8),
                Array(issuer.publicKey()["x"]!.string!.utf8), Array(try rsa.publicKey()["n"]!.string!.utf8), [],
            ]
            for form in forms {
                for kid in ["one", "rsa", nil] {
                    let token = try await issuer.token(Issuer.header("HS256", kid: kid), secret: form)
                    #expect(await setup.fault(token) == (secret == nil ? .algorithm : .signature))
                }
            }
            // The other way round: a token by the curve's key under the name of the RSA key, and the reverse.
            #expect(await setup.fault(try await issuer.token(Issuer.header("RS256", kid: "rsa"))) == .signature)
            #expect(await setup.fault(try await issuer.token(Issuer.header("ES256", kid: "rsa"))) == .unknownKey)
            #expect(await setup.fault(try await rsa.token(Issuer.header("ES256", kid: "one"))) == .signature)
        }
        // Without public keys no other algorithm counts.
        let setup = try await TokenSetup(secret: issuer.secret, fetching: nil)
        #expect(await setup.fault(try await issuer.token()) == .algorithm)
        #expect(await setup.fault(try await rsa.token()) == .algorithm)
    }

    @Test("Nobody is known without a bearer's token: a cookie or a key is none")
    func others() async throws {
        let setup = try await setup()
        let token = try await issuer.token()
        for credentials in [Credentials(), Credentials(key: token), Credentials(cookie: token)] {
            await #expect(throws: AccessError.unauthenticated) { try await setup.people.caller(with: credentials) }
            #expect(setup.people.knownCaller(with: credentials) == nil)
        }
    }

    @Test("A token that was checked is known without waiting until its end, and no longer")
    func memory() async throws {
        let setup = try await setup()
        let credentials = Credentials(bearer: try await issuer.token())
        #expect(setup.people.knownCaller(with: credentials) == nil, "nobody has checked the token")
        let caller = try await setup.people.caller(with: credentials)
        #expect(setup.people.knownCaller(with: credentials) == caller)
        setup.pass(.seconds(3659))
        #expect(setup.people.knownCaller(with: credentials) == caller)
        setup.pass(.seconds(1))
        #expect(setup.people.knownCaller(with: credentials) == nil)
        await #expect(throws: AccessError.expired) { try await setup.people.caller(with: credentials) }
    }

    @Test("The memory is bounded, and keeps what is asked for")
    func bound() {
        var checked = CheckedTokens()
        let entry = CheckedTokens.Entry(person: .make(at: Issuer.now), end: 0, keys: 0)
        let kept = CheckedTokens.name(of: "kept")
        checked.keep(entry, as: kept)
        for number in 0..<50_000 {
            checked.keep(entry, as: CheckedTokens.name(of: "\(number)"))
            if number % 5000 == 0 { #expect(checked.entry(kept) != nil) }
        }
        #expect(checked.count <= 2 * CheckedTokens.halfCount)
        #expect(checked.entry(CheckedTokens.name(of: "0")) == nil)
        #expect(checked.entry(CheckedTokens.name(of: "49999")) != nil)
    }

    @Test("The first check of a token and the later ones are timed")
    func speed() async throws {
        let rsa = try RSAIssuer()
        let set = Issuer.set(issuer.publicKey(), try rsa.publicKey())
        let setup = try await TokenSetup(secret: issuer.secret, fetching: { set })
        func median(_ times: [Duration]) -> Double {
            Double(times.sorted()[times.count / 2].components.attoseconds) / 1e12
        }
        for algorithm in ["ES256", "RS256", "HS256"] {
            // As long as Supabase's tokens, with an address and metadata.
            var tokens: [String] = []
            for number in 0..<200 {
                let claims = Issuer.claims([
                    JSON.Member("n", .integer(Int64(number))),
                    JSON.Member("user_metadata", .string(String(repeating: "m", count: 500))),
                ])
                switch algorithm {
                case "ES256": tokens.append(try await issuer.token(Issuer.header(), claims))
                case "RS256": tokens.append(try await rsa.token(Issuer.header("RS256", kid: "rsa"), claims))
                default:
                    tokens.append(try await issuer.token(Issuer.header("HS256"), claims, secret: issuer.secret))
                }
            }
            var (first, later): ([Duration], [Duration]) = ([], [])
            let clock = ContinuousClock()
            for token in tokens {
                let credentials = Credentials(bearer: token)
                first.append(try await clock.measure { _ = try await setup.people.caller(with: credentials) })
                for _ in 0..<20 { later.append(clock.measure { _ = setup.people.knownCaller(with: credentials) }) }
            }
            print("\(algorithm): \(tokens[0].utf8.count) bytes, first \(median(first)) µs, known \(median(later)) µs")
            // Far from both figures, because this machine may be busy.
            #expect(median(first) < 5000 && median(later) < 200)
        }
    }
}
