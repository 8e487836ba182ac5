"""The table of a benchmark's figures: printed row by row, then written into a page of the documentation."""

import os
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


class Figures:
    """A Markdown table."""

    def __init__(self, *columns):
        self.lines = []
        self.note(*columns)
        self.add("|" + "---|" * len(columns))

    def note(self, *cells):
        self.add("| " + " | ".join(cells) + " |")

    def add(self, line):
        self.lines.append(line)
        print(line, flush=True)

    def write(self, page, name, before, behind=""):
        """Replaces the section of a page that its marks name: the table, with a line before it and perhaps one behind it."""
        path = DOCS / page
        text = path.read_text()
        begin, end = f"<!-- {name} figures -->\n", f"<!-- end of {name} figures -->\n"
        if begin not in text or end not in text:
            raise SystemExit(f"docs/{page} has no place for the figures")
        head, rest = text.split(begin, 1)
        parts = [before, "\n".join(self.lines), *([behind] if behind else [])]
        path.write_text(head + begin + "\n\n".join(parts) + "\n" + end + rest.split(end, 1)[1])


def machine():
    """What the figures depend on, in words."""
    return f"{os.cpu_count()} shared cores, load {os.getloadavg()[1]:.1f}"
