import Linux
import Media
import People
import Synchronization
import TestDeadline
import Testing

@Suite("Accounts, while the service's keys are renewed", .deadline)
struct KeyRotationTests {
    private static let now = Instant(microseconds: Time.wall / 1_000_000 * 1000)

    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    private static func secret(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private func desk(_ secrets: Secrets) throws -> AccountDesk {
        try AccountDesk(database.store, secrets: secrets) { Self.now }
    }

    /// The key that a token names.
    private func name(_ token: String) throws -> String? {
        let digits = token.prefix { $0 != "." }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return try JSON(parsing: Base64.decode(String(digits)))["kid"]?.string
    }

    @Test("The first key signs, all keys check, and changes of the keys are noticed")
    func keys() async throws {
        let desk = try desk(Secrets(Self.secret(1)))
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let grant = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let (old, new) = (AccessTokens.makeKey(), AccessTokens.makeKey())
        let known = Mutex([old])
        let tokens = try await AccessTokens { known.withLock { $0 } }
        func names() async -> [String?] { await tokens.keySet["keys"]?.array?.map { $0["kid"]?.string } ?? [] }
        let first = try await tokens.sign(grant, at: Self.now).text
        known.withLock { $0 = [old, new] }
        #expect(try name(await tokens.sign(grant, at: Self.now).text) == name(first))
        #expect(await names().count == 2)
        known.withLock { $0 = [new, old] }
        let second = try await tokens.sign(grant, at: Self.now).text
        let (older, newer) = (try name(first), try name(second))
        #expect(newer != older)
        #expect(await names() == [newer, older])
        for token in [first, second] { _ = try await tokens.content(of: token, at: Self.now) }
        await #expect(throws: AccessTokens.Fault.expired) {
            try await tokens.content(of: first, at: Self.now + .seconds(900))
        }
        known.withLock { $0 = [new] }
        await #expect(throws: AccessTokens.Fault.invalid) { try await tokens.content(of: first, at: Self.now) }
        known.withLock { $0 = ["no key"] }
        _ = try await tokens.content(of: second, at: Self.now)
    }

    @Test("Cookies and refresh tokens of an older secret go on, and their successors are of the one that makes things")
    func secrets() throws {
        let known = Mutex([Self.secret(1)])
        let desk = try desk(Secrets { known.withLock { $0 } })
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let session = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let browser = try desk.signIn("ada@example.org", "correct horse", client: "a", inBrowser: true)
        // Another host already makes things with the new secret, which this host knows.
        let there = try self.desk(Secrets { [Self.secret(2), Self.secret(1)] })
        known.withLock { $0 = [Self.secret(1), Self.secret(2)] }
        let renewed = try there.goOn(withCookie: browser.cookie)
        #expect(renewed.cookie != browser.cookie, "the browser gets a cookie of the newest secret")
        #expect(try desk.goOn(withCookie: renewed.cookie).session.id == browser.session.id)
        let refreshed = try there.refresh(session.refreshToken)
        #expect(try desk.refresh(refreshed.refreshToken).session.id == session.session.id)

        // Without the older secret, what it made is not valid.
        let strict = try self.desk(Secrets(Self.secret(2)))
        #expect(throws: AccountError.unknownToken) { try strict.goOn(withCookie: browser.cookie) }
        #expect(try strict.goOn(withCookie: renewed.cookie).session.id == browser.session.id)
    }
}
