"""Cases of transparency: blend modes, groups, soft masks, constant alpha, overprint; by the formulas of ISO 32000-1, 11.3."""

import numpy

from case import Case
from measure import patches
from pdf import BLUE, PDF, RED, WHITE, Sheet, document, fill, one_page
from reference import known

BACKDROPS = [(230, 60, 40), (40, 160, 90), (60, 90, 200), (190, 190, 190)]
SOURCES = [(250, 200, 60), (120, 40, 150), (30, 120, 130), (90, 90, 90)]


def luminosity(c):
    return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]


def with_luminosity(c, wanted):
    c = c + (wanted - luminosity(c))
    level, low, high = luminosity(c), c.min(), c.max()
    if low < 0:
        c = level + (c - level) * level / (level - low)
    if high > 1:
        c = level + (c - level) * (1 - level) / (high - level)
    return c


def with_saturation(c, wanted):
    low, high = c.min(), c.max()
    return (c - low) * wanted / (high - low) if high > low else numpy.zeros(3)


def saturation(c):
    return c.max() - c.min()


def dodge(b, s):
    return numpy.where(b == 0, 0, numpy.where(b >= 1 - s, 1, b / numpy.maximum(1 - s, 1e-9)))


def burn(b, s):
    return numpy.where(b == 1, 1, numpy.where(1 - b >= s, 0, 1 - (1 - b) / numpy.maximum(s, 1e-9)))


def hard_light(b, s):
    return numpy.where(s <= 0.5, b * 2 * s, b + (2 * s - 1) - b * (2 * s - 1))


def soft_light(b, s):
    d = numpy.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, numpy.sqrt(b))
    return numpy.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (d - b))


MODES = {
    "Normal": lambda b, s: s, "Multiply": lambda b, s: b * s, "Screen": lambda b, s: b + s - b * s,
    "Overlay": lambda b, s: hard_light(s, b), "Darken": numpy.minimum, "Lighten": numpy.maximum,
    "ColorDodge": dodge, "ColorBurn": burn, "HardLight": hard_light, "SoftLight": soft_light,
    "Difference": lambda b, s: abs(b - s), "Exclusion": lambda b, s: b + s - 2 * b * s,
    "Hue": lambda b, s: with_luminosity(with_saturation(s, saturation(b)), luminosity(b)),
    "Saturation": lambda b, s: with_luminosity(with_saturation(b, saturation(s)), luminosity(b)),
    "Color": lambda b, s: with_luminosity(s, luminosity(b)), "Luminosity": lambda b, s: with_luminosity(b, luminosity(s)),
}


def blended(mode, backdrop, source, alpha=1.0):
    b, s = numpy.array(backdrop) / 255, numpy.array(source) / 255
    return tuple(((1 - alpha) * b + alpha * MODES[mode](b, s)).clip(0, 1) * 255)


def blend_mode(mode, value=None):
    """Four backdrops in columns, four sources over them in rows."""
    sheet = Sheet(240, 240)
    for column, backdrop in enumerate(BACKDROPS):
        sheet.rectangle(60 * column, 0, 60, 240, backdrop)
    sheet.content += "/G gs\n"
    for row, source in enumerate(SOURCES):
        sheet.content += f"{fill(source)}0 {60 * row} 240 60 re f\n"
        for column, backdrop in enumerate(BACKDROPS):
            sheet.pixels(60 * column, 60 * row, 60, 60, blended(mode, backdrop, source))
    name = f"blend mode {mode}" + (" in a list" if value else "")
    resources = f"/ExtGState<</G<</BM {value or '/' + mode}>>>>"
    group = "/Group<</S/Transparency/CS/DeviceRGB/I true>>"
    data = one_page(sheet.content, 240, 240, resources, group)
    return Case(name, document(name, data), known(sheet.picture), measure=patches(2, grid=(8, 8), core=0.6))


