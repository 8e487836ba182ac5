"""Writes PDFs."""

import zlib


class Writer:
    """Writes a PDF, object by object, and the table of where they are."""

    def __init__(self, target):
        self.file = open(target, "wb")
        self.file.write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        self.places = {}
        self.count = 2
        self.pages = []

    def reserve(self):
        self.count += 1
        return self.count

    def add(self, body, number=None):
        number = number or self.reserve()
        self.places[number] = self.file.tell()
        self.file.write(b"%d 0 obj\n" % number + (body if isinstance(body, bytes) else body.encode()) + b"\nendobj\n")
        return number

    def stream(self, data, entries=""):
        return self.add(f"<</Length {len(data)} {entries}>>\nstream\n".encode() + data + b"\nendstream")

    def packed(self, data, entries=""):
        return self.stream(zlib.compress(data, 6), f"/Filter/FlateDecode {entries}")

    def page(self, width, height, content, resources):
        self.pages.append(self.add(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:g} {height:g}]/Contents {content} 0 R/Resources<<{resources}>>>>"))

    def close(self):
        self.add("<</Type/Catalog/Pages 2 0 R>>", 1)
        kids = " ".join(f"{page} 0 R" for page in self.pages)
        self.add(f"<</Type/Pages/Count {len(self.pages)}/Kids[{kids}]>>", 2)
        start = self.file.tell()
        rows = b"".join(b"%010d 00000 n \n" % self.places[number] for number in range(1, self.count + 1))
        self.file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (self.count + 1) + rows)
        self.file.write(b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (self.count + 1, start))
        self.file.close()


def image_page(writer, data, width, height, page_width, page_height, entries):
    image = writer.stream(
        data, f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/BitsPerComponent 8{entries}")
    content = writer.packed(f"q {page_width:g} 0 0 {page_height:g} 0 0 cm /I Do Q".encode())
    writer.page(page_width, page_height, content, f"/XObject<</I {image} 0 R>>")
