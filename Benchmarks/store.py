"""Times files and pictures in a bucket beside the same in a folder, and beside boto3; writes the table of docs/scale.md.

    store.py --programs FOLDER --weed PROGRAM [--quick]

An interpreter with boto3 runs it. The store is a SeaweedFS of its own on loopback. Bytes and requests are counted by a proxy before it,
through which nothing is timed but where a row says so. Ways that are compared take turns.
"""

import argparse
import base64
import http.client
import json
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import boto3

from figures import Figures, machine
from films import write_h264, write_index_at_end
from pdf import Writer, image_page
from service import Service, free_port, in_turns, new_addresses, wrk

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ACCESS_KEY, SECRET_KEY, BUCKET = "benchAccessKey", "benchSecretKey", "bench"
ROUNDS = 5


class Store:
    """A SeaweedFS in a folder, with a bucket."""

    def __init__(self, weed, folder):
        (folder / "data").mkdir(parents=True)
        identity = {"name": "bench", "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
                    "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        (folder / "identities.json").write_text(json.dumps({"identities": [identity]}))
        self.ports = dict(zip(
            ("s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
             "filer.port.grpc"), (free_port() for _ in range(8))))
        command = [
            weed, "server", f"-dir={folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", f"-s3.config={folder}/identities.json",
            "-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.max=60", "-master.volumeSizeLimitMB=1024", "-master.telemetry=false",
            "-s3.autoCreateBucket=false", *(f"-{name}={port}" for name, port in self.ports.items())]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.port = self.ports["s3.port"]
        self.address = f"http://127.0.0.1:{self.port}"
        self.client = boto3.client("s3", endpoint_url=self.address, region_name="us-east-1")
        for _ in range(240):
            try:
                self.client.create_bucket(Bucket=BUCKET)
                self.client.put_object(Bucket=BUCKET, Key="started", Body=b"x")
                return
            except Exception:
                time.sleep(0.25)
        raise SystemExit("SeaweedFS does not start:\n" + (folder / "log").read_text()[-2000:])

    def round_trip(self, key):
        """Milliseconds of a request for 64 KiB."""
        address = urlsplit(self.client.generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": key}))
        connection, times = http.client.HTTPConnection(address.netloc), []
        for number in range(20):
            begin = time.perf_counter()
            connection.request("GET", f"{address.path}?{address.query}", headers={"Range": f"bytes={number << 16}-{(number + 1 << 16) - 1}"})
            connection.getresponse().read()
            times.append((time.perf_counter() - begin) * 1000)
        connection.close()
        return statistics.median(times)

    def end(self):
        self.process.kill()
        self.process.wait()
        for port in self.ports.values():
            for path in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                path.unlink()


class CountingProxy:
    """Passes connections on to a port, and counts requests and the bytes of their answers."""

    END = b" HTTP/1.1\r\n"

    def __init__(self, port):
        self.port, self.lock = port, threading.Lock()
        self.requests = self.bytes = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(("127.0.0.1", self.port))
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.pass_on, args=(near, far, self.count_requests), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(far, near, self.count_bytes), daemon=True).start()

    def pass_on(self, source, target, count):
        before = b""
        try:
            while piece := source.recv(1 << 18):
                count(before + piece, len(piece))
                before = (before + piece)[1 - len(self.END):]
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def count_requests(self, bytes, _):
        with self.lock:
            self.requests += bytes.count(self.END)

    def count_bytes(self, _, count):
        with self.lock:
            self.bytes += count

    def take(self):
        """Requests and bytes since the last call."""
        with self.lock:
            found = self.requests, self.bytes
            self.requests = self.bytes = 0
        return found


def write_pictures(target, page_count, side):
    """Pages of one picture each that no packing makes smaller."""
    writer, chance = Writer(target), random.Random(5)
    for _ in range(page_count):
        image_page(writer, chance.randbytes(side * side * 3), side, side, 612, 792, "/ColorSpace/DeviceRGB")
    writer.close()


def many(count):
    return f"{count:g} request{'' if count == 1 else 's'}"


def timed(words, environment=None):
    begin = time.perf_counter()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(str(word) for word in words)}: {done.stderr}")
    return (time.perf_counter() - begin) * 1000


