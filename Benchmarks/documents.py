"""PDFs: pages of text with an embedded font, scans, pages of one photograph, a map."""

import io
import math
import random

import pyvips
from PIL import Image, ImageDraw, ImageFont

from inputs import main
from pdf import Writer, image_page

FONT = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"

WORDS = ("season record sprint coach transcript relay honour letter summer practice distance training captain physics "
         "university region final meeting school athlete scholarship essay programme score history captain junior").split()


def embedded_font(writer):
    with open(FONT, "rb") as file:
        data = file.read()
    font = ImageFont.truetype(FONT, 1000)
    widths = " ".join(f"{font.getlength(chr(code)):.0f}" for code in range(32, 127))
    program = writer.packed(data, f"/Length1 {len(data)}")
    descriptor = writer.add(
        "<</Type/FontDescriptor/FontName/LiberationSans/Flags 32/FontBBox[-203 -303 1050 910]/ItalicAngle 0/Ascent 905"
        f"/Descent -212/CapHeight 729/StemV 80/FontFile2 {program} 0 R>>")
    return writer.add("<</Type/Font/Subtype/TrueType/BaseFont/LiberationSans/Encoding/WinAnsiEncoding/FirstChar 32"
                      f"/LastChar 126/Widths[{widths}]/FontDescriptor {descriptor} 0 R>>")


def lines(chance, count=46, length=13):
    return [" ".join(chance.choice(WORDS) for _ in range(length)) for _ in range(count)]


def write_text(target, page_count):
    writer, chance = Writer(target), random.Random(1)
    font = embedded_font(writer)
    for number in range(int(page_count)):
        text = "".join(f"({line}) Tj T*\n" for line in [f"Page {number + 1}", *lines(chance)])
        content = writer.packed(f"BT /F 11 Tf 14 TL 60 730 Td\n{text}ET\n".encode())
        writer.page(612, 792, content, f"/Font<</F {font} 0 R>>")
    writer.close()


def scanned_page(dpi, seed):
    """A letter page of text on paper with grain, as a colour JPEG."""
    chance = random.Random(seed)
    width, height = dpi * 17 // 2, dpi * 11
    ink = Image.new("L", (width, height), 255)
    draw, font = ImageDraw.Draw(ink), ImageFont.truetype(FONT, round(11 / 72 * dpi))
    for row, line in enumerate(lines(chance)):
        draw.text((60 / 72 * dpi, (60 + 14 * row) / 72 * dpi), line, font=font, fill=30)
    page = pyvips.Image.new_from_array(ink)
    grain = pyvips.Image.gaussnoise(width, height, mean=0, sigma=2.5, seed=seed)
    paper = page * [0.94, 0.92, 0.86] + [8, 8, 10] + grain
    return paper.cast("uchar").copy(interpretation="srgb").jpegsave_buffer(Q=60), width, height


def write_scan(target, dpi, page_count):
    writer, dpi = Writer(target), int(dpi)
    kinds = [scanned_page(dpi, seed) for seed in range(min(4, int(page_count)))]
    for number in range(int(page_count)):
        data, width, height = kinds[number % len(kinds)]
        image_page(writer, data, width, height, 612, 792, "/Filter/DCTDecode/ColorSpace/DeviceRGB")
    writer.close()


def photograph(source, width, height):
    picture = pyvips.Image.new_from_file(source).crop(0, 0, width, height)
    return Image.frombytes("RGB", (width, height), picture.write_to_memory())


def write_jpeg2000(target, source):
    data = io.BytesIO()
    photograph(source, 2550, 3300).save(data, "JPEG2000", irreversible=True, quality_mode="rates", quality_layers=[12])
    writer = Writer(target)
    image_page(writer, data.getvalue(), 2550, 3300, 612, 792, "/Filter/JPXDecode/ColorSpace/DeviceRGB")
    writer.close()


def write_cmyk(target, source):
    """A photograph in four inks, stored inverted with Adobe's marker as print programs do."""
    data = io.BytesIO()
    photograph(source, 4000, 3000).convert("CMYK").save(data, "JPEG", quality=85)
    writer = Writer(target)
    image_page(writer, data.getvalue(), 4000, 3000, 800, 600,
               "/Filter/DCTDecode/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]")
    writer.close()


def write_map(target, byte_count):
    """Roads, contours and areas as a geographical system exports them: one uncompressed stream of paths."""
    chance, parts, length = random.Random(9), [], 0
    while length < int(byte_count):
        part = path(chance)
        parts.append(part)
        length += len(part)
    writer = Writer(target)
    content = writer.stream("".join(parts).encode())
    writer.page(1200, 900, content, "")
    writer.close()


def path(chance):
    x, y, heading = chance.uniform(0, 1200), chance.uniform(0, 900), chance.uniform(0, math.tau)
    is_area = chance.random() < 0.3
    colour = " ".join(f"{chance.random():.2f}" for _ in range(3))
    words = [f"{colour} {'rg' if is_area else 'RG'} {chance.choice((0.2, 0.4, 0.8, 1.6))} w {x:.2f} {y:.2f} m"]
    for _ in range(chance.randint(20, 120)):
        heading += chance.uniform(-0.6, 0.6) + (0.12 if is_area else 0)
        x, y = x + 2.5 * math.cos(heading), y + 2.5 * math.sin(heading)
        words.append(f"{x:.2f} {y:.2f} l")
    return "\n".join(words) + ("\nh f\n" if is_area else "\nS\n")


RECIPES = {"text": write_text, "scan": write_scan, "jpeg2000": write_jpeg2000, "cmyk": write_cmyk, "map": write_map}

if __name__ == "__main__":
    main(RECIPES)
