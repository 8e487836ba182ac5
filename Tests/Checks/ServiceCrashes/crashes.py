#!/usr/bin/env python3
"""Kills documentd in the middle of uploads and deletions, again and again, and counts what is left.

After each kill the service is started again. Then each upload must be complete (a row whose file has the sent bytes), resumable, or
gone; a deletion that was answered must have happened; no row may lack its file. In the end the sweep must leave no file without a
row, and every document must have its pictures, or a reason why there are none.

With --control some files never come to their places, though their rows are written: the audit must find that, or it proves
nothing.

usage: crashes.py --programs FOLDER [--rounds N] [--seed N] [--control]"""

import argparse
import base64
import collections
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time


class Service:
    def __init__(self, programs, folder, log, losesFiles=False, flags=()):
        self.programs, self.folder, self.log, self.losesFiles, self.flags = programs, folder, log, losesFiles, flags
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]

    def start(self):
        command = [os.path.join(self.programs, "documentd"), "--data", self.folder, "--cache", self.folder + "-cache", "--listen",
                   "127.0.0.1:%d" % self.port, "--log-level", "warning", *self.flags]
        if self.losesFiles:
            # A rename that only seems to happen leaves what a kill leaves where the row is written before the file: a row alone.
            # strace attaches from outside (-D), so that the process is documentd itself; each thread loses every third file.
            command = ["strace", "-f", "-D", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2", "-e",
                       "inject=renameat,renameat2:retval=0:when=1+3"] + command
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=self.log)
        for _ in range(400):
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise SystemExit("documentd does not start again")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()

    def data(self, path):
        status, body, _ = self.ask("GET", path)
        if status != 200:
            raise SystemExit("%s: %d %s" % (path, status, body[:200]))
        return json.loads(body)["data"]


