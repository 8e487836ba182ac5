#!/usr/bin/python3
"""Times compass side by side with other tools, as whole processes, and writes Benchmarks/results.md and chart.svg and .png.

With --only, runs the cases whose title holds the text, and writes nothing. Inputs are made once, in build/bench-inputs.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import breakdown  # noqa: E402
import cases  # noqa: E402
import chart  # noqa: E402
import environment  # noqa: E402
import inputs  # noqa: E402
import measure  # noqa: E402
import report  # noqa: E402
import settings  # noqa: E402
from cold import Bench, Unable  # noqa: E402

SETTINGS = {
    "hit": lambda bench: settings.hit(
        bench, "photo-20.jpg",
        {"vipsthumbnail": ["vipsthumbnail", "--vips-version"], "ffmpegthumbnailer": ["ffmpegthumbnailer", "-v"],
         "pdftocairo": ["pdftocairo", "-v"]}, (cases.within(5),)),
    "list, grid and preview together": lambda bench: settings.together(bench, "photo-20.jpg", (cases.above_floor(1.15),)),
}

QUALITY_INPUTS = ["photo-20.jpg", "photo-20-progressive.jpg", "photo-108.jpg", "photo-108-progressive.jpg", "photo-20.png",
                  "photo-20-alpha.png", "photo-20.webp", "zone-plate-20.jpg"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compass", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", default="", help="run the cases and settings whose title holds this text")
    arguments = parser.parse_args()
    environment.prepare_venv()
    bench = Bench(arguments.compass.resolve(), arguments.rounds)
    chosen = [case for case in cases.CASES if arguments.only.lower() in case.title.lower()]

    def is_wanted(title):
        return arguments.only.lower() in title.lower()

    names = [case.input for case in chosen]
    names += ["photo-20.jpg"] if any(map(is_wanted, SETTINGS)) else []
    names += ["mixture"] if is_wanted("batch") else []
    names += QUALITY_INPUTS if is_wanted("quality") else []
    inputs.prepare(names)
    measure.adopt_orphans()
    outcomes = [shown(bench.run(case)) for case in chosen]
    others = [shown_setting(make(bench)) for title, make in SETTINGS.items() if is_wanted(title)]
    batch, kinds = None, []
    if is_wanted("batch"):
        rounds = max(1, arguments.rounds // 3)
        batch = shown_setting(settings.batch(bench, rounds, (cases.faster(3, "peers"),)))
        kinds = [shown_setting(outcome) for outcome in settings.batch_kinds(bench, rounds)]
    warm = settings.warm(bench.compass.parent) if is_wanted("warm") else None
    quality = judged_quality(bench.compass) if is_wanted("quality") else None
    if arguments.only:
        print("\n".join(warm or []) + (report.quality_table(quality) if quality else ""))
        return
    profiles = {outcome.case.title: breakdown.measured(bench, outcome.case) for outcome in outcomes if report.is_lost(outcome)}
    text = report.results(outcomes, profiles, others, batch, kinds, warm, quality, arguments.rounds, bench.compass)
    (environment.HERE / "results.md").write_text(text)
    chart.write(outcomes, environment.HERE / "chart")
    print("Wrote Benchmarks/results.md, chart.svg and chart.png.")


def judged_quality(compass):
    words = [environment.PYTHON, environment.HERE / "quality.py", compass, *(inputs.ALL[name].path for name in QUALITY_INPUTS)]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"The quality could not be judged:\n{done.stderr}")
    return json.loads(done.stdout)


def shown(outcome):
    best = outcome.best_peer
    print(f"{outcome.case.title}: {report.timing(outcome, 'compass')}, {report.megabytes(outcome.peak('compass'))}; "
          + "; ".join(f"{name} {report.milliseconds(outcome.median(name))} ms {report.megabytes(outcome.peak(name))}"
                      for name in outcome.peers)
          + f"; {report.times(outcome.ratio(best)) if best else '–'}× the best, floor × {report.times(outcome.ours_over_floor)}; "
          + report.wanted(outcome), flush=True)
    return outcome


def shown_setting(outcome):
    print(report.setting(outcome), flush=True)
    return outcome


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except Unable as error:
        sys.exit(str(error))
