internal import Database
public import Media

/// Identities with other providers, and the state of a sign-in between its requests.
extension AccountStore {
    private static let identityColumns = "id, user_id, issuer, subject, provider, address, created_at, used_at"
    /// The most tickets of all persons together; the store refuses one more.
    private static let mostTickets = 100_000
    /// How long the store keeps a ticket that has ended, so that people can be told.
    static let ticketMemory = Duration.seconds(600)

    private static func identity(_ row: any SQLRow) throws -> AccountIdentity {
        guard let id: ID<AccountIdentity> = row.id(0), let person: ID<Person> = row.id(1),
            let issuer = row.text(2), let subject = row.text(3), let provider = row.text(4),
            let address = row.text(5), let created = row.instant(6), let used = row.instant(7)
        else {
            throw AccountError.unavailable(detail: "an identity's row cannot be read")
        }
        return AccountIdentity(
            id: id, person: person, issuer: issuer, subject: subject, provider: provider, address: address,
            created: created, used: used)
    }

    private static func identity(_ subject: String, of issuer: String, _ database: any SQLSession) throws
        -> AccountIdentity?
    {
        try database.first(
            "SELECT \(identityColumns) FROM account_identities WHERE issuer = ? AND subject = ?", [issuer, subject]
        ) { try identity($0) }
    }

    private static func insert(_ identity: AccountIdentity, _ database: any SQLSession) throws {
        guard try self.identity(identity.subject, of: identity.issuer, database) == nil else {
            throw AccountError.identityTaken
        }
        guard try account(where: "id", is: identity.person.text, database) != nil else { throw AccountError.notFound }
        try database.execute(
            "INSERT INTO account_identities (\(identityColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                identity.id.text, identity.person.text, identity.issuer, identity.subject, identity.provider,
                identity.address, identity.created.microseconds, identity.used.microseconds,
            ])
    }

    /// Adds an account that has an identity and no password.
    ///
    /// - Throws: `taken` if another account has the address, `identityTaken` if one has the identity.
    public func addAccount(_ account: Account, signingInBy identity: AccountIdentity) throws(AccountError) {
        try write { database in
            // Checked before the address, which an account of the same person has too.
            guard try Self.identity(identity.subject, of: identity.issuer, database) == nil else {
                throw AccountError.identityTaken
            }
            try Self.insert(account, .none, database)
            try Self.insert(identity, database)
        }
    }

    /// The identity of an issuer's subject.
    public func identity(_ subject: String, of issuer: String) throws(AccountError) -> AccountIdentity? {
        try read { try Self.identity(subject, of: issuer, $0) }
    }

    /// A person's identities with other providers, oldest first.
    public func identities(of person: ID<Person>) throws(AccountError) -> [AccountIdentity] {
        try read { database in
            try database.all(
                "SELECT \(Self.identityColumns) FROM account_identities WHERE user_id = ? ORDER BY created_at, id",
                [person.text]
            ) { try Self.identity($0) }
        }
    }

    /// Adds an identity with another provider.
    ///
    /// - Throws: `identityTaken` if an account has it, `notFound` if the person's account is gone.
    public func addIdentity(_ identity: AccountIdentity) throws(AccountError) {
        try write { try Self.insert(identity, $0) }
    }

    /// Updates the provider and address of an identity.
    public func changeIdentity(_ identity: AccountIdentity) throws(AccountError) {
        try write(of: identity.person) { database in
            try database.execute(
                "UPDATE account_identities SET provider = ?, address = ? WHERE id = ?",
                [identity.provider, identity.address, identity.id.text])
        }
    }

    /// Removes an identity with another provider.
    ///
    /// - Throws: `notFound`; `lastWay` if the account has no password and no other identity.
    public func removeIdentity(_ id: ID<AccountIdentity>, of person: ID<Person>) throws(AccountError) {
        try write(of: person) { database in
            let changed = try database.execute(
                "DELETE FROM account_identities WHERE id = ? AND user_id = ?", [id.text, person.text])
            guard changed == 1,
                let left = try Self.account(where: "id", is: person.text, database)?.account
            else { throw AccountError.notFound }
            guard left.hasPassword || !left.providers.isEmpty else { throw AccountError.lastWay }
        }
    }

    /// As `addSession(_:hash:)`, for a sign-in with another provider.
    ///
    /// Inserts the session's row if the identity's row exists, and records when the identity was used.
    ///
    /// - Throws: `badCredentials` if the account is gone or disabled by now, or no longer has the identity.
    public func addSession(_ session: AccountSession, identity: ID<AccountIdentity>) throws(AccountError) {
        try write(of: session.person) { database in
            let changed = try database.execute(
                """
                UPDATE account_identities SET used_at = ? WHERE id = ? AND user_id = ?
                AND EXISTS (SELECT 1 FROM accounts WHERE id = user_id AND NOT is_disabled)
                """, [session.created.microseconds, identity.text, session.person.text])
            guard changed == 1 else { throw AccountError.badCredentials }
            try Self.insert(session, database)
        }
    }

    /// Keeps a ticket until it is taken, or ended long ago.
    ///
    /// Inserts the row. A ticket belongs to nobody, so this waits for no change of an account.
    ///
    /// - Throws: `tooManyAttempts` if the limit of tickets is reached.
    public func addTicket(_ ticket: AccountTicket, at now: Instant) throws(AccountError) {
        try write([]) { database in
            let count = try database.integer(
                "SELECT count(*) FROM account_tickets WHERE ends_at >= ?", [(now - Self.ticketMemory).microseconds])
            guard count ?? 0 < Self.mostTickets else { throw AccountError.tooManyAttempts(retryAfter: .seconds(60)) }
            try database.execute(
                "INSERT INTO account_tickets (name, content, ends_at) VALUES (?, ?, ?)",
                [ticket.name, ticket.content.text, ticket.end.microseconds])
        }
    }

    /// Removes a ticket and returns it. Of concurrent calls, one gets it.
    public func takeTicket(_ name: String) throws(AccountError) -> AccountTicket? {
        try write([]) { database in
            let sql = "DELETE FROM account_tickets WHERE name = ? RETURNING content, ends_at"
            return try database.first(sql, [name]) { row in
                guard let content = row.json(0), let end = row.instant(1) else {
                    throw AccountError.unavailable(detail: "a ticket's row cannot be read")
                }
                return AccountTicket(name: name, content: content, end: end)
            }
        }
    }
}
