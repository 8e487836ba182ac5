"""The first page by PDFium."""
import sys

import pypdfium2

source, target, box, quality = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
document = pypdfium2.PdfDocument(source)
page = document[0]
page.render(scale=box / max(page.get_size())).to_pil().convert("RGB").save(target, quality=quality)
