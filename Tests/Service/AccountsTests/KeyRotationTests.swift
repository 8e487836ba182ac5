import Access
import AccountDatabase
import Accounts
import Documents
import Linux
import Media
import Synchronization
import TestDeadline
import Testing

/// The keys of a service while others add some.
@Suite(.deadline) struct KeyRotationTests {
    private static let start = Instant(microseconds: Time.wall / 1_000_000 * 1000)

    /// What a file would have, and what a process has read of it.
    private final class Files: Sendable {
        struct State {
            var keys: [AccessTokens.SigningKey] = []
            var knownKeys: [AccessTokens.SigningKey] = []
            var secrets: [[UInt8]] = []
            var knownSecrets: [[UInt8]] = []
        }
        let state = Mutex(State())
        let now = Mutex(KeyRotationTests.start)

        var time: Instant { now.withLock { $0 } }
        func pass(_ time: Duration) { now.withLock { $0 = $0 + time } }

        func addKey() {
            let key = AccessTokens.SigningKey(pem: AccessTokens.makeKey(), made: time)
            state.withLock { $0.keys.append(key) }
        }

        func addSecret(_ byte: UInt8) {
            state.withLock { $0.secrets.insert([UInt8](repeating: byte, count: 32), at: 0) }
        }

        /// The next call that need not be fresh knows all.
        func notice() {
            state.withLock { ($0.knownKeys, $0.knownSecrets) = ($0.keys, $0.secrets) }
        }

        func tokens() async throws -> AccessTokens {
            let time: @Sendable () -> Instant = { self.time }
            return try await AccessTokens(now: time) { isFresh in
                if isFresh { self.notice() }
                return self.state.withLock { $0.knownKeys }
            }
        }

        var shared: Secrets {
            Secrets { isFresh in
                if isFresh { self.notice() }
                return self.state.withLock { $0.knownSecrets }
            }
        }
    }

    private let files = Files()
    private let database: TemporaryDatabase

    init() throws {
        database = try TemporaryDatabase()
        files.addKey()
        files.addSecret(1)
        files.notice()
    }

    private func desk() throws -> AccountDesk {
        let files = files
        return try AccountDesk(database.store, secrets: files.shared) { files.time }
    }

    private func names(_ tokens: AccessTokens) async -> [String?] {
        await tokens.keySet["keys"]?.array?.map { $0["kid"]?.string } ?? []
    }

    /// The key that a token names.
    private func name(_ token: String) throws -> String? {
        let digits = token.prefix { $0 != "." }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return try JSON(parsing: Base64.decode(String(digits)))["kid"]?.string
    }

    @Test func theNewestKeySignsAndOlderOnesCountUntilTheirTokensHaveEnded() async throws {
        let desk = try desk()
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let grant = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let tokens = try await files.tokens()
        let first = try await tokens.sign(grant, at: files.time).text
        files.pass(.seconds(600))
        files.addKey()
        // A process that has not noticed yet signs by the older key still.
        let late = try await tokens.sign(grant, at: files.time).text
        #expect(try name(late) == name(first))
        files.notice()
        let second = try await tokens.sign(grant, at: files.time).text
        #expect(try name(second) != name(first))
        #expect(await names(tokens) == [try name(second), try name(first)])
        for token in [first, late, second] { _ = try await tokens.content(of: token, at: files.time) }

        files.pass(.seconds(899))
        _ = try await tokens.content(of: late, at: files.time)
        files.pass(.seconds(1))
        await #expect(throws: AccessTokens.Fault.expired) { try await tokens.content(of: late, at: files.time) }
        files.pass(.seconds(60))
        await #expect(throws: AccessTokens.Fault.invalid) { try await tokens.content(of: late, at: files.time) }
        #expect(await names(tokens) == [try name(second)])
    }

    @Test func aTokenByAKeyThatAnotherProcessHasJustAddedIsKnownAtOnce() async throws {
        let desk = try desk()
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let grant = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let (here, there) = (try await files.tokens(), Files())
        files.addKey()
        there.state.withLock { $0.keys = files.state.withLock { $0.keys } }
        let token = try await there.tokens().sign(grant, at: files.time).text
        _ = try await here.content(of: token, at: files.time)
        let foreign = try await AccessTokens(key: AccessTokens.makeKey()).sign(grant, at: files.time).text
        await #expect(throws: AccessTokens.Fault.invalid) { try await here.content(of: foreign, at: files.time) }
    }

    @Test func aKeyOfUnknownAgeHasSuccessorsAndNoEndByItself() {
        let old = AccessTokens.SigningKey(pem: "old", made: nil)
        let young = AccessTokens.SigningKey(pem: "young", made: Self.start)
        let later = Self.start + .seconds(960)
        #expect(AccessTokens.accepted(of: [old], at: later) == [old])
        #expect(AccessTokens.accepted(of: [old, young], at: Self.start) == [old, young])
        #expect(AccessTokens.accepted(of: [old, young], at: later) == [young])
        #expect(AccessTokens.accepted(of: [young, old], at: later) == [young, old], "nobody knows since when")
    }

    @Test func cookiesAndRefreshTokensOfAnOlderSecretGoOnAndTheirSuccessorsAreOfTheNewest() throws {
        let (desk, other) = (try desk(), Files())
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let session = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let browser = try desk.signIn("ada@example.org", "correct horse", client: "a", inBrowser: true)
        files.addSecret(2)
        // Of another process that knows it already, while this one does not.
        other.state.withLock { $0.secrets = files.state.withLock { $0.secrets } }
        other.notice()
        let there = try AccountDesk(database.store, secrets: other.shared) { files.time }
        let renewed = try there.goOn(withCookie: browser.cookie)
        #expect(renewed.cookie != browser.cookie, "the browser gets a cookie of the newest secret")
        #expect(try desk.goOn(withCookie: renewed.cookie).session.id == browser.session.id)
        let refreshed = try there.refresh(session.refreshToken)
        #expect(try desk.refresh(refreshed.refreshToken).session.id == session.session.id)

        // Without the older secret what it made is worth nothing.
        let strict = try AccountDesk(database.store, secrets: Secrets([UInt8](repeating: 2, count: 32)))
        #expect(throws: AccountError.unknownToken) { try strict.goOn(withCookie: browser.cookie) }
        #expect(try strict.goOn(withCookie: renewed.cookie).session.id == browser.session.id)
    }
}
