"""The cold cases, and the targets for each."""

from dataclasses import dataclass

import floors


@dataclass(frozen=True)
class Target:
    """A bound on a case's outcome."""

    text: str
    against: str
    """A peer's name, `best`, `floor`, `memory`, `read` or `time`."""
    bound: float

    def figure(self, outcome):
        """The measured value that the bound applies to, or `None` if it was not measured."""
        match self.against:
            case "floor": return outcome.ours_over_floor
            case "memory": return outcome.peak("compass") / 1e6 or None
            case "time": return outcome.median("compass")
            case "read": return outcome.bytes_read.get("compass", 0) / 1e6 or None
            case "best": return outcome.ratio(outcome.best_peer)
            case peer: return outcome.ratio(peer)

    def holds(self, outcome):
        figure = self.figure(outcome)
        if figure is None:
            return None
        return figure >= self.bound if self.unit == "× as fast" else figure <= self.bound

    @property
    def unit(self):
        return {"floor": "× the floor", "memory": " MB", "read": " MB", "time": " ms"}.get(self.against, "× as fast")


def faster(ratio, than="best"):
    return Target(f"≥ {ratio:g}× faster than {'the best peer' if than == 'best' else than}", than, ratio)


def at_most(times, than):
    return Target(f"≤ {times:g}× {than}'s time", than, 1 / times)


def not_slower(than="best"):
    return Target(f"not slower than {'the best peer' if than == 'best' else than}", than, 0.97)


def above_floor(ratio):
    return Target(f"≤ {ratio:g}× the floor", "floor", ratio)


def memory(megabytes):
    return Target(f"peak ≤ {megabytes} MB", "memory", megabytes)


def within(milliseconds):
    return Target(f"≤ {milliseconds} ms", "time", milliseconds)


def read(megabytes):
    return Target(f"< {megabytes} MB read", "read", megabytes)


@dataclass(frozen=True)
class Case:
    title: str
    input: str
    kind: str
    floor: floors.Floor
    targets: tuple = ()
    reason: str = ""
    """Why a target is missed, where it is."""


VIPS, FILM = "vipsthumbnail", "ffmpegthumbnailer"

PROCESS = ("Poppler draws the page as it does for pdftocairo, and also gathers its text (1 ms). The rest is the cost of a confined "
           "process for the decoder: compass needs 2 ms before it starts that process, namespaces, filter and rules take 2 ms, and "
           "the transfer of the pixels and the cache 1 ms. A warm call pays none of this.")
WORKER = ("libvips has one thread in a child: with two, libvips 8.14 loses a loader's error, and a damaged picture comes out "
          "sound. Decoding takes nine tenths of the time.")
SCAN = ("Half of the time is the cost of a process over Poppler, as with pages of text. Both processors decode the picture once "
        "at a reduced size, and it is resampled once to the page's pixels. Its SSIM with a full decode is 0.98 at 300 dpi and "
        "0.99 at 600 dpi; pdftoppm's is 0.84 and 0.86, that of mutool, which takes even fewer samples, 0.90 and 0.92.")

NEAREST = "For a picture with a palette, Pillow takes the nearest sample for each pixel and averages nothing."
INKS = "mutool decodes fewer samples and applies no ink profile; the rest of the difference is the confined process."
PATHS = "Poppler's reading of the paths and cairo's filling take the time; PDFium's rasterizer is faster at that."

