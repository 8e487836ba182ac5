"""Cases: how a video's samples become colours."""

import numpy

from case import Case
from chart import PATCHES, made
from clips import AV1, FFV1, MPEG2, VP9, X264, X265, encoded, remuxed, still
from measure import patches
from profile import BT2020, DISPLAY_P3, SRGB, matrix as to_xyz
from reference import by_tool, known
from yuv import differences, quantized

TAGS = {
    "bt601": ("-colorspace", "smpte170m", "-color_primaries", "smpte170m", "-color_trc", "smpte170m"),
    "bt709": ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
    "bt2020": ("-colorspace", "bt2020nc", "-color_primaries", "bt709", "-color_trc", "bt709"),
    "fcc": ("-colorspace", "fcc"), "smpte240m": ("-colorspace", "smpte240m"),
}
RANGES = {False: ("-color_range", "tv"), True: ("-color_range", "pc")}
HIGH = PATCHES.repeat(4, 0).repeat(4, 1)
"""The same chart at 1280 × 960."""
FLAT = patches(3, grid=(8, 6), core=0.5)
SEEN = known(PATCHES)


def tagged(name, *words, matrix, full=False, picture=PATCHES, **more):
    return still(name, picture, *words, *TAGS[matrix], *RANGES[full], matrix=matrix, full=full, count=30, **more)


def rgb_planes(picture, depth=8):
    """Green, blue, red: the order of ffmpeg's planar RGB."""
    values = (picture.astype(float) / 255 * (2 ** depth - 1)).round().astype(numpy.uint8 if depth == 8 else numpy.dtype("<u2"))
    return b"".join(numpy.ascontiguousarray(values[..., band]).tobytes() for band in (1, 2, 0))


def raw(name, frame, size, pixels, *words):
    return made(name, lambda path: encoded(path, [frame] * 30, size, pixels, *words))


def palette_frame():
    """Indices, then 256 colours of blue, green, red and alpha."""
    colours, indices = numpy.unique(PATCHES.reshape(-1, 3), axis=0, return_inverse=True)
    table = numpy.zeros((256, 4), numpy.uint8)
    table[:len(colours)] = numpy.hstack([colours[:, ::-1], numpy.full((len(colours), 1), 255)])
    return indices.astype(numpy.uint8).tobytes() + table.tobytes()


SIZE = (320, 240)
GRAYS = numpy.linspace(0, 255, 24).round().astype(numpy.uint8).reshape(4, 6).repeat(50, 0).repeat(50, 1)


def gray(name, full, pixels, *words, depth=8):
    top, unit = 2 ** depth - 1, 2 ** (depth - 8)
    values = GRAYS / 255 * top if full else GRAYS / 255 * 219 * unit + 16 * unit
    frame = values.round().astype(numpy.uint8 if depth == 8 else numpy.dtype("<u2")).tobytes()
    return raw(name, frame, (300, 200), pixels, *words)


GRAY_SEEN = known(numpy.dstack([GRAYS] * 3))
GRAY_FLAT = patches(2, grid=(6, 4), core=0.5)


def wide(name, primaries, tag, *words, picture=PATCHES):
    """The chart in wider primaries and BT.709's curve: its signals are taken for sRGB's, as screens show them."""
    light = numpy.where(picture / 255 <= 0.04045, picture / 255 / 12.92, ((picture / 255 + 0.055) / 1.055) ** 2.4)
    light = light @ (numpy.linalg.inv(to_xyz(primaries)) @ to_xyz(SRGB)).T
    signal = numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * numpy.maximum(light, 0) ** (1 / 2.4) - 0.055).clip(0, 1)
    space = "bt2020nc" if tag == "bt2020" else "bt709"
    return still(name, signal, *words, "-color_primaries", tag, "-colorspace", space, "-color_trc", "bt709", "-color_range", "tv",
                 matrix="bt2020" if tag == "bt2020" else "bt709", depth=10, count=30)


def ycgco():
    """YCgCo, which screen recorders use."""
    r, g, b = (PATCHES[..., band] / 255 for band in range(3))
    y, cg, co = r / 4 + g / 2 + b / 4, -r / 4 + g / 2 - b / 4, r / 2 - b / 2
    frame = b"".join(plane.astype(numpy.uint8).tobytes() for plane in quantized(y, cg, co))
    source = raw("plain.mp4", frame, SIZE, "yuv444p", *X264, "-color_range", "tv")
    return remuxed(source, "ycgco.mp4", "-bsf:v", "h264_metadata=matrix_coefficients=8")


