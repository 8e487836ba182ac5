"""Cases of documents' pages."""

from case import Case
from reference import by_tool

FIRST_PAGE = by_tool("mutool", "draw", "-q", "-r", "144", "-o", "{out}", "{in}", "1")

CASES = [
    Case("one page of text and drawing", "samples/page-1.pdf", FIRST_PAGE),
    Case("/Rotate 90", "samples/rotate-90.pdf", FIRST_PAGE),
    Case("cover cuts a portrait page from its top", "samples/page-1.pdf", FIRST_PAGE, box="240x180", fit="cover",
         gravity="top", peers=False),
]
