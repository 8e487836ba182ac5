"""Cases: samples whose range no file states, read as ImageMagick, GIMP and Photoshop read them: floating point in 0…1, integers over
their whole range."""

import struct

import numpy

from case import Case
from chart import PATCHES, made
from colour import GRAY_PATCHES, GRAYS, SEEN, flat, gray_seen
from measure import patches
from profile import ADOBE_RGB, SRGB, linear, matrix, rgb_profile
from reference import by_tool, known

UNSIGNED, SIGNED, FLOATING = 1, 2, 3


def tiff(name, samples, kind, profile=b""):
    """A TIFF 6.0 of one strip: gray, or RGB, with alpha or without."""
    height, width = samples.shape[:2]
    count = samples.shape[2] if samples.ndim == 3 else 1
    depth, data = samples.dtype.itemsize * 8, samples.astype(samples.dtype.newbyteorder("<")).tobytes()
    blocks = [struct.pack(f"<{count}H", *[depth] * count), struct.pack(f"<{count}H", *[kind] * count), profile + bytes(len(profile) % 2)]
    places = [8 + len(data) + sum(map(len, blocks[:index])) for index in range(len(blocks) + 1)]

    def shorts(tag, value, place):
        """One for each sample: four bytes hold two of them."""
        return (tag, 3, count, place if count > 2 else value | value << 16 if count == 2 else value)

    entries = [(256, 4, 1, width), (257, 4, 1, height), shorts(258, depth, places[0]), (259, 3, 1, 1), (262, 3, 1, 2 if count > 2 else 1),
               (273, 4, 1, 8), (277, 3, 1, count), (278, 4, 1, height), (279, 4, 1, len(data))]
    entries += [(338, 3, 1, 2)] if count in (2, 4) else []
    entries += [shorts(339, kind, places[1])] + ([(34675, 7, len(profile), places[2])] if profile else [])
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *entry) for entry in entries) + bytes(4)
    file = struct.pack("<2sHI", b"II", 42, places[-1]) + data + b"".join(blocks) + directory
    return made(f"{name}.tif", lambda path: path.write_bytes(file))


def float_map(kind, pixels):
    """A portable map of floating point: rows from below, little-endian where the scale is negative."""
    height, width = pixels.shape[:2]
    data = f"{kind}\n{width} {height}\n-1.0\n".encode() + unit(pixels)[::-1].astype("<f4").tobytes()
    return made(f"{kind}.pfm", lambda path: path.write_bytes(data))


def unit(pixels):
    return (pixels / 255).astype(numpy.float32)


def with_alpha(pixels, alpha=200):
    return numpy.dstack([pixels, numpy.full(pixels.shape[:2], alpha, numpy.uint8)])


def spoiled(pixels):
    """A few samples that are NaN, infinite, or as bright as a sun."""
    samples = unit(pixels).copy()
    for index, value in enumerate((numpy.nan, numpy.inf, -numpy.inf, 5000, -3.4e38)):
        samples[4 + 8 * index:6 + 8 * index, 4:6] = value
    return samples


def exposed(pixels):
    """Light in which the chart's white is 1, and a corner four times as bright."""
    light = linear(pixels)
    light[:40, :40] = 4
    return light.astype(numpy.float32)


def exposed_seen(pixels):
    seen = pixels.copy()
    seen[:40, :40] = 255
    return seen


def in_linear_adobe(pixels):
    light = linear(pixels) @ (numpy.linalg.inv(matrix(ADOBE_RGB)) @ matrix(SRGB)).T
    return light.clip(0, 1).astype(numpy.float32)


def whole(pixels, kind):
    return (pixels.astype(float) / 255 * numpy.iinfo(kind).max).astype(kind)


def signed(pixels, kind):
    limits = numpy.iinfo(kind)
    return (limits.min + pixels.astype(float) / 255 * (float(limits.max) - limits.min)).clip(limits.min, limits.max).astype(kind)


GRAY_SEEN, CLEAR_SEEN, GRAY = gray_seen(), known(with_alpha(PATCHES)), GRAY_PATCHES(1)
CASES = [
    Case("floating point, gray TIFF", tiff("float", unit(GRAYS), FLOATING), GRAY_SEEN, GRAY),
    Case("floating point, gray TIFF with alpha", tiff("float-alpha", unit(with_alpha(GRAYS)), FLOATING), gray_seen(200), GRAY),
    Case("floating point, TIFF of RGB", tiff("float-rgb", unit(PATCHES), FLOATING), SEEN, flat(1)),
    Case("floating point, TIFF of RGB with alpha", tiff("float-rgba", unit(with_alpha(PATCHES)), FLOATING), CLEAR_SEEN, flat(1)),
    Case("floating point of 0…255, gray TIFF", tiff("float-255", GRAYS.astype(numpy.float32), FLOATING), GRAY_SEEN, GRAY, peers=False),
    Case("floating point of 0…255, TIFF of RGB with alpha", tiff("float-rgba-255", with_alpha(PATCHES).astype(numpy.float32), FLOATING),
         CLEAR_SEEN, flat(1), peers=False),
    Case("floating point by a linear profile, TIFF",
         tiff("float-profile", in_linear_adobe(PATCHES), FLOATING, rgb_profile("linear", ADOBE_RGB, 1.0)), SEEN, flat(1)),
    Case("floating point with what is no number, TIFF", tiff("float-odd", spoiled(PATCHES), FLOATING), SEEN, flat(1)),
    Case("floating point that goes beyond white is light, TIFF", tiff("float-light", exposed(PATCHES), FLOATING), known(exposed_seen(PATCHES)),
         flat(1), peers=False),
    Case("floating point, gray PFM", float_map("Pf", GRAYS), GRAY_SEEN, GRAY),
    Case("floating point, PFM of RGB", float_map("PF", PATCHES), SEEN, flat(1)),
    Case("integers of 32 bits, gray TIFF", tiff("uint32", whole(GRAYS, numpy.uint32), UNSIGNED), GRAY_SEEN, GRAY),
    Case("integers of 32 bits, TIFF of RGB with alpha", tiff("uint32-rgba", whole(with_alpha(PATCHES), numpy.uint32), UNSIGNED), CLEAR_SEEN, flat(1)),
    Case("integers of 32 bits that come to 255, TIFF", tiff("uint32-255", PATCHES.astype(numpy.uint32), UNSIGNED), SEEN, flat(1), peers=False),
    Case("integers with a sign, gray TIFF of 16 bits", tiff("int16", signed(GRAYS, numpy.int16), SIGNED), GRAY_SEEN, GRAY),
    Case("integers with a sign, gray TIFF of 8 bits", tiff("int8", signed(GRAYS, numpy.int8), SIGNED), GRAY_SEEN, GRAY),
    Case("integers with a sign and no negative ones, gray TIFF", tiff("int16-positive", whole(GRAYS, numpy.int16), SIGNED), GRAY_SEEN, GRAY,
         peers=False),
    Case("integers of 32 bits by a program of Adobe's, TIFF", "corpus/real/other/Pillow__hopper_unknown_pixel_mode.tif",
         by_tool("convert", "{in}[0]", "{out}"), patches(1)),
]
