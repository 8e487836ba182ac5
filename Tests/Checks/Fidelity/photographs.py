"""Cases: photographs made small, against a full decode and Lanczos-3; and a zone plate."""

import functools
import io

import numpy
from PIL import Image, ImageCms, ImageOps

from case import Case
from chart import by_pillow
from measure import similarity
from reference import by_tool, known, pillow

ALBUMS = "test-assets__albums--"
JPEGS = [
    f"{ALBUMS}nature--el_torcal_rocks.jpg", f"{ALBUMS}nature--prairie_falcon.jpg", f"{ALBUMS}nature--silver_fir.jpg",
    f"{ALBUMS}text--book-beside-flowers.jpg", f"{ALBUMS}text--craft-beer.jpg", f"{ALBUMS}text--handwritten-notes.jpg",
    f"{ALBUMS}text--japanese-shop.jpg", "test-assets__metadata--faces--portrait.jpg",
    "test-assets__metadata--faces--portrait-orientation-6.jpg", "test-assets__metadata--gps-position--empty_gps.jpg",
    "lilliput__large-sunrise.jpg", "imgproxy__test2.jpg", "media__jpeg--non-motion-photo-shortened.jpg",
    "exif-orientation-examples__Landscape_1.jpg", "exif-orientation-examples__Landscape_6.jpg",
]
OTHERS = ["test-assets__formats--webp--denali.webp", "test-assets__formats--png--density_plot.png", "tika__testTIFF.tif"]
HEIFS = ["test-assets__formats--heic--IMG_2682.heic", "tika__IMG_1034.heic",
         "test-assets__formats--avif--8bit-sRGB.avif"]
BOXES = ["240x180", "640x360", "1600"]


@functools.lru_cache(maxsize=1)
def in_srgb(path):
    """Pillow's full decode; with a profile, converted by lcms2 relative to white, black points matched."""
    with Image.open(path) as image:
        upright = ImageOps.exif_transpose(image)
        data = image.info.get("icc_profile")
        if data and upright.mode in ("RGB", "RGBA", "L"):
            profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
            upright = ImageCms.profileToProfile(upright, profile, ImageCms.createProfile("sRGB"), renderingIntent=1, flags=0x2000)
        return numpy.array(upright.convert("RGBA" if "A" in upright.mode else "RGB"))


def photograph(name, box, shows):
    return Case(f"photograph in {box}: {name.split('--')[-1].split('__')[-1]}", f"corpus/real/image/{name}", shows, similarity(0.95), box=box)


def zone_plate(side=2048):
    """Rings whose frequency grows from nothing in the middle to the sampling limit at the edges."""
    y, x = numpy.mgrid[0:side, 0:side] - (side - 1) / 2
    rings = 127.5 + 127.5 * numpy.cos(numpy.pi * (x * x + y * y) / side)
    return numpy.dstack([rings.round().astype(numpy.uint8)] * 3)


BY_LIBHEIF = functools.lru_cache(maxsize=1)(by_tool("heif-convert", "-q", "100", "{in}", "{out}"))
ZONES = zone_plate()
CASES = [photograph(name, box, in_srgb) for name in JPEGS + OTHERS for box in BOXES]
CASES += [photograph(name, box, BY_LIBHEIF) for name in HEIFS for box in BOXES]
CASES += [
    Case(f"zone plate in {box}, {kind}", by_pillow(f"zones.{suffix}", ZONES, **options), known(ZONES), similarity(0), box=box,
         rival="vipsthumbnail")
    for kind, suffix, options in (("JPEG", "jpg", {"quality": 95}), ("PNG", "png", {}), ("WebP", "webp", {"quality": 95}))
    for box in ("200", "256", "640")
]

MEAN = ("photograph", 0.98)
"""The average figure required of the cases whose names begin with each key."""
