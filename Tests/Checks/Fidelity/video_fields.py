"""Cases: interlaced video, whose two fields were taken at different moments."""

import numpy

from case import Case
from chart import card, made
from clips import MPEG2, X264, clip, encoded, remuxed, stretched
from h264_fields import stream
from measure import similarity
from reference import known
from yuv import COARSER, coarsened, differences, pixel_format, quantized

PAL, NTSC, HD = (720, 576), (720, 480), (1440, 1080)
TOP, BOTTOM = ("-flags", "+ilme+ildct", "-top", "1"), ("-flags", "+ilme+ildct", "-top", "0")


def moment(size, time):
    """The still card; over its right half bright bars on a dark ground, which move by half their distance in each field."""
    width, height = size
    picture = card(width, height)
    columns = numpy.arange(width - width // 2) + time * 20
    bars = numpy.where(columns // 20 % 2, 215, 45).astype(numpy.uint8)
    picture[:, width // 2:] = bars[None, :, None]
    return picture


def woven(name, size, *words, top_first=True, matrix="bt601", sampling="420", rate=25, count=4):
    """Frames of two fields each: rows from the top come from one moment, those between from the next."""
    def write(path):
        frames = [b"".join(map(weave, *pair)) for pair in pairs(size, top_first, matrix, sampling, count)]
        encoded(path, frames, size, pixel_format(sampling), *words, rate=rate)
    return made(name, write)


def apart(name, size, *words, top_first=True, rate=25, count=4):
    """HEVC, each field a picture of half the height."""
    def write(path):
        halves = []
        for upper, lower in pairs(size, top_first, "bt601", "420", count):
            parts = [[plane.round().astype(numpy.uint8).tobytes() for plane in half] for half in (lower, upper)]
            halves += [b"".join(part) for part in (parts[::-1] if top_first else parts)]
        order = f"crf=8:log-level=error:interlace={'tff' if top_first else 'bff'}"
        encoded(path, halves, (size[0], size[1] // 2), "yuv420p", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", order, *words, rate=2 * rate)
    return made(name, write)


def alternating(name, size, *words, top_first=True, pictures=None):
    """H.264 of field pictures (PAFF)."""
    def write(path):
        frames = pairs(size, top_first, "bt601", "420", 4) if pictures is None else [[half(picture, 0), half(picture, 1)] for picture in pictures]
        path.write_bytes(stream([[[plane.round() for plane in part] for part in pair] for pair in frames], size, top_first))
    return remuxed(made("fields.264", write), name, *words)


def half(picture, start):
    return [plane[start] for plane in fields(picture, "bt601", "420")]


def pairs(size, top_first, matrix, sampling, count):
    """For each frame the planes of its even and of its odd rows, one of which is a field older."""
    result = []
    for index in range(count):
        first, second = (fields(moment(size, 2 * index + half), matrix, sampling) for half in range(2))
        upper, lower = (first, second) if top_first else (second, first)
        result.append(([plane[0] for plane in upper], [plane[1] for plane in lower]))
    return result


def fields(picture, matrix, sampling):
    """The planes of a picture's even rows and of its odd rows, with chroma subsampled within each."""
    across, down = COARSER[sampling]
    y, cb, cr = quantized(*differences(picture / 255, matrix))
    return [[y[0::2], y[1::2]]] + [[coarsened(plane[start::2], across, down) for start in (0, 1)] for plane in (cb, cr)]


def weave(upper, lower):
    rows = numpy.empty((upper.shape[0] * 2, upper.shape[1]))
    rows[::2], rows[1::2] = upper, lower
    return rows.round().astype(numpy.uint8).tobytes()


def moving(text, name, size, *words, shape=None, box=None, measure=similarity(0.9), make=woven, facts=None, **more):
    shown = moment(size, 0) if shape is None else stretched(moment(size, 0), *shape)
    return Case(f"interlaced, in motion: {text}", make(name, size, *words, **more), known(shown), measure,
                box=box or f"{shown.shape[1]}x{shown.shape[0]}", facts=facts or {})


def at_rest(text, name, size, *words, **more):
    """Both fields from one moment: both must be visible."""
    picture = card(*size)
    return Case(f"interlaced, at rest, keeps all its rows: {text}", clip(name, [lines(picture)] * 3, *words, **more), known(lines(picture)),
                similarity(0.97), box=f"{size[0]}x{size[1]}")


def lines(picture):
    """The card with thin slanting lines, which half of the rows cannot show."""
    picture = picture.copy()
    height, width = picture.shape[:2]
    for offset in range(0, width // 2, 12):
        for row in range(height // 3):
            column = width // 4 + offset + row // 3
            picture[height // 2 + row, column % width] = 250
    return picture


# The program tells the encoder the order of fields with each frame.
MIXED = ("-vf", "setfield=tff", *X264, "-flags", "+ilme+ildct")
MIXED_BOTTOM = ("-vf", "setfield=bff", *X264, "-flags", "+ilme+ildct")
CASES = [
    moving("MPEG-2, top field first", "fields.mpg", PAL, *MPEG2, *TOP),
    moving("MPEG-2, bottom field first", "fields.mpg", PAL, *MPEG2, *BOTTOM, top_first=False),
    moving("MPEG-2 of NTSC in a transport stream", "fields.ts", NTSC, *MPEG2, *TOP, rate="30000/1001"),
    moving("MPEG-2 of 4:2:2 in MXF", "fields.mxf", PAL, *MPEG2, *TOP, "-b:v", "30M", "-maxrate", "30M", "-bufsize", "4M", sampling="422"),
    moving("HDV, anamorphic, MPEG-2", "fields.ts", HD, *MPEG2, *TOP, "-vf", "setsar=4/3", shape=(1920, 1080), matrix="bt709"),
    moving("H.264 of mixed macroblocks (MBAFF), top field first", "fields.mp4", PAL, *MIXED),
    moving("H.264 of mixed macroblocks, bottom field first", "fields.ts", PAL, *MIXED_BOTTOM, top_first=False),
    moving("DV of PAL, bottom field first", "fields.dv", PAL, "-c:v", "dvvideo", "-flags", "+ildct", top_first=False, shape=(768, 576)),
    moving("DV of PAL in AVI", "fields.avi", PAL, "-c:v", "dvvideo", "-flags", "+ildct", top_first=False, shape=(768, 576)),
    moving("DV of NTSC in MOV", "fields.mov", NTSC, "-c:v", "dvvideo", "-flags", "+ildct", top_first=False, sampling="411", rate="30000/1001", shape=(640, 480)),
    moving("ProRes", "fields.mov", PAL, "-vf", "setfield=tff,format=yuv422p10", "-c:v", "prores_ks", "-flags", "+ildct", sampling="422"),
    moving("FFV1 of 4:2:2", "fields.mkv", PAL, "-vf", "setfield=tff", "-c:v", "ffv1", sampling="422"),
    moving("MPEG-2 at half size", "fields.mpg", PAL, *MPEG2, *TOP, box="360x288"),
    moving("H.264 at a fifth", "fields.mp4", PAL, *MIXED, box="144x115"),
    moving("not compressed, MOV, told by the container alone", "fields.mov", PAL, "-vf", "setfield=tff,format=uyvy422", "-c:v", "rawvideo", sampling="422"),
    moving("Motion JPEG in MOV, told by the container alone", "fields.mov", PAL, "-vf", "setfield=bff", "-c:v", "mjpeg", "-q:v", "2", "-strict", "-1",
           sampling="422", top_first=False, measure=similarity(0.85)),
    moving("HEVC of single fields, MP4", "fields.mp4", PAL, make=apart, facts={"width": 720, "height": 576, "frameRate": 25.0}),
    moving("HEVC of single fields, bottom first, MKV", "fields.mkv", PAL, make=apart, top_first=False, facts={"width": 720, "height": 576}),
    moving("HEVC of single fields in a transport stream, anamorphic by the frame's shape", "fields.ts", PAL, "-vf", "setsar=64/45", make=apart,
           shape=(1024, 576), facts={"width": 1024, "height": 576}),
    moving("HEVC of single fields, anamorphic by the field's shape", "fields.mp4", PAL, "-vf", "setsar=32/45", make=apart, shape=(1024, 576),
           facts={"width": 1024, "height": 576}),
    moving("HEVC of single fields at half size", "fields.mp4", PAL, make=apart, box="360x288"),
    moving("H.264 of field pictures (PAFF), MP4", "fields.mp4", PAL, make=alternating),
    moving("H.264 of field pictures, bottom first, in a transport stream", "fields.ts", PAL, make=alternating, top_first=False),
    moving("H.264 of field pictures, MKV", "fields.mkv", PAL, make=alternating),
    *(Case(f"interlaced, at rest, keeps all its rows: H.264 of field pictures, {kind.upper()}",
           alternating(f"rest.{kind}", PAL, pictures=[lines(card(*PAL))] * 3), known(lines(card(*PAL))), similarity(0.97), box="720x576")
      for kind in ("ts", "mp4")),
    at_rest("MPEG-2", "rest.mpg", PAL, *MPEG2, *TOP),
    at_rest("H.264", "rest.mp4", PAL, *MIXED),
]
