"""Random pages of groups, soft masks and blend modes, generated from a seed."""

import random

from page_blending import MODES
from pdf import PDF, fill, words

SIDE = 240
DEPTH = 3
"""Groups within groups."""


class Painting:
    """The content of a page or of a group, and the resources that it names."""

    def __init__(self, pdf, chance, depth=0):
        self.pdf, self.chance, self.depth = pdf, chance, depth
        self.content, self.states, self.forms = "", [], []
        for _ in range(chance.randint(2, 4)):
            self.mark()

    def mark(self):
        """A rectangle or a group, with a graphics state of its own."""
        self.content += f"q /G{len(self.states)} gs\n"
        self.states.append(self.state())
        if self.depth < DEPTH and self.chance.random() < 0.4:
            self.content += f"/X{len(self.forms)} Do\n"
            self.forms.append(self.group())
        else:
            self.content += self.rectangle()
        self.content += "Q\n"

    def state(self):
        """A blend mode and constant alpha; at times a soft mask."""
        mode = self.chance.choice(["Normal"] * 6 + list(MODES))
        alpha = self.chance.choice([1, 1, 0.25, 0.5, 0.75])
        mask = self.mask() if self.chance.random() < 0.15 else "/None"
        return f"<</BM/{mode}/ca {alpha}/CA {alpha}/SMask{mask}>>"

    def mask(self):
        """By luminosity or by alpha: two rectangles of gray."""
        kind = self.chance.choice(["Luminosity", "Alpha"])
        content = "".join(f"{self.chance.choice([0, 0.25, 0.5, 1])} g {words(self.place())} re f " for _ in range(2))
        form = self.pdf.form(content, (0, 0, SIDE, SIDE), "/Group<</S/Transparency/CS/DeviceGray>>")
        return f"<</S/{kind}/G {form} 0 R>>"

    def group(self):
        """Isolated or not; knockout groups have cases of their own."""
        inner = Painting(self.pdf, self.chance, self.depth + 1)
        isolated = self.chance.random() < 0.5
        entries = f"/Group<</S/Transparency/CS/DeviceRGB/I {str(isolated).lower()}>>/Resources<<{inner.resources}>>"
        return self.pdf.form(inner.content, (0, 0, SIDE, SIDE), entries)

    @property
    def resources(self):
        states = "".join(f"/G{index} {state}" for index, state in enumerate(self.states))
        forms = "".join(f"/X{index} {form} 0 R" for index, form in enumerate(self.forms))
        return f"/ExtGState<<{states}>>/XObject<<{forms}>>"

    def rectangle(self):
        return f"{fill([self.chance.randrange(0, 256, 15) for _ in range(3)])}{words(self.place())} re f\n"

    def place(self):
        """On multiples of 30 points, so that edges fall between cells and antialiasing plays no part."""
        x, y = (self.chance.randrange(0, SIDE - 60, 30) for _ in range(2))
        return (x, y, self.chance.randrange(60, SIDE - x + 1, 30), self.chance.randrange(60, SIDE - y + 1, 30))


def page(seed):
    """The bytes of a document of one page."""
    pdf, chance = PDF(), random.Random(seed)
    painting = Painting(pdf, chance)
    entries = "/Group<</S/Transparency/CS/DeviceRGB>>" if chance.random() < 0.7 else ""
    pdf.page(painting.content, SIDE, SIDE, painting.resources, entries)
    return pdf.data()


def write(folder, seed, count):
    """A number of files, each from a seed of its own, and their names."""
    for number in range(seed * 10_000, seed * 10_000 + count):
        path = folder / f"page-{number}.pdf"
        path.write_bytes(page(number))
        yield path, f"generated/{path.name}"
