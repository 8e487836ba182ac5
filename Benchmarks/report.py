"""Writes Benchmarks/results.md: every case with every tool, including the cases that we lose."""

import os
import platform
import subprocess

import tools
from environment import BOX, QUALITY
from inputs import ALL
from outcome import FLOOR, OURS


def results(outcomes, profiles, settings, batch, kinds, warm, quality, rounds, compass):
    parts = [INTRODUCTION.format(rounds=rounds, box=BOX, quality=QUALITY, machine=machine()),
             "![How many times faster than the best peer](chart.svg)\n", "## Cold: one process, one file, an empty cache\n",
             summary(outcomes), reasons(outcomes), memory_reason(outcomes), profile_table(profiles), "## Other settings\n"]
    parts += [setting(outcome) for outcome in [*settings, *([batch] if batch else [])]]
    if kinds:
        parts += [KINDS, kinds_table(kinds)]
    if warm:
        parts += [WARM, "\n".join(["| class | in a fresh confined child | in this process | difference |", "|---|---|---|---|", *warm]) + "\n"]
    if quality:
        parts += [QUALITY_TEXT, quality_table(quality), bytes_reason(quality)]
    parts += ["## Every tool\n", *[details(outcome) for outcome in outcomes], "## Versions\n", versions(compass)]
    return "\n".join(parts)


INTRODUCTION = """# Measured side by side

`make bench` writes this file. It measures whole processes, started in turn ({rounds} rounds after one warm-up run). The
table has every tool that can read the input, with the options that serve it best. Each makes a picture that fits into {box} × {box}
pixels, as JPEG of quality {quality}. `compass` runs as it is installed: sandboxed, identifying, hashing, with the placeholder, storing in
its cache.

- The file cache is warm for all tools.
- A time ends when the program ends. The next program starts when all descendants of the last one have ended.
- Times are medians, with the quartiles beside them.
- A ratio is the median of the rounds' ratios, so that a machine whose speed drifts is fair to both sides.
- Memory is the peak of a program with all its descendants, sampled every half millisecond. Memory shared by a fork counts once. For several
  processes, the memory of the largest one stands beside it. Values below 9 MB, the size of the measuring interpreter, cannot be seen.

Machine: {machine}.
"""

PROFILE = """### Where the time goes

The cases above, in milliseconds: medians of calls with `--explain`, run alone after the rounds. *compass* is the host's time before and after
the renderer (the command, the key, the JPEG, the cache). *process* is the start of the renderer, its namespaces and the return of the
pixels. The other columns are the child's steps by its own clock.
"""

BYTES = """More bytes than vipsthumbnail's at the same similarity: {named}. Our pixels are a little farther from the full decode, because they are
computed from fewer of the file's coefficients. Huffman tables optimised for each picture would save 2 % of the bytes and cost 3 ms a call.
"""

KINDS = """### batch, kind by kind

The same files; each kind in a call of its own.
"""

MEMORY = ("- **Memory above twice the best peer's** – {cases}. Half of the memory for a page of text are clean pages of our two program "
          "files, which contain Swift's library. The kernel maps 16 pages around each page that is touched, and shares them among all processes. "
          "The renderer's own data are 3 MB, as pdftocairo's are. The rest are Poppler's libraries and, for scans, the decoded picture.\n")

WARM = """### Warm, above the floor

The cost of a job in a fresh, confined child of a running renderer, beside the same work in the calling process (medians of 200, in turns).
"""