def constant_luminance():
    """BT.2020's constant luminance (table 4): luma is computed from light, not from signals."""
    linear = lambda v: numpy.where(v < 4.5 * 0.018, v / 4.5, ((v + 0.0993) / 1.0993) ** (1 / 0.45))
    signal = lambda l: numpy.where(l < 0.018, 4.5 * l, 1.0993 * numpy.maximum(l, 0) ** 0.45 - 0.0993)
    rgb = PATCHES / 255
    light = linear(rgb)
    y = signal(0.2627 * light[..., 0] + 0.678 * light[..., 1] + 0.0593 * light[..., 2])
    blue, red = rgb[..., 2] - y, rgb[..., 0] - y
    cb = numpy.where(blue <= 0, blue / 1.9404, blue / 1.5816)
    cr = numpy.where(red <= 0, red / 1.7184, red / 0.9936)
    frame = b"".join(plane.astype("<u2").tobytes() for plane in quantized(y, cb, cr, depth=10))
    source = raw("plain.mp4", frame, SIZE, "yuv444p10le", *X264, "-color_range", "tv", "-color_primaries", "bt709")
    return remuxed(source, "constant.mp4", "-bsf:v", "h264_metadata=matrix_coefficients=10")


def conversion(matrix):
    """The first frame in another tool's colours, with the matrix named."""
    return by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf",
                   f"zscale=min={matrix}:rin=limited:m=gbr:r=full,format=gbrp", "{out}")


def case(name, source, measure=FLAT, shows=SEEN, **more):
    return Case(name, source, shows, measure, **more)


CASES = [case(f"{name}, {'full' if full else 'limited'} range, as tagged, H.264", tagged("tagged.mp4", *X264, matrix=m, full=full))
         for m, name in (("bt601", "BT.601"), ("bt709", "BT.709"), ("bt2020", "BT.2020's matrix")) for full in (False, True)]
CASES += [
    case("BT.709 as tagged, SD size, HEVC", tagged("tagged.mp4", *X265, matrix="bt709")),
    case("BT.601 as tagged, HD size, H.264", tagged("tagged.mp4", *X264, matrix="bt601", picture=HIGH)),
    case("BT.709, full range, as tagged, VP9", tagged("tagged.webm", *VP9, matrix="bt709", full=True)),
    case("BT.709 as tagged, AV1", tagged("tagged.mp4", *AV1, matrix="bt709")),
    case("BT.601, full range, as tagged, AV1", tagged("tagged.mp4", *AV1, matrix="bt601", full=True)),
    case("BT.709 as tagged, MPEG-2", tagged("tagged.mpg", *MPEG2, matrix="bt709")),
    case("BT.709 as tagged, ProRes", tagged("tagged.mov", "-c:v", "prores_ks", matrix="bt709", sampling="422", depth=10)),
    case("FCC's matrix as tagged, H.264", tagged("tagged.mp4", *X264, matrix="fcc")),
    case("SMPTE 240M's matrix as tagged, H.264", tagged("tagged.mp4", *X264, matrix="smpte240m")),
    case("nothing said: BT.601 at SD size, H.264", still("untagged.mp4", PATCHES, *X264, matrix="bt601")),
    case("nothing said: BT.709 at HD size, H.264", still("untagged.mp4", HIGH, *X264, matrix="bt709")),
    case("nothing said: BT.709 at HD size, decoded smaller, MPEG-2", still("untagged.ts", HIGH, *MPEG2, matrix="bt709"), box="128"),
    case("nothing said: BT.601 at SD size, MPEG-4 in AVI", still("untagged.avi", PATCHES, "-c:v", "mpeg4", "-q:v", "1", matrix="bt601")),
    case("nothing said: BT.601 at SD size, VP8 in WebM", still("untagged.webm", PATCHES, "-c:v", "libvpx", "-crf", "4", "-b:v", "8M", matrix="bt601")),
    case("Motion JPEG is BT.601, full range, at any size",
         still("motion.avi", HIGH, "-c:v", "mjpeg", "-q:v", "2", matrix="bt601", full=True)),
    case("BT.2020's primaries, standard range, 10 bits, HEVC", wide("wide.mp4", BT2020, "bt2020", *X265)),
    case("Display P3, 10 bits, HEVC, as telephones film", wide("wide.mov", DISPLAY_P3, "smpte432", *X265)),
    case("BT.2020, constant luminance, H.264", constant_luminance()),
    case("YCgCo, H.264", ycgco()),
    case("RGB, H.264", raw("rgb.mp4", rgb_planes(PATCHES), SIZE, "gbrp", "-c:v", "libx264rgb", "-pix_fmt", "gbrp", "-crf", "8")),
    case("RGB, FFV1 of 10 bits", raw("rgb.mkv", rgb_planes(PATCHES, 10), SIZE, "gbrp10le", *FFV1)),
    case("RGB, VP9", raw("rgb.webm", rgb_planes(PATCHES), SIZE, "gbrp", *VP9)),
    case("RGB, QuickTime Animation", raw("rgb.mov", PATCHES.tobytes(), SIZE, "rgb24", "-c:v", "qtrle")),
    case("RGB, PNG in MOV", raw("rgb.mov", PATCHES.tobytes(), SIZE, "rgb24", "-c:v", "png")),
    case("RGB, not compressed, AVI", raw("rgb.avi", PATCHES[..., ::-1].tobytes(), SIZE, "bgr24", "-c:v", "rawvideo")),
    case("a palette, PNG in MOV", raw("palette.mov", palette_frame(), SIZE, "pal8", "-c:v", "png")),
    case("a palette, not compressed, AVI", raw("palette.avi", palette_frame(), SIZE, "pal8", "-c:v", "rawvideo")),
    case("gray, limited range, H.264", gray("gray.mp4", False, "gray", *X264, "-color_range", "tv"), GRAY_FLAT, GRAY_SEEN),
    case("gray, full range, H.264", gray("gray.mp4", True, "gray", *X264, "-color_range", "pc"), GRAY_FLAT, GRAY_SEEN),
    # From version 7 on ffmpeg takes gray for full range and says so, unless x264 is told otherwise.
    case("gray, nothing said: limited, H.264", gray("gray.mp4", False, "gray", *X264, "-x264-params", "fullrange=off"), GRAY_FLAT, GRAY_SEEN),
    case("gray of 10 bits, H.264", gray("gray.mp4", False, "gray10le", *X264, "-color_range", "tv", depth=10), GRAY_FLAT, GRAY_SEEN),
    case("gray, PNG in MOV", gray("gray.mov", True, "gray", "-c:v", "png"), GRAY_FLAT, GRAY_SEEN),
    case("gray, Motion JPEG", gray("gray.avi", True, "gray", "-c:v", "mjpeg", "-q:v", "2"), GRAY_FLAT, GRAY_SEEN),
]
DEPTHS = [
    ("10 bits, 4:2:0, HEVC", "deep.mp4", X265, 10, "420"), ("12 bits, 4:2:0, HEVC", "deep.mp4", X265, 12, "420"),
    ("10 bits, 4:2:0, H.264", "deep.mp4", X264, 10, "420"), ("10 bits, 4:2:0, VP9", "deep.webm", VP9, 10, "420"),
    ("12 bits, 4:4:4, VP9", "deep.webm", VP9, 12, "444"), ("10 bits, 4:2:0, AV1", "deep.mp4", AV1, 10, "420"),
    ("8 bits, 4:2:2, H.264", "deep.mp4", X264, 8, "422"), ("10 bits, 4:2:2, H.264", "deep.mp4", X264, 10, "422"),
    ("8 bits, 4:4:4, H.264", "deep.mp4", X264, 8, "444"), ("10 bits, 4:4:4, H.264", "deep.mp4", X264, 10, "444"),
    ("12 bits, 4:2:2, HEVC", "deep.mp4", X265, 12, "422"), ("10 bits, 4:2:2, ProRes", "deep.mov", ("-c:v", "prores_ks"), 10, "422"),
    ("10 bits, 4:4:4, ProRes", "deep.mov", ("-c:v", "prores_ks", "-profile:v", "4"), 10, "444"),
    ("8 bits, 4:1:1, FFV1", "deep.mkv", FFV1, 8, "411"), ("8 bits, 4:1:0, FFV1", "deep.mkv", FFV1, 8, "410"),
    ("16 bits, 4:4:4, FFV1", "deep.mkv", FFV1, 16, "444"), ("8 bits, 4:2:2, HuffYUV", "deep.mkv", ("-c:v", "huffyuv"), 8, "422"),
]
CASES += [case(f"{text}, BT.709", tagged(name, *words, matrix="bt709", depth=depth, sampling=sampling))
          for text, name, words, depth, sampling in DEPTHS]
