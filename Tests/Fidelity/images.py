"""Cases of still pictures."""

from case import Case
from chart import CARD, by_pillow, made, run, stored
from measure import patches, similarity
from reference import known, pillow

from PIL import Image


def oriented(suffix, orientation, **options):
    """The card stored so that EXIF's orientation shows it upright."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return by_pillow(f"oriented-{orientation}.{suffix}", stored(CARD, orientation), exif=exif, **options)


CASES = [
    Case("EXIF orientation 6, WebP", oriented("webp", 6, lossless=True), known(CARD)),
    Case("animated GIF: its first frame", "samples/animated.gif", pillow),
    Case("a photograph of 24 megapixels", "corpus/real/image/test-assets__albums--text--craft-beer.jpg", pillow, similarity(0.95)),
]
