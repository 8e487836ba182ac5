"""Videos known by construction: frames of our own numbers, put into files by the ffmpeg program without a conversion of its own."""

import subprocess

import numpy
from PIL import Image

from chart import card, made, run
from yuv import pixel_format, planes

X264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "12")
X265 = ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "crf=10:log-level=error")
VP9 = ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "12", "-b:v", "0")
AV1 = ("-c:v", "libsvtav1", "-preset", "10", "-crf", "12")
FFV1 = ("-c:v", "ffv1")
MPEG2 = ("-c:v", "mpeg2video", "-q:v", "2")


COLOUR_OPTIONS = ("-colorspace", "-color_range", "-color_primaries", "-color_trc")


def _colour_tags(pixels, words):
    """The output's colour options, for the raw input too: from version 7 on ffmpeg converts where the two differ."""
    # Of RGB neither matrix nor range is said.
    options = COLOUR_OPTIONS if pixels.startswith(("yuv", "gray")) else COLOUR_OPTIONS[2:]
    return [word for option, value in zip(words, words[1:]) if option in options for word in (option, value)]


def encoded(path, frames, size, pixels, *words, rate=25, before=()):
    """Encodes raw frames (bytes each) of `size` (width, height) and pixel format `pixels`; `before` may name further inputs."""
    command = ["ffmpeg", "-v", "error", "-y", *_colour_tags(pixels, words), "-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{size[0]}x{size[1]}", "-r", str(rate), "-i", "-",
               *before, *words, str(path)]
    done = subprocess.run([str(word) for word in command], input=b"".join(frames), capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.decode(errors='replace').strip()}")


def clip(name, pictures, *words, matrix="bt601", full=False, depth=8, sampling="420", rate=25, before=()):
    """A maker of the file `name` out of RGB pictures."""
    def write(path):
        frames = [planes(picture, matrix, full, depth, sampling) for picture in pictures]
        height, width = pictures[0].shape[:2]
        # JPEG's own full range is a pixel format of its own to ffmpeg.
        pixels = pixel_format(sampling, depth).replace("yuv", "yuvj" if "mjpeg" in words else "yuv")
        encoded(path, frames, (width, height), pixels, *words, rate=rate, before=before)
    return made(name, write)


def still(name, picture, *words, count=5, **more):
    """The same picture repeated."""
    return clip(name, [picture] * count, *words, **more)


def then(make, change):
    """The file that `make` makes, with its bytes changed."""
    def changed(folder):
        path = make(folder)
        path.write_bytes(change(path.read_bytes()))
        return path
    return changed


def remuxed(make, name, *words):
    """The file that `make` makes, with its streams copied into another container by the ffmpeg program."""
    def remux(folder):
        path = folder / name
        run("ffmpeg", "-v", "error", "-y", "-i", make(folder), "-c", "copy", *words, path)
        return path
    return remux


def edited(make, *words):
    """The file that `make` makes, with the header of its first video track changed in place by mkvpropedit."""
    def edit(folder):
        path = make(folder)
        run("mkvpropedit", "--quiet", path, "--edit", "track:v1", *(word for value in words for word in ("--set", value)))
        return path
    return edit


def stretched(picture, width, height):
    return numpy.array(Image.fromarray(picture).resize((width, height), Image.LANCZOS))


def numbered(number, width=320, height=180):
    """The card with a number below 256 as eight dark or bright squares across its middle, which identifies the frame."""
    picture = card(width, height)
    side = width // 10
    for bit in range(8):
        left, top = side + bit * side, height // 2 - side // 2
        picture[top:top + side, left:left + side] = 230 if number >> bit & 1 else 25
    return picture