def grouped(name, entries, over, ca=1.0, inner=1.0, mode="Normal"):
    """A blue and a red square overlapping within a group on a yellow ground; `over` gives the colours where they overlap, and
    where each lies alone."""
    ground = (240, 200, 20)
    sheet = Sheet()
    sheet.rectangle(0, 0, 200, 200, ground)
    pdf = PDF()
    resources = f"/Resources<</ExtGState<</I<</ca {inner}/BM/{mode}>>>>>>"
    form = pdf.form(f"/I gs {fill(BLUE)}25 25 100 100 re f {fill(RED)}75 75 100 100 re f", (0, 0, 200, 200),
                    f"/Group<</S/Transparency{entries}>>{resources}")
    first, second, both = over(ground)
    sheet.pixels(25, 25, 100, 100, first).pixels(75, 75, 100, 100, second).pixels(75, 75, 50, 50, both)
    pdf.page(sheet.content + f"/O gs /X Do", resources=f"/XObject<</X {form} 0 R>>/ExtGState<</O<</ca {ca}>>>>",
             entries="/Group<</S/Transparency/CS/DeviceRGB>>")
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(2, grid=(8, 8), core=0.6))


def mix(under, over, alpha):
    return tuple(numpy.array(under) * (1 - alpha) + numpy.array(over) * alpha)


def multiplied(under, over):
    return blended("Multiply", under, over)


GROUPS = [
    grouped("a group at half alpha is one thing", "", lambda g: (mix(g, BLUE, .5), mix(g, RED, .5), mix(g, RED, .5)), ca=0.5),
    grouped("half alpha within a group", "", lambda g: (mix(g, BLUE, .5), mix(g, RED, .5), mix(mix(g, BLUE, .5), RED, .5)), inner=0.5),
    grouped("a knockout group", "/K true", lambda g: (mix(g, BLUE, .5), mix(g, RED, .5), mix(g, RED, .5)), inner=0.5),
    grouped("a knockout group that is isolated", "/K true/I true", lambda g: (mix(g, BLUE, .5), mix(g, RED, .5), mix(g, RED, .5)), inner=0.5),
    grouped("a knockout group that multiplies", "/K true", lambda g: (multiplied(g, BLUE), multiplied(g, RED), multiplied(g, RED)), mode="Multiply"),
    grouped("Multiply in an isolated group does not see the page", "/I true", lambda g: (BLUE, RED, multiplied(BLUE, RED)), mode="Multiply"),
    grouped("Multiply in a group that is not isolated sees it", "",
            lambda g: (multiplied(g, BLUE), multiplied(g, RED), multiplied(multiplied(g, BLUE), RED)), mode="Multiply"),
]


def soft_mask(name, kind, mask, seen, entries="", group="/CS/DeviceGray"):
    """A red page seen through a mask over blue: four bands of the mask's own content, and what share of red each lets through."""
    sheet = Sheet()
    sheet.rectangle(0, 0, 200, 200, BLUE)
    pdf = PDF()
    form = pdf.form(mask, (0, 0, 200, 200), f"/Group<</S/Transparency{group}>>/Resources<</ExtGState<</H<</ca 0.5>>>>>>")
    for band, share in enumerate(seen):
        sheet.pixels(50 * band, 0, 50, 200, mix(BLUE, RED, share))
    state = f"/ExtGState<</M<</SMask<</S/{kind}/G {form} 0 R{entries}>>>>>>"
    pdf.page(f"{sheet.content}/M gs {fill(RED)}0 0 200 200 re f", resources=state, entries="/Group<</S/Transparency/CS/DeviceRGB>>")
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(2.5, grid=(8, 8), core=0.6))


LEVELS = "0 g 0 0 50 200 re f 0.25 g 50 0 50 200 re f 0.75 g 100 0 50 200 re f 1 g 150 0 50 200 re f"
INVERTED = "/TR<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>"
MASKS = [
    soft_mask("soft mask by luminosity", "Luminosity", LEVELS, (0, .25, .75, 1)),
    soft_mask("soft mask by alpha", "Alpha", "0 g 0 0 50 200 re f /H gs 50 0 100 200 re f", (1, .5, .5, 0), group="/CS/DeviceRGB"),
    soft_mask("soft mask with a backdrop colour", "Luminosity", "1 g 0 0 50 200 re f", (1, .5, .5, .5), "/BC[0.5]"),
    soft_mask("soft mask with a transfer function", "Luminosity", LEVELS, (1, .75, .25, 0), INVERTED),
]


