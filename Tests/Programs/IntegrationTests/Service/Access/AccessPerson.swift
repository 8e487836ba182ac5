import Library
import Media
import People
import TokenMaking

/// Somebody with an account, and what they may send to say who they are.
struct AccessPerson: Sendable {
    let id: ID<Person>
    /// An access token, and one that has expired.
    let token: String
    let expiredToken: String
    /// The session of the good cookie.
    let session: ID<AccountSession>
    /// A provider that is connected to the account.
    let identity: ID<AccountIdentity>
    /// Cookies of a session that goes on, of one that was ended, and of one that is over by itself.
    let cookie: String
    let endedCookie: String
    let expiredCookie: String
    /// Tokens that are not valid, and with an issuer all others too, by the matrix's names of their bearers.
    var issued: [String: String] = [:]

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
        let identity = AccountIdentity(
            id: .make(at: now), person: id, issuer: "https://issuer.example", subject: id.text, provider: "mock",
            address: "\(word)@example.org", created: now, used: now)
        try store.addIdentity(identity)
        self.id = id
        self.identity = identity.id
        token = try await service.tokens.sign(good, at: now).text
        expiredToken = try await service.tokens.sign(good, at: now - .seconds(1000)).text
        let parts = token.split(separator: ".").map(String.init)
        let foreign = try await AccessTokens(key: AccessTokens.makeKey())
        issued = [
            "foreign": try await foreign.sign(good, at: now).text,
            "unsigned": "\(Issuer.encoded(Array(Issuer.header("none").text.utf8))).\(parts[1]).",
            "changed": "\(parts[0]).\(expiredToken.split(separator: ".")[1]).\(parts[2])",
            "revoked": try await service.tokens.sign(ended, at: now).text,
        ]
        self.session = good.session.id
        (cookie, endedCookie, expiredCookie) = (good.cookie, ended.cookie, over.cookie)
    }

    /// Makes a person who has an issuer's tokens, and no account.
    init(by issuer: Issuer) async throws {
        let id = ID<Person>.make(at: .now)
        let second = Instant.now.microseconds / 1_000_000
        func claims(_ changes: [JSON.Member]) -> JSON {
            let names = changes.map(\.key)
            let own = [JSON.Member("sub", .string(id.text)), JSON.Member("exp", .integer(second + 3600))]
            return Issuer.claims(own.filter { !names.contains($0.key) } + changes)
        }
        func make(_ changes: JSON.Member...) async throws -> String {
            try await issuer.token(Issuer.header(), claims(changes))
        }
        self.id = id
        token = try await make()
        expiredToken = try await make(JSON.Member("exp", .integer(second - 61)))
        (session, identity) = (.make(at: .now), .make(at: .now))
        (cookie, endedCookie, expiredCookie) = (token, token, token)
        let parts = token.split(separator: ".").map(String.init)
        let other = try await make(JSON.Member("aud", .array([.string("authenticated"), .string("other")])))
        let secret = Array(issuer.publicPEM.utf8)
        issued = [
            "expired": expiredToken,
            "early": try await make(JSON.Member("nbf", .integer(second + 3600))),
            "issuer": try await make(JSON.Member("iss", .string("https://other.example/auth/v1"))),
            "audience": try await make(JSON.Member("aud", .string("other"))),
            "unsigned": "\(Issuer.encoded(Array(Issuer.header("none").text.utf8))).\(parts[1]).",
            "changed": "\(parts[0]).\(other.split(separator: ".")[1]).\(parts[2])",
            "symmetric": try await issuer.token(Issuer.header("HS256"), claims([]), secret: secret),
            "role": try await make(JSON.Member("role", .string("service_role"))),
        ]
    }
}
