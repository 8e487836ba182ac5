"""The files to open: each made once, from a seed, and kept in build/bench-inputs."""

import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable

from environment import HERE, INPUTS, PYTHON

GENERATION = "1"
"""Raise it when a recipe changes: inputs of other generations are removed."""


@dataclass(frozen=True)
class Input:
    name: str
    maker: str
    """The module that makes it, run by the virtual environment's interpreter: `python MAKER.py RECIPE TARGET ARGUMENTS…`."""
    recipe: str
    arguments: tuple = ()
    needs: tuple = ()
    """Names of inputs that it is made from; their paths follow the arguments."""

    @property
    def path(self):
        return INPUTS / GENERATION / self.name


def photograph(name, recipe, megapixels, *needs):
    return Input(name, "photographs", recipe, SIZES[megapixels], needs)


SIZES = {2: (1920, 1280), 20: (5472, 3648), 108: (12000, 9000)}


def catalogue(entries):
    return {entry.name: entry for entry in entries}


FULL = catalogue([
    photograph("photo-20.v", "picture", 20),
    photograph("photo-108.jpg", "jpeg-direct", 108),
    photograph("photo-20.jpg", "jpeg", 20, "photo-20.v"),
    photograph("photo-20-progressive.jpg", "progressive", 20, "photo-20.jpg"),
    photograph("photo-108-progressive.jpg", "progressive", 108, "photo-108.jpg"),
    photograph("photo-20.png", "png", 20, "photo-20.v"),
    photograph("photo-20-alpha.png", "png-alpha", 20, "photo-20.v"),
    photograph("photo-20-16bit.png", "png-16bit", 20, "photo-20.v"),
    photograph("photo-20-profile.png", "png-profile", 20, "photo-20.v"),
    photograph("drawing-20-palette.png", "png-palette", 20, "photo-20.v"),
    photograph("photo-20.webp", "webp", 20, "photo-20.v"),
    photograph("photo-20.heic", "heic", 20, "photo-20.jpg"),
    photograph("photo-20.avif", "avif", 20, "photo-20.v"),
    photograph("photo-20.tif", "tiff", 20, "photo-20.v"),
    photograph("zone-plate-20.jpg", "zone-plate", 20),
    Input("text-1.pdf", "documents", "text", (1,)),
    Input("text-500.pdf", "documents", "text", (500,)),
    Input("text-5000.pdf", "documents", "text", (5000,)),
    Input("scan-300dpi-500.pdf", "documents", "scan", (300, 500)),
    Input("scan-600dpi.pdf", "documents", "scan", (600, 1)),
    Input("jpeg2000.pdf", "documents", "jpeg2000", (), ("photo-20.v",)),
    Input("cmyk.pdf", "documents", "cmyk", (), ("photo-20.v",)),
    Input("map.pdf", "documents", "map", (7_700_000,)),
    Input("h264-1080p.mp4", "films", "h264", (1920, 1080, 5, "16M")),
    Input("h264-4k.mp4", "films", "h264", (3840, 2160, 2, "50M")),
    Input("hevc-4k-hdr.mp4", "films", "hevc-hdr", (3840, 2160, 1, "40M")),
    Input("vp9-1080p.webm", "films", "vp9", (1920, 1080, 2, "10M")),
    Input("av1-1080p.mp4", "films", "av1", (1920, 1080, 2, "8M")),
    Input("h264-index-at-end.mp4", "films", "index-at-end", (1_100_000_000,), ("h264-1080p.mp4",)),
    Input("mixture", "mixture", "folder", (500,), ("photo-20.v", "h264-1080p.mp4")),
])

SHORT = catalogue([
    photograph("photo-2.v", "picture", 2),
    photograph("photo-2.jpg", "jpeg", 2, "photo-2.v"),
    photograph("photo-2-progressive.jpg", "progressive", 2, "photo-2.jpg"),
    photograph("photo-2.png", "png", 2, "photo-2.v"),
    photograph("photo-2-alpha.png", "png-alpha", 2, "photo-2.v"),
    photograph("photo-2.webp", "webp", 2, "photo-2.v"),
    Input("map-1.pdf", "documents", "map", (1_000_000,)),
    Input("scan-150dpi.pdf", "documents", "scan", (150, 2)),
    Input("h264-720p.mp4", "films", "h264", (1280, 720, 1, "6M")),
])

ALL = FULL | SHORT


def prepare(names):
    """Makes the missing inputs among these names, and the inputs that they need."""
    remove_other_generations()
    for name in names:
        make(ALL[name])


def make(entry):
    """Makes one input under a temporary name first, so that an interrupted run leaves no input that looks whole."""
    if entry.path.exists():
        return
    for name in entry.needs:
        make(ALL[name])
    print(f"Making {entry.name} …", flush=True)
    entry.path.parent.mkdir(parents=True, exist_ok=True)
    partial = entry.path.with_name(f"partial-{entry.path.name}")
    remove(partial)
    words = [PYTHON, "-B", HERE / f"{entry.maker}.py", entry.recipe, partial, *entry.arguments,
             *(ALL[name].path for name in entry.needs)]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0 or not partial.exists():
        remove(partial)
        sys.exit(f"{entry.name} could not be made:\n{done.stderr}")
    partial.rename(entry.path)


def remove_other_generations():
    if not INPUTS.is_dir():
        return
    for folder in INPUTS.iterdir():
        if folder.name != GENERATION:
            remove(folder)


def remove(path: pathlib.Path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main(recipes: dict[str, Callable]):
    """The main function of a maker: it takes a recipe, its target, and its arguments."""
    recipe, target, *arguments = sys.argv[1:]
    recipes[recipe](target, *arguments)
    if not os.path.exists(target):
        sys.exit(f"{recipe} made nothing")
