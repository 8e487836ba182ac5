"""pyvips' quickest road: shrink on load."""
import sys

import pyvips

source, target, box, quality = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
pyvips.Image.thumbnail(source, box, size="down").jpegsave(target, Q=quality)
