"""Runs the tests of the screens in Chromium, over documentd and real files.

    run.py --programs .build/release [--only TEXT] [--jobs N] [--again] [--approve] [--sources] [--pictures FOLDER]

`--only` runs tests whose sentence or file's name has a text. `--jobs` runs so many tests beside each other, each thread of tests in a browser of its
own. `--again` gives a test that fails a second try, for machines on which other
work takes the processors for seconds; the tally names it. `--approve` writes the approved pictures again; look at each before it is
committed. `--sources` serves scripts and styles from Sources/ in place of the built ones, for work on the screens.
check.py says how a test is added.
"""

import argparse
import importlib
import re
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import sync_playwright

import check
import pictures
import stock
from service import Service
from visit import Visit

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[2] / "docs/screens.md"


def states_of_table():
    """The rows of docs/screens.md under "States": screen and state."""
    section = TABLE.read_text().split("## States", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"^\| ([a-z]+) \| `([a-z-]+)` \|", section, re.M))


class Stocks:
    """Fills each stock once, and gives copies."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.made, self.count = programs, folder, {}, 0
        self.lock = threading.Lock()

    def start(self, name):
        with self.lock:
            if name not in self.made:
                self.made[name] = stock.make(
                    name, Service(self.programs, self.folder / f"stock-{name}", "local" if name in stock.WITH_ACCOUNTS else "off"))
            self.count += 1
            copy = self.made[name].copy(self.folder / f"test-{self.count}")
        return copy.start()


def run(test, browser, stocks, visited, options):
    try:
        service = stocks.start(test.stock)
    except Exception as error:
        return f"The stock {test.stock} is not made: {error}"
    at = Visit(browser, service, test.context, visited, options.sources)
    at.name, at.cut_time, at.steps = test.name, options.cut, options.steps
    try:
        test.body(at)
        return at.faults and "\n".join(at.faults)
    except Exception as error:
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
            at.page.screenshot(path=options.pictures / (re.sub(r"\W+", "-", test.name)[:80] + ".png"))
        place = traceback.extract_tb(error.__traceback__)
        lines = [f"{Path(frame.filename).name}:{frame.lineno}: {frame.line}" for frame in place if str(HERE) in frame.filename]
        return "\n".join([str(error)[:1500], *lines[-3:], *at.faults])
    finally:
        at.close()
        service.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--approve", action="store_true")
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--cut", type=float, default=2, help="seconds without a connection, in the walk through all screens")
    parser.add_argument("--steps", type=Path, help="a folder for a picture of each step of that walk")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of what failed")
    options = parser.parse_args()
    pictures.is_approving = options.approve
    pictures.folder_of_failures = options.pictures
    for file in sorted(HERE.glob("*_tests.py")):
        importlib.import_module(file.stem)
    chosen = [test for test in check.tests if options.only.lower() in f"{test.name} {test.body.__module__}".lower()]
    visited, failed, repeated, began = {}, [], [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="compass-web-") as scratch:
        stocks, waiting, saying = Stocks(options.programs, Path(scratch)), iter(chosen), threading.Lock()

        def next_test():
            with saying:
                return next(waiting, None)

        def say(*lines):
            with saying:
                print(*lines, sep="\n", flush=True)

        def work():
            # Playwright's objects belong to the thread that makes them. Chromium's own sandbox needs namespaces that a container
            # lacks; the pages are ours.
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
                while test := next_test():
                    start = time.monotonic()
                    fault = run(test, browser, stocks, visited, options)
                    if fault and options.again:
                        say(f"↻ {test.name}: tried again after", "    " + fault.replace("\n", "\n    "))
                        repeated.append(test.name)
                        fault = run(test, browser, stocks, visited, options)
                    say(f"{'✘' if fault else '✔'} {test.name} ({time.monotonic() - start:.1f} s)",
                        *(["    " + fault.replace("\n", "\n    ")] if fault else []))
                    if fault:
                        failed.append(test.name)
                browser.close()

        with ThreadPoolExecutor(options.jobs) as threads:
            for worker in [threads.submit(work) for _ in range(options.jobs)]:
                worker.result()
    if not options.only:
        table = states_of_table()
        failed += [f"No test visits the state {screen}/{state}." for screen, state in sorted(table - set(visited))]
        failed += [f"docs/screens.md lacks the state {screen}/{state}." for screen, state in sorted(set(visited) - table)]
    print(f"{len(chosen)} tests, {len(failed)} failed, {len(visited)} states, in {time.monotonic() - began:.0f} s",
          *(f"tried twice: {name}" for name in repeated), *(f"failed: {name}" for name in failed), sep="\n")
    sys.exit(1 if failed or not chosen else 0)


main()
