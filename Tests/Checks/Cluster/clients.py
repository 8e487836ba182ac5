"""Clients: each does at random what people do, over the proxy, and keeps to the journal."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import threading
import time
import urllib.parse

from journal import Line, Version

PRESETS = ("list", "grid", "preview")
PIECE_SIZES = (7_000, 50_000, 300_000, 6 << 20)
# What goes on after a lost connection gives up after so many seconds; the upload is then undecided.
PATIENCE = 100


class Undecided(Exception):
    """The answer was lost, or says that the service cannot tell."""


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__("%d %s" % (status, body[:200].decode(errors="replace")))
        self.status = status


class Person:
    def __init__(self, number, secret):
        self.id = "c1057e00-0000-4000-8000-%012d" % number
        claims = {"sub": self.id, "aud": "authenticated", "role": "authenticated", "exp": int(time.time()) + 30 * 86_400}
        text = ".".join(self.coded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        self.token = text + "." + self.coded(hmac.digest(secret.encode(), text.encode(), "sha256"))
        self.schools = []

    @staticmethod
    def coded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Way:
    """The way to the service over the proxy."""

    def __init__(self, address, journal):
        self.address, self.journal = address, journal

    def ask(self, person, method, path, body=None, headers={}, timeout=75):
        """Status, content and fields of an answer.

        - Raises `Undecided` where there is none, or the service says that it could not do it now."""
        fields = {"Authorization": "Bearer " + person.token} | headers
        if isinstance(body, dict):
            body, fields = json.dumps(body).encode(), fields | {"Content-Type": "application/json"}
        connection = http.client.HTTPConnection(self.address, 80, timeout=timeout)
        with self.flight():
            try:
                connection.request(method, path, body, fields)
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as error:
                raise Undecided(repr(error))
            finally:
                connection.close()
        if answer.status >= 500 or answer.status in (408, 429) or answer.status == 400 and b'"interrupted"' in content:
            raise Undecided("%d %s" % (answer.status, content[:200]))
        return answer.status, content, answer.headers

    @contextlib.contextmanager
    def flight(self):
        with self.journal.lock:
            self.journal.in_flight += 1
        try:
            yield
        finally:
            with self.journal.lock:
                self.journal.in_flight -= 1

    def data(self, *arguments, **options):
        """The data of a good answer; raises `Refused` for another one."""
        status, content, _ = self.ask(*arguments, **options)
        if status >= 300:
            raise Refused(status, content)
        return json.loads(content).get("data")


class Client:
    ACTS = [("upload", 26), ("add_version", 12), ("look", 10), ("list", 8), ("fetch_picture", 16), ("fetch_file", 12), ("edit", 9),
            ("share", 5), ("unshare", 2), ("restore", 5), ("remove", 8)]
    READS = ("look", "list", "fetch_picture", "fetch_file")

    def __init__(self, number, person, run, random):
        self.name, self.person, self.run, self.random = "c%d" % number, person, run, random
        self.way, self.journal, self.lines = run.way, run.journal, []

    def live(self):
        names, weights = zip(*self.ACTS)
        while not self.run.is_over.is_set():
            act = self.random.choices(names, weights)[0]
            if self.run.is_backed_up and act not in self.READS:
                act = self.random.choice(self.READS)
            try:
                getattr(self, act)()
            except Undecided:
                self.journal.count("no answer, or a passing fault: " + act.replace("_", " "))
                time.sleep(0.3)
            except Refused as refusal:
                self.journal.find("%s was refused: %s" % (act, refusal))
            except Exception as error:  # noqa: BLE001: whatever it is, the run has found it
                self.journal.find("%s: %r" % (act, error))
            time.sleep(self.random.random() * self.run.pause)

    def own_line(self):
        """A line that is there for certain."""
        lines = [line for line in self.lines[-60:] if not line.removal and line.acknowledged]
        return self.random.choice(lines) if lines else None

    def own_version(self):
        line = self.own_line()
        return (line, self.random.choice(line.acknowledged)) if line else (None, None)

    def done(self, what):
        self.journal.count(what)
        self.journal.succeed()

    # MARK: Uploads

    def upload(self):
        serial = self.journal.next_serial()
        content = self.run.contents.make(self.random, serial)
        version = Version("%s-%d.%s" % (self.name, serial, content.extension), content, "of %d" % serial)
        line = Line(self.person, "%s-%d" % (self.name, serial), version)
        texts = {"type": content.type, "title": line.name, "file_name": version.name, "description": version.description.value}
        self.lines.append(line)
        self.journal.add(line)
        self.send(version, "/api/documents", texts)

    def add_version(self):
        line = self.own_line()
        if not line or len(line.versions) > 4:
            return self.upload()
        serial = self.journal.next_serial()
        content = self.run.contents.make(self.random, serial, type=line.acknowledged[0].content.type)
        version = Version("%s-%d.%s" % (self.name, serial, content.extension), content, "of %d" % serial)
        texts = {"file_name": version.name, "description": version.description.value}
        began = time.monotonic()
        line.versions[version.name] = version
        line.current.doubt(version.name, began)
        id = line.acknowledged[0].id
        if self.send(version, "/api/documents/%s/versions" % id, texts, {"document_id": id, "type": content.type}):
            line.current.acknowledge(version.name, began)

    def send(self, version, path, texts, for_tus={}):
        """Sends a file by one of the two ways, and notes the acknowledgement.

        - Returns: whether it was acknowledged."""
        if len(version.content.bytes) > 1 << 20 or self.random.random() < 0.45:
            version.id = self.send_in_pieces(version, texts | for_tus)
        else:
            query = urllib.parse.urlencode(texts)
            version.id = self.way.data(self.person, "POST", path + "?" + query, version.content.bytes)["id"]
            self.done("uploads acknowledged, by POST")
        version.is_acknowledged = version.id is not None
        return version.is_acknowledged

    def send_in_pieces(self, version, texts):
        """The identity of the document that a resumable upload has ended with; `None` where it is undecided."""
        data, tus = version.content.bytes, {"Tus-Resumable": "1.0.0"}
        pairs = ",".join("%s %s" % (name, base64.b64encode(text.encode()).decode()) for name, text in texts.items())
        status, body, fields = self.way.ask(self.person, "POST", "/api/uploads", b"", tus | {
            "Upload-Length": str(len(data)), "Upload-Metadata": pairs})
        if status != 201:
            raise Refused(status, body)
        path = urllib.parse.urlparse(fields["Location"]).path
        size = self.random.choice([size for size in PIECE_SIZES if size * 12 > len(data)])
        offset, deadline, is_lost = 0, time.monotonic() + PATIENCE, False
        while time.monotonic() < deadline:
            try:
                if is_lost:
                    status, body, fields = self.way.ask(self.person, "HEAD", path, None, tus)
                    if status == 404:
                        # Struck between the file's path and its row: the client begins again.
                        self.journal.count("resumable uploads: file without a row, begun again")
                        return None
                    if status < 300:
                        if fields["Document-Id"]:
                            self.done("uploads acknowledged, in pieces after a fault")
                            return fields["Document-Id"]
                        offset = int(fields["Upload-Offset"])
                piece = data[offset:offset + size]
                status, body, fields = self.way.ask(self.person, "PATCH", path, piece, tus | {
                    "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"})
                if status == 204:
                    offset += len(piece)
                    if fields["Document-Id"]:
                        self.done("uploads acknowledged, in pieces" + (" after a fault" if is_lost else ""))
                        return fields["Document-Id"]
                elif status in (404, 409):
                    # Another offset, another holder, or gone: the next HEAD tells which.
                    is_lost = True
                    time.sleep(0.5)
                else:
                    raise Refused(status, body)
            except Undecided:
                is_lost = True
                self.journal.count("resumable uploads: connections lost")
                time.sleep(0.5 + self.random.random())
        raise Undecided("an upload in pieces does not come to its end")

    # MARK: Changes

    def edit(self):
        line, version = self.own_version()
        if not line:
            return
        began, serial = time.monotonic(), self.journal.next_serial()
        change = {}
        if self.random.random() < 0.6:
            change["title"] = "%s edited %d" % (line.name, serial)
            line.title.doubt(change["title"], began)
        if not change or self.random.random() < 0.5:
            change["description"] = "edited %d" % serial
            version.description.doubt(change["description"], began)
        self.way.data(self.person, "PATCH", "/api/documents/" + version.id, change)
        if "title" in change:
            line.title.acknowledge(change["title"], began)
        if "description" in change:
            version.description.acknowledge(change["description"], began)
        self.done("edits acknowledged")

    def share(self):
        line, version = self.own_version()
        if not line:
            return
        school, permission, began = self.random.choice(self.person.schools), self.random.choice(["view", "edit"]), time.monotonic()
        line.shares[school].doubt(permission, began)
        self.way.data(self.person, "POST", "/api/documents/%s/shares" % version.id, {"school_ids": [school], "permission": permission})
        line.shares[school].acknowledge(permission, began)
        self.done("shares acknowledged")

    def unshare(self):
        line, version = self.own_version()
        school = line and next((school for school, field in line.shares.items() if field.value), None)
        if not school:
            return
        began = time.monotonic()
        line.shares[school].doubt(None, began)
        self.way.data(self.person, "DELETE", "/api/documents/%s/shares/%s" % (version.id, school))
        line.shares[school].acknowledge(None, began)
        self.done("shares ended")

    def restore(self):
        line, version = self.own_version()
        if not line or len(line.acknowledged) < 2:
            return
        began = time.monotonic()
        line.current.doubt(version.name, began)
        self.way.data(self.person, "POST", "/api/documents/%s/restore" % version.id)
        line.current.acknowledge(version.name, began)
        self.done("versions restored")

    def remove(self):
        line, version = self.own_version()
        if not line or self.random.random() < 0.3:
            return
        line.removal = "undecided"
        self.way.data(self.person, "DELETE", "/api/documents/" + version.id)
        line.removal = "acknowledged"
        self.done("removals acknowledged")
        status, _, _ = self.way.ask(self.person, "GET", "/api/documents/" + version.id)
        if status != 404:
            self.journal.find("a removed document is answered with %d: %s" % (status, line.name))

    # MARK: Reading

    def look(self):
        line, version = self.own_version()
        if not line:
            return
        document = self.way.data(self.person, "GET", "/api/documents/" + version.id)
        if not line.title.allows(document["title"]):
            self.journal.find("%s has the title %r after %r was acknowledged" % (line.name, document["title"], line.title))
        if not version.description.allows(document["description"]):
            self.journal.find("%s has the description %r after %r" % (version.name, document["description"], version.description))
        self.journal.count("documents read")

    def list(self):
        answer = self.way.data(self.person, "GET", "/api/documents?limit=50&sort=" + self.random.choice(["newest", "name", "type"]))
        ids = [document["id"] for document in answer["documents"]]
        if len(set(ids)) != len(ids):
            self.journal.find("a list has a document twice")
        self.journal.count("lists read")

    def fetch_picture(self):
        _, version = self.own_version()
        if not version:
            return
        preset = self.random.choice(PRESETS)
        status, body, fields = self.way.ask(self.person, "GET", "/api/documents/%s/thumbnail?preset=%s" % (version.id, preset),
                                            headers={"Accept": "image/jpeg, application/json"})
        if status == 200 and fields["Content-Type"].startswith("image/"):
            with self.journal.lock:
                shown = self.journal.pictures[version.content.digest, preset]
                shown[hashlib.sha256(body).hexdigest()] = "%d bytes of %s for %s after %.1f s, %s" % (
                    len(body), fields["Content-Type"], version.name, time.monotonic() - self.run.began, fields["Cache-Control"])
            self.journal.count("pictures read")
        elif status == 404:
            self.journal.find("no picture, %d: %s" % (status, version.name))
        else:
            self.journal.count("pictures answered with %d" % status)

    def fetch_file(self):
        _, version = self.own_version()
        if not version:
            return
        data, headers = version.content.bytes, {}
        if self.random.random() < 0.5:
            start = self.random.randrange(len(data))
            end = min(len(data), start + self.random.choice([1, 1000, 200_000])) - 1
            headers, data = {"Range": "bytes=%d-%d" % (start, end)}, data[start:end + 1]
        status, body, _ = self.way.ask(self.person, "GET", "/api/documents/%s/file" % version.id, headers=headers)
        if status not in (200, 206):
            raise Refused(status, body)
        if body != data:
            self.journal.find("the file of %s has other bytes: %d instead of %d" % (version.name, len(body), len(data)))
        self.journal.count("files read" + (", by range" if headers else ""))


class Watcher(threading.Thread):
    """Follows a person's events over all faults, from the first one."""

    def __init__(self, person, way):
        super().__init__(daemon=True)
        self.person, self.way, self.numbers, self.last, self.connections = person, way, [], 0, 0
        self.is_over = threading.Event()

    def run(self):
        while not self.is_over.is_set():
            try:
                self.follow()
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self.is_over.wait(0.5)

    def follow(self):
        connection = http.client.HTTPConnection(self.way.address, 80, timeout=40)
        try:
            connection.request("GET", "/api/events", headers={
                "Authorization": "Bearer " + self.person.token, "Last-Event-ID": str(self.last)})
            answer = connection.getresponse()
            if answer.status != 200:
                return
            self.connections += 1
            number = kind = None
            while not self.is_over.is_set() and (line := answer.readline()):
                name, _, text = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    number = int(text)
                elif name == "event":
                    kind = text
                elif not name:
                    if number is not None:
                        self.numbers.append((number, kind))
                        self.last = number
                    number = kind = None
        finally:
            connection.close()
