"""Cases of how a page is fitted to its box, and of nearly blank pages."""

from case import Case
from pdf import GREEN, PDF, Sheet, document, one_page
from pdfium import drawn
from reference import by_tool, known

FIRST_PAGE = by_tool("mutool", "draw", "-q", "-r", "144", "-o", "{out}", "{in}", "1")
BLANK = Sheet(150, 200)


def carded(name, width, height, **options):
    sheet = Sheet(width, height).card()
    return Case(name, document(name, one_page(sheet.content, width, height)), known(sheet.picture), peers=False, **options)


def blank(name, content, is_blank=True, shows=BLANK.picture):
    return Case(name, document(name, one_page(content, 150, 200)), known(shows), facts={"isBlank": is_blank})


def second_page():
    pdf, second = PDF(), Sheet().card()
    pdf.page("", 150, 200)
    pdf.page(second.content)
    return Case("the second page, by its number", document("second-page", pdf.data), known(second.picture), options=("--page", "2"),
                facts={"pageCount": 2, "isBlank": False}, peers=False)


def dot():
    sheet = Sheet(150, 200)
    sheet.rectangle(70, 100, 3, 3, GREEN)
    return blank("a dot on a page is not blank", sheet.content, False, sheet.picture)


CASES = [
    Case("one page of text and drawing", "samples/page-1.pdf", FIRST_PAGE),
    Case("a photograph on a page", "samples/image.pdf", lambda path: drawn(path, 512)),
    carded("cover cuts a portrait page from its top", 150, 200, box="240x180", fit="cover", gravity="top"),
    carded("cover cuts a landscape page at its sides", 400, 150, box="180x180", fit="cover", gravity="top"),
    carded("contain pads a portrait page with the background", 150, 200, box="256x180", fit="contain", background="204060"),
    carded("contain pads a landscape page", 400, 150, box="256x180", fit="contain", background="black"),
    carded("JPEG of a page", 150, 200, format="jpeg"),
    carded("rounding never makes a side 0", 2000, 2, box="256"),
    second_page(),
    blank("an empty page stays white and is blank", ""),
    blank("a page that is painted white is blank", "1 g 0 0 150 200 re f"),
    blank("a page whose text is invisible is blank", "BT /F 24 Tf 3 Tr 20 100 Td (Hidden) Tj ET"),
    dot(),
]
