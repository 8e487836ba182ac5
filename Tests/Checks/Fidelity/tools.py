"""The programs that make renditions: ours, and the peers."""

import io
import json
import pathlib
import subprocess

import numpy
from PIL import Image, ImageCms


HERE = pathlib.Path(__file__).resolve().parent


class Compass:
    def __init__(self, program, scratch):
        self.program, self.cache = program, scratch / "cache"

    def rendition(self, source, case, output):
        """The picture that compass makes, or its message if it makes none."""
        words = [self.program, "thumb", "--force", "--no-icon", "--size", case.box, "--fit", case.fit, "--format", case.format]
        if case.background:
            words += ["--background", case.background]
        if case.format == "jpeg":
            words += ["--quality", "95"]
        words += ["--cache", self.cache, *case.options, "--json", source, "-o", output]
        made = picture_or_words(words, output)
        return self.failure(source, case) if isinstance(made, str) and made.startswith("ended with") else made

    def facts(self, source, case):
        """The JSON object that compass prints about the source, with the rendition's poster frame among the facts."""
        said = self.said(source, case)
        return {**said["facts"], "poster": said["renditions"][0].get("poster")}

    def failure(self, source, case):
        """The code with which compass refuses the source."""
        return (self.said(source, case)["failure"] or {}).get("code", "no failure")

    def said(self, source, case):
        words = [self.program, "thumb", "--size", case.box, "--no-icon", *case.options, "--cache", self.cache, "--json", source]
        return json.loads(subprocess.run([str(word) for word in words], capture_output=True, timeout=60).stdout)


PEERS = {
    "vipsthumbnail": (("images",), ["vipsthumbnail", "{in}", "--size", "{box}>", "-o", "{out}"]),
    "ImageMagick": (("images",), ["convert", "{in}[0]", "-auto-orient", "-thumbnail", "{box}>", "PNG:{out}"]),
    "ffmpegthumbnailer": (("videos",), ["ffmpegthumbnailer", "-i", "{in}", "-o", "{out}", "-s", "{edge}", "-t", "0"]),
    "ffmpeg": (("videos",), ["ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf",
                             "scale=w={edge}:h={edge}:force_original_aspect_ratio=decrease", "{out}"]),
    "pdftocairo": (("pages",), ["pdftocairo", "-png", "-singlefile", "-cropbox", "-scale-to", "{edge}", "{in}", "{stem}"]),
    "pdftoppm": (("pages",), ["pdftoppm", "-png", "-singlefile", "-cropbox", "-scale-to", "{edge}", "{in}", "{stem}"]),
    "PDFium": (("pages",), ["/usr/bin/python3", HERE / "pdfium.py", "{in}", "{out}", "{edge}"]),
    "mutool": (("pages",), ["mutool", "draw", "-q", "-w", "{edge}", "-h", "{edge}", "-o", "{out}", "{in}", "1"]),
}
"""Each peer's command, as its manual says, and the domains that it serves."""


def peers(domain):
    return [name for name, (domains, _) in PEERS.items() if domain in domains]


def peer_rendition(name, source, case, output):
    sides = case.box.split("x")
    box = case.box if len(sides) == 2 else f"{case.box}x{case.box}"
    values = {"in": source, "out": output, "box": box, "edge": sides[0], "stem": pathlib.Path(output).with_suffix("")}
    words = [str(word).format(**values) for word in PEERS[name][1]]
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
    """The picture in sRGB, for tools that write the source's profile instead of converting."""
    data = image.info.get("icc_profile")
    if not data or image.mode not in ("RGB", "RGBA"):
        return image
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    try:
        return ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB"), renderingIntent=1, flags=0x2000)
    except ImageCms.PyCMSError:
        # A profile of which no transform can be built does not count, as in browsers.
        return image
