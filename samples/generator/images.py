"""Still and animated pictures."""

import struct

import numpy

from .manifest import run
from .picture import CORNERS, LOOK, card, paint_corners, palette_png, png, stored, with_alpha

WIDTH, HEIGHT = 480, 320
SIZE = {"width": WIDTH, "height": HEIGHT}


def make(samples):
    source = samples.temporary("card.png")
    source.write_bytes(png(card(WIDTH, HEIGHT)))
    make_oriented_jpegs(samples)
    make_pngs(samples)
    make_colour_spaces(samples, source)
    make_animations(samples)
    make_other_formats(samples, source)
    make_extremes(samples)
    make_drawings(samples)


def save(samples, saver, source, name, *options):
    run("vips", saver, source, samples.path(name), *options)


def make_oriented_jpegs(samples):
    for orientation in range(1, 9):
        source = samples.temporary(f"stored-{orientation}.png")
        source.write_bytes(png(stored(card(WIDTH, HEIGHT), orientation)))
        name = f"orientation-{orientation}.jpg"
        save(samples, "jpegsave", source, name, "--Q", 85, "--strip")
        run("exiftool", "-q", "-overwrite_original", "-n", f"-Orientation={orientation}", samples.path(name))
        samples.add(name, "image/jpeg", look=LOOK, **SIZE, orientation=orientation)


def make_pngs(samples):
    pixels = card(WIDTH, HEIGHT)
    clear = "F upright in a round picture, clear outside of it"
    samples.write_file("alpha.png", png(with_alpha(pixels)), "image/png", look=clear, **SIZE, hasAlpha=True)
    deep = pixels.astype(numpy.uint16) * 257
    samples.write_file("deep-16bit.png", png(deep), "image/png", look=LOOK, **SIZE, hasAlpha=False)
    samples.write_file("palette.png", palette_png(pixels), "image/png", look=LOOK, **SIZE, hasAlpha=False)
    source = samples.temporary("alpha.png")
    source.write_bytes(png(with_alpha(pixels)))
    save(samples, "webpsave", source, "alpha.webp", "--Q", 80)
    samples.add("alpha.webp", "image/webp", look=clear, **SIZE, hasAlpha=True)


def make_colour_spaces(samples, source):
    """The same card: a viewer that ignores the profile shows other colours."""
    wide = samples.temporary("wide.v")
    run("vips", "icc_transform", source, wide, "p3", "--input-profile", "srgb")
    save(samples, "jpegsave", wide, "display-p3.jpg", "--Q", 85)
    samples.add("display-p3.jpg", "image/jpeg", look=f"{LOOK}; the same colours as orientation-1.jpg", **SIZE)
    inks = samples.temporary("inks.v")
    run("vips", "icc_transform", source, inks, "cmyk", "--input-profile", "srgb")
    save(samples, "jpegsave", inks, "cmyk.jpg", "--Q", 85, "--strip")
    samples.add("cmyk.jpg", "image/jpeg", look=f"{LOOK}; not inverted", **SIZE, colorSpace="cmyk")


def make_animations(samples):
    frames = [card(240, 160, shift) for shift in (0, 0.33, 0.66, 1)]
    tall = samples.temporary("tall.png")
    tall.write_bytes(png(numpy.concatenate(frames)))
    save(samples, "gifsave", tall, "animated.gif", "--page-height", 160)
    samples.add("animated.gif", "image/gif", look=f"{LOOK}; the first of 4 frames: grey bar at the left", width=240, height=160)
    save(samples, "webpsave", tall, "animated.webp", "--page-height", 160, "--Q", 75)
    samples.add("animated.webp", "image/webp", look=f"{LOOK}; the first of 4 frames: grey bar at the left", width=240, height=160)
    save(samples, "tiffsave", tall, "pages.tiff", "--page-height", 160, "--compression", "deflate")
    samples.add("pages.tiff", "image/tiff", look=f"{LOOK}; page N: grey bar further right", width=240, height=160, pageCount=4)


def make_other_formats(samples, source):
    run("heif-enc", "-q", 60, "-o", samples.path("card.heic"), source)
    samples.add("card.heic", "image/heic", look=LOOK, **SIZE)
    run("heif-enc", "-A", "-q", 60, "-o", samples.path("card.avif"), source)
    samples.add("card.avif", "image/avif", look=LOOK, **SIZE)
    save(samples, "jp2ksave", source, "card.jp2", "--Q", 40)
    samples.add("card.jp2", "image/jp2", look=LOOK, **SIZE)
    save(samples, "jxlsave", source, "card.jxl", "--Q", 80)
    samples.add("card.jxl", "image/jxl", look=LOOK, **SIZE)
    save(samples, "webpsave", source, "card.webp", "--Q", 80)
    samples.add("card.webp", "image/webp", look=LOOK, **SIZE)
    small = card(240, 160)
    samples.write_file("card.bmp", bmp(small), "image/bmp", look=LOOK, width=240, height=160)
    sizes = [card(side, side) for side in (16, 64, 32)]
    samples.write_file("icon.ico", ico(sizes), "image/vnd.microsoft.icon", look=LOOK, width=64, height=64, hasAlpha=False)
    round_card = with_alpha(card(48, 48))
    samples.write_file(
        "cursor.cur", cursor(round_card), "image/x-win-bitmap", look="F upright in a round picture, clear outside of it",
        width=48, height=48, hasAlpha=True)
    samples.write_file(
        "layers.psd", psd(small), "image/vnd.adobe.photoshop", look=LOOK, width=240, height=160, hasAlpha=False)
    samples.write_file(
        "light.exr", exr(card(120, 80)), "image/x-exr", look=LOOK, width=120, height=80, hasAlpha=False)


