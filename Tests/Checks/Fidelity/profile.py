"""ICC profiles (ICC.1:2001-04 and ICC.1:2022) written here, and pictures in their colours: the expected reading is known by
construction."""

import struct

import numpy

# Chromaticities of red, green, blue and white.
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), (0.3127, 0.3290))
DISPLAY_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.3127, 0.3290))
BT2020 = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290))
ADOBE_RGB = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), (0.3127, 0.3290))
PROPHOTO = ((0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), (0.3457, 0.3585))
SWAPPED = ((0.30, 0.60), (0.15, 0.06), (0.64, 0.33), (0.3127, 0.3290))
D50 = numpy.array([0.9642, 1.0, 0.8249])
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def matrix(primaries):
    """From linear RGB to XYZ under D50."""
    columns = numpy.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    to_xyz = columns[:, :3] * numpy.linalg.solve(columns[:, :3], columns[:, 3])
    cones = numpy.diag(BRADFORD @ D50 / (BRADFORD @ columns[:, 3]))
    return numpy.linalg.inv(BRADFORD) @ cones @ BRADFORD @ to_xyz


def linear(srgb):
    """IEC 61966-2-1, from 0…255 to 0…1."""
    value = numpy.asarray(srgb, float) / 255
    return numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(light):
    """The inverse of `linear`, rounded."""
    light = numpy.clip(light, 0, 1)
    value = numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return (255 * value).round().astype(numpy.uint8)


def in_space(srgb, primaries, gamma, depth=8):
    """The picture's values in another RGB space; its colours stay the same."""
    light = linear(srgb) @ (numpy.linalg.inv(matrix(primaries)) @ matrix(SRGB)).T
    top = 255 if depth == 8 else 65535
    return (top * light.clip(0, 1) ** (1 / gamma)).round().astype(numpy.uint8 if depth == 8 else numpy.uint16)


def rgb_profile(name, primaries, gamma):
    columns = matrix(primaries).T
    curve = b"curv" + struct.pack(">IIH", 0, 1, round(gamma * 256))
    tags = {b"wtpt": xyz(D50)}
    for letter, column in zip(b"rgb", columns):
        tags[bytes([letter]) + b"XYZ"], tags[bytes([letter]) + b"TRC"] = xyz(column), curve
    return profile(name, b"mntr", b"RGB ", b"XYZ ", tags)


def gray_profile(name, gamma):
    curve = b"curv" + struct.pack(">IIH", 0, 1, round(gamma * 256))
    return profile(name, b"mntr", b"GRAY", b"XYZ ", {b"wtpt": xyz(D50), b"kTRC": curve})


def ink_light(inks):
    """Linear sRGB of inks 0…1 (cyan, magenta, yellow, black) of an ideal printer: each ink absorbs its part of one primary."""
    inks = numpy.asarray(inks, float)
    return (1 - inks[..., :3]) * (1 - inks[..., 3:])


def cmyk_profile(name, intents=2, steps=6):
    """The ideal printer as a table of `steps` values an ink (lut16Type, 10.10 of ICC.1:2022), for the first so many of the
    intents: perceptual, relative."""
    grid = numpy.stack(numpy.meshgrid(*[numpy.linspace(0, 1, steps)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    values = lab(ink_light(grid) @ matrix(SRGB).T)
    table = numpy.stack([values[:, 0] * 652.8, (values[:, 1] + 128) * 256, (values[:, 2] + 128) * 256], axis=1)
    identity = struct.pack(">9i", *(65536 if index % 4 == 0 else 0 for index in range(9)))
    curves = struct.pack(">HH", 0, 65535)
    body = (b"mft2" + bytes(4) + bytes([4, 3, steps, 0]) + identity + struct.pack(">HH", 2, 2) + curves * 4
            + table.round().clip(0, 65535).astype(">u2").tobytes() + curves * 3)
    return profile(name, b"scnr", b"CMYK", b"Lab ", {b"wtpt": xyz(D50), **{b"A2B%d" % index: body for index in range(intents)}})


def lab(xyz_values):
    ratio = xyz_values / D50
    root = numpy.where(ratio > 216 / 24389, numpy.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return numpy.stack([116 * root[:, 1] - 16, 500 * (root[:, 0] - root[:, 1]), 200 * (root[:, 1] - root[:, 2])], axis=1)


def xyz(value):
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(part * 65536) for part in value))


def profile(name, kind, space, connection, tags):
    """A whole profile of version 2.4."""
    text = name.encode() + b"\0"
    tags = {b"desc": b"desc" + struct.pack(">II", 0, len(text)) + text + bytes(78), b"cprt": b"text" + bytes(4) + b"none\0", **tags}
    head, body, offset = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for signature, data in tags.items():
        head += signature + struct.pack(">II", offset + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    header = struct.pack(">I4sI4s4s4s", offset + len(body), b"none", 0x02400000, kind, space, connection)
    header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + struct.pack(">3i", 63190, 65536, 54061) + bytes(48)
    return header + head + body
