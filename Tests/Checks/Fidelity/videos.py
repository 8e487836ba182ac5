"""Cases of videos."""

from case import Case
from chart import card
from reference import known
import video_colour
import video_fields
import video_light
import video_poster
import video_shape
import video_time

CASES = [Case("H.264 in MP4: its first frame", "samples/h264.mp4", known(card(320, 180)))]
CASES += video_shape.CASES + video_fields.CASES + video_colour.CASES + video_light.CASES + video_time.CASES + video_poster.CASES
