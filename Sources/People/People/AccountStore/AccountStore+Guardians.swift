internal import Database
public import Media

/// Who acts for whom.
extension AccountStore {
    private static let guardianColumns = "id, athlete_id, guardian_id, acting_right, address, created_at, accepted_at"

    private static func guardianship(_ row: any SQLRow) throws -> Guardianship {
        guard let id: ID<Guardianship> = row.id(0), let athlete: ID<Person> = row.id(1),
            let right = row.text(3).flatMap({ ActingRight(rawValue: $0) }),
            let address = row.text(4).flatMap({ MailAddress($0) }), let created = row.instant(5)
        else { throw AccountError.unavailable(detail: "a guardian's row cannot be read") }
        return Guardianship(
            id: id, athlete: athlete, guardian: row.id(2), right: right, address: address, created: created,
            accepted: row.instant(6))
    }

    private func guardianships(where condition: String, _ value: String) throws(AccountError) -> [Guardianship] {
        try read { database in
            try database.all(
                """
                SELECT \(Self.guardianColumns) FROM account_guardians WHERE \(condition) = ?
                ORDER BY created_at DESC, id
                """, [value]
            ) { Self.listed($0, Self.guardianship) }
        }
    }

    /// Adds an invitation, and replaces an older one from the athlete to the same address.
    ///
    /// First deletes the athlete's open invitations to the address, and those that are too old; then inserts the row.
    ///
    /// - Throws: `tooManyGuardians`; `notFound` if the athlete's account is gone.
    public func addGuardianship(_ guardianship: Guardianship) throws(AccountError) {
        try write { database in
            let athlete = guardianship.athlete.text
            guard try database.hasRow("SELECT 1 FROM accounts WHERE id = ?", [athlete]) else {
                throw AccountError.notFound
            }
            let oldest = guardianship.created.microseconds - Guardianship.invitationTime.components.seconds * 1_000_000
            try database.execute(
                """
                DELETE FROM account_guardians
                WHERE athlete_id = ? AND guardian_id IS NULL AND (address = ? OR created_at <= ?)
                """, [athlete, guardianship.address.text, oldest])
            let count = try database.integer("SELECT count(*) FROM account_guardians WHERE athlete_id = ?", [athlete])
            guard count ?? 0 < Guardianship.mostOfPerson else { throw AccountError.tooManyGuardians }
            try database.execute(
                "INSERT INTO account_guardians (\(Self.guardianColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    guardianship.id.text, athlete, guardianship.guardian?.text, guardianship.right.rawValue,
                    guardianship.address.text, guardianship.created.microseconds, guardianship.accepted?.microseconds,
                ])
        }
    }

    /// An invitation, or the guardianship that it became.
    public func guardianship(_ id: ID<Guardianship>) throws(AccountError) -> Guardianship? {
        try guardianships(where: "id", id.text).first
    }

    /// Everything that an athlete has granted, newest first.
    public func guardianships(of athlete: ID<Person>) throws(AccountError) -> [Guardianship] {
        try guardianships(where: "athlete_id", athlete.text)
    }

    /// Everything that is granted to a person.
    public func guardianships(by guardian: ID<Person>) throws(AccountError) -> [Guardianship] {
        try guardianships(where: "guardian_id", guardian.text)
    }

    /// Makes a person the guardian, and replaces what the athlete granted them before.
    ///
    /// - Returns: `false` if somebody has accepted the invitation already, or it is gone.
    public func acceptGuardianship(
        _ id: ID<Guardianship>, by guardian: ID<Person>, at now: Instant
    ) throws(AccountError) -> Bool {
        try write { database in
            try database.execute(
                """
                DELETE FROM account_guardians WHERE guardian_id = ?
                AND athlete_id = (SELECT athlete_id FROM account_guardians WHERE id = ? AND guardian_id IS NULL)
                """, [guardian.text, id.text])
            let count = try database.integer(
                "SELECT count(*) FROM account_guardians WHERE guardian_id = ?", [guardian.text])
            guard count ?? 0 < Guardianship.mostOfGuardian else { throw AccountError.tooManyAthletes }
            return try database.execute(
                "UPDATE account_guardians SET guardian_id = ?, accepted_at = ? WHERE id = ? AND guardian_id IS NULL",
                [guardian.text, now.microseconds, id.text]) == 1
        }
    }

    /// Removes what an athlete granted, on behalf of the athlete or the guardian; `false` if there is no such
    /// guardianship.
    public func endGuardianship(_ id: ID<Guardianship>, by person: ID<Person>) throws(AccountError) -> Bool {
        try write { database in
            return try database.execute(
                "DELETE FROM account_guardians WHERE id = ? AND (athlete_id = ? OR guardian_id = ?)",
                [id.text, person.text, person.text]) == 1
        }
    }

    /// What a person may do for an athlete, or for themselves; `nil` if they do not act for them, or an account is
    /// disabled.
    ///
    /// Inside a change of the documents' store it is read in that transaction, and does not change until its end.
    public func standing(of guardian: ID<Person>, for athlete: ID<Person>) throws(AccountError) -> Standing? {
        let isHeld = database.isInWriteTransaction
        return try read { try Self.standing(of: guardian, for: athlete, in: $0, isHeld: isHeld) }
    }

    /// - Parameter isHeld: whether the rows are locked until the end of the transaction. SQLite has one write
    ///   transaction at a time.
    private static func standing(
        of guardian: ID<Person>, for athlete: ID<Person>, in database: any SQLSession, isHeld: Bool = false
    ) throws -> Standing? {
        let hold = if isHeld, case .postgreSQL = database.dialect { "FOR SHARE" } else { "" }
        guard guardian != athlete else {
            let query = "SELECT epoch FROM accounts WHERE id = ? AND NOT is_disabled \(hold)"
            return try database.first(query, [guardian.text]) { row in
                Standing(right: .manage, epoch: row.integer(0) ?? 0)
            }
        }
        return try database.first(
            """
            SELECT acting_right, accepted_at, actor.epoch FROM account_guardians
            JOIN accounts AS actor ON actor.id = guardian_id JOIN accounts AS athlete ON athlete.id = athlete_id
            WHERE guardian_id = ? AND athlete_id = ? AND NOT actor.is_disabled AND NOT athlete.is_disabled \(hold)
            """, [guardian.text, athlete.text]
        ) { row in
            guard let right = row.text(0).flatMap({ ActingRight(rawValue: $0) }) else {
                throw AccountError.unavailable(detail: "a guardian's row cannot be read")
            }
            return Standing(right: right, since: row.instant(1), epoch: row.integer(2) ?? 0)
        }
    }
}
