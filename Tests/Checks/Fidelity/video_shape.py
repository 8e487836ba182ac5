"""Cases: how a video's frame is turned, stretched and cut before it is shown."""

import numpy

from boxes import with_clap, with_matrix
from case import Case
from chart import CARD, card, stored
from clips import AV1, FFV1, MPEG2, VP9, X264, X265, edited, remuxed, still, stretched, then
from reference import by_tool, known

# A point (x, y) of the stored frame goes to (a·x + c·y, b·x + d·y): EXIF's eight.
MATRICES = {1: (1, 0, 0, 1), 2: (-1, 0, 0, 1), 3: (-1, 0, 0, -1), 4: (1, 0, 0, -1), 5: (0, 1, 1, 0), 6: (0, 1, -1, 0), 7: (0, -1, -1, 0),
            8: (0, -1, 1, 0)}
TURNS = {1: "upright", 2: "mirrored", 3: "180°", 4: "180° and mirrored", 5: "90° and mirrored", 6: "90°", 7: "270° and mirrored", 8: "270°"}


def turned(n):
    return then(still(f"turned-{n}.mp4", stored(CARD, n), *X264), with_matrix(*MATRICES[n]))


def turned_by_codec(n, words):
    """The codec's own statement: an SEI message, display orientation."""
    source = still(f"plain-{n}.mp4", stored(CARD, n), *X264)
    return remuxed(source, f"sei-{n}.ts", "-bsf:v", f"h264_metadata=display_orientation=insert:{words},h264_mp4toannexb")


def anamorphic(name, shown, stored_size, shape, *words, remux=None, **more):
    """The card of size `shown`, squeezed into the stored size, with the pixel shape (num/den) stated."""
    picture = stretched(card(*shown), *stored_size)
    return still(name, picture, *words, "-vf", f"setsar={shape}", **more)


def shape_case(text, name, shown, stored_size, shape, *words, **more):
    return Case(f"pixel shape: {text}", anamorphic(name, shown, stored_size, shape, *words, **more), known(card(*shown)),
                facts={"width": shown[0], "height": shown[1]})


def contradicting(shown, stored_size, container, codec):
    """The container says one shape, the codec another."""
    make = anamorphic("plain.mp4", shown, stored_size, container, *X264)
    return remuxed(make, "contradicting.mp4", "-bsf:v", f"h264_metadata=sample_aspect_ratio={codec}")


def framed(inner, margins, ground=(0, 0, 0)):
    """A picture with left, top, right and bottom margins of another colour, which must not be visible."""
    height, width = inner.shape[:2]
    left, top, right, bottom = margins
    picture = numpy.empty((height + top + bottom, width + left + right, 3), numpy.uint8)
    picture[:] = ground
    picture[top:top + height, left:left + width] = inner
    return picture


def apertured(name, inner, margins, *words, make=still, **more):
    left, top, right, bottom = margins
    clap = with_clap(inner.shape[1], inner.shape[0], (left - right, 2), (top - bottom, 2))
    return then(make(name, framed(inner, margins), *words, **more), clap)


def cropped(name, inner, margins, *words, values=(), **more):
    """Matroska's PixelCrop…."""
    sides = zip(("left", "top", "right", "bottom"), margins)
    make = still(name, framed(inner, margins), *words, **more)
    return edited(make, *(f"pixel-crop-{side}={margin}" for side, margin in sides), *values)


def posed(name, n, *values):
    """Matroska's pose: turned counter-clockwise by roll, after half a turn of yaw."""
    return edited(still(name, stored(CARD, n), *X264), *(f"projection-pose-{value}" for value in values))


def display(width, height, unit=0):
    return f"display-width={width}", f"display-height={height}", f"display-unit={unit}"


SHOWN = {"width": 480, "height": 320}


def cut_by_codec():
    """Rows and columns that the codec's own header cuts off (H.264's frame cropping)."""
    make = still("whole.mp4", framed(CARD, (16, 0, 0, 16)), *X264)
    return remuxed(make, "cropped.mp4", "-bsf:v", "h264_metadata=crop_left=16:crop_bottom=16")


def odd(name, size, *words, **more):
    return Case(f"odd size {size[0]} × {size[1]}: {name}", still(f"odd.{name.split()[-1].lower()}", card(*size), *words, **more), known(card(*size)),
                facts={"width": size[0], "height": size[1]})


