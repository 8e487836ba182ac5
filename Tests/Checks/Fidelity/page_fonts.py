"""Cases of text: Type 3 fonts, fonts that are not embedded, invisible text."""

import numpy
from scipy.ndimage import gaussian_filter

from case import Case
from measure import Measure, patches
from pdf import BLUE, GREEN, PDF, RED, Sheet, document, fill, one_page
from pdfium import drawn
from reference import by_tool, known

WIDE = patches(6, grid=(6, 6))
"""Substitute fonts have the metrics of the original, not its strokes: ink is compared by sixths of a page."""


def likeness(ours, reference):
    """The correlation of two pictures' ink, softened by a two hundredth of their width: 1 for the same, about 0.3 for ideographs
    and boxes, 0.7 for ideographs in two hands."""
    inks = [gaussian_filter(255 - picture[..., :3].mean(axis=2), picture.shape[1] / 200) for picture in (ours, reference)]
    return float(numpy.corrcoef(inks[0].ravel(), inks[1].ravel())[0, 1])


LIKE = Measure("likeness", 0.6, False, likeness)
BY_PDFIUM = lambda path: drawn(path, 768)
BY_MUPDF = by_tool("mutool", "draw", "-q", "-r", "216", "-o", "{out}", "{in}", "1")


def type3(name, procedure, seen, matrix="[0.001 0 0 0.001 0 0]", width=1000, resources=""):
    """A glyph that is a square, painted blue by its user."""
    pdf, sheet = PDF(), Sheet()
    glyph = pdf.stream(procedure)
    font = pdf.add(f"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix{matrix}/CharProcs<</S {glyph} 0 R>>"
                   f"/Encoding<</Differences[65/S]>>/FirstChar 65/LastChar 65/Widths[{width}]/Resources<<{resources}>>>>")
    pdf.page(f"{fill(BLUE)}BT /F 50 Tf 50 100 Td (AA) Tj ET", resources=f"/Font<</F {font} 0 R>>")
    for x in (50, 100):
        for left, colour in seen:
            sheet.pixels(x + left, 100, 25, 50, colour)
    return Case(name, document(name, pdf.data), known(sheet.picture), measure=patches(3, grid=(8, 8), core=.6))


HALVES = f"{fill(RED)}0 0 500 1000 re f {fill(GREEN)}500 0 500 1000 re f"
STANDARD = ["Helvetica", "Helvetica-BoldOblique", "Times-Roman", "Times-BoldItalic", "Courier", "Courier-Bold", "Symbol", "ZapfDingbats"]


def line(name, fonts, content, width=300, height=150, shows=BY_PDFIUM, measure=WIDE, **options):
    resources = "/Font<<" + "".join(f"/F{index} <</Type/Font{font}>>" for index, font in enumerate(fonts)) + ">>"
    return Case(name, document(name, one_page(content, width, height, resources)), shows, measure=measure, **options)


def standard(name):
    text = "".join(f"BT /F0 {size} Tf 12 {y} Td (ABCDEfghij 012 mnop) Tj ET " for y, size in ((110, 24), (70, 24), (20, 28)))
    return line(f"{name}, not embedded", [f"/Subtype/Type1/BaseFont/{name}"], text)


def named(base):
    """A common office font by its own name, not embedded, with the widths of its metric-compatible substitute."""
    text = "".join(f"BT /F0 24 Tf 12 {y} Td (Quick brown fox 12) Tj ET " for y in (110, 70, 30))
    return line(f"{base}, not embedded", [f"/Subtype/TrueType/BaseFont/{base}/Encoding/WinAnsiEncoding"], text)


def ideographs(name, ordering, encoding, text, base, supplement=1):
    """Three lines of ideographs in a font that is not embedded. MuPDF brings Droid Sans Fallback, whose glyphs ours are too."""
    pdf = PDF()
    descriptor = pdf.add(f"<</Type/FontDescriptor/FontName/{base}/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880"
                         "/Descent -120/CapHeight 700/StemV 80>>")
    inner = pdf.add(f"<</Type/Font/Subtype/CIDFontType0/BaseFont/{base}/CIDSystemInfo<</Registry(Adobe)/Ordering({ordering})"
                    f"/Supplement {supplement}>>/FontDescriptor {descriptor} 0 R/DW 1000>>")
    font = pdf.add(f"<</Type/Font/Subtype/Type0/BaseFont/{base}/Encoding/{encoding}/DescendantFonts[{inner} 0 R]>>")
    codes = text.encode("utf-16-be").hex()
    content = "".join(f"BT /F 40 Tf 20 {y} Td <{codes}> Tj ET " for y in (140, 90, 40))
    pdf.page(content, 220, 200, f"/Font<</F {font} 0 R>>")
    return Case(f"{name}, not embedded", document(name, pdf.data), BY_MUPDF, measure=LIKE)


def mode(number, name, seen):
    """A large black letter in a text rendering mode; a striking one is judged by PDFium, an invisible one by a white page."""
    content = f"1 0 0 rg 0 0 1 RG 3 w BT /F0 150 Tf {number} Tr 20 20 Td (H) Tj ET 0 0.6 0.2 rg 0 0 200 75 re f" if number == 7 \
        else f"1 0 0 rg 0 0 1 RG 6 w BT /F0 150 Tf {number} Tr 20 40 Td (H) Tj ET"
    return line(name, ["/Subtype/Type1/BaseFont/Helvetica-Bold"], content, 200, 200, shows=seen, measure=patches(6, grid=(5, 5)))


CASES = [
    type3("Type 3, d0: the glyph brings its colours", f"1000 0 d0 {HALVES}", ((0, RED), (25, GREEN))),
    type3("Type 3, d0: without colours of its own", "1000 0 d0 0 0 1000 1000 re f", ((0, BLUE), (25, BLUE))),
    type3("Type 3, d1: the glyph is painted in the text's colour", f"1000 0 0 0 1000 1000 d1 {HALVES}", ((0, BLUE), (25, BLUE))),
    type3("Type 3, turned about by its matrix", f"-1 0 d0 {fill(RED)}-0.5 -1 0.5 1 re f {fill(GREEN)}-1 -1 0.5 1 re f", ((0, RED), (25, GREEN)),
          "[-1 0 0 -1 0 0]", -1),
] + [standard(name) for name in STANDARD] + [named(name) for name in ("Arial", "TimesNewRoman,Bold", "CourierNew")] + [
    ideographs("Japanese", "Japan1", "UniJIS-UTF16-H", "日本語表", "HeiseiMin-W3", 6),
    ideographs("Chinese, simplified", "GB1", "UniGB-UTF16-H", "中文简体", "STSong-Light", 5),
    ideographs("Chinese, traditional", "CNS1", "UniCNS-UTF16-H", "中文繁體", "MSung-Light", 5),
    ideographs("Korean", "Korea1", "UniKS-UTF16-H", "한국어문", "HYSMyeongJo-Medium", 2),
    mode(1, "text drawn by its outline", BY_PDFIUM), mode(2, "text filled and outlined", BY_PDFIUM),
    mode(3, "text that is invisible", known(Sheet().picture)), mode(7, "text as a clip", BY_PDFIUM),
]