class Bench:
    def __init__(self, options, scratch):
        self.options, self.scratch, self.services = options, scratch, []
        self.store = Store(options.weed, scratch / "store")
        self.proxy = CountingProxy(self.store.port)
        self.figures = Figures("what", "figure", "goal")
        self.film, self.book = scratch / "film.mp4", scratch / "book.pdf"

    def run(self):
        clip = self.scratch / "clip.mp4"
        write_h264(clip, 1280, 720, 2, "16M")
        write_index_at_end(self.film, 100_000_000 if self.options.quick else 1_100_000_000, clip)
        write_pictures(self.book, 500, 80 if self.options.quick else 260)
        for path in (self.film, self.book):
            self.store.client.upload_file(str(path), BUCKET, path.name)
        self.picture(self.film, "first frame of a video", "≤ 10 MB", "≤ 1.5")
        self.picture(self.book, "first page of a PDF of 500 pages", "≤ 4 MB", "–")
        self.hits_of_compass()
        self.hits_of_documentd()
        self.hits_of_the_bucket()
        self.uploads()

    # A picture of a source in the bucket.

    def thumb(self, source, *more):
        return [self.options.programs / "compass", "thumb", "--alone", *more, source]

    def picture(self, path, what, goal, time_goal):
        """`compass thumb` of an object, beside the same file of this machine."""
        source, out = f"s3://{BUCKET}/{path.name}", ("--no-cache", "-o", self.scratch / "picture.jpg")
        self.proxy.take()
        timed(self.thumb(source, *out, "--s3-endpoint", self.proxy.address))
        requests, count = self.proxy.take()
        near, far = (figures[0] for figures in in_turns(
            ROUNDS, lambda: (timed(self.thumb(path, *out)),),
            lambda: (timed(self.thumb(source, *out, "--s3-endpoint", self.store.address)),)))
        trip = self.store.round_trip(path.name)
        what += f" of {path.stat().st_size / 1e6:,.0f} MB"
        self.figures.note(f"{what}: fetched", f"{count / 1e6:.2f} MB in {many(requests)}", goal)
        self.figures.note(
            f"{what}: time", f"{far:.0f} ms with {requests} round trips of {trip:.1f} ms; the file of this machine {near:.0f} ms: "
            f"{(far - requests * trip) / near:.2f} without the round trips", time_goal)

    # What the near cache has.

    def hits_of_compass(self):
        photograph, source = SAMPLES / "orientation-1.jpg", f"s3://{BUCKET}/orientation-1.jpg"
        self.store.client.upload_file(str(photograph), BUCKET, photograph.name)
        plain = {**os.environ, "COMPASS_CACHE": str(self.scratch / "cache")}
        # The times of a file that was changed just now are not trusted.
        time.sleep(max(0, photograph.stat().st_ctime + 3 - time.time()))
        bucket = {**plain, "COMPASS_STORE": f"s3://{BUCKET}/shared", "COMPASS_S3_ENDPOINT": self.store.address}
        for path in (photograph, source):
            timed(self.thumb(path), bucket)
        without, with_bucket, remote = (figures[0] for figures in in_turns(
            10 if self.options.quick else 25, lambda: (timed(self.thumb(photograph), plain),),
            lambda: (timed(self.thumb(photograph), bucket),), lambda: (timed(self.thumb(source), bucket),)))
        self.figures.note(
            "a hit of compass, with a bucket for the service and without", f"{with_bucket:.1f} ms and {without:.1f} ms; "
            f"{with_bucket / without:.2f}", "as fast")
        timed(self.thumb(source, "--s3-endpoint", self.proxy.address), plain)
        self.proxy.take()
        timed(self.thumb(source, "--s3-endpoint", self.proxy.address), plain)
        self.figures.note("a hit of compass for an object", f"{remote:.1f} ms; {many(self.proxy.take()[0])}", "1 request")

    def start(self, name, *flags, address=None):
        """A documentd; with an address its files are in the bucket."""
        if address:
            flags += ("--store", f"s3://{BUCKET}/{name}", "--s3-endpoint", address)
        service = Service(self.options.programs, str(self.scratch / name), "--requests-per-minute", "none", *flags)
        self.services.append(service)
        return service

    def end(self, service):
        self.services.remove(service)
        service.end()

    def hits_of_documentd(self):
        seconds = 1 if self.options.quick else 2
        services = [self.start("near-bucket", address=self.proxy.address), self.start("near-folder")]
        loads = {"in memory": [], "from its file": []}
        for service in services:
            document = service.upload(str(SAMPLES / "pages-24.pdf"), "transcript")
            service.wait(document)
            path = f"/api/documents/{document['id']}/thumbnail?preset=grid"
            service.get(path)
            loads["in memory"].append((service.port, path, None))
            loads["from its file"].append((service.port, path, new_addresses(path, service.folder)))
        self.proxy.take()
        for what, ways in loads.items():
            bodies = [lambda port=port, path=path, script=script: wrk(port, path, 64, seconds, script=script) for port, path, script in ways]
            bucket, folder = in_turns(ROUNDS, *bodies)
            requests = self.proxy.take()[0]
            self.figures.note(
                f"a hit of documentd {what}, files in a bucket and in a folder", f"{bucket[0]:,.0f}/s and {folder[0]:,.0f}/s; "
                f"{bucket[0] / folder[0]:.2f}; {many(requests)} to the bucket", "as fast")
        for service in services:
            self.end(service)

    def hits_of_the_bucket(self):
        """Pictures that another machine has made: the same service with an empty cache, which makes none itself."""
        count, page = 20, (SAMPLES / "page-1.pdf").read_bytes()
        service, documents = self.start("far", address=self.proxy.address), []
        for number in range(count):
            path = self.scratch / f"page-{number}.pdf"
            path.write_bytes(page + b"%% %d\n" % number)
            documents.append(service.upload(str(path), "transcript"))
        for document in documents:
            service.wait(document)
        self.end(service)
        shutil.rmtree(self.scratch / "far/cache")
        service, times = self.start("far", "--worker", "no", address=self.proxy.address), []
        # What a start asks for is over.
        while self.proxy.take()[0]:
            time.sleep(1)
        for document in documents:
            begin = time.perf_counter()
            answer, _ = service.request("GET", f"/api/documents/{document['id']}/thumbnail?preset=grid")
            times.append((time.perf_counter() - begin) * 1000)
            if answer.getheader("Content-Type") not in ("image/jpeg", "image/webp"):
                raise SystemExit(f"no picture from the bucket: {answer.status} {answer.getheader('Content-Type')}")
        requests = self.proxy.take()[0]
        self.figures.note(
            "a hit of documentd that the bucket alone has, through the proxy", f"{many(requests / count)}; {statistics.median(times):.1f} ms",
            "1 request")
        self.end(service)

    # Uploads.

    def uploads(self):
        """Each way has a service of its own, whose memory is looked at in the end."""
        size = self.film.stat().st_size
        ways = {"HTTP": self.send_whole, "tus": self.send_resumable, "tus in pieces of 6 MiB": lambda service: self.send_resumable(service, 6 << 20)}
        services = {
            name: self.start(f"upload-{number}", "--worker", "no", "--max-upload", "2G", address=self.store.address)
            for number, name in enumerate(ways)}
        rates = {name: [] for name in ("boto3", *ways)}
        for number in range(1 if self.options.quick else 3):
            for name in rates:
                # What the disk still has to write is nobody's.
                os.sync()
                begin = time.perf_counter()
                if name == "boto3":
                    self.store.client.upload_file(str(self.film), BUCKET, f"beside-{number}.mp4")
                else:
                    ways[name](services[name])
                rates[name].append(size / 1e6 / (time.perf_counter() - begin))
        beside = statistics.median(rates["boto3"])
        for name, service in services.items():
            rate = statistics.median(rates[name])
            self.figures.note(
                f"upload of {size / 1e6:,.0f} MB by {name}, beside boto3", f"{rate:.0f} MB/s and {beside:.0f} MB/s; {rate / beside:.2f}",
                "–" if "pieces" in name else "≥ 0.7")
            self.figures.note("the same: documentd's memory at most", f"{service.memory('VmHWM') / 1e6:.0f} MB", "< 100 MB")
            self.end(service)

    def send_whole(self, service):
        with self.film.open("rb") as file:
            self.send(service, "POST", "/api/documents?type=highlight_video&title=Bench&file_name=film.mp4", file, self.film.stat().st_size)

    def send_resumable(self, service, piece=None):
        """By tus: the file as one piece, as the screens send it, or in pieces, as clients of Supabase do."""
        size = self.film.stat().st_size
        texts = {"type": "highlight_video", "file_name": "film.mp4"}
        metadata = ",".join(f"{key} {base64.b64encode(text.encode()).decode()}" for key, text in texts.items())
        begun = self.send(service, "POST", "/api/uploads", b"", 0, {"Upload-Length": str(size), "Upload-Metadata": metadata})
        path = urlsplit(begun.getheader("Location")).path
        with self.film.open("rb") as file:
            for offset in range(0, size, piece or size):
                body, length = (file.read(piece), min(piece, size - offset)) if piece else (file, size)
                self.send(service, "PATCH", path, body, length,
                          {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})

    def send(self, service, method, path, body, length, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=600, blocksize=1 << 20)
        connection.request(method, path, body, {"Content-Length": str(length), "Tus-Resumable": "1.0.0", **headers})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:300]}")
        return answer

    def close(self):
        for service in list(self.services):
            self.end(service)
        self.store.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--weed", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="small files: whether it works")
    options = parser.parse_args()
    options.programs, options.weed = options.programs.resolve(), options.weed.resolve()
    os.environ |= {"AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY, "AWS_REGION": "us-east-1"}
    version = re.search(r"\d+\.\d+", subprocess.run([options.weed, "version"], capture_output=True, text=True).stdout)[0]
    with tempfile.TemporaryDirectory(prefix="compass-store-", dir="/var/tmp") as folder:
        bench = Bench(options, Path(folder))
        try:
            bench.run()
        finally:
            bench.close()
    if not options.quick:
        bench.figures.write("scale.md", "store", f"SeaweedFS {version} on the same machine, {machine()}:")


if __name__ == "__main__":
    sys.exit(main())
