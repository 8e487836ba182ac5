"""The chart: how many times faster than the best peer, a bar a case."""

import math
import subprocess
from xml.sax.saxutils import escape

from report import milliseconds

WIDTH, LEFT, RIGHT, TOP, ROW = 980, 250, 260, 86, 24
INK, MUTED, GRID, FASTER, SLOWER, GROUND = "#1f2933", "#66727f", "#e3e8ee", "#2f7d5b", "#c2573a", "#ffffff"
FONT = "font-family=\"Liberation Sans, DejaVu Sans, sans-serif\""


def write(outcomes, path):
    """Writes `path`.svg and `path`.png."""
    shown = [outcome for outcome in outcomes if outcome.best_peer]
    if not shown:
        return
    svg = path.with_suffix(".svg")
    svg.write_text(drawing(shown))
    subprocess.run(["rsvg-convert", "--zoom", "1.5", "-o", path.with_suffix(".png"), svg], check=True)


def drawing(outcomes):
    ratios = [outcome.ratio(outcome.best_peer) for outcome in outcomes]
    # Doublings: a bar half as fast is as long as one twice as fast.
    low = min(-1, math.floor(math.log2(min(ratios))))
    high = max(1, math.ceil(math.log2(max(ratios))))
    unit = (WIDTH - LEFT - RIGHT) / (high - low)
    height = TOP + ROW * len(outcomes) + 24

    def place(exponent):
        return LEFT + (exponent - low) * unit

    marks = [text(20, 32, "Times faster than the best peer", 18, INK, weight="bold"),
             text(20, 52, "One process, one file, an empty cache; medians. Left of the line: slower.", 12, MUTED)]
    for exponent in range(low, high + 1):
        label = f"{2 ** exponent}×" if exponent >= 0 else f"1/{2 ** -exponent}×"
        marks.append(f'<path d="M{place(exponent):.1f} {TOP - 6}V{height - 20}" stroke="{INK if exponent == 0 else GRID}"/>')
        marks.append(text(place(exponent), TOP - 12, label, 11, MUTED, anchor="middle"))
    for index, (outcome, ratio) in enumerate(zip(outcomes, ratios)):
        marks += bar(outcome, ratio, TOP + index * ROW, place)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">'
            f'<rect width="100%" height="100%" fill="{GROUND}"/>' + "\n".join(marks) + "</svg>\n")


def bar(outcome, ratio, y, place):
    start, end = sorted((place(0), place(math.log2(ratio))))
    best = outcome.best_peer
    figures = f"{milliseconds(outcome.median('compass'))} ms, {best} {milliseconds(outcome.median(best))} ms"
    return [text(LEFT - 12, y + 15, outcome.case.title, 12, INK, anchor="end"),
            f'<rect x="{start:.1f}" y="{y + 3}" width="{max(end - start, 1):.1f}" height="{ROW - 7}" rx="2" '
            f'fill="{FASTER if ratio >= 1 else SLOWER}"/>',
            text(max(end, place(0)) + 6, y + 15, f"{ratio:.1f}×" if ratio >= 1 else f"{ratio:.2f}×", 12, INK, weight="bold"),
            text(WIDTH - RIGHT + 46, y + 15, figures, 11, MUTED)]


def text(x, y, words, size, fill, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y}" {FONT} font-size="{size}" font-weight="{weight}" fill="{fill}" '
            f'text-anchor="{anchor}">{escape(words)}</text>')
