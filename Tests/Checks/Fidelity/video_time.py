"""Cases: which frame is shown, its stated time, and the stated duration of the video."""

import json
import subprocess

from case import Case
from chart import made, run
from clips import AV1, MPEG2, VP9, X264, X265, clip, numbered, then
from measure import patches
from reference import by_tool, known

FRAMES = [numbered(number) for number in range(100)]
"""Four seconds of 25 frames each; every frame shows its number."""
GROUPS = ("-g", "25", "-keyint_min", "25", "-sc_threshold", "0")
TIGHT = patches(4, grid=(10, 9), core=0.5)
"""A cell of the grid lies within one square of a number."""
X264_B = ("-c:v", "libx264", "-preset", "fast", "-crf", "12", "-bf", "2", *GROUPS)


def count(name, *words, frames=FRAMES, **more):
    return clip(name, frames, *words, **more)


def frame(number):
    return known(FRAMES[number])


def shows(name, source, number, *options, time=None, reason=None, **more):
    facts = dict(more.pop("facts", {}))
    if time is not None:
        facts["poster.time"] = (time, 0.002)
    if reason:
        facts["poster.reason"] = reason
    return Case(name, source, frame(number), TIGHT, box="320", options=options, facts=facts, peers=more.pop("peers", not options), **more)


def probe(path, *words):
    done = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json", *words, str(path)], capture_output=True, check=True)
    return json.loads(done.stdout)


def as_probed(*names):
    """The duration and frame rate that ffprobe reports, with tolerances, under the names of our facts."""
    def facts(path):
        said = probe(path, "-show_entries", "format=duration:stream=avg_frame_rate")
        numerator, denominator = said["streams"][0]["avg_frame_rate"].split("/")
        values = {"duration": (float(said["format"].get("duration", 0)), 0.06),
                  "frameRate": (float(numerator) / max(1, float(denominator)), 0.02)}
        return {name: values[name] for name in names}
    return facts


def cut(share):
    """The first part of a file, as a download that broke off leaves it."""
    return lambda data: data[:int(len(data) * share)]


def late_video(name, seconds, *words):
    """Sound from the start, the picture seconds later, by an edit list or by the streams' own times."""
    def write(path):
        plain, sound = path.with_name(f"plain-{path.name}"), path.with_name("sound.wav")
        run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=9", sound)
        clip(plain.name, FRAMES[:50], *words)(path.parent)
        run("ffmpeg", "-v", "error", "-y", "-i", sound, "-itsoffset", seconds, "-i", plain, "-map", "0", "-map", "1", "-c:v", "copy",
            "-c:a", "libmp3lame" if path.suffix == ".ts" else "aac" if path.suffix == ".mp4" else "flac", path)
    return made(name, write)


def trimmed(name, start, *words):
    """An edit list that begins after the first key frame: ffmpeg's own when it cuts without encoding."""
    return remuxed_from(count(f"whole-{name}", *words), name, start)


def remuxed_from(make, name, start):
    def write(folder):
        path = folder / name
        run("ffmpeg", "-v", "error", "-y", "-ss", start, "-i", make(folder), "-c", "copy", path)
        return path
    return write


def without_first_key(make, name, *words):
    """Without the packets up to the first other key frame's predecessor: the stream begins in the middle of a group."""
    def write(folder):
        path = folder / name
        run("ffmpeg", "-v", "error", "-y", "-i", make(folder), "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop=lt(n\\,5)", *words, path)
        return path
    return write


PLAIN_FIRST = by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf", "scale=trunc(iw*max(sar\\,1)+0.5):ih", "{out}")
CODED = [("H.264 with B-frames, MP4", "n.mp4", X264_B), ("H.264 with B-frames, MKV", "n.mkv", X264_B), ("HEVC, MP4", "n.mp4", (*X265, "-g", "25")),
         ("VP9, WebM", "n.webm", (*VP9, "-g", "25")), ("AV1, MP4", "n.mp4", (*AV1, "-g", "25")), ("MPEG-2, transport stream", "n.ts", (*MPEG2, "-bf", "2", "-g", "12")),
         ("MPEG-2, program stream", "n.mpg", (*MPEG2, "-bf", "2", "-g", "12")), ("H.264, transport stream", "n.ts", X264_B),
         ("MPEG-4, AVI", "n.avi", ("-c:v", "mpeg4", "-q:v", "2", "-g", "25")), ("Sorenson, FLV", "n.flv", ("-c:v", "flv1", "-q:v", "2", "-g", "25")),
         ("H.264, FLV", "n.flv", X264_B), ("WMV, ASF", "n.wmv", ("-c:v", "wmv2", "-q:v", "2", "-g", "25")),
         ("Theora, OGV", "n.ogv", ("-c:v", "libtheora", "-q:v", "10", "-g", "25")), ("MPEG-4, 3GP", "n.3gp", ("-c:v", "mpeg4", "-q:v", "2", "-g", "25")),
         ("ProRes, MOV", "n.mov", ("-vf", "format=yuv422p10", "-c:v", "prores_ks")), ("MPEG-1, elementary", "n.m1v", ("-c:v", "mpeg1video", "-q:v", "2", "-g", "12")),
         ("H.264, M4V", "n.m4v", X264_B), ("H.264, MXF", "n.mxf", (*X264, "-pix_fmt", "yuv422p", "-g", "1", "-bf", "0"))]
