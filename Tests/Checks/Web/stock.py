"""The documents that tests find: each function fills a service once, and tests get copies."""

import datetime
import hashlib
import io
import json
import sqlite3
import subprocess
from pathlib import Path

from PIL import Image

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
SCHOOLS = ["Ohio State", "Duke", "Stanford"]


def empty(service):
    pass


def few(service):
    """Nine documents of six types, three schools, one document shared with two of them."""
    schools = [service.ask("/api/schools", "POST", {"name": name}) for name in SCHOOLS]
    for type, file, title in [
        ("stats_sheet", "stats.xlsx", "Season statistics"), ("stats_sheet", "stats.csv", "Stats by game"),
        ("questionnaire", "letter.doc", "Duke questionnaire"), ("rec_letter", "rotate-90.pdf", "Letter of Coach Miller"),
        ("resume", "resume.docx", "Athletic resume"), ("transcript", "transcript.txt", "Junior transcript"),
        ("transcript", "pages-24.pdf", "Senior transcript"), ("highlight_video", "rotate-90.mp4", "Sprint from the side"),
        ("highlight_video", "h264.mp4", "Freshman Highlights"),
    ]:
        made = service.upload(SAMPLES / file, type=type, title=title)
        if title == "Freshman Highlights":
            service.ask(f"/api/documents/{made['id']}/shares", "POST", {"school_ids": [school["id"] for school in schools[:2]]})
        if title == "Senior transcript":
            service.ask(f"/api/documents/{made['id']}", "PATCH",
                        {"school_id": schools[0]["id"], "description": "Grades of all four years."})
    service.wait_for_pictures()


def many(service):
    """A thousand documents, of which every tenth is a PDF."""
    text, pages = (SAMPLES / "transcript.txt").read_bytes(), (SAMPLES / "pages-24.pdf").read_bytes()
    for number in range(1, 1001):
        content, name = (pages, "pages.pdf") if number % 10 == 0 else (text + str(number % 5).encode(), "text.txt")
        service.upload(content, name=name, type="transcript", title=f"Transcript {number:04}")
    service.wait_for_pictures()


def fifty(service):
    """Fifty documents with pictures, as the list's first page shows them."""
    files = ["pages-24.pdf", "rotate-90.pdf", "page-1.pdf", "image.pdf", "cropbox.pdf"]
    for number in range(1, 51):
        service.upload(SAMPLES / files[number % 5], type="transcript", title=f"Transcript {number:04}")
    service.wait_for_pictures()


def large(service):
    """A PDF of 504 pages, a picture of 20 megapixels, and a video of ten seconds at 1,280 × 720."""
    book, video = service.folder / "book.pdf", service.folder / "video.mp4"
    subprocess.run(["qpdf", "--empty", "--pages"] + [SAMPLES / "pages-24.pdf"] * 21 + ["--", book], check=True)
    service.upload(book, type="transcript", title="pages")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=10", "-c:v", "libx264",
                    "-pix_fmt", "yuv420p", "-movflags", "+faststart", video], check=True)
    service.upload(video, type="highlight_video", title="video")
    service.upload(SAMPLES / "image.pdf", type="resume", title="picture")
    service.wait_for_pictures()


def odd(service):
    """Documents at the edges: long and right-to-left titles, 12 versions, 50 schools, a file that is checked, an image."""
    schools = [service.ask("/api/schools", "POST", {"name": f"University {number:02}"})["id"] for number in range(1, 51)]
    wide = service.upload(SAMPLES / "transcript.txt", type="transcript", title="W" * 100)
    service.upload(SAMPLES / "transcript.txt", type="transcript", title="سجل الدرجات 2025 (نهائي).pdf")
    service.ask(f"/api/documents/{wide['id']}/shares", "POST", {"school_ids": schools[:25]})
    versions = service.upload(SAMPLES / "pages-24.pdf", type="rec_letter", title="Twelve versions")
    for _ in range(11):
        versions = service.upload(SAMPLES / "page-1.pdf", path=f"/api/documents/{versions['id']}/versions")
    service.upload(SAMPLES / "rotate-90.pdf", type="resume", title="Under a check")
    service.upload(SAMPLES / "image.pdf", type="resume", title="A photograph")
    service.wait_for_pictures()


