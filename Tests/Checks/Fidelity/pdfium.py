#!/usr/bin/python3
"""PDFium, as Chrome shows PDF: `pdfium.py in out edge [page]` writes a page so that its longer side measures `edge` pixels.

With `count` instead of `out` it prints the number of pages.
"""

import pathlib
import sys

LIBRARY = pathlib.Path(__file__).resolve().parents[3] / "build/fidelity-python"
"""Where `make fidelity` puts what requirements.txt lists."""
sys.path.insert(0, str(LIBRARY))


def drawn(path, edge, page=1):
    """The page as a viewer shows it, annotations and form fields included: an array of height × width × 3."""
    import numpy
    import pypdfium2
    document = pypdfium2.PdfDocument(path)
    if document.get_formtype():
        document.init_forms()
    sheet = document[page - 1]
    scale = edge / max(sheet.get_size())
    picture = sheet.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
    # Its sides are rounded up.
    width, height = (round(side * scale) for side in sheet.get_size())
    return numpy.array(picture)[:height, :width]


def page_count(path):
    import pypdfium2
    return len(pypdfium2.PdfDocument(path))


def main():
    from PIL import Image
    source, output, *rest = sys.argv[1:]
    if output == "count":
        print(page_count(source))
    else:
        Image.fromarray(drawn(source, int(rest[0]), int(rest[1]) if rest[1:] else 1)).save(output)


if __name__ == "__main__":
    main()
