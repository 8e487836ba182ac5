"""How far two pictures of one size are apart."""

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


def patches(bound, across=12, share=1.0):
    """The largest CIEDE2000 between the mean colours of a grid's cells; with `share`, of that part of them that is nearest.

    Each cell is a patch: a picture that is turned, mirrored, shifted or in other colours shows it. 1 is a difference that an
    eye just sees beside each other, 3 one that nobody sees from memory.
    """
    def figure(ours, reference):
        distances = deltaE_ciede2000(cells(seen(ours), across), cells(seen(reference), across)).ravel()
        return float(numpy.quantile(distances, share))
    return Measure("ΔE₀₀", bound, True, figure)


def similarity(bound):
    """The structural similarity (Wang and others, 2004: a Gaussian window of σ 1.5) of the colours as seen."""
    def figure(ours, reference):
        first, second = seen(ours), seen(reference)
        if min(first.shape[:2]) < 11:
            return float("nan")
        return float(structural_similarity(
            first, second, channel_axis=2, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False))
    return Measure("SSIM", bound, False, figure)


def seen(picture):
    """What an eye gets: the picture over white and, where it is not opaque, over black beside it."""
    picture = numpy.asarray(picture, dtype=float)
    alpha = picture[..., 3:] / 255 if picture.shape[2] == 4 else numpy.ones(picture.shape[:2] + (1,))
    over = [picture[..., :3] * alpha + ground * (1 - alpha) for ground in (255, 0)]
    return numpy.concatenate(over, axis=1)


def cells(picture, across):
    """The mean colour of each cell of a grid, in CIE Lab (D65): at most `across` cells a side."""
    rows = numpy.array_split(numpy.arange(picture.shape[0]), min(across, picture.shape[0]))
    # Over white and over black: twice as many columns.
    columns = numpy.array_split(numpy.arange(picture.shape[1]), min(2 * across, picture.shape[1]))
    means = [[picture[row[0]:row[-1] + 1, column[0]:column[-1] + 1].mean(axis=(0, 1)) for column in columns] for row in rows]
    return rgb2lab(numpy.array(means) / 255)
