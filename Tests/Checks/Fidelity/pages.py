"""Cases of documents' pages."""

import page_annotations
import page_blending
import page_boxes
import page_counts
import page_damage
import page_files
import page_fit
import page_fonts
import page_images
import page_paint

CASES = (page_fit.CASES + page_boxes.CASES + page_blending.CASES + page_paint.CASES + page_images.CASES + page_fonts.CASES
         + page_annotations.CASES + page_damage.CASES + page_counts.CASES + page_files.CASES)
