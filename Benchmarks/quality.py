"""How close the renditions are to a full decode, and how many bytes they take; prints JSON.

Run by the virtual environment's interpreter, in a process of its own: it holds whole pictures in memory.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import pyvips

BOX, QUALITY = 640, 80
LADDER = (60, 70, 80, 85, 90, 95)
"""The qualities at which a peer's bytes are looked up."""


def reference(path):
    """Every pixel decoded, resampled once by Lanczos' kernel of three lobes without a shortcut."""
    image = pyvips.Image.new_from_file(path)
    scale = BOX / max(image.width, image.height)
    image = image.resize(scale, kernel="lanczos3", gap=0)
    return image.flatten(background=255) if image.hasalpha() else image


def similarity(one, other):
    """The mean structural similarity (Wang and others, 2004: a Gaussian window of σ 1.5) over the bands."""
    one, other = (as_seen(image) for image in (one, other))
    if (one.width, one.height) != (other.width, other.height):
        sys.exit(f"{one.width} × {one.height} is not {other.width} × {other.height}")

    def mean(image):
        return image.gaussblur(1.5, precision="float", min_ampl=0.001)

    first, second = mean(one), mean(other)
    variance = mean(one * one) - first * first + mean(other * other) - second * second
    covariance = mean(one * other) - first * second
    luminance, contrast = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    figure = ((2 * first * second + luminance) * (2 * covariance + contrast)
              / ((first * first + second * second + luminance) * (variance + contrast)))
    return figure.avg()


def as_seen(image):
    if image.hasalpha():
        image = image.flatten(background=255)
    return image.colourspace("srgb").cast("float")


def compass(program, source, target, *flags):
    with tempfile.TemporaryDirectory() as cache:
        subprocess.run([program, "thumb", "--size", str(BOX), "--cache", cache, *flags, source, "-o", target], check=True,
                       capture_output=True)
    return target


def vipsthumbnail(source, target, options=""):
    subprocess.run(["vipsthumbnail", source, "-s", f"{BOX}x{BOX}>", "-o", f"{target}{options}"], check=True, capture_output=True)
    return target


def bytes_at(source, wanted, figure, folder):
    """The bytes of vipsthumbnail's JPEG at our similarity, interpolated between two qualities; `None` if it does not
    reach that similarity."""
    before = None
    for quality in LADDER:
        path = vipsthumbnail(source, f"{folder}/rung.jpg", f"[Q={quality}]")
        rung = similarity(pyvips.Image.new_from_file(path, revalidate=True), wanted), os.path.getsize(path)
        if rung[0] >= figure:
            if before is None:
                return rung[1]
            part = (figure - before[0]) / (rung[0] - before[0])
            return math.exp(math.log(before[1]) + part * (math.log(rung[1]) - math.log(before[1])))
        before = rung
    return None


def judged(program, source, folder):
    wanted = reference(source).copy_memory()

    def figure(path):
        return similarity(pyvips.Image.new_from_file(path, revalidate=True), wanted)

    ours = compass(program, source, f"{folder}/ours.jpg")
    result = {
        "pixels": figure(compass(program, source, f"{folder}/ours.png", "--format", "png")),
        "peerPixels": figure(vipsthumbnail(source, f"{folder}/theirs.png")),
        "rendition": figure(ours), "bytes": os.path.getsize(ours),
        "peerRendition": figure(vipsthumbnail(source, f"{folder}/theirs.jpg", f"[Q={QUALITY}]")),
        "peerBytes": os.path.getsize(f"{folder}/theirs.jpg"),
    }
    result["peerBytesAtOurs"] = bytes_at(source, wanted, result["rendition"], folder)
    return result


def main():
    program, *sources = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({source: judged(program, source, folder) for source in sources}))


if __name__ == "__main__":
    main()