def _import_postings(service):
    """Postings that fit the service's own sample résumé, of a UX designer in Berlin: 95, 31 of them remote, as of the day of the test."""
    lines = []
    for number in range(95):
        title = ["UX Designer", "Product Designer", "Interaction Designer", "Graphic Designer"][min(number // 20, 3)]
        posted = datetime.date.today() - datetime.timedelta(days=2 + number // 4)
        lines.append(json.dumps({
            "id": f"J{number:04}", "title": f"{title} {number:02}", "company": ["Saltmarsh Press", "Wrenhouse Interactive", "Café Données"][number % 3],
            "location": ["Berlin, Germany", "Chicago, IL", "Columbus, OH", "Seattle, WA"][number % 4], "remote": number % 3 == 0 and number < 93,
            "posted": str(posted), "url": None if number == 4 else f"https://jobs.example.org/{number}",
            "text": "What we ask for\n• At least five years of experience\n• User research, wireframing, prototyping, Figma and accessibility"}))
    file = service.folder / "postings.jsonl"
    file.write_text("\n".join(lines))
    subprocess.run([service.programs / "documentd", "postings", "import", "--data", service.folder / "data", file],
                   check=True, stdout=subprocess.DEVNULL)


def jobs(service):
    """Postings, and one local person who searches among them."""
    _import_postings(service)


def jobless(service):
    """No postings."""


def seekers(service):
    """Postings, and Ada with an account."""
    service.sign_in(ADA, PASSWORD, "/api/account", name="Ada Lovelace")
    _import_postings(service)


# Who has an account in the stock `people`, with one password.
ADA, BOB, PASSWORD = "ada@example.org", "bob@example.org", "correct horse"
WITH_ACCOUNTS = {"people", "nobody", "seekers"}


def nobody(service):
    """Accounts are kept, and nobody has one yet."""


def people(service):
    """Ada with three documents, and Bob with none."""
    service.sign_in(BOB, PASSWORD, "/api/account", name="Bob")
    service.sign_in(ADA, PASSWORD, "/api/account", name="Ada Lovelace")
    service.ask("/api/schools", "POST", {"name": "Ohio State"})
    for type, file, title in [("transcript", "pages-24.pdf", "Senior transcript"), ("resume", "resume.docx", "Athletic resume"),
                              ("highlight_video", "h264.mp4", "Freshman Highlights")]:
        service.upload(SAMPLES / file, type=type, title=title)
    service.wait_for_pictures()


# What the API does not make: fixed times, a file that is still checked, and an older row of a picture.
def _settle(folder):
    data = folder / "data"
    with sqlite3.connect(data / "documents.sqlite") as database:
        rows = database.execute("SELECT number, created_at FROM documents ORDER BY created_at, number").fetchall()
        unit = 1_000_000 if rows and rows[0][1] > 1e14 else 1000
        for index, (number, _) in enumerate(rows):
            time = (1_736_899_200 + index * 3600) * unit
            database.execute("UPDATE documents SET created_at = ?, updated_at = ? WHERE number = ?", (time, time, number))
        database.execute("UPDATE documents SET state = 'quarantined', placeholder = NULL WHERE title = 'Under a check'")
        _put_photograph(database, data, "A photograph", (SAMPLES / "orientation-1.jpg").read_bytes)
        _put_photograph(database, data, "picture", _twenty_megapixels)


def _put_photograph(database, data, title, photograph):
    """Puts a JPEG in the place of a document's file: such documents come from the app's bucket alone."""
    found = database.execute("SELECT object_id FROM documents WHERE title = ?", (title,)).fetchone()
    if not found:
        return
    file = data / "store" / "objects" / found[0][:2] / found[0]
    content = photograph()
    file.write_bytes(content)
    database.execute("UPDATE documents SET digest = ?, byte_count = ?, file_type = 'image/jpeg', facts = NULL WHERE title = ?",
                     (hashlib.sha256(content).hexdigest(), len(content), title))
    database.execute("UPDATE objects SET digest = ?, byte_count = ?, media_type = 'image/jpeg', facts = NULL WHERE id = ?",
                     (hashlib.sha256(content).hexdigest(), len(content), found[0]))


def _twenty_megapixels():
    """A JPEG of 5,472 × 3,648 pixels with as many details as a photograph has."""
    noise = Image.effect_noise((1368, 912), 60).resize((5472, 3648))
    picture = Image.merge("RGB", (noise, Image.linear_gradient("L").resize((5472, 3648)), noise.transpose(Image.Transpose.FLIP_LEFT_RIGHT)))
    bytes = io.BytesIO()
    picture.save(bytes, "JPEG", quality=88)
    return bytes.getvalue()


def make(name, service):
    """Fills a service and stops it."""
    service.start()
    try:
        globals()[name](service)
    finally:
        service.stop()
    service.address = None
    _settle(service.folder)
    return service
