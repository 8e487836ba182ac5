internal import Database

/// The tables of postings and of the imported vocabulary, in one database with the documents'.
///
/// Days are counted from 1970, times are microseconds since 1970, and IDs are lowercase UUIDs.
///
/// - `postings`: `title_words` and `text_words` are the distinct words of `ScannedWord`, encoded by `IndexWord` and
///   separated by spaces. The program splits and folds the words, so that both databases find the same postings.
/// - `vocabulary_lists`: `text` contains the lists. It is the last column, so that reading the other columns does not
///   read it.
enum PostingSchema {
    static let schema = SQLSchema(
        "posting", sqlite: [tables + sqliteIndex], postgreSQL: [tables + postgreSQLIndex])

    /// The index `posting_places` finds which places exist without reading the rows.
    private static let tables = """
        CREATE TABLE postings (
            id TEXT PRIMARY KEY NOT NULL, source TEXT NOT NULL, source_id TEXT NOT NULL, title TEXT NOT NULL,
            company TEXT NOT NULL, location TEXT NOT NULL, is_remote BOOLEAN NOT NULL, posted BIGINT, expires BIGINT,
            url TEXT, text TEXT NOT NULL, salary TEXT, digest TEXT NOT NULL, title_words TEXT NOT NULL,
            text_words TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
            UNIQUE (source, source_id)
        );
        CREATE INDEX posting_ends ON postings (expires) WHERE expires IS NOT NULL;
        CREATE INDEX posting_places ON postings (location, expires);

        CREATE TABLE vocabulary_lists (
            source TEXT PRIMARY KEY NOT NULL, digest TEXT NOT NULL, imported_at BIGINT NOT NULL, occupations BIGINT NOT NULL,
            titles BIGINT NOT NULL, skills BIGINT NOT NULL, text TEXT NOT NULL
        );

        """

    /// An FTS5 table beside `postings`, maintained by triggers.
    private static let sqliteIndex = """
        CREATE VIRTUAL TABLE posting_words USING fts5 (
            title_words, text_words, content = 'postings', detail = 'column',
            tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
        CREATE TRIGGER posting_added AFTER INSERT ON postings BEGIN
            INSERT INTO posting_words (rowid, title_words, text_words) VALUES (new.rowid, new.title_words, new.text_words);
        END;
        CREATE TRIGGER posting_removed AFTER DELETE ON postings BEGIN
            INSERT INTO posting_words (posting_words, rowid, title_words, text_words)
                VALUES ('delete', old.rowid, old.title_words, old.text_words);
        END;
        CREATE TRIGGER posting_changed AFTER UPDATE OF title_words, text_words ON postings BEGIN
            INSERT INTO posting_words (posting_words, rowid, title_words, text_words)
                VALUES ('delete', old.rowid, old.title_words, old.text_words);
            INSERT INTO posting_words (rowid, title_words, text_words) VALUES (new.rowid, new.title_words, new.text_words);
        END;
        """

    /// A generated column with the words as unchanged lexemes, those of titles a second time with the prefix `t:`.
    private static let postgreSQLIndex = """
        CREATE FUNCTION posting_lexemes (title_words TEXT, text_words TEXT) RETURNS tsvector
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT array_to_tsvector(array_remove(string_to_array(title_words || ' ' || text_words, ' ')
                || string_to_array('t:' || replace(title_words, ' ', ' t:'), ' '), ''))
        $$;
        ALTER TABLE postings ADD COLUMN words tsvector GENERATED ALWAYS AS (posting_lexemes(title_words, text_words)) STORED;
        CREATE INDEX posting_words ON postings USING gin (words);
        """
}
