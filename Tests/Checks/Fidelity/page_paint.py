"""Cases of colour spaces, shadings and patterns."""

import struct

import numpy

from case import Case
from measure import patches
from pdf import BLUE, GREEN, PDF, RED, WHITE, YELLOW, Sheet, document, fill, one_page, words
from pdfium import drawn
from reference import known

SMOOTH = patches(3, grid=(10, 10))


def unit(colour):
    return "[" + words([round(value / 255, 4) for value in colour]) + "]"


LINEAR = f"<</FunctionType 2/Domain[0 1]/N 1/C0{unit(RED)}/C1{unit(BLUE)}>>"


def shaded(name, shading, colour_at, function=LINEAR, data=None, width=200, height=200, extra=""):
    """A page filled with a shading; `colour_at` takes arrays x and y in points from the lower left corner."""
    pdf = PDF()
    body = f"/ColorSpace/DeviceRGB{shading}{extra}" + (f"/Function {function}" if function else "")
    number = pdf.add(f"<<{body}>>") if data is None else pdf.stream(data, body)
    pdf.page("/S sh", width, height, f"/Shading<</S {number} 0 R>>")
    return Case(name, document(name, pdf.data), known(field(colour_at, width, height)), measure=SMOOTH)


def field(colour_at, width, height, scale=3):
    y, x = numpy.mgrid[0:height * scale, 0:width * scale]
    picture = colour_at((x + .5) / scale, height - (y + .5) / scale)
    return numpy.broadcast_to(picture, (height * scale, width * scale, 3)).clip(0, 255).round().astype(numpy.uint8)


def between(t, first=RED, last=BLUE):
    t = numpy.clip(t, 0, 1)[..., None]
    return numpy.array(first) * (1 - t) + numpy.array(last) * t


def across(x, y):
    return between((x - 50) / 100)


def ringed(x, y):
    distance = numpy.hypot(x - 100, y - 100)
    return numpy.where((distance <= 80)[..., None], between((distance - 20) / 60), numpy.array(WHITE))


def corner_mix(x, y):
    u, v = (x / 200)[..., None], (y / 200)[..., None]
    low, high = numpy.array(BLUE) * (1 - u) + numpy.array(YELLOW) * u, numpy.array(RED) * (1 - u) + numpy.array(GREEN) * u
    return low * (1 - v) + high * v


def vertex(x, y, colour, flag=None):
    head = b"" if flag is None else bytes([flag])
    return head + struct.pack(">HH", round(x / 200 * 65535), round(y / 200 * 65535)) + bytes(colour)


MESH = "/BitsPerCoordinate 16/BitsPerComponent 8/Decode[0 200 0 200 0 1 0 1 0 1]"


def triangles():
    """Red left, blue right: two triangles of a square whose corners agree with the axial ramp."""
    corners = [(0, 0, RED), (200, 0, BLUE), (0, 200, RED), (200, 0, BLUE), (200, 200, BLUE), (0, 200, RED)]
    return b"".join(vertex(*corner, flag=0) for corner in corners)


def lattice():
    return b"".join(vertex(x, y, RED if x == 0 else BLUE) for y in (0, 200) for x in (0, 200))


def patch(tensor):
    """A straight-sided patch: the points of its edge from the lower left corner up, right, down and back."""
    third = 200 / 3
    edge = [(0, 0), (0, third), (0, 2 * third), (0, 200), (third, 200), (2 * third, 200), (200, 200), (200, 2 * third),
            (200, third), (200, 0), (2 * third, 0), (third, 0)]
    inner = [(third, third), (third, 2 * third), (2 * third, 2 * third), (2 * third, third)] if tensor else []
    points = b"".join(struct.pack(">HH", round(x / 200 * 65535), round(y / 200 * 65535)) for x, y in edge + inner)
    return b"\0" + points + bytes(BLUE) + bytes(RED) + bytes(GREEN) + bytes(YELLOW)


def function_based():
    code = "{ exch 200 div exch 200 div 0 }"
    pdf = PDF()
    function = pdf.stream(code, "/FunctionType 4/Domain[0 200 0 200]/Range[0 1 0 1 0 1]")
    shading = pdf.add(f"<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 200 0 200]/Function {function} 0 R>>")
    pdf.page("/S sh", resources=f"/Shading<</S {shading} 0 R>>")
    seen = lambda x, y: numpy.stack([x / 200, y / 200, 0 * x], axis=2) * 255
    return Case("shading type 1, a PostScript function", document("shading-1", pdf.data), known(field(seen, 200, 200)), measure=SMOOTH)


