import Media
import People
import Synchronization
import TestDeadline
import Testing

/// Keeps letters instead of sending them.
private final class LetterBox: AccountPost {
    private let kept = Mutex<[(letter: AccountLetter, address: String)]>([])

    var letters: [AccountLetter] { kept.withLock { $0.map(\.letter) } }
    var addresses: [String] { kept.withLock { $0.map(\.address) } }

    func send(_ letter: AccountLetter, to address: MailAddress) {
        kept.withLock { $0.append((letter, address.text)) }
    }
}

@Suite("What people do by mailed links", .serialized, .deadline)
struct MailedLinkTests {
    private final class Clock: Sendable {
        let now = Mutex(Instant(microseconds: 1_700_000_000_000_000))
        func pass(_ time: Duration) { now.withLock { $0 = $0 + time } }
    }

    private static let (address, password) = ("ada@example.org", "correct horse")
    private let database: TemporaryDatabase
    private let clock: Clock
    private let box = LetterBox()

    init() throws {
        (database, clock) = (try TemporaryDatabase(), Clock())
    }

    /// Each desk counts letters from zero, like a restarted service.
    private func desk(secret: UInt8 = 7, post: Bool = true) throws -> AccountDesk {
        let clock = clock
        return try AccountDesk(
            database.store, secrets: Secrets([UInt8](repeating: secret, count: 32)), post: post ? box : nil
        ) { clock.now.withLock { $0 } }
    }

