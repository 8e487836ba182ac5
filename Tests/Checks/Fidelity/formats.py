"""Cases: pictures other than 8-bit RGB in rows, and animations."""

import struct

import numpy
from PIL import Image

from case import Case
from chart import CARD, by_pillow, card, chunk, made, png, run, with_alpha
from measure import patches
from reference import by_tool, known, pillow

DISC = with_alpha(CARD)
GRAY = numpy.array(Image.fromarray(CARD).convert("L"))
GRAY_SEEN = known(numpy.dstack([GRAY] * 3))
DEEP = CARD.astype(numpy.uint16) * 257
EXACT, NEAR = patches(1), patches(3)


def by_convert(name, pixels, *options):
    """The file that ImageMagick writes of an array."""
    def write(path):
        source = path.with_name("source.png")
        Image.fromarray(pixels).save(source)
        run("convert", source, *options, path)
    return made(name, write)


def bits(depth):
    """A gray PNG of fewer bits a sample."""
    levels = numpy.round(GRAY / 255 * ((1 << depth) - 1)).astype(numpy.uint8)
    seen = (levels.astype(float) * 255 / ((1 << depth) - 1)).round().astype(numpy.uint8)
    return by_convert(f"gray-{depth}.png", seen, "-define", f"png:bit-depth={depth}", "-define", "png:color-type=0"), \
        known(numpy.dstack([seen] * 3))


def palette():
    """The card in 64 colours, and the picture that these colours show."""
    image = Image.fromarray(CARD).quantize(64)
    return image, known(numpy.array(image.convert("RGB")))


def clear_palette():
    """A palette whose first colour is clear, by tRNS."""
    image, seen = palette()
    alpha = numpy.where(numpy.array(image) == 0, 0, 255).astype(numpy.uint8)
    return made("clear-palette.png", lambda path: image.save(path, transparency=0)), known(numpy.dstack([seen(None), alpha]))


def colour_key():
    """RGB whose tRNS names one colour as clear."""
    pixels = numpy.where(CARD[:, :, :1] > 160, CARD, numpy.array([1, 2, 3], numpy.uint8)).astype(numpy.uint8)
    alpha = numpy.where((pixels == (1, 2, 3)).all(axis=2), 0, 255).astype(numpy.uint8)
    data = png(pixels)
    data = data[:33] + chunk(b"tRNS", struct.pack(">3H", 1, 2, 3)) + data[33:]
    return made("colour-key.png", lambda path: path.write_bytes(data)), known(numpy.dstack([pixels, alpha]))


