"""Times searches for jobs over many postings, on SQLite and on a PostgreSQL server of its own, and the text of a long PDF beside pdftotext;
writes the table of docs/jobs.md.

    jobs.py --programs FOLDER [--postings 100000] [--database sqlite|postgresql] [--quick]

The table is written where both databases were measured with all postings.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import Server
from figures import Figures, machine
from pdf import Writer
from service import Service

JOBS = Path(__file__).resolve().parent.parent / "samples" / "jobs"
sys.path.insert(0, str(JOBS))
from maker import offers

# What employers put behind a title.
ENDINGS = ["", ", Night Shift", ", Weekends", ", Regional", ", Field Team", ", Headquarters", ", New Site", ", Parental Cover", ", Part-time",
           ", Trainee Programme", ", Key Accounts", ", Research", ", Public Sector", ", Overseas"]
SCANNED = "mechanical-engineer.pdf"
GOALS = {
    "import, postings a second": "≥ 2,500", "upload of a PDF until its session is completed, p50": "< 1 s", "the same of a DOCX, p50": "< 1 s",
    "the same of a scanned page, p50": "< 5 s", "the jobs of a session, p50": "< 30 ms",
}


def write_postings(path, count):
    """Postings of the samples' generator, in many more titles.

    Returns the number of different titles."""
    dice, titles = random.Random(3), set()
    occupations = offers.occupations((JOBS / offers.LISTS).read_text())
    with path.open("w") as file:
        for number in range(count):
            occupation = dice.choice(occupations)
            title = dice.choice(offers.MARKS).format(dice.choice(occupation["titles"])) + dice.choice(ENDINGS)
            titles.add(title)
            posting = offers.posting(dice, number, occupation, title, offers.DAY)
            posting["text"] = "\n".join(posting.pop("lines"))
            file.write(json.dumps(posting, ensure_ascii=False) + "\n")
    return len(titles)


class Bench:
    """One database with all postings, a documentd and a thumbd."""

    def __init__(self, options, folder, postings, database=()):
        self.options, self.folder, self.database, self.thumbd = options, folder, database, None
        self.figures = {}
        begin = time.perf_counter()
        self.run("documentd", "postings", "import", "--data", folder, *database, "--source", "bench", "--as-of-today", postings)
        self.figures["import, postings a second"] = f"{options.postings / (time.perf_counter() - begin):,.0f}"
        self.service = Service(
            options.programs, str(folder), "--worker", "no", "--requests-per-minute", "none", "--searches-per-hour", "none", *database)
        queue = database or ("--queue", str(folder / "documents.sqlite"))
        command = [options.programs / "thumbd", *queue, "--store", folder / "store", "--cache", folder / "cache", "--listen", "",
                   "--log-level", "warning"]
        self.thumbd = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL)

    def run(self, program, *words):
        done = subprocess.run([str(word) for word in (self.options.programs / program, *words)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{program} {words[0]}: {done.stdout[-1000:]}{done.stderr[-1000:]}")

    def measure(self):
        resumes = JOBS / "resumes"
        rounds = 1 if self.options.quick else 3
        documents = sorted(path for path in resumes.glob("*.pdf") if path.name != SCANNED)
        # Renderers start.
        self.search(documents[0])
        self.search(resumes / SCANNED)
        tokens = self.searches("upload of a PDF until its session is completed, p50", documents * rounds)
        tokens += self.searches("the same of a DOCX, p50", sorted(resumes.glob("*.docx")) * rounds)
        tokens += self.searches("the same of a scanned page, p50", [resumes / SCANNED] * rounds)
        times, most = [], 0
        for token in tokens * 5:
            begin = time.perf_counter()
            answer = self.service.get("/api/public/jobs?token=" + token)
            times.append(time.perf_counter() - begin)
            most = max(most, len(json.loads(answer)))
        self.figures["the jobs of a session, p50"] = f"{statistics.median(times) * 1000:.1f} ms, of up to {most} jobs"

    def searches(self, what, paths):
        found = [self.search(path) for path in paths]
        median = statistics.median(seconds for _, seconds in found)
        self.figures[what] = f"{median * 1000:.0f} ms" if median < 1 else f"{median:.1f} s"
        return [token for token, _ in found]

    def search(self, path):
        """The token of a search, and the seconds until it is completed."""
        body = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n" % path.name.encode()
        body += path.read_bytes() + b"\r\n--edge--\r\n"
        begin = time.perf_counter()
        answer, data = self.service.request("POST", "/api/resume", body, {"Content-Type": "multipart/form-data; boundary=edge"})
        if answer.status != 200:
            raise SystemExit(f"{path.name}: {answer.status} {data[:300]}")
        token = json.loads(data)["view_token"]
        while (session := json.loads(self.service.get("/api/public/session?token=" + token)))["status"] == "processing":
            if time.perf_counter() - begin > 60:
                raise SystemExit(f"{path.name}: no end")
            time.sleep(0.01)
        if session["status"] != "completed":
            raise SystemExit(f"{path.name}: {session}")
        return token, time.perf_counter() - begin

    def end(self):
        if self.thumbd:
            self.thumbd.terminate()
            self.thumbd.wait(60)
        self.service.end()


def measured(options, scratch, name, postings):
    """The figures of a database."""
    server = Server() if name == "PostgreSQL" else None
    bench = None
    try:
        bench = Bench(options, scratch / name, postings, ("--database", server.url) if server else ())
        bench.measure()
    finally:
        if bench:
            bench.end()
        if server:
            server.end()
    if server:
        name += " " + server.version
    for what, figure in bench.figures.items():
        print(f"{name}: {what}: {figure}", flush=True)
    return name, bench.figures


def long_text(options, scratch):
    """A sentence about `compass text` of 500 pages, each time with an empty cache, beside pdftotext."""
    file = Path(os.environ.get("COMPASS_CORPUS", "")) / "gen/pdf/text_500.pdf"
    if not file.is_file():
        file = scratch / "pages.pdf"
        write_text(file, 500)
    cache, times = scratch / "cache", {}
    commands = {"compass": [options.programs / "compass", "text", "--cache", cache, file], "pdftotext": ["pdftotext", file, "-"]}
    for number in range(-1, 3 if options.quick else 9):
        for name, words in commands.items():
            shutil.rmtree(cache, ignore_errors=True)
            begin = time.perf_counter()
            subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
            if number >= 0:
                times.setdefault(name, []).append(time.perf_counter() - begin)
    ours, theirs = (statistics.median(times[name]) for name in commands)
    words = len(subprocess.run(["pdftotext", file, "-"], check=True, capture_output=True).stdout.split()) / 500
    return (f"`compass text` of a PDF of 500 pages of {words:.0f} words takes {ours:.2f} s, its words kept in the cache, and pdftotext {theirs:.2f} s: "
            f"{ours / theirs:.2f} times as long; the goal is 1.15 ([decision 0074](decisions/0074-texts-read-together-share-a-file.md)).")


def write_text(path, page_count):
    """Pages of 40 lines of eight words."""
    writer, dice = Writer(path), random.Random(1)
    words = sorted({word for lines in offers.TITLES.values() for line in lines for word in line.split() if word.isalpha()})
    font = writer.add("<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>")
    for _ in range(page_count):
        lines = "".join(f"({' '.join(dice.choice(words) for _ in range(8))}) Tj T*\n" for _ in range(40))
        content = writer.packed(f"BT /F 11 Tf 14 TL 60 730 Td\n{lines}ET\n".encode())
        writer.page(612, 792, content, f"/Font<</F {font} 0 R>>")
    writer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--postings", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], help="this one alone, without writing the table")
    parser.add_argument("--quick", action="store_true", help="few postings: whether it works")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    if options.quick:
        options.postings = min(options.postings, 5_000)
    databases = [name for name in ("SQLite", "PostgreSQL") if options.database in (None, name.lower())]
    with tempfile.TemporaryDirectory(prefix="compass-jobs-", dir="/var/tmp") as folder:
        scratch = Path(folder)
        titles = write_postings(scratch / "bench.jsonl", options.postings)
        columns = dict(measured(options, scratch, name, scratch / "bench.jsonl") for name in databases)
        text = long_text(options, scratch)
    figures = Figures("", *columns, "goal")
    for what, goal in GOALS.items():
        figures.note(what, *(column[what] for column in columns.values()), goal)
    print("\n" + text)
    if not options.quick and options.postings >= 100_000 and len(columns) == 2:
        figures.write("jobs.md", "speed", f"{options.postings:,} postings of {titles:,} titles in the index, {machine()}:", text)


if __name__ == "__main__":
    sys.exit(main())
