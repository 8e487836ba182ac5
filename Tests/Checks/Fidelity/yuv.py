"""Red, green and blue to luma and chroma, as ITU-R BT.601, BT.709 and BT.2020 define them."""

import numpy

# The parts of red and of blue in luma.
WEIGHTS = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722), "bt2020": (0.2627, 0.0593), "fcc": (0.30, 0.11), "smpte240m": (0.212, 0.087)}
# Chroma subsampling, as powers of two across and down.
COARSER = {"420": (1, 1), "422": (1, 0), "444": (0, 0), "411": (2, 0), "410": (2, 2)}


def differences(rgb, matrix):
    """Signals of 0…1 to Y of 0…1, Cb and Cr of −½…½; a matrix may be a function that does it."""
    if callable(matrix):
        return matrix(rgb)
    red, blue = WEIGHTS[matrix]
    y = rgb[..., 0] * red + rgb[..., 1] * (1 - red - blue) + rgb[..., 2] * blue
    return y, (rgb[..., 2] - y) / (2 - 2 * blue), (rgb[..., 0] - y) / (2 - 2 * red)


def quantized(y, cb, cr, full=False, depth=8):
    """Code values (BT.601, BT.709, BT.2100: 219 and 224 steps of 8 bits; full: all of them)."""
    top, unit = 2 ** depth - 1, 2 ** (depth - 8)
    if full:
        planes = [y * top, cb * top + 128 * unit, cr * top + 128 * unit]
    else:
        planes = [y * 219 * unit + 16 * unit, cb * 224 * unit + 128 * unit, cr * 224 * unit + 128 * unit]
    return [plane.clip(0, top).round() for plane in planes]


def coarsened(plane, across, down):
    """The means of squares; a side that is not a multiple is padded with its last row or column."""
    height, width = plane.shape
    padded = numpy.pad(plane, ((0, -height % (1 << down)), (0, -width % (1 << across))), mode="edge")
    return padded.reshape(padded.shape[0] >> down, 1 << down, padded.shape[1] >> across, 1 << across).mean(axis=(1, 3))


def planes(rgb, matrix="bt601", full=False, depth=8, sampling="420"):
    """The bytes of one frame, plane after plane, as `-f rawvideo` takes them; `rgb` of 0…255 or of 0…1 floats."""
    signal = rgb / 255 if rgb.dtype == numpy.uint8 else rgb
    y, cb, cr = quantized(*differences(signal, matrix), full, depth)
    across, down = COARSER[sampling]
    kind = numpy.uint8 if depth == 8 else numpy.dtype("<u2")
    return b"".join(plane.round().astype(kind).tobytes() for plane in (y, coarsened(cb, across, down), coarsened(cr, across, down)))


def pixel_format(sampling="420", depth=8):
    return f"yuv{sampling}p" + ("" if depth == 8 else f"{depth}le")
