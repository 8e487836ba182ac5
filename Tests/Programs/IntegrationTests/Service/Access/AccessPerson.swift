import AccountDatabase
import Accounts
import Documents
import Library
import Media

/// Somebody with an account, and what they may send to say who they are.
struct AccessPerson: Sendable {
    let id: ID<Person>
    /// An access token, and one that has expired.
    let token: String
    let expiredToken: String
    /// The session of the good cookie.
    let session: ID<AccountSession>
    /// Cookies of a session that goes on, of one that was ended, and of one that is over by itself.
    let cookie: String
    let endedCookie: String
    let expiredCookie: String

    /// The header field of a cookie.
    static func field(_ cookie: String) -> [String: String] { ["Cookie": "compass-session=\(cookie)"] }

    /// Makes an account without a password that opens it, as a digest takes long.
    ///
    /// - Parameter word: stands in all that the account shows to its person.
    init(_ word: String, on service: AccessService) async throws {
        let (store, now) = (service.desk.store, Instant.now)
        let id = ID<Person>.make(at: now)
        let hash = PasswordHash(text: "$argon2id$nobody")
        let account = Account(
            id: id, address: MailAddress("\(id)@example.org")!, metadata: .object(["name": .string(word)]),
            isDisabled: false, confirmed: now, created: now, updated: now)
        try store.addAccount(account, hash)
        func session(over end: Instant? = nil) throws -> AccountDesk.Grant {
            let made = AccountSession(of: id, at: now, program: word, inBrowser: true)
            let session = AccountSession(
                id: made.id, person: id, created: now, token: 0, replaced: now, replacedBefore: now, program: word,
                end: end ?? made.end)
            try store.addSession(session, hash: hash)
            return service.desk.grant(account, session)
        }
        let (good, ended, over) = (try session(), try session(), try session(over: now - .seconds(1)))
        try store.endSessions(of: id, .only(ended.session.id))
        self.id = id
        token = try await service.tokens.sign(good, at: now).text
        expiredToken = try await service.tokens.sign(good, at: now - .seconds(1000)).text
        self.session = good.session.id
        (cookie, endedCookie, expiredCookie) = (good.cookie, ended.cookie, over.cookie)
    }
}
