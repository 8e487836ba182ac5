"""Times the queue on a PostgreSQL server of its own, beside COPY and beside other queues' ways of claiming, and writes the table of
docs/scale.md.

    cluster.py --programs FOLDER [--done 10000000] [--waiting 1000000] [--open-minutes 10] [--quick]

The server is Debian's, in a scratch folder, with fsync and synchronous commit. Ways that are compared take turns in one run.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from figures import Figures, machine

SETTINGS = [
    "listen_addresses = ''", "max_connections = 400", "shared_buffers = 1GB", "max_wal_size = 8GB", "fsync = on",
    "synchronous_commit = on", "checkpoint_timeout = 15min", "work_mem = 16MB",
]
USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
ROUNDS = 5


class Server:
    """A PostgreSQL server in a scratch folder."""

    def __init__(self):
        newest = max(Path("/usr/lib/postgresql").iterdir(), key=lambda folder: int(folder.name))
        self.bin = newest / "bin"
        self.version = newest.name
        self.folder = Path(tempfile.mkdtemp(prefix="compass-cluster-", dir="/var/tmp"))
        if USER:
            os.chown(self.folder, 65534, 65534)
        data = self.folder / "data"
        self.run([*USER, self.bin / "initdb", "-D", data, "-N", "--no-locale", "-E", "UTF8", "-A", "trust", "-U", "bench"])
        with (data / "postgresql.conf").open("a") as conf:
            conf.write("\n".join(SETTINGS + [f"unix_socket_directories = '{self.folder}'"]) + "\n")
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*USER, self.bin / "postgres", "-D", data], cwd=self.folder, stdout=log, stderr=log)
        self.url = f"postgres://bench@/bench?host={str(self.folder).replace('/', '%2F')}"
        for _ in range(200):
            if subprocess.run(self.psql_command("postgres", "SELECT 1"), capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        self.psql("CREATE DATABASE bench", "postgres")

    def run(self, command, **more):
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, cwd=self.folder, **more)

    def psql_command(self, database, sql):
        return [
            str(self.bin / "psql"), "-h", str(self.folder), "-U", "bench", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1",
            "-c", sql]

    def psql(self, sql, database="bench"):
        done = subprocess.run(self.psql_command(database, sql), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{sql[:200]}\n{done.stderr}")
        return done.stdout.strip()

    def pgbench(self, script, clients, seconds):
        """Transactions a second of a script, as prepared statements."""
        path = self.folder / "script.sql"
        path.write_text(script)
        done = subprocess.run(
            [str(self.bin / "pgbench"), "-h", str(self.folder), "-U", "bench", "-n", "-M", "prepared", "-f", str(path),
             "-c", str(clients), "-j", "2", "-T", str(seconds), "bench"], capture_output=True, text=True,
            # As our workers' claims and ends.
            env=dict(os.environ, PGOPTIONS="-c synchronous_commit=off"))
        if done.returncode:
            raise SystemExit(done.stderr)
        return float(next(line for line in done.stdout.splitlines() if line.startswith("tps")).split()[2])

    def processor_seconds(self):
        """What all processes of the server have used."""
        total = 0
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                cwd = os.readlink(folder / "cwd")
            except OSError:
                continue
            if cwd == str(self.folder / "data"):
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# The published ways of two queues, as far as claiming and ending a job go: tables, indexes and statements of their shape.
RIVER = {
    "make": """
        CREATE TABLE river_like (
            id bigserial PRIMARY KEY, state text NOT NULL DEFAULT 'available', attempt smallint NOT NULL DEFAULT 0,
            max_attempts smallint NOT NULL DEFAULT 25, attempted_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
            finalized_at timestamptz, scheduled_at timestamptz NOT NULL DEFAULT now(), priority smallint NOT NULL DEFAULT 1,
            args jsonb NOT NULL DEFAULT '{}', attempted_by text[], errors jsonb[], kind text NOT NULL DEFAULT 'renditions',
            metadata jsonb NOT NULL DEFAULT '{}', queue text NOT NULL DEFAULT 'default', tags varchar(255)[] NOT NULL DEFAULT '{}');
        CREATE INDEX ON river_like (state, queue, priority, scheduled_at, id);
        CREATE INDEX ON river_like (kind);
        CREATE INDEX ON river_like (state, finalized_at) WHERE finalized_at IS NOT NULL;
        CREATE INDEX ON river_like USING gin (args);
        CREATE INDEX ON river_like USING gin (metadata);""",
    "fill": """
        INSERT INTO river_like (args) SELECT jsonb_build_object('path', 'transcript/' || n || '.pdf') FROM generate_series(1, %d) n""",
    "drop": "DROP TABLE river_like",
    # Version 0.2x: JobGetAvailable with a limit of one, then JobSetStateIfRunning.
    "work": """
        WITH locked AS (
            SELECT id FROM river_like WHERE state = 'available' AND queue = 'default' AND priority >= 0 AND scheduled_at <= now()
            ORDER BY priority, scheduled_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
        UPDATE river_like SET state = 'running', attempt = river_like.attempt + 1, attempted_at = now(),
            attempted_by = array_append(river_like.attempted_by, 'race')
        FROM locked WHERE river_like.id = locked.id RETURNING river_like.id \\gset
        UPDATE river_like SET state = 'completed', finalized_at = now() WHERE id = :id AND state = 'running';""",
}
GRAPHILE = {
    "make": """
        CREATE TABLE graphile_like (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job_queue_id int, task_id int NOT NULL DEFAULT 1,
            payload json NOT NULL DEFAULT '{}', priority smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 25,
            run_at timestamptz NOT NULL DEFAULT now(), attempts smallint NOT NULL DEFAULT 0, last_error text,
            created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), key text,
            revision int NOT NULL DEFAULT 0, flags jsonb, locked_at timestamptz, locked_by text,
            is_available boolean GENERATED ALWAYS AS (locked_at IS NULL AND attempts < max_attempts) STORED NOT NULL);
        CREATE INDEX ON graphile_like (priority, run_at, id) INCLUDE (task_id, job_queue_id) WHERE is_available;""",
    "fill": """
        INSERT INTO graphile_like (payload) SELECT json_build_object('path', 'transcript/' || n || '.pdf') FROM generate_series(1, %d) n""",
    "drop": "DROP TABLE graphile_like",
    # Version 0.16: getJob, then completeJob, which deletes.
    "work": """
        WITH j AS (
            SELECT id FROM graphile_like WHERE is_available AND run_at <= now() AND task_id = ANY (ARRAY[1])
            ORDER BY priority ASC, run_at ASC LIMIT 1 FOR UPDATE SKIP LOCKED)
        UPDATE graphile_like SET attempts = graphile_like.attempts + 1, locked_by = 'race', locked_at = now()
        FROM j WHERE j.id = graphile_like.id RETURNING graphile_like.id \\gset
        DELETE FROM graphile_like WHERE id = :id;""",
}

# Jobs as the program makes them, by SQL: digest, identity and recipes of the same lengths.
RECIPES = [f"1 {size} cover shrink auto q80 ffffff p0 poster icon" for size in ("240x180", "640x360")]
ROWS = f"""
    SELECT 'renditions', concat_ws(chr(1), 'renditions', '{RECIPES[0]}', '{RECIPES[1]}', 'digest:' || d), 'object',
        '00000000/transcript/' || n || '.pdf', d, '["{RECIPES[0]}", "{RECIPES[1]}"]', 1, '%s',
        (extract(epoch FROM now()) * 1000)::bigint, (extract(epoch FROM now()) * 1000)::bigint,
        (extract(epoch FROM now()) * 1000)::bigint, %s
    FROM (SELECT n, md5(random()::text) || md5(n::text || random()::text) AS d FROM generate_series(1, %d) n) rows"""
COLUMNS = "kind, identity, source_type, source, digest, recipes, priority, state, enqueued, not_before, turn, finished"


class Bench:
    def __init__(self, options):
        self.options = options
        self.server = Server()
        self.figures = Figures("what", "median", "goal")
        self.race("migrate")

    def race(self, what, *words):
        done = subprocess.run(
            [str(self.options.programs / "queue-race"), what, self.server.url, *map(str, words)], capture_output=True,
            text=True)
        if done.returncode:
            raise SystemExit(f"queue-race {what}: {done.stderr}")
        return json.loads(done.stdout)

    def enqueueing(self, label):
        count = 4000 if self.options.quick else 20_000
        ours, copied, singles = [], [], []
        starts = []
        for _ in range(ROUNDS):
            begin = time.monotonic()
            self.server.psql("SELECT 1")
            starts.append(time.monotonic() - begin)
        for _ in range(ROUNDS):
            ours.append(self.race("enqueue", count, 1000, 1)["rate"])
            path = self.server.folder / "rows"
            self.server.psql(f"COPY ({ROWS % ('available', 'NULL::bigint', count)}) TO '{path}'")
            begin = time.monotonic()
            self.server.psql(f"COPY queue_job ({COLUMNS}) FROM '{path}'")
            copied.append(count / (time.monotonic() - begin - statistics.median(starts)))
            singles.append(self.race("enqueue", 1000, 1, 4)["rate"])
        ratio = statistics.median(a / b for a, b in zip(ours, copied))
        self.figures.note(f"enqueue, batches of 1,000{label}", f"{statistics.median(ours):,.0f}/s; {ratio:.2f} of COPY", "≥ 0.5 of COPY")
        self.figures.note(f"enqueue, one by one, 4 callers{label}", f"{statistics.median(singles):,.0f}/s", "–")

    def prepare_plans(self):
        """The server plans by the sizes that it knows. It looks at a table again within a minute of its filling; here the table of attempts
        would stay empty in its eyes."""
        self.race("work", 8, 1)
        self.server.psql("VACUUM ANALYZE queue_attempt, queue_job, queue_count")

    def working(self, label):
        self.prepare_plans()
        rates = [self.race("work", 8, 3 if self.options.quick else 8)["rate"] for _ in range(3)]
        self.figures.note(f"claim, begin, complete, 8 workers{label}", f"{statistics.median(rates):,.0f}/s", "≥ 2,000/s")
        return statistics.median(rates)

    def latency(self, label, *more):
        found = self.race("latency", 200, 20, *more)
        goal = "–" if more else "p50 < 10 ms, p99 < 50 ms"
        self.figures.note(f"enqueue to begin{label}", f"p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms", goal)

    def beside_others(self):
        """One claim and one end by each way, in turns, on the same server: ours as the statements of one transaction each."""
        seconds = 3 if self.options.quick else 8
        count = 150_000 if self.options.quick else 400_000
        found = {"ours": [], "River's": [], "Graphile Worker's": []}
        for way in (RIVER, GRAPHILE):
            self.server.psql(way["make"])
            self.server.psql(way["fill"] % count)
        self.server.psql("VACUUM ANALYZE")
        self.prepare_plans()
        for _ in range(3):
            found["ours"].append(self.race("work", 8, seconds)["rate"])
            found["River's"].append(self.server.pgbench(RIVER["work"], 8, seconds))
            found["Graphile Worker's"].append(self.server.pgbench(GRAPHILE["work"], 8, seconds))
        for way in (RIVER, GRAPHILE):
            self.server.psql(way["drop"])
        ours = statistics.median(found["ours"])
        for name in ("River's", "Graphile Worker's"):
            other = statistics.median(found[name])
            self.figures.note(f"the same beside {name} statements, by pgbench", f"{ours:,.0f}/s and {other:,.0f}/s; {ours / other:.2f}", "≥ 1")

    def fill(self):
        begin = time.monotonic()
        millions = 1_000_000
        left = self.options.done
        while left > 0:
            part = min(left, millions)
            finished = "(extract(epoch FROM now()) * 1000)::bigint"
            self.server.psql(f"INSERT INTO queue_job ({COLUMNS}) {ROWS % ('done', finished, part)}")
            left -= part
        self.server.psql(f"INSERT INTO queue_job ({COLUMNS}) {ROWS % ('available', 'NULL::bigint', self.options.waiting)}")
        self.server.psql("VACUUM ANALYZE")
        size = self.server.psql("SELECT pg_size_pretty(pg_total_relation_size('queue_job'))")
        print(f"filled in {time.monotonic() - begin:.0f} s: {size}", flush=True)
        self.figures.note("table", f"{self.options.done:,} done, {self.options.waiting:,} waiting: {size}", "–")

    def open_transaction(self, before):
        """Another client's transaction stays open; the speed is looked at each minute."""
        minutes = self.options.open_minutes
        held = subprocess.Popen(
            [str(self.server.bin / "psql"), "-h", str(self.server.folder), "-U", "bench", "-d", "bench", "-Xq"],
            stdin=subprocess.PIPE, text=True)
        held.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT count(*) FROM queue_paused;\n")
        held.stdin.flush()
        rates, begin = [], time.monotonic()
        end = begin + minutes * 60
        while time.monotonic() < end:
            found = self.race("work", 8, 20)
            if found["seconds"] < 19:
                raise SystemExit(f"open transaction: the jobs ran out after {found['count']}")
            rates.append(found["rate"])
            # As many wait each minute.
            self.race("enqueue", found["count"], 1000, 1)
            time.sleep(min(max(0, 60 * len(rates) - (time.monotonic() - begin)), max(0, end - time.monotonic())))
        held.stdin.close()
        held.wait()
        last = statistics.median(rates[-3:])
        self.figures.note(
            f"claim, begin, complete in the last of {minutes:g} minutes of another's open transaction",
            f"{last:,.0f}/s, {last / before:.2f} of the speed before", "two thirds is usual")
        print("each minute: " + ", ".join(f"{rate:,.0f}" for rate in rates), flush=True)

    def takeover(self):
        # One job and no other: "enqueue" adds one more beforehand, which the heir would get at once.
        self.server.psql("DELETE FROM queue_job")
        self.server.psql(f"INSERT INTO queue_job ({COLUMNS}) {ROWS % ('available', 'NULL::bigint', 1)}")
        holder = subprocess.Popen(
            [str(self.options.programs / "queue-race"), "hold", self.server.url, "20"], stdout=subprocess.PIPE, text=True)
        holder.stdout.readline()
        holder.kill()
        holder.wait()
        found = self.race("takeover")
        if found["seconds"] < 15:
            raise SystemExit(f"takeover: a job after {found['seconds']:.1f} s, while the lease of 20 s still ran")
        self.figures.note("a dead host's job is another's, lease of 20 s", f"{found['seconds']:.1f} s", "≤ 30 s")

    def idle(self):
        seconds = 20 if self.options.quick else 60
        thread = threading.Thread(target=self.race, args=("idle", 100, seconds + 20))
        thread.start()
        time.sleep(10)
        before = self.server.processor_seconds()
        time.sleep(seconds)
        used = (self.server.processor_seconds() - before) / seconds
        thread.join()
        self.figures.note("a hundred idle workers, the server's processes", f"{used * 100:.2f} % of a core", "< 1 %")

    def run(self):
        self.server.psql(f"INSERT INTO queue_job ({COLUMNS}) {ROWS % ('available', 'NULL::bigint', 300_000)}")
        self.server.psql("VACUUM ANALYZE")
        self.enqueueing("")
        self.working("")
        self.beside_others()
        self.server.psql("DELETE FROM queue_job")
        self.latency("")
        self.latency(", by polling each 250 ms", "poll")
        self.takeover()
        self.server.psql("DELETE FROM queue_job")
        self.idle()
        self.fill()
        label = " (full)"
        self.enqueueing(label)
        before = self.working(label)
        if self.options.open_minutes:
            self.open_transaction(before)
        # Last, since it puts off the jobs that wait, and workers would find none.
        self.latency_beside_backlog(label)

    def latency_beside_backlog(self, label):
        """Interactive jobs would wait behind a million others of their own priority, so these wait for a later time."""
        self.server.psql("UPDATE queue_job SET not_before = not_before + 86400000, turn = turn + 86400000 WHERE state = 'available'")
        # What the server's own vacuum does soon after such an update.
        self.server.psql("VACUUM queue_job")
        self.server.psql("CHECKPOINT")
        self.latency(label)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--done", type=int, default=10_000_000)
    parser.add_argument("--waiting", type=int, default=1_000_000)
    parser.add_argument("--open-minutes", type=float, default=10)
    parser.add_argument("--quick", action="store_true", help="small numbers: whether it works")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    if options.quick:
        options.done, options.waiting, options.open_minutes = min(options.done, 100_000), min(options.waiting, 20_000), 0
    bench = Bench(options)
    try:
        bench.run()
    finally:
        bench.server.end()
    if not options.quick:
        bench.figures.write("scale.md", "queue", f"PostgreSQL {bench.server.version}, {machine()}; {', '.join(SETTINGS[2:])}.")


if __name__ == "__main__":
    sys.exit(main())
