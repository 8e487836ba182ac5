"""The least that a case's library must do, as programs that do nothing else."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Floor:
    name: str
    words: Callable
    """(source, the folder of built programs) → the command."""


DJPEG = Floor("djpeg -scale 1/8", lambda source, programs: ["djpeg", "-scale", "1/8", "-outfile", "/dev/null", source])
WEBP = Floor("dwebp -scale", lambda source, programs: [
    "dwebp", "-quiet", source, "-scale", "640", "0", "-ppm", "-o", "/dev/null"])
FRAME = Floor("one key frame", lambda source, programs: [programs / "floor-frame", source])
PAGE = Floor("a bare Poppler page", lambda source, programs: [programs / "floor-page", source])
READ = Floor("reading the bytes", lambda source, programs: ["dd", f"if={source}", "of=/dev/null", "bs=256k", "status=none"])
START = Floor("starting nothing", lambda source, programs: ["true"])
