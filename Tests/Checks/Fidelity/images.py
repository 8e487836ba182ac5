"""Cases of still pictures."""

import colour
import fitting
import formats
import orientation
import photographs
import png_colour
import stills
import wide_samples

CASES = orientation.CASES + colour.CASES + png_colour.CASES + formats.CASES + stills.CASES + wide_samples.CASES + fitting.CASES + photographs.CASES
MEANS = [photographs.MEAN]
