internal import SQL

/// The tables of accounts in PostgreSQL as numbered migrations, in one database with the documents'.
///
/// A released migration is never changed; a change is a further migration, which leaves in place what programs of the version before
/// use.
enum PostgreSQLAccountSchema {
    static let migrations = SQLMigrations(
        table: "account_migration", subject: "accounts",
        scripts: [first, epochs, addresses])

    /// The tables of SQLite (`SQLiteAccountSchema` explains them).
    private static let first = """
        CREATE TABLE accounts (
            id TEXT COLLATE "C" PRIMARY KEY, address TEXT COLLATE "C" NOT NULL UNIQUE, password TEXT NOT NULL,
            metadata TEXT NOT NULL, is_disabled BOOLEAN NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
            confirmed_at BIGINT, removal_requested_at BIGINT
        );
        CREATE INDEX requested_removals ON accounts (removal_requested_at) WHERE removal_requested_at IS NOT NULL;

        CREATE TABLE account_sessions (
            id TEXT COLLATE "C" PRIMARY KEY, user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at BIGINT NOT NULL, token BIGINT NOT NULL, replaced_at BIGINT NOT NULL,
            replaced_before_at BIGINT NOT NULL, program TEXT NOT NULL DEFAULT '', ends_at BIGINT,
            method TEXT NOT NULL DEFAULT 'password'
        );
        CREATE INDEX session_owners ON account_sessions (user_id);

        CREATE TABLE account_guardians (
            id TEXT COLLATE "C" PRIMARY KEY, athlete_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            guardian_id TEXT COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE, acting_right TEXT NOT NULL,
            address TEXT COLLATE "C" NOT NULL, created_at BIGINT NOT NULL, accepted_at BIGINT
        );
        CREATE INDEX guardian_athletes ON account_guardians (athlete_id);
        CREATE INDEX open_invitations ON account_guardians (created_at) WHERE guardian_id IS NULL;
        CREATE UNIQUE INDEX guardian_pairs ON account_guardians (guardian_id, athlete_id);

        CREATE TABLE account_identities (
            id TEXT COLLATE "C" PRIMARY KEY, user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            issuer TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL, provider TEXT COLLATE "C" NOT NULL,
            address TEXT NOT NULL, created_at BIGINT NOT NULL, used_at BIGINT NOT NULL, UNIQUE (issuer, subject)
        );
        CREATE INDEX identity_owners ON account_identities (user_id);

        CREATE TABLE account_tickets (
            name TEXT COLLATE "C" PRIMARY KEY, content TEXT NOT NULL, ends_at BIGINT NOT NULL
        );
        CREATE INDEX ticket_ends ON account_tickets (ends_at);
        """

    /// `epoch` counts how often all of a person's sessions were ended at once: what they have signed before counts no more.
    private static let epochs = """
        ALTER TABLE accounts ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
        """

    /// Open invitations to an address go with the account of the address.
    private static let addresses = """
        CREATE INDEX invitation_addresses ON account_guardians (address) WHERE guardian_id IS NULL;
        """
}