QUALITY_TEXT = """## Quality

The structural similarity (SSIM) to a full decode that is resampled once by Lanczos' kernel: of the pixels alone (PNG), and of the JPEG of
quality 80. The last column is the size of vipsthumbnail's JPEG at the similarity of our JPEG.
"""


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "an unnamed processor")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{os.cpu_count()} processors ({model}), {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def summary(outcomes):
    lines = ["| case | compass | best peer | × faster | × the floor | memory, best peer's | wanted |", "|---|---|---|---|---|---|---|"]
    for outcome in outcomes:
        best = outcome.best_peer
        lines.append(row(
            outcome.case.title, timing(outcome, OURS), f"{best} {timing(outcome, best)}" if best else "–",
            times(outcome.ratio(best)) if best else "–", times(outcome.ours_over_floor),
            f"{memory(outcome, OURS)}; {memory(outcome, best)}", wanted(outcome)))
    return "\n".join(lines) + "\n"


def wanted(outcome):
    """The targets, each with its result."""
    words = []
    for target in outcome.case.targets:
        figure, holds = target.figure(outcome), target.holds(outcome)
        if figure is None:
            words.append(f"{target.text}: not measured")
        else:
            decimals = 0 if target.unit == " MB" else 2
            words.append(f"{target.text}: {figure:.{decimals}f}{target.unit} {'✓' if holds else '✗'}")
    return "; ".join(words) or "–"


def missed(outcome):
    return [target.text for target in outcome.case.targets if target.holds(outcome) is False]


def is_lost(outcome):
    """Whether a target is missed or a peer is faster."""
    best = outcome.best_peer
    return bool(missed(outcome)) or best is not None and outcome.ratio(best) < 1


def reasons(outcomes):
    lines = []
    for outcome in filter(is_lost, outcomes):
        what = f"missed: {', '.join(missed(outcome))}" if missed(outcome) else f"{outcome.best_peer} is faster"
        lines.append(f"- **{outcome.case.title}** – {what}. {outcome.case.reason}".rstrip())
    return "\n".join(lines) + "\n" if lines else ""


def memory_reason(outcomes):
    heavy = [outcome for outcome in outcomes if outcome.best_peer and outcome.peak(OURS) > 2 * outcome.peak(outcome.best_peer)]
    return MEMORY.format(cases=", ".join(outcome.case.title for outcome in heavy)) if heavy else ""


def kinds_table(kinds):
    lines = ["| kind | compass | peers | × faster |", "|---|---|---|---|"]
    lines += [row(outcome.case.title, timing(outcome, OURS), timing(outcome, "peers"), times(outcome.ratio("peers"))) for outcome in kinds]
    return "\n".join(lines) + "\n"


def profile_table(profiles):
    if not profiles:
        return ""
    names = list(dict.fromkeys(name for parts in profiles.values() for name in parts))
    lines = [PROFILE, row("case", *names), "|" + "---|" * (len(names) + 1)]
    for title, parts in profiles.items():
        lines.append(row(title, *(f"{parts[name]:.1f}" if name in parts else "–" for name in names)))
    return "\n".join(lines) + "\n"


def setting(outcome):
    lines = [f"### {outcome.case.title}\n", "| | time | × ours | memory |", "|---|---|---|---|"]
    for name in outcome.times:
        lines.append(row(name, timing(outcome, name), times(outcome.ratio(name)) if name != OURS else "", memory(outcome, name)))
    if outcome.case.targets:
        lines.append(f"\nWanted: {wanted(outcome)}. {outcome.case.reason}".rstrip())
    return "\n".join(lines) + "\n"


def details(outcome):
    path = ALL[outcome.case.input].path
    lines = [f"### {outcome.case.title} ({path.stat().st_size / 1e6:,.1f} MB)\n", "| tool | time | × ours | × the floor | memory |",
             "|---|---|---|---|---|"]
    for name in [OURS, *outcome.peers, FLOOR]:
        label = f"*floor: {outcome.case.floor.name}*" if name == FLOOR else f"**{name}**" if name == OURS else name
        lines.append(row(label, timing(outcome, name), times(outcome.ratio(name)),
                         f"{outcome.median(name) / outcome.median(FLOOR):.2f}", memory(outcome, name)))
    notes = [f"Cannot read it: {', '.join(outcome.unable)}."] if outcome.unable else []
    if outcome.bytes_read:
        notes.append("Read of the file, with what the kernel read ahead: "
                     + ", ".join(f"{name} {count / 1e6:.1f} MB" for name, count in outcome.bytes_read.items()) + ".")
    return "\n".join(lines) + "\n" + ("\n" + " ".join(notes) + "\n" if notes else "")


def quality_table(quality):
    lines = ["| input | pixels | vipsthumbnail's | JPEG | bytes | vipsthumbnail's JPEG | bytes | its bytes at our similarity |",
             "|---|---|---|---|---|---|---|---|"]
    for source, found in quality.items():
        equal = found["peerBytesAtOurs"]
        lines.append(row(source.rpartition("/")[2], *(f"{found[name]:.4f}" for name in ("pixels", "peerPixels", "rendition")),
                         f"{found['bytes']:,}", f"{found['peerRendition']:.4f}", f"{found['peerBytes']:,}",
                         f"{equal:,.0f}" if equal else "not reached"))
    return "\n".join(lines) + "\n"


def bytes_reason(quality):
    """Which JPEGs take more bytes than the peer's of the same similarity."""
    more = {source.rpartition("/")[2]: found["bytes"] / found["peerBytesAtOurs"] - 1
            for source, found in quality.items() if found["peerBytesAtOurs"]}
    named = ", ".join(f"{name} {100 * part:.1f} %" for name, part in more.items() if part > 0.001)
    return BYTES.format(named=named) if named else ""


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def timing(outcome, name):
    low, high = outcome.spread(name)
    return f"{milliseconds(outcome.median(name))} ms ({milliseconds(low)}–{milliseconds(high)})"


def milliseconds(value):
    return f"{value:.1f}" if value < 20 else f"{value:,.0f}"


def times(ratio):
    return "–" if ratio is None else f"{ratio:.2f}"


def memory(outcome, name):
    """Memory of all processes, and of the largest if that differs."""
    together, largest = megabytes(outcome.peak(name)), megabytes(outcome.largest_process(name))
    return together if together == largest else f"{together} (largest {largest})"


def megabytes(count):
    return f"{count / 1e6:,.0f} MB" if count else "–"


def versions(compass):
    lines = [first_line((compass, "--version"), whole=True)]
    lines += [first_line(tool.version) for tool in tools.PEERS if tool.version]
    return "```\n" + "\n".join(lines) + "\n```\n"


def first_line(words, whole=False):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    text = (done.stdout.strip() or done.stderr.strip())
    return text if whole else text.splitlines()[0].split(" Copyright")[0]
