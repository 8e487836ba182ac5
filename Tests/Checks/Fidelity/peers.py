#!/usr/bin/python3
"""Lists every file on which other tools agree with each other and compass differs from all of them.

Compass and the peers of its kind make each image, PDF and video of samples/ and of the corpus small. A file stands out where

- two or more peers show a picture, all of these are alike, and compass shows none or one that is unlike each of theirs, or
- compass shows a picture and no peer does.

Two pictures are alike if their shapes are alike and the mean colours of 8 × 8 cells differ by at most ALIKE. peers.tsv explains the
files that stand out: path, tab, reason. Ends with 1 where a file has no explanation, or an explanation no file.

With --pages it compares that many generated pages of groups, soft masks and blend modes with the peers instead.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from PIL import Image, ImageOps
from skimage.color import deltaE_ciede2000

import page_groups
from measure import cells, grounds
from reference import scaled
from tools import as_shown, picture_or_words

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EXPLANATIONS = HERE / "peers.tsv"
EDGE = 256
ALIKE, UNLIKE = 6.0, 9.0
"""CIEDE2000 between two cells: at most ALIKE in pictures that agree, more than UNLIKE in pictures that differ."""
SHAPES = 0.03
"""How far the logarithms of two aspect ratios may lie apart, beside a pixel of rounding on each side."""

PYTHON = "/usr/bin/python3"
SHOWN_SHAPE = f"scale=w=iw*sar:h=ih,scale=w={EDGE}:h={EDGE}:force_original_aspect_ratio=decrease,setsar=1"
PEERS = {
    "image": {
        "vipsthumbnail": ["vipsthumbnail", "{in}", "--size", f"{EDGE}x{EDGE}>", "-o", "{out}"],
        "Pillow": [PYTHON, "-W", "ignore", HERE / "peers.py", "--pillow", "{in}", "{out}"],
        "ImageMagick": ["convert", "{in}[0]", "-auto-orient", "-thumbnail", f"{EDGE}x{EDGE}>", "PNG:{out}"],
        "ffmpeg": ["ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf", SHOWN_SHAPE, "{out}"],
    },
    "pdf": {
        "pdftoppm": ["pdftoppm", "-png", "-singlefile", "-cropbox", "-scale-to", EDGE, "{in}", "{stem}"],
        "mutool": ["mutool", "draw", "-q", "-w", EDGE, "-h", EDGE, "-o", "{out}", "{in}", "1"],
        "PDFium": [PYTHON, HERE / "pdfium.py", "{in}", "{out}", EDGE],
    },
    "video": {
        "ffmpeg": ["ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf", SHOWN_SHAPE, "{out}"],
        "ffmpegthumbnailer": ["ffmpegthumbnailer", "-i", "{in}", "-o", "{out}", "-s", EDGE, "-t", "0"],
    },
}
"""By kind, each peer's command. Not pdftocairo: it uses the same engine as compass and would hide that engine's faults."""
SUFFIXES = {".pdf": "pdf", **dict.fromkeys(
    (".mp4", ".mov", ".m4v", ".3gp", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".m2ts", ".flv", ".wmv", ".asf", ".ogv"), "video")}


@dataclass
class Finding:
    path: str
    words: str
    """How compass differs from the peers, or `None`."""
    peers_agree: bool


def kind(path, facts):
    """The kind of the file by compass; for "other", the kind by its folder or name."""
    said = (facts or {}).get("kind")
    if said in PEERS:
        return said
    return "image" if "image" in path.parts or "Pillow" in path.name else SUFFIXES.get(path.suffix.lower())


def ours(compass, path, scratch):
    """Compass's picture, or its words where it makes none, and the facts."""
    output = scratch / "compass.png"
    words = [compass, "thumb", "--force", "--no-icon", "--size", EDGE, "--fit", "inside", "--format", "png", "--at", "0",
             "--cache", scratch / "cache", "--json", path, "-o", output]
    done = subprocess.run([str(word) for word in words], capture_output=True, timeout=120)
    said = json.loads(done.stdout.splitlines()[0]) if done.stdout.strip() else {}
    if not output.exists():
        failure = said.get("failure") or {}
        return f"{failure.get('code')}: {failure.get('detail', '')}"[:120], said.get("facts")
    with Image.open(output) as image:
        return pixels(image), said.get("facts")


def pixels(image):
    import numpy
    return numpy.array(as_shown(image).convert("RGBA"))


