#!/usr/bin/python3
"""Compares `compass check` with the rule of the document types, applied here by other readers: zipfile, olefile,
ffprobe and file(1). It checks every file of samples/ and of the corpus under every type.

Prints each verdict that differs; those with a reason in REASONS are explained. Ends with 1 where one is not.
"""

import json
import pathlib
import re
import subprocess
import sys
import zipfile

import olefile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TYPES = {
    "highlight_video": (".mp4", ".mov", ".avi"), "transcript": (".pdf", ".txt"), "resume": (".pdf", ".doc", ".docx"),
    "rec_letter": (".pdf",), "questionnaire": (".pdf", ".doc", ".docx"), "stats_sheet": (".csv", ".xls", ".xlsx"),
}
REASONS = {
    "media__drm--sample_av1c_fragmented_clearkey.mp4": "its track is video, encrypted; ffprobe 5.1 does not know such AV1",
    "tika__testMessageNews.txt": "plain text that begins as a news message does; file(1) has a name of its own for it",
}
"""By the file's name: why our verdict is right where it differs."""


def fits(path):
    """Whether the content is what the extension allows."""
    extension, data = path.suffix.lower(), path.read_bytes()[:1 << 20]
    if extension == ".pdf":
        return b"%PDF-" in data[:1024 + 5]
    if extension in (".mp4", ".mov", ".avi"):
        return is_video(path, "avi" if extension == ".avi" else "mov,mp4")
    if extension in (".txt", ".csv"):
        return is_text(path, data, extension)
    if extension == ".doc" and data.startswith(b"{\\rtf"):
        return True
    if extension in (".doc", ".xls"):
        return has_stream(path, ("WordDocument",) if extension == ".doc" else ("Workbook", "Book"))
    kind = "wordprocessingml.document" if extension == ".docx" else "spreadsheetml.sheet"
    return has_stream(path, ("EncryptedPackage",)) or main_part(path) == f"application/vnd.openxmlformats-officedocument.{kind}.main+xml"


def is_video(path, container):
    done = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=format_name:stream=codec_type:stream_disposition=attached_pic",
                           "-of", "json", path], capture_output=True)
    found = json.loads(done.stdout or "{}")
    moving = [s for s in found.get("streams", []) if s.get("codec_type") == "video" and not s["disposition"]["attached_pic"]]
    return bool(moving) and found.get("format", {}).get("format_name", "").startswith(container)


def is_text(path, data, extension):
    said = subprocess.run(["file", "-b", "--mime-type", path], capture_output=True, text=True).stdout.strip()
    return (said in ("text/plain", "text/csv", "application/csv") or extension == ".txt" and said == "application/json") and not data.startswith(b"#!")


def has_stream(path, names):
    if not olefile.isOleFile(path):
        return False
    with olefile.OleFileIO(path) as file:
        return any(file.exists(name) for name in names)


def main_part(path):
    """The content type of the package's main part."""
    if not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as package:
        if "[Content_Types].xml" not in package.namelist():
            return None
        listed = package.read("[Content_Types].xml").decode("utf-8", "replace")
    return next(iter(re.findall(r'ContentType="([^"]*main\+xml)"', listed)), None)


def main(compass, corpus):
    files = [path for root in (ROOT / "samples", corpus / "real", corpus / "gen") if root.is_dir()
             for path in sorted(root.rglob("*")) if path.is_file()]
    contents = {path: fits(path) for path in files if any(path.suffix.lower() in allowed for allowed in TYPES.values())}
    differences = count = 0
    for kind, allowed in TYPES.items():
        done = subprocess.run([compass, "check", "--json", "--type", kind, *map(str, files)], capture_output=True, text=True)
        verdicts = {line["source"]: line for line in map(json.loads, done.stdout.splitlines())}
        for path in files:
            count += 1
            expected = path.suffix.lower() in allowed and contents[path]
            verdict = verdicts.get(str(path), {"allowed": None})
            if verdict["allowed"] != expected and path.name not in REASONS:
                differences += 1
                print(f"red\tverdicts\t{path.name} as {kind}\tallowed: {verdict['allowed']}, expected {expected}\t"
                      f"{(verdict.get('failure') or {}).get('detail', (verdict.get('facts') or {}).get('mediaType', ''))}")
    print(f"{count} verdicts, {differences} that differ without a reason, {len(REASONS)} explained")
    return 1 if differences or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
