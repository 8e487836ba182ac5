#!/usr/bin/env python3
"""Measures the texts of documents, the reading of résumés and the ranking of postings over files whose truth is known; see docs/jobs.md."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
checkout = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(checkout / "samples/jobs"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import converters
import generator
import scoring
from maker import model, offers, people, writing

KINDS = ["email", "phone", "name", "work", "education", "skills"]
FORM_NAMES = {"scan": "scanned PDF", "docx": "DOCX", "odt": "ODT", "rtf": "RTF", "pdf": "PDF", "txt": "plain text"}
GOALS = {"email": 0.99, "phone": 0.99, "name": 0.98, "work": 0.92, "education": 0.96, "skills": 0.85}


class Reader:
    """The program that reads profiles, and `compass text` before it."""

    def __init__(self, programs, compass):
        self.compass = compass
        postings = checkout / "samples/jobs/postings"
        self.process = subprocess.Popen([programs / "jobs-quality", "--postings", postings, offers.DAY.isoformat()],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, question):
        self.process.stdin.write((json.dumps(question) + "\n").encode())
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def text(self, file):
        """The text of a file as a question; `None` where nothing reads this format, or the file has no text."""
        run = subprocess.run([self.compass, "text", "--json", file], capture_output=True, timeout=60)
        if run.returncode != 0:
            return None
        pages = [json.loads(line) for line in run.stdout.splitlines()]
        if "paragraphs" in pages[0]:
            return {"paragraphs": pages[0]["paragraphs"]}
        return {"pages": pages} if any(page["words"] for page in pages) else None


def paragraphs(elements, out, tables):
    """The paragraphs of a document as a reader of word processors' files would give them."""
    def add(element, cell):
        if isinstance(element, model.Paragraph):
            text = element.text + (f"\t{element.right}" if element.right else "")
            style = "heading" if element.heading else "listItem" if element.bullet else "body"
            out.append({"text": text, "style": style, **({"cell": cell} if cell else {})})
        elif isinstance(element, (model.Table, model.Columns)):
            tables[0] += 1
            table = tables[0]
            rows = ([[model.cell_paragraphs(c) for c in row] for row in element.rows] if isinstance(element, model.Table)
                    else [[part for _, part in element.parts]])
            for row, cells in enumerate(rows):
                for column, content in enumerate(cells):
                    for item in content:
                        add(item, [table, row, column])
    for element in elements:
        add(element, None)
    return out


class Set:
    """Documents with their truth, and how they were read."""

    def __init__(self, name, documents):
        self.name, self.documents = name, documents

    def measure(self, reader, question_of, verbose):
        tally, unread, times = scoring.Tally(), [], []
        for label, form, document, truth in self.documents:
            question = question_of(label, form, document)
            if question is None:
                unread.append((label, form))
                continue
            answer = reader.ask(question)
            times.append(answer["microseconds"])
            lines = []
            scoring.score(answer["profile"], truth, tally, lines.append)
            if lines and verbose:
                print(f"-- {self.name}: {label} ({form})")
                for line in lines:
                    print("   ", line)
        return tally, unread, times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--compass", type=pathlib.Path)
    parser.add_argument("--document", type=pathlib.Path, help="the document whose tables are written again")
    parser.add_argument("--part", choices=["texts", "profiles"], help="by default all")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    compass = options.compass or options.programs / "compass"
    twelve = Set("twelve", [(n, f, *make()) for n, f, make in people.PEOPLE if options.only in n])
    sixty = Set("sixty", [item for item in generator.sixty(options.seed) if options.only in item[0]])
    failures = []
    if options.part != "profiles":
        failures += texts(compass, [twelve, sixty], options.document)
    if options.part != "texts":
        failures += profiles(Reader(options.programs, compass), twelve, sixty, options)
    for line in failures:
        print("below its goal:", line, file=sys.stderr)
    sys.exit(1 if failures else 0)


def texts(compass, sets, page):
    """Prints how much of the text is found, and writes it to the page; returns what is worse than it should be."""
    documents = [(document, "\n".join(part["text"] for part in paragraphs(document.elements, [], [0])))
                 for documents in sets for _, _, document, _ in documents.documents]
    with tempfile.TemporaryDirectory() as folder:
        table, failures = converters.measure(compass, documents, pathlib.Path(folder))
    print(table)
    write(page, BEGIN_TEXTS, END_TEXTS, table)
    return failures


