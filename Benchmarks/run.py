#!/usr/bin/env python3
"""Times compass side by side with other tools, as whole processes, and writes Benchmarks/results.md.

Each case runs its commands in turn (A B A B …), so that a machine whose speed drifts is fair to both; medians and their
ratio are what counts. Inputs are made with ffmpeg, libvips and qpdf from fixed descriptions, in Benchmarks/work.
"""
import argparse, json, os, resource, shutil, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join(HERE, "work")
PEERS = ["vipsthumbnail", "ffmpegthumbnailer", "pdftocairo", "ffmpeg", "vips", "qpdf"]


def run(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def make_inputs():
    """The files to open; each made once."""
    os.makedirs(WORK, exist_ok=True)
    paths = {name: os.path.join(WORK, name) for name in
             ["photo20.jpg", "video1080.mp4", "text500.pdf", "video1080-index-at-end-1GB.mp4"]}
    if not os.path.exists(paths["photo20.jpg"]):
        # Noise of several scales: as hard to compress as a photograph (about 7 MB).
        parts = []
        for octave, (width, height) in enumerate([(22, 15), (171, 114), (1368, 912), (5472, 3648)]):
            part = os.path.join(WORK, f"octave{octave}.v")
            run(["vips", "gaussnoise", part, str(width), str(height), "--mean", "110", "--sigma", "40", "--seed", str(octave)])
            large = os.path.join(WORK, f"large{octave}.v")
            run(["vips", "resize", part, large, str(5472 / width), "--vscale", str(3648 / height)])
            parts.append(large)
        run(["vips", "bandjoin", " ".join([parts[0], parts[1], parts[2]]), os.path.join(WORK, "low.v")])
        run(["vips", "linear", parts[3], os.path.join(WORK, "fine.v"), "0.2", "0"])
        run(["vips", "add", os.path.join(WORK, "low.v"), os.path.join(WORK, "fine.v"), os.path.join(WORK, "sum.v")])
        run(["vips", "cast", os.path.join(WORK, "sum.v"), os.path.join(WORK, "photo.v"), "uchar"])
        run(["vips", "copy", os.path.join(WORK, "photo.v"), paths["photo20.jpg"] + "[Q=85]"])
        for name in os.listdir(WORK):
            if name.endswith(".v"):
                os.remove(os.path.join(WORK, name))
    # A test picture under camera noise: 16 Mbit/s, as phones and cameras record.
    source = ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30,noise=alls=12:allf=t:all_seed=7", "-f", "lavfi", "-i", "sine=f=440"]
    h264 = ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "16M", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    if not os.path.exists(paths["video1080.mp4"]):
        run(["ffmpeg", "-y", *source, "-t", "10", *h264, paths["video1080.mp4"]])
    if not os.path.exists(paths["video1080-index-at-end-1GB.mp4"]):
        # A bit rate that makes 1 GB of two minutes; ffmpeg writes the index last.
        run(["ffmpeg", "-y", *source, "-t", "20", *h264, "-b:v", "68M", "-minrate", "68M", "-bufsize", "68M",
             "-x264-params", "nal-hrd=cbr", os.path.join(WORK, "part.mp4")])
        with open(os.path.join(WORK, "list.txt"), "w") as file:
            file.write("file part.mp4\n" * 7)
        run(["ffmpeg", "-y", "-f", "concat", "-safe", "0", "-i", os.path.join(WORK, "list.txt"), "-c", "copy",
             paths["video1080-index-at-end-1GB.mp4"]])
        os.remove(os.path.join(WORK, "part.mp4"))
    if not os.path.exists(paths["text500.pdf"]):
        body = "".join(f"BT /F 11 Tf 72 {720 - 14 * line} Td (Line {line}: the quick brown fox jumps over the lazy dog) Tj ET\n"
                       for line in range(45))
        with open(os.path.join(WORK, "page.pdf"), "w") as file:
            file.write("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                       f"2 0 obj<</Type/Pages/Count 500/Kids[{' '.join(f'{i} 0 R' for i in range(10, 510))}]>>endobj\n"
                       "3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n")
            for index in range(10, 510):
                file.write(f"{index} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {index + 1000} 0 R"
                           f"/Resources<</Font<</F 3 0 R>>>>>>endobj\n{index + 1000} 0 obj<</Length {len(body)}>>stream\n"
                           f"{body}endstream endobj\n")
            file.write("trailer<</Root 1 0 R>>\n")
        # qpdf warns of the missing cross-reference table that it makes.
        subprocess.run(["qpdf", os.path.join(WORK, "page.pdf"), paths["text500.pdf"]], stderr=subprocess.DEVNULL)
    return paths


def timed(command, cache=None):
    """The command's time in ms; with `cache`, that folder is emptied before."""
    if cache:
        shutil.rmtree(cache, ignore_errors=True)
    start = time.perf_counter()
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elapsed = (time.perf_counter() - start) * 1000
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}")
    return elapsed


