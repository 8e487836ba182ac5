internal import SQL

/// The tables of searches, in one database with the queue. Times are microseconds since 1970, days numbers since 1970, identities UUIDs in
/// lower case.
///
/// `session_id` changes with each run: what an earlier run writes late finds no row.
enum SearchSchema {
    static let migrations = SQLMigrations(
        table: "search_migration", subject: "searches", scripts: [first, texts, sizes])

    /// What matches of before lack, their postings may still have.
    private static let texts = "ALTER TABLE search_matches ADD COLUMN text TEXT;"

    /// What a person's résumés come to; those of before count nothing.
    private static let sizes = "ALTER TABLE resume_searches ADD COLUMN byte_count BIGINT NOT NULL DEFAULT 0;"

    private static let first = """
        CREATE TABLE resume_searches (
            id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL UNIQUE, view_token TEXT NOT NULL UNIQUE, user_id TEXT,
            path TEXT NOT NULL UNIQUE, file_name TEXT NOT NULL, created_at BIGINT NOT NULL, state TEXT NOT NULL,
            step TEXT NOT NULL, message TEXT, title TEXT, is_corrected BOOLEAN NOT NULL, job BIGINT,
            total BIGINT NOT NULL, direct BIGINT NOT NULL, local BIGINT NOT NULL, pages TEXT, profile TEXT
        );
        CREATE INDEX search_owners ON resume_searches (user_id, created_at) WHERE user_id IS NOT NULL;
        CREATE INDEX search_times ON resume_searches (created_at);
        CREATE INDEX open_searches ON resume_searches (created_at) WHERE state = 'processing';
        CREATE TABLE search_matches (
            session_id TEXT NOT NULL, position BIGINT NOT NULL, id TEXT NOT NULL, posting_id TEXT NOT NULL,
            title TEXT NOT NULL, company TEXT NOT NULL, location TEXT NOT NULL, is_remote BOOLEAN NOT NULL, posted BIGINT,
            url TEXT, query TEXT, is_direct BOOLEAN NOT NULL, is_local BOOLEAN NOT NULL, parts TEXT NOT NULL,
            PRIMARY KEY (session_id, position)
        );
        CREATE INDEX match_postings ON search_matches (session_id, posting_id);

        """
}
