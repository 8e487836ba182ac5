import Linux
import Media
import People
import Synchronization
import TestDeadline
import Testing

@Suite(.deadline) struct GuardianTests {
    private let database: TemporaryDatabase
    private let desk: AccountDesk
    private let clock = Clock()
    private let ada: Account
    private let bob: Account
    private let eve: Account
    private let letters = Letters()

    private final class Clock: Sendable {
        let now = Mutex(Instant(microseconds: Time.wall / 1000))
    }

    /// Keeps the letters that are sent.
    private final class Letters: AccountPost {
        let sent = Mutex<[AccountLetter]>([])

        func send(_ letter: AccountLetter, to address: MailAddress) { sent.withLock { $0.append(letter) } }
    }

    init() throws {
        database = try TemporaryDatabase()
        let clock = clock
        let desk = try AccountDesk(
            database.store, secrets: Secrets([UInt8](repeating: 7, count: 32)), post: letters,
            now: { clock.now.withLock { $0 } })
        func account(_ address: String) throws -> Account {
            let now = clock.now.withLock { $0 }
            let account = Account(
                id: .make(at: now), address: MailAddress(address)!, metadata: .object([]), isDisabled: false,
                confirmed: now, created: now, updated: now)
            try desk.store.addAccount(account, PasswordHash(text: "none"))
            return account
        }
        self.desk = desk
        ada = try account("ada@example.org")
        bob = try account("bob@example.org")
        eve = try account("eve@example.org")
    }

    private func invite(_ address: String = "bob@example.org", right: ActingRight = .view) throws -> String {
        try desk.invite(address, by: ada.id, right: right, client: "c").token
    }

    private func fault(_ body: () throws -> Void) -> AccountError? {
        do {
            try body()
            return nil
        } catch {
            return error as? AccountError
        }
    }

    @Test("An invitation is mailed, taken once, listed by both, and ended by either")
    func life() throws {
        let token = try invite(right: .manage)
        #expect(letters.sent.withLock { $0 } == [.invitation(token: token, from: ada.address)])
        #expect(try desk.guardians(of: ada.id).map(\.guardianship.guardian) == [nil])
        #expect(try desk.store.right(of: bob.id, for: ada.id) == nil)
        let read = try desk.invitation(token, for: bob.id)
        #expect(read.account?.id == ada.id && read.guardianship.right == .manage)
        #expect(try desk.acceptInvitation(token, by: bob.id).account?.id == ada.id)
        #expect(try desk.store.right(of: bob.id, for: ada.id) == .manage)
        #expect(try desk.guardians(of: ada.id).map(\.account?.id) == [bob.id])
        #expect(try desk.athletes(of: bob.id).map(\.account?.id) == [ada.id])
        #expect(try desk.store.right(of: ada.id, for: bob.id) == nil)
        #expect(fault { _ = try desk.acceptInvitation(token, by: eve.id) } == .unknownLink)
        let id = try #require(desk.guardians(of: ada.id).first?.guardianship.id)
        #expect(fault { try desk.endGuardianship(id, by: eve.id) } == .notFound)
        try desk.endGuardianship(id, by: bob.id)
        #expect(try desk.store.right(of: bob.id, for: ada.id) == nil)
        #expect(fault { try desk.endGuardianship(id, by: ada.id) } == .notFound)
    }

