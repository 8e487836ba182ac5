#!/usr/bin/env python3
"""Holds documentd against a model: Hypothesis chooses calls of three people, the reference predicts each answer.

    run.py --programs FOLDER [--weed PROGRAM] [--seed N] [--minutes N] [--steps N] [--logs FOLDER]
    run.py --programs FOLDER [--weed PROGRAM] --controls
    run.py --programs FOLDER [--weed PROGRAM] --replay LOG

The service keeps its things in SQLite and a folder, or with --weed in PostgreSQL and a SeaweedFS. Each example has a service of its own. The log of one that fails has a line for each step, and --replay does the same again; which requests of
the store are delayed, repeated or lost is another matter each time.
"""

import argparse
import collections
import contextlib
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from backends import Files, Servers, Shared
from sabotage import WITHOUT
from world import RULES, Violation, World, play


def machine(programs, servers, logs, counts, without=None):
    """The class of a machine. Hypothesis makes an object of it for each example, and calls its rule."""

    class Machine(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            counts["examples"] += 1
            self.name = logs / f"{counts['examples']:04}.log"
            self.scratch = tempfile.TemporaryDirectory(prefix="compass-model-")
            self.world = make_world(programs, servers, self.scratch.name, without)
            self.log = open(self.name, "w")
            self.has_failed = False

        @rule(step=strategies.sampled_from([name for name, weight in RULES.items() for _ in range(weight)]),
              number=strategies.integers(0, 2**32 - 1))
        def step(self, step, number):
            if number == 0:
                # The least example, which always comes first.
                return
            print(step, number, file=self.log, flush=True)
            with self.named():
                play(self.world, step, number)
            counts[step] += 1

        @contextlib.contextmanager
        def named(self):
            """A failure says where its log is."""
            try:
                yield
            except Exception as error:
                self.has_failed = True
                error.add_note(f"replay {self.name}")
                raise

        def teardown(self):
            try:
                if not self.has_failed:
                    with self.named():
                        self.world.end()
            finally:
                counts["made again"] += self.world.repeated_count
                self.world.close()
                self.log.close()
                self.scratch.cleanup()

    return Machine


def make_world(programs, servers, scratch, without=None):
    folder = Path(scratch)
    return World(programs, folder, Shared(servers) if servers else Files(folder), without)


def replay(programs, servers, log):
    with tempfile.TemporaryDirectory(prefix="compass-model-") as scratch:
        world = make_world(programs, servers, scratch)
        try:
            for line in log.read_text().splitlines():
                name, number = line.split()
                play(world, name, int(number))
            world.end()
        finally:
            world.close()


def play_for(minutes, options, servers, without=None, stops=False):
    """Plays examples for a time, with `stops` until one fails.

    Returns how many failed."""
    logs = options.logs / ("servers" if servers else "files") / f"seed-{options.seed}" / (without or "sound")
    logs.mkdir(parents=True, exist_ok=True)
    counts, faults, rounds = collections.Counter(), 0, 0
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end and not (stops and faults):
        rounds += 1
        # Generation alone: a failing run is replayed from its log.
        # Over servers a step takes longer, and a round is to end soon after its time.
        bounds = settings(max_examples=3 if servers else 6, stateful_step_count=options.steps, deadline=None, database=None,
                          phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        made = seed(options.seed * 1_000_003 + rounds)(machine(options.programs, servers, logs, counts, without))
        try:
            run_state_machine_as_test(made, settings=bounds)
        except Exception as error:
            faults += 1
            while isinstance(error, ExceptionGroup):
                # What hangs on time is told as inconsistent, with the failure inside.
                error = error.exceptions[0]
            if not isinstance(error, Violation):
                traceback.print_exception(error)
            notes = [note for note in getattr(error, "__notes__", []) if note.startswith("replay ")]
            print("found without" if without else "✘", *([f"{without}:"] if without else []), error, *notes, flush=True)
    examples, repeated = counts.pop("examples"), counts.pop("made again")
    print(f"{examples} examples, {sum(counts.values())} steps, {faults} violations, from seed {options.seed}", flush=True)
    if not without:
        print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
        if servers:
            print("requests of the store:", ", ".join(f"{count} {name}" for name, count in servers.proxy.counts.items()))
            print(f"{repeated} calls were told 503, and made again")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--steps", type=int, default=200, help="of an example")
    parser.add_argument("--logs", type=Path, default=Path("build/model"))
    parser.add_argument("--replay", type=Path)
    parser.add_argument("--controls", nargs="*", choices=WITHOUT, help="take one safeguard away after the other: each has to be found missing")
    parser.add_argument("--weed", type=lambda path: Path(path).resolve(), help="SeaweedFS")
    options = parser.parse_args()
    # Who ends the run ends its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    servers = Servers() if options.weed else None
    try:
        if servers:
            servers.start_all(options.weed, options.seed)
        return 1 if run(options, servers) else 0
    finally:
        if servers:
            servers.end()


def run(options, servers):
    """Whether anything is wrong."""
    if options.replay:
        return replay(options.programs, servers, options.replay)
    if options.controls is None:
        return play_for(options.minutes, options, servers)
    names = options.controls or list(WITHOUT)
    missed = [name for name in names if not play_for(options.minutes, options, servers, name, stops=True)]
    print(f"{len(names) - len(missed)} of {len(names)} missing safeguards are found; not found:", *missed or ["none"])
    return missed


sys.exit(main())
