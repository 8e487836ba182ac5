"""The programs that make renditions: ours, and the peers."""

import io
import pathlib
import subprocess

import numpy
from PIL import Image, ImageCms


class Compass:
    def __init__(self, program, scratch):
        self.program, self.cache = program, scratch / "cache"

    def rendition(self, source, case, output):
        """The picture that compass makes, or its words where it makes none."""
        words = [self.program, "thumb", "--force", "--no-icon", "--size", case.box, "--fit", case.fit, "--format", case.format]
        if case.background:
            words += ["--background", case.background]
        if case.format == "jpeg":
            words += ["--quality", "95"]
        words += ["--cache", self.cache, *case.options, source, "-o", output]
        return picture_or_words(words, output)


PEERS = {
    "vipsthumbnail": (("images",), ["vipsthumbnail", "{in}", "--size", "{box}>", "-o", "{out}"]),
    "ImageMagick": (("images",), ["convert", "{in}[0]", "-auto-orient", "-thumbnail", "{box}>", "PNG:{out}"]),
    "ffmpegthumbnailer": (("videos",), ["ffmpegthumbnailer", "-i", "{in}", "-o", "{out}", "-s", "{edge}", "-t", "0"]),
    "pdftocairo": (("pages",), ["pdftocairo", "-png", "-singlefile", "-cropbox", "-scale-to", "{edge}", "{in}", "{stem}"]),
    "mutool": (("pages",), ["mutool", "draw", "-q", "-w", "{edge}", "-h", "{edge}", "-o", "{out}", "{in}", "1"]),
}
"""What each peer is called with, as its manual says, and the domains that it is for."""


def peers(domain):
    return [name for name, (domains, _) in PEERS.items() if domain in domains]


def peer_rendition(name, source, case, output):
    sides = case.box.split("x")
    box = case.box if len(sides) == 2 else f"{case.box}x{case.box}"
    values = {"in": source, "out": output, "box": box, "edge": sides[0], "stem": pathlib.Path(output).with_suffix("")}
    words = [word.format(**values) for word in PEERS[name][1]]
    return picture_or_words(words, output)


def picture_or_words(words, output):
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return f"{words[0]} did not end within 60 s"
    if done.returncode != 0 or not pathlib.Path(output).exists():
        return (done.stderr.decode(errors="replace").strip().splitlines() or [f"ended with {done.returncode}"])[-1][:200]
    with Image.open(output) as image:
        image = as_shown(image)
        return numpy.array(image.convert("RGBA" if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info else "RGB"))


def as_shown(image):
    """The picture in sRGB, where the tool left that to whoever shows its file."""
    data = image.info.get("icc_profile")
    if not data or image.mode not in ("RGB", "RGBA"):
        return image
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    return ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB"), renderingIntent=1, flags=0x2000)
