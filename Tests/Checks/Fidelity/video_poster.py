"""Cases: the frame that is shown of a video with a blank beginning, and the streams that count as its picture."""

import numpy
from PIL import Image

from case import Case
from chart import CARD, card, made, run, with_alpha
from clips import FFV1, VP9, X264, clip, encoded
from measure import patches
from reference import known
from video_colour import raw
from yuv import planes

SCENE = card(320, 180)


def blank(colour):
    return numpy.full_like(SCENE, colour)


def faded(share):
    return (SCENE * share).astype(numpy.uint8)


def begins(name, opening, seconds=1, *words):
    """A blank picture for some time, then the card for three seconds, with a key frame every half second."""
    frames = [opening] * round(25 * seconds) + [SCENE] * 75
    return clip(name, frames, *(words or (*X264, "-g", "12", "-keyint_min", "12")))


def poster(text, source, time, reason, shows=known(SCENE), *options, margin=0.01, **more):
    return Case(text, source, shows, patches(4), options=options, facts={"poster.time": (time, margin), "poster.reason": reason}, **more)


def with_cover(name, cover, *sound, video=None):
    """Sound with a picture beside it."""
    def write(path):
        picture, wave = path.with_name("cover.png" if "png" in cover else "cover.jpg"), path.with_name("sound.wav")
        Image.fromarray(CARD).save(picture, quality=95)
        run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=2", wave)
        if path.suffix in (".mkv", ".mka", ".webm"):
            moving = [clip("moving.mkv", [SCENE] * 50, *X264)(path.parent)] if video else []
            inputs = [word for part in [wave, *moving] for word in ("-i", part)]
            maps = [word for index in range(1 + len(moving)) for word in ("-map", index)]
            run("ffmpeg", "-v", "error", "-y", *inputs, *maps, "-c:v", "copy", *sound, "-attach", picture, "-metadata:s:t", "mimetype=image/jpeg",
                "-metadata:s:t", "filename=cover.jpg", path)
            return
        moving = [clip("moving.mp4", [SCENE] * 50, *X264)(path.parent)] if video else []
        inputs = [word for part in [wave, picture, *moving] for word in ("-i", part)]
        maps = [word for index in range(2 + len(moving)) for word in ("-map", index)]
        run("ffmpeg", "-v", "error", "-y", *inputs, *maps, "-c", "copy", *sound, "-disposition:v:0", "attached_pic", path)
    return made(name, write)


def covered(text, *words, **more):
    return Case(f"cover art: {text}", with_cover(*words), known(CARD), facts={"poster.reason": "cover"}, **more)


ALPHA = with_alpha(CARD)


def with_transparency(name, pixels, *words, matrix="bt601", depth=8, sampling="420"):
    """Luma and chroma of the opaque card, with an alpha plane."""
    alpha = ALPHA[..., 3].astype(float) / 255 * (2 ** depth - 1)
    frame = planes(ALPHA[..., :3], matrix, False, depth, sampling) + alpha.round().astype(numpy.uint8 if depth == 8 else "<u2").tobytes()
    return made(name, lambda path: encoded(path, [frame] * 3, (480, 320), pixels, *words))


def clear(text, source, measure=patches(3), **more):
    return Case(f"alpha: {text}", source, known(ALPHA), measure, facts={"hasAlpha": True}, **more)


