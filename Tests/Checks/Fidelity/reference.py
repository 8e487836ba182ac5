"""References: pictures made by other tools, and how a whole picture is fitted to its box."""

import pathlib
import subprocess
import tempfile

import numpy
from PIL import Image, ImageOps

Image.MAX_IMAGE_PIXELS = None


def sides(box):
    """Width and height of a box as vipsthumbnail writes it; `None` for a side left open."""
    parts = box.split("x")
    values = [int(part) if part else None for part in parts]
    return values * 2 if len(values) == 1 else values


def fitted(picture, case):
    """The rendition of the whole picture that a case must yield, computed here and not by our programs."""
    height, width = picture.shape[:2]
    across, down = sides(case.box)
    scales = [side / length for side, length in ((across, width), (down, height)) if side]
    covers = case.fit == "cover"
    scale = max(scales) if covers else min(scales)
    if "--enlarge" not in case.options:
        scale = min(scale, 1)
    small = scaled(picture, max(1, half_up(width * scale)), max(1, half_up(height * scale)))
    if covers:
        small = cut(small, across, down, case.gravity)
    ground = colour(case.background or "white")
    if case.format == "jpeg" and small.shape[2] == 4:
        small = over(small, ground)
    return padded(small, across, down, ground) if case.fit == "contain" else small


def half_up(value):
    return int(value + 0.5)


def scaled(picture, width, height):
    """By Lanczos of three lobes, in one step, weighted with alpha."""
    picture = numpy.ascontiguousarray(picture)
    size = (width, height)
    if picture.shape[:2] == (height, width):
        return picture
    if picture.shape[2] == 3:
        return numpy.array(Image.fromarray(picture).resize(size, Image.LANCZOS))
    channels = picture.astype(numpy.float32)
    resized = lambda plane: numpy.array(Image.fromarray(plane, "F").resize(size, Image.LANCZOS))
    alpha = resized(channels[..., 3]).clip(0, 255)
    colours = [resized(channels[..., band] * channels[..., 3] / 255) * 255 / numpy.maximum(alpha, 1e-3) for band in range(3)]
    return numpy.dstack(colours + [alpha]).clip(0, 255).round().astype(numpy.uint8)


def cut(picture, across, down, gravity):
    height, width = picture.shape[:2]
    # A picture smaller than its box gives the box's shape.
    fill = min(width / across, height / down, 1)
    wide, high = min(width, max(1, half_up(across * fill))), min(height, max(1, half_up(down * fill)))
    left, top = (width - wide) // 2, 0 if gravity == "top" else (height - high) // 2
    return picture[top:top + high, left:left + wide]


def padded(picture, across, down, ground):
    height, width = picture.shape[:2]
    canvas = numpy.empty((down, across, picture.shape[2]), numpy.uint8)
    canvas[:] = list(ground) + [255] * (picture.shape[2] - 3)
    left, top = (across - width) // 2, (down - height) // 2
    canvas[top:top + height, left:left + width] = picture
    return canvas


def over(picture, ground):
    alpha = picture[..., 3:] / 255
    return (picture[..., :3] * alpha + numpy.array(ground) * (1 - alpha)).round().astype(numpy.uint8)


def colour(name):
    return {"white": (255, 255, 255), "black": (0, 0, 0)}.get(name) or tuple(bytes.fromhex(name))


def pillow(path, page=0):
    """The whole picture, decoded and turned upright by Pillow; its profile is not applied."""
    with Image.open(path) as image:
        image.seek(page)
        upright = ImageOps.exif_transpose(image)
        has_alpha = upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info
        return numpy.array(upright.convert("RGBA" if has_alpha else "RGB"))


def by_tool(*command, suffix=".png"):
    """The picture that a tool writes; `{in}` and `{out}` stand for the files in its words."""
    def shows(path):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / f"out{suffix}"
            words = [str(word).replace("{in}", str(path)).replace("{out}", str(output)) for word in command]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            with Image.open(output) as image:
                return numpy.array(image.convert("RGBA" if image.mode in ("RGBA", "LA") else "RGB"))
    return shows


def known(picture):
    """A picture known by construction, whatever the file."""
    return lambda path: picture
