import Media
import People
import SignIn
import Synchronization
import TestDeadline
import Testing
import TokenMaking

@Suite("The keys of an issuer", .deadline)
struct TokenKeysTests {
    /// What an issuer publishes, and how often it was requested.
    private final class Publisher: Sendable {
        private let state = Mutex((text: [UInt8]?.none, count: 0))
        let now = Mutex(Duration.seconds(1000))

        struct Away: Error {}

        func publish(_ text: [UInt8]?) { state.withLock { $0.text = text } }
        var count: Int { state.withLock { $0.count } }
        func pass(_ time: Duration) { now.withLock { $0 += time } }

        func fetch() async throws -> [UInt8] {
            let text = state.withLock { state in
                state.count += 1
                return state.text
            }
            // Other requests may arrive meanwhile.
            try? await Task.sleep(for: .milliseconds(20))
            guard let text else { throw Away() }
            return text
        }
    }

    private let publisher = Publisher()
    private let one = Issuer()
    private let two = Issuer()
    private var both: [UInt8] { Issuer.set(one.publicKey(), two.publicKey(kid: "two")) }

    private func make(report: @escaping @Sendable (TokenKeys.Outcome) -> Void = { _ in }) async throws -> TokenKeys {
        let publisher = publisher
        let keys = try await TokenKeys(
            secret: nil, fetching: { try await publisher.fetch() }, clock: { publisher.now.withLock { $0 } },
            tick: .milliseconds(1), report: report)
        await keys.renew()
        return keys
    }

    private func people(_ keys: TokenKeys) -> TokenAuthenticator {
        TokenAuthenticator(keys, TokenRule(audience: "authenticated", issuer: Issuer.name), now: { Issuer.now })
    }

    private func error(_ people: TokenAuthenticator, _ token: String) async -> AccessError? {
        do throws(AccessError) {
            _ = try await people.caller(with: Credentials(bearer: token))
            return nil
        } catch {
            return error
        }
    }

    /// Waits until the renewal task has fulfilled a condition.
    private func wait(_ condition: () -> Bool) async {
        for _ in 0..<60_000 where !condition() { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(condition())
    }

    @Test("An unknown key has the set renewed at once, and again five minutes later at the earliest")
    func unknown() async throws {
        publisher.publish(Issuer.set(one.publicKey()))
        let keys = try await make()
        let people = people(keys)
        let running = Task { await keys.run() }
        defer { running.cancel() }
        let token = try await two.token(Issuer.header(kid: "two"))
        #expect(await error(people, token) == .invalid && publisher.count == 1, "the set is new")

        publisher.pass(.seconds(299))
        #expect(await error(people, token) == .invalid && publisher.count == 1)
        publisher.publish(both)
        publisher.pass(.seconds(1))
        #expect(await error(people, token) == nil && publisher.count == 2)

        // Many concurrent callers cause one request.
        publisher.pass(.seconds(300))
        let stranger = try await two.token(Issuer.header(kid: "three"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = await error(people, stranger) } }
        }
        #expect(publisher.count == 3)
    }

    @Test(
        "Every hour the set is renewed; a key that has gone is not believed any more, even by a token that was checked")
    func hourly() async throws {
        publisher.publish(both)
        let keys = try await make()
        let people = people(keys)
        let running = Task { await keys.run() }
        defer { running.cancel() }
        let credentials = Credentials(bearer: try await two.token(Issuer.header(kid: "two")))
        _ = try await people.caller(with: credentials)
        publisher.publish(Issuer.set(one.publicKey()))
        publisher.pass(.seconds(3599))
        try await Task.sleep(for: .milliseconds(20))
        #expect(publisher.count == 1 && people.knownCaller(with: credentials) != nil)
        publisher.pass(.seconds(1))
        await wait { people.knownCaller(with: credentials) == nil }
        #expect(publisher.count == 2)
        await #expect(throws: AccessError.invalid) { try await people.caller(with: credentials) }
    }

