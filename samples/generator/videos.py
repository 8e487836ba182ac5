"""Short films of the card; its grey bar moves to the right."""

from .manifest import run
from .picture import LOOK, card, stored

WIDTH, HEIGHT, RATE, SECONDS = 320, 180, 25, 2
SIZE = {"width": WIDTH, "height": HEIGHT}
FILM = {**SIZE, "duration": SECONDS, "frameRate": RATE}
H264 = ["-c:v", "libx264", "-preset", "medium", "-crf", 30, "-g", 25, "-pix_fmt", "yuv420p"]
HDR10 = ("log-level=error:pools=1:frame-threads=1:info=0:hdr10=1"
         ":colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc")
START = f"{LOOK}; first frame: grey bar at the left"


def make(samples):
    source = frames(samples, "frames.rgb", WIDTH, HEIGHT)
    upright = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", RATE, "-i", source]
    make_containers(samples, upright)
    make_layouts(samples, upright)
    make_turned(samples)
    make_anamorphic(samples)
    make_hdr(samples, upright)


def frames(samples, name, width, height, orientation=1):
    """All frames as raw RGB in one file."""
    path = samples.temporary(name)
    count = RATE * SECONDS
    path.write_bytes(b"".join(stored(card(width, height, n / (count - 1)), orientation).tobytes() for n in range(count)))
    return path


def encode(samples, name, source, *options):
    """One thread and no version texts, so that the same tools make the same bytes."""
    run("ffmpeg", "-y", "-v", "error", *source, "-threads", 1, "-bitexact", "-fflags", "+bitexact", "-flags:v", "+bitexact",
        *options, samples.path(name))


def make_containers(samples, source):
    encode(samples, "h264.mp4", source, *H264, "-bf", 0, "-movflags", "+faststart")
    samples.add("h264.mp4", "video/mp4", look=START, **FILM, codec="h264")
    encode(samples, "h264.mov", source, *H264)
    samples.add("h264.mov", "video/quicktime", look=START, **FILM, codec="h264")
    encode(samples, "h264.mkv", source, *H264)
    samples.add("h264.mkv", "video/x-matroska", look=START, **FILM, codec="h264")
    encode(samples, "mpeg4.avi", source, "-c:v", "mpeg4", "-q:v", 8)
    samples.add("mpeg4.avi", "video/x-msvideo", look=START, **FILM, codec="mpeg4")
    encode(samples, "vp9.webm", source, "-c:v", "libvpx-vp9", "-crf", 40, "-b:v", 0, "-pix_fmt", "yuv420p")
    samples.add("vp9.webm", "video/webm", look=START, **FILM, codec="vp9")
    encode(samples, "mpeg2.mpg", source, "-c:v", "mpeg2video", "-q:v", 8, "-f", "vob")
    samples.add("mpeg2.mpg", "video/mpeg", look=START, **SIZE, frameRate=RATE, codec="mpeg2video")


def make_layouts(samples, source):
    encode(samples, "index-at-end.mp4", source, *H264, "-bf", 0)
    samples.add("index-at-end.mp4", "video/mp4", look=f"{START}; the index follows the frames", **FILM, codec="h264")
    encode(samples, "b-frames.mp4", source, *H264, "-bf", 3, "-movflags", "+faststart")
    samples.add("b-frames.mp4", "video/mp4", look=f"{START}; frames stored out of order", **FILM, codec="h264")


def make_turned(samples):
    """Stored lying on its side, with a display matrix that turns it upright by a quarter clockwise."""
    lying = frames(samples, "lying.rgb", HEIGHT, WIDTH, 6)
    plain = samples.temporary("lying.mp4")
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", RATE, "-i", lying]
    run("ffmpeg", "-y", "-v", "error", *raw, "-threads", 1, "-bitexact", *H264, plain)
    encode(samples, "rotate-90.mp4", ["-i", plain], "-c", "copy", "-metadata:s:v:0", "rotate=270")
    samples.add(
        "rotate-90.mp4", "video/mp4", look=f"{START}; portrait", width=HEIGHT, height=WIDTH, duration=SECONDS, frameRate=RATE,
        orientation=6, codec="h264")


def make_anamorphic(samples):
    """180 × 144 stored pixels, each 64:45 wide: shown as 256 × 144."""
    narrow = frames(samples, "narrow.rgb", 256, 144)
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "256x144", "-r", RATE, "-i", narrow]
    encode(samples, "anamorphic.mp4", raw, "-vf", "scale=180:144,setsar=64/45", *H264)
    samples.add(
        "anamorphic.mp4", "video/mp4", look=f"{START}; corners square, not narrow", width=256, height=144, duration=SECONDS,
        frameRate=RATE, codec="h264")


def make_hdr(samples, source):
    """The card's levels as they are, said to be BT.2020 and PQ (SMPTE ST 2084): a viewer must not show them as sRGB."""
    tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
    encode(samples, "hdr10.mp4", source, "-vf", "scale=out_color_matrix=bt2020,format=yuv420p10le", "-c:v", "libx265", "-crf", 30,
           "-x265-params", HDR10, "-tag:v", "hvc1", *tags)
    samples.add(
        "hdr10.mp4", "video/mp4", look=f"{LOOK}; brighter and more vivid than the others", **FILM, codec="hevc", hdr="pq")
