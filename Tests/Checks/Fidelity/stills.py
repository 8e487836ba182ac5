"""Cases: icons and cursors, Photoshop documents, OpenEXR. Most files are written here, so that their pictures are known."""

import struct

import numpy
from PIL import Image

from case import Case
from chart import CARD, card, made, png, run, with_alpha
from measure import patches
from reference import known

# `chart` puts the samples' generator on the path.
from generator.images import cursor, exr, psd

EXACT, NEAR = patches(1), patches(3)
SQUARE = card(256, 256)
DISC = with_alpha(SQUARE)
MASKED = numpy.dstack([SQUARE, numpy.where(DISC[..., 3] < 128, 0, 255).astype(numpy.uint8)])
GRAY = numpy.array(Image.fromarray(CARD).convert("L"))
GRAY_SEEN = known(numpy.dstack([GRAY] * 3))


def by_bytes(name, data):
    return made(name, lambda path: path.write_bytes(data))


def by_convert(name, pixels, *options):
    """The file that ImageMagick writes of an array."""
    def write(path):
        source = path.with_name("source.png")
        Image.fromarray(pixels).save(source)
        run("convert", source, *options, path)
    return made(name, write)


def by_pillow_icon(name, pixels, sides, **options):
    image = Image.fromarray(pixels)
    return made(name, lambda path: image.save(path, sizes=[(side, side) for side in sides], **options))


def icon(*entries):
    """An icon file of bitmaps and PNGs (bytes each), whose directory calls all of them 16 pixels wide."""
    place = 6 + 16 * len(entries)
    directory = struct.pack("<HHH", 0, 1, len(entries))
    for data in entries:
        directory += struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 8, len(data), place)
        place += len(data)
    return directory + b"".join(entries)


def bitmap(pixels, depth, mask=None):
    """An icon's bitmap: 8 bits of gray by a palette, 16 of five each, 24, or 32 with alpha; then the mask."""
    height, width = pixels.shape[:2]
    colours = b""
    if depth == 8:
        colours = b"".join(bytes((value, value, value, 0)) for value in range(256))
        rows = pixels[::-1, :, 0]
    elif depth == 16:
        five = (pixels[::-1, :, :3] >> 3).astype("<u2")
        rows = (five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2]).view(numpy.uint8).reshape(height, width * 2)
    else:
        order = [2, 1, 0, 3][: depth // 8]
        rows = pixels[::-1, :, order].reshape(height, width * depth // 8)
    body = numpy.pad(rows, ((0, 0), (0, -rows.shape[1] % 4))).tobytes()
    hidden = numpy.packbits(numpy.zeros((height, width), bool) if mask is None else mask[::-1], axis=1)
    body += numpy.pad(hidden, ((0, 0), (0, -hidden.shape[1] % 4))).tobytes()
    return struct.pack("<IiiHHIIiiII", 40, width, height * 2, 1, depth, 0, len(body), 0, 0, 0, 0) + colours + body


def light(pixels):
    """sRGB as light (IEC 61966-2-1)."""
    signal = pixels / 255
    return numpy.where(signal <= 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4)


def open_exr(channels, compression=0):
    """32-bit floating point in rows; channels by name, each an array."""
    height, width = next(iter(channels.values())).shape

    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(value)) + value

    names = sorted(channels)
    listed = b"".join(name.encode() + b"\0" + struct.pack("<IIII", 2, 0, 1, 1) for name in names) + b"\0"
    window = struct.pack("<iiii", 0, 0, width - 1, height - 1)
    header = struct.pack("<II", 20000630, 2) + b"".join([
        attribute("channels", "chlist", listed), attribute("compression", "compression", bytes([compression])),
        attribute("dataWindow", "box2i", window), attribute("displayWindow", "box2i", window),
        attribute("lineOrder", "lineOrder", b"\0"), attribute("pixelAspectRatio", "float", struct.pack("<f", 1)),
        attribute("screenWindowCenter", "v2f", bytes(8)), attribute("screenWindowWidth", "float", struct.pack("<f", 1)),
    ]) + b"\0"
    rows = [
        struct.pack("<iI", y, width * 4 * len(names)) + b"".join(channels[name][y].astype("<f4").tobytes() for name in names)
        for y in range(height)]
    first = len(header) + 8 * height
    return header + b"".join(struct.pack("<Q", first + y * len(rows[0])) for y in range(height)) + b"".join(rows)


def colours(pixels):
    return {name: light(pixels[..., band]) for band, name in enumerate("RGB")}


def multiplied():
    alpha = DISC[..., 3] / 255
    return {"A": alpha} | {name: plane * alpha for name, plane in colours(DISC).items()}


def overexposed():
    """The left half four times as bright: values above a quarter become white."""
    factor = numpy.where(numpy.arange(480) < 240, 4, 1)
    seen = (light(CARD) * factor[None, :, None]).clip(0, 1)
    signal = numpy.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055)
    planes = {name: plane * factor for name, plane in colours(CARD).items()}
    return open_exr(planes), known((signal * 255).round().astype(numpy.uint8))


def broken_numbers():
    """NaN, infinite and negative samples in one corner each."""
    planes, seen = colours(CARD), CARD.copy()
    for name in planes:
        planes[name][:60, :60] = numpy.nan
        planes[name][:60, -60:] = numpy.inf
        planes[name][-60:, :60] = -3
    seen[:60, :60] = seen[-60:, :60] = 0
    seen[:60, -60:] = 255
    return open_exr(planes), known(seen)