CASES += [
    case("BT.601 by its tag, corpus: MOV", "corpus/real/video/media__mp4--bt601.mov", shows=conversion("470bg"), measure=patches(3)),
    case("BT.601 by its tag, corpus: MP4", "corpus/real/video/media__mp4--bt601.mp4", shows=conversion("470bg"), measure=patches(3)),
    case("full range by its tag, corpus", "corpus/real/video/media__mp4--sample_with_increasing_timestamps_320w_240h.mp4",
         shows=by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf", "zscale=min=170m:rin=full:m=gbr:r=full,format=gbrp", "{out}"),
         measure=patches(3)),
    case("BT.709 by its tag, corpus", "corpus/real/video/media__mp4--sample_18byte_nclx_colr.mp4", shows=conversion("709")),
    case("10 bits, BT.2020's matrix by its tag, corpus: VP9", "corpus/real/video/media__vp9--roadtrip-vp92-10bit.webm",
         shows=by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf",
                       "zscale=min=2020_ncl:rin=limited:pin=2020:tin=iec61966-2-1:m=gbr:r=full:p=709:t=iec61966-2-1,format=gbrp", "{out}"), measure=patches(3)),
    case("10 bits, 4:4:4, corpus: H.264", "corpus/gen/video/h264_hi10p_444.mkv",
         shows=by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf",
                       "zscale=min=709:rin=limited:m=gbr:r=full,format=gbrp,scale=853:480", "{out}"), measure=patches(3)),
]
