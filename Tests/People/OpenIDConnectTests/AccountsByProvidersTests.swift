import Media
import People
import SignIn
import Synchronization
import TestDeadline
import Testing
import TokenMaking

@Suite("Accounts and the providers that open them", .deadline)
struct AccountsByProvidersTests {
    private let setup: SignInSetup
    private var provider: FakeProvider { setup.provider }
    private var desk: AccountDesk { setup.desk }

    init() throws { setup = try SignInSetup() }

    private func claim(_ changes: JSON.Member...) { provider.state.withLock { $0.claims = changes } }

    private func connect(_ grant: AccountDesk.Grant) async throws -> SignInElsewhere.Outcome {
        try await setup.signIn(.connection(grant.account.id, grant.session.id))
    }

    private func signUp(_ address: String = "ada@example.org") throws -> AccountDesk.Grant {
        _ = try desk.addAccount(address, "correct horse")
        return try desk.signIn(address, "correct horse", client: "a")
    }

    @Test("The first sign-in makes an account, which no password opens; the next one is the same person's")
    func first() async throws {
        let grant = try #require(try await setup.signIn().grant)
        let account = grant.account
        #expect(account.address.text == "ada@example.org" && account.metadata["name"]?.string == "Ada")
        #expect(account.confirmed != nil && !account.hasPassword && account.wayNames == ["mock"])
        for password in ["", "!", "correct horse", String(repeating: "a", count: 5000)] {
            #expect(throws: AccountError.badCredentials) {
                try desk.signIn("ada@example.org", password, client: "\(password.count)")
            }
            setup.pass(.seconds(600))
        }
        // The address may change at the provider; the subject identifies the person.
        claim(.init("email", .string("other@example.org")), .init("email_verified", .bool(false)))
        let again = try #require(try await setup.signIn().grant)
        #expect(again.account.id == account.id && again.account.address == account.address)
        #expect(try setup.store.identities(of: account.id).map(\.address) == ["other@example.org"])
        claim(.init("sub", .string("subject ")), .init("email", .string("bob@example.org")))
        #expect(try await setup.signIn().grant?.account.id != account.id)
    }

    @Test("An account is never opened because its address is the same")
    func taken() async throws {
        let grant = try signUp()
        #expect(try await setup.fault() == .taken)
        #expect(try setup.store.identities(of: grant.account.id).isEmpty)
        #expect(setup.box.letters.withLock { $0.isEmpty })
    }

    @Test("An address that the provider does not vouch for, or does not tell, makes no account")
    func unproven() async throws {
        for value in [JSON.bool(false), .null, .string("false"), .integer(1), .string("TRUE")] {
            claim(.init("email_verified", value))
            #expect(try await setup.fault() == .unproven, "\(value.text)")
        }
        for value in [JSON.string("ada"), .string(""), .string("ádá@example.org"), .integer(1)] {
            claim(.init("email", value))
            #expect(try await setup.fault() == .address, "\(value.text)")
        }
        #expect(try setup.store.accounts().isEmpty)
    }

    @Test("A name that is no name is left out")
    func names() async throws {
        for (number, name) in ["", "  ", "a\u{0}b", "a\u{7}"].enumerated() {
            claim(
                .init("name", .string(name)), .init("sub", .string("\(number)")),
                .init("email", .string("p\(number)@example.org")))
            #expect(try await setup.signIn().grant?.account.metadata == .object([]))
        }
        claim(.init("name", .string(String(repeating: "n ", count: 500))))
        #expect(try await setup.signIn().grant?.account.metadata["name"]?.string?.count == 100)
    }

    @Test("A person who has signed in connects a provider, is written of it, and signs in by it; twice is once")
    func connecting() async throws {
        let grant = try signUp()
        for _ in 0..<2 {
            guard case .connected(let person, "mock") = try await connect(grant) else {
                Issue.record("not connected: \(setup.reason)")
                return
            }
            #expect(person == grant.account.id)
        }
        #expect(setup.box.letters.withLock { $0 } == [.connected(provider: "Mock")])
        let by = try #require(try await setup.signIn().grant)
        #expect(by.account.id == grant.account.id && by.account.wayNames == ["email", "mock"])
        let other = try signUp("bob@example.org")
        #expect(try await connect(other).fault == .other)
        #expect(try desk.account(other.account.id).providers.isEmpty)
    }

    @Test("Nothing is connected once the session has ended in which it was begun")
    func left() async throws {
        let grant = try signUp()
        try setup.store.endSessions(of: grant.account.id, .all)
        #expect(try await connect(grant).fault == .left)
        #expect(try setup.store.identities(of: grant.account.id).isEmpty)
    }

    @Test("A provider is disconnected by its person alone, and not where it is the last way to sign in")
    func disconnecting() async throws {
        let grant = try #require(try await setup.signIn().grant)
        let (id, person) = (try setup.store.identities(of: grant.account.id)[0].id, grant.account.id)
        #expect(throws: AccountError.lastWay) { try desk.disconnect(id, of: person) }
        #expect(try setup.store.identities(of: person).count == 1)
        let stranger = try signUp("bob@example.org").account.id
        #expect(throws: AccountError.notFound) { try desk.disconnect(id, of: stranger) }
        // Without a password, no current one is requested; from then on it is.
        try desk.changePassword(of: person, from: "", to: "battery staple", keeping: grant.session.id, client: "a")
        #expect(throws: AccountError.badCredentials) {
            try desk.changePassword(of: person, from: "", to: "another one", keeping: grant.session.id, client: "a")
        }
        try desk.disconnect(id, of: person)
        #expect(throws: AccountError.notFound) { try desk.disconnect(id, of: person) }
        #expect(try setup.store.session(grant.session.id) != nil)
        #expect(try desk.signIn("ada@example.org", "battery staple", client: "a").account.id == person)
        #expect(try await setup.fault() == .taken)
    }

    @Test("A disabled account is opened by no provider, and a deleted one leaves nothing of it")
    func closed() async throws {
        let grant = try #require(try await setup.signIn().grant)
        try setup.store.setDisabled(true, for: grant.account.id)
        #expect(try await setup.fault() == .closed)
        try setup.store.setDisabled(false, for: grant.account.id)
        #expect(try await setup.fault() == nil)
        try setup.store.removeAccount(grant.account.id)
        #expect(try setup.store.identity("subject", of: FakeProvider.name) == nil)
        #expect(try await setup.signIn().grant?.account.id != grant.account.id)
    }

    @Test("Of many first sign-ins at once one makes the account, and all are the same person's")
    func together() async throws {
        let setup = setup
        let people = try await withThrowingTaskGroup(of: ID<Person>?.self) { group in
            for _ in 0..<8 { group.addTask { try await setup.signIn().grant?.account.id } }
            return try await group.reduce(into: [ID<Person>?]()) { $0.append($1) }
        }
        #expect(people.count == 8 && Set(people).count == 1 && people[0] != nil, "\(setup.reason)")
        #expect(try setup.store.accounts().count == 1)
    }

    @Test("A mailed link gives an account a first password")
    func reset() async throws {
        let grant = try #require(try await setup.signIn().grant)
        try desk.requestReset("ada@example.org", client: "a")
        guard case .reset(let token) = setup.box.letters.withLock({ $0.last }) else {
            Issue.record("no letter")
            return
        }
        #expect(try desk.resetPassword(by: token, to: "battery staple").account.id == grant.account.id)
        #expect(try desk.account(grant.account.id).wayNames == ["email", "mock"])
        #expect(throws: AccountError.unknownLink) { try desk.resetPassword(by: token, to: "another one") }
    }
}
