"""Cases of images on pages: every filter, every depth, masks."""

import io
import struct
import zlib

import numpy
from PIL import Image

from case import Case
from chart import card
from measure import patches
from pdf import BLUE, PDF, RED, WHITE, document
from pdfium import drawn
from profile import DISPLAY_P3, SWAPPED, in_space, rgb_profile
from reference import known

CARD = card(200, 200)
NEAR = patches(4)
GREY = numpy.array(Image.fromarray(CARD).convert("L"))
BILEVEL = GREY > 120
RGB8 = "/ColorSpace/DeviceRGB/BitsPerComponent 8"


def placed(name, seen, data, entries, side=200, measure=NEAR, ground="", resources="", add=None, version="1.7", **options):
    """An image that fills the page; `data` and `entries` may be functions: of nothing, and of the document."""
    def write():
        pdf = PDF(version)
        more = entries(pdf) if callable(entries) else entries
        number = pdf.image(data() if callable(data) else data, side, side, more)
        pdf.page(f"{ground} q 200 0 0 200 0 0 cm /I Do Q", resources=f"/XObject<</I {number} 0 R>>{resources}")
        return pdf.data()
    return Case(name, document(name, write), known(doubled(seen)) if isinstance(seen, numpy.ndarray) else seen, measure=measure, **options)


def doubled(picture):
    """Twice as large, so that the reference does not limit the rendition's size."""
    return picture.repeat(2, axis=0).repeat(2, axis=1)


def saved(pixels, kind, **options):
    def data():
        out = io.BytesIO()
        (pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)).save(out, kind, **options)
        return out.getvalue()
    return data


def deflated(pixels, predictor=0):
    rows = pixels.reshape(pixels.shape[0], -1).view(numpy.uint8)
    if predictor:
        # PNG's second predictor: the difference to the row above.
        above = numpy.vstack([numpy.zeros_like(rows[:1]), rows[:-1]])
        rows = numpy.insert(rows - above, 0, 2, axis=1)
    return zlib.compress(rows.tobytes())


def shown(bits):
    return shown_grey(numpy.where(bits, 255, 0).astype(numpy.uint8))


def shown_grey(levels):
    return levels[..., None].repeat(3, axis=2)


def fax(kind):
    """The strip that libtiff encodes of a picture whose white is 1, the value that the codes define as black."""
    def data():
        out = io.BytesIO()
        Image.fromarray(BILEVEL).save(out, "TIFF", compression=kind, tiffinfo={278: 200})
        with Image.open(io.BytesIO(out.getvalue())) as image:
            (place,), (count,) = image.tag_v2[273], image.tag_v2[279]
            return out.getvalue()[place:place + count]
    return data


def jbig2():
    """One page of one generic region coded by MMR (ISO/IEC 14492, 6.2.6), embedded as PDF wants it: without a file header."""
    region = struct.pack(">IIIIB", 200, 200, 0, 0, 0) + b"\x01" + fax("group4")()
    page = struct.pack(">IIIIBH", 200, 200, 0, 0, 0, 0)
    segment = lambda number, kind, body: struct.pack(">IBBBI", number, kind, 0, 1, len(body)) + body
    return segment(0, 48, page) + segment(1, 38, region)


def inks():
    """Pixels of cyan, magenta, yellow and black: the card's complement, without black."""
    return numpy.dstack([255 - CARD, numpy.zeros(CARD.shape[:2], numpy.uint8)])


def cmyk_jpeg(has_marker, is_inverted=False):
    """Pillow writes inks inverted, as Photoshop does. For a file without inversion it gets inverted inks."""
    def data():
        whole = saved(Image.fromarray(inks() if is_inverted else 255 - inks(), "CMYK"), "JPEG", quality=95, subsampling=0)()
        at = whole.index(b"\xff\xee")
        return whole if has_marker else whole[:at] + whole[at + 2 + int.from_bytes(whole[at + 2:at + 4], "big"):]
    return data


def packed(levels, bits):
    """Rows of samples of so many bits."""
    spread = ((levels[..., None] >> numpy.arange(bits - 1, -1, -1)) & 1).astype(numpy.uint8)
    return zlib.compress(numpy.packbits(spread.reshape(levels.shape[0], -1), axis=1).tobytes())


