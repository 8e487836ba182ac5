#!/usr/bin/env python3
"""Times one call of compass over a corpus' images, PDFs and videos beside the peers' own tools, each on its files.

Only files that the peer for their kind can read take part (`vipsthumbnail`, `pdftocairo`, `ffmpegthumbnailer`, tried once
before), each content once, so that nothing is found in the cache. The peers run twice: in a loop as a shell script would
call them, and by `xargs -P` on all processors. The cache is empty before every round.
"""
import argparse, os, shutil, statistics, subprocess, sys, tempfile, time

SUFFIXES = {
    "vipsthumbnail": (".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".heic", ".avif", ".svg", ".jp2", ".jxl"),
    "pdftocairo": (".pdf",),
    "ffmpegthumbnailer": (".mp4", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".m4v", ".3gp", ".flv", ".ts", ".ogv", ".wmv"),
}


def peer_command(tool, path, target):
    return {
        "vipsthumbnail": ["vipsthumbnail", path, "-s", "640x360", "-o", target + ".jpg[Q=80]"],
        "pdftocairo": ["pdftocairo", "-singlefile", "-jpeg", "-scale-to", "640", path, target],
        "ffmpegthumbnailer": ["ffmpegthumbnailer", "-t", "0", "-s", "640", "-i", path, "-o", target + ".jpg"],
    }[tool]


def quiet(command, **options):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def readable_files(corpus, out):
    """(path, tool) for every file that its peer makes a picture of."""
    chosen, seen = [], set()
    for folder, _, names in sorted(os.walk(corpus)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            tool = next((tool for tool, suffixes in SUFFIXES.items() if name.lower().endswith(suffixes)), None)
            if tool is None:
                continue
            with open(path, "rb") as file:
                content = hash(file.read())
            if content in seen:
                continue
            seen.add(content)
            target = os.path.join(out, "trial")
            try:
                if quiet(peer_command(tool, path, target), timeout=20).returncode == 0 and os.path.exists(target + ".jpg"):
                    chosen.append((path, tool))
            except subprocess.TimeoutExpired:
                pass
            if os.path.exists(target + ".jpg"):
                os.remove(target + ".jpg")
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compass", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    out = tempfile.mkdtemp(prefix="compass-batch-")
    try:
        files = readable_files(arguments.corpus, out)[:arguments.count]
        if not files:
            sys.exit(f"{arguments.corpus} has no files that the peers read")
        scripts = os.path.join(out, "commands")
        with open(scripts, "wb") as file:
            for index, (path, tool) in enumerate(files):
                file.write(" ".join(f"'{part}'" for part in peer_command(tool, path, os.path.join(out, f"p{index}"))).encode() + b"\0")
        cache = os.path.join(out, "cache")
        os.environ["COMPASS_CACHE"] = cache

        def compass(*flags):
            shutil.rmtree(cache, ignore_errors=True)
            return lambda: quiet([os.path.abspath(arguments.compass), "thumb", *flags, *(path for path, _ in files)])

        def peers(processes):
            return lambda: quiet(["xargs", "-0", "-a", scripts, "-n1", "-P", str(processes), "sh", "-c"])

        cases = {"compass": compass, "peers, one after another": lambda: peers(1), f"peers, {os.cpu_count()} at once": lambda: peers(os.cpu_count())}
        times = {name: [] for name in cases}
        for _ in range(arguments.rounds):
            for name, prepare in cases.items():
                run = prepare()
                start = time.perf_counter()
                run()
                times[name].append(time.perf_counter() - start)
        counts = {tool: sum(1 for _, other in files if other == tool) for tool in SUFFIXES}
        print(f"{len(files)} files: " + ", ".join(f"{count} for {tool}" for tool, count in counts.items()))
        print("| who | median | peer ÷ compass |\n|---|---|---|")
        ours = statistics.median(times["compass"])
        for name, values in times.items():
            print(f"| {name} | {statistics.median(values):.1f} s | {statistics.median(values) / ours:.2f}× |")
    finally:
        shutil.rmtree(out, ignore_errors=True)


main()
