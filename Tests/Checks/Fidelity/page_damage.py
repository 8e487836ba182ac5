"""Cases of files that are locked, cut off, or contradict their tables."""

import re

from case import Case
from chart import made, run
from measure import patches
from pdf import PDF, RED, Sheet, document, fill, one_page
from pdfium import drawn
from reference import known

CARD = patches(4)
SHEET = Sheet(150, 200).card()
PLAIN = one_page(SHEET.content, 150, 200)


def pages(count, **options):
    """The card, and after it as many red pages as make `count`."""
    pdf = PDF(**options)
    pdf.page(SHEET.content, 150, 200)
    for _ in range(count - 1):
        pdf.page(f"{fill(RED)}0 0 150 200 re f", 150, 200)
    return pdf


def broken(name, data, count=1, **options):
    return Case(name, document(name, data), known(SHEET.picture), measure=CARD, facts={"pageCount": count}, **options)


def by_qpdf(name, *words, count=1, cut=None, change=None, **options):
    """The card as qpdf rewrites it; `cut`: the part of the file that stays."""
    def write(path):
        source = path.with_name("plain.pdf")
        source.write_bytes(pages(count).data())
        run("qpdf", *words[:-1] if words[-1] == "--" else words, *(["--"] if words[-1] == "--" else []), source, path)
        data = path.read_bytes()
        data = change(data) if change else data
        path.write_bytes(data[:int(len(data) * cut)] if cut else data)
    facts = {} if "failure" in options else {"pageCount": count}
    return Case(name, made(name.replace("/", "-").replace(" ", "-") + ".pdf", write), known(SHEET.picture), measure=CARD, facts=facts, **options)


def locked(name, bits, *options, user="", failure=""):
    words = ["--allow-weak-crypto", "--encrypt", user, "owner", str(bits), *options, "--"]
    return by_qpdf(name, *words, **({"failure": failure} if failure else {}))


def without_object_end():
    return PLAIN.replace(b"\nendobj", b"\n")


def without_table():
    return PLAIN[:PLAIN.index(b"xref\n")] + PLAIN[PLAIN.index(b"trailer"):]


def without_stream_length():
    return re.sub(rb"/Length \d+", b"/Length 1", PLAIN)


def cut_in_content():
    """Cut after the letter's upper bar: the rest is missing."""
    sheet = Sheet(150, 200)
    sheet.rectangle(0, 0, 150, 200, (200, 214, 226)).rectangle(0, 100, 75, 100, (30, 60, 210))
    whole = one_page(sheet.content + f"{fill(RED)}75 100 75 100 re f", 150, 200)
    data = whole[:whole.index(fill(RED).encode())]
    # The page's object follows its content as the suite writes it; a linearized order has it before.
    first = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n" \
            b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 150 200]/Contents 4 0 R>>\nendobj\n4 0 obj\n<</Length 9000>>\nstream\n"
    start = data.index(b"stream\n") + 7
    return Case("cut off within the first page's content", document("cut-content", first + data[start:]), known(sheet.picture), measure=CARD)


def updated():
    """A second revision hides the first one's red page behind the card."""
    pdf = PDF()
    content = pdf.stream(f"{fill(RED)}0 0 150 200 re f")
    pdf.pages.append(pdf.add(f"<</Type/Page/Parent {pdf.tree} 0 R/MediaBox[0 0 150 200]/Contents {content} 0 R>>"))
    data = pdf.data()
    start = int(re.search(rb"startxref\n(\d+)", data).group(1))
    place = len(data)
    body = b"%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n" % (content, len(SHEET.content), SHEET.content.encode())
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (
        content, place, len(pdf.objects) + 1, len(pdf.objects), start, place + len(body))
    return data + body + table


OBJECT_STREAMS = ["--object-streams=generate", "--normalize-content=n"]
LAST_TABLE = lambda data: data[:data.rindex(b"startxref")]

LOCKS = [
    locked("RC4 of 40 bits, no user password", 40), locked("RC4 of 128 bits, no user password", 128, "--use-aes=n"),
    locked("AES of 128 bits, no user password", 128, "--use-aes=y"), locked("AES of 256 bits, no user password", 256),
    locked("RC4, a user password", 128, "--use-aes=n", user="secret", failure="encrypted"),
    locked("AES of 256 bits, a user password", 256, user="secret", failure="encrypted"),
    Case("only its owner has a password", "samples/owner-password.pdf", lambda path: drawn(path, 792), measure=CARD),
]

TABLES = [
    broken("a startxref that points nowhere", re.sub(rb"startxref\n\d+", b"startxref\n7", PLAIN)),
    broken("every place in the table is off by 13", pages(1).data(offset=13)),
    broken("no table", without_table()),
    broken("no table and no trailer", PLAIN[:PLAIN.index(b"xref\n")]),
    broken("no startxref and no end", PLAIN[:PLAIN.index(b"startxref")]),
    broken("objects without an end", without_object_end()),
    broken("a content's length that is wrong", without_stream_length()),
    broken("junk of 900 bytes before the header", bytes(range(128, 218)) * 10 + PLAIN),
    # Acrobat and PDFium look for a header in the first 1,024 bytes, and so do we; Poppler and MuPDF look further.
    Case("junk of 2,000 bytes before the header", document("far-header", b"\n" + bytes(range(128, 228)) * 20 + PLAIN),
         known(SHEET.picture), failure="unsupported"),
    broken("lines before the header", b"\n\n\n" + PLAIN),
    broken("junk of 3,000 bytes after the end", PLAIN + bytes(range(100, 200)) * 30),
    broken("zeros after the end", PLAIN + bytes(5000)),
    broken("a table before that holds itself", PLAIN.replace(b"/Root", b"/Prev 9/Root")),
    broken("a second revision", updated()),
    broken("a header of version 2.0", PLAIN.replace(b"%PDF-1.7", b"%PDF-2.0", 1)),
]

CUTS = [
    by_qpdf("linearized", "--linearize", count=3),
    by_qpdf("linearized, object streams", "--linearize", *OBJECT_STREAMS, count=3),
    by_qpdf("linearized, cut off at 90 %", "--linearize", count=9, cut=.9),
    by_qpdf("object streams", *OBJECT_STREAMS, count=3),
    by_qpdf("object streams, no startxref", *OBJECT_STREAMS, count=3, change=LAST_TABLE),
    by_qpdf("object streams, the table is missing", *OBJECT_STREAMS, count=3,
            change=lambda data: data[:data.rindex(b"/Type /XRef") - 9]),
    by_qpdf("object streams and a password of the owner's, no startxref", "--object-streams=generate", "--encrypt", "", "owner", "256", "--", count=3,
            change=LAST_TABLE),
    cut_in_content(),
]

CASES = LOCKS + TABLES + CUTS
