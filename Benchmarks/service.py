#!/usr/bin/env python3
"""Times documentd beside nginx and the disk, in one run: pictures and files from memory, lists of many documents, uploads, the time
to a picture, and idling. Prints Markdown tables.

documentd, document-speed and the renderers must be built; wrk, nginx and ffmpeg must be there (Benchmarks/packages.txt). Figures of a busy machine
are worth little; the output says how busy it was."""

import argparse
import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse


def free_port():
    import socket
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """A documentd over a folder of its own."""

    def __init__(self, programs, folder, *flags):
        self.folder, self.port, self.headers = folder, free_port(), {}
        self.program = os.path.join(programs, "documentd")
        command = [self.program, "--data", folder, "--cache", os.path.join(folder, "cache"), "--listen",
                   "127.0.0.1:%d" % self.port, "--log-level", "warning", *flags]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.get("/healthz")
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("documentd does not answer")

    def request(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, path, body, self.headers | headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer, data

    def header_lines(self):
        return ["%s: %s" % header for header in self.headers.items()]

    def get(self, path, headers={}):
        answer, data = self.request("GET", path, headers=headers)
        if answer.status >= 300:
            raise SystemExit("%s: %d %s" % (path, answer.status, data[:200]))
        return data

    def upload(self, path, type, title="Bench"):
        with open(path, "rb") as file:
            target = "/api/documents?type=%s&title=%s&file_name=%s" % (type, title, os.path.basename(path))
            answer, data = self.request("POST", target, file, {"Content-Length": str(os.path.getsize(path))})
        if answer.status != 201:
            raise SystemExit("upload: %d %s" % (answer.status, data[:300]))
        return json.loads(data)["data"]

    def wait(self, document):
        for _ in range(1200):
            state = json.loads(self.get("/api/documents/" + document["id"]))["data"]["state"]
            if state != "stored":
                return state
            time.sleep(0.05)
        raise SystemExit("no picture of " + document["id"])

    def memory(self, field):
        """A field of the process's memory in bytes."""
        with open("/proc/%d/status" % self.process.pid) as file:
            return int(re.search(field + r":\s+(\d+)", file.read())[1]) * 1024

    def processor_seconds(self):
        with open("/proc/%d/stat" % self.process.pid) as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Nginx:
    """An nginx that serves one folder."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        os.makedirs(os.path.join(folder, "www"))
        os.chmod(folder, 0o755)
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w") as file:
            file.write("""worker_processes 2; pid %s/pid; error_log %s/error; daemon off;
                events { worker_connections 1024; }
                http { access_log off; sendfile on; server { listen 127.0.0.1:%d; root %s/www; } }
                """ % (folder, folder, self.port, folder))
        self.process = subprocess.Popen(["nginx", "-c", configuration], stderr=subprocess.DEVNULL)
        time.sleep(0.5)

    def end(self):
        self.process.terminate()
        self.process.wait(10)


def wrk(port, path, connections, seconds, headers=(), script=None):
    """Requests a second, the 99th percentile in ms, and bytes a second."""
    command = ["wrk", "-t1", "-c%d" % connections, "-d%d" % seconds, "--latency"]
    if script:
        command += ["-s", script]
    for header in headers:
        command += ["-H", header]
    text = subprocess.run(command + ["http://127.0.0.1:%d%s" % (port, path)], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text:
        raise SystemExit(path + ": answers that are no success\n" + text)
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    rate, size = re.search(r"Requests/sec:\s+([\d.]+)", text)[1], re.search(r"Transfer/sec:\s+([\d.]+)(\w+)", text)
    scale = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[size[2]]
    return float(rate), float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], float(size[1]) * scale


def new_addresses(path, scratch):
    """A script by which wrk asks for a picture by addresses that are not in memory: it comes from the cache's file."""
    script = os.path.join(scratch, "new.lua")
    with open(script, "w") as file:
        file.write("local n = os.time() * 1000000\nrequest = function()\n  n = n + 1\n"
                   "  return wrk.format('GET', string.format('%s&content=%%016x', n))\nend\n" % path)
    return script


def in_turns(rounds, *bodies):
    """The medians of several figures, measured in turns."""
    results = [[body() for body in bodies] for _ in range(rounds)]
    return [[statistics.median(values) for values in zip(*(row[index] for row in results))] for index in range(len(bodies))]


SORTS = ("newest", "oldest", "name", "type", "most_shared")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def pictures(service, nginx, samples, scratch):
    document = service.upload(os.path.join(samples, "pages-24.pdf"), "transcript")
    service.wait(document)
    path = "/api/documents/%s/thumbnail?preset=grid" % document["id"]
    with open(os.path.join(nginx.folder, "www", "t.jpg"), "wb") as file:
        file.write(service.get(path))
    ours, theirs = in_turns(5, lambda: wrk(service.port, path, 64, 2), lambda: wrk(nginx.port, "/t.jpg", 64, 2))
    row("thumbnail in memory", "%.0f/s, p99 %.1f ms" % tuple(ours[:2]), "nginx %.0f/s" % theirs[0], "%.2f" % (ours[0] / theirs[0]),
        "0.5, 10 ms")

    script = new_addresses(path, scratch)
    ours, theirs = in_turns(
        5, lambda: wrk(service.port, path, 64, 2, script=script), lambda: wrk(nginx.port, "/t.jpg", 64, 2))
    row("thumbnail from its file", "%.0f/s, p99 %.1f ms" % tuple(ours[:2]), "nginx %.0f/s" % theirs[0], "%.2f" % (ours[0] / theirs[0]),
        "0.3")

    large = os.path.join(scratch, "large.txt")
    with open(large, "wb") as file:
        file.write(b"0123456789abcde\n" * 1_250_000)
    document = service.upload(large, "transcript")
    shutil.copy(large, os.path.join(nginx.folder, "www", "large"))
    ranges = ("Range: bytes=1000000-19999999",)
    ours, theirs = in_turns(
        5, lambda: wrk(service.port, "/api/documents/%s/file" % document["id"], 4, 2, ranges),
        lambda: wrk(nginx.port, "/large", 4, 2, ranges))
    row("20 MB by ranges", "%.0f MB/s" % (ours[2] / 1e6), "nginx %.0f MB/s" % (theirs[2] / 1e6), "%.2f" % (ours[2] / theirs[2]), "0.4")


def sign_ins(programs, samples, scratch):
    """What a wave of sign-ins does to pictures: 200 at once, again and again, beside one client that asks for a thumbnail."""
    service = Service(programs, os.path.join(scratch, "accounts"), "--auth", "local", "--requests-per-minute", "none")
    try:
        fields = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        people = [json.dumps({"email": "p%d@example.org" % number, "password": "correct horse"}) for number in range(20)]
        cookies = [service.request("POST", "/api/account", one, fields)[0].headers["Set-Cookie"].split(";")[0] for one in people]
        service.headers = {"Cookie": cookies[0], "Sec-Fetch-Site": "same-origin"}
        document = service.upload(os.path.join(samples, "pages-24.pdf"), "transcript")
        service.wait(document)
        path = "/api/documents/%s/thumbnail?preset=grid" % document["id"]
        headers = ("Cookie: " + cookies[0],)
        service.get(path)
        alone = wrk(service.port, path, 1, 5, headers)
        statuses, is_over = [], threading.Event()
        # Whoever signs in with a cookie ends that cookie's session.
        service.headers = {}

        def sign_in(number):
            while not is_over.is_set():
                try:
                    statuses.append(service.request("POST", "/api/session", people[number % len(people)], fields)[0].status)
                except OSError as error:
                    statuses.append(repr(error))
                time.sleep(0.1)

        threads = [threading.Thread(target=sign_in, args=(number,), daemon=True) for number in range(200)]
        with MemoryPeak(service) as peak:
            for thread in threads:
                thread.start()
            time.sleep(1)
            beside = wrk(service.port, path, 1, 10, headers)
            is_over.set()
            for thread in threads:
                thread.join()
        taken, told = statuses.count(200), statuses.count(429)
        row("thumbnail beside 200 people who sign in", "%.0f/s, p99 %.1f ms" % beside[:2], "alone %.0f/s, p99 %.1f ms" % alone[:2], "", "50 ms")
        row("their sign-ins in %d answers" % len(statuses), "%d taken, %d told to wait, %d others" % (taken, told, len(statuses) - taken - told),
            "", "", "")
        row("private memory at most meanwhile", "%.0f MB" % (peak.bytes / 1e6), "", "", "")
    finally:
        service.end()


def crowd(service, samples):
    document = service.upload(os.path.join(samples, "pages-24.pdf"), "transcript")
    service.wait(document)
    path, statuses = "/api/documents/%s/pages/7?width=1300" % document["id"], []

    def ask():
        statuses.append(service.request("GET", path, headers={"Accept": "image/jpeg"})[0].status)

    threads = [threading.Thread(target=ask) for _ in range(1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row("1,000 requests for a missing page", "%d answered with 200" % statuses.count(200), "", "", "1,000")


def first_pages(service, samples, scratch):
    book = os.path.join(scratch, "book.pdf")
    subprocess.run(["qpdf", "--empty", "--pages"] + [os.path.join(samples, "pages-24.pdf")] * 21 + ["--", book], check=True)
    document = service.upload(book, "transcript")
    service.wait(document)

    def page(number):
        start = time.perf_counter()
        service.get("/api/documents/%s/pages/%d?width=1600" % (document["id"], number))
        return (time.perf_counter() - start) * 1000

    cold = [page(number) for number in range(10, 500, 49)]
    warm = [page(number) for number in range(10, 500, 49)]
    row("a page of 504, cold", "%.0f ms" % statistics.median(cold), "", "", "150 ms")
    row("the same again", "%.1f ms" % statistics.median(warm), "", "", "5 ms")


def video(service, scratch):
    film, times = os.path.join(scratch, "film.mp4"), []
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30", "-t", "20", "-c:v", "libx264",
         "-preset", "ultrafast", "-b:v", "40M", "-minrate", "40M", "-maxrate", "40M", "-bufsize", "80M", "-x264-params", "nal-hrd=cbr",
         film], check=True)
    for number in range(7):
        # Different bytes each time, or the picture would be there already.
        with open(film, "ab") as file:
            file.write(b"\0\0\0\x10free%08d" % number)
        stream = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        stream.request("GET", "/api/events")
        answer = stream.getresponse()
        answer.readline()
        size, connection = os.path.getsize(film), http.client.HTTPConnection("127.0.0.1", service.port, timeout=600)
        connection.putrequest("POST", "/api/documents?type=highlight_video&title=Film&file_name=film.mp4")
        connection.putheader("Content-Length", str(size))
        connection.endheaders()
        with open(film, "rb") as file:
            while piece := file.read(1 << 20):
                connection.send(piece)
        last = time.perf_counter()
        connection.getresponse().read()
        while b"picture.ready" not in answer.readline():
            pass
        times.append((time.perf_counter() - last) * 1000)
        stream.close()
    row("last byte of a %d MB video to its event" % (size // 1_000_000), "%.0f ms" % statistics.median(times), "", "", "150 ms")


class MemoryPeak:
    """The largest private memory of a service while a block runs."""

    def __init__(self, service):
        self.service, self.bytes, self.is_over = service, 0, False
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.is_over:
            self.bytes = max(self.bytes, self.service.memory("RssAnon"))
            time.sleep(0.01)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()


def uploads(programs, samples, scratch):
    """On a service of its own: what earlier requests have left in memory is no upload's."""
    service = Service(programs, os.path.join(scratch, "uploads"), "--max-upload", "2G")
    try:
        measure_uploads(service, scratch)
    finally:
        service.end()


def measure_uploads(service, scratch):
    large, rates = os.path.join(scratch, "large.csv"), []
    with open(large, "wb") as file:
        for number in range(1024):
            file.write((b"name,%08d,score\n" % number) * 61681 + b"\n" * 50)
    size = os.path.getsize(large)
    with MemoryPeak(service) as peak:
        for _ in range(3):
            start = time.perf_counter()
            service.upload(large, "stats_sheet")
            ours = size / (time.perf_counter() - start)
            start = time.perf_counter()
            copy = ["dd", "if=" + large, "of=" + os.path.join(scratch, "copy"), "bs=1M", "conv=fsync"]
            subprocess.run(copy, check=True, capture_output=True)
            rates.append((ours, size / (time.perf_counter() - start)))
    ours, disk = (statistics.median(values) / 1e6 for values in zip(*rates))
    row("1 GB upload", "%.0f MB/s" % ours, "disk %.0f MB/s" % disk, "%.2f" % (ours / disk), "300 MB/s")
    row("1 GB upload", "%.0f MB private at most" % (peak.bytes / 1e6), "", "", "60 MB")
    small = os.path.join(scratch, "small.csv")
    with open(small, "wb") as file:
        file.write(b"name,score\n" * 1_000_000)
    threads = [threading.Thread(target=service.upload, args=(small, "stats_sheet")) for _ in range(50)]
    with MemoryPeak(service) as peak:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    row("50 uploads of 11 MB at once", "%.0f MB private at most" % (peak.bytes / 1e6), "", "", "150 MB")


def lists(programs, samples, scratch):
    """100,000 documents of a person who has signed in, twice what the service admits. Their files are not there: nothing reads them."""
    folder = os.path.join("/dev/shm" if os.path.isdir("/dev/shm") else scratch, os.path.basename(scratch) + "-lists")
    os.makedirs(folder)
    try:
        subprocess.run([os.path.join(programs, "document-speed"), folder, "1000"], check=True, stdout=sys.stderr)
        multiply_documents(os.path.join(folder, "documents.sqlite"), 100)
        secret = os.path.join(scratch, "secret")
        headers = {"Authorization": "Bearer " + token(secret, OWNER)}
        service = Service(
            programs, folder, "--worker", "no", "--requests-per-minute", "none", "--auth", "tokens", "--token-secret-file", secret)
        service.headers = headers
        try:
            measure_lists(service, scratch)
            measure_rows(service, scratch)
        finally:
            service.end()
    finally:
        shutil.rmtree(folder)


# Whose documents document-speed stores.
OWNER = "01900000-0000-7000-8000-000000000001"


def token(secret, person):
    """A person's token (RFC 7519), signed by a new secret that is written to a file."""
    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    def part(value):
        return encoded(json.dumps(value).encode())

    key = os.urandom(32).hex().encode()
    with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(key)
    claims = {"sub": person, "aud": "authenticated", "exp": int(time.time()) + 24 * 3600}
    signed = part({"alg": "HS256", "typ": "JWT"}) + b"." + part(claims)
    return (signed + b"." + encoded(hmac.digest(key, signed, hashlib.sha256))).decode()


def multiply_documents(path, factor):
    """Copies the rows of all documents, with identities of their own."""
    database = sqlite3.connect(path)
    columns = [name for _, name, *_ in database.execute("PRAGMA table_info(documents)")]
    (count, last), = database.execute("SELECT count(*), max(number) FROM documents")

    def other(text, kept):
        """An expression for another identity: its end is the number of the copy and of the row."""
        return "substr(%s, 1, %d) || printf('%%012x', :copy * %d + documents.number & 4294967295)" % (text, kept, count)

    object = "substr(documents.object_id, 1, 20) || printf('%%012x', :copy * %d + documents.number & 4294967295)" % count
    path = "replace(file_path, '_file', '_' || :copy || '_file')"
    changed = {"number": "number + :copy * %d" % count, "id": other("id", 24), "line": other("line", 24), "object_id": object,
               "file_path": path, "created_at": "created_at + :copy * 1000000"}
    statements = (
        "INSERT INTO objects SELECT %s, objects.user_id, %s, is_named, objects.digest, objects.byte_count, media_type, objects.facts, "
        "verdict, cache_control, metadata, stored_at, first_id FROM documents JOIN objects ON objects.id = object_id" % (object, path),
        "INSERT INTO documents (%s) SELECT %s FROM documents" % (
            ", ".join(columns), ", ".join(changed.get(name, name) for name in columns)),
        "INSERT INTO document_shares SELECT %s, %s, document_shares.school_id, permission, document_shares.created_at "
        "FROM documents JOIN document_shares USING (line)" % (other("document_shares.id", 24), other("line", 24)))
    for copy in range(1, factor):
        for statement in statements:
            database.execute(statement + " WHERE documents.number <= :last", {"copy": copy, "last": last})
        database.commit()
    database.close()


def measure_rows(service, scratch):
    chance = random.Random(1)
    types = list(json.loads(service.get("/api/documents/statistics"))["data"]["by_type"])
    schools = [school["id"] for school in json.loads(service.get("/api/schools"))["data"]]
    word = json.loads(service.get("/api/documents"))["data"]["documents"][0]["title"].split()[0]

    def page(**filters):
        return "/rest/v1/documents?" + urllib.parse.urlencode({"select": "*", "order": "created_at.desc", "limit": 50} | filters)

    def of_type_and_school():
        return page(type="eq." + chance.choice(types), school_id="eq." + chance.choice(schools))

    key = subprocess.run([service.program, "keys", "--anonymous", "--data", service.folder], check=True, capture_output=True, text=True)
    service.headers["apikey"] = key.stdout.strip()
    counted = ("Prefer: count=exact", *service.header_lines())
    for name, paths, goal in (
            ("a counted page of 50 of 100,000 rows, by type and school", [of_type_and_school() for _ in range(500)], "15 ms"),
            ("the same by type", [page(type="eq." + name) for name in types], ""),
            ("the same by a word of the title (ilike)", [page(title="ilike.*%s*" % word)], "100 ms")):
        script = addresses(paths, os.path.join(scratch, "rows.lua"))
        for connections in (1, 16):
            figures = in_turns(5, lambda: wrk(service.port, "", connections, 3, counted, script))[0]
            row("%s, %d connections" % (name, connections), "%.0f/s, p99 %.1f ms" % tuple(figures[:2]), "", "", goal)
    body = json.dumps([{"name": "University %d" % number} for number in range(900)])
    for name in ("900 new schools by one upsert", "the same once more"):
        start = time.perf_counter()
        answer, data = service.request("POST", "/rest/v1/schools?on_conflict=user_id,name", body, {
            "Content-Type": "application/json", "Prefer": "resolution=merge-duplicates"})
        if answer.status >= 300:
            raise SystemExit("upsert: %d %s" % (answer.status, data[:200]))
        row(name, "%.0f ms" % ((time.perf_counter() - start) * 1000), "", "", "50 ms")


def addresses(paths, script):
    """A script by which wrk asks for one path after the other."""
    with open(script, "w") as file:
        file.write("local paths, n = {%s}, 0\nrequest = function()\n  n = n %% #paths + 1\n"
                   "  return wrk.format('GET', paths[n])\nend\n" % ", ".join("'%s'" % path for path in paths))
    return script


def measure_lists(service, scratch):
    chance = random.Random(1)
    types = list(json.loads(service.get("/api/documents/statistics"))["data"]["by_type"])
    schools = [school["id"] for school in json.loads(service.get("/api/schools"))["data"]]
    documents = json.loads(service.get("/api/documents"))["data"]["documents"]

    def two_filters():
        filters = [("type", chance.choice(types))]
        filters += [chance.choice([("shared", "true"), ("shared", "false"), ("school", chance.choice(schools))])]
        return "/api/documents?" + urllib.parse.urlencode(filters + [("sort", chance.choice(SORTS))])

    script = addresses([two_filters() for _ in range(500)], os.path.join(scratch, "lists.lua"))
    for connections in (1, 16):
        figures = in_turns(5, lambda: wrk(service.port, "", connections, 3, service.header_lines(), script))[0]
        row("a page of 50 of 100,000 documents, %d connections" % connections, "%.0f/s, p99 %.1f ms" % tuple(figures[:2]), "", "",
            "15 ms")

    def timed(path):
        start = time.perf_counter()
        service.get(path)
        return (time.perf_counter() - start) * 1000

    def searches(texts, is_cold):
        times = []
        for text in texts:
            if is_cold:
                # What a search has found is remembered until a document changes.
                document = chance.choice(documents)
                change = json.dumps({"description": "%08x" % chance.getrandbits(32)})
                answer, data = service.request("PATCH", "/api/documents/" + document["id"], change, {"Content-Type": "application/json"})
                if answer.status != 200:
                    raise SystemExit("change: %d %s" % (answer.status, data[:200]))
            path = "/api/documents?" + urllib.parse.urlencode({"q": text})
            if not is_cold:
                service.get(path)
            times.append(timed(path))
        return statistics.median(times), max(times)

    words = [word for document in documents for word in document["title"].split()]
    for name, texts, goal in (("a word", words[:40], "30 ms"), ("two letters", [word[:2] for word in words[:20]], "150 ms")):
        for is_cold in (True, False):
            row("search, %s%s" % (name, ", after a change" if is_cold else ", again"), "%.1f ms, at most %.1f ms" % searches(texts, is_cold), "",
                "", goal)
    times = [timed("/api/documents/statistics") for _ in range(100)]
    row("statistics", "%.1f ms, at most %.1f ms" % (statistics.median(times), max(times)), "", "", "5 ms")


def idle(service):
    time.sleep(3)
    start = service.processor_seconds()
    time.sleep(10)
    row("idle", "%.2f %% of a core" % ((service.processor_seconds() - start) * 10), "", "", "1 %")
    row("idle", "%.0f MB private" % (service.memory("RssAnon") / 1e6), "", "", "80 MB")


def files(programs, samples, scratch):
    """Pictures, pages and videos, beside nginx."""
    service, nginx = Service(programs, os.path.join(scratch, "data"), "--max-upload", "2G"), Nginx(os.path.join(scratch, "nginx"))
    try:
        idle(service)
        pictures(service, nginx, samples, scratch)
        crowd(service, samples)
        first_pages(service, samples, scratch)
        video(service, scratch)
        row("private memory after all of this", "%.0f MB" % (service.memory("RssAnon") / 1e6), "", "", "")
    finally:
        service.end()
        nginx.end()


PARTS = {"files": files, "sign-ins": sign_ins, "uploads": uploads, "lists": lists}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--samples", default="samples")
    parser.add_argument("--only", choices=PARTS, action="append", help="what to measure; by default all")
    words = parser.parse_args()
    for program in ("wrk", "nginx", "ffmpeg", "qpdf"):
        if not shutil.which(program):
            sys.exit("%s is missing: install what Benchmarks/packages.txt lists" % program)
    scratch = tempfile.mkdtemp(prefix="compass-service-")
    # The workers of nginx are ordinary users.
    os.chmod(scratch, 0o755)
    programs = os.path.abspath(words.programs)
    print("Load before the run: %.1f on %d processors.\n" % (os.getloadavg()[0], os.cpu_count()))
    row("what", "documentd", "beside it", "ratio", "goal")
    row("---", "---", "---", "---", "---")
    try:
        for part in words.only or PARTS:
            PARTS[part](programs, words.samples, scratch)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
