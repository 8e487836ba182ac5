import Database
import Documents
import Linux
import Media
import People
import Synchronization
import TestDeadline
import Testing

@Suite(.deadline) struct AccountAuthenticatorTests {
    private let database: TemporaryDatabase
    private let desk: AccountDesk
    private let store: AccountStore
    private let grant: AccountDesk.Grant
    private static let start = Instant(microseconds: Time.wall / 1000)

    init() throws {
        database = try TemporaryDatabase()
        store = database.store
        desk = try AccountDesk(store, secrets: Secrets([UInt8](repeating: 7, count: 32)))
        _ = try desk.addAccount("ada@example.org", "correct horse")
        grant = try desk.signIn("ada@example.org", "correct horse", client: "a")
    }

    private final class Clock: Sendable {
        let now = Mutex(AccountAuthenticatorTests.start)
        let moment = Mutex(Duration.zero)

        /// Lets time pass until the wall clock shows the instant.
        func pass(until instant: Instant) {
            moment.withLock { $0 += .microseconds(instant.microseconds - now.withLock { $0 }.microseconds) }
            now.withLock { $0 = instant }
        }
    }

    private func authenticator(_ tokens: AccessTokens, _ clock: Clock) -> AccountAuthenticator {
        let store = store
        return AccountAuthenticator(
            tokens, desk, now: { clock.now.withLock { $0 } }, clock: { clock.moment.withLock { $0 } },
            session: { try store.session($0) },
            standing: { try store.standing(of: $0, for: $1) })
    }

    private func fault(_ authenticator: AccountAuthenticator, _ token: String?) async -> AccessError? {
        do throws(AccessError) {
            _ = try await authenticator.caller(with: Credentials(bearer: token))
            return nil
        } catch {
            return error
        }
    }