def dark_under_clear():
    """White shapes on transparency whose invisible pixels are black: a reader that ignores alpha when it resizes shows dark fringes."""
    y, x = numpy.mgrid[0:480, 0:480]
    alpha = numpy.where((x // 24 + y // 24) % 2 == 0, 255, 0).astype(numpy.uint8)
    return numpy.dstack([alpha, alpha, alpha, alpha])


def float_tiff(path):
    Image.fromarray(GRAY.astype(numpy.float32) / 255, "F").save(path)


def deep_jp2():
    def write(path):
        source = path.with_name("source.png")
        source.write_bytes(png(DEEP))
        run("vips", "jp2ksave", source, path, "--lossless")
    return made("deep.jp2", write)


def frames(shifts=(0, 0.33, 0.66, 1)):
    return [Image.fromarray(card(240, 160, shift)) for shift in shifts]


def animation(name, images=None, **options):
    images = images or frames()
    return made(name, lambda path: images[0].save(path, save_all=True, append_images=images[1:], duration=100, **options))


def apng_with_still():
    """An APNG whose default picture, shown by readers without animation, is not a frame of the animation."""
    return animation("still.png", [Image.fromarray(CARD)] + [Image.new("RGB", (480, 320), "gray")] * 2, default_image=True)


PALETTE, PALETTE_SEEN = palette()
KEYED, KEYED_SEEN = colour_key()
CLEAR, CLEAR_SEEN = clear_palette()
CHECKS = dark_under_clear()
FIRST = known(card(240, 160, 0))

CASES = [
    Case("16 bits a sample, PNG", made("deep.png", lambda path: path.write_bytes(png(DEEP))), known(CARD), EXACT),
    Case("16 bits a sample, TIFF", by_convert("deep.tif", CARD, "-depth", "16"), known(CARD), EXACT),
    Case("16 bits of gray, PNG", made("deep-gray.png", lambda path: path.write_bytes(png(GRAY.astype(numpy.uint16) * 257))), GRAY_SEEN, EXACT),
    Case("palette, PNG", made("palette.png", PALETTE.save), PALETTE_SEEN, EXACT),
    Case("palette, TIFF", made("palette.tif", PALETTE.save), PALETTE_SEEN, EXACT),
    Case("palette, GIF", made("palette.gif", PALETTE.save), PALETTE_SEEN, EXACT),
    Case("palette with a clear colour, PNG", CLEAR, CLEAR_SEEN, NEAR),
    Case("RGB with a clear colour, PNG", KEYED, KEYED_SEEN, NEAR),
    Case("interlaced, PNG", by_convert("interlaced.png", CARD, "-interlace", "PNG"), known(CARD), EXACT),
    Case("interlaced, GIF", by_convert("interlaced.gif", CARD, "-interlace", "GIF"), pillow, EXACT),
    Case("alpha, PNG", by_pillow("alpha.png", DISC), known(DISC), EXACT),
    Case("alpha, WebP", by_pillow("alpha.webp", DISC, lossless=True, exact=True), known(DISC), NEAR),
    Case("alpha, TIFF", by_pillow("alpha.tif", DISC), known(DISC), EXACT),
    Case("alpha, HEIC", made("alpha.heic", lambda path: heif_with_alpha(path)), known(DISC), patches(4)),
    Case("alpha, AVIF", made("alpha.avif", lambda path: heif_with_alpha(path, "-A")), known(DISC), patches(4)),
    Case("gray and alpha, PNG", by_pillow("la.png", numpy.dstack([GRAY, DISC[..., 3]]), "LA"), known(numpy.dstack([GRAY] * 3 + [DISC[..., 3]])), EXACT),
    Case("no dark fringes around what is opaque", by_pillow("checks.png", CHECKS), known(CHECKS), NEAR, box="170"),
    Case("no dark fringes, WebP scaled by its decoder", by_pillow("checks.webp", CHECKS, lossless=True, exact=True), known(CHECKS), patches(4), box="170"),
    Case("transparency over white where the format has none", by_pillow("alpha.png", DISC), known(DISC), NEAR, format="jpeg", peers=False),
    Case("transparency over a colour that was asked for", by_pillow("alpha.png", DISC), known(DISC), NEAR, format="jpeg",
         background="c04080", peers=False),
    Case("transparency kept, WebP out", by_pillow("alpha.png", DISC), known(DISC), patches(6), format="webp", peers=False),
    Case("animated GIF", animation("moving.gif"), pillow, EXACT),
    Case("animated WebP", animation("moving.webp", lossless=True), FIRST, NEAR),
    Case("APNG", animation("moving.png"), FIRST, EXACT),
    Case("APNG with a still picture of its own", apng_with_still(), known(CARD), EXACT),
    Case("multi-page TIFF, page 1", "samples/pages.tiff", FIRST, EXACT),
    Case("multi-page TIFF, page 3", "samples/pages.tiff", known(card(240, 160, 0.66)), EXACT, options=("--page", "3"), peers=False),
    Case("floating point, TIFF", made("float.tif", float_tiff), GRAY_SEEN, EXACT),
    Case("white is zero, TIFF", by_convert("white-is-zero.tif", 255 - GRAY, "-define", "quantum:polarity=min-is-white"), GRAY_SEEN, EXACT),
    Case("JPEG in TIFF", by_pillow("jpeg.tif", CARD, compression="jpeg", quality=95), known(CARD), patches(5)),
    Case("planes one after the other, TIFF", by_convert("planar.tif", CARD, "-interlace", "plane"), known(CARD), EXACT),
    Case("tiles, TIFF", by_convert("tiled.tif", CARD, "-define", "tiff:tile-geometry=128x128"), known(CARD), EXACT),
    Case("RGB components, JPEG", by_convert("rgb.jpg", CARD, "-quality", "98", "-colorspace", "RGB", "-set", "colorspace", "sRGB"), pillow, NEAR),
    Case("gray, JPEG", by_pillow("gray.jpg", GRAY, quality=97), GRAY_SEEN, NEAR),
    Case("arithmetic coding, JPEG", "corpus/real/image/imgproxy__test1.arith.jpg", by_tool("convert", "{in}", "{out}"), NEAR),
    Case("JPEG 2000", "samples/card.jp2", known(CARD), NEAR),
    Case("JPEG 2000 of 16 bits", deep_jp2(), known(CARD), NEAR),
    Case("JPEG XL", "samples/card.jxl", known(CARD), NEAR),
    Case("BMP", by_pillow("card.bmp", CARD), known(CARD), EXACT),
    Case("PPM", by_pillow("card.ppm", CARD), known(CARD), EXACT),
]
CASES += [Case(f"gray of {depth} bits, PNG", *bits(depth), EXACT) for depth in (1, 2, 4)]


def heif_with_alpha(path, *options):
    source = path.with_name("source.png")
    Image.fromarray(DISC).save(source)
    run("heif-enc", "-q", 95, *options, "-o", path, source)
