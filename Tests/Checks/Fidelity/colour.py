"""Cases: colours by profiles, by inks, by code points."""

import io
import zlib

import numpy
from PIL import Image
from skimage.color import lab2xyz

from case import Case
from chart import PATCHES, by_pillow, chunk, made, png, run
from measure import patches
from profile import (ADOBE_RGB, DISPLAY_P3, PROPHOTO, SRGB, SWAPPED, cmyk_profile, encoded, gray_profile, in_space, ink_light, linear, matrix,
                     rgb_profile)
from reference import known

SPACES = {
    "Display P3": (DISPLAY_P3, 2.2), "Adobe RGB": (ADOBE_RGB, 2.19921875), "ProPhoto": (PROPHOTO, 1.8),
    "swapped channels": (SWAPPED, 2.2), "sRGB's primaries, gamma 1.0": (SRGB, 1.0),
}
LOSSY = {"quality": 98, "subsampling": 0}


def tagged(suffix, space, **options):
    primaries, gamma = SPACES[space]
    profile = rgb_profile(space, primaries, gamma)
    return by_pillow(f"{slug(space)}.{suffix}", in_space(PATCHES, primaries, gamma), icc_profile=profile, **options)


def slug(name):
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def deep_png(space):
    """16 bits a sample, the profile in iCCP."""
    primaries, gamma = SPACES[space]
    data = png(in_space(PATCHES, primaries, gamma, depth=16))
    profile = chunk(b"iCCP", b"profile\0\0" + zlib.compress(rgb_profile(space, primaries, gamma)))
    return made(f"{slug(space)}-16.png", lambda path: path.write_bytes(data[:33] + profile + data[33:]))


def heif(suffix, space, *options):
    """`heif-enc` takes the profile over from a PNG."""
    def write(path):
        source = tagged("png", space)(path.parent)
        run("heif-enc", "-q", 95, "-p", "chroma=444", *options, "-o", path, source)
    return made(f"{slug(space)}.{suffix}", write)


GRAYS = numpy.linspace(0, 255, 24).round().astype(numpy.uint8).reshape(4, 6).repeat(50, 0).repeat(50, 1)


def gray(suffix, gamma, with_alpha=False, **options):
    """The ramp in a gray space of another curve."""
    values = (255 * linear(GRAYS) ** (1 / gamma)).round().astype(numpy.uint8)
    image = Image.merge("LA", [Image.fromarray(values), Image.fromarray(numpy.full_like(values, 200))]) if with_alpha else Image.fromarray(values)
    return made(f"gray-{gamma}.{suffix}", lambda path: image.save(path, icc_profile=gray_profile("Gray", gamma), **options))


def gray_seen(alpha=None):
    rgb = numpy.dstack([GRAYS] * 3)
    return known(rgb if alpha is None else numpy.dstack([rgb, numpy.full(GRAYS.shape, alpha, numpy.uint8)]))


# 36 mixtures of inks at fifths, the profile's own steps.
INKS = (numpy.array([[(c, m, y, k) for c, m, y in ((0, 0, 0), (5, 0, 0), (0, 5, 0), (0, 0, 5), (3, 1, 0), (1, 2, 4))]
                     for k in range(6)]) / 5)
INK_PICTURE = (255 * INKS).round().astype(numpy.uint8).repeat(40, 0).repeat(40, 1)
INK_SEEN = encoded(ink_light(INKS)).repeat(40, 0).repeat(40, 1)
# ISO 12647-2:2004, table 5, paper types 1 and 2: CIE Lab (D50) of paper, of the three inks and of black, seen as offset prints.
SOLIDS = {(0, 0, 0, 0): (95, 0, -2), (1, 0, 0, 0): (54, -36, -49), (0, 1, 0, 0): (46, 72, -5), (0, 0, 1, 0): (88, -6, 90)}


def inks(suffix, intents=2, **options):
    """A CMYK picture. Pillow writes JPEGs with Adobe's marker, inks inverted, as Adobe's programs do."""
    profile = cmyk_profile("Ideal inks", intents)
    return made(f"inks.{suffix}", lambda path: Image.fromarray(INK_PICTURE, "CMYK").save(path, icc_profile=profile, **options))