QUARTERS = by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "{out}")
CASES = [Case(f"display matrix: {TURNS[n]}", turned(n), known(CARD), facts={"width": 480, "height": 320}) for n in range(1, 9)]
CASES += [
    Case("display matrix: 90°, cover cuts what is shown", turned(6), known(CARD), box="160x40", fit="cover", peers=False),
    Case("display orientation in an SEI message: 270° against the clock", turned_by_codec(6, "rotate=270"), known(CARD)),
    Case("display orientation in an SEI message: mirrored", turned_by_codec(2, "flip=horizontal"), known(CARD)),
    Case("display matrix of a telephone, corpus", "corpus/gen/video/rotate90_1080p.mov", QUARTERS),
    Case("display matrix: 180°, corpus", "corpus/real/video/media__mp4--internal_emulator_transformer_output_180_rotated.mp4", QUARTERS),
    shape_case("PAL 16:9, MPEG-2", "pal.mpg", (1024, 576), (720, 576), "64/45", *MPEG2),
    shape_case("PAL 4:3, MPEG-2", "pal.mpg", (768, 576), (720, 576), "16/15", *MPEG2),
    shape_case("NTSC 16:9, MPEG-2", "ntsc.mpg", (853, 480), (720, 480), "32/27", *MPEG2, rate="30000/1001"),
    shape_case("NTSC 4:3, MPEG-2 in a transport stream", "ntsc.ts", (640, 480), (720, 480), "8/9", *MPEG2, rate="30000/1001"),
    shape_case("HDV, MPEG-2", "hdv.ts", (1920, 1080), (1440, 1080), "4/3", *MPEG2, matrix="bt709"),
    shape_case("H.264's own header alone (VUI)", "vui.ts", (1024, 576), (720, 576), "64/45", *X264),
    shape_case("the container's pasp alone", "pasp.mov", (1024, 576), (720, 576), "64/45", "-c:v", "mjpeg", "-q:v", "2", full=True),
    shape_case("Matroska's DisplayWidth alone", "display.mkv", (1024, 576), (720, 576), "64/45", *VP9),
    shape_case("WebM, higher than wide", "display.webm", (360, 480), (540, 480), "2/3", *VP9),
    shape_case("HEVC", "anamorphic.mp4", (1024, 576), (720, 576), "64/45", *X265),
    Case("pixel shape: the container's word before the codec's", contradicting((1024, 576), (720, 576), "64/45", "1/1"), known(card(1024, 576))),
    Case("clean aperture, MP4", apertured("clap.mp4", CARD, (32, 16, 32, 16), *X264), known(CARD), facts={"width": 480, "height": 320}),
    Case("clean aperture off the middle, MOV", apertured("clap.mov", CARD, (48, 0, 16, 32), *X264), known(CARD), facts={"width": 480, "height": 320}),
    Case("clean aperture of odd margins, MOV", apertured("clap.mov", card(417, 281), (19, 21, 20, 18), "-c:v", "prores_ks", sampling="422", depth=10),
         known(card(417, 281)), facts={"width": 417, "height": 281}),
    Case("clean aperture turned by a matrix", then(apertured("clap.mp4", stored(CARD, 6), (16, 32, 0, 0), *X264), with_matrix(*MATRICES[6])), known(CARD),
         facts={"width": 480, "height": 320}),
    Case("clean aperture of a large Motion JPEG, decoded smaller",
         apertured("clap.mov", card(1920, 1280), (128, 64, 0, 64), "-c:v", "mjpeg", "-q:v", "2", full=True), known(CARD), box="100"),
    Case("clean aperture larger than the picture: left aside", then(still("clap.mp4", CARD, *X264), with_clap(640, 480)), known(CARD)),
    Case("Matroska's PixelCrop, MKV", cropped("crop.mkv", CARD, (32, 16, 16, 0), *X264), known(CARD), facts=SHOWN),
    Case("Matroska's PixelCrop of odd margins, WebM", cropped("crop.webm", card(417, 281), (19, 21, 20, 18), *VP9, sampling="444"), known(card(417, 281)),
         facts={"width": 417, "height": 281}),
    Case("Matroska's PixelCrop and DisplayWidth: the size of what is cut out",
         cropped("crop.mkv", stretched(card(1024, 576), 704, 576), (8, 0, 8, 0), *X264, values=display(1024, 576)), known(card(1024, 576)),
         facts={"width": 1024, "height": 576}),
    Case("Matroska's PixelCrop and an aspect ratio", cropped("crop.mkv", stretched(card(1024, 576), 704, 576), (8, 0, 8, 0), *FFV1, values=display(16, 9, 3)),
         known(card(1024, 576)), facts={"width": 1024, "height": 576}),
    Case("Matroska's PixelCrop, then its pose", cropped("crop.mkv", stored(CARD, 6), (16, 32, 0, 0), *X264, values=("projection-pose-roll=-90",)),
         known(CARD), facts=SHOWN),
    Case("Matroska's PixelCrop of all there is: left aside", edited(still("crop.mkv", CARD, *X264), "pixel-crop-left=480"), known(CARD), facts=SHOWN),
    Case("Matroska's pose: 90°", posed("pose.mkv", 6, "roll=-90"), known(CARD), facts=SHOWN),
    Case("Matroska's pose: 270°", posed("pose.mkv", 8, "roll=90"), known(CARD), facts=SHOWN),
    Case("Matroska's pose: 180°", posed("pose.mkv", 3, "roll=180"), known(CARD), facts=SHOWN),
    Case("Matroska's pose: mirrored", posed("pose.mkv", 2, "yaw=180"), known(CARD), facts=SHOWN),
    Case("Matroska's pose: mirrored, then a quarter", posed("pose.mkv", 7, "yaw=180", "roll=-90"), known(CARD), facts=SHOWN),
    Case("the codec's own cropping", cut_by_codec(), known(CARD), facts={"width": 480, "height": 320}),
    odd("VP9 in WebM", (641, 361), *VP9), odd("AV1 in MP4", (641, 361), "-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "10"),
    odd("H.264 of 4:4:4 in MP4", (641, 361), *X264, sampling="444"),
    odd("MPEG-4 in AVI", (641, 361), "-c:v", "mpeg4", "-q:v", "2"), odd("FFV1 in MKV", (641, 361), *FFV1),
    odd("Motion JPEG in MOV", (361, 641), "-c:v", "mjpeg", "-q:v", "2", full=True),
    odd("Theora in OGV", (641, 361), "-c:v", "libtheora", "-q:v", "10"),
    Case("odd size, corpus: VP9", "corpus/real/video/media__vp9--bear-vp9-odd-dimensions.webm", QUARTERS),
    Case("one pixel high", still("line.mkv", card(64, 1), *FFV1, sampling="444"), known(card(64, 1))),
    Case("a frame of 16 × 16, corpus", "corpus/real/video/tika__testMP4Video.mp4", QUARTERS),
]
