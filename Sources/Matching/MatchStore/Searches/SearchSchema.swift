internal import Database

/// The tables of searches, in one database with the queue's. Their SQL is the same for both databases.
///
/// Times are microseconds since 1970, days are counted from 1970, and IDs are lowercase UUIDs.
///
/// - `resume_searches`: every run gets a new `session_id`, so a late write of an earlier run finds no row. `object_id`
///   is the résumé's file.
/// - `search_matches`: `text` is the posting's text at the time of the search.
enum SearchSchema {
    static let schema = SQLSchema("search", from: 2, sqlite: [tables], postgreSQL: [tables])

    private static let tables = """
        CREATE TABLE resume_searches (
            id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL UNIQUE, view_token TEXT NOT NULL UNIQUE, user_id TEXT,
            object_id TEXT NOT NULL UNIQUE, file_name TEXT NOT NULL, created_at BIGINT NOT NULL,
            state TEXT NOT NULL, step TEXT NOT NULL, message TEXT, title TEXT, is_corrected BOOLEAN NOT NULL, job BIGINT,
            total BIGINT NOT NULL, direct BIGINT NOT NULL, local BIGINT NOT NULL, pages TEXT, profile TEXT
        );
        CREATE INDEX search_owners ON resume_searches (user_id, created_at) WHERE user_id IS NOT NULL;
        CREATE INDEX search_times ON resume_searches (created_at);
        CREATE INDEX open_searches ON resume_searches (created_at) WHERE state = 'processing';

        CREATE TABLE search_matches (
            session_id TEXT NOT NULL, position BIGINT NOT NULL, id TEXT NOT NULL, posting_id TEXT NOT NULL,
            title TEXT NOT NULL, company TEXT NOT NULL, location TEXT NOT NULL, is_remote BOOLEAN NOT NULL, posted BIGINT,
            url TEXT, query TEXT, is_direct BOOLEAN NOT NULL, is_local BOOLEAN NOT NULL, parts TEXT NOT NULL, text TEXT,
            PRIMARY KEY (session_id, position)
        );
        CREATE INDEX match_postings ON search_matches (session_id, posting_id);
        """
}
