internal import Database

/// The tables of accounts, in one database with the documents'.
///
/// Times are microseconds since 1970, and IDs are lowercase UUIDs.
///
/// - `accounts`: `epoch` counts how often all sessions of a person were revoked at once, which also invalidates the
///   URLs that the person signed before. `confirmed_at` is when the address was confirmed. If `removal_requested_at` is
///   set, the account and all data of its person are to be removed.
/// - `account_sessions`: `program` is the program that signed in. `ends_at` is set for browsers' sessions, which
///   expire.
/// - `account_guardians`: invitations to act for an athlete. An invitation is open until it has a `guardian_id`. Open
///   invitations to an address are removed with the account of that address.
/// - `account_identities`: the identities with other providers by which a person signs in.
/// - `account_tickets`: the state of a sign-in that spans several requests.
enum AccountSchema {
    static let schema = SQLSchema("account", sqlite: [sqlite], postgreSQL: [postgreSQL])
}

extension AccountSchema {
    private static let sqlite = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY NOT NULL, address TEXT NOT NULL UNIQUE, password TEXT NOT NULL, metadata TEXT NOT NULL,
            is_disabled INTEGER NOT NULL, epoch INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL, confirmed_at INTEGER, removal_requested_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX requested_removals ON accounts (removal_requested_at) WHERE removal_requested_at IS NOT NULL;

        CREATE TABLE account_sessions (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL, token INTEGER NOT NULL, replaced_at INTEGER NOT NULL,
            replaced_before_at INTEGER NOT NULL, program TEXT NOT NULL, ends_at INTEGER, method TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX session_owners ON account_sessions (user_id);

        CREATE TABLE account_guardians (
            id TEXT PRIMARY KEY NOT NULL, athlete_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            guardian_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, acting_right TEXT NOT NULL, address TEXT NOT NULL,
            created_at INTEGER NOT NULL, accepted_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX guardian_athletes ON account_guardians (athlete_id);
        CREATE INDEX open_invitations ON account_guardians (created_at) WHERE guardian_id IS NULL;
        CREATE UNIQUE INDEX guardian_pairs ON account_guardians (guardian_id, athlete_id);
        CREATE INDEX invitation_addresses ON account_guardians (address) WHERE guardian_id IS NULL;

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
        """

    private static let postgreSQL = """
        CREATE TABLE accounts (
            id TEXT COLLATE "C" PRIMARY KEY, address TEXT COLLATE "C" NOT NULL UNIQUE, password TEXT NOT NULL,
            metadata TEXT NOT NULL, is_disabled BOOLEAN NOT NULL, epoch BIGINT NOT NULL DEFAULT 0, created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL, confirmed_at BIGINT, removal_requested_at BIGINT
        );
        CREATE INDEX requested_removals ON accounts (removal_requested_at) WHERE removal_requested_at IS NOT NULL;

        CREATE TABLE account_sessions (
            id TEXT COLLATE "C" PRIMARY KEY, user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at BIGINT NOT NULL, token BIGINT NOT NULL, replaced_at BIGINT NOT NULL,
            replaced_before_at BIGINT NOT NULL, program TEXT NOT NULL, ends_at BIGINT, method TEXT NOT NULL
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
        CREATE INDEX invitation_addresses ON account_guardians (address) WHERE guardian_id IS NULL;

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
}
