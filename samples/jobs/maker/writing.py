"""Writes a document in a format by its name."""

from . import office, pdf, plain

# The ending of a file for each format.
FORMATS = {"pdf": ".pdf", "scan": ".pdf", "docx": ".docx", "odt": ".odt", "rtf": ".rtf", "txt": ".txt"}


def write(document, form):
    if form in ("pdf", "scan"):
        return pdf.write(document, scanned=form == "scan")
    return {"docx": office.docx, "odt": office.odt, "rtf": office.rtf, "txt": plain.write}[form](document)