def unmarked_inks():
    """A CMYK JPEG without Adobe's marker. Its inks are inverted all the same: Pillow, ImageMagick and Skia read it so."""
    def write(path):
        data = io.BytesIO()
        Image.fromarray(INK_PICTURE, "CMYK").save(data, "JPEG", icc_profile=cmyk_profile("Ideal inks"), **LOSSY)
        path.write_bytes(without_adobe(data.getvalue()))
    return made("inks-unmarked.jpg", write)


def without_adobe(jpeg):
    start = jpeg.index(b"\xff\xee\x00\x0eAdobe")
    return jpeg[:start] + jpeg[start + 16:]


def solid_inks(suffix, **options):
    picture = numpy.array([[list(inks) for inks in SOLIDS]], float).repeat(60, 0).repeat(60, 1)
    image = Image.fromarray((255 * picture).astype(numpy.uint8), "CMYK")
    return made(f"solids.{suffix}", lambda path: image.save(path, **options))


def solids_seen(path):
    """Relative to the paper's white, as screens show prints."""
    values = numpy.array([list(SOLIDS.values())], float)
    light = lab2xyz(values, illuminant="D50")
    light = light / light[:, :1] * lab2xyz(numpy.array([[[100.0, 0, 0]]]), illuminant="D50")
    return encoded(light @ numpy.linalg.inv(matrix(SRGB)).T).repeat(60, 0).repeat(60, 1)


SEEN = known(PATCHES)
LINEAR = "sRGB's primaries, gamma 1.0"


def flat(bound):
    """Compares the patches' middles."""
    return patches(bound, grid=(8, 6), core=0.5)


INK_PATCHES, GRAY_PATCHES, SOLID_PATCHES = (lambda bound, grid=grid: patches(bound, grid, core=0.5) for grid in ((6, 6), (6, 4), (4, 1)))
CASES = [Case(f"{space}, JPEG", tagged("jpg", space, **LOSSY), SEEN, flat(3)) for space in SPACES if space != LINEAR]
CASES += [Case("Display P3, progressive JPEG of 4:2:0", tagged("jpg", "Display P3", quality=95, progressive=True), SEEN, flat(3))]
CASES += [Case(f"{space}, PNG", tagged("png", space), SEEN, flat(2)) for space in ("Display P3", "Adobe RGB", "swapped channels")]
CASES += [Case(f"{space}, PNG of 16 bits", deep_png(space), SEEN, flat(1)) for space in SPACES]
CASES += [Case(f"{space}, WebP", tagged("webp", space, lossless=True), SEEN, flat(2)) for space in ("Display P3", "swapped channels")]
CASES += [Case(f"{space}, TIFF", tagged("tif", space), SEEN, flat(2)) for space in ("Adobe RGB", "swapped channels")]
CASES += [Case(f"{space}, HEIC", heif("heic", space), SEEN, flat(3)) for space in ("Display P3", "swapped channels")]
CASES += [Case(f"{space}, AVIF", heif("avif", space, "-A"), SEEN, flat(3)) for space in ("Display P3", "swapped channels")]
CASES += [
    Case("gray of gamma 1.0, JPEG", gray("jpg", 1.0, quality=98), gray_seen(), GRAY_PATCHES(3)),
    Case("gray of gamma 1.8, PNG", gray("png", 1.8), gray_seen(), GRAY_PATCHES(1)),
    Case("gray of gamma 1.8, TIFF", gray("tif", 1.8), gray_seen(), GRAY_PATCHES(1)),
    Case("gray of gamma 1.8 with alpha, PNG", gray("png", 1.8, with_alpha=True), gray_seen(200), GRAY_PATCHES(1)),
    Case("CMYK by its profile, JPEG by Adobe's rules", inks("jpg", **LOSSY), known(INK_SEEN), INK_PATCHES(3)),
    Case("CMYK by its profile, JPEG without Adobe's marker", unmarked_inks(), known(INK_SEEN), INK_PATCHES(3)),
    Case("CMYK by a profile with a perceptual table alone, TIFF", inks("tif", intents=1), known(INK_SEEN), INK_PATCHES(3)),
    Case("CMYK by its profile, TIFF of LZW", inks("tif", compression="tiff_lzw"), known(INK_SEEN), INK_PATCHES(3)),
    Case("CMYK without a profile, as offset prints it, JPEG", solid_inks("jpg", **LOSSY), solids_seen, SOLID_PATCHES(9)),
    Case("CMYK without a profile, as offset prints it, TIFF", solid_inks("tif"), solids_seen, SOLID_PATCHES(9)),
]
