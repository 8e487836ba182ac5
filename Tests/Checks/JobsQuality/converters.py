"""Holds the text that `compass text` reads against what documents say, beside other converters."""

import collections
import os
import subprocess

import scoring
from maker import writing

OFFICE = "LibreOffice"
# The programs that print the text of a file in each format, as arguments before its path. LibreOffice takes all files at once.
OTHERS = {
    "pdf": {"pdftotext": ["pdftotext", "-enc", "UTF-8", "FILE", "-"]},
    "docx": {"docx2txt": ["docx2txt", "FILE", "-"], OFFICE: None},
    "odt": {"odt2txt": ["odt2txt", "--width=-1", "--encoding=UTF-8", "FILE"], OFFICE: None},
    "rtf": {"unrtf": ["unrtf", "--text", "--nopict", "FILE"], OFFICE: None},
    "doc": {"antiword": ["antiword", "-m", "UTF-8.txt", "-w", "0", "FILE"], "catdoc": ["catdoc", "-d", "utf-8", "-w", "FILE"],
            OFFICE: None},
}
COLUMNS = ["pdftotext", "docx2txt", "odt2txt", "unrtf", "antiword", "catdoc", OFFICE]
# How much less than the best of the others is as good.
MARGIN = 0.005


def common(first, second):
    """The length of the longest common subsequence, by sets of places as bits (M. Crochemore and others, 2001)."""
    places = collections.defaultdict(int)
    for place, word in enumerate(first):
        places[word] |= 1 << place
    whole = (1 << len(first)) - 1
    left = whole
    for word in second:
        matching = left & places.get(word, 0)
        left = ((left + matching) | (left - matching)) & whole
    return len(first) - left.bit_count()


def words(text):
    return scoring.folded(text).split()


def printed(command):
    """What a program prints; nothing where it fails."""
    run = subprocess.run(command, capture_output=True, timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return run.stdout.decode("utf-8", "replace") if run.returncode == 0 else ""


def convert(files, form, ending, folder):
    """The files that LibreOffice makes of some others, by the names of these."""
    folder.mkdir()
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", form, "--outdir", folder, *files],
                   capture_output=True, check=True, timeout=600)
    return {file: folder / (file.stem + ending) for file in files}


def measure(compass, documents, folder):
    """For each format and each program, the share of true words that it finds in their order; and what is worse than it should be.

    `documents` are pairs of a document and its text. Each is written in each format, as DOC by LibreOffice.
    """
    truths = [words(text) for _, text in documents]
    count = sum(map(len, truths))
    files = {}
    for form in OTHERS:
        if form != "doc":
            files[form] = [folder / f"{number:03}{writing.FORMATS[form]}" for number in range(len(documents))]
            for file, (document, _) in zip(files[form], documents):
                file.write_bytes(writing.write(document, form))
    files["doc"] = list(convert(files["docx"], "doc:MS Word 97", ".doc", folder / "doc").values())
    lines = ["| format | `compass text` | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 2) + "|"]
    failures = []
    for form, programs in OTHERS.items():
        shares = {}
        for name, command in {"compass": [compass, "text", "FILE"], **programs}.items():
            if command is None:
                made = convert(files[form], "txt:Text (encoded):UTF8", ".txt", folder / f"{form}-text")
                texts = [made[file].read_text("utf-8-sig") if made[file].exists() else "" for file in files[form]]
            else:
                texts = [printed([file if part == "FILE" else part for part in command]) for file in files[form]]
            shares[name] = sum(common(truth, words(text)) for truth, text in zip(truths, texts)) / count
        ours = shares.pop("compass")
        lines.append(f"| {form.upper()} | {ours:.4f} | " + " | ".join(f"{shares[name]:.4f}" if name in shares else "" for name in COLUMNS) + " |")
        best = max(shares, key=shares.get)
        if ours < shares[best] - MARGIN:
            failures.append(f"text of {form.upper()}: {ours:.4f}, {best} {shares[best]:.4f}")
    return f"{len(documents)} documents with {count:,} words:\n\n" + "\n".join(lines) + "\n", failures
