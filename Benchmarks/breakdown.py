"""Where a cold call's time goes, as `compass thumb --explain` tells it."""

import json
import statistics

import measure
from environment import BOX
from inputs import ALL

ROUNDS = 9


def measured(bench, case):
    """Milliseconds by part, medians; the parts of a median run need not add up to the median of the whole."""
    words = bench.thumb("--size", BOX, "--format", "jpeg", "--explain", "--json", ALL[case.input].path)
    runs = [parts_of_one(bench, words) for _ in range(ROUNDS)]
    names = dict.fromkeys(name for run in runs for name in run)
    return {name: statistics.median(run.get(name, 0) for run in runs) for name in names}


def parts_of_one(bench, words):
    bench.empty_cache()
    output = bench.out / "explanation.json"
    whole = measure.run(words, bench.environment, output).milliseconds
    told = json.loads(output.read_text())
    steps = {}
    for attempt in told["explanation"]["attempts"]:
        for name, milliseconds in attempt["steps"].items():
            steps[name] = steps.get(name, 0) + milliseconds
    rendering = told["timings"]["render"]
    return {"whole": whole, "compass": whole - rendering, "process": rendering - sum(steps.values()), **steps}