    /// The token of the last letter.
    private func token() throws -> String {
        switch try #require(box.letters.last) {
        case .reset(let token), .confirmation(let token), .invitation(let token, _): return token
        case .alreadyRegistered, .passwordChanged, .removed, .connected:
            Issue.record("the last letter has no link")
            return ""
        }
    }

    @Test("A new account opens once its address is confirmed; the link works again until its end")
    func confirming() throws {
        let desk = try desk()
        let made = try desk.signUp(Self.address, Self.password, client: "a")
        #expect(made.isNew && made.account.confirmed == nil && box.addresses == [Self.address])
        #expect(throws: AccountError.notConfirmed) { try desk.signIn(Self.address, Self.password, client: "a") }
        #expect(throws: AccountError.badCredentials) { try desk.signIn(Self.address, "wrong horse", client: "a") }
        let link = try token()
        for wrong in ["", "0", String(link.dropLast()) + (link.hasSuffix("0") ? "1" : "0"), link + "0"] {
            #expect(throws: AccountError.unknownLink) { try desk.confirm(by: wrong) }
        }
        #expect(throws: AccountError.unknownLink) { try self.desk(secret: 8).confirm(by: link) }
        #expect(throws: AccountError.unknownLink) { try desk.resetPassword(by: link, to: "battery staple") }
        #expect(try desk.confirm(by: link).confirmed == clock.now.withLock { $0 })
        #expect(try desk.signIn(Self.address, Self.password, client: "a").account.id == made.account.id)
        #expect(try desk.confirm(by: link).address.text == Self.address)
        clock.pass(AccountDesk.confirmationTime)
        #expect(throws: AccountError.unknownLink) { try desk.confirm(by: link) }
    }

    @Test("An address that has an account gets a letter, and the client is told what it is told of a new one")
    func registeredAddress() throws {
        let desk = try desk()
        let account = try desk.addAccount(Self.address, Self.password)
        let made = try desk.signUp("ADA@example.org", "somebody else's", client: "a")
        #expect(!made.isNew && made.account.id != account.id && made.account.confirmed == nil)
        #expect(box.letters == [.alreadyRegistered])
        #expect(try desk.signIn(Self.address, Self.password, client: "a").account.id == account.id)
        #expect(try database.store.accounts().count == 1)
    }

    @Test("A reset link sets a password once, within an hour, confirms the address and ends all sessions")
    func resetting() throws {
        let desk = try desk()
        _ = try desk.signUp(Self.address, Self.password, client: "a")
        _ = try desk.confirm(by: try token())
        let session = try desk.signIn(Self.address, Self.password, client: "a").session
        try desk.requestReset(" Ada@example.org", client: "a")
        let link = try token()
        #expect(throws: AccountError.badPassword(.tooShort(leastCount: 8))) {
            try desk.resetPassword(by: link, to: "short")
        }
        clock.pass(AccountDesk.resetTime - .seconds(1))
        let grant = try desk.resetPassword(by: link, to: "battery staple", program: "Firefox", inBrowser: true)
        #expect(grant.session.program == "Firefox" && grant.session.end != nil)
        #expect(try database.store.session(session.id) == nil)
        #expect(box.letters.last == .passwordChanged)
        #expect(throws: AccountError.unknownLink) { try desk.resetPassword(by: link, to: "another horse") }
        #expect(throws: AccountError.badCredentials) { try desk.signIn(Self.address, Self.password, client: "a") }
        _ = try desk.signIn(Self.address, "battery staple", client: "a")
    }

    @Test("A reset link ends with its hour, with another password, and with the account")
    func oldLinks() throws {
        let account = try desk().addAccount(Self.address, Self.password)
        func link() throws -> String {
            try desk().requestReset(Self.address, client: "a")
            return try token()
        }
        let late = try link()
        clock.pass(AccountDesk.resetTime)
        #expect(throws: AccountError.unknownLink) { try desk().resetPassword(by: late, to: "battery staple") }
        let overtaken = try link()
        try desk().changePassword(of: account.id, to: "another horse", keeping: nil)
        #expect(throws: AccountError.unknownLink) { try desk().resetPassword(by: overtaken, to: "battery staple") }
        let disabled = try link()
        try database.store.setDisabled(true, for: account.id)
        #expect(throws: AccountError.unknownLink) { try desk().resetPassword(by: disabled, to: "battery staple") }
        let count = box.letters.count
        try desk().requestReset(Self.address, client: "a")
        #expect(box.letters.count == count, "a disabled account gets no link")
        try database.store.removeAccount(account.id)
        #expect(throws: AccountError.unknownLink) { try desk().resetPassword(by: disabled, to: "battery staple") }
    }

    @Test("Of two that use a link at once, one sets the password")
    func race() throws {
        let desk = try desk()
        let account = try desk.addAccount(Self.address, Self.password)
        let found = try #require(try database.store.account(account.id))
        let now = clock.now.withLock { $0 }
        let hashes = ["a", "b"].map { PasswordHash(text: $0) }
        #expect(try database.store.resetPassword(of: account.id, from: found.hash, to: hashes[0], at: now))
        #expect(try !database.store.resetPassword(of: account.id, from: found.hash, to: hashes[1], at: now))
    }

    @Test("Nobody's box is filled, and a client that asks for many letters waits")
    func bounds() throws {
        let desk = try desk()
        _ = try desk.addAccount(Self.address, Self.password)
        for _ in 0..<10 { try desk.requestReset(Self.address, client: "a") }
        #expect(box.letters.count == 2)
        for number in 0..<10 { try desk.requestReset("nobody\(number)@example.org", client: "a") }
        #expect(throws: AccountError.self) { try desk.requestReset("else@example.org", client: "a") }
        try desk.requestReset("else@example.org", client: "b")
        #expect(box.letters.count == 2)
    }

    @Test("Letters are counted by kind and by network, and over all networks of one kind")
    func kinds() throws {
        let meter = LetterMeter { .zero }
        let address = try #require(MailAddress(Self.address))
        func admitted(_ kind: LetterMeter.Kind, from networks: [String]) -> Int {
            networks.filter { meter.admits(kind, to: address, from: $0) }.count
        }
        #expect(admitted(.signUp, from: Array(repeating: "a", count: 10)) == 2)
        #expect(admitted(.reset, from: ["a", "b"]) == 2, "sign-ups take no letter of a recovery")
        #expect(admitted(.reset, from: (0..<30).flatMap { ["network \($0)", "network \($0)"] }) == 18)
        #expect(admitted(.reset, from: ["c"]) == 0 && admitted(.signUp, from: ["c"]) == 1)
    }

    @Test("Without mail a new account opens at once, and nobody asks for a link")
    func withoutMail() throws {
        let desk = try desk(post: false)
        #expect(try desk.signUp(Self.address, Self.password, client: "a").account.confirmed != nil)
        #expect(throws: AccountError.taken) { try desk.signUp(Self.address, Self.password, client: "a") }
        #expect(throws: AccountError.noMail) { try desk.requestReset(Self.address, client: "a") }
    }

    @Test("An operator's new password opens an account whose address was never confirmed")
    func operatorReset() throws {
        let desk = try desk()
        let made = try desk.signUp(Self.address, Self.password, client: "a")
        try desk.resetPassword(of: made.account.id, to: "battery staple")
        #expect(try desk.signIn(Self.address, "battery staple", client: "a").account.confirmed != nil)
    }
}