def compare(commands, rounds, cache=None):
    for command in commands.values():
        timed(command, cache)
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(timed(command, cache))
    return times


def peak_of_renderer(compass, path):
    line = subprocess.run([compass, "thumb", "--json", "--force", path],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(line)["peakByteCount"] / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compass", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    missing = [name for name in PEERS if shutil.which(name) is None]
    if missing:
        sys.exit("missing: " + " ".join(missing) + "\ninstall: libvips-tools ffmpegthumbnailer poppler-utils ffmpeg qpdf")
    compass = os.path.abspath(arguments.compass)
    inputs = make_inputs()
    cache = os.path.join(WORK, "cache")
    os.environ["COMPASS_CACHE"] = cache
    out = os.path.join(WORK, "out")
    os.makedirs(out, exist_ok=True)

    def cold(path):
        return [compass, "thumb", path]

    photo, video, pdf, big = (inputs[name] for name in
                              ["photo20.jpg", "video1080.mp4", "text500.pdf", "video1080-index-at-end-1GB.mp4"])
    cases = [
        ("20-megapixel JPEG, cold", photo,
         {"compass": cold(photo), "vipsthumbnail": ["vipsthumbnail", photo, "-s", "640x360", "-o", f"{out}/v.jpg[Q=80]"]},
         "≥ 1.0×"),
        ("1080p H.264, first frame, cold", video,
         {"compass": cold(video),
          "ffmpegthumbnailer": ["ffmpegthumbnailer", "-t", "0", "-s", "640", "-i", video, "-o", f"{out}/f.jpg"]}, "≥ 2.0×"),
        ("the same, 1 GB, index at the end, cold", big,
         {"compass": cold(big),
          "ffmpegthumbnailer": ["ffmpegthumbnailer", "-t", "0", "-s", "640", "-i", big, "-o", f"{out}/f.jpg"]}, ""),
        ("500-page PDF, page 1, cold", pdf,
         {"compass": cold(pdf),
          "pdftocairo": ["pdftocairo", "-singlefile", "-jpeg", "-scale-to", "640", pdf, f"{out}/p"]}, "≥ 0.77× (within 1.3×)"),
    ]
    lines = ["| case | compass, median | peer, median | peer ÷ compass | wanted | renderer's peak memory |", "|---|---|---|---|---|---|"]
    for title, path, commands, wanted in cases:
        times = compare(commands, arguments.rounds, cache)
        (_, ours), (peer, theirs) = times.items()
        ratio = statistics.median(t / o for o, t in zip(ours, theirs))
        lines.append(f"| {title} | {statistics.median(ours):.0f} ms ({min(ours):.0f}–{max(ours):.0f}) | "
                     f"{peer} {statistics.median(theirs):.0f} ms ({min(theirs):.0f}–{max(theirs):.0f}) | {ratio:.2f}× | {wanted} | "
                     f"{peak_of_renderer(compass, path):.0f} MB |")
        print(lines[-1], flush=True)
    # The stat index does not trust a file that is younger than its clock's grain.
    time.sleep(2.5)
    subprocess.run(cold(photo), check=True, stdout=subprocess.DEVNULL)
    hit = compare({"hit": cold(photo)}, arguments.rounds * 4)["hit"]
    lines.append(f"| the same JPEG again (a hit) | {statistics.median(hit):.1f} ms ({min(hit):.1f}–{max(hit):.1f}) | | | < 8 ms | – |")
    print(lines[-1])
    version = subprocess.run([compass, "--version"], capture_output=True, text=True).stdout.strip()
    with open(os.path.join(HERE, "results.md"), "w") as file:
        file.write("# Measured side by side\n\n`make bench` writes this file: whole processes in turn, warm file cache, "
                   f"{arguments.rounds} rounds, {os.cpu_count()} processors. “Cold” is one process for one file, with an empty cache: renderers started, "
                   "file hashed, rendition stored in the cache. The ratio is the median of the rounds' ratios.\n\n"
                   + "\n".join(lines) + "\n\n```\n" + version + "\n```\n")


main()