def profiles(reader, twelve, sixty, options):
    """As `texts`, of the profiles and the ranking."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def as_file(label, form, document):
            file = folder / (label + writing.FORMATS[form])
            file.write_bytes(writing.write(document, form))
            return reader.text(file)

        ways = [
            ("in their formats", as_file), ("all as PDF", lambda label, _, document: as_file(label, "pdf", document)),
            ("all as paragraphs", lambda _label, _form, document: {"paragraphs": paragraphs(document.elements, [], [0])}),
            ("all as plain text", lambda label, _, document: as_file(label, "txt", document)),
        ]
        for documents in (twelve, sixty):
            for way, question_of in ways:
                tally, unread, times = documents.measure(reader, question_of, options.verbose)
                rows.append((f"{documents.name}, {way}", tally, unread, times))
    text, failures = report(rows)
    ranks, misses = ranking(reader, twelve, isWhole=not options.only)
    text += ranks
    print(text)
    write(options.document, BEGIN, END, text)
    return failures + misses


def write(page, begin, end, text):
    """Puts a text between two marks of a page, where there is one."""
    if page:
        before, _, rest = page.read_text().partition(begin)
        page.write_text(before + begin + "\n\n" + text + "\n" + end + rest.partition(end)[2])


BEGIN, END = "<!-- made by make jobs-quality -->", "<!-- end -->"
BEGIN_TEXTS, END_TEXTS = "<!-- texts, made by make jobs-quality -->", "<!-- end of texts -->"


def report(rows):
    """The table of what was read, and the figures below their goals."""
    head = ["| documents | read | " + " | ".join(KINDS) + " | median | not measured |", "|---" * (len(KINDS) + 4) + "|",
            "| *goal* | | " + " | ".join(f"≥ {GOALS[kind]}" for kind in KINDS) + " | | |"]
    failures = []
    for name, tally, unread, times in rows:
        figures = {kind: tally.f1(kind) for kind in KINDS}
        missing = ", ".join(f"{sum(f == form for _, f in unread)} {FORM_NAMES[form]}" for form in sorted({form for _, form in unread}))
        middle = f"{sorted(times)[len(times) // 2] / 1000:.1f} ms" if times else ""
        head.append(f"| {name} | {len(times)} of {len(times) + len(unread)} | " + " | ".join(f"{value:.3f}" for value in figures.values())
                    + f" | {middle} | {missing} |")
        failures += [f"{name}: {kind} {figures[kind]:.3f}" for kind in KINDS if times and figures[kind] < GOALS[kind]]
    return "\n".join(head) + "\n", failures


def ranking(reader, twelve, isWhole):
    """Of the ten first postings for each of the twelve, how many are of the right or a related occupation; over all twelve, the ranking
    puts more right ones there than full-text search."""
    folder = checkout / "samples/jobs"
    truth = json.loads((folder / "postings/truth.json").read_text())
    related = {o["name"]: set(o.get("related", [])) for o in offers.occupations((folder / offers.LISTS).read_text())}
    rights = {"matched": 0, "searched": 0}
    lines, misses = ["", "| résumé | occupation | ranked: right, related | full-text search: right, related |", "|---|---|---|---|"], []
    for label, _, document, true in twelve.documents:
        own = true["occupation"]
        answer = reader.ask({"paragraphs": paragraphs(document.elements, [], [0])})
        cells, good = [], {}
        for way in ("matched", "searched"):
            found = [truth[posting] for posting in answer[way]]
            right = sum(name == own for name in found)
            near = sum(name in related[own] or own in related[name] for name in found if name != own)
            cells.append(f"{right}, {near} of {len(found)}")
            good[way] = right + near
            rights[way] += right
        lines.append(f"| {label} | {own} | {cells[0]} | {cells[1]} |")
        if good["matched"] < 8:
            misses.append(f"{label}: {good['matched']} of ten")
    if isWhole and rights["matched"] <= rights["searched"]:
        misses.append(f"the ranking puts {rights['matched']} right ones first, and full-text search {rights['searched']}")
    return "\n".join(lines) + "\n", misses


if __name__ == "__main__":
    main()
