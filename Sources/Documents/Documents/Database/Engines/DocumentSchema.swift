internal import Database

/// The tables of documents, in one database with the queue's.
///
/// Times are microseconds since 1970, IDs are lowercase UUIDs, and digests are hexadecimal.
///
/// - `objects`: the stored files. Bytes without a row here are no file. `path` is where clients of the bucket find a
///   file; `is_named` says that a version or a search names it. `user_id` is NULL for a file without an owner.
///   `first_id` is the first of the files that replaced each other at a path, of which this one is the last; NULL for a
///   file that replaced none.
/// - `documents`: one row per version of a document. The versions of a document form a line. The upper 32 bits of
///   `number` are the owner's number, so that a query can search the texts of one owner alone. `shown` marks the
///   version that lists show, exactly one per line. `object_id` is NULL once the file was removed; `file_path` is where
///   the file was found when the version was stored.
/// - `document_owners`: for each owner, the total size of the files, and a revision that grows with every change of a
///   list.
/// - `document_counts`: the number of shown documents by owner, type, school and sharing.
/// - `communication_templates`: `variables` has the names of the body's variables, as a JSON array.
/// - `document_events`: what happened to documents, in order.
/// - `removals`: the bytes of removed objects and uploads that are still to be deleted, with the time of the next
///   attempt. The bytes of an upload have no `digest`.
/// - `picture_jobs`: the jobs that render the pictures of stored documents. `ordered_pictures` are jobs for single
///   pictures. Both are removed with their objects.
/// - `ended_pictures`: the results of `picture_jobs`. A trigger writes them, whichever process ends the job.
/// - `uploads`: resumable uploads. `reserved` is the space that an unfinished upload takes of its owner's quota,
///   `purpose` a JSON object. `digest`, `media_type` and `facts` are known from the state `finishing` on; `document`
///   belongs to `stored`. `failure` is what a client was told.
/// - `intakes`: files that arrive within one request, with the space that they take of their owner's quota. `user_id`
///   is NULL for a file without an owner.
/// - `share_links`: the addresses that show a document without an account. `made_by` is the owner or a guardian who
///   created the link. Links are removed with their document.
/// - `row_documents` and the other `row_` views: the rows of the app's own wire, with its column names.
/// - `removed_persons`: the people whose data was removed. Uploads that they began before are not stored.
/// - `database_identity`: one row with a random text that identifies a backup as this database's. In a backup, it also
///   has the time at which the backup began.
/// - `database_restores`: the backups that this database was restored from.
///
/// Triggers maintain `document_owners`, `document_counts`, and in SQLite the search index.
enum DocumentSchema {
    static let schema = SQLSchema("document", from: 7, sqlite: [sqlite], postgreSQL: [postgreSQL])
}

