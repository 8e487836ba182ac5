#!/usr/bin/python3
"""Compares with one peer a kind on small inputs, and fails where a ratio is a third worse than in Benchmarks/recorded.json.

It compares ratios, not times, so that the machine does not matter. A case that fails is measured once more, longer; only a
second failure counts.
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import cases  # noqa: E402
import environment  # noqa: E402
import inputs  # noqa: E402
import measure  # noqa: E402
import settings  # noqa: E402
from cold import Bench, Unable  # noqa: E402

RECORDED = environment.HERE / "recorded.json"
ALLOWED = 4 / 3
"""The factor by which a ratio may be worse."""

HIT = "hit"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compass", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", action="store_true", help="write recorded.json instead")
    arguments = parser.parse_args()
    environment.prepare_venv()
    inputs.prepare([case.input for case in cases.SHORT_CASES])
    measure.adopt_orphans()
    bench = Bench(arguments.compass.resolve(), arguments.rounds)
    titles = [case.title for case in cases.SHORT_CASES] + [HIT]
    if arguments.record:
        found = {title: round(ratio(bench, title), 2) for title in titles}
        RECORDED.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
        print(RECORDED.read_text(), end="")
        return
    recorded = json.loads(RECORDED.read_text())
    if set(recorded) != set(titles):
        sys.exit("Benchmarks/recorded.json has other cases: make bench-record")
    worse = [title for title in titles if not holds(bench, title, recorded[title])]
    if worse:
        print("A third slower than recorded, twice: " + ", ".join(worse), file=sys.stderr)
    sys.exit(1 if worse else 0)


def holds(bench, title, recorded):
    """Whether a case is about as fast as recorded, at the second try at the latest."""
    for rounds in (bench.rounds, bench.rounds * 2):
        found = ratio(bench, title, rounds)
        is_sound = found * ALLOWED >= recorded
        print(f"{title}: {found:.2f}× faster than its peer, recorded {recorded:.2f}×{'' if is_sound else ' – A THIRD WORSE'}", flush=True)
        if is_sound:
            return True
    return False


def ratio(bench, title, rounds=None):
    bench.rounds, before = rounds or bench.rounds, bench.rounds
    try:
        if title == HIT:
            return settings.hit(bench, "photo-2.jpg", {"start": ["vipsthumbnail", "--vips-version"]}, ()).ratio("start")
        case = next(case for case in cases.SHORT_CASES if case.title == title)
        peer = cases.SHORT_PEERS[case.kind]
        return bench.run(case, [peer]).ratio(peer)
    finally:
        bench.rounds = before


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except Unable as error:
        sys.exit(str(error))
