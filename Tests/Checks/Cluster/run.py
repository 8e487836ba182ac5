#!/usr/bin/env python3
"""Builds a cluster of hosts in network namespaces, lets clients work on it while its parts are killed, stopped, cut off and misled, and
audits what is left.

With --control one safeguard is taken away, and the audit must find faults, or it proves nothing:

unfenced    the queue takes a stale token for the current one: workers that were stopped for longer than their leases end their jobs
untied      a document is committed by a transaction of its own, a moment before that of its job, and documentd is killed again and again

usage: run.py --programs FOLDER --weed PROGRAM [--seconds N] [--seed N] [--control NAME] [--report FILE]"""

import argparse
import os
import random
import shutil
import sys
import threading
import time
from pathlib import Path

import network
import traps
from audit import Audit
from bucket import Bucket
from clients import Client, Person, Watcher, Way
from contents import Contents
from faults import DEATHS, LONG, TAKE_OVER_LIMIT, Lane, tally
from journal import Journal
from reference import Reference
from servers import STORE_PORT, Cluster

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[2] / "samples"
CLIENTS, PERSONS, SCHOOLS = 8, 4, 3
# Beyond so many waiting jobs the clients only read: the run is to try faults, and not the speed of two processors.
LARGEST_BACKLOG = 120
DRAIN_LIMIT = 420
# The kinds of faults that the audit has to find where a safeguard is missing.
CONTROLS = {"unfenced": {"completed twice"}, "untied": {"pictures"}}