def stitched():
    middle = f"<</FunctionType 3/Domain[0 1]/Bounds[0.5]/Encode[0 1 0 1]/Functions[" \
             f"<</FunctionType 2/Domain[0 1]/N 1/C0{unit(RED)}/C1{unit(GREEN)}>><</FunctionType 2/Domain[0 1]/N 1/C0{unit(GREEN)}/C1{unit(BLUE)}>>]>>"
    seen = lambda x, y: numpy.where((x < 100)[..., None], between(x / 100, RED, GREEN), between(x / 100 - 1, GREEN, BLUE))
    return shaded("shading by a stitched function", "/ShadingType 2/Coords[0 0 200 0]", seen, middle)


def sampled():
    pdf = PDF()
    function = pdf.stream(bytes(RED + BLUE), "/FunctionType 0/Domain[0 1]/Range[0 1 0 1 0 1]/Size[2]/BitsPerSample 8")
    shading = pdf.add(f"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 200 0]/Function {function} 0 R>>")
    pdf.page("/S sh", resources=f"/Shading<</S {shading} 0 R>>")
    return Case("shading by a sampled function", document("sampled", pdf.data),
                known(field(lambda x, y: between(x / 200), 200, 200)), measure=SMOOTH)


SHADINGS = [
    function_based(),
    shaded("shading type 2, axial, extended", "/ShadingType 2/Coords[50 0 150 0]/Extend[true true]", across),
    shaded("axial shading, not extended", "/ShadingType 2/Coords[50 0 150 0]",
           lambda x, y: numpy.where(((x >= 50) & (x <= 150))[..., None], across(x, y), numpy.array(WHITE))),
    shaded("shading type 3, radial", "/ShadingType 3/Coords[100 100 20 100 100 80]/Extend[true false]", ringed),
    shaded("shading type 4, free triangles", f"/ShadingType 4/BitsPerFlag 8{MESH}", lambda x, y: between(x / 200), None, triangles()),
    shaded("shading type 5, a lattice", f"/ShadingType 5/VerticesPerRow 2{MESH}", lambda x, y: between(x / 200), None, lattice()),
    shaded("shading type 6, Coons", f"/ShadingType 6/BitsPerFlag 8{MESH}", corner_mix, None, patch(False)),
    shaded("shading type 7, tensor", f"/ShadingType 7/BitsPerFlag 8{MESH}", corner_mix, None, patch(True)),
    stitched(), sampled(),
]


def tiled(name, paint, colour, set_colour, seen_on=(0, 40)):
    """A pattern of 40 by 40 points whose lower left quarter is painted."""
    pdf = PDF()
    pattern = pdf.stream(f"{paint}0 0 20 20 re f", "/Type/Pattern/PatternType 1/TilingType 1/BBox[0 0 40 40]/XStep 40/YStep 40"
                         f"/Resources<<>>/PaintType {1 if paint else 2}")
    pdf.page(f"{set_colour} 0 0 200 200 re f", resources=f"/Pattern<</P {pattern} 0 R>>/ColorSpace<</C[/Pattern/DeviceRGB]>>")
    sheet = Sheet()
    for x in range(0, 200, 40):
        for y in range(0, 200, 40):
            sheet.pixels(x, y, 20, 20, colour)
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(3, grid=(10, 10), core=0.6))


def shading_pattern():
    pdf = PDF()
    pattern = pdf.add(f"<</PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceRGB/Coords[50 0 150 0]/Extend[true true]/Function {LINEAR}>>>>")
    pdf.page("/Pattern cs /P scn 0 50 200 100 re f", resources=f"/Pattern<</P {pattern} 0 R>>")
    seen = lambda x, y: numpy.where(((y >= 50) & (y <= 150))[..., None], across(x, y), numpy.array(WHITE))
    return Case("a shading as a pattern", document("shading-pattern", pdf.data), known(field(seen, 200, 200)),
                measure=patches(3, grid=(8, 8)))


PATTERNS = [
    tiled("a coloured tiling pattern", fill(GREEN), GREEN, "/Pattern cs /P scn"),
    tiled("an uncoloured tiling pattern", "", RED, f"/C cs {words([round(value / 255, 4) for value in RED])} /P scn"),
    shading_pattern(),
]


