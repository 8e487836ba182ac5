public import Database
public import Media

extension AccountStore {
    /// Whether a database has accounts.
    public static func hasAccounts(_ database: any SQLDatabase) throws(AccountError) -> Bool {
        do {
            return try database.read { session in
                try session.hasTable("accounts") && session.hasRow("SELECT 1 FROM accounts LIMIT 1", [])
            }
        } catch {
            throw converted(error)
        }
    }

    /// Ends, in a database restored from a backup, what has ended since in the accounts of another one. It ends
    /// accounts, sessions, guardianships, used invitations, identities, and what was signed before a sign-out
    /// everywhere. Passwords, guardians' rights and session tokens come from the other one. Accounts that are disabled,
    /// or are to be removed, stay so. Sign-ins in progress end.
    ///
    /// - Returns: the persons whose accounts were removed.
    public static func endWhatHasEnded(
        from restored: any SQLDatabase, _ history: RestoreHistory
    ) throws(AccountError) -> [ID<Person>] {
        let current = history.current
        do {
            // A service without accounts has none to end.
            guard try current.read({ session in try session.hasTable("accounts") }) else { return [] }
            let store = try AccountStore(restored)
            let gone = try history.removedPersons().union(
                history.deleted(from: "accounts", of: restored).compactMap { ID($0) })
            let removed = try store.accounts().map(\.id).filter(gone.contains)
            for person in removed { try store.removeAccount(person) }
            let states = try current.read { session in
                try Self.states.map { state in
                    try session.all("SELECT \(state.columns.joined(separator: ", ")), id FROM \(state.table)") { row in
                        (0...state.columns.count).map { column -> (any SQLConvertible)? in
                            row.integer(column).map { $0 as any SQLConvertible } ?? row.text(column)
                        }
                    }
                }
            }
            let rows = try ["account_sessions", "account_guardians", "account_identities"].map { table in
                (table: table, ids: try history.deleted(from: table, of: restored))
            }
            try store.write { session in
                // The account of a guardian who accepted since then may be missing.
                try session.execute("PRAGMA defer_foreign_keys = ON")
                for (state, rows) in zip(Self.states, states) {
                    let columns = state.columns.map { "\($0) = ?" }.joined(separator: ", ")
                    for row in rows {
                        try session.execute("UPDATE OR REPLACE \(state.table) SET \(columns) WHERE id = ?", row)
                    }
                }
                try session.execute(
                    "DELETE FROM account_guardians WHERE guardian_id NOT IN (SELECT id FROM accounts)")
                try session.execute("DELETE FROM account_tickets")
                for (table, ids) in rows {
                    for id in ids { try session.execute("DELETE FROM \(table) WHERE id = ?", [id]) }
                }
            }
            return removed
        } catch {
            throw converted(error)
        }
    }

    /// What a restore does not bring back.
    private static let states: [(table: String, columns: [String])] = [
        ("accounts", ["password", "is_disabled", "epoch", "removal_requested_at"]),
        ("account_sessions", ["token", "replaced_at", "replaced_before_at", "ends_at"]),
        ("account_guardians", ["acting_right", "guardian_id", "accepted_at"]),
    ]
}
