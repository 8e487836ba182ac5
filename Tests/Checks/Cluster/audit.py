"""Holds what is left, in the database, in the bucket and behind the proxy, against what the clients know."""

import collections
import concurrent.futures
import hashlib
import json
import os
import subprocess
import time
import traceback

from bucket import Bucket
from clients import PRESETS, Refused, Undecided
from servers import PREFIX, STORE_PORT

LARGE = 8 << 20


class Audit:
    def __init__(self, run):
        self.run, self.cluster, self.journal = run, run.cluster, run.journal
        self.sql, self.rows = run.cluster.database.sql, run.cluster.database.rows
        self.bucket = Bucket("%s:%d" % (self.cluster.store.host.address, STORE_PORT))
        self.faults, self.counts = collections.OrderedDict(), collections.OrderedDict()

    def fault(self, kind, text):
        self.faults.setdefault(kind, []).append(text)

    def expect(self, condition, kind, text):
        if not condition:
            self.fault(kind, text)

    @property
    def fault_count(self):
        return sum(len(texts) for texts in self.faults.values())

    # MARK: The end of all work

    def drain(self, limit):
        """Waits until nothing is left to do. Pauses after failures, of up to an hour, are cut short.

        - Returns: what was still to do when the time was over."""
        deadline, quiet = time.monotonic() + limit, 0
        while True:
            self.sql("UPDATE queue_job SET not_before = enqueued, turn = enqueued WHERE state = 'available' AND not_before > enqueued")
            self.sql("UPDATE removals SET due = 0 WHERE due > 0")
            left = self.rows("""
                SELECT (SELECT count(*) FROM queue_job WHERE state IN ('available', 'leased')) AS "jobs",
                    (SELECT count(*) FROM ended_pictures) AS "ended jobs to settle",
                    (SELECT count(*) FROM removals) AS "files to remove",
                    (SELECT count(*) FROM documents WHERE state = 'stored') AS "documents without pictures" """)[0]
            if not any(left.values()):
                return {}
            # A document without a job is never done: only jobs are worth waiting for.
            quiet = 0 if any(count for what, count in left.items() if what != "documents without pictures") else quiet + 1
            if time.monotonic() > deadline or quiet > 40:
                return {what: count for what, count in left.items() if count}
            time.sleep(0.5)

    def finish_uploads(self):
        """Asks for each resumable upload that is open: one whose bytes are all there becomes a document by that."""
        persons = {person.id: person for person in self.run.persons}
        for upload in self.rows("SELECT id, user_id FROM uploads WHERE state NOT IN ('stored', 'refused')"):
            try:
                self.run.way.ask(persons[upload["user_id"]], "HEAD", "/api/uploads/" + upload["id"], None, {"Tus-Resumable": "1.0.0"})
            except Undecided as error:
                self.fault("resumable uploads", "%s is not answered in peace: %s" % (upload["id"], error))

    def contents_to_compare(self):
        """The digests of all contents of which the audit has to know the pictures."""
        rows = self.rows("SELECT digest FROM documents UNION SELECT digest FROM queue_job WHERE state = 'dead' AND digest IS NOT NULL")
        return {row["digest"] for row in rows} | {digest for digest, _ in self.journal.pictures}

    # MARK: Everything

    def judge(self, reference):
        self.reference = reference
        for finding in self.journal.findings:
            self.fault("seen by a client", finding)
        self.documents = self.rows("SELECT * FROM documents")
        self.by_name, self.by_line = collections.defaultdict(list), collections.defaultdict(list)
        for row in self.documents:
            self.by_name[row["file_name"]].append(row)
            self.by_line[row["line"]].append(row)
        for check in (self.check_uploads, self.check_states, self.check_jobs, self.check_lines, self.check_counts, self.check_lists,
                      self.check_events, self.check_removals, self.check_answers, self.check_seen_pictures, self.check_shared_pictures,
                      self.check_sweep):
            began = time.monotonic()
            try:
                check()
            except Exception as error:  # noqa: BLE001: a check that cannot be made has found a fault
                self.fault("checks", "%s: %s" % (check.__name__, "".join(traceback.format_exception(error))[-900:]))
            self.run.say("%s: %.1f s, %d faults so far" % (check.__name__, time.monotonic() - began, self.fault_count))

    def check_uploads(self):
        known = set()
        for line in self.journal.lines:
            known |= set(line.versions)
            there = {name: self.by_name[name] for name in line.versions if self.by_name.get(name)}
            if line.removal == "acknowledged":
                self.expect(not there, "removals", "%s was removed, and %s is there" % (line.name, ", ".join(there)))
                continue
            acknowledged = {version.name for version in line.acknowledged}
            if line.removal and not acknowledged & set(there):
                continue
            for name, version in line.versions.items():
                rows = there.get(name, [])
                if not rows:
                    self.expect(not version.is_acknowledged, "lost", "an acknowledged upload is lost: " + name)
                    continue
                self.expect(len(rows) == 1, "doubled", "%s is there %d times" % (name, len(rows)))
                self.check_version(line, version, rows[0])
            if there:
                self.check_line(line, [rows[0] for rows in there.values()])
        for name in set(self.by_name) - known:
            self.fault("unknown", "a document that nobody has sent: " + name)
        self.counts["documents (versions) in the end"] = len(self.documents)
        self.counts["lines in the end"] = len(self.by_line)

    def check_version(self, line, version, row):
        self.expect(row["digest"] == version.content.digest and row["byte_count"] == len(version.content.bytes), "wrong bytes",
                    "%s has the digest of other bytes" % version.name)
        self.expect(not version.is_acknowledged or row["id"] == version.id, "doubled", "%s has another identity" % version.name)
        self.expect(row["user_id"] == line.person.id, "wrong owner", "%s belongs to somebody else" % version.name)
        self.expect(version.description.allows(row["description"]), "edits",
                    "%s has the description %r, and not %r" % (version.name, row["description"], version.description))

    def check_line(self, line, rows):
        self.expect(len({row["line"] for row in rows}) == 1, "lines", "%s is several lines" % line.name)
        for row in rows:
            self.expect(line.title.allows(row["title"]), "edits", "%s has the title %r, and not %r" % (line.name, row["title"], line.title))
        current = [row["file_name"] for row in rows if row["is_current"]]
        allowed = [name for name in current if line.current.allows(name) or not line.versions[name].is_acknowledged]
        self.expect(allowed, "current", "%s has the current version %s, and not %r" % (line.name, current, line.current))
        shares = {share["school_id"]: share["permission"] for share in self.shares().get(rows[0]["line"], [])}
        for school in set(shares) | set(line.shares):
            self.expect(line.shares[school].allows(shares.get(school)), "shares",
                        "%s is shared as %r, and not %r" % (line.name, shares.get(school), line.shares[school]))

    def shares(self):
        if not hasattr(self, "known_shares"):
            self.known_shares = collections.defaultdict(list)
            for share in self.rows("SELECT * FROM document_shares"):
                self.known_shares[share["line"]].append(share)
        return self.known_shares

    def check_states(self):
        states = collections.Counter()
        for row in self.documents:
            name, expected = row["file_name"], self.reference.failure(row["digest"])
            states[row["state"]] += 1
            if row["state"] == "ready":
                answer = self.reference.answers[row["digest"]]
                # The frame that a picture shows is a fact of the picture.
                facts = {name: fact for name, fact in answer["facts"].items() if name != "poster"}
                self.expect(expected is None, "pictures", "%s is ready, though compass says: %s" % (name, expected))
                self.expect(row["facts"] and json.loads(row["facts"]) == facts, "facts",
                            "%s has the facts %s, and not %s" % (name, row["facts"], facts))
                self.expect(self.reference.accepts_placeholder(row["digest"], row["placeholder"]), "facts",
                            "%s has the placeholder %r, and not %r" % (name, row["placeholder"], answer.get("placeholder")))
            elif row["state"] == "failed":
                self.expect(row["failure"] == expected, "pictures",
                            "%s failed for “%s”; compass says: %s" % (name, row["failure"], expected or "nothing, it makes pictures"))
            else:
                self.fault("pictures", "no pictures come: %s is %s" % (name, row["state"]))
        for state, count in states.items():
            self.counts["documents " + state] = count

    def check_jobs(self):
        jobs = self.rows("""
            SELECT id, state, source, digest, failure, alone_deaths, worker_deaths,
                (SELECT count(*) FROM queue_attempt WHERE job = queue_job.id AND "end" = 'completed') AS completed,
                (SELECT count(*) FROM queue_attempt WHERE job = queue_job.id AND ended IS NULL) AS open
            FROM queue_job""")
        ends = {row["job"]: row["ends"] for row in self.rows("SELECT job, count(*) AS ends FROM cluster_completions GROUP BY job")}
        across, lost = self.jobs_across_crashes(), 0
        # Of jobs that were forgotten with their documents, too.
        for job, count in ends.items():
            self.expect(count == 1, "completed twice", "job %d was completed %d times" % (job, count))
        for job in jobs:
            text = "job %(id)d of %(source)s" % job
            self.expect(job["open"] == 0, "jobs", text + " has an attempt without an end")
            if job["state"] == "done":
                if job["completed"] == 0 and job["id"] in across:
                    lost += 1
                else:
                    self.expect(job["completed"] == 1, "completed twice", "%s has %d completed attempts" % (text, job["completed"]))
                self.expect(ends.get(job["id"]) == 1, "completed twice", "%s has %s completions" % (text, ends.get(job["id"])))
            elif job["state"] == "dead":
                failure = json.loads(job["failure"])
                if job["alone_deaths"] >= 5:
                    self.counts["jobs dead since five workers died of them alone"] = self.counts.get(
                        "jobs dead since five workers died of them alone", 0) + 1
                elif job["digest"] in self.reference.answers:
                    expected = self.reference.failure(job["digest"])
                    self.expect(failure["message"] == expected, "dead", "%s is dead of %s; compass says: %s" % (
                        text, failure, expected or "nothing, it makes pictures"))
            elif job["state"] != "cancelled":
                self.fault("jobs", "%s is %s at the end" % (text, job["state"]))
        self.counts["attempts that a crash of PostgreSQL took back"] = lost
        for state, count in collections.Counter(job["state"] for job in jobs).items():
            self.counts["jobs " + state] = count
        for row in self.rows("SELECT coalesce(\"end\", 'open') AS end, count(*) FROM queue_attempt GROUP BY 1 ORDER BY 1"):
            self.counts["attempts that ended as " + row["end"]] = row["count"]
        self.counts["jobs taken over from workers that died or were silent"] = sum(job["worker_deaths"] > 0 for job in jobs)

    def jobs_across_crashes(self):
        """The jobs that ended soon after a crash of PostgreSQL. It may take back the last changes of workers (docs/queue.md), in their order:
        a claim can be there, and the attempt behind it be lost."""
        crashes = [record.wall for record in self.run.records if record.victim == "db"]
        ends = self.rows("SELECT job, CAST(extract(epoch FROM moment) AS float) AS moment FROM cluster_completions")
        return {row["job"] for row in ends if any(0 < row["moment"] - wall < 60 for wall in crashes)}

    def check_lines(self):
        for line, rows in self.by_line.items():
            for mark in ("is_current", "shown"):
                count = sum(row[mark] for row in rows)
                self.expect(count == 1, "current", "line %s has %d versions that are %s" % (line, count, mark))
            self.expect(len({row["version"] for row in rows}) == len(rows), "current", "line %s has a number twice" % line)

    RECOUNTS = {
        "the queue's counts": """
            SELECT * FROM (SELECT kind, state, CAST(sum(jobs) AS bigint) AS jobs FROM queue_count GROUP BY 1, 2) AS kept
            FULL JOIN (SELECT kind, CASE state WHEN 'leased' THEN 'available' ELSE state END AS state, count(*) AS jobs FROM queue_job GROUP BY 1, 2) AS counted
                USING (kind, state)
            WHERE coalesce(kept.jobs, 0) <> coalesce(counted.jobs, 0)""",
        "the counts of documents": """
            SELECT * FROM (SELECT * FROM document_counts) AS kept (user_id, type, school, shared, kept)
            FULL JOIN (SELECT user_id, type, coalesce(school_id, ''), share_count > 0, count(*) FROM documents WHERE shown
                GROUP BY 1, 2, 3, 4) AS recount (user_id, type, school, shared, counted) USING (user_id, type, school, shared)
            WHERE kept IS DISTINCT FROM counted""",
        "the sums of bytes": """
            SELECT user_id, byte_count, (SELECT coalesce(sum(byte_count), 0) FROM documents AS d WHERE d.user_id = o.user_id) AS counted
            FROM document_owners AS o
            WHERE byte_count <> (SELECT coalesce(sum(byte_count), 0) FROM documents AS d WHERE d.user_id = o.user_id)""",
        "the numbers of shares": """
            SELECT line, share_count, (SELECT count(*) FROM document_shares AS s WHERE s.line = d.line) AS counted FROM documents AS d
            WHERE share_count <> (SELECT count(*) FROM document_shares AS s WHERE s.line = d.line)""",
    }

    def check_counts(self):
        for what, query in self.RECOUNTS.items():
            for row in self.rows(query):
                self.fault("counts", "%s are wrong: %s" % (what, row))
        for person in self.run.persons:
            kept = self.run.way.data(person, "GET", "/api/documents/statistics")
            own = [row for row in self.documents if row["user_id"] == person.id]
            shown = [row for row in own if row["shown"]]
            types = collections.Counter(row["type"] for row in shown)
            counted = {"total": len(shown), "shared": sum(row["line"] in self.shares() for row in shown),
                       "total_bytes": sum(row["byte_count"] for row in own)}
            for name, number in counted.items():
                self.expect(kept[name] == number, "counts", "the statistics say %s %d, and it is %d" % (name, kept[name], number))
            self.expect({type: count for type, count in kept["by_type"].items() if count} == dict(types), "counts",
                        "the statistics say %s, and it is %s" % (kept["by_type"], dict(types)))

    def check_lists(self):
        for person in self.run.persons:
            shown = {row["id"] for row in self.documents if row["user_id"] == person.id and row["shown"]}
            for sort in ("newest", "name"):
                ids, cursor = [], ""
                while cursor is not None:
                    page = self.run.way.data(person, "GET", "/api/documents?limit=200&sort=%s%s" % (sort, cursor and "&cursor=" + cursor))
                    ids += [document["id"] for document in page["documents"]]
                    cursor = page["next_cursor"]
                self.expect(len(ids) == len(set(ids)), "lists", "a list has documents twice")
                self.expect(set(ids) == shown, "lists", "a list lacks %d documents, and has %d too many" % (
                    len(shown - set(ids)), len(set(ids) - shown)))
                self.expect(page["total"] == len(shown), "counts", "a list says %d of %d documents" % (page["total"], len(shown)))

    def check_events(self):
        there = {row["id"]: row for row in self.documents}
        stored = {row["document"] for row in self.rows("SELECT document FROM cluster_files")}
        kinds = collections.defaultdict(collections.Counter)
        for watcher in self.run.watchers:
            events = self.rows("SELECT number, kind, document FROM document_events WHERE user_id = '%s' ORDER BY number" % watcher.person.id)
            expected = [(event["number"], event["kind"]) for event in events]
            for event in events:
                kinds[event["document"]][event["kind"]] += 1
            deadline = time.monotonic() + 45
            while (not expected or watcher.last < expected[-1][0]) and expected and time.monotonic() < deadline:
                time.sleep(0.2)
            watcher.is_over.set()
            numbers = list(watcher.numbers)
            if numbers != expected:
                seen = collections.Counter(numbers)
                self.fault("events", "a client has missed %d of %d events, seen %d twice, and %s" % (
                    len(set(expected) - set(seen)), len(expected), sum(count > 1 for count in seen.values()),
                    "in order" if numbers == sorted(numbers) else "out of order"))
            self.counts["events followed"] = self.counts.get("events followed", 0) + len(numbers)
            self.counts["times that a stream of events was taken up again"] = self.counts.get(
                "times that a stream of events was taken up again", 0) + watcher.connections - 1
        for id in stored:
            self.expect(kinds[id]["document.stored"] == 1, "events", "%s has %d events of its storing" % (id, kinds[id]["document.stored"]))
            self.expect(kinds[id]["document.deleted"] == (id not in there), "events",
                        "%s has %d events of its removal" % (id, kinds[id]["document.deleted"]))
            if id in there and there[id]["state"] != "stored":
                kind = "picture.ready" if there[id]["state"] == "ready" else "picture.failed"
                self.expect(kinds[id][kind] >= 1, "events", "%s is %s without an event" % (id, there[id]["state"]))

    def check_removals(self):
        """Nothing is left of what was removed, neither rows nor files nor pictures; no row lacks its file."""
        for what, query in {
            "shares": "SELECT DISTINCT line AS id FROM document_shares WHERE line NOT IN (SELECT line FROM documents)",
            "jobs": "SELECT job AS id FROM picture_jobs WHERE object_id NOT IN (SELECT id FROM objects)",
            "jobs in the queue": """
                SELECT id FROM queue_job WHERE source_type = 'object' AND source NOT IN (SELECT id FROM objects)""",
            "ended jobs": "SELECT job AS id FROM ended_pictures",
            "removals": "SELECT object_id AS id FROM removals",
        }.items():
            for row in self.rows(query):
                self.fault("removals", "%s are left of removed documents: %s" % (what, row["id"]))
        self.files = {key.split("/")[-1] for key in self.bucket.keys(PREFIX + "/objects/")}
        self.named = {row["id"] for row in self.rows("SELECT id FROM objects")}
        for row in self.documents:
            self.expect(row["object_id"] in self.named, "rows without a file", "the document %s has no object" % row["id"])
        ever = {row["object"]: row["document"] for row in self.rows("SELECT object, document FROM cluster_files")}
        for id in self.named - self.files:
            self.fault("rows without a file", "the bytes are missing of the object %s" % id)
        for id in (self.files - self.named) & set(ever):
            self.fault("removals", "the file of the removed %s is there: %s" % (ever[id], id))
        self.counts["files without a row before the sweep"] = len(self.files - self.named)
        digests = {row["digest"] for row in self.documents}
        self.pictures = self.picture_keys()
        left = {key.split("/")[-2] for key in self.pictures} - digests
        # A worker that was silent for longer than its lease may store pictures after the removal; the sweep takes those (docs/scale.md).
        taken = {row["digest"] for row in self.rows("SELECT DISTINCT digest FROM cluster_taken")}
        for digest in left - taken:
            self.fault("removals", "pictures are left of a content that no document has: " + digest)
        self.counts["contents whose pictures a late worker left to the sweep"] = len(left & taken)

    def check_answers(self):
        """Reads every version's file and pictures over the proxy."""
        persons = {person.id: person for person in self.run.persons}
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for _ in pool.map(lambda row: self.check_answer(persons[row["user_id"]], row), self.documents):
                pass

    def check_answer(self, person, row):
        try:
            status, body, _ = self.run.way.ask(person, "GET", "/api/documents/%s/file" % row["id"])
            self.expect(status == 200 and hashlib.sha256(body).hexdigest() == row["digest"], "wrong bytes",
                        "%s is answered with %d and %d bytes" % (row["file_name"], status, len(body)))
            for preset in PRESETS:
                self.check_picture(person, row, preset)
        except (Undecided, Refused) as error:
            self.fault("answers", "%s is not answered in peace: %s" % (row["file_name"], error))

    def check_picture(self, person, row, preset):
        path = "/api/documents/%s/thumbnail?preset=%s" % (row["id"], preset)
        for _ in range(20):
            status, body, fields = self.run.way.ask(person, "GET", path, headers={"Accept": "image/jpeg, image/png, application/json"})
            if status != 202:
                break
            time.sleep(0.3)
        if self.reference.failure(row["digest"]):
            self.expect(status == 422, "pictures", "%s of %s is answered with %d" % (preset, row["file_name"], status))
        else:
            self.expect(status == 200 and self.reference.accepts(row["digest"], preset, hashlib.sha256(body).hexdigest()), "wrong pictures",
                        "%s of %s is answered with %d and %d bytes of another picture" % (preset, row["file_name"], status, len(body)))

    def picture_keys(self):
        """All shared pictures. What workers write to find out whether the store is well is nobody's content."""
        prefix = PREFIX + "/pictures/"
        return [key for key in self.bucket.keys(prefix) if key != prefix + "probe"]

    def check_seen_pictures(self):
        for (digest, preset), hashes in self.journal.pictures.items():
            for hash, words in hashes.items():
                self.expect(self.reference.accepts(digest, preset, hash), "wrong pictures",
                            "a client was shown another picture as %s of %s: %s" % (preset, digest, words))
        self.counts["different pictures that clients were shown"] = len(self.journal.pictures)

    def check_shared_pictures(self):
        """Every rendition in the bucket is the undisturbed one, and every ready content has its three there."""
        names = collections.defaultdict(set)
        for key in self.pictures:
            digest, name = key.split("/")[-2:]
            preset = name.split("-")[0]
            names[digest].add(preset)
            if preset in PRESETS and digest in self.reference.answers:
                self.expect_stored(key, digest, preset)
        for row in self.documents:
            if row["state"] == "ready":
                lacking = set(PRESETS) - names[row["digest"]]
                self.expect(not lacking, "pictures", "the bucket lacks %s of %s" % (", ".join(sorted(lacking)), row["file_name"]))

    def expect_stored(self, key, digest, preset):
        """A rendition lies behind its record, whose length is in the first four bytes."""
        data = self.bucket.bytes(key) or b""
        length = int.from_bytes(data[:4], "big")
        hash = hashlib.sha256(data[4 + length:]).hexdigest()
        self.expect(self.reference.accepts(digest, preset, hash), "wrong pictures", "the bucket has another picture as %s" % key)
        self.counts["pictures compared in the bucket"] = self.counts.get("pictures compared in the bucket", 0) + 1

    def check_sweep(self):
        """What interrupted uploads have left is removed by a sweep, once it is a day old; nothing else is."""
        self.sql("UPDATE uploads SET expires_at = 0 WHERE state NOT IN ('stored', 'refused')")
        self.sql("UPDATE bucket_arrivals SET touched_at = 0")
        self.sql("UPDATE intakes SET begun_at = 0")
        done = self.documentd("sweep", self.cluster.aged_store)
        self.expect(done.returncode == 0, "sweep", "documentd sweep fails: " + done.stdout)
        files = {key.split("/")[-1] for key in self.bucket.keys(PREFIX + "/objects/")}
        named = self.named
        self.expect(files == named, "sweep", "the sweep leaves %d files, and takes %d" % (len(files - named), len(named - files)))
        left = self.bucket.keys(PREFIX + "/incoming/")
        self.expect(not left, "sweep", "the sweep leaves %d keys in incoming: %s" % (len(left), left[:3]))
        left = {key.split("/")[-2] for key in self.picture_keys()} - {row["digest"] for row in self.documents}
        self.expect(not left, "sweep", "the sweep leaves pictures of %d contents that no document has" % len(left))
        large = sum(row["byte_count"] > LARGE for row in self.documents)
        sums = len(self.sql("SELECT object_id FROM bucket_sums").split())
        self.expect(sums == large, "sweep", "%d large files have %d rows with sums" % (large, sums))
        left = self.bucket.open_uploads(PREFIX + "/")
        self.expect(not left, "sweep", "the sweep leaves %d uploads in parts: %s" % (len(left), left[:3]))
        left = self.sql("SELECT object_id FROM bucket_arrivals UNION SELECT object_id FROM bucket_parts").split()
        self.expect(not left, "sweep", "the sweep leaves rows of %d files that do not arrive" % len(left))
        done = self.documentd("verify", self.cluster.store_address(self.cluster.services[0].host))
        self.expect(done.returncode == 0, "verify", "documentd verify: " + done.stdout[-500:])

    def documentd(self, command, store):
        host = self.cluster.services[0].host
        words = self.cluster.services[0].environment() | {"COMPASS_S3_ENDPOINT": "http://" + store, "PATH": os.environ["PATH"]}
        return subprocess.run(host.words(self.cluster.program("documentd"), command, "--data", host.disk + "/data"), env=words,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