def grey_of(bits):
    """The card in so few greys, and the samples that stand for them."""
    top = 2 ** bits - 1
    levels = (GREY.astype(int) * top + 127) // 255
    return levels, shown_grey((levels * 255 // top).astype(numpy.uint8))


def greys(bits):
    levels, seen = grey_of(bits)
    return placed(f"grey of {bits} bits", seen, packed(levels, bits), f"/ColorSpace/DeviceGray/BitsPerComponent {bits}/Filter/FlateDecode")


def over(alpha, colour):
    share = alpha[..., None] / 255
    return (CARD * share + numpy.array(colour) * (1 - share)).round().astype(numpy.uint8)


FADE = numpy.linspace(0, 255, 200).astype(numpy.uint8)[None].repeat(200, axis=0)
HOLE = numpy.zeros((200, 200), bool)
HOLE[50:150, 50:150] = True
ON_BLUE = "0.1176 0.2353 0.8235 rg 0 0 200 200 re f"


def mask_of(data, entries):
    return lambda pdf: f"{RGB8}/Filter/FlateDecode/{entries[0]} {pdf.image(data, 200, 200, entries[1])} 0 R"


def matte():
    """Colours stored multiplied with alpha, against black (ISO 32000-1, 11.6.5.3)."""
    stored = (CARD * (FADE[..., None] / 255)).round().astype(numpy.uint8)
    entries = "/ColorSpace/DeviceGray/BitsPerComponent 8/Matte[0 0 0]/Filter/FlateDecode"
    return placed("a soft mask with /Matte", over(FADE, BLUE), deflated(stored), mask_of(deflated(FADE), ("SMask", entries)), ground=ON_BLUE)


def stencil(name, decode, paints):
    seen = numpy.where((HOLE == paints)[..., None], numpy.array(RED), numpy.array(WHITE)).astype(numpy.uint8)
    return placed(name, seen, zlib.compress(numpy.packbits(~HOLE, axis=1).tobytes()),
                  f"/ImageMask true/BitsPerComponent 1/Filter/FlateDecode{decode}", ground="0.8627 0.1176 0.1176 rg", measure=patches(3))


def inline():
    small = numpy.array(Image.fromarray(CARD).resize((40, 40), Image.BOX))
    content = "q 200 0 0 200 0 0 cm BI /W 40 /H 40 /CS /RGB /BPC 8 /F /AHx ID\n" + small.tobytes().hex() + ">\nEI Q"
    pdf = PDF()
    pdf.page(content)
    return Case("an inline image", document("inline", pdf.data), known(small.repeat(10, axis=0).repeat(10, axis=1)), measure=patches(6, (10, 10), .6))


def strips():
    """The card in fifty strips, as scanners write it: the paper does not show where two strips meet."""
    pdf, content, names = PDF(), "", ""
    for index in range(50):
        number = pdf.image(deflated(CARD[4 * index:4 * index + 4]), 200, 4, f"{RGB8}/Filter/FlateDecode")
        names += f"/I{index} {number} 0 R"
        content += f"q 200 0 0 4 0 {196 - 4 * index} cm /I{index} Do Q "
    pdf.page(content, resources=f"/XObject<<{names}>>")
    return Case("a picture in fifty strips", document("strips", pdf.data), known(doubled(CARD)), box="150", measure=patches(3))


def checkered():
    """4,000 pixels a side, alternately black and white: a scan's dither, which must look grey."""
    rows = numpy.indices((4000, 4000)).sum(axis=0) % 2 == 0
    seen = numpy.full((256, 256, 3), 128, numpy.uint8)
    return placed("a bilevel dither of 4,000 pixels is grey", seen, lambda: zlib.compress(numpy.packbits(rows, axis=1).tobytes()),
                  "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode", side=4000, measure=patches(4))


def deep():
    wide = (CARD.astype(">u2") * 257)
    return placed("16 bits a component", CARD, zlib.compress(wide.tobytes()), "/ColorSpace/DeviceRGB/BitsPerComponent 16/Filter/FlateDecode", version="1.5")


def indexed():
    quantized = Image.fromarray(CARD).quantize(64)
    palette = bytes(quantized.getpalette()[:64 * 3]).hex()
    return placed("an Indexed image", numpy.array(quantized.convert("RGB")), zlib.compress(quantized.tobytes()),
                  f"/ColorSpace[/Indexed/DeviceRGB 63 <{palette}>]/BitsPerComponent 8/Filter/FlateDecode")


def lzw():
    """By libtiff, whose codes begin with the high bit as PDF's do."""
    out = io.BytesIO()
    Image.fromarray(GREY).save(out, "TIFF", compression="tiff_lzw", tiffinfo={278: 200})
    with Image.open(io.BytesIO(out.getvalue())) as image:
        (place,), (count,) = image.tag_v2[273], image.tag_v2[279]
        return out.getvalue()[place:place + count]


def profiled(name, primaries):
    """The card's values in a space of other primaries and its profile: the colours stay."""
    entries = lambda pdf: (f"/ColorSpace[/ICCBased {pdf.stream(rgb_profile(name, primaries, 2.2), '/N 3/Alternate/DeviceRGB')} 0 R]"
                           "/BitsPerComponent 8/Filter/FlateDecode")
    return placed(f"ICCBased image, {name}", CARD, lambda: deflated(in_space(CARD, primaries, 2.2)), entries)


def run_length():
    return b"".join(bytes([127]) + CARD.tobytes()[at:at + 128] for at in range(0, CARD.size - 127, 128)) \
        + bytes([CARD.size % 128 - 1]) * bool(CARD.size % 128) + CARD.tobytes()[CARD.size - CARD.size % 128:] + b"\x80"


def shown_tints():
    share = CARD[..., 0][..., None] / 255
    return (numpy.array(WHITE) * (1 - share) + numpy.array(RED) * share).round().astype(numpy.uint8)


FAX = "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K {}/Columns 200/Rows 200{}>>"
BY_PDFIUM = lambda path: drawn(path, 512)

CASES = [
    placed("Flate", CARD, deflated(CARD), f"{RGB8}/Filter/FlateDecode"),
    placed("Flate with PNG predictors", CARD, deflated(CARD, 12), f"{RGB8}/Filter/FlateDecode/DecodeParms<</Predictor 12/Colors 3/Columns 200>>"),
    placed("LZW", shown_grey(GREY), lzw, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/LZWDecode"),
    placed("RunLength", CARD, run_length, f"{RGB8}/Filter/RunLengthDecode"),
    placed("ASCIIHex over Flate", CARD, lambda: deflated(CARD).hex().encode() + b">", f"{RGB8}/Filter[/ASCIIHexDecode/FlateDecode]"),
    placed("DCT of RGB", CARD, saved(CARD, "JPEG", quality=95), f"{RGB8}/Filter/DCTDecode"),
    placed("DCT, progressive", CARD, saved(CARD, "JPEG", quality=95, progressive=True), f"{RGB8}/Filter/DCTDecode"),
    placed("DCT of grey", shown(BILEVEL), saved(shown(BILEVEL)[..., 0], "JPEG", quality=95), "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode"),
    placed("DCT of CMYK with Adobe's marker", BY_PDFIUM, cmyk_jpeg(True), "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode", measure=patches(8)),
    placed("DCT of CMYK with Adobe's marker, /Decode inverted", BY_PDFIUM, cmyk_jpeg(True, True),
           "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]", measure=patches(8)),
    placed("DCT of CMYK without a marker", BY_PDFIUM, cmyk_jpeg(False), "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode", measure=patches(8)),
    placed("CMYK, Flate", BY_PDFIUM, deflated(inks()), "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/FlateDecode", measure=patches(8)),
    placed("JPEG 2000", CARD, saved(CARD, "JPEG2000"), "/Filter/JPXDecode", version="1.5"),
    placed("JPEG 2000 of grey", shown(BILEVEL), saved(shown(BILEVEL)[..., 0].copy(), "JPEG2000"), "/Filter/JPXDecode", version="1.5"),
    placed("JPEG 2000, /ColorSpace given", CARD, saved(CARD, "JPEG2000"), f"{RGB8}/Filter/JPXDecode", version="1.5"),
    placed("CCITT group 4", shown(~BILEVEL), fax("group4"), FAX.format(-1, "")),
    placed("CCITT group 3", shown(~BILEVEL), fax("group3"), FAX.format(0, "")),
    placed("CCITT group 4, /BlackIs1", shown(BILEVEL), fax("group4"), FAX.format(-1, "/BlackIs1 true")),
    placed("JBIG2", shown(~BILEVEL), jbig2, "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode"),
    greys(1), greys(2), greys(4), deep(), indexed(),
    placed("/Decode inverted", 255 - CARD, deflated(CARD), f"{RGB8}/Filter/FlateDecode/Decode[1 0 1 0 1 0]"),
    profiled("Display P3", DISPLAY_P3), profiled("swapped channels", SWAPPED),
    placed("a Separation image", shown_tints(), deflated(CARD[..., 0].copy()),
           "/ColorSpace[/Separation/Brand/DeviceRGB <</FunctionType 2/Domain[0 1]/N 1/C0[1 1 1]/C1[0.8627 0.1176 0.1176]>>]"
           "/BitsPerComponent 8/Filter/FlateDecode"),
    placed("a soft mask", over(FADE, BLUE), deflated(CARD),
           mask_of(deflated(FADE), ("SMask", "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode")), ground=ON_BLUE),
    matte(),
    placed("an explicit mask", over(numpy.where(HOLE, 255, 0), BLUE), deflated(CARD),
           mask_of(zlib.compress(numpy.packbits(~HOLE, axis=1).tobytes()), ("Mask", "/ImageMask true/BitsPerComponent 1/Filter/FlateDecode")), ground=ON_BLUE),
    placed("a colour key mask", numpy.where(HOLE[..., None], numpy.array(BLUE), numpy.array(RED)).astype(numpy.uint8),
           deflated(numpy.where(HOLE[..., None], numpy.array((0, 255, 0)), numpy.array(RED)).astype(numpy.uint8)),
           f"{RGB8}/Filter/FlateDecode/Mask[0 5 250 255 0 5]", ground=ON_BLUE),
    stencil("an image mask", "", True),
    stencil("an image mask, /Decode inverted", "/Decode[1 0]", False),
    inline(), strips(), checkered(),
]