def make_extremes(samples):
    """Many pixels in few bytes: flat fields, so that hardly a coefficient is left."""
    field = card(120, 90)
    field[:, :] = (90, 120, 170)
    field[25:65, 45:52] = field[25:32, 45:72] = field[42:49, 45:66] = 255
    paint_corners(field, 15)
    coarse, large = samples.temporary("coarse.png"), samples.temporary("large.v")
    coarse.write_bytes(png(field))
    run("vips", "zoom", coarse, large, 100, 100)
    save(samples, "jpegsave", large, "large-12000x9000.jpg", "--Q", 40, "--optimize-coding", "--strip")
    samples.add("large-12000x9000.jpg", "image/jpeg", look=LOOK, width=12000, height=9000)
    wide = samples.temporary("wide.png")
    wide.write_bytes(png(card(8000, 100)))
    save(samples, "jpegsave", wide, "panorama-8000x100.jpg", "--Q", 75, "--strip")
    samples.add("panorama-8000x100.jpg", "image/jpeg", look=f"a long strip, F in the middle, {CORNERS}", width=8000, height=100)


def make_drawings(samples):
    drawing = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="480" height="320">
<rect width="480" height="320" fill="#5a78aa"/>%s
<path d="M176 48h128v38h-90v52h64v38h-64v96h-38z" fill="#fff" stroke="#1e1e1e" stroke-width="8"/>
<rect width="58" height="58" fill="#dc1e1e"/><rect x="422" width="58" height="58" fill="#14a03c"/>
<rect y="262" width="58" height="58" fill="#1e3cd2"/><rect x="422" y="262" width="58" height="58" fill="#f0c814"/>
</svg>
"""
    outside = """
<image xlink:href="http://192.0.2.1/remote.png" width="480" height="320"/>
<image xlink:href="file:///etc/passwd" width="480" height="320"/>
<style>@import url("http://192.0.2.1/remote.css");</style>"""
    samples.write_file("drawing.svg", (drawing % "").encode(), "image/svg+xml", look=LOOK, **SIZE)
    samples.write_file(
        "drawing-external.svg", (drawing % outside).encode(), "image/svg+xml", look=f"{LOOK}; nothing fetched", **SIZE)


def bmp(pixels):
    """24 bits, rows from the bottom, each a multiple of four bytes."""
    height, width = pixels.shape[:2]
    rows = pixels[::-1, :, ::-1].reshape(height, width * 3)
    body = numpy.pad(rows, ((0, 0), (0, -width * 3 % 4))).tobytes()
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(body), 2835, 2835, 0, 0)
    return struct.pack("<2sIII", b"BM", 54 + len(body), 0, 54) + header + body


def ico(sizes):
    """PNGs; the largest is not the first."""
    files = [png(pixels) for pixels in sizes]
    place = 6 + 16 * len(files)
    directory = struct.pack("<HHH", 0, 1, len(files))
    for pixels, data in zip(sizes, files):
        height, width = pixels.shape[:2]
        directory += struct.pack("<BBBBHHII", width, height, 0, 0, 1, 24, len(data), place)
        place += len(data)
    return directory + b"".join(files)


def cursor(pixels):
    """24 bits, and a mask of what is hidden; where an icon has planes and depth, the point that clicks."""
    height, width = pixels.shape[:2]
    colours = numpy.pad(pixels[::-1, :, 2::-1].reshape(height, width * 3), ((0, 0), (0, -width * 3 % 4)))
    mask = numpy.packbits(pixels[::-1, :, 3] < 128, axis=1)
    body = colours.tobytes() + numpy.pad(mask, ((0, 0), (0, -mask.shape[1] % 4))).tobytes()
    header = struct.pack("<IiiHHIIiiII", 40, width, height * 2, 1, 24, 0, len(body), 0, 0, 0, 0)
    return (
        struct.pack("<HHH", 0, 2, 1) + struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 4, 5, len(header + body), 22)
        + header + body)


def psd(pixels):
    """A flattened picture without layers, planes not compressed; the fourth is a stored selection, and no transparency."""
    height, width = pixels.shape[:2]
    header = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 4, height, width, 8, 3)
    selection = bytes(height * width // 2) + b"\xff" * (height * width // 2)
    return header + bytes(12) + bytes(2) + pixels.transpose(2, 0, 1).tobytes() + selection


def exr(pixels):
    """Light as floating-point numbers of 16 bits, rows not compressed; channels stand in the order of the alphabet."""
    height, width = pixels.shape[:2]
    signal = pixels / 255
    light = numpy.where(signal <= 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4).astype("<f2")

    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(value)) + value

    channels = b"".join(name + b"\0" + struct.pack("<IIII", 1, 0, 1, 1) for name in (b"B", b"G", b"R")) + b"\0"
    window = struct.pack("<iiii", 0, 0, width - 1, height - 1)
    header = struct.pack("<II", 20000630, 2) + b"".join([
        attribute("channels", "chlist", channels), attribute("compression", "compression", b"\0"),
        attribute("dataWindow", "box2i", window), attribute("displayWindow", "box2i", window),
        attribute("lineOrder", "lineOrder", b"\0"), attribute("pixelAspectRatio", "float", struct.pack("<f", 1)),
        attribute("screenWindowCenter", "v2f", bytes(8)), attribute("screenWindowWidth", "float", struct.pack("<f", 1)),
    ]) + b"\0"
    rows = [
        struct.pack("<iI", y, width * 6) + light[y, :, ::-1].transpose(1, 0).tobytes() for y in range(height)]
    first = len(header) + 8 * height
    table = b"".join(struct.pack("<Q", first + index * len(rows[0])) for index in range(height))
    return header + table + b"".join(rows)
