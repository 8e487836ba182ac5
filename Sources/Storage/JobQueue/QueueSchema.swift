internal import Database

/// The queue's tables. All names begin with `queue_`, so that other modules can use the same database.
///
/// Times are milliseconds since 1970. Most indexes are partial, so a million done jobs do not slow a claim down.
///
/// - `queue_job`: one row per job, with its lease. A job is suspected after a worker's death and is then claimed alone.
///   `alone_deaths` counts only the deaths of workers that held no other job. `turn` is its place in the line
///   (`PartyLine`), never before `not_before`. For a retry, both are the end of its backoff. So `queue_job_ahead`, the
///   jobs that may be claimed before their turn, has no delayed ones. `party` is NULL once the job has ended.
/// - `queue_attempt`: one row per attempt of a job.
/// - `queue_count`: the number of jobs by kind and state. Triggers maintain it, because counting a million rows is
///   slow.
/// - `queue_paused`: the kinds that are paused.
/// - `queue_poison`: how often a build crashed while it decoded a content, by the content's digest.
/// - `queue_reservation`: the suspected job that a worker claims as soon as it holds no other job.
/// - `queue_turn`: SQLite only. It counts claims separately for each lowest priority that they accept. With one shared
///   count, slots reserved for urgent jobs would use up the fair turns, in which they claim no backfill.
enum QueueSchema {
    static let schema = SQLSchema("queue", from: 3, sqlite: [sqlite], postgreSQL: [postgreSQL])
}

extension QueueSchema {
    /// Throws `unavailable` unless the database stores texts in UTF-8, because the queue reads them as bytes. Another
    /// program may have created the database with a different encoding.
    static func requireUTF8(_ session: any SQLSession) throws {
        let (query, expected) =
            switch session.dialect {
            case .sqlite: ("PRAGMA encoding", "UTF-8")
            case .postgreSQL: ("SHOW server_encoding", "UTF8")
            }
        let encoding = try session.text(query) ?? ""
        guard encoding == expected else {
            throw QueueError.unavailable(.other, detail: "its encoding is \(encoding), not \(expected)")
        }
    }
}

extension QueueSchema {
    /// The triggers repair a damaged count: they treat NULL as 0.
    private static let sqlite = """
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
            turn INTEGER NOT NULL,
            party TEXT,
            finished INTEGER,
            failures INTEGER NOT NULL,
            worker_deaths INTEGER NOT NULL,
            alone_deaths INTEGER NOT NULL DEFAULT 0,
            failure TEXT,
            lease_token TEXT,
            lease_worker TEXT,
            lease_claimed INTEGER,
            lease_deadline INTEGER,
            lease_alone INTEGER NOT NULL DEFAULT 0,
            CHECK ((state = 'leased') = (lease_token IS NOT NULL AND lease_deadline IS NOT NULL))
        );
        CREATE UNIQUE INDEX queue_job_identity ON queue_job (identity) WHERE state IN ('available', 'leased');
        CREATE INDEX queue_job_waiting ON queue_job (kind, priority, turn, id) WHERE state = 'available';
        CREATE INDEX queue_job_ahead ON queue_job (kind, priority, turn, id)
            WHERE state = 'available' AND turn > not_before;
        CREATE INDEX queue_job_party ON queue_job (party, priority, state, failures, turn, id) WHERE party IS NOT NULL;
        CREATE UNIQUE INDEX queue_job_token ON queue_job (lease_token) WHERE lease_token IS NOT NULL;
        CREATE INDEX queue_job_deadline ON queue_job (lease_deadline) WHERE lease_deadline IS NOT NULL;
        CREATE INDEX queue_job_done ON queue_job (finished, id) WHERE state = 'done';
        CREATE INDEX queue_job_state ON queue_job (state, id);
        CREATE INDEX queue_job_holder ON queue_job (lease_worker, lease_alone) WHERE lease_deadline IS NOT NULL;

        CREATE TABLE queue_attempt (
            job INTEGER NOT NULL REFERENCES queue_job (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            worker TEXT NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER,
            "end" TEXT,
            failure TEXT,
            timings TEXT NOT NULL,
            alone INTEGER NOT NULL,
            PRIMARY KEY (job, number)
        ) WITHOUT ROWID;

        CREATE TABLE queue_count (
            kind TEXT NOT NULL, state TEXT NOT NULL, jobs INTEGER NOT NULL, PRIMARY KEY (kind, state)
        ) WITHOUT ROWID;
        CREATE TRIGGER queue_job_added AFTER INSERT ON queue_job BEGIN
            INSERT INTO queue_count VALUES (new.kind, new.state, 1)
                ON CONFLICT DO UPDATE SET jobs = ifnull(jobs, 0) + 1;
        END;
        CREATE TRIGGER queue_job_moved AFTER UPDATE OF state ON queue_job WHEN old.state <> new.state BEGIN
            UPDATE queue_count SET jobs = ifnull(jobs, 0) - 1 WHERE kind = old.kind AND state = old.state;
            INSERT INTO queue_count VALUES (new.kind, new.state, 1)
                ON CONFLICT DO UPDATE SET jobs = ifnull(jobs, 0) + 1;
        END;
        CREATE TRIGGER queue_job_removed AFTER DELETE ON queue_job BEGIN
            UPDATE queue_count SET jobs = ifnull(jobs, 0) - 1 WHERE kind = old.kind AND state = old.state;
        END;

        CREATE TABLE queue_paused (kind TEXT PRIMARY KEY) WITHOUT ROWID;

        CREATE TABLE queue_poison (
            digest TEXT PRIMARY KEY, build TEXT NOT NULL, crashes INTEGER NOT NULL, last_crash INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE queue_reservation (
            worker TEXT PRIMARY KEY, job INTEGER NOT NULL, made INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE queue_turn (lowest INTEGER PRIMARY KEY, claims INTEGER NOT NULL);
        """

