#!/usr/bin/env python3
"""Times `compass thumb` as a whole process: cold and alone, through the socket of a host with warm renderers, and from the cache;
beside the library's own work, as Benchmarks/WarmCost measures it in its own process. The ways take turns; medians count."""
import argparse, os, statistics, subprocess, tempfile, time


def timed(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


def rounds_of(commands, count):
    """The median of each command's times in milliseconds, after one run that does not count."""
    times = {name: [] for name in commands}
    for number in range(-1, count):
        for name, command in commands.items():
            elapsed = timed(command)
            if number >= 0:
                times[name].append(elapsed)
    return {name: statistics.median(values) for name, values in times.items()}


def floor_of(build, kind, path):
    """The library's work alone in milliseconds: the third cell of warm-cost's row."""
    row = subprocess.run([os.path.join(build, "warm-cost"), "cost", kind, path], check=True, capture_output=True, text=True)
    return float(row.stdout.split("|")[3].replace("ms", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the folder of the built programs")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("files", nargs="+", metavar="CLASS:FILE", help="image, plain, pdf or video, and a file")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    compass = os.path.join(build, "compass")
    print("| file | cold, alone | warm, through the socket | from the cache | the library's work alone | warm above it |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="compass-warm-") as scratch:
        os.environ["COMPASS_CACHE"] = os.path.join(scratch, "cache")
        os.environ["COMPASS_WARM_SOCKET"] = os.path.join(scratch, "run", "warm")
        host = subprocess.Popen([os.path.join(build, "warm-host")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        host.stdout.readline()
        for kind, path in (file.split(":", 1) for file in arguments.files):
            medians = rounds_of({"cold": [compass, "thumb", "--force", "--alone", path],
                                 "warm": [compass, "thumb", "--force", path],
                                 "hit": [compass, "thumb", path]}, arguments.rounds)
            floor = floor_of(build, kind, path)
            cells = [medians["cold"], medians["warm"], medians["hit"], floor, medians["warm"] - floor]
            print(f"| {os.path.basename(path)} | {' | '.join(f'{cell:.1f} ms' for cell in cells)} |", flush=True)
        host.stdin.close()
        host.wait()


if __name__ == "__main__":
    main()
