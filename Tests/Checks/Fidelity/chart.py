"""Inputs known by construction: the samples' card, patches and ramps, and files that hold them."""

import pathlib
import subprocess
import sys

import numpy
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "samples"))
from generator.picture import card, chunk, palette_png, png, stored, with_alpha  # noqa: E402

CARD = card(480, 320)


def made(name, write):
    """A maker of the file `name`: `write` gets its path."""
    def make(folder):
        path = folder / name
        write(path)
        return path
    return make


def run(*command):
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stdout.decode(errors='replace').strip()}")


def by_pillow(name, pixels, mode=None, **options):
    """The file that Pillow writes of an array."""
    return made(name, lambda path: Image.fromarray(pixels, mode).save(path, **options))


def patch_chart():
    """48 patches of 40 × 40 pixels: hues at three strengths, a gray ramp, skin, sky and leaf."""
    steps = (0, 128, 255)
    colours = [(r, g, b) for r in steps for g in steps for b in steps]
    colours += [(v, v, v) for v in range(8, 255, 19)][:13]
    colours += [(194, 150, 130), (115, 82, 68), (98, 122, 157), (87, 108, 67), (214, 126, 44), (80, 91, 166), (231, 199, 31), (8, 133, 161)]
    chart = numpy.array(colours, numpy.uint8).reshape(6, 8, 3)
    return chart.repeat(40, axis=0).repeat(40, axis=1)


PATCHES = patch_chart()