    @Test("An invitation ends after a week, when it is taken back, and when a newer one goes to the same address")
    func ends() throws {
        let first = try invite()
        let second = try invite()
        #expect(try desk.guardians(of: ada.id).count == 1)
        #expect(fault { _ = try desk.invitation(first, for: bob.id) } == .unknownLink)
        clock.now.withLock { $0 = $0 + .seconds(7 * 86_400) }
        #expect(fault { _ = try desk.acceptInvitation(second, by: bob.id) } == .unknownLink)
        #expect(try desk.guardians(of: ada.id).isEmpty)
        let third = try invite()
        try desk.endGuardianship(try #require(desk.guardians(of: ada.id).first?.guardianship.id), by: ada.id)
        #expect(fault { _ = try desk.acceptInvitation(third, by: bob.id) } == .unknownLink)
    }

    @Test("Who is a guardian already gets the right of the newer invitation")
    func again() throws {
        _ = try desk.acceptInvitation(try invite(right: .view), by: bob.id)
        _ = try desk.acceptInvitation(try invite("b@example.org", right: .manage), by: bob.id)
        #expect(try desk.store.right(of: bob.id, for: ada.id) == .manage)
        #expect(try desk.guardians(of: ada.id).count == 1)
    }

    @Test("Nobody is their own guardian, and nobody has more than ten")
    func bounds() throws {
        #expect(fault { _ = try invite("ADA@example.org") } == .ownGuardian)
        #expect(fault { _ = try invite("bob") } == .badAddress)
        let token = try invite()
        #expect(fault { _ = try desk.acceptInvitation(token, by: ada.id) } == .ownGuardian)
        for number in 1..<Guardianship.mostOfPerson { _ = try invite("p\(number)@example.org") }
        #expect(fault { _ = try invite("late@example.org") } == .tooManyGuardians)
    }

    @Test("A disabled athlete is looked after by nobody, and what is deleted takes its guardianships along")
    func accounts() throws {
        _ = try desk.acceptInvitation(try invite(), by: bob.id)
        try desk.store.setDisabled(true, for: ada.id)
        #expect(try desk.store.right(of: bob.id, for: ada.id) == nil)
        #expect(try desk.athletes(of: bob.id).isEmpty)
        try desk.store.setDisabled(false, for: ada.id)
        #expect(try desk.store.right(of: bob.id, for: ada.id) == .view)
        try desk.store.removeAccount(bob.id)
        #expect(try desk.guardians(of: ada.id).isEmpty)
        _ = try desk.acceptInvitation(try invite("eve@example.org"), by: eve.id)
        try desk.store.removeAccount(ada.id)
        #expect(try desk.athletes(of: eve.id).isEmpty)
    }

    @Test("An invitation names nobody for longer than it lasts, and nobody who has left")
    func addresses() throws {
        _ = try invite()
        let end = clock.now.withLock { $0 } + Guardianship.invitationTime
        try desk.store.removeExpiredRows(at: end)
        #expect(try desk.guardians(of: ada.id).count == 1)
        try desk.store.removeExpiredRows(at: end + .seconds(1))
        #expect(try desk.store.guardianships(of: ada.id).isEmpty)
        _ = try invite()
        try desk.store.removeAccount(bob.id)
        #expect(try desk.store.guardianships(of: ada.id).isEmpty)
    }

    @Test("Whose removal was requested is not let in again, also by who disables the account meanwhile")
    func removal() throws {
        let now = clock.now.withLock { $0 }
        try desk.store.requestRemoval(of: ada.id, at: now)
        try desk.store.setDisabled(true, for: ada.id)
        #expect(fault { try desk.store.setDisabled(false, for: ada.id) } == .beingRemoved)
        #expect(try desk.store.requestedRemovals(before: now).isEmpty)
        #expect(try desk.store.requestedRemovals(before: now + .seconds(1)) == [ada.id])
        #expect(try desk.store.right(of: ada.id, for: ada.id) == nil)
        #expect(try desk.store.right(of: bob.id, for: bob.id) == .manage)
    }

    @Test("A right is remembered for a second, and its end is noticed then")
    func memory() async throws {
        _ = try desk.acceptInvitation(try invite(), by: bob.id)
        let (store, id) = (database.store, bob.id)
        let moment = Mutex(Duration.zero)
        let tokens = try await AccessTokens(key: AccessTokens.makeKey())
        let people = AccountAuthenticator(
            tokens, desk, clock: { moment.withLock { $0 } }, session: { try store.session($0) },
            standing: { try store.standing(of: $0, for: $1) })
        #expect(people.knownRight(of: id, for: ada.id) == nil)
        #expect(try await people.right(of: id, for: ada.id) == .view)
        #expect(people.knownRight(of: id, for: ada.id) == .view)
        try desk.endGuardianship(try #require(desk.athletes(of: id).first?.guardianship.id), by: ada.id)
        moment.withLock { $0 += .seconds(1) }
        #expect(people.knownRight(of: id, for: ada.id) == nil)
        #expect(try await people.right(of: id, for: ada.id) == nil)
    }
}

extension AccountStore {
    /// The right of a standing.
    fileprivate func right(of guardian: ID<Person>, for athlete: ID<Person>) throws(AccountError) -> ActingRight? {
        try standing(of: guardian, for: athlete)?.right
    }
}
