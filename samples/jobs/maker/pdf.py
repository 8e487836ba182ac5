"""Writes a document as a PDF by cairo, or as a PDF of one picture a page, as a scanner makes it."""

import io
import math

import cairo

from .model import Columns, PageBreak, Paragraph, Table, cell_paragraphs


class Layout:
    """Places lines on pages, and keeps what is to be drawn: (page, function of a context)."""

    def __init__(self, document):
        self.document = document
        self.marks = []
        self.context = cairo.Context(cairo.RecordingSurface(cairo.CONTENT_COLOR, None))
        width, self.height = document.page
        self.flow(document.elements, document.margin, width - 2 * document.margin, 0, document.margin)

    def flow(self, elements, x, width, page, y):
        """Places elements in a column; returns page and y behind the last."""
        for element in elements:
            if isinstance(element, PageBreak):
                page, y = page + 1, self.document.margin
            elif isinstance(element, Paragraph):
                page, y = self.paragraph(element, x, width, page, y)
            elif isinstance(element, Table):
                page, y = self.table(element, x, width, page, y)
            elif isinstance(element, Columns):
                page, y = self.columns(element, x, width, page, y)
        return page, y

    def columns(self, columns, x, width, page, y):
        shares = [share for share, _ in columns.parts]
        free = width - columns.gap * (len(shares) - 1)
        ends, left = [], x
        for index, (share, elements) in enumerate(columns.parts):
            own = free * share / sum(shares)
            if index in columns.fill:
                self.fill(page, columns.fill[index], left - 8, y - 8, own + 16, self.height - y)
            ends.append(self.flow(elements, left, own, page, y))
            left += own + columns.gap
        return max(ends)

    def fill(self, page, colour, x, y, width, height):
        def draw(context):
            context.set_source_rgb(*colour)
            context.rectangle(x, y, width, height)
            context.fill()
        self.marks.insert(0, (page, draw))

    def table(self, table, x, width, page, y):
        free = width - table.gap * (len(table.widths) - 1)
        for row in table.rows:
            paragraphs = [cell_paragraphs(cell) for cell in row]
            height = max(sum(self.height_of(p, free * share / sum(table.widths)) for p in cell) for cell, share in zip(paragraphs, table.widths))
            if y + min(height, 60) > self.height - self.document.margin:
                page, y = page + 1, self.document.margin
            left, ends = x, []
            for cell, share in zip(paragraphs, table.widths):
                own = free * share / sum(table.widths)
                ends.append(self.flow(cell, left, own, page, y))
                left += own + table.gap
            page, y = max(ends)
            y += 3
        return page, y

    def select(self, context, p):
        context.select_font_face(
            self.document.font, cairo.FONT_SLANT_ITALIC if p.italic else cairo.FONT_SLANT_NORMAL,
            cairo.FONT_WEIGHT_BOLD if p.bold else cairo.FONT_WEIGHT_NORMAL)
        context.set_font_size(p.size)

    def width_of(self, p, text):
        self.select(self.context, p)
        return self.context.text_extents(text).x_advance

    def lines(self, p, width):
        lines = []
        for part in p.text.split("\n"):
            line = ""
            for word in part.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.width_of(p, longer) > width:
                    lines.append(line)
                    line = word
                else:
                    line = longer
            lines.append(line)
        return lines

    def inset(self, p):
        return p.indent + (12 if p.bullet else 0) + (p.size * 1.6 if p.icon else 0)

    def height_of(self, p, width):
        return p.before + len(self.lines(p, width - self.inset(p))) * p.size * self.document.leading

    def paragraph(self, p, x, width, page, y):
        y += p.before
        step = p.size * self.document.leading
        inset = self.inset(p)
        free = width - inset - (self.width_of(p, p.right) + 12 if p.right else 0)
        for index, line in enumerate(self.lines(p, free)):
            if y + step > self.height - self.document.margin * 0.7:
                page, y = page + 1, self.document.margin
            y += step
            left = x + inset
            if p.align == "center":
                left = x + (width - self.width_of(p, line)) / 2
            elif p.align == "right":
                left = x + width - self.width_of(p, line)
            if p.bullet and index == 0:
                self.text(page, p, x + p.indent, y, p.bullet)
            if p.icon and index == 0:
                self.icon(page, x, y, p.size)
            self.text(page, p, left, y, line)
            if p.right and index == 0:
                self.text(page, p, x + width - self.width_of(p, p.right), y, p.right)
        return page, y

    def icon(self, page, x, y, size):
        """A drawn sign, as templates put before mail and telephone."""
        def draw(context):
            context.set_source_rgb(0.2, 0.4, 0.7)
            context.arc(x + size / 2, y - size * 0.35, size * 0.45, 0, 2 * math.pi)
            context.fill()
        self.marks.append((page, draw))

    def text(self, page, p, x, y, text):
        def draw(context):
            self.select(context, p)
            context.set_source_rgb(*p.colour)
            if not p.spread:
                context.move_to(x, y)
                context.show_text(text)
                return
            left = x
            for letter in text:
                context.move_to(left, y)
                context.show_text(letter)
                left += context.text_extents(letter).x_advance + p.size * 0.25
        self.marks.append((page, draw))

    def pages(self):
        return max((page for page, _ in self.marks), default=0) + 1

    def draw(self, context, page):
        for number, mark in self.marks:
            if number == page:
                mark(context)


def write(document, scanned=False):
    layout = Layout(document)
    data = io.BytesIO()
    surface = cairo.PDFSurface(data, *document.page)
    surface.set_metadata(cairo.PDFMetadata.CREATE_DATE, "2026-01-01T00:00:00Z")
    context = cairo.Context(surface)
    for page in range(layout.pages()):
        if scanned:
            paint_scan(context, layout, page, document.page)
        else:
            layout.draw(context, page)
        context.show_page()
    surface.finish()
    return data.getvalue()


def scan(layout, page, size, scale=200 / 72):
    """The page as a picture of 200 dpi, a third of a degree askew."""
    picture = cairo.ImageSurface(cairo.FORMAT_RGB24, int(size[0] * scale), int(size[1] * scale))
    context = cairo.Context(picture)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.scale(scale, scale)
    context.translate(size[0] / 2, size[1] / 2)
    context.rotate(math.radians(0.3))
    context.translate(-size[0] / 2, -size[1] / 2)
    layout.draw(context, page)
    return picture


def paint_scan(context, layout, page, size):
    picture = scan(layout, page, size)
    context.save()
    context.scale(size[0] / picture.get_width(), size[1] / picture.get_height())
    context.set_source_surface(picture)
    context.paint()
    context.restore()