    @Test("A renewal that fails, or brings nonsense, leaves the keys, is told, and is tried again after five minutes")
    func failures() async throws {
        final class Told: Sendable { let reasons = Mutex<[String]>([]) }
        let told = Told()
        publisher.publish(Issuer.set(one.publicKey()))
        let keys = try await make { outcome in
            if case .failed(let reason) = outcome { told.reasons.withLock { $0.append(reason) } }
        }
        let people = people(keys)
        let running = Task { await keys.run() }
        defer { running.cancel() }
        let token = try await one.token()
        let sets: [[UInt8]?] = [nil, [], Array("{}".utf8), Array(#"{"keys":[]}"#.utf8), Array("<html>".utf8)]
        publisher.pass(.seconds(3300))
        for (number, set) in sets.enumerated() {
            publisher.publish(set)
            publisher.pass(.seconds(300))
            await wait { told.reasons.withLock { $0.count } == number + 1 }
            #expect(await error(people, token) == nil)
            #expect(publisher.count == number + 2)
        }
        #expect(!keys.areMissing)
    }

    @Test("Without any keys nobody is refused for good, and the keys are asked for every five seconds")
    func start() async throws {
        let keys = try await make()
        let people = people(keys)
        #expect(keys.areMissing)
        let token = try await one.token()
        #expect(await error(people, token) == .unavailable)
        let running = Task { await keys.run() }
        defer { running.cancel() }
        publisher.publish(Issuer.set(one.publicKey()))
        publisher.pass(.seconds(5))
        await wait { !keys.areMissing }
        #expect(await error(people, token) == nil)
    }

    @Test("Whoever waits for a renewal when the service ends is let go")
    func end() async throws {
        publisher.publish(Issuer.set(one.publicKey()))
        let keys = try await make()
        let people = people(keys)
        let running = Task { await keys.run() }
        running.cancel()
        await running.value
        publisher.pass(.seconds(1000))
        let token = try await two.token(Issuer.header(kid: "two"))
        #expect(await error(people, token) == .invalid)
    }

    @Test("Of a set the keys for ES256 and RS256 are taken, and no others")
    func sets() async throws {
        let (rsa, small) = (try RSAIssuer(), try RSAIssuer(bits: 1024))
        func count(_ keys: JSON...) async -> Int {
            let text = Array(JSON.object(["keys": .array(keys)]).text.utf8)
            return (try? await TokenKeySet.keys(in: text).count) ?? 0
        }
        func changed(_ name: String, _ value: JSON) -> JSON { one.publicKey(kid: "one", [JSON.Member(name, value)]) }
        let secret = JSON.object([
            "kty": .string("oct"), "kid": .string("one"), "alg": .string("HS256"), "k": .string("c2VjcmV0"),
        ])
        #expect(await count(one.publicKey(), try rsa.publicKey(), secret) == 2)
        #expect(await count(secret) == 0)
        for (name, value) in [
            ("use", JSON.string("enc")), ("use", .null), ("key_ops", .array([.string("sign")])),
            ("alg", .string("ES384")),
            ("alg", .string("HS256")), ("crv", .string("P-384")), ("kty", .string("OKP")), ("kty", .null),
            ("x", .string("AAAA")), ("x", .null), ("y", .string(one.publicKey()["x"]!.string!)),
        ] {
            #expect(await count(changed(name, value)) == 0, "\(name) \(value.text)")
        }
        for (name, value) in [
            ("use", JSON.string("sig")), ("key_ops", .array([.string("verify")])), ("alg", .string("ES256")),
            ("x5c", .array([])),
        ] {
            #expect(await count(changed(name, value)) == 1, "\(name) \(value.text)")
        }
        #expect(await count(try rsa.publicKey([JSON.Member("alg", .string("RS256"))])) == 1)
        #expect(await count(try rsa.publicKey([JSON.Member("alg", .string("RS512"))])) == 0)
        #expect(await count(try small.publicKey()) == 0, "1,024 bits are too few")
        let many = [UInt8](JSON.object(["keys": .array(Array(repeating: one.publicKey(), count: 101))]).text.utf8)
        await #expect(throws: TokenKeySet.Fault.self) { try await TokenKeySet.keys(in: many) }
        await #expect(throws: TokenKeySet.Fault.self) {
            try await TokenKeySet.keys(in: [UInt8](repeating: 0x20, count: 300_000))
        }
    }

    @Test("A token that names no key is checked by the only one of its algorithm, and by none of several")
    func unnamed() async throws {
        publisher.publish(Issuer.set(one.publicKey(kid: nil)))
        let token = try await one.token(.object(["alg": .string("ES256")]))
        #expect(await error(people(try await make()), token) == nil)
        publisher.publish(both)
        #expect(await error(people(try await make()), token) == .invalid)
    }
}
