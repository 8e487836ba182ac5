"""The outcome of a case."""

import statistics
from dataclasses import dataclass, field

OURS, FLOOR = "compass", "floor"


@dataclass
class Outcome:
    case: object
    times: dict = field(default_factory=dict)
    """Milliseconds of each round, by tool; the floor is one of them. In each round the tools ran one after the other."""
    peaks: dict = field(default_factory=dict)
    """Bytes by tool: of all its processes together, and of the largest one."""
    bytes_read: dict = field(default_factory=dict)
    unable: list = field(default_factory=list)
    """Tools that cannot read the input."""

    def median(self, name):
        return statistics.median(self.times[name])

    def spread(self, name):
        """The quartiles."""
        values = sorted(self.times[name])
        if len(values) < 4:
            return values[0], values[-1]
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        return low, high

    def peak(self, name):
        return self.peaks.get(name, (0, 0))[0]

    def largest_process(self, name):
        return self.peaks.get(name, (0, 0))[1]

    @property
    def peers(self):
        return sorted((name for name in self.times if name not in (OURS, FLOOR)), key=self.median)

    @property
    def best_peer(self):
        return self.peers[0] if self.peers else None

    def ratio(self, name):
        """The tool's time divided by ours: the median of the rounds' ratios, so that a machine whose speed drifts is fair to
        both. `None` if the tool did not run."""
        if name not in self.times:
            return None
        return statistics.median(theirs / ours for theirs, ours in zip(self.times[name], self.times[OURS]))

    @property
    def ours_over_floor(self):
        if FLOOR not in self.times:
            return None
        return statistics.median(ours / floor for ours, floor in zip(self.times[OURS], self.times[FLOOR]))
