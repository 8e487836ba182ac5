/// The tables of the first released version, as they were, with a document of each sort that a migration must keep.
///
/// Never changed: it stands for the files that people have.
enum FirstDocumentSchema {
    static let schema = """
        CREATE TABLE schools (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX school_names ON schools (user_id, name_key);

        CREATE TABLE document_owners (
            number INTEGER PRIMARY KEY, user_id TEXT NOT NULL UNIQUE, byte_count INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE documents (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            line TEXT NOT NULL,
            user_id TEXT NOT NULL,
            type TEXT NOT NULL,
            title TEXT NOT NULL,
            title_key TEXT NOT NULL,
            description TEXT,
            search TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 1),
            is_current INTEGER NOT NULL,
            shown INTEGER NOT NULL,
            school_id TEXT REFERENCES schools (id) ON DELETE SET NULL,
            share_count INTEGER NOT NULL DEFAULT 0,
            object_path TEXT NOT NULL UNIQUE,
            file_name TEXT NOT NULL,
            file_type TEXT NOT NULL,
            digest TEXT NOT NULL,
            byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
            facts TEXT,
            placeholder TEXT,
            state TEXT NOT NULL CHECK (state IN ('stored', 'quarantined', 'ready', 'failed')),
            failure TEXT,
            uploaded_by TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (line, version)
        );
        CREATE UNIQUE INDEX document_current ON documents (line) WHERE is_current;
        CREATE UNIQUE INDEX document_shown ON documents (line) WHERE shown;
        CREATE INDEX document_digests ON documents (digest);
        CREATE INDEX document_owner ON documents (user_id, id);
        CREATE INDEX document_quarantine ON documents (id) WHERE state = 'quarantined';
        CREATE INDEX document_school ON documents (school_id) WHERE school_id IS NOT NULL;
        CREATE INDEX document_times ON documents
            (user_id, created_at, id, type, school_id, share_count) WHERE shown;
        CREATE INDEX document_titles ON documents
            (user_id, title_key, id, type, school_id, share_count) WHERE shown;
        CREATE INDEX document_types ON documents
            (user_id, type, created_at DESC, id DESC, school_id, share_count) WHERE shown;
        CREATE INDEX document_share_counts ON documents
            (user_id, share_count, created_at, id, type, school_id) WHERE shown;
        CREATE INDEX document_schools ON documents
            (user_id, school_id, type, share_count, created_at, id, title_key) WHERE shown;
        CREATE INDEX document_texts ON documents
            (user_id, type, school_id, share_count, search) WHERE shown;

        CREATE TABLE document_shares (
            line TEXT NOT NULL,
            school_id TEXT NOT NULL REFERENCES schools (id) ON DELETE CASCADE,
            permission TEXT NOT NULL CHECK (permission IN ('view', 'edit')),
            created_at INTEGER NOT NULL,
            PRIMARY KEY (line, school_id)
        ) WITHOUT ROWID;
        CREATE INDEX share_schools ON document_shares (school_id);

        CREATE TABLE communication_templates (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL,
            type TEXT NOT NULL CHECK (type IN ('email', 'text', 'twitter')),
            name TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX template_owners ON communication_templates (user_id, updated_at);

        CREATE TABLE document_counts (
            user_id TEXT NOT NULL, type TEXT NOT NULL, school_id TEXT NOT NULL, is_shared INTEGER NOT NULL,
            documents INTEGER NOT NULL, PRIMARY KEY (user_id, type, school_id, is_shared)
        ) WITHOUT ROWID;
        CREATE VIRTUAL TABLE document_search USING fts5 (
            search, content = 'documents', content_rowid = 'number', columnsize = 0, tokenize = 'trigram case_sensitive 1'
        );
        CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
            UPDATE document_owners SET byte_count = byte_count + new.byte_count, revision = revision + 1
                WHERE user_id = new.user_id;
        END;
        CREATE TRIGGER document_removed AFTER DELETE ON documents BEGIN
            UPDATE document_owners SET byte_count = byte_count - old.byte_count, revision = revision + 1
                WHERE user_id = old.user_id;
        END;
        CREATE TRIGGER document_changed
        AFTER UPDATE OF shown, school_id, share_count, search ON documents BEGIN
            UPDATE document_owners SET revision = revision + 1 WHERE user_id = new.user_id;
        END;
        CREATE TRIGGER document_shown_added AFTER INSERT ON documents WHEN new.shown BEGIN
            INSERT INTO document_counts
                VALUES (new.user_id, new.type, ifnull(new.school_id, ''), new.share_count > 0, 1)
                ON CONFLICT DO UPDATE SET documents = documents + 1;
            INSERT INTO document_search (rowid, search) VALUES (new.number, new.search);
        END;
        CREATE TRIGGER document_shown_removed AFTER DELETE ON documents WHEN old.shown BEGIN
            UPDATE document_counts SET documents = documents - 1
                WHERE user_id = old.user_id AND type = old.type AND school_id = ifnull(old.school_id, '')
                    AND is_shared = (old.share_count > 0);
            DELETE FROM document_counts
                WHERE user_id = old.user_id AND type = old.type AND school_id = ifnull(old.school_id, '')
                    AND is_shared = (old.share_count > 0) AND documents = 0;
            INSERT INTO document_search (document_search, rowid, search) VALUES ('delete', old.number, old.search);
        END;
        CREATE TRIGGER document_shown_changed
        AFTER UPDATE OF shown, school_id, share_count ON documents WHEN old.shown OR new.shown BEGIN
            UPDATE document_counts SET documents = documents - 1
                WHERE old.shown AND user_id = old.user_id AND type = old.type
                    AND school_id = ifnull(old.school_id, '') AND is_shared = (old.share_count > 0);
            INSERT INTO document_counts
                SELECT new.user_id, new.type, ifnull(new.school_id, ''), new.share_count > 0, 1 WHERE new.shown
                ON CONFLICT DO UPDATE SET documents = documents + 1;
            DELETE FROM document_counts
                WHERE user_id = old.user_id AND type = old.type AND school_id = ifnull(old.school_id, '')
                    AND is_shared = (old.share_count > 0) AND documents = 0;
        END;
        CREATE TRIGGER document_text_changed
        AFTER UPDATE OF shown, search ON documents
        WHEN old.search <> new.search OR old.shown <> new.shown BEGIN
            INSERT INTO document_search (document_search, rowid, search)
                SELECT 'delete', old.number, old.search WHERE old.shown;
            INSERT INTO document_search (rowid, search) SELECT new.number, new.search WHERE new.shown;
        END;

        CREATE TABLE document_events (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL, kind TEXT NOT NULL, document TEXT NOT NULL, line TEXT NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX event_owners ON document_events (user_id, number);
        CREATE INDEX event_times ON document_events (created_at);

        CREATE TABLE removals (
            path TEXT PRIMARY KEY NOT NULL, digest TEXT NOT NULL, failures INTEGER NOT NULL, due INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX removals_due ON removals (due);

        CREATE TABLE picture_jobs (
            job INTEGER PRIMARY KEY REFERENCES queue_job (id) ON DELETE CASCADE, path TEXT NOT NULL
        );
        CREATE INDEX picture_job_paths ON picture_jobs (path);
        CREATE TABLE ended_pictures (
            job INTEGER PRIMARY KEY, path TEXT NOT NULL, digest TEXT, is_done INTEGER NOT NULL, failure TEXT
        );
        CREATE TRIGGER document_pictures_ended
        AFTER UPDATE OF state ON queue_job
        WHEN new.state IN ('done', 'dead', 'cancelled') AND old.state <> new.state
            AND EXISTS (SELECT 1 FROM picture_jobs WHERE job = new.id) BEGIN
            INSERT OR REPLACE INTO ended_pictures
                VALUES (new.id, new.source, new.digest, new.state = 'done', new.failure);
        END;

        CREATE TABLE uploads (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL, uploaded_by TEXT NOT NULL, metadata TEXT NOT NULL,
            length INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, is_finished INTEGER,
            document TEXT, failure TEXT
        ) WITHOUT ROWID;
        CREATE INDEX upload_expiry ON uploads (expires_at, id);
        CREATE TABLE document_migration (number INTEGER PRIMARY KEY, applied INTEGER NOT NULL);
        INSERT INTO document_migration VALUES (1, 1800000000000000);
        """