CASES = [shows(f"the first frame: {text}", count(name, *words), 0, time=0, reason="first", facts={"duration": (4.0, 0.1)} if "elementary" not in text else {})
         for text, name, words in CODED]
SEEKABLE = [entry for entry in CODED if "elementary" not in entry[0]]
CASES += [shows(f"--at 2.5: {text}", count(name, *words), 62, "--at", "2.5", time=2.48, reason="asked") for text, name, words in SEEKABLE]
CASES += [
    shows("--at 0 is the very first", count("n.mp4", *X264_B), 0, "--at", "0", time=0, reason="asked"),
    shows("--at 50%", count("n.mp4", *X264_B), 50, "--at", "50%", time=2.0, reason="asked"),
    shows("--at 00:00:01.2", count("n.mkv", *X264_B), 30, "--at", "00:00:01.2", time=1.2, reason="asked"),
    shows("--at past the end is the last", count("n.mp4", *X264_B), 99, "--at", "60", time=3.96, reason="asked"),
    shows("--at 100% is the last", count("n.webm", *VP9, "-g", "25"), 99, "--at", "100%", time=3.96, reason="asked"),
    shows("an edit list begins after a key frame, MP4", trimmed("cut.mp4", "1.2", *X264_B), 30, time=0),
    shows("an edit list begins after a key frame, HEVC in MOV", trimmed("cut.mov", "1.4", *X265, "-g", "25"), 35, time=0),
    shows("an edit list begins after a key frame, --at 1", trimmed("cut.mp4", "1.2", *X264_B), 55, "--at", "1", time=1.0),
    Case("an edit list over B-frames, corpus: 0.7 s", "corpus/real/video/media__mp4--iibbibb_editlist_videoonly.mp4", PLAIN_FIRST),
    Case("an edit list that shifts, corpus", "corpus/real/video/media__mp4--edit_list_positive_shift.mp4", PLAIN_FIRST),
    Case("a preroll of 5 s, corpus", "corpus/real/video/media__mp4--preroll-5s.mp4", PLAIN_FIRST),
    Case("an edit list with a preroll alone, corpus", "corpus/real/video/media__mp4--sample_edit_list_only_preroll_sync_sample.mp4", PLAIN_FIRST),
    Case("the first time stamp is 10 s, corpus", "corpus/real/video/media__mp4--bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4", PLAIN_FIRST),
    Case("a pyramid of B-frames, corpus", "corpus/real/video/media__mp4--bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4", PLAIN_FIRST),
    Case("no table of key frames, corpus", "corpus/real/video/media__mp4--sample_without_stss.mp4", PLAIN_FIRST),
    Case("several key frames in a cluster, corpus", "corpus/real/video/media__mkv--sample_with_multiple_key_frames.mkv", PLAIN_FIRST),
    shows("open groups of pictures, MPEG-2", count("open.mpg", *MPEG2, "-bf", "2", "-g", "12", "-sc_threshold", "1000000000"), 0, time=0),
    shows("a recording that begins in an open group, H.264",
          remuxed_from(count("open-whole.ts", "-c:v", "libx264", "-preset", "fast", "-crf", "12", "-bf", "2", "-x264-params", "open-gop=1:keyint=25:min-keyint=25:scenecut=0"),
                       "open.ts", "0.9"), 25, reason="first", facts={}),
    shows("a picture seconds after the sound, MP4", late_video("late.mp4", "3", *X264_B), 0, reason="first", time=3.0),
    shows("a picture seconds after the sound, MKV", late_video("late.mkv", "3", *X264_B), 0, reason="first", time=3.0),
    shows("a picture seconds after the sound, transport stream", late_video("late.ts", "3", *X264_B), 0, reason="first"),
    shows("a picture seconds after the sound, --at 4, MP4", late_video("late.mp4", "3", *X264_B), 25, "--at", "4", time=4.0),
    shows("one frame, MP4", count("one.mp4", *X264, frames=FRAMES[:1]), 0, time=0), shows("one frame, WebM", count("one.webm", *VP9, frames=FRAMES[:1]), 0, time=0),
    shows("one frame, transport stream", count("one.ts", *X264, frames=FRAMES[:1]), 0, time=0), shows("one frame, AVI", count("one.avi", "-c:v", "mpeg4", "-q:v", "2", frames=FRAMES[:1]), 0),
    shows("two frames with a B-frame between, --at 50%", count("three.mp4", *X264_B, frames=FRAMES[:3]), 1, "--at", "50%", time=0.04),
    Case("one frame, corpus", "corpus/gen/video/one_frame.mp4", PLAIN_FIRST),
    shows("a stream that begins in the middle of a group, H.264", without_first_key(count("whole.ts", *X264_B), "middle.ts"), 25),
    shows("a stream that begins in the middle of a group, MPEG-2", without_first_key(count("whole.ts", *MPEG2, "-g", "25", "-bf", "0"), "middle.ts"), 25),
    shows("a stream that begins in the middle of a group, MKV", without_first_key(count("whole.mkv", *X264_B), "middle.mkv"), 25),
    shows("index at the end", count("end.mp4", *X264_B), 0), shows("index at the front", count("front.mp4", *X264_B, "-movflags", "+faststart"), 0),
    shows("fragmented MP4", count("fragmented.mp4", *X264_B, "-movflags", "frag_keyframe+empty_moov"), 0, facts={"duration": (4.0, 0.1)}),
    shows("fragmented MP4, --at 2.5", count("fragmented.mp4", *X264_B, "-movflags", "frag_keyframe+empty_moov"), 62, "--at", "2.5", time=2.48),
    shows("fragmented MP4 with an index of its segments (DASH)", count("dash.mp4", *X264_B, "-movflags", "dash+frag_keyframe+global_sidx"), 0),
    Case("fragmented, corpus", "corpus/real/video/media__mp4--sample_fragmented.mp4", PLAIN_FIRST),
    Case("partly fragmented, corpus", "corpus/real/video/media__mp4--sample_partially_fragmented.mp4", PLAIN_FIRST),
]
CUT = [("MP4, its index in front", "cut.mp4", (*X264_B, "-movflags", "+faststart")), ("fragmented MP4", "cut.mp4", (*X264_B, "-movflags", "frag_keyframe+empty_moov")),
       ("MKV", "cut.mkv", X264_B), ("WebM", "cut.webm", (*VP9, "-g", "25")), ("AVI", "cut.avi", ("-c:v", "mpeg4", "-q:v", "2", "-g", "25")), ("transport stream", "cut.ts", X264_B),
       ("program stream", "cut.mpg", (*MPEG2, "-bf", "2")), ("FLV", "cut.flv", X264_B), ("OGV", "cut.ogv", ("-c:v", "libtheora", "-q:v", "10")), ("ASF", "cut.wmv", ("-c:v", "wmv2", "-q:v", "2"))]
