"""The peers, each called with the options that serve it best for a small picture."""

from dataclasses import dataclass
from typing import Callable

from environment import BOX, HERE, PYTHON, QUALITY


@dataclass(frozen=True)
class Tool:
    name: str
    kinds: tuple
    """Of inputs: image, pdf, video."""
    words: Callable
    """(source, target without suffix) → the command."""
    suffix: str = ".jpg"
    version: tuple = ()
    """The command that says it."""


def script(name):
    return lambda source, target: [PYTHON, "-I", HERE / f"peers/{name}.py", source, f"{target}.jpg", BOX, QUALITY]


def package_version(name):
    return (PYTHON, "-I", "-c", f"from importlib.metadata import version; print('{name}', version('{name}'))")


PEERS = [
    Tool("vipsthumbnail", ("image",), lambda source, target: [
        "vipsthumbnail", source, "-s", f"{BOX}x{BOX}>", "-o", f"{target}.jpg[Q={QUALITY}]"], version=("vipsthumbnail", "--vips-version")),
    # The size hint lets libjpeg decode at a reduced size; twice the box, as its manual advises.
    Tool("ImageMagick", ("image",), lambda source, target: [
        "convert-im6.q16", "-define", f"jpeg:size={2 * BOX}x{2 * BOX}", f"{source}[0]", "-auto-orient",
        "-thumbnail", f"{BOX}x{BOX}>", "-quality", QUALITY, f"{target}.jpg"], version=("convert-im6.q16", "-version")),
    Tool("pyvips", ("image",), script("vips"),
         version=(PYTHON, "-I", "-c", "import pyvips; print('libvips', *(pyvips.version(i) for i in range(3)))")),
    Tool("Pillow", ("image",), script("pillow"), version=package_version("Pillow")),
    Tool("pdftocairo", ("pdf",), lambda source, target: [
        "pdftocairo", "-singlefile", "-jpeg", "-jpegopt", f"quality={QUALITY}", "-scale-to", BOX, source, target],
         version=("pdftocairo", "-v")),
    Tool("pdftoppm", ("pdf",), lambda source, target: [
        "pdftoppm", "-singlefile", "-jpeg", "-jpegopt", f"quality={QUALITY}", "-scale-to", BOX, source, target],
         version=("pdftoppm", "-v")),
    # It writes no JPEG; writing PNM costs it nothing.
    Tool("mutool", ("pdf",), lambda source, target: [
        "mutool", "draw", "-q", "-w", BOX, "-h", BOX, "-o", f"{target}.pnm", source, "1"], ".pnm", ("mutool", "-v")),
    Tool("PDFium", ("pdf",), script("pdfium"), version=package_version("pypdfium2")),
    Tool("ffmpegthumbnailer", ("video",), lambda source, target: [
        "ffmpegthumbnailer", "-t", "0", "-s", BOX, "-q", "8", "-i", source, "-o", f"{target}.jpg"],
         version=("ffmpegthumbnailer", "-v")),
    # One thread: those over frames would begin with several frames where one is wanted.
    Tool("ffmpeg", ("video",), lambda source, target: [
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1", "-skip_frame", "nokey", "-an", "-sn", "-dn",
        "-i", source, "-frames:v", "1", "-vf", f"scale={BOX}:{BOX}:force_original_aspect_ratio=decrease",
        "-q:v", "4", f"{target}.jpg"], version=("ffmpeg", "-version")),
]


def peers(kind):
    return [tool for tool in PEERS if kind in tool.kinds]
