"""documentd over a scratch folder, as the cases need it."""

import contextlib
import http.client
import json
import re
import sqlite3
import subprocess
import time


class Service:
    def __init__(self, programs, folder, scanner):
        self.programs, self.folder, self.scanner, self.log = programs, folder, scanner, folder / "documentd.log"
        self.process = self.port = None

    def start(self):
        begun = len(self.text())
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [self.programs / "documentd", "--data", self.folder / "data", "--cache", self.folder / "cache", "--listen",
                 "127.0.0.1:0", "--log-format", "json"] + (["--scanner", self.scanner] if self.scanner else []),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        for _ in range(300):
            address = re.search(r"http://127\.0\.0\.1:(\d+)", self.text()[begun:])
            if address:
                self.port = int(address[1])
                return
            time.sleep(0.1)
        raise SystemExit(f"documentd does not start:\n{self.text()}")

    def stop(self):
        """Returns the status with which it ended."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def text(self):
        return self.log.read_text() if self.log.exists() else ""

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def data(self, method, path, body=None):
        status, answer = self.ask(method, path, body)
        assert status in (200, 201), f"{method} {path}: {status} {answer[:300]}"
        return json.loads(answer)["data"]

    def upload(self, content, kind="transcript", name="a.txt"):
        """Returns the new document's id, which is in quarantine wherever there is a scanner."""
        document = self.data("POST", f"/api/documents?type={kind}&file_name={name}", content)
        assert not self.scanner or document["state"] == "quarantined", document
        return document["id"]

    def state(self, document):
        return self.data("GET", f"/api/documents/{document}")["state"]

    def wait(self, document, states, seconds=60):
        """Waits until the document has one of the states."""
        deadline = time.monotonic() + seconds
        while (state := self.state(document)) not in states:
            assert time.monotonic() < deadline, f"{document} is {state}:\n{self.text()[-3000:]}"
            time.sleep(0.05)

    def key(self):
        """The key that clients of the app's wire send."""
        command = [self.programs / "documentd", "keys", "--data", self.folder / "data"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def stored(self):
        """The paths in the bucket, and the contents, of all stored files."""
        root = self.folder / "data" / "store" / "objects"
        with contextlib.closing(sqlite3.connect(self.folder / "data" / "documents.sqlite")) as database:
            rows = database.execute("SELECT path, id FROM objects WHERE path IS NOT NULL").fetchall()
        return {path: (root / id[:2] / id).read_bytes() for path, id in rows}

    def contents(self):
        """The contents of all files in the folder, whether or not a row has them."""
        return [path.read_bytes() for path in (self.folder / "data" / "store").rglob("*") if path.is_file()]
