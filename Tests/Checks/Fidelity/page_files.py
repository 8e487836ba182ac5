"""Cases of documents from other programs, judged by PDFium: the number of pages, and the first page."""

import numpy

from case import Case
from measure import patches
from pdfium import drawn, page_count

SHOWN = {
    "annotations on a turned page": "qpdf__annotations-rotated-90", "a form filled by Acrobat": "qpdf__form-filled-by-acrobat",
    "a digitally signed form": "qpdf__digitally-signed", "fax codes": "qpdf__fax-decode-parms", "a scan in strips": "qpdf__pclm-in",
    "TIFF's predictor": "qpdf__tiff-predictor", "boxes of a real file": "qpdf__boxes", "rotation inherited": "qpdf__inherited-rotate",
    "a table too short": "qpdf__xref-with-short-size", "a damaged table": "qpdf__bad-xref", "a damaged stream": "qpdf__damaged-stream",
    "tables that hold each other": "qpdf__append-xref-loop", "a trailer that holds itself": "Pillow__trailer_loop",
    "AES of 256 bits, a real file": "qpdf__enc-XI-R6,V5,O=master", "a page tree that holds itself": "qpdf__pages-loop",
    "a page for a tree": "qpdf__pages-is-page", "a large object stream": "qpdf__big-ostream", "linearized, a real file": "qpdf__lin5",
    "TeX and an image": "sample-files__003-pdflatex-image--pdflatex-image", "LZW, a real file": "sample-files__007-imagemagick-images--imagemagick-lzw",
    "an inline image, a real file": "sample-files__008-reportlab-inline-image--inline-image", "a form of LibreOffice": "sample-files__012-libreoffice-form--libreoffice-form",
    "emoji of Google Docs": "sample-files__011-google-doc-document--google-doc-document",
    "Google Docs": "sample-files__011-google-doc-document--google-doc-document", "Arabic": "sample-files__015-arabic--habibi",
    "a grey image": "sample-files__019-grayscale-image--grayscale-image", "an image in CMYK": "sample-files__023-cmyk-image--cmyk-image",
    "annotations": "sample-files__024-annotations--annotated_pdf", "JBIG2, a real file": "tika__testPDF_JBIG2",
    "JPEG 2000, a real file": "tika__testPDF_jpeg2000", "Adobe Illustrator": "tika__testPDF_AdobeIllustrator", "text at angles": "tika__testPDF_angles",
    "a turned page": "tika__testPDF_rotated", "revisions": "tika__testPDF_incrementalUpdates",
}
LOCKED = {"a user password, 40 bits": "gen/pdf/text_100_rc4_40_userpw", "a user password, a real file": "real/pdf/qpdf__20-pages"}
EMPTY = {"no pages at all": "real/pdf/qpdf__empty", "a truncated file without a page": "gen/pdf/text_500_truncated_60"}


# The number of cells of a page with small details, and their tolerance: edges of letters differ.
FINE = {"emoji of Google Docs": ((40, 40), 12)}


def shown(name, file):
    # Inks look a little different in each viewer. Small renditions would judge hairlines, which each viewer draws by its own rule.
    grid, bound = FINE.get(name, ((8, 8), 8 if "CMYK" in name else 4))
    return Case(f"real: {name}", f"corpus/real/pdf/{file}.pdf", lambda path: drawn(path, 4790), measure=patches(bound, grid=grid), box="480",
                facts=lambda path: {"pageCount": page_count(path)})


def refused(name, file, failure):
    return Case(f"real: {name}", f"corpus/{file}.pdf", blank, failure=failure)


def blank(path):
    return numpy.full((256, 256, 3), 255, numpy.uint8)


CASES = [shown(name, file) for name, file in SHOWN.items()] + [refused(name, file, "encrypted") for name, file in LOCKED.items()] + [
    refused(name, file, "corrupt") for name, file in EMPTY.items()]
