"""Cases: every way in which a picture can say how it is to be turned."""

import numpy
from PIL import Image

from case import Case
from chart import CARD, by_pillow, made, run, stored
from heif import stored_for, with_turns
from measure import patches
from reference import by_tool, known, pillow


def exif(orientation):
    block = Image.Exif()
    block[0x0112] = orientation
    return block


def oriented(suffix, orientation, **options):
    """The card stored so that EXIF's orientation shows it upright."""
    return by_pillow(f"oriented-{orientation}.{suffix}", stored(CARD, orientation), exif=exif(orientation), **options)


def oriented_tiff(orientation):
    return by_pillow(f"oriented-{orientation}.tif", stored(CARD, orientation), tiffinfo={274: orientation})


def with_exif_orientation(data, orientation):
    """The file with another value in its EXIF block's entry of the orientation, which is 1 before (big-endian)."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01"
    if data.count(entry + b"\x00\x01") != 1:
        raise ValueError("no EXIF orientation of 1, or several")
    return data.replace(entry + b"\x00\x01", entry + bytes([0, orientation]))


def turned_heif(suffix, quarters, mirror, exif_orientation=1, *options):
    """A file that its container turns, with an EXIF orientation that readers must ignore."""
    def write(path):
        source, plain = path.with_name("stored.jpg"), path.with_name(f"plain{path.suffix}")
        # From version 1.19 on heif-enc turns the container by EXIF's orientation itself: it gets to see none.
        Image.fromarray(stored_for(CARD, quarters, mirror)).save(source, quality=97, subsampling=0, exif=exif(1))
        run("heif-enc", "-q", 90, *options, "-o", plain, source)
        data = with_exif_orientation(plain.read_bytes(), exif_orientation)
        path.write_bytes(with_turns(data, quarters, mirror) if quarters or mirror is not None else data)
    return made(f"turned-{quarters}-{mirror}.{suffix}", write)


# The container's equivalents of EXIF's eight orientations: quarters counter-clockwise, then the mirror (0 exchanges top and bottom).
TURNS = {1: (0, None), 2: (0, 1), 3: (2, None), 4: (0, 0), 5: (1, 0), 6: (3, None), 7: (3, 0), 8: (1, None)}

CASES = [Case(f"EXIF orientation {n}, JPEG", oriented("jpg", n, quality=95, subsampling=0), known(CARD)) for n in range(1, 9)]
CASES += [Case(f"EXIF orientation {n}, progressive JPEG", oriented("jpg", n, quality=95, progressive=True), known(CARD), patches(5),
               box="100")
          for n in (5, 6)]
CASES += [Case(f"EXIF orientation {n}, PNG", oriented("png", n), known(CARD)) for n in range(1, 9)]
CASES += [Case(f"EXIF orientation {n}, WebP", oriented("webp", n, lossless=True), known(CARD)) for n in range(1, 9)]
CASES += [Case(f"TIFF orientation {n}", oriented_tiff(n), known(CARD)) for n in range(1, 9)]
CASES += [Case(f"EXIF orientation {n} with irot and imir, HEIC", turned_heif("heic", *TURNS[n], n), known(CARD)) for n in range(1, 9)]
CASES += [Case(f"irot and imir of EXIF orientation {n} alone, AVIF", turned_heif("avif", *TURNS[n], 1, "-A"), known(CARD))
          for n in (2, 5, 6, 7)]
CASES += [
    Case("EXIF orientation 6 without irot, HEIC: not turned, as ISO/IEC 23008-12 has it", turned_heif("heic", 0, None, 6), known(CARD)),
    Case("cover cuts what is shown, not what is stored: EXIF 6, JPEG", oriented("jpg", 6, quality=95), known(CARD),
         box="160x40", fit="cover"),
    Case("cover cuts what is shown, not what is stored: EXIF 7, WebP", oriented("webp", 7, lossless=True), known(CARD),
         box="40x160", fit="cover"),
]


def turned_corpus(name, quarters, mirror):
    """The reference for the corpus's files of one picture that their container turns: the unturned file, turned here."""
    def shows(path):
        plain = by_tool("heif-convert", "{in}", "{out}")(path.with_name("lilliput__rotation-none.avif"))
        turned = numpy.rot90(plain, quarters)
        return {None: turned, 0: numpy.flipud(turned), 1: numpy.fliplr(turned)}[mirror]
    return Case(f"{name} of another writer, AVIF", f"corpus/real/image/lilliput__rotation-{name}.avif", shows)


CASES += [turned_corpus("irot90", 1, None), turned_corpus("irot180", 2, None), turned_corpus("irot270", 3, None)]
CASES += [turned_corpus("irot90-imir1", 1, 1)]
# Each of these bears its own number in the middle.
SHAPES = "corpus/real/image/exif-orientation-examples__Landscape_"
CASES += [
    Case(f"Landscape_{n} looks like Landscape_1", f"{SHAPES}{n}.jpg",
         lambda path: pillow(path.with_name("exif-orientation-examples__Landscape_1.jpg")), patches(6))
    for n in range(2, 9)
]
