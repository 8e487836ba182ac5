#!/usr/bin/env python3
"""Runs the tests of each test target in a process of its own, and prints a line for each, then every failure in full, and the numbers of
tests.

The targets are those of the test program. A target fails if one of its tests fails or is not run, or if it has no test. A test that hangs
ends its process (see `Tests/Support/TestDeadline`); a process whose tests neither begin nor end any more is ended here. Ends with 1 if a target fails.

usage: run.py --tests PROGRAM [--only TARGET]… [--logs FOLDER] [--jobs N] [--minutes N]"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
DATABASE = "COMPASS_TEST_DATABASE"
# Suites that run apart from the rest of their target.
APART = {
    # Counts what its process holds.
    "RenderHostTests": [["FootprintTests"]],
    # Their servers answer on the threads of Swift's tasks, which tests that block take.
    "DocumentAPITests": [["SearchEventsTests"]],
    "IntegrationTests": [["AccessMatrixTests"], ["CostTests"], ["HostileClientTests"], ["IssuedTokensTests"]],
    "OpenIDConnectTests": [["TransportTests"]],
}
# What runs a second time, on a server in place of SQLite's files.
ON_SERVER = {"AccountsTests": [], "IntegrationTests": ["AccessMatrixTests"], "SupabaseWireTests": ["FilterTests", "RecordedAnswerTests", "SelectionTests"]}
# These take longest, so they begin first.
LONGEST = ["IntegrationTests", "RenderHostTests", "JobQueueTests", "ObjectsTests"]
# Where a test is written, at the end of its name in records.
PLACE = re.compile(r"/[^/]+\.swift:\d+:\d+$")
# How much of a log is shown of a process that has not ended well.
LINES_OF_CRASH = 80


class Group:
    """Tests of one target that share a process."""

    def __init__(self, target, tests, suites=(), without=(), on_server=False):
        self.target, self.suites, self.on_server = target, suites, on_server
        matches = lambda names, test: any(re.match(self.pattern(name), test) for name in names)
        self.tests = {test for test in tests if (not suites or matches(suites, test)) and not matches(without, test)}
        self.filters = ["--filter", r"^%s\." % target] if not suites else []
        for suite in suites:
            self.filters += ["--filter", self.pattern(suite)]
        for suite in without:
            self.filters += ["--skip", self.pattern(suite)]

    def pattern(self, suite):
        return r"^%s\.%s/" % (self.target, suite)

    @property
    def name(self):
        words = list(self.suites) + (["on PostgreSQL"] if self.on_server else [])
        return self.target + (" (%s)" % ", ".join(words) if words else "")


def groups(program, only):
    """The groups of all targets of a program."""
    listed = subprocess.run([program, "--testing-library", "swift-testing", "--list-tests"], cwd=CHECKOUT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    targets = collections.defaultdict(set)
    for line in listed.splitlines():
        target, dot, test = line.partition(".")
        if dot and "/" in test:
            targets[target].add(PLACE.sub("", line))
    for name in only:
        if name not in targets:
            sys.exit("%s has no tests in %s" % (name, program))
    for target in sorted(targets, key=lambda name: (name not in LONGEST, name)):
        if only and target not in only:
            continue
        tests, apart = targets[target], APART.get(target, [])
        yield Group(target, tests, without=[suite for suites in apart for suite in suites])
        for suites in apart:
            yield Group(target, tests, suites)
        if target in ON_SERVER:
            yield Group(target, tests, ON_SERVER[target], on_server=True)


class Outcome:
    """What came of a group."""

    def __init__(self, group, seconds, end, log, events):
        self.group, self.seconds = group, seconds
        self.begun, self.passed, self.skipped, self.issues = [], set(), set(), collections.defaultdict(list)
        for line in events.read_text(encoding="utf-8").splitlines() if events.exists() else []:
            # The last line of a process that was killed may be cut.
            try:
                self.read(json.loads(line)["payload"])
            except (ValueError, KeyError):
                continue
        self.passed -= set(self.issues)
        self.failed = self.listed - self.passed - self.skipped
        self.is_passed = end == 0 and bool(self.passed) and not self.failed and not self.issues
        self.end, self.log = end, log

    def read(self, payload):
        kind, test = payload.get("kind"), PLACE.sub("", payload.get("testID", ""))
        if kind == "testStarted" and "/" in test:
            self.begun.append(test)
        elif kind == "testEnded":
            self.passed.add(test)
        elif kind == "testSkipped":
            self.skipped.add(test)
        elif kind == "issueRecorded" and not payload["issue"].get("isKnown"):
            self.issues[test].append("\n".join(message["text"] for message in payload["messages"]))

    @property
    def listed(self):
        return self.group.tests

    @property
    def line(self):
        numbers = "%d passed" % len(self.passed & self.listed) + (", %d failed" % len(self.failed) if self.failed else "")
        return "%-48s %6.1f s  %s%s" % (self.group.name, self.seconds, numbers, "" if self.is_passed else "  FAILED")

    def failures(self):
        for test, texts in self.issues.items():
            for text in texts:
                yield "  ✘ %s: %s" % (test, text.replace("\n", "\n      "))
        if not self.listed:
            yield "  ✘ It has no tests."
        lost = [test for test in sorted(self.failed) if test not in self.issues]
        for test in lost:
            yield "  ✘ %s %s" % (test, "did not end" if test in self.begun else "was not run")
        if lost or self.end != 0 and not self.issues:
            yield "  The process ended with %s. The end of %s:" % (self.end, self.log)
            lines = [line for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines() if line[:1] not in "◇✔"]
            yield from ("    " + line for line in lines[-LINES_OF_CRASH:])


class Runner:
    """Runs groups, and leaves no process of theirs."""

    def __init__(self, program, logs, minutes):
        self.program, self.logs, self.minutes = program, logs, minutes
        self.processes, self.lock = set(), threading.Lock()

    def run(self, group):
        name = re.sub(r"\W+", "-", group.name).strip("-")
        log, events = self.logs / (name + ".log"), self.logs / (name + ".jsonl")
        events.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name != DATABASE}
        environment["NO_COLOR"] = "1"
        if group.on_server:
            environment[DATABASE] = "postgresql"
        words = [self.program, "--testing-library", "swift-testing", "--event-stream-output-path", str(events), *group.filters]
        begin = time.monotonic()
        with open(log, "wb") as output:
            process = subprocess.Popen(words, cwd=CHECKOUT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       start_new_session=True)
            with self.lock:
                self.processes.add(process)
            end = self.wait(process, events)
            # Servers clean up when the process that has started them is gone.
            self.end(process, patience=5)
        return Outcome(group, time.monotonic() - begin, end, log, events)

    def wait(self, process, events):
        """Waits for a process while its tests go on: how long they take in all is the machine's business."""
        size, since = 0, time.monotonic()
        while time.monotonic() - since < self.minutes * 60:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                now = events.stat().st_size if events.exists() else 0
                if now != size:
                    size, since = now, time.monotonic()
        process.kill()
        return "no test that began or ended for %d minutes" % self.minutes

    def end(self, process, patience=0):
        """Ends a process with all that it has started in its group, which has some seconds to end by itself."""
        try:
            for _ in range(patience * 10):
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.1)
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        with self.lock:
            self.processes.discard(process)

    def end_all(self, *_):
        for process in list(self.processes):
            self.end(process)
        os._exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", required=True, type=os.path.abspath, help="all tests as one program")
    parser.add_argument("--only", action="append", default=[], help="runs this target alone")
    parser.add_argument("--logs", type=Path, default=CHECKOUT / "build/tests", help="where records and logs are kept")
    parser.add_argument("--jobs", type=int, default=1, help="how many targets run at once")
    parser.add_argument("--minutes", type=int, default=20, help="how long a process may go on without a test that begins or ends")
    options = parser.parse_args()
    options.logs.mkdir(parents=True, exist_ok=True)
    runner = Runner(options.tests, options.logs.resolve(), options.minutes)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, runner.end_all)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(runner.run, group) for group in groups(options.tests, options.only)]):
            outcomes.append(future.result())
            print(outcomes[-1].line, flush=True)
    # Last, where the end of a long log shows them.
    for outcome in outcomes:
        if not outcome.is_passed:
            print("\n%s:" % outcome.group.name, *outcome.failures(), sep="\n")
    passed, failed = (sum(len(names) for names in column) for column in
                      zip(*((outcome.passed & outcome.listed, outcome.failed) for outcome in outcomes)))
    # A process that fails without a test of its own is a failure too.
    failed += sum(not outcome.is_passed and not outcome.failed for outcome in outcomes)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
