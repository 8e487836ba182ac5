#!/usr/bin/env python3
"""Times the worker: the delay until a job begins, the cost of a trivial job, the gain of a second processor, the effect of a
large queue and many jobs, and the use of the processor while it idles. Prints Markdown tables.

The programs must be built: thumbd, the renderers, queue-load. Figures of a busy machine are worth little; the output says how busy it was."""

import argparse
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def pixel(number):
    """A PNG of one pixel with a text that makes its bytes its own."""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Comment\0%d" % number) + chunk(b"IDAT", zlib.compress(b"\0\x10\x20\x30")) + chunk(b"IEND", b""))


def numbered_jpeg(data, number):
    """The same JPEG with a comment behind its first marker."""
    comment = b"%d" % number
    return data[:2] + b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment + data[2:]


class Bench:
    def __init__(self, programs, folder):
        self.programs, self.folder, self.number, self.running = os.path.abspath(programs), folder, 0, []

    def fresh(self):
        self.number += 1
        place = os.path.join(self.folder, str(self.number))
        os.makedirs(os.path.join(place, "sources"))
        self.queue, self.cache = os.path.join(place, "queue.sqlite"), os.path.join(place, "cache")
        self.sources = os.path.join(place, "sources")
        self.load("migrate")
        return place

    def load(self, command, *arguments, paths=()):
        return subprocess.run([os.path.join(self.programs, "queue-load"), command, self.queue, *map(str, arguments)],
                              input="".join(path + "\n" for path in paths), text=True, check=True,
                              capture_output=True).stdout.split()

    def write(self, count, make):
        paths = []
        for number in range(count):
            paths.append(os.path.join(self.sources, "%d" % number))
            with open(paths[-1], "wb") as file:
                file.write(make(number))
        return paths

    def start(self, jobs, processors=None):
        command = [os.path.join(self.programs, "thumbd"), "--queue", self.queue, "--cache", self.cache, "--root",
                   self.folder, "--listen", "", "--jobs", str(jobs), "--log-level", "notice"]
        if processors is not None:
            command = ["taskset", "-c", processors] + command
        log = open(os.path.join(self.folder, "log"), "ab")
        process = subprocess.Popen(command, stderr=log, stdin=subprocess.DEVNULL)
        self.running.append(process)
        while not self.rows("SELECT 1") or b"working" not in open(log.name, "rb").read():
            time.sleep(0.05)
        os.truncate(log.name, 0)
        return process

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    def rows(self, sql):
        connection = sqlite3.connect("file:%s?mode=ro" % self.queue, uri=True, timeout=30)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def unfinished(self):
        return self.rows("SELECT coalesce(sum(jobs), 0) FROM queue_count WHERE state IN ('available', 'leased')")[0][0]

    def finish(self, step=0.05, each=None):
        while self.unfinished():
            time.sleep(step)
            if each:
                each()
        assert self.rows("SELECT count(*) FROM queue_job WHERE state = 'dead'")[0][0] == 0

    def span(self):
        """Milliseconds from the first attempt's beginning to the last job's end."""
        return self.rows("SELECT (SELECT max(finished) FROM queue_job) - (SELECT min(started) FROM queue_attempt)")[0][0]


def ticks(process):
    """Processor time of a process and of all that descend from it, the ended ones too, in seconds."""
    try:
        with open("/proc/%d/stat" % process) as file:
            fields = file.read().rsplit(")", 1)[1].split()
        threads = os.listdir("/proc/%d/task" % process)
    except FileNotFoundError:
        return 0  # It ended meanwhile; its parent's account has it.
    total = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    for thread in threads:
        try:
            with open("/proc/%d/task/%s/children" % (process, thread)) as file:
                children = file.read().split()
        except FileNotFoundError:
            continue
        total += sum(ticks(int(child)) for child in children)
    return total


def resident(process):
    with open("/proc/%d/statm" % process) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure_latency(bench, count):
    bench.fresh()
    paths = bench.write(count, pixel)
    process = bench.start(2)
    p50, p99, most = bench.load("latency", "upload", 60, paths=paths)
    bench.end(process)
    print("| from an enqueue by another process to the attempt's beginning, idle worker, %d times | "
          "p50 %s ms, p99 %s ms, at most %s ms |" % (count, p50, p99, most))


