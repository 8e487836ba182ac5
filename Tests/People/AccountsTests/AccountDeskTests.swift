import Media
import People
import Synchronization
import TestDeadline
import Testing

/// A desk over its own database, with a clock that the test moves.
private final class DeskSetup: Sendable {
    private let database: TemporaryDatabase
    let store: AccountStore
    let desk: AccountDesk
    private let clock: ManualClock

    final class ManualClock: Sendable {
        let now = Mutex(Instant(microseconds: 1_700_000_000_000_000))
    }

    init() throws {
        let clock = ManualClock()
        self.clock = clock
        database = try TemporaryDatabase()
        store = database.store
        desk = try AccountDesk(store, secrets: Secrets([UInt8](repeating: 7, count: 32))) { clock.now.withLock { $0 } }
    }

    func pass(_ time: Duration) { clock.now.withLock { $0 = $0 + time } }
}

@Suite(.serialized, .deadline) struct AccountDeskTests {
    private let setup: DeskSetup
    private var desk: AccountDesk { setup.desk }

    init() throws { setup = try DeskSetup() }

    @Test func aPersonSignsUpAndInByAnyCapitalsOfTheAddress() throws {
        let account = try desk.addAccount("Ada@example.org", "correct horse")
        let grant = try desk.signIn(" aDA@Example.org", "correct horse", client: "a")
        #expect(grant.account.id == account.id)
        #expect(throws: AccountError.taken) { try desk.addAccount("ADA@example.org", "another horse") }
        #expect(throws: AccountError.badCredentials) {
            try desk.signIn("ada@example.org", "Correct horse", client: "a")
        }
        #expect(throws: AccountError.badCredentials) { try desk.signIn("bob@example.org", "x", client: "a") }
    }

    @Test(arguments: [0, 5, 7])
    func shortPasswordsAreRefusedWithTheNumberOfCharacters(count: Int) {
        let fault = PasswordRule.Fault.tooShort(leastCount: 8)
        #expect(throws: AccountError.badPassword(fault)) {
            try desk.addAccount("ada@example.org", String(repeating: "é", count: count))
        }
        #expect(fault.message.contains("8"))
    }

    @Test(arguments: [8, 72, 1000, 4096])
    func longPasswordsCountToTheirLastByte(count: Int) throws {
        let password = String(repeating: "p", count: count)
        _ = try desk.addAccount("ada@example.org", password)
        _ = try desk.signIn("ada@example.org", password, client: "a")
        #expect(throws: AccountError.badCredentials) {
            try desk.signIn("ada@example.org", String(password.dropLast()) + "q", client: "a")
        }
    }

    @Test func aMegabyteOfPasswordIsRefusedBeforeItIsHashed() throws {
        let password = String(repeating: "p", count: 1_000_000)
        #expect(throws: AccountError.badPassword(.tooLong)) { try desk.addAccount("ada@example.org", password) }
        #expect(throws: AccountError.badCredentials) { try desk.signIn("ada@example.org", password, client: "a") }
    }

    @Test func aTokenThatComesBackLateEndsItsSession() throws {
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let first = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let second = try desk.refresh(first.refreshToken)
        #expect(try desk.refresh(first.refreshToken).refreshToken == second.refreshToken)
        let third = try desk.refresh(second.refreshToken)
        setup.pass(.seconds(11))
        #expect(throws: AccountError.reusedToken) { try desk.refresh(first.refreshToken) }
        #expect(throws: AccountError.unknownToken) { try desk.refresh(third.refreshToken) }
    }

    @Test func twentyRefreshesAtOnceGiveOneSuccessor() async throws {
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let token = try desk.signIn("ada@example.org", "correct horse", client: "a").refreshToken
        let desk = desk
        let successors = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try desk.refresh(token).refreshToken } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(successors.count == 1)
        #expect(!successors.contains(token))
    }

    @Test func changedRefreshTokensAreUnknown() throws {
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let token = try desk.signIn("ada@example.org", "correct horse", client: "a").refreshToken
        for place in [0, 40, 60, 111] {
            var text = Array(token)
            text[place] = text[place] == "0" ? "1" : "0"
            #expect(throws: AccountError.unknownToken) { try desk.refresh(String(text)) }
        }
        #expect(throws: AccountError.unknownToken) { try desk.refresh("") }
    }

    @Test func aChangedPasswordEndsTheOtherSessions() throws {
        let person = try desk.addAccount("ada@example.org", "correct horse").id
        let here = try desk.signIn("ada@example.org", "correct horse", client: "a")
        let there = try desk.signIn("ada@example.org", "correct horse", client: "b")
        #expect(throws: AccountError.samePassword) {
            try desk.changePassword(of: person, to: "correct horse", keeping: here.session.id)
        }
        try desk.changePassword(of: person, to: "battery staple", keeping: here.session.id)
        #expect(throws: AccountError.unknownToken) { try desk.refresh(there.refreshToken) }
        _ = try desk.refresh(here.refreshToken)
        #expect(throws: AccountError.badCredentials) {
            try desk.signIn("ada@example.org", "correct horse", client: "a")
        }
    }

    @Test func aDisabledAccountLosesItsSessions() throws {
        let person = try desk.addAccount("ada@example.org", "correct horse").id
        let grant = try desk.signIn("ada@example.org", "correct horse", client: "a")
        try setup.store.setDisabled(true, for: person)
        #expect(try setup.store.session(grant.session.id) == nil)
        #expect(throws: AccountError.badCredentials) {
            try desk.signIn("ada@example.org", "correct horse", client: "a")
        }
        try setup.store.setDisabled(false, for: person)
        _ = try desk.signIn("ada@example.org", "correct horse", client: "a")
    }

    @Test func failedSignInsHaveToWait() throws {
        _ = try desk.addAccount("ada@example.org", "correct horse")
        for _ in 0..<5 {
            #expect(throws: AccountError.badCredentials) { try desk.signIn("ada@example.org", "wrong", client: "a") }
        }
        do throws(AccountError) {
            _ = try desk.signIn("ada@example.org", "correct horse", client: "b")
            Issue.record("the sixth attempt was not slowed")
        } catch {
            guard case .tooManyAttempts = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    private func signInByBrowser() throws -> AccountDesk.Grant {
        try desk.signIn("ada@example.org", "correct horse", client: "a", program: "Firefox on Linux", inBrowser: true)
    }

    @Test func aCookieIsReplacedOnceAnHourAndAnOldOneEndsItsSession() throws {
        let person = try desk.addAccount("ada@example.org", "correct horse").id
        let first = try signInByBrowser()
        #expect(try desk.goOn(withCookie: first.cookie).cookie == first.cookie)
        setup.pass(AccountDesk.cookieTime)
        let second = try desk.goOn(withCookie: first.cookie)
        #expect(second.cookie != first.cookie && second.account.id == person)
        // The answer with the second cookie may have been lost.
        #expect(try desk.goOn(withCookie: first.cookie).cookie == second.cookie)
        setup.pass(AccountDesk.cookieTime)
        let third = try desk.goOn(withCookie: second.cookie)
        setup.pass(.seconds(11))
        #expect(throws: AccountError.reusedToken) { try desk.goOn(withCookie: first.cookie) }
        #expect(throws: AccountError.unknownToken) { try desk.goOn(withCookie: third.cookie) }
    }

    @Test func cookiesAndRefreshTokensAreWorthNothingInEachOthersPlace() throws {
        _ = try desk.addAccount("ada@example.org", "correct horse")
        let grant = try signInByBrowser()
        #expect(grant.cookie != grant.refreshToken)
        #expect(throws: AccountError.unknownToken) { try desk.goOn(withCookie: grant.refreshToken) }
        #expect(throws: AccountError.unknownToken) { try desk.refresh(grant.cookie) }
    }

    @Test func anUnusedBrowserIsSignedOutAndLeavesTheList() throws {
        let person = try desk.addAccount("ada@example.org", "correct horse").id
        let browser = try signInByBrowser()
        _ = try desk.signIn("ada@example.org", "correct horse", client: "a", program: "python-httpx")
        #expect(try desk.sessions(of: person).map(\.program).sorted() == ["Firefox on Linux", "python-httpx"])
        setup.pass(AccountSession.idleTime)
        #expect(throws: AccountError.unknownToken) { try desk.goOn(withCookie: browser.cookie) }
        #expect(try desk.sessions(of: person).map(\.program) == ["python-httpx"])
        #expect(try setup.store.sessions(of: person).count == 2)
        _ = try signInByBrowser()
        #expect(try setup.store.sessions(of: person).count == 2, "the session that is over was not removed")
    }

    @Test func aNewPasswordNeedsThePresentOneAndGuessesOfItCount() throws {
        let person = try desk.addAccount("ada@example.org", "correct horse").id
        func change(_ present: String, _ wanted: String) throws(AccountError) {
            try desk.changePassword(of: person, from: present, to: wanted, keeping: nil, client: "a")
        }
        #expect(throws: AccountError.badCredentials) { try change("wrong horse", "battery staple") }
        #expect(throws: AccountError.samePassword) { try change("correct horse", "correct horse") }
        try change("correct horse", "battery staple")
        for _ in 0..<5 {
            #expect(throws: AccountError.badCredentials) { try change("wrong horse", "another staple") }
        }
        do throws(AccountError) {
            try change("battery staple", "another staple")
            Issue.record("the sixth guess was not slowed")
        } catch {
            guard case .tooManyAttempts = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
