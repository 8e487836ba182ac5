#!/usr/bin/env python3
"""Runs each suite that has to pass on either database, or on either store of files, and prints how many cases each has passed there.

The suites are found in the sources: those with a test over all drivers (`Driver.allCases`), and those over a type that asks the environment for
its database (`TestServer.isWanted`), which run twice. Ends with 1 where a test fails, or one driver has other numbers than another, or none.

usage: run.py --tests PROGRAM [--only TEXT] [--events FOLDER]"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
TABLES = [("SQLite", "PostgreSQL", "in memory"), ("folder", "bucket")]
# A driver's name in the tests, and in the tables.
DRIVERS = {"sqlite": "SQLite", "postgreSQL": "PostgreSQL", "memory": "in memory", "folder": "folder", "bucket": "bucket"}
ARGUMENT = re.compile(r"\bdriver → \.(\w+)")
ENVIRONMENT = "COMPASS_TEST_DATABASE"


def sources():
    """All files of tests, as (module, type, text)."""
    folder = CHECKOUT / "Tests"
    for path in sorted(folder.rglob("*.swift")):
        module = next((part for part in path.relative_to(folder).parts[:-1] if part.endswith("Tests")), None)
        if module:
            yield module, path.stem.split("+")[0], path.read_text(encoding="utf-8")


def suites_by_argument(files):
    return sorted({(module, name) for module, name, text in files if "Driver.allCases" in text})


def suites_by_environment(files):
    asking = {(module, name) for module, name, text in files if "TestServer.isWanted" in text}
    return sorted({
        (module, name) for module, name, text in files for other, type in asking
        if module == other and name != type and name.endswith("Tests") and re.search(r"\b%s\b" % type, text)})


class Run:
    """One process of tests, and the numbers of cases that have begun in it, by suite and function."""

    def __init__(self, program, suites, events, database=None):
        environment = {name: value for name, value in os.environ.items() if name != ENVIRONMENT}
        if database:
            environment[ENVIRONMENT] = database
        events.parent.mkdir(parents=True, exist_ok=True)
        events.unlink(missing_ok=True)
        filters = [word for suite in suites for word in ("--filter", r"^%s\.%s/" % suite)]
        words = [program, "--testing-library", "swift-testing", "--event-stream-output-path", str(events), *filters]
        done = subprocess.run(words, cwd=CHECKOUT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        events.with_suffix(".log").write_text(done.stdout, encoding="utf-8")
        self.is_passed = done.returncode == 0
        if not self.is_passed:
            lines = [line for line in done.stdout.splitlines() if "✘" in line] or done.stdout.splitlines()[-20:]
            print("\n".join(lines), file=sys.stderr)
        self.read(events)

    def read(self, events):
        """Reads the records that Swift Testing writes, one a line. A test without arguments has no records of cases."""
        self.cases, self.tests = collections.defaultdict(list), set()
        for line in events.read_text(encoding="utf-8").splitlines() if events.exists() else []:
            payload = json.loads(line)["payload"]
            test = payload.get("testID", "")
            suite, _, function = test.partition("/")
            if not function:
                continue
            if payload["kind"] == "testCaseStarted":
                self.cases[suite, function].append("".join(message["text"] for message in payload["messages"]))
            elif payload["kind"] == "testEnded":
                self.tests.add((suite, function))

    def by_driver(self):
        """How many cases each suite has for each driver; cases without a driver do not count."""
        counts = collections.defaultdict(collections.Counter)
        for (suite, _), texts in self.cases.items():
            for driver in filter(None, map(ARGUMENT.search, texts)):
                counts[suite][DRIVERS[driver[1]]] += 1
        return counts

    def by_suite(self):
        """How many cases each suite has in all."""
        counts = collections.Counter()
        for suite, function in self.tests | set(self.cases):
            counts[suite] += len(self.cases.get((suite, function), [])) or 1
        return counts


def table(names, counts):
    """A table of the suites that run on some of the drivers, and the faults in it."""
    rows, faults = [], []
    for suite, row in sorted(counts.items()):
        if not any(row[name] for name in names[:2]):
            continue
        rows.append("| %s | %s |" % (suite, " | ".join(str(row[name] or "–") for name in names)))
        # Memory is a driver of some suites alone.
        numbers = [row[name] for name in names[:2]] + [row[name] for name in names[2:] if row[name]]
        if len(set(numbers)) > 1:
            faults.append("%s: %s" % (suite, ", ".join("%d on %s" % (row[name], name) for name in names)))
    sums = [sum(row[name] for row in counts.values()) for name in names]
    rows.append("| all | %s |" % " | ".join(map(str, sums)))
    return ["| suite | %s |" % " | ".join(names), "|---|" + "---|" * len(names), *rows], faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", required=True, type=os.path.abspath, help="all tests as one program")
    parser.add_argument("--only", default="", help="runs the suites alone whose names have this text")
    parser.add_argument("--events", type=Path, default=CHECKOUT / "build/conformance", help="where records and logs are kept")
    options = parser.parse_args()
    files = list(sources())
    wanted = [suite for suite in suites_by_argument(files) if options.only in ".".join(suite)]
    twice = [suite for suite in suites_by_environment(files) if options.only in ".".join(suite)]
    counts, runs = collections.defaultdict(collections.Counter), []
    if wanted:
        runs.append(Run(options.tests, wanted, options.events / "arguments.jsonl"))
        for suite, row in runs[-1].by_driver().items():
            counts[suite] += row
    # Apart by module, as in `make test`: tests that block take the threads on which other tests' servers answer.
    for module in sorted({module for module, _ in twice}):
        for name, database in (("SQLite", None), ("PostgreSQL", "postgresql")):
            suites = [suite for suite in twice if suite[0] == module]
            runs.append(Run(options.tests, suites, options.events / ("%s-%s.jsonl" % (module, name)), database))
            for suite, number in runs[-1].by_suite().items():
                counts[suite][name] += number
    faults = ["a test has failed: %s" % options.events] if not all(run.is_passed for run in runs) else []
    faults += ["%s.%s has run no case" % suite for suite in wanted + twice if not counts.get("%s.%s" % suite)]
    faults += ["no suite is named so"] if not wanted + twice else []
    for names in TABLES:
        lines, unequal = table(names, counts)
        faults += unequal
        if len(lines) > 3:
            print("\n".join(lines), end="\n\n", flush=True)
    for fault in faults:
        print("FAULT: " + fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
