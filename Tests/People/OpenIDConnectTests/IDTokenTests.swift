import Media
import SignIn
import Synchronization
import TestDeadline
import Testing
import TokenMaking

@Suite("What a provider's ID token has to say", .deadline)
struct IDTokenTests {
    private let setup: SignInSetup
    private var provider: FakeProvider { setup.provider }

    init() throws { setup = try SignInSetup() }

    private func fault(_ changes: JSON.Member...) async throws -> SignInFault? {
        provider.state.withLock { $0.claims = changes }
        defer { setup.pass(.seconds(2)) }
        return try await setup.fault()
    }

    private func fault(signing sign: @escaping @Sendable (JSON) async throws -> String) async throws -> SignInFault? {
        provider.state.withLock { $0.sign = sign }
        defer { setup.pass(.seconds(2)) }
        return try await setup.fault()
    }

    @Test("Issuer, audience, party, nonce and subject have to be right, byte by byte")
    func claims() async throws {
        #expect(try await fault() == nil)
        let (client, other) = (JSON.string(FakeProvider.clientID), JSON.string("other"))
        let cases: [(String, JSON)] = [
            ("iss", .string("https://issuer.example")), ("iss", .string(FakeProvider.name + "/")), ("iss", .null),
            ("iss", .string(FakeProvider.name.uppercased())), ("iss", .array([.string(FakeProvider.name)])),
            ("aud", other), ("aud", .null), ("aud", .array([])), ("aud", .array([other])), ("aud", .integer(1)),
            ("aud", .array([client, other])), ("azp", other), ("azp", .integer(1)), ("azp", .array([client])),
            ("nonce", other), ("nonce", .null), ("nonce", .string("")), ("nonce", .array([])),
            ("sub", .null), ("sub", .string("")), ("sub", .integer(7)),
            ("sub", .string(String(repeating: "s", count: 256))),
        ]
        for (name, value) in cases {
            #expect(try await fault(.init(name, value)) == .refused, "\(name) \(value.text)")
            #expect(setup.reason.contains(name == "aud" && value.array?.count == 2 ? "azp" : name), "\(setup.reason)")
        }
        #expect(try await fault(.init("aud", .array([client, other])), .init("azp", client)) == nil)
        #expect(try await fault(.init("aud", .array([client]))) == nil)
    }

    @Test("A token counts from the sign-in until exp, each with a minute for the clocks")
    func times() async throws {
        func fault(_ name: String, _ seconds: Int64) async throws -> SignInFault? {
            try await self.fault(.init(name, .integer(setup.second + seconds)))
        }
        let cases: [(String, Int64, SignInFault?)] = [
            ("exp", -60, .refused), ("exp", -59, nil), ("iat", 60, nil), ("iat", 61, .refused), ("iat", -60, nil),
            ("iat", -61, .refused), ("nbf", 60, nil), ("nbf", 61, .refused),
        ]
        for (name, seconds, expected) in cases {
            #expect(try await fault(name, seconds) == expected, "\(name) \(seconds)")
        }
        for name in ["exp", "iat", "nbf"] {
            #expect(try await self.fault(.init(name, .string("1800000000"))) == .refused)
        }
        for name in ["exp", "iat"] { #expect(try await self.fault(.init(name, .null)) == .refused) }
    }

    @Test("ES256 and RS256 by the provider's keys count, and no other way of signing")
    func signatures() async throws {
        let issuer = provider.issuer
        let rsa = try RSAIssuer()
        provider.state.withLock { $0.keys = [issuer.publicKey(), try! rsa.publicKey()] }
        #expect(try await fault { try await rsa.token(Issuer.header("RS256", kid: "rsa"), $0) } == nil)
        #expect(try await fault { try await issuer.token(Issuer.header(kid: nil), $0) } == nil)
        let secret = Array("a secret: 100%".utf8)
        let wrong: [(String, @Sendable (JSON) async throws -> String)] = [
            ("another key", { try await Issuer().token(Issuer.header(), $0) }),
            ("the name of another key", { try await issuer.token(Issuer.header(kid: "rsa"), $0) }),
            ("RS256 by the curve's key", { try await issuer.token(Issuer.header("RS256", kid: "rsa"), $0) }),
            ("HS256 by the client's secret", { try await issuer.token(Issuer.header("HS256"), $0, secret: secret) }),
            (
                "HS256 by the public key",
                { try await issuer.token(Issuer.header("HS256"), $0, secret: Array(issuer.publicPEM.utf8)) }
            ),
            (
                "none",
                {
                    Issuer.encoded(Array(#"{"alg":"none"}"#.utf8)) + "." + Issuer.encoded(Array($0.text.utf8)) + "."
                }
            ),
            ("ES384", { try await issuer.token(Issuer.header("ES384"), $0) }),
            (
                "changed",
                { claims in
                    let parts = try await issuer.token(Issuer.header(), claims).split(separator: ".")
                    let other = JSON.object((claims.members ?? []) + [.init("x", .null)])
                    return "\(parts[0]).\(Issuer.encoded(Array(other.text.utf8))).\(parts[2])"
                }
            ),
            ("two tokens", { try await issuer.token(Issuer.header(), $0) + "." }), ("words", { _ in "no token" }),
            (
                "a claim twice",
                { claims in
                    let text = claims.text.dropLast() + #","sub":"other"}"#
                    return try await issuer.token(text: Issuer.header().text, String(text))
                }
            ),
        ]
        for (name, sign) in wrong { #expect(try await fault(signing: sign) == .refused, "\(name)") }
    }

    @Test("A key that is new at the provider is asked for, once in a minute; one that is gone there counts no more")
    func rotation() async throws {
        #expect(try await fault() == nil)
        let next = Issuer()
        #expect(try await fault { try await next.token(Issuer.header(kid: "two"), $0) } == .refused)
        #expect(provider.count(of: "/keys") == 1, "asked again within a minute")
        provider.state.withLock { $0.keys = [next.publicKey(kid: "two")] }
        setup.pass(.seconds(60))
        #expect(try await fault { try await next.token(Issuer.header(kid: "two"), $0) } == nil)
        #expect(provider.count(of: "/keys") == 2)
        let old = provider.issuer
        #expect(try await fault { try await old.token(Issuer.header(), $0) } == .refused)
    }
}
