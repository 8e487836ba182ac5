import Database
import Linux
import Media
import People
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Changes of accounts at the same time on a PostgreSQL server", .deadline)
struct SharedAccountsTests {
    private static let now = Instant(microseconds: 1_700_000_000_000_000)
    private static let hash = PasswordHash(text: "a digest")

    private let scratch: ScratchDatabase
    private let store: AccountStore

    init() throws {
        scratch = try ScratchDatabase()
        store = try AccountStore(scratch.database)
    }

    private static func account(_ name: String) throws -> Account {
        Account(
            id: .make(at: now), address: try #require(MailAddress("\(name)@example.org")), metadata: .object([:]),
            isDisabled: false, confirmed: nil, created: now, updated: now)
    }

    /// Adds an account with a session.
    private func add(_ name: String) throws -> AccountSession {
        let account = try Self.account(name)
        try store.addAccount(account, Self.hash)
        let session = AccountSession(of: account.id, at: Self.now)
        try store.addSession(session, hash: Self.hash)
        return session
    }

    /// Blocks a person's change, with the locks that it has taken, until `ends`.
    private func hold(_ person: ID<Person>, until ends: Promise<Void>) throws -> WorkerThread {
        let isHeld = Promise<Void>()
        let thread = try WorkerThread(name: "holder") { [database = scratch.database] in
            try? database.transaction(.durable) { session in
                _ = try session.hasRow("SELECT 1 FROM accounts WHERE id = ? FOR UPDATE", [person.text])
                isHeld.fulfil(())
                _ = try? ends.value()
            }
        }
        try isHeld.value()
        return thread
    }

    /// Waits until `count` statements wait for a lock.
    ///
    /// - Returns: whether that many do.
    private func waiting(_ count: Int) throws -> Bool {
        let deadline = Time.monotonic + .seconds(8)
        let query = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try scratch.server.psql(scratch.name, query) != ["\(count)"] {
            if Time.monotonic > deadline { return false }
            Time.sleep(.milliseconds(10))
        }
        return true
    }

    @Test("A person's change waits for nobody else's; an account that is added waits for all")
    func beside() throws {
        let (ada, ben) = (try add("ada"), try add("ben"))
        let cleo = try Self.account("cleo")
        let ends = Promise<Void>()
        defer { ends.fulfil(()) }
        let holder = try hold(ada.person, until: ends)
        let change = try WorkerThread(name: "ada") { [store] in
            try? store.changeMetadata(of: ada.person, to: .object(["club": .string("North")]), at: Self.now)
        }
        #expect(try waiting(1))
        #expect(throws: Never.self) {
            #expect(try store.useToken(0, of: ben.id, at: Self.now).session.token == 1)
            try store.changePassword(of: ben.person, to: PasswordHash(text: "another"), keeping: nil)
        }
        let addition = try WorkerThread(name: "cleo") { [store] in try? store.addAccount(cleo, Self.hash) }
        #expect(try waiting(2))
        #expect(try store.account(cleo.id) == nil)
        ends.fulfil(())
        for thread in [holder, change, addition] { thread.join() }
        #expect(try store.account(ada.person)?.account.metadata["club"]?.string == "North")
        #expect(try store.account(cleo.id)?.account.address == cleo.address)
    }

    @Test("Who begins to sign in elsewhere waits for nobody, and deletes nobody's ticket")
    func tickets() throws {
        let ada = try add("ada")
        let long = Self.now + .seconds(86_400)
        func ticket(_ name: String, _ end: Instant) -> AccountTicket {
            AccountTicket(name: name, content: .object([:]), end: end)
        }
        try store.addTicket(ticket("old", Self.now), at: Self.now)
        func tickets() throws -> [String] {
            try scratch.server.psql(scratch.name, "SELECT name FROM account_tickets")
        }
        let isHeld = Promise<Void>()
        let ends = Promise<Void>()
        defer { ends.fulfil(()) }
        let holder = try WorkerThread(name: "holder") { [database = scratch.database] in
            try? database.transaction(.durable) { session in
                _ = try session.hasRow("SELECT 1 FROM account_tickets FOR UPDATE", [])
                isHeld.fulfil(())
                _ = try? ends.value()
            }
        }
        try isHeld.value()
        // A blocked change of an account.
        let change = try hold(ada.person, until: ends)
        let blocked = try WorkerThread(name: "ada") { [store] in
            try? store.changeMetadata(of: ada.person, to: .object([:]), at: Self.now)
        }
        #expect(try waiting(1))
        #expect(throws: Never.self) {
            try store.addTicket(ticket("new", long + .seconds(600)), at: long)
            #expect(try store.takeTicket("new") != nil)
        }
        try store.removeExpiredRows(at: long)
        #expect(try tickets() == ["old"], "what somebody has locked is left")
        ends.fulfil(())
        for thread in [holder, change, blocked] { thread.join() }
        try store.removeExpiredRows(at: long)
        #expect(try tickets() == [])
    }

    @Test("A token that comes while its person's password changes waits, and is not valid then")
    func oneByOne() throws {
        let ada = try add("ada")
        let ends = Promise<Void>()
        defer { ends.fulfil(()) }
        let holder = try hold(ada.person, until: ends)
        let change = try WorkerThread(name: "password") { [store] in
            try? store.changePassword(of: ada.person, to: PasswordHash(text: "another"), keeping: nil)
        }
        #expect(try waiting(1))
        let outcome = Promise<AccountError?>()
        let use = try WorkerThread(name: "token") { [store] in
            do throws(AccountError) {
                _ = try store.useToken(0, of: ada.id, at: Self.now)
                outcome.fulfil(nil)
            } catch {
                outcome.fulfil(error)
            }
        }
        #expect(try waiting(2))
        ends.fulfil(())
        for thread in [holder, change, use] { thread.join() }
        #expect(try outcome.value() == .unknownToken)
    }
}
