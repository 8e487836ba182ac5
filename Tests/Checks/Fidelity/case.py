"""A case: a file, its expected picture, and how near our rendition has to come."""

from dataclasses import dataclass, field
from typing import Callable, Union
import pathlib

from measure import Measure, patches


@dataclass(frozen=True)
class Case:
    """One row of a table.

    A picture is an array of height × width × 3 (RGB) or 4 (RGBA), 8 bits, sRGB, upright.
    """

    name: str
    """What is tested, in a few words; unique among all cases."""
    source: Union[str, Callable[[pathlib.Path], pathlib.Path]]
    """`samples/…`, `corpus/…` (left out where there is no corpus), or a function that makes the file in a folder and returns its path."""
    shows: Callable[[pathlib.Path], object]
    """The whole picture as it must be seen, at any size not below the rendition's: from construction, or by another tool
    out of the file whose path is given."""
    measure: Measure = patches(3)
    box: str = "256"
    fit: str = "inside"
    gravity: str = "centre"
    background: str = ""
    """Where `contain` pads, or a format without transparency flattens: white, black or rrggbb."""
    format: str = "png"
    options: tuple = ()
    """Further words for `compass thumb`, such as `--page 3`."""
    peers: bool = True
    """Whether the other tools are asked too. They get the box alone: no options, no fit."""
    rival: str = ""
    """A peer that ours must not be worse than by more than 0.02."""
    facts: Union[dict, Callable[[pathlib.Path], dict]] = field(default_factory=dict)
    """Facts that `--json` must also state about the file: a fact's name (`poster.time` for one inside another) and its value, for
    a number also how far it may be off: `{"duration": (2.0, 0.05)}`; or a function that returns these for the file."""
    failure: str = ""
    """The code by which the file must be refused: no picture is wanted."""
    reason: str = ""
    """Why the case is known not to pass; written into docs/fidelity.md."""
