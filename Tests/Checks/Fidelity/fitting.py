"""Cases: how a picture is fitted to its box, and extreme shapes."""

import numpy

from case import Case
from chart import CARD, by_pillow, card
from measure import patches
from reference import known

WIDE, HIGH = card(900, 300), card(300, 900)
PANORAMA = card(30_000, 1_500)
ROW = numpy.linspace(0, 255, 3000).astype(numpy.uint8)[None, :, None].repeat(3, 2)


# The reference grows by Lanczos, ours by a cubic.
ENLARGED = patches(5)


def fits(name, picture, box, fit, measure=patches(3), **more):
    return Case(name, by_pillow("picture.png", picture), known(picture), measure, box=box, fit=fit, peers=False, **more)


CASES = [
    fits("cover cuts a wide image from the centre", WIDE, "120x120", "cover"),
    fits("cover cuts a high image from the centre", HIGH, "240x180", "cover"),
    fits("cover of odd sides is exact", WIDE, "101x57", "cover"),
    fits("cover of a picture smaller than its box", CARD, "1600x400", "cover"),
    fits("cover enlarges where that is asked for", card(60, 40), "240x180", "cover", options=("--enlarge",), measure=ENLARGED),
    fits("contain pads with white", WIDE, "200x150", "contain"),
    fits("contain pads with black", HIGH, "200x150", "contain", background="black"),
    fits("contain pads with a colour, JPEG out", HIGH, "201x151", "contain", background="2080c0", format="jpeg"),
    fits("contain does not enlarge", card(60, 40), "200x150", "contain"),
    fits("an open height", WIDE, "300x", "inside"),
    fits("an open width", HIGH, "x300", "inside"),
    fits("inside does not enlarge", card(60, 40), "256", "inside"),
    fits("inside enlarges where that is asked for", card(60, 40), "256", "inside", options=("--enlarge",), measure=ENLARGED),
    fits("one pixel", CARD[:1, :1], "256", "inside"),
    fits("one pixel high: rounding never makes 0", ROW, "100", "inside"),
    fits("one pixel wide: rounding never makes 0", ROW.swapaxes(0, 1), "100", "inside"),
    fits("one pixel high, cover", ROW, "100x100", "cover"),
    Case("a panorama of 30,000 × 1,500, JPEG", by_pillow("panorama.jpg", PANORAMA, quality=92), known(PANORAMA), patches(3)),
    Case("a panorama of 30,000 × 1,500, PNG, cut", by_pillow("panorama.png", PANORAMA, compress_level=1), known(PANORAMA), patches(3),
         box="640x360", fit="cover", peers=False),
    Case("a panorama of 1,500 × 30,000, JPEG", by_pillow("tower.jpg", PANORAMA.swapaxes(0, 1), quality=92),
         known(PANORAMA.swapaxes(0, 1)), patches(3)),
]
