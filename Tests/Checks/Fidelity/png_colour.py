"""Cases: PNGs that state their colours without a profile, and which of several statements counts (W3C PNG, third
edition, 4.3)."""

import struct
import zlib

import numpy
from PIL import Image

from case import Case
from chart import CARD, PATCHES, chunk, made, png, run
from colour import GRAY_PATCHES, GRAYS, flat, gray_seen
from measure import patches
from profile import ADOBE_RGB, DISPLAY_P3, SRGB, SWAPPED, encoded, in_space, linear, matrix, rgb_profile
from reference import known


def gama(exponent):
    return chunk(b"gAMA", struct.pack(">I", round(100_000 / exponent)))


def chrm(primaries):
    red, green, blue, white = primaries
    return chunk(b"cHRM", struct.pack(">8I", *(round(100_000 * part) for point in (white, red, green, blue) for part in point)))


def iccp(primaries, exponent):
    return chunk(b"iCCP", b"profile\0\0" + zlib.compress(rgb_profile("named", primaries, exponent)))


def cicp(primaries, transfer):
    return chunk(b"cICP", bytes([primaries, transfer, 0, 1]))


SRGB_WORD = chunk(b"sRGB", b"\0")


def stating(name, pixels, *chunks, palette=None):
    """A PNG with chunks after its header."""
    data = png(pixels, palette)
    return made(f"{name}.png", lambda path: path.write_bytes(data[:33] + b"".join(chunks) + data[33:]))


def interlaced(name, pixels, *chunks):
    def write(path):
        source = path.with_name("source.png")
        Image.fromarray(pixels).save(source)
        run("convert", source, "-interlace", "PNG", "-strip", "-define", "png:exclude-chunks=all", path)
        data = path.read_bytes()
        path.write_bytes(data[:33] + b"".join(chunks) + data[33:])
    return made(f"{name}.png", write)


def powered(seen, exponent, depth=8):
    top = (1 << depth) - 1
    return (top * linear(seen) ** (1 / exponent)).round().astype(numpy.uint8 if depth == 8 else numpy.uint16)


def powered_palette():
    """The patches as indices into colours of the power 1.8."""
    colours, indices = numpy.unique(PATCHES.reshape(-1, 3), axis=0, return_inverse=True)
    return indices.reshape(PATCHES.shape[:2]).astype(numpy.uint8), powered(colours, 1.8).tobytes()


def in_p3_by_srgb_curve():
    return encoded(linear(PATCHES) @ (numpy.linalg.inv(matrix(DISPLAY_P3)) @ matrix(SRGB)).T)


def with_alpha(pixels, alpha=200):
    return numpy.dstack([pixels, numpy.full(pixels.shape[:2], alpha, numpy.uint8)])


def deep_with_alpha():
    pixels = in_space(PATCHES, ADOBE_RGB, 2.2, 16)
    return numpy.dstack([pixels, numpy.full(pixels.shape[:2], 200 * 257, numpy.uint16)])


def gray_alpha_png(path):
    pixels = Image.merge("LA", [Image.fromarray(powered(GRAYS, 1.8)), Image.fromarray(numpy.full_like(GRAYS, 200))])
    pixels.save(path)
    data = path.read_bytes()
    path.write_bytes(data[:33] + gama(1.8) + data[33:])


SEEN = known(PATCHES)
INDICES, PALETTE = powered_palette()
LINE = chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 10000, 10000, 20000, 20000, 30000, 30000))

CASES = [
    Case("linear light by gAMA, PNG", stating("gama", powered(CARD, 1.0, 16), gama(1.0)), known(CARD), patches(3)),
    Case("a power of 1.8 by gAMA, PNG", stating("power", powered(PATCHES, 1.8), gama(1.8)), SEEN, flat(1)),
    Case("a power of 1.8 by gAMA, PNG with alpha", stating("alpha", with_alpha(powered(PATCHES, 1.8)), gama(1.8)), known(with_alpha(PATCHES)), flat(1)),
    Case("a power of 1.8 by gAMA, interlaced PNG", interlaced("interlaced", powered(PATCHES, 1.8), gama(1.8)), SEEN, flat(1)),
    Case("a power of 1.8 by gAMA, PNG of a palette", stating("palette", INDICES, gama(1.8), palette=PALETTE), SEEN, flat(1)),
    Case("a power of 1.8 by gAMA, gray PNG", stating("gray", powered(GRAYS, 1.8), gama(1.8)), gray_seen(), GRAY_PATCHES(1)),
    Case("a power of 1.8 by gAMA, gray PNG with alpha", made("gray-alpha.png", gray_alpha_png), gray_seen(200), GRAY_PATCHES(1)),
    Case("linear light by gAMA, gray PNG of 16 bits", stating("gray-16", powered(GRAYS, 1.0, 16), gama(1.0)), gray_seen(), GRAY_PATCHES(1)),
    Case("Adobe RGB by cHRM and gAMA, PNG", stating("adobe", in_space(PATCHES, ADOBE_RGB, 2.2), gama(2.2), chrm(ADOBE_RGB)), SEEN, flat(2)),
    Case("Adobe RGB by cHRM and gAMA, PNG of 16 bits", stating("adobe-16", in_space(PATCHES, ADOBE_RGB, 2.2, 16), gama(2.2), chrm(ADOBE_RGB)), SEEN, flat(1)),
    Case("swapped channels by cHRM and gAMA, PNG", stating("swapped", in_space(PATCHES, SWAPPED, 2.2), gama(2.2), chrm(SWAPPED)), SEEN, flat(2)),
    Case("Adobe RGB by its profile, PNG of 16 bits with alpha", stating("deep-alpha", deep_with_alpha(), iccp(ADOBE_RGB, 2.2)),
         known(with_alpha(PATCHES)), flat(1)),
    Case("gAMA and cHRM of sRGB change nothing, PNG", stating("same", PATCHES, gama(2.2), chrm(SRGB)), SEEN, flat(0.1)),
    Case("cHRM alone is no statement, PNG", stating("chrm", PATCHES, chrm(SWAPPED)), SEEN, flat(0.1)),
    Case("sRGB goes before gAMA and cHRM, PNG", stating("srgb", PATCHES, gama(1.0), chrm(SWAPPED), SRGB_WORD), SEEN, flat(0.1)),
    Case("a profile goes before gAMA and cHRM, PNG",
         stating("iccp", in_space(PATCHES, ADOBE_RGB, 2.2), gama(1.0), chrm(SWAPPED), iccp(ADOBE_RGB, 2.2)), SEEN, flat(2)),
    Case("code points go before a profile, gAMA and cHRM, PNG",
         stating("cicp", in_p3_by_srgb_curve(), cicp(12, 13), iccp(SWAPPED, 1.0), gama(1.0), chrm(SWAPPED)), SEEN, flat(2)),
    Case("a gAMA of 0, PNG", stating("zero", PATCHES, chunk(b"gAMA", bytes(4)), chrm(SWAPPED)), SEEN, flat(0.1)),
    Case("primaries in a line are passed over, gAMA is not, PNG", stating("line", powered(PATCHES, 1.8), gama(1.8), LINE), SEEN, flat(1)),
]
