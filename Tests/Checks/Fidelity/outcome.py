"""The outcome of a case."""

from dataclasses import dataclass, field
import math

from reference import scaled


MARGIN = 0.02


@dataclass
class Outcome:
    domain: str
    case: object
    source: str
    ours: object
    """The picture; `None` where there is none."""
    words: str = ""
    """A fault beside the figure: the tool's own words, or an unexpected size."""
    reference: object = None
    figure: float = math.nan
    peers: dict = field(default_factory=dict)

    def add_differences(self, said, wanted):
        """Notes the facts that differ from the expected ones."""
        for name, value in wanted.items():
            is_measure = isinstance(value, tuple)
            expected, margin = value if is_measure else (value, 0)
            found = said
            for part in name.split("."):
                found = (found or {}).get(part)
            is_near = is_measure and found is not None and abs(found - expected) <= margin
            if not is_near and found != expected:
                self.words = f"{self.words} {name} {found} instead of {expected}".strip()

    @property
    def is_green(self):
        return not self.words and self.case.measure.passes(self.figure) and self.keeps_up

    @property
    def keeps_up(self):
        """Whether it is as good as its rival, if it has one."""
        rival = self.peers.get(self.case.rival)
        return rival is None or math.isnan(rival.figure) or self.figure >= rival.figure - MARGIN

    @property
    def bound_text(self):
        rival = self.peers.get(self.case.rival)
        return f"{self.case.rival} {rival.figure_text}" if rival else str(self.case.measure)

    @property
    def is_failure(self):
        return not self.is_green and not self.case.reason

    @property
    def state(self):
        return "green" if self.is_green else "explained" if self.case.reason else "red"

    @property
    def figure_text(self):
        return "–" if math.isnan(self.figure) else f"{self.figure:.3f}" if self.figure <= 1 else f"{self.figure:.1f}"

    @property
    def line(self):
        parts = [self.state, self.domain, self.case.name, f"{self.figure_text} ({self.bound_text})", self.words]
        return "\t".join(part for part in parts if part)


def judged(domain, case, source, rendition, reference, exact=True):
    """An outcome with its figure. A size other than the reference's is a fault where `exact`; a peer's is scaled to it."""
    if isinstance(rendition, str):
        return Outcome(domain, case, source, None, rendition, reference)
    height, width = reference.shape[:2]
    words = ""
    if rendition.shape[:2] != (height, width):
        words = f"{rendition.shape[1]}×{rendition.shape[0]} instead of {width}×{height}" if exact else ""
        if abs(rendition.shape[1] * height / width - rendition.shape[0]) > 2 and not exact:
            words = f"another shape: {rendition.shape[1]}×{rendition.shape[0]} instead of {width}×{height}"
    same_size = scaled(rendition, width, height)
    return Outcome(domain, case, source, rendition, words, reference, case.measure.figure(same_size, reference))


def refused(domain, case, source, ours):
    """The outcome of a file that must be refused: its figure is 0 if it was refused with the right code."""
    if ours == case.failure:
        return Outcome(domain, case, source, None, figure=0)
    return Outcome(domain, case, source, None, f"{ours if isinstance(ours, str) else 'a picture'} instead of {case.failure}")
