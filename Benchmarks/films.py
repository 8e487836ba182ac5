"""Videos: a moving test picture under a camera's noise, coded by FFmpeg."""

import os
import subprocess

from inputs import main


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], check=True)


def moving_picture(width, height, rate=30):
    return ["-f", "lavfi", "-i", f"testsrc2=s={width}x{height}:r={rate},noise=alls=12:allf=t:all_seed=7"]


def write_h264(target, width, height, seconds, bit_rate):
    tone = ["-f", "lavfi", "-i", "sine=f=440"]
    ffmpeg(*moving_picture(width, height), *tone, "-t", seconds, "-c:v", "libx264", "-preset", "veryfast", "-b:v", bit_rate,
           "-g", 60, "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-f", "mp4", target)


def write_hevc_hdr(target, width, height, seconds, bit_rate):
    """Ten bits, PQ, BT.2020: what phones and cameras record as HDR."""
    colours = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=none"
    ffmpeg(*moving_picture(width, height), "-t", seconds, "-c:v", "libx265", "-preset", "ultrafast", "-b:v", bit_rate,
           "-pix_fmt", "yuv420p10le", "-x265-params", colours, "-color_primaries", "bt2020", "-color_trc", "smpte2084",
           "-colorspace", "bt2020nc", "-tag:v", "hvc1", "-movflags", "+faststart", "-f", "mp4", target)


def write_vp9(target, width, height, seconds, bit_rate):
    ffmpeg(*moving_picture(width, height), "-t", seconds, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", 8,
           "-row-mt", 1, "-b:v", bit_rate, "-pix_fmt", "yuv420p", "-f", "webm", target)


def write_av1(target, width, height, seconds, bit_rate):
    ffmpeg(*moving_picture(width, height), "-t", seconds, "-c:v", "libsvtav1", "-preset", 12, "-b:v", bit_rate,
           "-pix_fmt", "yuv420p", "-f", "mp4", target)


def write_index_at_end(target, byte_count, source):
    """The same film again and again; its index comes last, as a recorder leaves it."""
    loops = int(byte_count) // os.path.getsize(source)
    ffmpeg("-stream_loop", loops, "-i", source, "-c", "copy", "-f", "mp4", target)


RECIPES = {"h264": write_h264, "hevc-hdr": write_hevc_hdr, "vp9": write_vp9, "av1": write_av1,
           "index-at-end": write_index_at_end}

if __name__ == "__main__":
    main(RECIPES)
