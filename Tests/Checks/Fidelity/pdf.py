"""A writer of small PDF files, and pages whose pictures are known because they are painted twice: as PDF and as pixels."""

import zlib

import numpy

from chart import made

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (20, 160, 60), (30, 60, 210), (240, 200, 20)
BLACK, WHITE, GREY = (0, 0, 0), (255, 255, 255), (128, 128, 128)
REFERENCE_SIDE = 768
"""Pixels on the longer side of a painted reference: more than any rendition has."""


class PDF:
    """Objects by their numbers, and the pages among them."""

    def __init__(self, version="1.7"):
        self.version, self.objects, self.pages = version, {}, []
        self.catalogue_entries, self.tree_entries = "", ""
        self.tree = self.reserve()

    def reserve(self):
        """A number whose object follows later."""
        self.objects[len(self.objects) + 1] = b"null"
        return len(self.objects)

    def add(self, body, number=None):
        number = number or self.reserve()
        self.objects[number] = body if isinstance(body, bytes) else body.encode("latin-1")
        return number

    def stream(self, data, entries="", number=None, compressed=False):
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        if compressed:
            data, entries = zlib.compress(data), entries + "/Filter/FlateDecode"
        head = f"<<{entries}/Length {len(data)}>>\nstream\n".encode("latin-1")
        return self.add(head + data + b"\nendstream", number)

    def form(self, content, box, entries=""):
        return self.stream(content, f"/Type/XObject/Subtype/Form/BBox[{words(box)}]{entries}")

    def image(self, data, width, height, entries):
        return self.stream(data, f"/Type/XObject/Subtype/Image/Width {width}/Height {height}{entries}")

    def page(self, content, width=200, height=200, resources="", entries="", media=True):
        box = f"/MediaBox[0 0 {width} {height}]" if media else ""
        contents = f"/Contents {self.stream(content)} 0 R" if content is not None else ""
        self.pages.append(self.add(
            f"<</Type/Page/Parent {self.tree} 0 R{box}/Resources<<{resources}>>{contents}{entries}>>"))
        return self.pages[-1]

    def finish(self):
        """Adds the page tree if it is missing, and the catalogue; returns the catalogue's number."""
        if self.objects[self.tree] == b"null":
            kids = " ".join(f"{page} 0 R" for page in self.pages)
            self.add(f"<</Type/Pages/Kids[{kids}]/Count {len(self.pages)}{self.tree_entries}>>", self.tree)
        return self.add(f"<</Type/Catalog/Pages {self.tree} 0 R{self.catalogue_entries}>>")

    def data(self, trailer="", offset=0):
        """The file; `offset` is added to every place in its cross-reference table."""
        root = self.finish()
        out, places = bytearray(f"%PDF-{self.version}\n%\xe2\xe3\xcf\xd3\n".encode("latin-1")), []
        for number, body in self.objects.items():
            places.append(len(out) + offset)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start, count = len(out) + offset, len(self.objects) + 1
        out += b"xref\n0 %d\n0000000000 65535 f \n" % count + b"".join(b"%010d 00000 n \n" % place for place in places)
        out += f"trailer\n<</Size {count}/Root {root} 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n".encode("latin-1")
        return bytes(out)


def words(values):
    return " ".join(f"{value:.6g}" if isinstance(value, float) else str(value) for value in values)


def fill(colour):
    return words([round(value / 255, 4) for value in colour]) + " rg "


class Sheet:
    """A page painted twice. Places are in points from the left lower corner of the sheet."""

    def __init__(self, width=200, height=200, ground=WHITE, origin=(0, 0)):
        self.width, self.height, self.origin = width, height, origin
        self.scale = REFERENCE_SIDE / max(width, height)
        self.picture = numpy.empty((max(1, round(height * self.scale)), max(1, round(width * self.scale)), 3), numpy.uint8)
        self.picture[:] = ground
        self.content = ""

    def rectangle(self, x, y, width, height, colour):
        self.content += f"{fill(colour)}{words((x + self.origin[0], y + self.origin[1], width, height))} re f\n"
        return self.pixels(x, y, width, height, colour)

    def pixels(self, x, y, width, height, colour):
        """Paints the reference alone."""
        rows, columns = self.area(x, y, width, height)
        self.picture[rows, columns] = colour
        return self

    def area(self, x, y, width, height):
        bottom = self.picture.shape[0]
        edge = lambda value: max(0, round(value * self.scale))
        return slice(max(0, bottom - edge(y + height)), bottom - edge(y)), slice(edge(x), edge(x + width))

    def card(self):
        """An F upright between four corners: red and green on top, blue and yellow below."""
        side, unit = min(self.width, self.height) / 5, min(self.width, self.height) / 10
        self.rectangle(0, 0, self.width, self.height, (200, 214, 226))
        for x, y, colour in ((0, 1, RED), (1, 1, GREEN), (0, 0, BLUE), (1, 0, YELLOW)):
            self.rectangle(x * (self.width - side), y * (self.height - side), side, side, colour)
        left, bottom = self.width / 2 - 2 * unit, self.height / 2 - 3.5 * unit
        for x, y, width, height in ((0, 0, 1.2, 7), (0, 5.8, 4, 1.2), (0, 3, 3.2, 1.2)):
            self.rectangle(left + x * unit, bottom + y * unit, width * unit, height * unit, BLACK)
        return self


def document(name, data):
    """The maker of a file; `data` may be a function without arguments."""
    return made(name.replace("/", "-").replace(" ", "-") + ".pdf", lambda path: path.write_bytes(data() if callable(data) else data))


def one_page(content, width=200, height=200, resources="", entries="", **options):
    pdf = PDF()
    pdf.page(content, width, height, resources, entries, **options)
    return pdf.data()
