"""Writes a document as plain text of at most 88 columns."""

import textwrap

from .model import Columns, PageBreak, Paragraph, Table, cell_paragraphs

WIDTH = 88


def write(document):
    return ("\n".join(elements(document.elements)).strip("\n") + "\n").encode()


def elements(list_of_elements):
    out = []
    for element in list_of_elements:
        if isinstance(element, Paragraph):
            if element.before >= 6:
                out.append("")
            out += paragraph(element)
        elif isinstance(element, PageBreak):
            out.append("\f")
        elif isinstance(element, Table):
            for row in element.rows:
                cells = [cell_paragraphs(cell) for cell in row]
                if all(len(cell) == 1 for cell in cells):
                    out.append("    ".join(cell[0].text for cell in cells))
                else:
                    for cell in cells:
                        out += elements(cell)
        elif isinstance(element, Columns):
            for _, part in element.parts:
                out += elements(part) + [""]
    return out


def paragraph(p):
    if p.right:
        return [p.text + " " * max(4, WIDTH - len(p.text) - len(p.right)) + p.right]
    text = " ".join(p.text.upper()) if p.spread else p.text
    first = f"{p.bullet} " if p.bullet else ""
    lines = []
    for part in text.split("\n"):
        lines += textwrap.wrap(part, WIDTH, initial_indent=first, subsequent_indent=" " * len(first)) or [""]
    return [line.center(WIDTH).rstrip() for line in lines] if p.align == "center" else lines
