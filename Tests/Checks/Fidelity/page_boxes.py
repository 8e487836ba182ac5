"""Cases of rotation, boxes and sizes: which part of a page is shown, and which way up."""

import numpy

from case import Case
from measure import patches
from pdf import PDF, RED, Sheet, document, fill, one_page
from reference import known

TURNS = {
    "0": 0, "90": 1, "180": 2, "270": 3, "-90": 3, "450": 1, "-270": 1, "90.0": 1,
    # Not a multiple of 90, as ISO 32000-1, table 30 wants it: PDFium and pdf.js take it for 0, MuPDF for the next multiple.
    "45": 0,
}
CARD = patches(4)
"""Edges of the letter lie within cells, and each tool antialiases them differently."""


def rotated(angle, quarters):
    sheet = Sheet(150, 200).card()
    return Case(f"/Rotate {angle}", document(f"rotate {angle}", one_page(sheet.content, 150, 200, entries=f"/Rotate {angle}")),
                known(numpy.rot90(sheet.picture, -quarters)), measure=CARD)


def inherited(name, entries, picture, page_entries=""):
    sheet = Sheet(150, 200).card()
    pdf = PDF()
    pdf.tree_entries = entries
    pdf.page(sheet.content, entries=page_entries, media=False)
    return Case(name, document(name, pdf.data), known(picture(sheet)), measure=CARD)


def boxed(name, entries, origin=(100, 200), quarters=0):
    """A card at `origin` on a red ground that must not be seen."""
    sheet = Sheet(150, 200, origin=origin).card()
    ground = f"{fill(RED)} -2000 -2000 6000 6000 re f\n"
    return Case(name, document(name, one_page(ground + sheet.content, entries=entries, media=False)),
                known(numpy.rot90(sheet.picture, -quarters)), measure=CARD)


def sized(name, width, height, entries="", **options):
    sheet = Sheet(width, height).card()
    return Case(name, document(name, one_page(sheet.content, width, height, entries=entries)), known(sheet.picture), measure=CARD, **options)


def without_media_box():
    """Required, but PDFium, MuPDF and Acrobat take US Letter where it is missing."""
    sheet = Sheet(612, 792).card()
    return Case("no MediaBox at all is US Letter", document("no-media-box", one_page(sheet.content, media=False)),
                known(sheet.picture), measure=CARD, facts={"pageWidth": 612, "pageHeight": 792})


def thread():
    sheet = Sheet(2, 2000)
    sheet.rectangle(0, 0, 2, 1000, RED)
    return Case("a page of 2 by 2,000 points", document("thread", one_page(sheet.content, 2, 2000)), known(sheet.picture))


CASES = [rotated(angle, quarters) for angle, quarters in TURNS.items()] + [
    inherited("box and rotation are inherited", "/MediaBox[0 0 150 200]/Rotate 90", lambda sheet: numpy.rot90(sheet.picture, -1)),
    inherited("an inherited rotation is overridden", "/MediaBox[0 0 150 200]/Rotate 90", lambda sheet: sheet.picture, "/Rotate 0"),
    inherited("an inherited CropBox", "/MediaBox[0 0 300 300]/CropBox[0 0 150 200]", lambda sheet: sheet.picture),
    boxed("CropBox inside MediaBox", "/MediaBox[0 0 500 500]/CropBox[100 200 250 400]"),
    # The visible part is the intersection of crop box and media box (ISO 32000-1, 14.11.2).
    boxed("CropBox partly outside MediaBox", "/MediaBox[100 200 250 400]/CropBox[0 0 250 900]"),
    boxed("CropBox wholly outside MediaBox is passed over", "/MediaBox[100 200 250 400]/CropBox[700 700 900 900]"),
    boxed("CropBox without an area is passed over", "/MediaBox[100 200 250 400]/CropBox[120 220 120 300]"),
    boxed("CropBox larger than MediaBox", "/MediaBox[100 200 250 400]/CropBox[0 0 900 900]"),
    boxed("MediaBox reversed", "/MediaBox[250 400 100 200]"),
    boxed("MediaBox with two other corners", "/MediaBox[100 400 250 200]"),
    boxed("CropBox reversed", "/MediaBox[0 0 500 500]/CropBox[250 400 100 200]"),
    boxed("MediaBox at a negative origin", "/MediaBox[-75 -100 75 100]", origin=(-75, -100)),
    boxed("CropBox at a negative origin, turned by 180", "/MediaBox[-200 -200 200 200]/CropBox[-75 -100 75 100]/Rotate 180",
          origin=(-75, -100), quarters=2),
    boxed("BleedBox, TrimBox and ArtBox do not matter",
          "/MediaBox[100 200 250 400]/BleedBox[110 210 240 390]/TrimBox[120 220 230 380]/ArtBox[130 230 220 370]"),
    boxed("a box of real numbers", "/MediaBox[100. 200.0 +250.00 400]"),
    without_media_box(),
    sized("UserUnit 10", 150, 200, "/UserUnit 10"),
    sized("a page of 1 point", 1, 1),
    sized("a page of 3 by 4 points", 3, 4),
    sized("a page of 14,400 points", 14400, 14400),
    sized("a page of 1,000,000 points", 1000000, 1000000),
    thread(),
]
