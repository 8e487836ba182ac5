"""Cases: high dynamic range on an ordinary screen."""

import functools
import subprocess

import numpy

from case import Case
from clips import AV1, FFV1, VP9, X264, X265, still
from light import chart, hlg, hlg_light, ictcp, pq, pq_light, shown
from measure import patches
from reference import known
from video_colour import raw, rgb_planes
from yuv import planes

FLAT = patches(3, grid=(8, 6), core=0.5)
RAMP = numpy.vstack([numpy.linspace(0, 1, 512)] * 64)[..., None].repeat(3, 2)


def tags(curve, primaries="bt2020", space="bt2020nc"):
    return ("-color_primaries", primaries, "-color_trc", {"pq": "smpte2084", "hlg": "arib-std-b67"}[curve], "-colorspace", space, "-color_range", "tv")


def coded(name, curve, peak, *words, depth=10, matrix="bt2020", **more):
    light = chart(peak)
    return still(name, pq(light) if curve == "pq" else hlg(light), *words, *(more.pop("tag", None) or tags(curve)), matrix=matrix, depth=depth, count=30, **more)


def of_cones(name, curve, peak, *words, **more):
    """ICtCp."""
    return still(name, chart(peak), *words, *tags(curve, space="ictcp"), matrix=ictcp(curve), depth=more.pop("depth", 10), count=10, **more)


def by_formula(curve):
    """The first frame's signals by another tool's matrix, converted to light and to the screen by the published formulas."""
    @functools.lru_cache(maxsize=None)
    def shows(path):
        words = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf",
                 "zscale=min=2020_ncl:rin=limited:tin=2020_10:t=2020_10:m=gbr:r=full,format=gbrp16,format=rgb48le",
                 "-c:v", "ppm", "-f", "image2pipe", "-"]
        data = subprocess.run([str(word) for word in words], capture_output=True, check=True).stdout
        width, height = (int(word) for word in data.split(b"\n", 3)[1].split())
        signal = numpy.frombuffer(data[-width * height * 6:], ">u2").reshape(height, width, 3) / 65535
        light = pq_light(signal) if curve == "pq" else hlg_light(signal)
        peak = float(numpy.quantile(light.max(axis=-1), 0.999)) if curve == "pq" else 1000.0
        return shown(light, peak)
    return shows


def case(name, source, shows, **more):
    return Case(name, source, shows, more.pop("measure", FLAT), **more)


CASES = [case(f"PQ of {peak} cd/m², {text}", coded(name, "pq", peak, *words, **more), known(shown(chart(peak), peak)), facts={"hdr": "pq"})
         for peak, text, name, words, more in (
             (1000, "HEVC", "pq.mp4", X265, {}), (4000, "HEVC", "pq.mp4", X265, {}), (10000, "HEVC", "pq.mp4", X265, {}),
             (1000, "VP9", "pq.webm", VP9, {}), (1000, "AV1", "pq.mp4", AV1, {}), (4000, "AV1 in MKV", "pq.mkv", AV1, {}),
             (1000, "HEVC of 12 bits, 4:4:4", "pq.mkv", X265, {"depth": 12, "sampling": "444"}),
             (1000, "H.264 of 10 bits", "pq.mp4", X264, {}),
             (1000, "ProRes of 4:2:2", "pq.mov", ("-c:v", "prores_ks"), {"sampling": "422"}))]
CASES += [case(f"HLG, {text}", coded(name, "hlg", 1000, *words, **more), known(shown(chart(1000), 1000)), facts={"hdr": "hlg"})
          for text, name, words, more in (
              ("HEVC", "hlg.mp4", X265, {}), ("VP9", "hlg.webm", VP9, {}), ("AV1", "hlg.mp4", AV1, {}), ("H.264 of 10 bits", "hlg.mp4", X264, {}))]
CASES += [
    case("PQ no brighter than white needs no tone mapping", coded("dim.mp4", "pq", 203, *X265), known(shown(chart(203), 203))),
    case("HLG that does not use its range is not brightened", coded("dim.mp4", "hlg", 400, *X265), known(shown(chart(400), 1000))),
    case("PQ whose matrix and primaries nobody names: BT.2020's", coded("bare.mkv", "pq", 1000, *FFV1, tag=("-color_trc", "smpte2084", "-color_range", "tv")),
         known(shown(chart(1000), 1000))),
    case("PQ in red, green and blue", raw("rgb.mkv", rgb_planes(255 * pq(chart(1000)), 10), (320, 240), "gbrp10le", *FFV1, "-color_trc", "smpte2084",
                                          "-color_primaries", "bt2020"), known(shown(chart(1000), 1000))),
]
CASES += [case(f"{curve.upper()} of {peak} cd/m² in ICtCp, {text}", of_cones(name, curve, peak, *words, **more), known(shown(chart(peak), peak)),
               facts={"hdr": curve, "colorSpace": "ictcp"})
          for curve, peak, text, name, words, more in (
              ("pq", 1000, "HEVC", "cones.mp4", X265, {}), ("pq", 4000, "HEVC of 12 bits, 4:4:4", "cones.mkv", X265, {"depth": 12, "sampling": "444"}),
              ("pq", 1000, "AV1", "cones.mp4", AV1, {}), ("hlg", 1000, "HEVC", "cones.mp4", X265, {}),
              ("hlg", 1000, "not compressed but by FFV1", "cones.mkv", FFV1, {}))]
CLEAR = numpy.full((240, 320), 255, numpy.uint8)
CLEAR[:, 160:] = 120


def clear_light():
    """PQ with an alpha plane: the right half lets the ground through."""
    frame = planes(pq(chart(1000)), "bt2020", False, 10, "444") + (CLEAR.astype(float) / 255 * 1023).round().astype("<u2").tobytes()
    return raw("clear.mkv", frame, (320, 240), "yuva444p10le", *FFV1, *tags("pq"))


CASES += [case("PQ with transparency, FFV1", clear_light(), known(numpy.dstack([shown(chart(1000), 1000), CLEAR])), facts={"hdr": "pq", "hasAlpha": True})]
LOOSE = patches(4)
CASES += [case(name, f"corpus/{path}", by_formula(curve), measure=LOOSE, **more) for name, path, curve, more in (
    ("HDR10, corpus: HEVC of 4K", "gen/video/hevc_4k_hdr10_pq.mp4", "pq", {}), ("PQ, corpus: AV1", "gen/video/av1_10bit_pq.mkv", "pq", {}),
    ("HDR10, corpus: AV1", "real/video/media__mp4--hdr10-av1.mp4", "pq", {}), ("PQ, corpus: AV1 with a further track", "real/video/media__mp4--sample_with_it35_track.mp4", "pq", {}),
    ("HLG, corpus: HEVC of 4K", "gen/video/hevc_4k_hlg.mp4", "hlg", {}), ("HLG, corpus: colours", "real/video/media__mp4--hlg10-color-test.mp4", "hlg", {}),
    ("HLG, corpus: AV1 in MKV", "real/video/media__mkv--sample_av1.mkv", "hlg", {}),
    ("HLG, corpus: HEVC, turned", "real/video/media__mp4--sample_with_color_info.mp4", "hlg", {}),
    ("HLG, corpus: a telephone's Dolby Vision, turned", "real/video/media__mp4--dolbyVision-hdr.MOV", "hlg", {}))]
