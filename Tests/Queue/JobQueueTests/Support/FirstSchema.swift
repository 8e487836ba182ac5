/// The tables of the first released version, with a job of each sort that a migration must keep.
enum FirstSchema {
    static let sql = """
        CREATE TABLE queue_job (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            identity TEXT NOT NULL,
            source_type TEXT NOT NULL CHECK (source_type IN ('path', 'object')),
            source TEXT NOT NULL,
            digest TEXT,
            recipes TEXT NOT NULL,
            priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2),
            state TEXT NOT NULL CHECK (state IN ('available', 'leased', 'done', 'dead', 'cancelled')),
            enqueued INTEGER NOT NULL,
            not_before INTEGER NOT NULL,
            finished INTEGER,
            failures INTEGER NOT NULL,
            worker_deaths INTEGER NOT NULL,
            failure TEXT,
            lease_token TEXT,
            lease_worker TEXT,
            lease_claimed INTEGER,
            lease_deadline INTEGER,
            CHECK ((state = 'leased') = (lease_token IS NOT NULL AND lease_deadline IS NOT NULL))
        );
        CREATE UNIQUE INDEX queue_job_identity ON queue_job (identity) WHERE state IN ('available', 'leased');
        CREATE INDEX queue_job_waiting ON queue_job (kind, priority, not_before, id) WHERE state = 'available';
        CREATE UNIQUE INDEX queue_job_token ON queue_job (lease_token) WHERE lease_token IS NOT NULL;
        CREATE INDEX queue_job_deadline ON queue_job (lease_deadline) WHERE lease_deadline IS NOT NULL;
        CREATE INDEX queue_job_done ON queue_job (finished, id) WHERE state = 'done';
        CREATE INDEX queue_job_state ON queue_job (state, id);

        CREATE TABLE queue_attempt (
            job INTEGER NOT NULL REFERENCES queue_job (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            worker TEXT NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER,
            "end" TEXT,
            failure TEXT,
            timings TEXT NOT NULL,
            PRIMARY KEY (job, number)
        ) WITHOUT ROWID;

        CREATE TABLE queue_count (
            kind TEXT NOT NULL, state TEXT NOT NULL, jobs INTEGER NOT NULL, PRIMARY KEY (kind, state)
        ) WITHOUT ROWID;
        CREATE TRIGGER queue_job_added AFTER INSERT ON queue_job BEGIN
            INSERT INTO queue_count VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1;
        END;
        CREATE TRIGGER queue_job_moved AFTER UPDATE OF state ON queue_job WHEN old.state <> new.state BEGIN
            UPDATE queue_count SET jobs = jobs - 1 WHERE kind = old.kind AND state = old.state;
            INSERT INTO queue_count VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1;
        END;
        CREATE TRIGGER queue_job_removed AFTER DELETE ON queue_job BEGIN
            UPDATE queue_count SET jobs = jobs - 1 WHERE kind = old.kind AND state = old.state;
        END;

        CREATE TABLE queue_paused (kind TEXT PRIMARY KEY) WITHOUT ROWID;

        CREATE TABLE queue_poison (
            digest TEXT PRIMARY KEY, build TEXT NOT NULL, crashes INTEGER NOT NULL, last_crash INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE queue_turn (claims INTEGER NOT NULL);
        INSERT INTO queue_turn VALUES (0);

        CREATE TABLE queue_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT NULL);
        INSERT INTO queue_migration VALUES (1, 'jobs, attempts, counts, pauses, poison', 1800000000000);
        PRAGMA journal_mode = WAL;
        """

    /// Inserts a job, and an open attempt where the job is leased.
    ///
    /// - Parameter recipes: as JSON.
    static func job(_ path: String, state: String, deaths: Int, recipes: String, worker: String? = nil) -> String {
        let lease = worker.map { "'token-\(path)', '\($0)', 1800000000000, 1800000030000" } ?? "NULL, NULL, NULL, NULL"
        let finished = ["done", "dead"].contains(state) ? "1800000000000" : "NULL"
        let row = """
            INSERT INTO queue_job (kind, identity, source_type, source, recipes, priority, state, enqueued, not_before,
                finished, failures, worker_deaths, lease_token, lease_worker, lease_claimed, lease_deadline)
            VALUES ('renditions', '\(path)', 'path', '\(path)', '\(recipes)', 1, '\(state)', 1800000000000, 1800000000000,
                \(finished), 0, \(deaths), \(lease));
            """
        guard let worker else { return row }
        return row + """
            INSERT INTO queue_attempt (job, number, worker, started, timings)
            VALUES (last_insert_rowid(), 1, '\(worker)', 1800000000000, '{}');
            """
    }
}