def further_planes(pixels):
    """A document of five planes: red, green, blue and two stored selections."""
    height, width = pixels.shape[:2]
    return (
        struct.pack(">4sH6xHIIHH", b"8BPS", 1, 5, height, width, 8, 3) + bytes(14) + pixels.transpose(2, 0, 1).tobytes()
        + bytes(height * width * 2))


def clear_document(pixels, version):
    """A document whose layers' count is negative: the fourth plane is transparency, and colours lie on white."""
    height, width = pixels.shape[:2]
    alpha = pixels[..., 3:] / 255
    flat = (pixels[..., :3] * alpha + 255 * (1 - alpha)).round().astype(numpy.uint8)
    count = ">I" if version == 1 else ">Q"
    layers = struct.pack(count, 4) + struct.pack(">hH", -1, 0)
    header = struct.pack(">4sH6xHIIHH", b"8BPS", version, 4, height, width, 8, 3)
    planes = numpy.dstack([flat, pixels[..., 3]]).transpose(2, 0, 1).tobytes()
    return header + bytes(8) + struct.pack(count, len(layers)) + layers + bytes(2) + planes


OVEREXPOSED, OVEREXPOSED_SEEN = overexposed()
BROKEN, BROKEN_SEEN = broken_numbers()
HIDDEN = MASKED[..., 3] == 0
GRAY_SQUARE = numpy.dstack([numpy.array(Image.fromarray(SQUARE).convert("L"))] * 3)
FIVE_BITS = (SQUARE >> 3).astype(float) * 255 / 31

CASES = [
    Case("icon of PNGs, the largest", by_pillow_icon("sizes.ico", SQUARE, (16, 256, 48)), known(SQUARE), EXACT),
    Case("icon of PNGs with alpha", by_pillow_icon("alpha.ico", DISC, (256, 32)), known(DISC), EXACT),
    Case("icon of bitmaps with alpha", by_bytes("alpha32.ico", icon(bitmap(DISC, 32))), known(DISC), EXACT),
    Case("icon of bitmaps by Pillow", by_pillow_icon("bmp.ico", DISC, (256,), bitmap_format="bmp"), known(DISC), EXACT),
    Case("icon of 24 bits and a mask", by_bytes("masked.ico", icon(bitmap(SQUARE, 24, HIDDEN))), known(MASKED), NEAR),
    Case("icon of a palette and a mask", by_bytes("palette.ico", icon(bitmap(GRAY_SQUARE, 8, HIDDEN))),
         known(numpy.dstack([GRAY_SQUARE, MASKED[..., 3]])), NEAR),
    Case("icon of 16 bits", by_bytes("bits16.ico", icon(bitmap(SQUARE, 16))), known(FIVE_BITS.round().astype(numpy.uint8)), NEAR),
    Case("icon under a lying directory", by_bytes("lies.ico", icon(
        bitmap(card(64, 64), 24), png(SQUARE), bitmap(card(32, 32), 24))), known(SQUARE), EXACT),
    Case("icon of equal sizes, the most colours", by_bytes("depths.ico", icon(
        bitmap(GRAY_SQUARE, 8), bitmap(SQUARE, 24), bitmap(SQUARE, 16))), known(SQUARE), EXACT),
    Case("icon by ImageMagick", by_convert("convert.ico", DISC), known(DISC), NEAR),
    Case("cursor", by_bytes("hand.cur", cursor(DISC)), known(MASKED), NEAR),
    Case("Photoshop, with a stored selection", by_bytes("card.psd", psd(CARD)), known(CARD), EXACT),
    Case("Photoshop, with two stored selections", by_bytes("five.psd", further_planes(CARD)), known(CARD), EXACT, peers=False),
    Case("Photoshop, packed", by_convert("packed.psd", CARD, "-compress", "RLE"), known(CARD), EXACT),
    Case("Photoshop, 16 bits", by_convert("deep.psd", CARD, "-depth", "16"), known(CARD), EXACT),
    Case("Photoshop, gray", by_convert("gray.psd", GRAY, "-colorspace", "Gray"), GRAY_SEEN, EXACT),
    Case("Photoshop, large document", by_convert("large.psb", CARD), known(CARD), EXACT),
    Case("Photoshop, with transparency", by_bytes("clear.psd", clear_document(DISC, 1)), known(DISC), NEAR),
    Case("Photoshop, large document with transparency", by_bytes("clear.psb", clear_document(DISC, 2)), known(DISC), NEAR),
    Case("OpenEXR, 16 bits", by_bytes("half.exr", exr(CARD)), known(CARD), EXACT),
    Case("OpenEXR, 32 bits", by_bytes("float.exr", open_exr(colours(CARD))), known(CARD), EXACT),
    *[Case(f"OpenEXR by ImageMagick, {packing}", by_convert(f"{packing}.exr", CARD, "-colorspace", "RGB", "-compress", packing),
           known(CARD), NEAR) for packing in ("ZIP", "ZIPS", "PIZ", "PXR24")],
    Case("OpenEXR, gray", by_bytes("gray.exr", open_exr({"Y": light(GRAY)})), GRAY_SEEN, EXACT),
    Case("OpenEXR, multiplied with alpha", by_bytes("alpha.exr", open_exr(multiplied())), known(DISC), NEAR),
    Case("OpenEXR, brighter than white", by_bytes("bright.exr", OVEREXPOSED), OVEREXPOSED_SEEN, EXACT),
    Case("OpenEXR, numbers that are no light", by_bytes("broken.exr", BROKEN), BROKEN_SEEN, NEAR),
]