extension DocumentSchema {
    /// The indexes for sorting end in the filter columns, so that SQLite reads only rows that pass the filters. Lists
    /// want only shown versions, and the rows of the wire are all versions: indexes that both use have no condition.
    private static let sqlite = """
        CREATE TABLE schools (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX school_names ON schools (user_id, name_key);

        CREATE TABLE document_owners (
            number INTEGER PRIMARY KEY, user_id TEXT NOT NULL UNIQUE, byte_count INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE objects (
            id TEXT PRIMARY KEY NOT NULL, user_id TEXT, path TEXT UNIQUE, is_named INTEGER NOT NULL,
            digest TEXT NOT NULL, byte_count INTEGER NOT NULL CHECK (byte_count >= 0), media_type TEXT NOT NULL, facts TEXT,
            verdict TEXT NOT NULL CHECK (verdict IN ('passed', 'pending', 'infected')), cache_control TEXT, metadata TEXT,
            stored_at INTEGER NOT NULL, first_id TEXT
        ) WITHOUT ROWID;
        CREATE INDEX object_of_nobody ON objects (byte_count) WHERE user_id IS NULL;
        CREATE INDEX object_owners ON objects (user_id, id);
        CREATE INDEX object_digests ON objects (digest);
        CREATE INDEX object_without_document ON objects (user_id) WHERE NOT is_named;
        CREATE INDEX object_pending ON objects (id) WHERE verdict = 'pending';
        CREATE TRIGGER object_added AFTER INSERT ON objects WHEN new.user_id IS NOT NULL BEGIN
            INSERT INTO document_owners (user_id) VALUES (new.user_id) ON CONFLICT DO NOTHING;
            UPDATE document_owners SET byte_count = byte_count + new.byte_count WHERE user_id = new.user_id;
        END;
        CREATE TRIGGER object_removed AFTER DELETE ON objects WHEN old.user_id IS NOT NULL BEGIN
            UPDATE document_owners SET byte_count = byte_count - old.byte_count WHERE user_id = old.user_id;
        END;
        CREATE TRIGGER object_given AFTER UPDATE OF user_id ON objects BEGIN
            UPDATE document_owners SET byte_count = byte_count - old.byte_count WHERE user_id = old.user_id;
            INSERT INTO document_owners (user_id) VALUES (new.user_id) ON CONFLICT DO NOTHING;
            UPDATE document_owners SET byte_count = byte_count + new.byte_count WHERE user_id = new.user_id;
        END;

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
            object_id TEXT UNIQUE REFERENCES objects (id) ON DELETE SET NULL,
            file_path TEXT NOT NULL,
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
        CREATE INDEX document_school ON documents (school_id) WHERE school_id IS NOT NULL;
        CREATE INDEX document_times ON documents
            (user_id, created_at, id, type, school_id, share_count, shown, is_current);
        CREATE INDEX document_titles ON documents
            (user_id, title_key, id, type, school_id, share_count) WHERE shown;
        CREATE INDEX document_types ON documents
            (user_id, type, created_at DESC, id DESC, school_id, share_count, shown);
        CREATE INDEX document_share_counts ON documents
            (user_id, share_count, created_at, id, type, school_id) WHERE shown;
        CREATE INDEX document_schools ON documents
            (user_id, school_id, type, created_at, id, share_count, title_key, shown);
        CREATE INDEX document_names ON documents (user_id, title, id);
        CREATE INDEX document_hidden ON documents (user_id) WHERE NOT shown;
        CREATE INDEX document_texts ON documents
            (user_id, type, school_id, share_count, search) WHERE shown;
        CREATE INDEX document_waiting ON documents (digest) WHERE state = 'stored';

        CREATE TABLE document_shares (
            id TEXT NOT NULL UNIQUE,
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
            name TEXT NOT NULL, body TEXT NOT NULL, variables TEXT NOT NULL, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            byte_count INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX template_owners ON communication_templates (user_id, updated_at, byte_count);

        CREATE TABLE document_counts (
            user_id TEXT NOT NULL, type TEXT NOT NULL, school_id TEXT NOT NULL, is_shared INTEGER NOT NULL,
            documents INTEGER NOT NULL, PRIMARY KEY (user_id, type, school_id, is_shared)
        ) WITHOUT ROWID;
        CREATE VIRTUAL TABLE document_search USING fts5 (
            search, content = 'documents', content_rowid = 'number', columnsize = 0, tokenize = 'trigram case_sensitive 1'
        );
        CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
            UPDATE document_owners SET revision = revision + 1 WHERE user_id = new.user_id;
        END;
        CREATE TRIGGER document_removed AFTER DELETE ON documents BEGIN
            UPDATE document_owners SET revision = revision + 1 WHERE user_id = old.user_id;
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
            object_id TEXT PRIMARY KEY NOT NULL, user_id TEXT, digest TEXT, failures INTEGER NOT NULL,
            due INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX removals_due ON removals (due);
        CREATE INDEX removal_owners ON removals (user_id);

        CREATE TABLE picture_jobs (
            job INTEGER PRIMARY KEY REFERENCES queue_job (id) ON DELETE CASCADE, object_id TEXT NOT NULL
        );
        CREATE INDEX picture_job_objects ON picture_jobs (object_id);
        CREATE TABLE ordered_pictures (
            job INTEGER PRIMARY KEY REFERENCES queue_job (id) ON DELETE CASCADE, object_id TEXT NOT NULL
        );
        CREATE INDEX ordered_picture_objects ON ordered_pictures (object_id);
        CREATE TABLE ended_pictures (
            job INTEGER PRIMARY KEY, object_id TEXT NOT NULL, digest TEXT, is_done INTEGER NOT NULL, failure TEXT
        );
        CREATE TRIGGER document_pictures_ended
        AFTER UPDATE OF state ON queue_job
        WHEN new.state IN ('done', 'dead', 'cancelled') AND old.state <> new.state
            AND EXISTS (SELECT 1 FROM picture_jobs WHERE job = new.id) BEGIN
            INSERT OR REPLACE INTO ended_pictures
                VALUES (new.id, new.source, new.digest, new.state = 'done', new.failure);
        END;

        CREATE TABLE uploads (
            id TEXT PRIMARY KEY NOT NULL, object_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, uploaded_by TEXT NOT NULL,
            purpose TEXT NOT NULL, length INTEGER, reserved INTEGER NOT NULL, created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('receiving', 'checking', 'finishing', 'stored', 'refused')),
            digest TEXT, media_type TEXT, facts TEXT, document TEXT, failure TEXT
        ) WITHOUT ROWID;
        CREATE INDEX upload_expiry ON uploads (expires_at);
        CREATE INDEX upload_owners ON uploads (user_id, state, id);
        CREATE INDEX upload_unfinished ON uploads (id) WHERE state IN ('receiving', 'checking', 'finishing');

        CREATE TABLE intakes (
            object_id TEXT PRIMARY KEY NOT NULL, user_id TEXT, reserved INTEGER NOT NULL, begun_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX intake_owners ON intakes (user_id);

        CREATE TABLE share_links (
            id TEXT PRIMARY KEY NOT NULL, token TEXT NOT NULL UNIQUE, line TEXT NOT NULL, user_id TEXT NOT NULL,
            made_by TEXT NOT NULL, permission TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
            visit_count INTEGER NOT NULL DEFAULT 0, visited_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX share_link_lines ON share_links (line);
        CREATE INDEX share_link_ends ON share_links (expires_at);
        CREATE INDEX share_link_owners ON share_links (user_id, expires_at);
        CREATE TRIGGER share_links_removed AFTER DELETE ON documents
        WHEN NOT EXISTS (SELECT 1 FROM documents WHERE line = old.line) BEGIN
            DELETE FROM share_links WHERE line = old.line;
        END;

        CREATE TABLE database_identity (id TEXT NOT NULL, backed_up_at INTEGER);
        INSERT INTO database_identity (id) VALUES (lower(hex(randomblob(16))));
        CREATE TABLE database_restores (backed_up_at INTEGER NOT NULL, restored_at INTEGER NOT NULL);

        CREATE TABLE removed_persons (user_id TEXT PRIMARY KEY NOT NULL, removed_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX removal_times ON removed_persons (removed_at);

        CREATE VIEW row_documents AS
            SELECT id, user_id, type, title, description, file_path AS file_url, file_type, version, school_id, is_current,
                (
                    SELECT json_group_array(school_id) FROM (
                        SELECT school_id FROM document_shares WHERE line = documents.line ORDER BY created_at, school_id
                    )
                ) AS shared_with_schools,
                uploaded_by, created_at, updated_at, object_id
            FROM documents;
        CREATE VIEW row_schools AS SELECT id, user_id, name, created_at, created_at AS updated_at FROM schools;
        CREATE VIEW row_document_shares AS
            SELECT s.id, d.id AS document_id, s.school_id, s.permission, s.created_at, d.user_id
            FROM document_shares AS s JOIN documents AS d ON d.line = s.line AND d.shown AND d.share_count > 0;
        CREATE VIEW row_communication_templates AS
            SELECT id, user_id, name, type, body, variables, created_at, updated_at FROM communication_templates;
        """
}