class Run:
    def __init__(self, options, folder):
        self.options, self.random = options, random.Random(options.seed)
        self.scale = min(1.0, max(0.15, options.seconds / 600))
        self.began = time.monotonic()
        self.journal, self.contents = Journal(), Contents(str(SAMPLES), os.path.join(folder, "contents"))
        lease = 5 if options.control == "unfenced" else 20
        self.cluster = Cluster(folder, options.programs, options.weed, str(HERE / "relay.py"), lease, options.control == "unfenced")
        self.records, self.take_overs, self.returns = [], [], []
        # The kinds of faults that were made.
        self.acts = set()
        self.is_over, self.is_backed_up, self.pause = threading.Event(), False, 0.7
        self.lock = threading.Lock()

    def say(self, text):
        print("%6.1f s  %s" % (time.monotonic() - self.began, text), flush=True)

    # MARK: Notes of the lanes

    def note(self, record):
        with self.lock:
            self.records.append(record)
        self.say("%s: %s, with %d in flight" % (record.kind, record.victim, record.in_flight))

    def note_take_over(self, died, freed):
        """A take-over beside another fault says nothing of leases: the others may be the ones that are cut off."""
        beside = [record for record in self.records if record.overlaps(died, freed) and not record.kind.startswith("kill -9 of a")]
        self.take_overs.append((freed - died, not beside))
        if not beside and freed - died > TAKE_OVER_LIMIT * self.cluster.lease / 20:
            self.journal.find("a dead worker's jobs were free for others after %.1f s only" % (freed - died))

    def note_return(self, what, moment):
        with self.lock:
            self.returns.append((what, moment))

    # MARK: Phases

    def prepare(self):
        cluster = self.cluster
        cluster.start(Bucket("%s:%d" % (cluster.store.host.address, STORE_PORT)).make)
        cluster.database.sql(traps.JOURNAL)
        self.way = Way(cluster.proxy_host.address, self.journal)
        self.persons = [Person(number + 1, cluster.secret) for number in range(PERSONS)]
        for person in self.persons:
            for number in range(SCHOOLS):
                person.schools.append(self.way.data(person, "POST", "/api/schools", {"name": "School %d" % number})["id"])
        self.watchers = [Watcher(person, self.way) for person in self.persons]
        for watcher in self.watchers:
            watcher.start()
        self.clients = [Client(number, self.persons[number % PERSONS], self, random.Random(self.random.random())) for number in range(CLIENTS)]
        if self.options.control:
            # Each person's first document makes rows that the transaction of a control would wait for.
            for client in self.clients[:PERSONS]:
                client.upload()
            cluster.database.sql({"unfenced": traps.TOKENS, "untied": traps.UNTIED}[self.options.control])
        self.say("the cluster is up: %d documentd, %d thumbd" % (len(cluster.services), len(cluster.workers)))

    def lanes(self):
        seeds = [random.Random(self.random.random()) for _ in range(3)]
        if self.options.control == "unfenced":
            return [Lane(self, seed, ["stop_thumbd"], 1) for seed in seeds]
        if self.options.control == "untied":
            return [Lane(self, seed, ["kill_documentd"], 0.5) for seed in seeds[:1]]
        return [Lane(self, seeds[0], LONG, 3), Lane(self, seeds[1], DEATHS, 9 * max(0.4, self.scale))]

    def work(self):
        # The last faults end while clients still work.
        self.faults_end = time.monotonic() + self.options.seconds
        threads = [threading.Thread(target=client.live, daemon=True) for client in self.clients]
        lanes = self.lanes()
        for thread in threads + lanes:
            thread.start()
        next_line = time.monotonic() + 10
        while any(lane.is_alive() for lane in lanes):
            time.sleep(1)
            try:
                waiting = self.cluster.database.value("SELECT count(*) FROM queue_job WHERE state = 'available'")
                self.is_backed_up = waiting > LARGEST_BACKLOG
            except RuntimeError:
                continue
            if time.monotonic() > next_line:
                self.say("%d acknowledged changes, %d jobs wait, %d faults made, %d findings" % (
                    len(self.journal.successes), waiting, len(self.records), len(self.journal.findings)))
                next_line = time.monotonic() + 20
        self.cluster.relieve()
        self.say("all faults are over")
        # Where what came back last is still to be noticed.
        time.sleep(5)
        self.is_over.set()
        for thread in threads:
            thread.join(200)
        if any(thread.is_alive() for thread in threads):
            self.journal.find("a client does not end: a request hangs")

    def judge(self, folder):
        audit = Audit(self)
        audit.finish_uploads()
        began = time.monotonic()
        left = audit.drain(60 if self.options.control else DRAIN_LIMIT)
        if left:
            audit.fault("drain", "left to do after %.0f s without faults: %s" % (time.monotonic() - began, left))
        audit.counts["seconds until all work was done after the last fault"] = round(time.monotonic() - began)
        paths = {digest: self.contents.paths[digest] for digest in audit.contents_to_compare()}
        self.say("drained; compass makes the pictures of %d contents undisturbed" % len(paths))
        reference = Reference(self.cluster.program("compass"), os.path.join(folder, "reference"), paths)
        self.say("the reference is made")
        audit.judge(reference)
        return audit

    # MARK: The report

    def recoveries(self):
        """Rows of a table: what came back, how often, and the seconds until the first change was acknowledged again."""
        rows = {}
        for what, moment in self.returns:
            first = self.journal.first_success(moment)
            if first:
                rows.setdefault("%s is back → first acknowledged change" % what, []).append(first - moment)
        undisturbed = [seconds for seconds, is_alone in self.take_overs if is_alone]
        disturbed = [seconds for seconds, is_alone in self.take_overs if not is_alone]
        if undisturbed:
            rows["a thumbd is dead, its host is left alone → its jobs are free"] = undisturbed
        if disturbed:
            rows["a thumbd is dead, beside another fault → its jobs are free"] = disturbed
        return rows

    def report(self, audit):
        lines = ["", "| fault | times | with work in flight | requests and jobs in flight, in all |", "|---|---|---|---|"]
        rows = tally(self.records)
        lines += ["| %s | %d | %d | %d |" % (kind, *row) for kind, row in rows.items()]
        lines.append("| all | %d | %d | %d |" % tuple(sum(column) for column in zip(*rows.values())))
        lines += ["", "| recovery | times | median s | longest s |", "|---|---|---|---|"]
        for what, seconds in self.recoveries().items():
            seconds.sort()
            lines.append("| %s | %d | %.1f | %.1f |" % (what, len(seconds), seconds[len(seconds) // 2], seconds[-1]))
        exits = sum(program.exit_count for program in self.cluster.services + self.cluster.workers)
        self.journal.count("programs that ended since the database was away at their start, and were started again", exits)
        lines += ["", "| seed %d, %d s | count |" % (self.options.seed, self.options.seconds), "|---|---|"]
        lines += ["| %s | %d |" % row for row in sorted(self.journal.counts.items())]
        lines += ["| %s | %s |" % row for row in audit.counts.items()]
        lines.append("| faults found by the audit | %d |" % audit.fault_count)
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=os.path.abspath)
    parser.add_argument("--weed", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=os.path.abspath, default=os.path.abspath("build/cluster"))
    parser.add_argument("--control", choices=sorted(CONTROLS))
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    network.enter([str(SAMPLES.parent), options.programs, os.path.dirname(options.weed), options.folder])
    print("seed %d, %d s%s" % (options.seed, options.seconds, ", " + options.control if options.control else ""), flush=True)
    network.require_readable(options.programs, options.weed, str(SAMPLES))
    folder = os.path.join(options.folder, options.control or "run")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run = Run(options, folder)
    run.prepare()
    run.work()
    audit = run.judge(folder)
    print(run.report(audit), flush=True)
    for kind, texts in audit.faults.items():
        print("FAULT %s (%d):" % (kind, len(texts)))
        for text in texts[:20]:
            print("    " + text)
    sys.stdout.flush()
    missed = [kind for kind, row in tally(run.records).items() if row[1] == 0]
    if missed:
        print("Hit nothing: " + ", ".join(missed))
    if options.control:
        is_good = bool(CONTROLS[options.control] & set(audit.faults))
        if not is_good:
            print("The control took a safeguard away, and its faults were not found: this check proves nothing.")
    else:
        # A shorter run has no time for all of them.
        lacking = set(LONG + DEATHS) - run.acts if run.scale == 1 else set()
        if lacking:
            print("Never made, so this run proves nothing of them: " + ", ".join(sorted(lacking)))
        is_good = not audit.fault_count and not lacking
        print("Logs: %s" % folder)
    sys.stdout.flush()
    os._exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
