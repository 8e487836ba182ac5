"""Screens compared with their approved pictures, within a tolerance.

A picture is cut into tiles of 16 × 16 pixels. A tile differs where the mean difference of its channels is above 10 of 255;
two such tiles are a difference. Rounding of colours and of letters' edges stays below; a shift of 4 pixels, a wrong colour
and a lost badge do not (approved_tests.py shows it).
"""

import io
from pathlib import Path

from PIL import Image, ImageChops

APPROVED = Path(__file__).resolve().parent / "approved"
WIDTHS = {360: 740, 768: 1024, 1280: 800}
TILE, TOLERANCE, TILES = 16, 10, 2
is_approving = False
folder_of_failures = None


def take(page):
    """The window as it is, but for the line on top that shows while a list is asked for again: a slow machine does so at any time."""
    page.evaluate("document.querySelectorAll('.activity').forEach((line) => line.style.setProperty('visibility', 'hidden'))")
    return Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")


def differing_tiles(one, other):
    """How many tiles differ; all of them where the sizes do."""
    across, down = -(-one.width // TILE), -(-one.height // TILE)
    if one.size != other.size:
        return across * down
    difference = ImageChops.difference(one, other)
    # Each pixel of the reduced picture is the mean of a tile.
    means = difference.reduce(TILE)
    return sum(max(pixel) > TOLERANCE for pixel in means.getdata())


def compare(page, name):
    """Holds the window against the approved picture of a name; with --approve it becomes that."""
    seen, file = take(page), APPROVED / f"{name}.webp"
    if is_approving:
        APPROVED.mkdir(exist_ok=True)
        seen.save(file, lossless=True, method=6)
        return
    assert file.exists(), f"{name} has no approved picture: run with --approve, and look at it."
    count = differing_tiles(Image.open(file).convert("RGB"), seen)
    if count >= TILES and folder_of_failures:
        folder_of_failures.mkdir(parents=True, exist_ok=True)
        seen.save(folder_of_failures / f"{name}.png")
    assert count < TILES, f"{name} differs from its approved picture in {count} tiles."