def spaced(name, space, uses, bound=3, extra=lambda pdf: "", reason=""):
    """Bands painted in a colour space: operands, and the colour that is seen."""
    pdf, sheet = PDF(), Sheet()
    space = space.replace("{}", str(extra(pdf)))
    content, width = "/C cs ", 200 / len(uses)
    for index, (operands, seen) in enumerate(uses):
        content += f"{operands} scn {index * width} 0 {width} 200 re f "
        sheet.pixels(index * width, 0, width, 200, seen)
    pdf.page(content, resources=f"/ColorSpace<</C {space}>>")
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(bound, grid=(len(uses), 2), core=0.6),
                reason=reason)


def tint(c0, c1):
    return f"<</FunctionType 2/Domain[0 1]/N 1/C0{unit(c0)}/C1{unit(c1)}>>"


def two_tints(pdf):
    """Two inks to RGB: the parts of red and of blue that each lets through."""
    return pdf.stream("{ 1 exch sub exch 1 exch sub 1 3 1 roll exch }", "/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]")


def profile(pdf):
    from PIL import ImageCms
    return pdf.stream(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), "/N 3/Alternate/DeviceRGB")


def lab_seen(lightness, a, b):
    from skimage.color import lab2rgb
    return tuple(lab2rgb(numpy.array([[[lightness, a, b]]], float))[0, 0] * 255)


LAB = [(60, 40, 30), (50, -30, 20), (40, 10, -40), (80, 0, 0)]
COLOURS = [
    spaced("Indexed", f"[/Indexed/DeviceRGB 3 <{bytes(RED + GREEN + BLUE + YELLOW).hex()}>]",
           [("0", RED), ("1", GREEN), ("2", BLUE), ("3", YELLOW)]),
    spaced("Separation by its tint transform", f"[/Separation/Brand/DeviceRGB {tint(WHITE, RED)}]",
           [("0", WHITE), ("0.5", between(numpy.array(.5), WHITE, RED)), ("1", RED)]),
    spaced("Separation /None paints nothing", f"[/Separation/None/DeviceRGB {tint(WHITE, RED)}]", [("1", WHITE), ("0.5", WHITE)]),
    spaced("DeviceN of None alone paints nothing", f"[/DeviceN[/None]/DeviceRGB {tint(WHITE, RED)}]", [("1", WHITE), ("0.5", WHITE)]),
    spaced("Separation /Black by its tint transform", f"[/Separation/Black/DeviceGray <</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>]",
           [("0", WHITE), ("0.5", (128, 128, 128)), ("1", (0, 0, 0))]),
    spaced("DeviceN of two inks", "[/DeviceN[/A/B]/DeviceRGB {} 0 R]",
           [("0 0", WHITE), ("1 0", (255, 0, 255)), ("0 1", (255, 255, 0)), ("1 1", (255, 0, 0))], extra=two_tints),
    spaced("ICCBased, sRGB", "[/ICCBased {} 0 R]", [(unit(colour)[1:-1], colour) for colour in (RED, GREEN, BLUE, YELLOW)], extra=profile),
    spaced("Lab under D65", "[/Lab<</WhitePoint[0.9505 1 1.089]/Range[-100 100 -100 100]>>]",
           [(words(value), lab_seen(*value)) for value in LAB], bound=4),
    spaced("CalGray with a gamma of 1", "[/CalGray<</WhitePoint[0.9505 1 1.089]/Gamma 1>>]",
           [("0", (0, 0, 0)), ("0.2159", (128, 128, 128)), ("1", WHITE)],
           reason="Poppler takes a square root for sRGB's curve and does not adapt the white; pdftocairo and pdftoppm are the same, "
                  "PDFium and mutool pass the gamma over"),
    spaced("CalRGB with sRGB's primaries and a gamma of 2.2",
           "[/CalRGB<</WhitePoint[0.9505 1 1.089]/Gamma[2.2 2.2 2.2]/Matrix[0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505]>>]",
           [(unit(colour)[1:-1], colour) for colour in (RED, GREEN, BLUE, YELLOW)]),
]


def inks():
    """Process colours: PDFium's figures are Adobe's, so it is the reference."""
    content = "".join(f"{words(values)} k {40 * index} 0 40 200 re f " for index, values in enumerate(
        [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 0, 0)]))
    return Case("DeviceCMYK as Acrobat shows it", document("cmyk", one_page(content)), lambda path: drawn(path, 512),
                measure=patches(8, grid=(5, 2), core=0.6))


CASES = SHADINGS + PATTERNS + COLOURS + [inks()]
