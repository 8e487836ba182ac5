"""The situations other than cold: cached, several renditions, many files, warm."""

import os
import shlex
import subprocess
import time
from dataclasses import dataclass

import measure
import tools
from cold import peak_memory
from environment import BOX, ROOT, SCRATCH
from inputs import ALL
from outcome import OURS, FLOOR, Outcome


@dataclass(frozen=True)
class Setting:
    title: str
    targets: tuple = ()
    reason: str = ""


def hit(bench, source, peer_starts, targets):
    """The same call again, beside the mere start of the peers and of a program that does nothing."""
    path = ALL[source].path
    bench.empty_cache()
    # The stat index does not trust the times of a file that was changed within the last seconds.
    time.sleep(max(0, os.stat(path).st_ctime + 3 - time.time()))
    measure.run(bench.thumb(path), bench.environment)
    commands = {OURS: bench.thumb(path), **peer_starts, FLOOR: ["true"]}
    outcome = Outcome(Setting("hit: a file that was shown before; beside it the mere start of peers", targets))
    times = {name: [] for name in commands}
    for _ in range(bench.rounds * 2):
        for name, words in commands.items():
            times[name].append(measure.run(words, bench.environment).milliseconds)
    outcome.times = times
    outcome.peaks = {name: peak_memory(words, bench.environment) for name, words in commands.items()}
    return outcome


def together(bench, source, targets):
    """`list`, `grid` and `preview` from one decode, beside `preview` alone."""
    path = ALL[source].path
    presets = [word for name in ("list", "grid", "preview") for word in ("--preset", name)]
    commands = {OURS: bench.thumb(*presets, path), FLOOR: bench.thumb("--preset", "preview", path)}
    outcome = Outcome(Setting(f"list, grid and preview of {source} together; the floor is preview alone", targets))
    times = {name: [] for name in commands}
    for number in range(-1, bench.rounds):
        for name, words in commands.items():
            bench.empty_cache()
            taken = measure.run(words, bench.environment).milliseconds
            if number >= 0:
                times[name].append(taken)
    outcome.times = times
    return outcome


FILES_A_CALL = 16
"""The number of files for one start of `vipsthumbnail`, which takes many files."""

BATCH_REASON = ("Over many files the start of a peer hardly counts, and both processors are busy for all tools. The remaining time is "
                "decoding and resampling (nearly nine tenths), and 7 ms of a processor for each file's fresh confined child, "
                "placeholder, JPEG and place in the cache.")
BATCH_PEERS = {".jpg": "vipsthumbnail", ".png": "vipsthumbnail", ".webp": "vipsthumbnail", ".tif": "vipsthumbnail",
               ".pdf": "pdftocairo", ".mp4": "ffmpegthumbnailer"}


def batch(bench, rounds, targets):
    """One call over a mixed folder, beside the peers' own tools, each on its files, as many at once as there are processors."""
    paths = mixture()
    outcome = Outcome(Setting(f"batch: {len(paths)} mixed files on {os.cpu_count()} processors", targets, reason=BATCH_REASON))
    outcome.times = bench.compare(batch_commands(bench, paths), rounds)
    return outcome


def batch_kinds(bench, rounds):
    """The same with the files of each kind alone: where the batch's time goes."""
    kinds = {}
    for path in mixture():
        kinds.setdefault(path.stem.rpartition("-")[0], []).append(path)
    outcomes = []
    for kind, paths in kinds.items():
        outcomes.append(Outcome(Setting(f"{len(paths)} of {kind}"), bench.compare(batch_commands(bench, paths), rounds)))
    return outcomes


def mixture():
    return sorted(ALL["mixture"].path.iterdir())


def batch_commands(bench, paths):
    script = SCRATCH / "batch"
    script.write_bytes(b"".join(line.encode() + b"\0" for line in peer_lines(paths, SCRATCH / "out")))
    return {OURS: bench.thumb("--size", BOX, "--format", "jpeg", *paths),
            "peers": ["xargs", "-0", "-a", script, "-n", "1", "-P", os.cpu_count(), "sh", "-c"]}


def peer_lines(paths, out):
    """The peers' commands, the slowest kinds first so that the last to end are short."""
    by_peer = {name: [path for path in paths if BATCH_PEERS[path.suffix] == name] for name in dict.fromkeys(BATCH_PEERS.values())}
    words = {tool.name: tool.words for tool in tools.PEERS}
    lines = [words[name](path, out / path.stem) for name in ("ffmpegthumbnailer", "pdftocairo") for path in by_peer[name]]
    pictures = by_peer["vipsthumbnail"]
    for start in range(0, len(pictures), FILES_A_CALL):
        lines.append(["vipsthumbnail", *pictures[start:start + FILES_A_CALL], "-s", f"{BOX}x{BOX}>", "-o", f"{out}/%s.jpg[Q=80]"])
    return ["exec " + shlex.join(str(word) for word in line) for line in lines]


def warm(programs):
    """The table of a warm job's cost above the same work in the calling process; `None` if that program is not built."""
    program = programs / "warm-cost"
    if not program.exists():
        return None
    rows = []
    for kind, sample in (("image", "orientation-1.jpg"), ("pdf", "pages-24.pdf"), ("video", "h264.mp4")):
        done = subprocess.run([program, "cost", kind, ROOT / "samples" / sample], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"warm-cost {kind}: {done.stderr}")
        rows.append(done.stdout.strip())
    return rows
