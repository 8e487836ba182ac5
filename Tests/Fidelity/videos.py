"""Cases of videos."""

from case import Case
from chart import CARD, card
from reference import by_tool, known

FIRST_FRAME = by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "{out}")

CASES = [
    Case("H.264 in MP4: its first frame", "samples/h264.mp4", known(card(320, 180))),
    Case("a display matrix turns the frame", "samples/rotate-90.mp4", FIRST_FRAME),
]
