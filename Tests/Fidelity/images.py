"""Cases of still pictures."""

import colour
import fitting
import formats
import orientation
import photographs

CASES = orientation.CASES + colour.CASES + formats.CASES + fitting.CASES + photographs.CASES
MEANS = [photographs.MEAN]