TITLE = blank(0)
TITLE[80:95, 100:220:6] = TITLE[80:95, 101:221:6] = TITLE[80:95, 102:222:6] = 235
FADE = [faded(min(1, index / 50)) for index in range(100)]
CASES = [
    poster("begins with what is to be seen", begins("scene.mp4", SCENE), 0, "first"),
    poster("begins black", begins("black.mp4", blank(0)), 1.44, "first-blank"),
    poster("begins with video black, MKV", begins("black.mkv", blank(2)), 1.44, "first-blank"),
    poster("begins white", begins("white.mp4", blank(255)), 1.44, "first-blank"),
    poster("begins with one colour", begins("blue.mp4", blank((20, 40, 160))), 1.44, "first-blank"),
    poster("begins black for eight seconds", begins("long.mp4", blank(0), 8), 8.16, "first-blank", margin=0.5),
    poster("begins black, one group of pictures", begins("black.mp4", blank(0), 1, *X264, "-g", "1000"), 2.0, "first-blank"),
    poster("begins black, VP9", begins("black.webm", blank(0), 1, *VP9, "-g", "12"), 1.44, "first-blank", margin=0.1),
    poster("begins black, transport stream", begins("black.ts", blank(0)), 1.44, "first-blank", margin=0.5),
    poster("begins black, MPEG-4 in AVI", begins("black.avi", blank(0), 1, "-c:v", "mpeg4", "-q:v", "2", "-g", "12"), 1.44, "first-blank", margin=0.5),
    poster("begins black: --at 0 is the first all the same", begins("black.mp4", blank(0)), 0, "asked", known(blank(0)), "--at", "0", peers=False),
    poster("black throughout shows the first", clip("black.mp4", [blank(0)] * 50, *X264), 0, "first", known(blank(0))),
    Case("fades in from black: bright enough to be seen", clip("fade.mp4", FADE, *X264, "-g", "12", "-keyint_min", "12"), known(SCENE), patches(20),
         facts={"poster.reason": "first-blank"}),
    poster("a bright title on black is no blank", begins("title.mp4", TITLE), 0, "first", known(TITLE)),
    poster("black throughout, corpus: H.264", "corpus/gen/video/all_black_5s.mp4", 0, "first", known(numpy.zeros((720, 1280, 3), numpy.uint8))),
    covered("M4A", "cover.m4a", "jpg", "-c:a", "aac"), covered("MP3", "cover.mp3", "jpg", "-c:a", "libmp3lame", "-id3v2_version", "3"),
    covered("FLAC", "cover.flac", "jpg", "-c:a", "flac"), covered("M4A, a PNG", "cover.m4a", "png", "-c:a", "aac"),
    covered("Matroska's attachment", "cover.mka", "jpg", "-c:a", "flac"),
    covered("AIFF", "cover.aiff", "jpg", "-c:a", "pcm_s16be", "-write_id3v2", "1"),
    Case("cover art beside a moving picture is not shown, MP4", with_cover("both.mp4", "jpg", "-c:a", "aac", video=True), known(SCENE),
         facts={"poster.reason": "first"}),
    Case("cover art beside a moving picture is not shown, MKV", with_cover("both.mkv", "jpg", "-c:a", "flac", video=True), known(SCENE),
         facts={"poster.reason": "first"}),
    clear("VP9 in WebM", with_transparency("alpha.webm", "yuva420p", *VP9)),
    clear("VP9 in MKV", with_transparency("alpha.mkv", "yuva420p", *VP9)),
    clear("VP8 in WebM", with_transparency("alpha.webm", "yuva420p", "-c:v", "libvpx", "-crf", "4", "-b:v", "8M", "-auto-alt-ref", "0")),
    clear("ProRes 4444", with_transparency("alpha.mov", "yuva444p10le", "-c:v", "prores_ks", "-profile:v", "4", depth=10, sampling="444")),
    clear("QuickTime Animation", raw("alpha.mov", numpy.dstack([ALPHA[..., 3], ALPHA[..., :3]]).tobytes(), (480, 320), "argb", "-c:v", "qtrle")),
    clear("PNG in MOV", raw("alpha.mov", ALPHA.tobytes(), (480, 320), "rgba", "-c:v", "png")),
    clear("FFV1 in MKV", with_transparency("alpha.mkv", "yuva444p", *FFV1, sampling="444")),
    clear("over the recipe's ground, JPEG out", with_transparency("alpha.mov", "yuva444p10le", "-c:v", "prores_ks", "-profile:v", "4", depth=10, sampling="444"),
          format="jpeg", background="2080c0", peers=False),
]