def theirs(words, path, scratch, name):
    output = scratch / f"{name}.png"
    values = {"in": path, "out": output, "stem": output.with_suffix("")}
    try:
        return picture_or_words([str(word).format(**values) for word in words], output)
    except (OSError, SyntaxError, ValueError) as error:
        return f"{name} wrote a picture that Pillow cannot read: {error}"


def distance(one, other):
    """The largest difference between two cells, of the ground (white or black) on which the pictures are closer: tools put
    transparency on either. Infinite between different shapes."""
    import math
    (height, width), (other_height, other_width) = one.shape[:2], other.shape[:2]
    rounding = 1 / min(height, width) + 1 / min(other_height, other_width)
    if abs(math.log(width / height * other_height / other_width)) > SHAPES + rounding:
        return math.inf
    same = scaled(other, width, height)
    grid = (min(8, width), min(8, height))
    return min(float(deltaE_ciede2000(cells(a, grid, 1), cells(b, grid, 1)).max())
               for a, b in itertools.product(grounds(one), grounds(same)))


def judged(compass, path, name):
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        scratch = pathlib.Path(folder)
        our_picture, facts = ours(compass, path, scratch)
        which = kind(path, facts)
        if which is None:
            return None
        answers = {peer: theirs(words, path, scratch, peer) for peer, words in PEERS[which].items()}
    pictures = {peer: answer for peer, answer in answers.items() if not isinstance(answer, str)}
    agree = len(pictures) >= 2 and spread(pictures) <= ALIKE
    found = difference(our_picture, pictures, agree)
    return Finding(name, f"{which}: {found}" if found else "", agree)


def difference(our_picture, pictures, agree):
    """How compass differs from the peers, or `None`."""
    if isinstance(our_picture, str):
        return f"no picture ({our_picture}); {', '.join(pictures)} agree on one" if agree else None
    if not pictures:
        return "a picture, and no peer shows one"
    if not agree:
        return None
    apart = {peer: distance(picture, our_picture) for peer, picture in pictures.items()}
    if min(apart.values()) <= UNLIKE:
        return None
    return "another picture: " + ", ".join(f"{peer} {figure:.0f} away" for peer, figure in apart.items())


def spread(pictures):
    return max((distance(one, other) for one, other in itertools.combinations(pictures.values(), 2)), default=0)


def by_pillow(source, output):
    """Pillow's own thumbnail, upright; a picture of 16 bits is scaled down to 8."""
    with Image.open(source) as image:
        image = as_shown(ImageOps.exif_transpose(image))
        if image.mode.startswith("I;16"):
            image = image.point(lambda value: value / 256).convert("L")
        image = image.convert("RGBA" if "A" in image.mode or "transparency" in image.info else "RGB")
        image.thumbnail((EDGE, EDGE))
        image.save(output)


def files(corpus):
    for root, shown in ((ROOT / "samples", "samples"), (corpus / "real", "real"), (corpus / "gen", "gen")):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.name not in ("make", "README.md"):
                yield path, f"{shown}/{path.relative_to(root)}"


def main(arguments):
    explained = dict(line.split("\t", 1) for line in EXPLANATIONS.read_text().splitlines() if line and not line.startswith("#"))
    with tempfile.TemporaryDirectory(prefix="peers-pages-") as folder:
        generated = page_groups.write(pathlib.Path(folder), arguments.seed, arguments.pages)
        chosen = [(path, name) for path, name in (generated if arguments.pages else files(arguments.corpus)) if arguments.only in name]
        return report(arguments, chosen, explained)


def report(arguments, chosen, explained):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [one for one in pool.map(lambda pair: judged(arguments.compass, *pair), chosen) if one]
    apart = [one for one in findings if one.words]
    unexplained = [one for one in apart if one.path not in explained]
    for one in apart:
        print(f"{'explained' if one.path in explained else 'UNEXPLAINED'}\t{one.path}\t{one.words}\t{explained.get(one.path, '')}".rstrip())
    stale = sorted(set(explained) - {one.path for one in apart}) if not arguments.only and not arguments.pages else []
    for path in stale:
        print(f"STALE\t{path}\tis explained, and does not stand out")
    print(f"{len(findings)} files, {sum(one.peers_agree for one in findings)} on which the peers agree, {len(apart)} that stand out, {len(apart) - len(unexplained)} explained, {len(stale)} stale explanations")
    return 1 if unexplained or stale or not findings else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pillow"]:
        by_pillow(*sys.argv[2:])
        sys.exit(0)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compass", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--pages", type=int, default=0, help="generate so many pages")
    parser.add_argument("--seed", type=int, default=1, help="from this seed")
    sys.exit(main(parser.parse_args()))