    /// A count is the sum of its rows: every change adds rows, so transactions do not wait for each other. `foldCounts`
    /// merges them. Leased jobs count as `available`: they are few, and are counted on demand.
    ///
    /// Tables that change constantly are vacuumed early, because dead rows slow a queue down. PostgreSQL parses the
    /// `WHEN` condition of a trigger for each statement, so `queue_count_moved` compares the rows itself.
    /// `queue_count_removed` also deletes the attempts, which is cheaper than a foreign key.
    private static let postgreSQL = """
        CREATE TABLE queue_job (
            id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            kind TEXT COLLATE "C" NOT NULL,
            identity TEXT COLLATE "C" NOT NULL,
            source_type TEXT NOT NULL CHECK (source_type IN ('path', 'object')),
            source TEXT NOT NULL,
            digest TEXT,
            recipes TEXT NOT NULL,
            priority BIGINT NOT NULL CHECK (priority BETWEEN 0 AND 2),
            state TEXT NOT NULL CHECK (state IN ('available', 'leased', 'done', 'dead', 'cancelled')),
            enqueued BIGINT NOT NULL,
            not_before BIGINT NOT NULL,
            turn BIGINT NOT NULL,
            party TEXT COLLATE "C",
            finished BIGINT,
            failures BIGINT NOT NULL DEFAULT 0,
            worker_deaths BIGINT NOT NULL DEFAULT 0,
            alone_deaths BIGINT NOT NULL DEFAULT 0,
            failure TEXT,
            lease_token TEXT COLLATE "C",
            lease_worker TEXT COLLATE "C",
            lease_claimed BIGINT,
            lease_deadline BIGINT,
            lease_alone BOOLEAN NOT NULL DEFAULT FALSE,
            CHECK ((state = 'leased') = (lease_token IS NOT NULL AND lease_deadline IS NOT NULL))
        ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
            autovacuum_vacuum_cost_delay = 0);
        CREATE UNIQUE INDEX queue_job_identity ON queue_job (identity) WHERE state IN ('available', 'leased');
        CREATE INDEX queue_job_waiting ON queue_job (kind, priority, turn, id) WHERE state = 'available';
        CREATE INDEX queue_job_ahead ON queue_job (kind, priority, turn, id)
            WHERE state = 'available' AND turn > not_before;
        CREATE INDEX queue_job_party ON queue_job (party, priority, state, failures, turn, id) WHERE party IS NOT NULL;
        CREATE UNIQUE INDEX queue_job_token ON queue_job (lease_token) WHERE lease_token IS NOT NULL;
        CREATE INDEX queue_job_deadline ON queue_job (lease_deadline) WHERE lease_deadline IS NOT NULL;
        CREATE INDEX queue_job_holder ON queue_job (lease_worker) WHERE lease_deadline IS NOT NULL;
        CREATE INDEX queue_job_done ON queue_job (finished, id) WHERE state = 'done';
        CREATE INDEX queue_job_unsuccessful ON queue_job (state, id) WHERE state IN ('dead', 'cancelled');
        CREATE INDEX queue_job_alone ON queue_job (lease_worker) WHERE lease_alone;

        CREATE TABLE queue_attempt (
            job BIGINT NOT NULL,
            number BIGINT NOT NULL,
            worker TEXT NOT NULL,
            started BIGINT NOT NULL,
            ended BIGINT,
            "end" TEXT,
            failure TEXT,
            timings TEXT NOT NULL,
            alone BOOLEAN NOT NULL,
            PRIMARY KEY (job, number)
        ) WITH (fillfactor = 80);

        CREATE TABLE queue_count (kind TEXT NOT NULL, state TEXT NOT NULL, jobs BIGINT NOT NULL)
            WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
        CREATE FUNCTION queue_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO queue_count
                SELECT kind, CASE state WHEN 'leased' THEN 'available' ELSE state END, count(*) FROM changed GROUP BY 1, 2;
            RETURN NULL;
        END $$;
        CREATE FUNCTION queue_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            before TEXT := CASE old.state WHEN 'leased' THEN 'available' ELSE old.state END;
            after TEXT := CASE new.state WHEN 'leased' THEN 'available' ELSE new.state END;
        BEGIN
            IF before <> after OR old.kind <> new.kind THEN
                INSERT INTO queue_count VALUES (old.kind, before, -1), (new.kind, after, 1);
            END IF;
            RETURN NULL;
        END $$;
        CREATE FUNCTION queue_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO queue_count
                SELECT kind, CASE state WHEN 'leased' THEN 'available' ELSE state END, -count(*) FROM changed GROUP BY 1, 2;
            DELETE FROM queue_attempt WHERE job IN (SELECT id FROM changed);
            RETURN NULL;
        END $$;
        CREATE TRIGGER queue_job_added AFTER INSERT ON queue_job
            REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION queue_count_added();
        CREATE TRIGGER queue_job_moved AFTER UPDATE OF state, kind ON queue_job FOR EACH ROW
            EXECUTE FUNCTION queue_count_moved();
        CREATE TRIGGER queue_job_removed AFTER DELETE ON queue_job
            REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION queue_count_removed();

        CREATE TABLE queue_paused (kind TEXT COLLATE "C" PRIMARY KEY);
        CREATE TABLE queue_poison (
            digest TEXT PRIMARY KEY, build TEXT NOT NULL, crashes BIGINT NOT NULL, last_crash BIGINT NOT NULL);
        CREATE TABLE queue_reservation (worker TEXT PRIMARY KEY, job BIGINT NOT NULL, made BIGINT NOT NULL);
        """
}
