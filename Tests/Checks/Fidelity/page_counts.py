"""Cases of page trees that are wrong, cyclic or damaged: the number of pages, and the first page."""

from case import Case
from measure import patches
from page_damage import SHEET, pages
from pdf import PDF, RED, document, fill
from reference import known

CARD = patches(4)
OTHER = f"{fill(RED)}0 0 150 200 re f"


def counted(name, said, count=3):
    """A tree of three pages that states another count. qpdf, PDFium, MuPDF and Poppler trust a possible count."""
    pdf = pages(3)
    kids = " ".join(f"{page} 0 R" for page in pdf.pages)
    pdf.add(f"<</Type/Pages/Kids[{kids}]{said}>>", pdf.tree)
    return Case(name, document(name, pdf.data), known(SHEET.picture), measure=CARD, facts={"pageCount": count})


def kids(name, words, count, leaves=2, options=()):
    """A tree whose root's /Kids are `words`: {0} and {1} stand for pages, {tree} for the root, {node} for a node with page 1."""
    pdf = pages(leaves)
    node = pdf.reserve()
    pdf.add(f"<</Type/Pages/Parent {pdf.tree} 0 R/Kids[{pdf.pages[1]} 0 R]/Count 1>>", node)
    number = lambda value: f"{value} 0 R"
    listed = words.format(number(pdf.pages[0]), number(pdf.pages[1]), tree=number(pdf.tree), node=number(node), null="null", gone="999 0 R")
    pdf.add(f"<</Type/Pages/Kids[{listed}]/Count {count}>>", pdf.tree)
    return Case(name, document(name, pdf.data), known(SHEET.picture), measure=CARD, facts={"pageCount": count})


def single():
    """/Pages of the catalogue is a page itself."""
    pdf = PDF()
    content = pdf.stream(SHEET.content)
    pdf.add(f"<</Type/Page/MediaBox[0 0 150 200]/Contents {content} 0 R>>", pdf.tree)
    return Case("a page in the place of the tree", document("page-as-tree", pdf.data), known(SHEET.picture), measure=CARD, facts={"pageCount": 1})


def untyped():
    pdf = pages(2)
    for page in pdf.pages:
        pdf.objects[page] = pdf.objects[page].replace(b"/Type/Page", b"")
    pdf.add(f"<</Kids[{pdf.pages[0]} 0 R {pdf.pages[1]} 0 R]/Count 2>>", pdf.tree)
    return Case("tree and pages without /Type", document("untyped", pdf.data), known(SHEET.picture), measure=CARD, facts={"pageCount": 2})


def deep():
    """Fifty nodes within each other, of which only the last holds the page."""
    pdf = pages(1)
    below = pdf.pages[0]
    for _ in range(50):
        node = pdf.reserve()
        pdf.add(f"<</Type/Pages/Kids[{below} 0 R]/Count 1>>", node)
        below = node
    pdf.add(f"<</Type/Pages/Kids[{below} 0 R]/Count 1>>", pdf.tree)
    return Case("a page fifty nodes deep", document("deep", pdf.data), known(SHEET.picture), measure=CARD, facts={"pageCount": 1})


CASES = [
    counted("/Count 0", "/Count 0"), counted("/Count -1", "/Count -1"), counted("/Count missing", ""),
    counted("/Count 1,000,000", "/Count 1000000"), counted("/Count 3.0", "/Count 3.0"), counted("/Count is too small", "/Count 1", 1),
    counted("/Count is too large by two", "/Count 5", 5), counted("/Count is a name", "/Count/Three"),
    kids("a tree that holds itself", "{0} {tree} {1}", 2), kids("a page that is null", "{0} {null} {1}", 2),
    kids("a page that is not there", "{0} {gone} {1}", 2), kids("a tree of two levels", "{0} {node}", 2),
    single(), untyped(), deep(),
]
