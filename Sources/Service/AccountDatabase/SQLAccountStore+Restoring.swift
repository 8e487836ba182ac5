public import Accounts
public import DocumentDatabase
public import Documents
public import SQL

extension SQLAccountStore {
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

    /// Ends in a database, which a backup was restored into, what has ended since in the accounts of another one: accounts, sessions,
    /// guardianships, used invitations, ways to sign in, and what was signed before a sign-out everywhere. Passwords, rights of guardians and the tokens of sessions are
    /// those of the other one; accounts that are disabled, or are to be removed, stay so. Sign-ins that were begun are over.
    ///
    /// - Parameters:
    ///   - history: the restores of `current`. What it never had has not ended.
    ///   - others: further people whose accounts were removed.
    /// - Returns: the persons whose accounts were removed.
    public static func endWhatHasEnded(
        in current: any SQLDatabase, from restored: any SQLDatabase, _ history: RestoreHistory,
        removed others: Set<ID<Person>>
    ) throws(AccountError) -> [ID<Person>] {
        func ids(_ table: String, _ database: any SQLDatabase, where condition: String = "TRUE") throws -> Set<String> {
            try database.read { session in
                Set(try session.all("SELECT id FROM \(table) WHERE \(condition)") { $0.text(0) })
            }
        }
        func ended(_ table: String) throws -> Set<String> {
            try ids(table, restored, where: history.covers("created_at")).subtracting(try ids(table, current))
        }
        do {
            // A service without accounts ends none.
            guard try current.read({ session in try session.hasTable("accounts") }) else { return [] }
            let store = try SQLAccountStore(restored)
            let known = try ids("accounts", restored)
            let removed = Set(try ended("accounts").compactMap { ID<Person>($0) })
                .union(others.filter { known.contains($0.text) })
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
                (table: table, ids: try ended(table))
            }
            try store.write { session in
                // The account of a guardian who accepted since may be missing.
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
            return Array(removed)
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
