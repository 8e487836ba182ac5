"""Cases of still pictures."""

import colour
import orientation

CASES = orientation.CASES + colour.CASES