    /// One person's résumé in two versions, and a film that is shared.
    static let rows = """
        INSERT INTO schools VALUES ('00000000-0000-7000-8000-00000000000a', '\(owner)', 'Ohio State', 'ohio state', 1);
        INSERT INTO document_owners (user_id) VALUES ('\(owner)');
        \(document(1, line: 1, "resume", "Résumé", version: 1, isShown: false, state: "failed", shares: 0))
        \(document(2, line: 1, "resume", "Résumé", version: 2, isShown: true, state: "stored", shares: 0))
        \(document(3, line: 2, "highlight_video", "Film", version: 1, isShown: true, state: "ready", shares: 1))
        INSERT INTO document_shares VALUES ('\(line(2))', '00000000-0000-7000-8000-00000000000a', 'view', 1);
        INSERT INTO communication_templates VALUES ('00000000-0000-7000-8000-00000000000b', '\(owner)', 'email', 'A', 'B', 1, 1);
        """

    private static let owner = "00000000-0000-7000-8000-000000000001"

    private static func line(_ number: Int) -> String { "00000000-0000-7000-8000-0000000001\(number)0" }

    private static func document(
        _ number: Int, line: Int, _ type: String, _ title: String, version: Int, isShown: Bool, state: String,
        shares: Int
    ) -> String {
        """
        INSERT INTO documents VALUES (4294967296 + \(number), '00000000-0000-7000-8000-00000000020\(number)',
            '\(self.line(line))', '\(owner)', '\(type)', '\(title)', '\(title.lowercased())', NULL,
            replace('\(title.lowercased())', 'é', 'e'), \(version), \(isShown), \(isShown), NULL, \(shares), 'path\(number)',
            'file.pdf', 'application/pdf', '\(String(repeating: "0\(number)", count: 32))', \(number)0, NULL, NULL,
            '\(state)', NULL, '\(owner)', 1800000000000000 - \(number), 1800000000000000);
        INSERT INTO document_events (user_id, kind, document, line, created_at)
            VALUES ('\(owner)', 'document.stored', '00000000-0000-7000-8000-00000000020\(number)', '\(self.line(line))', \(Int64.max));
        """
    }
}
