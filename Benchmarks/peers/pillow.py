"""Pillow's quickest road: `thumbnail` drafts a JPEG at a reduced size, and reduces by whole factors before it resamples."""
import sys

from PIL import Image

source, target, box, quality = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
Image.MAX_IMAGE_PIXELS = None
with Image.open(source) as image:
    image.thumbnail((box, box))
    if image.mode not in ("RGB", "L"):
        image = image.convert("RGB")
    image.save(target, quality=quality)