    @Test func aTokenIsItsPersonsUntilItExpires() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        let token = try await tokens.sign(grant, at: Self.start).text
        #expect(try await people.caller(with: Credentials(bearer: token)).owner == grant.account.id)
        clock.pass(until: Self.start + .seconds(901))
        #expect(await fault(people, token) == .expired)
        #expect(await fault(people, nil) == .unauthenticated)
    }

    @Test func aPersonIsKnownWithoutWaitingForASecondAfterACheck() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        // Tokens expire at whole seconds.
        let start = Instant(microseconds: Self.start.microseconds / 1_000_000 * 1_000_000)
        clock.now.withLock { $0 = start }
        let credentials = Credentials(bearer: try await tokens.sign(grant, at: start).text)
        #expect(people.knownCaller(with: credentials) == nil, "nobody has checked the token")
        let caller = try await people.caller(with: credentials)
        #expect(people.knownCaller(with: credentials) == caller)
        #expect(
            people.knownCaller(with: Credentials()) == nil && people.knownCaller(with: Credentials(bearer: "x")) == nil)
        clock.pass(until: start + .milliseconds(1001))
        #expect(people.knownCaller(with: credentials) == nil, "the session may have ended")
        clock.pass(until: start + .milliseconds(899_500))
        _ = try await people.caller(with: credentials)
        clock.pass(until: start + .milliseconds(900_400))
        #expect(people.knownCaller(with: credentials) == nil, "the token has expired")
    }

    @Test func wrongTokensOfEveryKindAreRefused() async throws {
        let tokens = try await AccessTokens(key: AccessTokens.makeKey())
        let people = authenticator(tokens, Clock())
        let good = try await tokens.sign(grant, at: Self.start).text
        let foreign = try await AccessTokens(key: AccessTokens.makeKey()).sign(grant, at: Self.start).text
        let parts = good.split(separator: ".").map(String.init)
        let other = foreign.split(separator: ".").map(String.init)
        func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)).filter { $0 != "=" } }
        let name = await tokens.keySet["keys"]!.array![0]["kid"]!.string!
        let none = encoded(#"{"alg":"none","typ":"JWT","kid":"\#(name)"}"#)
        let symmetric = encoded(#"{"alg":"HS256","typ":"JWT","kid":"\#(name)"}"#)
        let wrong = [
            "", ".", "..", "a.b.c", foreign, "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
            "\(symmetric).\(parts[1]).\(parts[2])", "\(parts[0]).\(other[1]).\(other[2])",
            "\(parts[0]).\(parts[1]).\(other[2])", "\(parts[0]).\(parts[1])", "\(good).x", good + good,
            String(repeating: "a", count: 1_000_000),
        ]
        for token in wrong { #expect(await fault(people, token) == .invalid, "\(token.prefix(200))") }
        #expect(await fault(people, good) == nil)
    }

    @Test func anEndedSessionIsNoticedWithinASecond() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        let token = try await tokens.sign(grant, at: Self.start).text
        #expect(await fault(people, token) == nil)
        try store.endSessions(of: grant.account.id, .only(grant.session.id))
        clock.pass(until: Self.start + .seconds(1))
        #expect(await fault(people, token) == .invalid)
    }

    @Test func anEndIsNoticedAlsoWhereTheWallClockIsSetBack() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let (people, person) = (authenticator(tokens, clock), grant.account.id)
        let token = try await tokens.sign(grant, at: Self.start).text
        #expect(await fault(people, token) == nil)
        #expect(try await people.right(of: person, for: person) == .manage)
        try store.setDisabled(true, for: person)
        clock.pass(until: Self.start + .seconds(1))
        clock.now.withLock { $0 = Self.start - .seconds(600) }
        #expect(await fault(people, token) == .invalid)
        #expect(people.knownRight(of: person, for: person) == nil)
    }

    @Test func aChangeIsRefusedWhoseSessionHasEndedSinceItWasChecked() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        let credentials = Credentials(bearer: try await tokens.sign(grant, at: Self.start).text)
        let caller = try await people.caller(with: credentials)
        let run = people.permitting(caller, RouteRule("DELETE", "/things", .person))
        run { #expect(throws: Never.self) { try ChangePermit.current?.require() } }
        try store.endSessions(of: grant.account.id, .only(grant.session.id))
        #expect(people.knownCaller(with: credentials) == caller, "the end is not noticed yet")
        run { #expect(throws: ChangePermit.Refusal.ended) { try ChangePermit.current?.require() } }
    }

    @Test func aCookieIsItsPersonsUntilItsSessionEnds() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        let browser = try desk.signIn("ada@example.org", "correct horse", client: "a", inBrowser: true)
        let credentials = Credentials(cookie: browser.cookie)
        #expect(people.knownCaller(with: credentials) == nil)
        #expect(try await people.caller(with: credentials).owner == grant.account.id)
        #expect(people.knownCaller(with: credentials)?.owner == grant.account.id)
        try store.endSessions(of: grant.account.id, .only(browser.session.id))
        clock.pass(until: Self.start + .seconds(1))
        #expect(people.knownCaller(with: credentials) == nil)
        await #expect(throws: AccessError.invalid) { try await people.caller(with: credentials) }
    }

    @Test func aCookieOfASessionThatIsOverHasExpired() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let browser = try desk.signIn("ada@example.org", "correct horse", client: "a", inBrowser: true)
        // The desk uses the machine's clock.
        let end = try #require(browser.session.end)
        clock.pass(until: end + .seconds(1))
        let people = authenticator(tokens, clock)
        await #expect(throws: AccessError.expired) {
            try await people.caller(with: Credentials(cookie: browser.cookie))
        }
    }

    @Test func aTokenCountsBeforeACookie() async throws {
        let (tokens, clock) = (try await AccessTokens(key: AccessTokens.makeKey()), Clock())
        let people = authenticator(tokens, clock)
        let browser = try desk.signIn("ada@example.org", "correct horse", client: "a", inBrowser: true)
        await #expect(throws: AccessError.invalid) {
            try await people.caller(with: Credentials(bearer: "wrong", cookie: browser.cookie))
        }
    }

    @Test func aStoreThatDoesNotAnswerLetsNobodyInAndSignsNobodyOut() async throws {
        struct Broken: Error {}
        let tokens = try await AccessTokens(key: AccessTokens.makeKey())
        let people = AccountAuthenticator(
            tokens, desk, now: { Self.start }, session: { _ in throw Broken() }, standing: { _, _ in nil })
        let token = try await tokens.sign(grant, at: Self.start).text
        #expect(await fault(people, token) == .unavailable)
        await #expect(throws: AccessError.unavailable) {
            try await people.caller(with: Credentials(cookie: grant.cookie))
        }
    }
}