NONE_INK = "/ColorSpace<</N[/Separation/None/DeviceGray<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>]>>"
"""A colorant whose paint leaves no marks; of Poppler's backends only Splash knows that."""


def on_paper(mode, by_splash=False):
    """Four sources side by side where nothing lies below, at full and at half alpha, then over one another: a page is a group of its
    own, which its paper is no part of (ISO 32000-1, 11.4.7)."""
    sheet = Sheet(240, 240)
    sheet.content += "/N cs 1 scn 0 0 240 240 re f\n" if by_splash else ""
    for column, source in enumerate(SOURCES):
        other = SOURCES[column - 1]
        sheet.content += (f"/G gs {fill(source)}{60 * column} 160 60 80 re f /H gs {60 * column} 80 60 80 re f "
                          f"/G gs {fill(other)}{60 * column} 0 60 80 re f {fill(source)}{60 * column} 0 60 80 re f\n")
        sheet.pixels(60 * column, 160, 60, 80, source).pixels(60 * column, 80, 60, 80, mix(WHITE, source, .5))
        sheet.pixels(60 * column, 0, 60, 80, blended(mode, other, source))
    name = f"blend mode {mode} on the paper" + (", by Splash" if by_splash else "")
    resources = f"/ExtGState<</G<</BM/{mode}/ca 1>>/H<</BM/{mode}/ca 0.5>>>>" + (NONE_INK if by_splash else "")
    return Case(name, document(name, one_page(sheet.content, 240, 240, resources)), known(sheet.picture),
                measure=patches(2, grid=(8, 6), core=0.6))


def masked_on_paper(mode):
    """A soft mask by luminosity over what blends with nothing."""
    sheet, pdf = Sheet(), PDF()
    form = pdf.form(LEVELS, (0, 0, 200, 200), "/Group<</S/Transparency/CS/DeviceGray>>")
    for band, share in enumerate((0, .25, .75, 1)):
        sheet.pixels(50 * band, 0, 50, 200, mix(WHITE, RED, share))
    pdf.page(f"/M gs {fill(RED)}0 0 200 200 re f", resources=f"/ExtGState<</M<</BM/{mode}/SMask<</S/Luminosity/G {form} 0 R>>>>>>")
    name = f"a soft mask over {mode} on the paper"
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(2.5, grid=(8, 8), core=0.6))


def constant_alpha():
    sheet = Sheet()
    sheet.rectangle(0, 0, 100, 200, RED)
    sheet.content += f"/A gs {fill(BLUE)}0 0 200 200 re f"
    sheet.pixels(0, 0, 100, 200, mix(RED, BLUE, .3)).pixels(100, 0, 100, 200, mix(WHITE, BLUE, .3))
    return Case("constant alpha on red and on white",
                document("alpha", one_page(sheet.content, resources="/ExtGState<</A<</ca 0.3>>>>")), known(sheet.picture))


def overprint():
    """Red over blue stays red: viewers simulate overprint for PDF/X alone (Acrobat's default), and otherwise knock out."""
    sheet = Sheet()
    sheet.rectangle(0, 0, 200, 200, BLUE)
    sheet.content += "/O gs\n"
    sheet.rectangle(50, 50, 100, 100, RED)
    return Case("overprint of RGB knocks out",
                document("overprint", one_page(sheet.content, resources="/ExtGState<</O<</OP true/op true/OPM 1>>>>")), known(sheet.picture))


CASES = [blend_mode(mode) for mode in MODES] + [blend_mode("Multiply", "[/NotKnown/Multiply]")] + GROUPS + MASKS + [
    constant_alpha(), overprint(),
] + [on_paper(mode) for mode in MODES] + [on_paper(mode, by_splash=True) for mode in ("Difference", "Multiply", "Hue", "Saturation", "Color", "Luminosity")] + [
    masked_on_paper(mode) for mode in ("Difference", "Hue", "Saturation", "Color", "Luminosity")
]
