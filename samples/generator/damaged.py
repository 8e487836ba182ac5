"""Files that are not what they claim, or not whole."""

import random
import struct
import zlib

from .picture import LOOK, card, chunk, png


def make(samples):
    photo = samples.path("orientation-1.jpg").read_bytes()
    samples.write_file(
        "truncated.jpg", photo[:len(photo) * 2 // 3], "image/jpeg", look="the card's upper part; what is missing is grey",
        width=480, height=320)
    film = samples.path("index-at-end.mp4").read_bytes()
    samples.write_file("truncated-no-index.mp4", film[:len(film) // 2], "video/mp4", "corrupt")
    book = samples.path("pages-24.pdf").read_bytes()
    samples.write_file(
        "truncated.pdf", book[:len(book) // 2], "application/pdf", look=f"{LOOK}; the first page is whole", pageCount=24,
        pageWidth=612, pageHeight=792)
    make_misnamed(samples)
    make_nothing(samples)
    header = struct.pack(">IIBBBBB", 65535, 65535, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"x\x9cc\0\0\0\x01\0\x01") + chunk(b"IEND", b"")
    samples.write_file("claims-65535x65535.png", bomb, "image/png", "tooLarge")


def make_misnamed(samples):
    """The name says one thing, the bytes another: the bytes count."""
    samples.write_file("png-named.jpg", png(card(240, 160)), "image/png", look=LOOK, width=240, height=160)
    page = b"<!DOCTYPE html>\n<html><head><title>No PDF</title></head><body><p>A page.</p></body></html>\n"
    samples.write_file("html-named.pdf", page, "text/html", "icon")
    samples.write_file("zip-named.mp4", archive(b"note.txt", b"a note\n"), "application/zip", "icon")


def archive(name, data):
    """A ZIP archive with one stored file."""
    common = struct.pack("<HHHHIIIHH", 0, 0, 0, 0x5C21, zlib.crc32(data), len(data), len(data), len(name), 0)
    local = b"PK\3\4" + struct.pack("<H", 10) + common + name + data
    central = b"PK\1\2" + struct.pack("<HH", 10, 10) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)


def make_nothing(samples):
    samples.write_file("empty.jpg", b"", "inode/x-empty", "corrupt")
    samples.write_file("one-byte.jpg", b"\xff", "application/octet-stream", "icon")
    noise = random.Random(20260101).randbytes(4096)
    samples.write_file("random.jpg", noise, "application/octet-stream", "icon")
