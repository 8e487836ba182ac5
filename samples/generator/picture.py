"""The card that most samples show: a white F with a dark edge, upright, on a soft gradient, a colour in each corner."""

import struct
import zlib

import numpy

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (20, 160, 60), (30, 60, 210), (240, 200, 20)
CORNERS = "red corner top left, green top right, blue bottom left, yellow bottom right"
LOOK = f"F upright, {CORNERS}"


def card(width, height, shift=0.0):
    """RGB, 8 bits, as an array of height × width × 3. `shift` moves a grey bar at the bottom from 0 (left) to 1."""
    y, x = numpy.mgrid[0:height, 0:width]
    u, v = x / max(1, width - 1), y / max(1, height - 1)
    waves = 18 * numpy.sin(9 * u + 4 * v) * numpy.cos(7 * v - 3 * u)
    pixels = numpy.stack([90 + 80 * u + waves, 120 + 60 * v - waves, 170 - 70 * u + waves], axis=2)
    unit = min(width, height) / 10
    paint_letter(pixels, width / 2, height / 2, unit)
    paint_corners(pixels, round(unit * 1.8))
    bar = round(shift * (width - 6 * unit) + 2 * unit)
    pixels[round(height - unit):round(height - unit / 2), bar:bar + round(2 * unit)] = 128
    return pixels.clip(0, 255).astype(numpy.uint8)


def paint_letter(pixels, centre_x, centre_y, unit):
    """The F is 4 units wide and 7 high; its strokes are 1.2 units thick."""
    left, top = centre_x - 2 * unit, centre_y - 3.5 * unit
    strokes = [(0, 0, 1.2, 7), (0, 0, 4, 1.2), (0, 2.8, 3.2, 4)]
    for margin, colour in ((0.25, 30), (0, 255)):
        for x0, y0, x1, y1 in strokes:
            rows = slice(round(top + (y0 - margin) * unit), round(top + (y1 + margin) * unit))
            columns = slice(round(left + (x0 - margin) * unit), round(left + (x1 + margin) * unit))
            pixels[rows, columns] = colour


def paint_corners(pixels, side):
    pixels[:side, :side], pixels[:side, -side:] = RED, GREEN
    pixels[-side:, :side], pixels[-side:, -side:] = BLUE, YELLOW


def stored(upright, orientation):
    """The pixels to store so that a viewer that applies this EXIF orientation shows `upright`."""
    ways = {
        1: lambda p: p, 2: numpy.fliplr, 3: lambda p: numpy.rot90(p, 2), 4: numpy.flipud,
        5: lambda p: p.swapaxes(0, 1), 6: lambda p: numpy.rot90(p, 1),
        7: lambda p: numpy.rot90(p, 2).swapaxes(0, 1), 8: lambda p: numpy.rot90(p, -1),
    }
    return numpy.ascontiguousarray(ways[orientation](upright))


def with_alpha(pixels):
    """RGBA: a disc of the picture is opaque, its rim fades, the corners of the canvas are clear."""
    height, width = pixels.shape[:2]
    y, x = numpy.mgrid[0:height, 0:width]
    distance = numpy.hypot((x - width / 2) / (width / 2), (y - height / 2) / (height / 2))
    alpha = (255 * (1 - distance) / 0.15).clip(0, 255).astype(numpy.uint8)
    return numpy.dstack([pixels, alpha])


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, palette=None):
    """A PNG of an array: height × width (palette indices or grey) or × 3 or × 4, of 8 or 16 bits."""
    height, width = pixels.shape[:2]
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    depth = pixels.dtype.itemsize * 8
    colour = 3 if palette is not None else {1: 0, 3: 2, 4: 6}[channels]
    rows = pixels.astype(">u2" if depth == 16 else numpy.uint8).reshape(height, -1).view(numpy.uint8)
    data = zlib.compress(numpy.insert(rows, 0, 0, axis=1).tobytes(), 9)
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))]
    if palette is not None:
        parts.append(chunk(b"PLTE", bytes(palette)))
    return b"".join(parts + [chunk(b"IDAT", data), chunk(b"IEND", b"")])


def palette_png(pixels):
    """At most 216 colours: each channel in six steps."""
    steps = (pixels.astype(int) + 25) // 51
    indices = (steps[..., 0] * 36 + steps[..., 1] * 6 + steps[..., 2]).astype(numpy.uint8)
    palette = [51 * level for index in range(216) for level in (index // 36, index // 6 % 6, index % 6)]
    return png(indices, palette)