CASES = [
    Case("20 MP JPEG, baseline", "photo-20.jpg", "image", floors.DJPEG, (faster(2, VIPS),)),
    Case("20 MP JPEG, progressive", "photo-20-progressive.jpg", "image", floors.DJPEG, (faster(8, VIPS), memory(120))),
    Case("108 MP JPEG, baseline", "photo-108.jpg", "image", floors.DJPEG, (faster(1.4, VIPS), memory(120))),
    Case("108 MP JPEG, progressive", "photo-108-progressive.jpg", "image", floors.DJPEG, (faster(8, VIPS), memory(120))),
    Case("20 MP PNG", "photo-20.png", "image", floors.READ, (faster(1.5, VIPS),)),
    Case("20 MP PNG with alpha", "photo-20-alpha.png", "image", floors.READ, (not_slower(VIPS),)),
    Case("20 MP PNG of 16 bits", "photo-20-16bit.png", "image", floors.READ, (not_slower(VIPS),)),
    Case("20 MP PNG with a colour profile", "photo-20-profile.png", "image", floors.READ, (not_slower(VIPS),)),
    Case("20 MP PNG with a palette", "drawing-20-palette.png", "image", floors.READ, (not_slower(VIPS),), NEAREST),
    Case("20 MP WebP", "photo-20.webp", "image", floors.WEBP, (not_slower(VIPS),)),
    Case("20 MP HEIC", "photo-20.heic", "image", floors.READ, (not_slower(VIPS),)),
    Case("20 MP AVIF", "photo-20.avif", "image", floors.READ, (not_slower(VIPS),), WORKER),
    Case("20 MP TIFF", "photo-20.tif", "image", floors.READ, (not_slower(VIPS),), WORKER),
    Case("text PDF, 1 page", "text-1.pdf", "pdf", floors.PAGE, reason=PROCESS),
    Case("text PDF, 500 pages", "text-500.pdf", "pdf", floors.PAGE, (at_most(1.2, "pdftocairo"),), PROCESS),
    Case("text PDF, 5,000 pages", "text-5000.pdf", "pdf", floors.PAGE, (at_most(1.2, "pdftocairo"),), PROCESS),
    Case("scan of 500 pages, 300 dpi", "scan-300dpi-500.pdf", "pdf", floors.PAGE, (faster(1.4, "pdftoppm"),), SCAN),
    Case("scan, 600 dpi", "scan-600dpi.pdf", "pdf", floors.PAGE, (faster(2.5),), SCAN),
    Case("page of JPEG 2000", "jpeg2000.pdf", "pdf", floors.PAGE, (not_slower("PDFium"),)),
    Case("page of a CMYK photograph", "cmyk.pdf", "pdf", floors.PAGE, (not_slower("PDFium"),), INKS),
    Case("vector map, 7.7 MB of paths", "map.pdf", "pdf", floors.PAGE, reason=PATHS),
    Case("1080p H.264", "h264-1080p.mp4", "video", floors.FRAME, (faster(3, FILM), above_floor(1.2))),
    Case("4K H.264", "h264-4k.mp4", "video", floors.FRAME, (faster(4, FILM),)),
    Case("4K HEVC, 10-bit HDR", "hevc-4k-hdr.mp4", "video", floors.FRAME, (faster(4, FILM),)),
    Case("1080p VP9", "vp9-1080p.webm", "video", floors.FRAME),
    Case("1080p AV1", "av1-1080p.mp4", "video", floors.FRAME),
    Case("1.1 GB H.264, index at the end", "h264-index-at-end.mp4", "video", floors.FRAME, (faster(2.3, FILM), read(32))),
]

SHORT_CASES = [
    Case("2 MP JPEG, baseline", "photo-2.jpg", "image", floors.DJPEG),
    Case("2 MP JPEG, progressive", "photo-2-progressive.jpg", "image", floors.DJPEG),
    Case("2 MP PNG", "photo-2.png", "image", floors.READ),
    Case("2 MP PNG with alpha", "photo-2-alpha.png", "image", floors.READ),
    Case("2 MP WebP", "photo-2.webp", "image", floors.WEBP),
    # A page whose drawing outweighs the start of processes over Poppler, whose share of the time differs from machine to machine.
    Case("vector map, 1 MB of paths", "map-1.pdf", "pdf", floors.PAGE),
    Case("scan, 150 dpi", "scan-150dpi.pdf", "pdf", floors.PAGE),
    Case("720p H.264", "h264-720p.mp4", "video", floors.FRAME),
]

SHORT_PEERS = {"image": "vipsthumbnail", "pdf": "pdftocairo", "video": "ffmpegthumbnailer"}
"""The peers of a short run."""
