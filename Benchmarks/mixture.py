"""A folder as people upload it: photographs, drawings, scans, letters and short films, each file's content its own."""

import os
import random
import subprocess

import pyvips

import documents
from inputs import main

SHARES = [("photograph", 0.52), ("screenshot", 0.14), ("webp", 0.06), ("tiff", 0.02), ("letter", 0.12), ("scan", 0.04),
          ("film", 0.10)]


def cut(source, chance, smallest, largest):
    """A part of the large photograph whose long side lies between two bounds in pixels."""
    width = chance.randint(smallest, largest)
    height = width * 2 // 3
    picture = pyvips.Image.new_from_file(source)
    return picture.crop(chance.randint(0, picture.width - width), chance.randint(0, picture.height - height), width, height)


def write_photograph(target, chance, picture, film):
    """Of 1 to 13 megapixels, one in four progressive."""
    cut(picture, chance, 1200, 4400).jpegsave(target + ".jpg", Q=chance.randint(75, 92), interlace=chance.random() < 0.25)


def write_screenshot(target, chance, picture, film):
    cut(picture, chance, 500, 1600).pngsave(target + ".png", compression=4, filter="all")


def write_webp(target, chance, picture, film):
    cut(picture, chance, 800, 2000).webpsave(target + ".webp", Q=80, effort=1)


def write_tiff(target, chance, picture, film):
    cut(picture, chance, 800, 2400).tiffsave(target + ".tif", compression="lzw", predictor="horizontal")


def write_letter(target, chance, picture, film):
    writer = documents.Writer(target + ".pdf")
    font = documents.embedded_font(writer)
    for _ in range(chance.choice((1, 1, 2, 3, 12))):
        text = "".join(f"({line}) Tj T*\n" for line in documents.lines(chance))
        writer.page(612, 792, writer.packed(f"BT /F 11 Tf 14 TL 60 730 Td\n{text}ET\n".encode()), f"/Font<</F {font} 0 R>>")
    writer.close()


def write_scan(target, chance, picture, film):
    writer = documents.Writer(target + ".pdf")
    data, width, height = documents.scanned_page(chance.choice((150, 200)), chance.randrange(1 << 20))
    for _ in range(3):
        documents.image_page(writer, data, width, height, 612, 792, "/Filter/DCTDecode/ColorSpace/DeviceRGB")
    writer.close()


def write_film(target, chance, picture, film):
    """One second of the film from a random place; the title makes each file different."""
    start, title = chance.choice((0, 2, 4)), f"title=Clip {chance.randrange(1 << 30)}"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-ss", str(start), "-i", film, "-t", "1", "-c", "copy",
                    "-metadata", title, f"{target}.mp4"], check=True)


def write_folder(target, count, picture, film):
    os.mkdir(target)
    chance = random.Random(3)
    makers = {"photograph": write_photograph, "screenshot": write_screenshot, "webp": write_webp, "tiff": write_tiff,
              "letter": write_letter, "scan": write_scan, "film": write_film}
    for kind, part in SHARES:
        for index in range(round(part * int(count))):
            makers[kind](f"{target}/{kind}-{index:03}", chance, picture, film)


if __name__ == "__main__":
    main({"folder": write_folder})
