internal import SQL

/// The tables of accounts in SQLite as numbered migrations, in one file with the documents'.
///
/// A released migration is never changed; a change is a further migration.
enum SQLiteAccountSchema {
    static let migrations = SQLMigrations(
        table: "account_migration", subject: "accounts",
        scripts: [first, browsers, confirmations, guardians, removals, identities, epochs, addresses])

    /// Times are microseconds since 1970, identities are UUIDs in lower case.
    private static let first = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL UNIQUE, password TEXT NOT NULL, metadata TEXT NOT NULL,
            is_disabled INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE account_sessions (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL, token INTEGER NOT NULL, replaced_at INTEGER NOT NULL,
            replaced_before_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX session_owners ON account_sessions (user_id);
        """

    /// Sessions of browsers end by themselves, and every session names its program.
    private static let browsers = """
        ALTER TABLE account_sessions ADD COLUMN program TEXT NOT NULL DEFAULT '';
        ALTER TABLE account_sessions ADD COLUMN ends_at INTEGER;
        """

    /// Addresses are confirmed by mailed links; those of older accounts count as confirmed.
    private static let confirmations = """
        ALTER TABLE accounts ADD COLUMN confirmed_at INTEGER;
        UPDATE accounts SET confirmed_at = created_at;
        """

    /// Invitations to act for an athlete, and what became of them.
    private static let guardians = """
        CREATE TABLE account_guardians (
            id TEXT PRIMARY KEY NOT NULL, athlete_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            guardian_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, acting_right TEXT NOT NULL, address TEXT NOT NULL,
            created_at INTEGER NOT NULL, accepted_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX guardian_athletes ON account_guardians (athlete_id);
        CREATE INDEX open_invitations ON account_guardians (created_at) WHERE guardian_id IS NULL;
        CREATE UNIQUE INDEX guardian_pairs ON account_guardians (guardian_id, athlete_id);
        """

    /// Accounts that are to be removed, with everything that is their persons'.
    private static let removals = """
        ALTER TABLE accounts ADD COLUMN removal_requested_at INTEGER;
        CREATE INDEX requested_removals ON accounts (removal_requested_at) WHERE removal_requested_at IS NOT NULL;
        """

    /// Persons sign in elsewhere too, by requests that belong together.
    private static let identities = """
        CREATE TABLE account_identities (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            issuer TEXT NOT NULL, subject TEXT NOT NULL, provider TEXT NOT NULL, address TEXT NOT NULL,
            created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, UNIQUE (issuer, subject)
        ) WITHOUT ROWID;
        CREATE INDEX identity_owners ON account_identities (user_id);
        CREATE TABLE account_tickets (
            name TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, ends_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX ticket_ends ON account_tickets (ends_at);
        ALTER TABLE account_sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'password';
        """

    /// `epoch` counts how often all of a person's sessions were ended at once: what they have signed before counts no more.
    private static let epochs = """
        ALTER TABLE accounts ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        """

    /// Open invitations to an address go with the account of the address.
    private static let addresses = """
        CREATE INDEX invitation_addresses ON account_guardians (address) WHERE guardian_id IS NULL;
        """
}