def measure_urgent(bench, count):
    with open(bench.photograph, "rb") as file:
        photograph = file.read()
    bench.fresh()
    backfill = bench.write(60 * count // 20, lambda number: numbered_jpeg(photograph, number))
    urgent = []
    for number in range(count):
        urgent.append(os.path.join(bench.sources, "urgent-%d" % number))
        with open(urgent[-1], "wb") as file:
            file.write(pixel(number))
    bench.load("enqueue", "backfill", paths=backfill)
    process = bench.start(2)
    p50, p99, most = bench.load("latency", "interactive", 60, paths=urgent)
    left = bench.unfinished()
    bench.end(process)
    print("| the same for interactive jobs while a backfill of 20-megapixel JPEGs runs (%d of it left at the end) | "
          "p50 %s ms, p99 %s ms, at most %s ms |" % (left, p50, p99, most))


def measure_trivial(bench, count):
    bench.fresh()
    bench.load("enqueue", "upload", paths=bench.write(count, pixel))
    process = bench.start(1, "0")
    before = ticks(process.pid)
    bench.finish()
    spent = ticks(process.pid) - before
    bench.end(process)
    print("| a job on an image of one pixel, one processor, %d jobs | %.2f ms, of them %.2f ms of processor time |"
          % (count, bench.span() / count, spent * 1000 / count))


def measure_processors(bench, count):
    with open(bench.photograph, "rb") as file:
        photograph = file.read()
    rates = {}
    for _ in range(2):
        for jobs, processors in ((1, "0"), (2, "0,1")):
            bench.fresh()
            bench.load("enqueue", "upload",
                       paths=bench.write(count, lambda number: numbered_jpeg(photograph, number)))
            process = bench.start(jobs, processors)
            bench.finish()
            bench.end(process)
            rates.setdefault(jobs, []).append(count * 1000 / bench.span())
    one, two = max(rates[1]), max(rates[2])
    print("| 20-megapixel JPEGs a second, one processor and two (the better of two turns) | %.1f, %.1f: %.2f × |"
          % (one, two, two / one))


def fill(bench, done, waiting):
    """Rows in the form that the queue writes; a million through the queue itself would take half an hour."""
    connection = sqlite3.connect(bench.queue)
    row = connection.execute("SELECT recipes FROM queue_job LIMIT 1").fetchone()[0]
    now = int(time.time() * 1000)
    sql = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO queue_job (kind, identity, source_type, source, recipes, priority, state, enqueued, not_before, turn, finished,
            failures, worker_deaths) SELECT 'renditions', 'filled ' || ? || i, 'path', '/nowhere/' || i, ?, i % 3, ?,
            ? - i * 100, ? - i * 100, ? - i * 100, ?, 0, 0 FROM n"""
    connection.execute(sql, (done, "done", row, "done", now, now, now, now - 3_600_000))
    connection.execute(sql, (waiting, "waiting", row, "available", now, now, now, None))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def measure_size(bench):
    for done, waiting in ((1000, 100), (1_000_000, 100_000)):
        bench.fresh()
        bench.load("enqueue", "upload", paths=["/nowhere/first"])
        fill(bench, done, waiting)
        claim, release, status = bench.load("operations", 300)
        print("| claim, hand back, status with %s jobs done and %s waiting | %s µs, %s µs, %s µs |"
              % (format(done, ","), format(waiting, ","), claim, release, status))


def measure_memory(bench, count):
    bench.fresh()
    paths = bench.write(count, pixel)
    process = bench.start(2)
    samples = []
    for part in range(10):
        bench.load("enqueue", "upload", paths=paths[part * count // 10:(part + 1) * count // 10])
        bench.finish(0.2)
        samples.append(resident(process.pid))
    bench.end(process)
    print("| thumbd's memory after each tenth of %s jobs | %s MB |"
          % (format(count, ","), ", ".join("%.1f" % sample for sample in samples)))


def measure_idle(bench, seconds):
    bench.fresh()
    process = bench.start(2)
    time.sleep(2)
    before = ticks(process.pid)
    time.sleep(seconds)
    share = (ticks(process.pid) - before) / seconds * 100
    bench.end(process)
    print("| processor time of thumbd and its renderers, idle for %d s | %.2f %% of one |" % (seconds, share))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="folder of the built programs")
    parser.add_argument("--photograph", help="a JPEG of 20 megapixels; made with ImageMagick where none is named")
    parser.add_argument("--jobs", type=int, default=20000, help="how many for the memory")
    parser.add_argument("only", nargs="*", help="latency urgent trivial processors size memory idle")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="compass-worker-bench-")
    bench = Bench(options.programs, folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    bench.photograph = options.photograph or os.path.join(folder, "photograph.jpg")
    try:
        if not options.photograph:
            subprocess.run(["convert", "-size", "5472x3648", "plasma:fractal", "-quality", "90", bench.photograph], check=True)
        print("Load of the machine at the start: %s; processors: %d.\n" % (os.getloadavg()[0], os.cpu_count()))
        print("| what | figure |\n|---|---|")
        for name, run in (("latency", lambda: measure_latency(bench, 200)), ("urgent", lambda: measure_urgent(bench, 100)),
                          ("trivial", lambda: measure_trivial(bench, 1000)),
                          ("processors", lambda: measure_processors(bench, 30)), ("size", lambda: measure_size(bench)),
                          ("idle", lambda: measure_idle(bench, 60)),
                          ("memory", lambda: measure_memory(bench, options.jobs))):
            if not options.only or name in options.only:
                run()
                sys.stdout.flush()
        print("\nLoad at the end: %s." % os.getloadavg()[0])
    finally:
        for process in bench.running:
            if process.poll() is None:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


main()
