"""The distance between two pictures of equal size."""

from dataclasses import dataclass
from typing import Callable

import numpy
from skimage.color import deltaE_ciede2000, rgb2lab
from skimage.metrics import structural_similarity


@dataclass(frozen=True)
class Measure:
    name: str
    bound: float
    is_distance: bool
    figure: Callable

    def passes(self, figure):
        return figure <= self.bound if self.is_distance else figure >= self.bound

    def __str__(self):
        return f"{self.name} {'≤' if self.is_distance else '≥'} {self.bound:g}"


def patches(bound, grid=(12, 12), core=1.0):
    """The largest CIEDE2000 between the mean colours of the cells of a grid, so many across and down; with `core`, of that
    part of each side of a cell that lies in its middle, so that what happens at edges does not count.

    It detects a picture that is turned, mirrored, shifted or in other colours. 1 is a difference just visible side by
    side; 3 is one that nobody sees from memory.
    """
    def figure(ours, reference):
        return float(max(deltaE_ciede2000(cells(one, grid, core), cells(other, grid, core)).max()
                         for one, other in zip(grounds(ours), grounds(reference))))
    return Measure("ΔE₀₀", bound, True, figure)


def similarity(bound):
    """The structural similarity (Wang and others, 2004: a Gaussian window of σ 1.5) of the colours as seen, over white and over black."""
    def figure(ours, reference):
        return min(structural_similarity(
            one, other, channel_axis=2, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
            for one, other in zip(grounds(ours), grounds(reference)))
    return Measure("SSIM", bound, False, figure)


def grounds(picture):
    """The picture over white and over black: any transparency shows in one of them."""
    picture = numpy.asarray(picture, dtype=float)
    alpha = picture[..., 3:] / 255 if picture.shape[2] == 4 else numpy.ones(picture.shape[:2] + (1,))
    return [picture[..., :3] * alpha + ground * (1 - alpha) for ground in (255, 0)]


def cells(picture, grid, core):
    """The mean colours of the cells, in CIE Lab (D65)."""
    rows, columns = (parts(length, count, core) for length, count in zip(picture.shape, reversed(grid)))
    means = [[picture[row, column].mean(axis=(0, 1)) for column in columns] for row in rows]
    return rgb2lab(numpy.array(means) / 255)


def parts(length, count, core):
    """The middles of so many equal parts of a side, at most one a pixel."""
    count = min(count, length)
    edges = numpy.arange(count + 1) * length / count
    margin = (1 - core) / 2 * length / count
    starts = numpy.ceil(edges[:-1] + margin - 1e-9).astype(int)
    ends = numpy.floor(edges[1:] - margin + 1e-9).astype(int)
    return [slice(start, max(start + 1, end)) for start, end in zip(starts, ends)]