CASES += [shows(f"cut off at 60 %: {text}", then(count(name, *words), cut(0.6)), 0) for text, name, words in CUT]
CASES += [shows("cut off at 60 %, the middle of what is there: MP4", then(count("cut.mp4", *X264_B, "-movflags", "+faststart"), cut(0.6)), 25, "--at", "25%", time=1.0),
          shows("cut off inside the only frame: what was decoded is shown", then(count("cut.mpg", *MPEG2, frames=FRAMES[:1]), cut(0.95)), 0)]
PROBED = [("AVI", "media__avi--sample.avi"), ("FLV", "media__flv--sample.flv"), ("3GP", "media__mp4--bbb_176x144_128kbps_15fps_h263.3gp"),
          ("MP4", "media__mp4--bbb_176x144_192kbps_15fps_mpeg4.mp4"), ("WebM", "media__vp9--bear-vp9.webm"), ("WMV", "tika__testWMV.wmv"), ("WMV 2", "tika__testWMV_WMV2.wmv"),
          ("slow motion", "media__mp4--sample_sef_slow_motion.mp4"), ("12.5 frames a second", "media__mp4--sample_12_5fps_720p_1s.mp4"), ("1.022 s", "media__mp4--testvid_1022ms.mp4"),
          ("transport stream", "media__ts--sample_h264.ts"), ("MPEG-4 in a transport stream", "media__ts--sample_h263.ts")]
CASES += [Case(f"first frame and duration as ffprobe says, corpus: {text}", f"corpus/real/video/{name}", PLAIN_FIRST, facts=as_probed("duration"),
               options=("--at", "0"))
          for text, name in PROBED]
# Its duration is the movie's to ffprobe 5.1, the track's to 7.1.
CASES += [Case("frames a second as ffprobe says, varying", "corpus/gen/video/vfr.mp4",
               by_tool("ffmpeg", "-v", "error", "-y", "-i", "{in}", "-frames:v", "1", "-vf", "scale=853:480", "{out}"), facts=as_probed("frameRate"))]
