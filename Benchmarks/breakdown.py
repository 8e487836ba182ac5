"""Where a cold call's time goes, as `compass thumb --explain` tells it."""

import json
import statistics
import subprocess
import time

from environment import BOX
from inputs import ALL

ROUNDS = 9


def measured(bench, case):
    """Milliseconds by part, medians; the parts of a median run need not add up to the median of the whole."""
    words = bench.thumb("--size", BOX, "--format", "jpeg", "--explain", "--json", ALL[case.input].path)
    runs = [parts_of_one(bench, [str(word) for word in words]) for _ in range(ROUNDS)]
    names = dict.fromkeys(name for run in runs for name in run)
    return {name: statistics.median(run.get(name, 0) for run in runs) for name in names}


def parts_of_one(bench, words):
    bench.empty_cache()
    start = time.perf_counter()
    done = subprocess.run(words, env=bench.environment, capture_output=True, text=True, check=True)
    whole = (time.perf_counter() - start) * 1000
    told = json.loads(done.stdout.splitlines()[0])
    steps = {}
    for attempt in told["explanation"]["attempts"]:
        for name, milliseconds in attempt["steps"].items():
            steps[name] = steps.get(name, 0) + milliseconds
    rendering = told["timings"]["render"]
    return {"whole": whole, "compass": whole - rendering, "process": rendering - sum(steps.values()), **steps}
