internal import GRDB

/// The queue's tables as numbered migrations.
///
/// All names begin with `queue_`, so that other tables can share the file. A released migration is never changed; a change
/// is a further migration. It alters at least one table, by which programs that have the file open notice it.
enum QueueSchema {
    /// A step from one version of the tables to the next.
    struct Migration {
        let number: Int
        let name: String
        let sql: String
    }

    static let migrations = [
        Migration(number: 1, name: "jobs, attempts, counts, pauses, poison", sql: first),
        Migration(number: 2, name: "suspected jobs alone, turns by priority", sql: second),
    ]

    /// The version of the tables that this program knows.
    static var version: Int { migrations.last!.number }

    /// The version of a file's tables; 0 where it has none.
    static func appliedVersion(_ database: Database) throws -> Int {
        guard try database.tableExists("queue_migration") else { return 0 }
        return try Int.fetchOne(database, sql: "SELECT max(number) FROM queue_migration") ?? 0
    }

    /// Applies the missing migrations inside the caller's transaction.
    ///
    /// - Returns: the version before.
    static func migrate(_ database: Database, at now: QueueInstant) throws -> Int {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS queue_migration (
                    number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT NULL)
                """)
        try requireUTF8(database)
        let applied = try appliedVersion(database)
        if applied > version { throw QueueError.newerSchema(found: applied, known: version) }
        for migration in migrations where migration.number > applied {
            try database.execute(sql: migration.sql)
            try database.execute(
                sql: "INSERT INTO queue_migration VALUES (?, ?, ?)",
                arguments: [migration.number, migration.name, now.milliseconds])
        }
        return applied
    }

    /// Texts are read as bytes, so their encoding must be UTF-8; another program may have made the file with another one.
    private static func requireUTF8(_ database: Database) throws {
        let encoding = try String.fetchOne(database, sql: "PRAGMA encoding") ?? ""
        guard encoding == "UTF-8" else {
            throw QueueError.unavailable(.other, detail: "its texts are encoded as \(encoding), not as UTF-8")
        }
    }

    /// Throws unless the file's tables have this program's version.
    static func check(_ database: Database) throws {
        try requireUTF8(database)
        let applied = try appliedVersion(database)
        if applied > version { throw QueueError.newerSchema(found: applied, known: version) }
        if applied < version { throw QueueError.notMigrated(detail: "version \(applied) of \(version)") }
    }
}

extension QueueSchema {
    /// Times are milliseconds since 1970. Each index but `queue_job_state` is partial, so that a million done jobs cost a
    /// claim nothing. Triggers keep the counts, since counting a million rows is slow.
    private static let first = """
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
        """

    /// Suspected jobs are claimed alone, and only deaths of workers that had a job alone count; deaths from before make a job
    /// suspected. Each lowest priority has a count of claims of its own: with one count, slots for urgent jobs used up the
    /// fair turns, in which they claim no backfill. The triggers work even where a count is damaged.
    private static let second = """
        ALTER TABLE queue_job ADD COLUMN alone_deaths INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE queue_job ADD COLUMN lease_alone INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE queue_attempt ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX queue_job_holder ON queue_job (lease_worker, lease_alone) WHERE lease_deadline IS NOT NULL;

        CREATE TABLE queue_reservation (
            worker TEXT PRIMARY KEY, job INTEGER NOT NULL, made INTEGER NOT NULL
        ) WITHOUT ROWID;

        DROP TRIGGER queue_job_added;
        DROP TRIGGER queue_job_moved;
        DROP TRIGGER queue_job_removed;
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

        DROP TABLE queue_turn;
        CREATE TABLE queue_turn (lowest INTEGER PRIMARY KEY, claims INTEGER NOT NULL);
        """
}