class Upload:
    """One file on its way, as a whole or in pieces by tus."""

    def __init__(self, number, random):
        self.name = "r%07d.csv" % number
        self.bytes = (b"name,%d\n" % number) + random.randbytes(random.choice([10, 3000, 60_000, 400_000])).hex().encode() + b"\n"
        self.digest, self.isWhole, self.url, self.document = hashlib.sha256(self.bytes).hexdigest(), random.random() < 0.5, None, None

    def send(self, service):
        try:
            if self.isWhole:
                path = "/api/documents?type=stats_sheet&title=%s&file_name=%s" % (self.name, self.name)
                status, body, _ = service.ask("POST", path, self.bytes)
                if status == 201:
                    self.document = json.loads(body)["data"]["id"]
            else:
                self.begin(service)
                self.go_on(service, 0)
        except (OSError, http.client.HTTPException, ValueError):
            pass

    def begin(self, service):
        pairs = {"type": "stats_sheet", "file_name": self.name, "title": self.name}
        metadata = ",".join("%s %s" % (key, base64.b64encode(value.encode()).decode()) for key, value in pairs.items())
        status, _, headers = service.ask("POST", "/api/uploads", None, {
            "Tus-Resumable": "1.0.0", "Upload-Length": str(len(self.bytes)), "Upload-Metadata": metadata, "Content-Length": "0"})
        if status == 201:
            self.url = "/api/uploads/" + headers["Location"].rsplit("/", 1)[1]

    def go_on(self, service, offset):
        """Sends pieces until the end; returns the last status."""
        status = 204
        while self.url and status == 204 and offset < len(self.bytes):
            piece = self.bytes[offset:offset + 100_000]
            status, _, headers = service.ask("PATCH", self.url, piece, {
                "Tus-Resumable": "1.0.0", "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})
            offset += len(piece)
            if status == 204:
                self.document = headers.get("Document-Id")
        return status


class Crashes:
    def __init__(self, programs, seed, losesFiles):
        self.random, self.folder = random.Random(seed), tempfile.mkdtemp(prefix="compass-crashes-")
        self.service = Service(programs, os.path.join(self.folder, "data"), open(os.path.join(self.folder, "log"), "wb"),
                               losesFiles)
        self.tally, self.faults, self.number, self.digests = collections.Counter(), [], 0, {}

    def rows(self, sql):
        connection = sqlite3.connect("file:%s/documents.sqlite?mode=ro" % self.service.folder, uri=True, timeout=30)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def documents(self):
        """The ids of all documents by title."""
        return {title: id for id, title in self.rows("SELECT id, title FROM documents")}

    def round(self, count):
        uploads = []
        for _ in range(count):
            self.number += 1
            uploads.append(Upload(self.number, self.random))
        victims = self.random.sample(sorted(self.documents().items()), min(count, len(self.documents())))
        removed = {}

        def remove(title, id):
            try:
                removed[title] = self.service.ask("DELETE", "/api/documents/" + id)[0]
            except (OSError, http.client.HTTPException):
                removed[title] = None

        threads = [threading.Thread(target=upload.send, args=(self.service,)) for upload in uploads]
        threads += [threading.Thread(target=remove, args=victim) for victim in victims]
        self.random.shuffle(threads)
        for thread in threads:
            thread.start()
        time.sleep(self.random.random() ** 2 * 0.4)
        self.service.kill()
        for thread in threads:
            thread.join()
        self.service.start()
        self.check(uploads, dict(victims), removed)

    def check(self, uploads, victims, removed):
        there = self.documents()
        for upload in uploads:
            self.digests[upload.name] = upload.digest
            if upload.document:
                self.tally["upload: answered"] += 1
                if upload.name not in there:
                    self.faults.append("an answered upload is lost: " + upload.name)
            elif upload.name in there:
                self.tally["upload: stored, not answered"] += 1
            elif upload.url:
                self.resume(upload)
            else:
                self.tally["upload: not begun, or gone without a trace"] += 1
        for title, id in victims.items():
            if removed.get(title) == 200:
                self.tally["removal: answered"] += 1
                if self.service.ask("GET", "/api/documents/" + id)[0] != 404:
                    self.faults.append("a removed document is there: " + title)
            elif title in there:
                self.tally["removal: not begun"] += 1
            else:
                self.tally["removal: done, not answered"] += 1

    def resume(self, upload):
        status, _, headers = self.service.ask("HEAD", upload.url, None, {"Tus-Resumable": "1.0.0"})
        if status in (404, 410):
            # Struck between the file's path and its row: the client begins again.
            self.tally["upload: file without a row"] += 1
            return
        status = upload.go_on(self.service, int(headers["Upload-Offset"]))
        self.tally["upload: resumed at " + ("the beginning" if headers["Upload-Offset"] == "0" else "a piece")] += 1
        if status != 204 or upload.name not in self.documents():
            self.faults.append("an upload cannot be resumed: %s (%d)" % (upload.name, status))

    def files(self):
        return {name for _, _, names in os.walk(os.path.join(self.service.folder, "store", "objects")) for name in names}

    def finish(self):
        deadline = time.time() + 120
        while time.time() < deadline:
            if not self.rows("SELECT 1 FROM documents WHERE state = 'stored'") and not self.rows("SELECT 1 FROM removals"):
                break
            time.sleep(0.2)
        for id, title, state in self.rows("SELECT id, title, state FROM documents"):
            if state not in ("ready", "failed"):
                self.faults.append("no pictures come: %s (%s)" % (title, state))
            status, body, _ = self.service.ask("GET", "/api/documents/%s/file" % id)
            if status != 200 or hashlib.sha256(body).hexdigest() != self.digests.get(title):
                self.faults.append("a row without its bytes: %s (%d)" % (title, status))
        named = {id for id, in self.rows("SELECT id FROM objects")}
        self.tally["files without a row before the sweep"] = len(self.files() - named)
        self.sweep(named)
        self.tally["documents in the end"] = len(named)

    def sweep(self, named):
        """What a crash leaves is removed once it is a day old, and so are uploads that nobody continues with."""
        connection = sqlite3.connect(os.path.join(self.service.folder, "documents.sqlite"), timeout=30)
        with connection:
            connection.execute("UPDATE uploads SET expires_at = 0 WHERE state = 'receiving'")
            connection.execute("UPDATE intakes SET begun_at = 0")
        connection.close()
        store = os.path.join(self.service.folder, "store")
        old = time.time() - 2 * 86_400
        for place, _, names in os.walk(store):
            for name in names:
                os.utime(os.path.join(place, name), (old, old))
        subprocess.run([os.path.join(self.service.programs, "documentd"), "sweep", "--data", self.service.folder], check=True,
                       stdout=subprocess.DEVNULL)
        if self.files() != named:
            self.faults.append("the sweep leaves %d files, and takes %d" % (len(self.files() - named), len(named - self.files())))
        if os.listdir(os.path.join(store, "incoming")):
            self.faults.append("the sweep leaves parts of files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--control", action="store_true", help="lose files on purpose, and fail if that is not found")
    words = parser.parse_args()
    print("seed %d" % words.seed, flush=True)
    crashes = Crashes(os.path.abspath(words.programs), words.seed, words.control)
    crashes.service.start()
    try:
        for _ in range(words.rounds):
            crashes.round(words.count)
        crashes.finish()
    finally:
        crashes.service.kill()
    for name, count in sorted(crashes.tally.items()):
        print("%6d  %s" % (count, name))
    for fault in crashes.faults:
        print("FAULT: " + fault)
    print("%d rounds, %d faults" % (words.rounds, len(crashes.faults)))
    if words.control:
        shutil.rmtree(crashes.folder)
        losses = sum(fault.startswith("a row without its bytes") for fault in crashes.faults)
        sys.exit(0 if losses else "The control lost files, and no fault was found: this check proves nothing.")
    if crashes.faults:
        print("The folder is kept: " + crashes.folder)
        sys.exit(1)
    shutil.rmtree(crashes.folder)


if __name__ == "__main__":
    main()
