"""A document as paragraphs, tables and columns, which every format here can write."""

import dataclasses


@dataclasses.dataclass
class Paragraph:
    """`right` stands at the right edge of the same line; `bullet` is the sign of a list's item; `icon` a picture before it."""
    text: str
    size: float = 10
    bold: bool = False
    italic: bool = False
    right: str | None = None
    align: str = "left"
    before: float = 0
    bullet: str | None = None
    heading: bool = False
    icon: bool = False
    colour: tuple = (0, 0, 0)
    spread: bool = False
    indent: float = 0


@dataclasses.dataclass
class Table:
    """Rows of cells; a cell is a text, a paragraph or a list of paragraphs. Widths are shares of the column's."""
    rows: list
    widths: list
    ruled: bool = False
    gap: float = 8


@dataclasses.dataclass
class Columns:
    """Lists of elements beside each other, each with its share of the width; `fill` is the colour behind one of them."""
    parts: list
    gap: float = 18
    fill: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class PageBreak:
    pass


@dataclasses.dataclass
class Document:
    elements: list
    font: str = "Liberation Sans"
    margin: float = 54
    page: tuple = (612, 792)
    leading: float = 1.25


def cell_paragraphs(cell):
    """What a cell of a table holds, as paragraphs."""
    if isinstance(cell, str):
        return [Paragraph(cell)]
    return cell if isinstance(cell, list) else [cell]
