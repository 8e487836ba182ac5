"""Sound, with and without a picture on its cover."""

from .manifest import run
from .picture import LOOK, card, png

TONE = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=22050"]
PLAIN = ["-threads", 1, "-bitexact", "-fflags", "+bitexact"]


def make(samples):
    cover = samples.temporary("cover.jpg")
    source = samples.temporary("cover.png")
    source.write_bytes(png(card(200, 200)))
    run("vips", "jpegsave", source, cover, "--Q", 80, "--strip")
    encode(samples, "tone.mp3", "-c:a", "libmp3lame", "-b:a", "32k")
    samples.add("tone.mp3", "audio/mpeg", "icon", duration=1)
    attached = ["-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v:0", "attached_pic"]
    encode(samples, "cover.mp3", *attached, "-c:a", "libmp3lame", "-b:a", "32k", "-id3v2_version", 3, cover=cover)
    samples.add("cover.mp3", "audio/mpeg", look=LOOK, width=200, height=200, duration=1)
    encode(samples, "cover.m4a", *attached, "-c:a", "aac", "-b:a", "32k", "-f", "ipod", cover=cover)
    samples.add("cover.m4a", "audio/mp4", look=LOOK, width=200, height=200, duration=1)


def encode(samples, name, *options, cover=None):
    picture = ["-i", cover] if cover else []
    run("ffmpeg", "-y", "-v", "error", *TONE, *picture, *PLAIN, *options, samples.path(name))
