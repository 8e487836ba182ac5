"""A documentd, the people who use it, and the reference that predicts its answers."""

import base64
import concurrent.futures
import http.client
import json
import os
import random
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

from acting import Acting
from reference import Content, Document, File, Link, Person, Upload
from sabotage import WITHOUT

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Web"))

from service import Service  # noqa: E402

SIZES = [40, 9_000, 70_000, 300_000]
TUS = {"Tus-Resumable": "1.0.0"}


class Violation(Exception):
    """The service has answered, or has kept, other than the reference says."""


class World(Acting):
    def __init__(self, programs, folder, backend, without=None):
        self.backend = backend
        self.service = Service(programs, folder, "local")
        self.service.flags = ["--worker", "no", "--storage-per-person", "1G"]
        self.service.environment = backend.environment
        self.service.start()
        self.key, self.service_key = (self.run("keys", role).strip() for role in ("--anonymous", "--service"))
        self.people = [Person(name) for name in ("ada", "ben", "cleo")]
        for person in self.people:
            self.sign_up(person)
        self.deleted_words, self.word_count, self.step_count, self.repeated_count = set(), 0, 0, 0
        if without:
            self.service.stop()
            backend.script(WITHOUT[without][type(backend).__name__])
            self.service.start()

    @property
    def program(self):
        return self.service.programs / "documentd"

    @property
    def data(self):
        return self.service.folder / "data"

    def sign_up(self, person):
        answer = self.call("POST", "/auth/v1/signup", None, {"email": person.email, "password": person.password}).expect(200)
        person.id, person.token = answer.json["user"]["id"], answer.json["access_token"]

    # MARK: Calls

    def call(self, method, path, person, body=None, headers={}):
        """One request; JSON where the body is no bytes. Where it could not be done for want of the store, it is made again."""
        deadline = time.monotonic() + 60
        while True:
            answer = self.ask(method, path, person, body, headers)
            if answer.status != 503 or not self.backend.may_be_away or time.monotonic() > deadline:
                return answer
            self.repeated_count += 1
            time.sleep(0.2)

    def ask(self, method, path, person, body, headers):
        fields = {"apikey": self.key, "X-Supabase-Api-Version": "2024-01-01"} | headers
        if person:
            fields["Authorization"] = f"Bearer {person.token}"
        if body is not None and not isinstance(body, bytes):
            body, fields["Content-Type"] = json.dumps(body).encode(), "application/json"
        connection = http.client.HTTPConnection(self.service.address.removeprefix("http://"), timeout=60)
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return Answer(f"{method} {path}", answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def word(self, random):
        self.word_count += 1
        return f"w{self.word_count:05}{random.getrandbits(40):010x}"

    def content(self, random):
        return Content(self.word(random), random.choice(SIZES))

    def forget(self, *words):
        self.deleted_words.update(words)

    # MARK: Documents

    def _add(self, person, answer, content, line=None):
        data = answer.expect(201).json["data"]
        row = self.call("GET", f"/rest/v1/documents?id=eq.{data['id']}&select=file_url", person).expect(200).json[0]
        path = urllib.parse.unquote(row["file_url"].split("/documents/", 1)[1].split("?")[0])
        document = Document(data["id"], line or data["id"], data["version"], data["title"], content, path)
        person.documents[document.id] = document
        person.files[path] = File(content, document)
        person.make_current(document)
        return document

    def put_document(self, random):
        person, content, title = random.choice(self.people), self.content(random), self.word(random)
        address = f"/api/documents?type=stats_sheet&title={title}&file_name=a.csv"
        document = self._add(person, self.call("POST", address, person, content.bytes), content)
        self.look_at(person, document)

    def put_version(self, random):
        person, document = self.any_document(random)
        if not document:
            return
        content = self.content(random)
        address = f"/api/documents/{document.id}/versions?file_name=a.csv"
        made = self._add(person, self.call("POST", address, person, content.bytes), content, document.line)
        made.version == max(one.version for one in person.line(document)) or self.wrong(f"{made.id} has version {made.version}")
        self.look_at(person, made)

    def restore_version(self, random):
        person, document = self.any_document(random)
        if document:
            self.call("POST", f"/api/documents/{document.id}/restore", person).expect(200)
            person.make_current(document)
            self.look_at(person, document)

    def rename_document(self, random):
        person, document = self.any_document(random)
        if not document:
            return
        title = self.word(random)
        self.call("PATCH", f"/api/documents/{document.id}", person, {"title": title}).expect(200)
        self.renamed(person, document, title)
        self.look_at(person, document)

    def renamed(self, person, document, title):
        for one in person.line(document):
            self.forget(one.title)
            one.title = title

    def delete_document(self, random):
        person, document = self.any_document(random)
        if document:
            self.call("DELETE", f"/api/documents/{document.id}", person).expect(200)
            self.removed(person, person.line(document))

    def delete_row(self, random):
        """The current version takes the others with it, and all are answered."""
        person, document = self.any_document(random)
        if not document:
            return
        gone = person.line(document) if document.is_current else [document]
        answer = self.call("DELETE", f"/rest/v1/documents?id=eq.{document.id}&select=id", person,
                           headers={"Prefer": "return=representation"}).expect(200)
        ids = sorted(row["id"] for row in answer.json)
        ids == sorted(one.id for one in gone) or self.wrong(f"{answer.what} reports {ids}")
        self.removed(person, gone)

    def failing_cast(self, random):
        """The answer cannot be made, so nothing is deleted."""
        person, document = self.any_document(random)
        if document:
            address = f"/rest/v1/documents?id=eq.{document.id}&select=title::int"
            self.call("DELETE", address, person, headers={"Prefer": "return=representation"}).expect(400)
            self.look_at(person, document)

    def removed(self, person, documents):
        for one in documents:
            self.forget(one.content.word, one.title)
        person.remove(documents)
        for one in documents:
            self.call("GET", f"/api/documents/{one.id}/file", person).expect(404)

    # MARK: Files of the bucket

    def any_path(self, random, person):
        if person.files and random.random() < 0.5:
            return random.choice(sorted(person.files))
        return f"{person.id}/stats_sheet/{random.randrange(20)}.csv"

    def put_file(self, random):
        person, content, upsert = random.choice(self.people), self.content(random), random.random() < 0.5
        path = self.any_path(random, person)
        answer = self.call("POST", f"/storage/v1/object/documents/{path}", person, content.bytes,
                           {"x-upsert": str(upsert).lower(), "Content-Type": "text/csv"})
        self.place(person, path, content, upsert, answer)

    def place(self, person, path, content, upsert, answer):
        """What comes of a file that is sent to a path."""
        there = person.files.get(path)
        if there and (there.document or not upsert):
            answer.expect(400, "ResourceReferenced" if there.document and upsert else "ResourceAlreadyExists")
            return
        answer.expect(200)
        if there:
            self.forget(person.remove_file(path).content.word)
        person.files[path] = File(content)
        self.look_at_file(person, path)

    def remove_file(self, random):
        person = random.choice(self.people)
        path = self.any_path(random, person)
        removed = self.call("DELETE", "/storage/v1/object/documents", person, {"prefixes": [path]}).expect(200).json
        file = person.remove_file(path) if path in person.files else None
        (len(removed) == (1 if file else 0)) or self.wrong(f"{len(removed)} files are removed at {path}")
        if file:
            self.forget(file.content.word)
            if file.document:
                file.document.has_file = False
                self.look_at(person, file.document)

    def move_file(self, random):
        self._transfer(random, "move")

    def copy_file(self, random):
        self._transfer(random, "copy")

    def _transfer(self, random, verb):
        person = random.choice(self.people)
        source, target = self.any_path(random, person), self.any_path(random, person)
        if source == target:
            return
        answer = self.call("POST", f"/storage/v1/object/{verb}", person,
                           {"bucketId": "documents", "sourceKey": source, "destinationKey": target})
        file = person.files.get(source)
        if not file or (verb == "move" and file.document) or target in person.files:
            answer.expect(400)
            return
        answer.expect(200)
        person.files[target] = person.files.pop(source) if verb == "move" else File(file.content)
        self.look_at_file(person, target)

    def add_row(self, random):
        """Makes a document of a file that is there, or a version of one, which need not become the current one."""
        person = random.choice(self.people)
        if not person.files:
            return
        path = random.choice(sorted(person.files))
        file = person.files[path]
        row = {"type": "stats_sheet", "title": self.word(random), "file_url": path, "user_id": person.id}
        former = random.choice(sorted(person.documents.values(), key=lambda one: one.id)) if person.documents and random.random() < 0.4 else None
        if former:
            row |= {"title": former.title, "version": 2, "is_current": random.random() < 0.5}
        answer = self.call("POST", "/rest/v1/documents", person, row, {"Prefer": "return=representation"})
        if file.document:
            answer.expect(409)
            return
        made = answer.expect(201).json[0]
        line = former.line if former else made["id"]
        document = Document(made["id"], line, made["version"], row["title"], file.content, path)
        document.is_current = False
        person.documents[document.id], file.document = document, document
        if row.get("is_current", True):
            person.make_current(document)
        for one in person.line(document):
            self.look_at(person, one)

    # MARK: Resumable uploads

    def begin_upload(self, random):
        person, content = random.choice(self.people), self.content(random)
        if random.random() < 0.5:
            upload = Upload("/api/uploads", content, title=self.word(random))
            texts = {"type": "stats_sheet", "file_name": "a.csv", "title": upload.title}
        else:
            path = f"{person.id}/stats_sheet/{random.randrange(20)}.csv"
            if path in person.files:
                return
            upload = Upload("/storage/v1/upload/resumable", content, path=path)
            texts = {"bucketName": "documents", "objectName": path}
        metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in texts.items())
        answer = self.call("POST", upload.address, person, b"", TUS | {
            "Upload-Length": str(len(content.bytes)), "Upload-Metadata": metadata}).expect(201)
        upload.address += "/" + answer.headers["Location"].rsplit("/", 1)[1]
        person.uploads.append(upload)

    def any_upload(self, random):
        known = [(person, upload) for person in self.people for upload in person.uploads]
        return random.choice(known) if known else (None, None)

    def send_piece(self, random):
        """The next piece, or the last one once more."""
        person, upload = self.any_upload(random)
        if not upload:
            return
        size = len(upload.content.bytes)
        start = upload.offset if not upload.is_stored else random.choice([0, size // 2, size])
        end = size if upload.is_stored else random.choice([size, min(size, start + 1), min(size, start + 8_500)])
        answer = self.patch(person, upload, start, end)
        if end < size:
            answer.expect(204)
            upload.offset = end
            return
        self.finished(person, upload, answer, 204)

    def ask_for_upload(self, random):
        person, upload = self.any_upload(random)
        if not upload:
            return
        answer = self.call("HEAD", upload.address, person, headers=TUS)
        if upload.is_stored or upload.offset == len(upload.content.bytes):
            self.finished(person, upload, answer, 200)
        else:
            answer.expect(200).has("Upload-Offset", str(upload.offset))

    def finished(self, person, upload, answer, status):
        """All bytes are there: the answer is the same, however often it is given."""
        if upload.path and not upload.is_stored and upload.path in person.files:
            answer.expect(409)
            upload.offset = len(upload.content.bytes)
            return
        answer.expect(status).has("Upload-Offset", str(len(upload.content.bytes)))
        if upload.is_stored:
            answer.has("Document-Id", upload.document)
            return
        upload.is_stored = True
        if upload.path:
            person.files[upload.path] = File(upload.content, upload=upload)
            self.look_at_file(person, upload.path)
            return
        upload.document = answer.headers["Document-Id"]
        made = self.call("GET", f"/api/documents/{upload.document}", person).expect(200)
        made.status = 201
        document = self._add(person, made, upload.content)
        person.files[document.path].upload = upload
        self.look_at(person, document)

    def end_upload(self, random):
        person, upload = self.any_upload(random)
        if not upload:
            return
        answer = self.call("DELETE", upload.address, person, headers=TUS)
        if upload.is_stored:
            answer.expect(400)
            return
        answer.expect(204)
        self.given_up(person, upload)
        self.call("HEAD", upload.address, person, headers=TUS).expect(404)

    # MARK: Several calls at once

    def at_once(self, calls):
        """The answers of calls that are made together, in their order."""
        with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(lambda call: call(), calls))

    def patch(self, person, upload, start, end):
        return self.call("PATCH", upload.address, person, upload.content.bytes[start:end], TUS | {
            "Upload-Offset": str(start), "Content-Type": "application/offset+octet-stream"})

    def any_open_upload(self, random):
        known = [(person, upload) for person in self.people for upload in person.uploads
                 if not upload.is_stored and upload.path not in person.files]
        return random.choice(known) if known else (None, None)

    def send_end_six_times(self, random):
        """A client that has lost its answer, again and again: all get the same one, or are told to ask again."""
        person, upload = self.any_open_upload(random)
        if not upload:
            return
        size = len(upload.content.bytes)
        # The rest nearly always fits into one piece of the network, so that nobody is overtaken in the middle of it.
        if size - upload.offset > 9_000:
            return
        answers = self.at_once([lambda: self.patch(person, upload, upload.offset, size)] * 6)
        if {answer.status for answer in answers} == {409}:
            # The rest came in two pieces, and the request that sent the first one was overtaken between them. That piece is kept.
            offset = int(self.call("HEAD", upload.address, person, headers=TUS).expect(200).headers["Upload-Offset"])
            upload.offset < offset < size or self.wrong(f"six equal requests are answered 409, and {offset} of {size} bytes are kept")
            upload.offset = offset
            self.finished(person, upload, self.patch(person, upload, offset, size), 204)
            return
        documents = {answer.headers.get("Document-Id") for answer in answers if answer.status == 204}
        if {answer.status for answer in answers} != {204} or len(documents) != 1:
            self.wrong(f"six equal requests are answered {[(one.status, one.headers.get('Document-Id')) for one in answers]}")
        self.finished(person, upload, answers[0], 204)

    def end_while_it_finishes(self, random):
        """Of the end of an upload, and of giving it up, one happens, and both are told so."""
        person, upload = self.any_open_upload(random)
        if not upload:
            return
        pause = random.random() * 0.02
        last, end = self.at_once([
            lambda: self.patch(person, upload, upload.offset, len(upload.content.bytes)),
            lambda: time.sleep(pause) or self.call("DELETE", upload.address, person, headers=TUS)])
        if end.status == 400:
            self.finished(person, upload, last, 204)
            return
        end.expect(204)
        last.status != 204 or self.wrong(f"{last.what} is answered 204, and {end.what} too")
        self.given_up(person, upload)

    def given_up(self, person, upload):
        person.uploads.remove(upload)
        self.forget(upload.content.word, *([upload.title] if upload.title else []))

    def kill_while_it_arrives(self, random):
        """The client does not know how far its piece has come, and asks."""
        person, upload = self.any_open_upload(random)
        if not upload:
            return
        size, pause = len(upload.content.bytes), random.random() * 0.03

        def send():
            try:
                self.patch(person, upload, upload.offset, size)
            except (OSError, http.client.HTTPException):
                pass

        self.at_once([send, lambda: time.sleep(pause) or self.service.kill()])
        self.service.start()
        answer = self.call("HEAD", upload.address, person, headers=TUS).expect(200)
        offset = int(answer.headers["Upload-Offset"])
        upload.offset <= offset or self.wrong(f"{upload.address} goes back from {upload.offset} to {offset}")
        upload.offset = offset
        if offset == size:
            self.finished(person, upload, answer, 200)

    def compare_and_swap(self, random):
        person, document = self.any_document(random)
        if not document:
            return
        titles = [self.word(random) for _ in range(4)]
        address = f"/rest/v1/documents?id=eq.{document.id}&title=eq.{document.title}&select=title"
        answers = self.at_once([
            lambda title=title: self.call("PATCH", address, person, {"title": title}, {"Prefer": "return=representation"})
            for title in titles])
        won = [title for title, answer in zip(titles, answers) if answer.expect(200).json]
        len(won) == 1 or self.wrong(f"{len(won)} of 4 have changed {document.id}")
        self.forget(*{one.title for one in person.line(document)}, *titles)
        for one in person.line(document):
            one.title = won[0]
        self.look_at(person, document)

    # MARK: Others

    def make_link(self, random):
        person, document = self.any_document(random)
        if document:
            self.link(person, document, person)

    def link(self, person, document, maker):
        if sum(link.line == document.line for link in person.links.values()) > 40:
            return
        fields = {} if maker is person else self.acting_for(person)
        answer = self.call("POST", f"/api/documents/{document.id}/links", maker, {"permission": "download", "days": 7}, fields)
        person.links[answer.expect(201).json["data"]["url"].rsplit("=", 1)[1]] = Link(document.line, maker)

    def visit(self, random):
        known = [(person, token) for person in self.people for token in sorted(person.links)]
        if not known:
            return
        person, token = random.choice(known)
        self.look_at_link(person, token)

    def look_as_stranger(self, random):
        person, document = self.any_document(random)
        if not document:
            return
        stranger = random.choice([one for one in self.people if one is not person])
        self.call("GET", f"/api/documents/{document.id}/file", stranger).expect(404)
        self.call("DELETE", f"/api/documents/{document.id}", stranger).expect(404)
        rows = self.call("GET", f"/rest/v1/documents?id=eq.{document.id}", stranger).expect(200).json
        rows == [] or self.wrong(f"{stranger.name} sees {document.id}")
        self.call("GET", f"/storage/v1/object/documents/{document.path}", stranger).expect(400)

    def delete_account(self, random):
        """With everything that is the person's. They come back as somebody who has nothing."""
        person = random.choice(self.people)
        self.run("accounts", "delete", "--yes", person.email)
        self.call("GET", "/rest/v1/documents?select=id", person).expect(401)
        self.forget(*person.words, person.email)
        for other in self.people:
            other.guardians.pop(person, None)
            other.links = {token: link for token, link in other.links.items() if link.maker is not person}
        self.people[self.people.index(person)] = newcomer = Person(self.word(random))
        self.sign_up(newcomer)

    def run(self, *words):
        done = subprocess.run([self.program, *words, "--data", self.data], env=os.environ | self.backend.environment,
                              capture_output=True, text=True)
        done.returncode == 0 or self.wrong(f"documentd {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def kill(self, random):
        """Between any two calls. What was acknowledged stays."""
        self.service.kill()
        self.service.start()

    def sweep(self, random):
        self.run("sweep")

    # MARK: Looking

    def any_document(self, random):
        known = [(person, one) for person in self.people for one in person.documents.values()]
        return random.choice(known) if known else (None, None)

    def wrong(self, what):
        raise Violation(what)

    def look_at(self, person, document):
        data = self.call("GET", f"/api/documents/{document.id}", person).expect(200).json["data"]
        expected = (document.title, document.version, document.is_current)
        found = (data["title"], data["version"], data["is_current"])
        found == expected or self.wrong(f"document {document.id} is {found}, not {expected}")
        answer = self.call("GET", f"/api/documents/{document.id}/file", person)
        if document.has_file:
            answer.expect(200).brings(document.content)
        else:
            answer.expect(404)

    def look_at_file(self, person, path):
        answer = self.call("GET", f"/storage/v1/object/documents/{path}", person)
        answer.expect(200).brings(person.files[path].content)

    def look_at_link(self, person, token):
        """A link opens the version that lists show: the current one, else the highest."""
        link = person.links[token]
        versions = [one for one in person.documents.values() if one.line == link.line]
        shown = next((one for one in versions if one.is_current), max(versions, key=lambda one: one.version))
        answer = self.call("GET", f"/api/shared/file?link={token}", None)
        if shown.has_file and not link.has_ended:
            answer.expect(200).brings(shown.content)
        else:
            answer.expect(404)

    def look_at_everything(self):
        for person in self.people:
            rows = self.call("GET", "/rest/v1/documents?select=id,title,version,is_current", person).expect(200).json
            found = sorted((row["id"], row["title"], row["version"], row["is_current"]) for row in rows)
            expected = sorted((one.id, one.title, one.version, one.is_current) for one in person.documents.values())
            found == expected or self.wrong(f"{person.name} has the rows {set(found) ^ set(expected)} too many or too few")
            for document in person.documents.values():
                self.look_at(person, document)
            listed = self.call("POST", "/storage/v1/object/list/documents", person,
                               {"prefix": f"{person.id}/stats_sheet", "limit": 10_000}).expect(200).json
            found = sorted(f"{person.id}/stats_sheet/{entry['name']}" for entry in listed)
            found == sorted(person.files) or self.wrong(f"{person.name} has the files {set(found) ^ set(person.files)} too many or too few")
            for token in person.links:
                self.look_at_link(person, token)
            used = self.used_byte_count(person)
            used == person.byte_count or self.wrong(f"{used} bytes of {person.name} count, not {person.byte_count}")

    def used_byte_count(self, person):
        files = self.backend.rows(f"SELECT byte_count FROM document_owners WHERE user_id = '{person.id}'")
        uploads = self.backend.rows(
            f"SELECT sum(reserved) FROM uploads WHERE user_id = '{person.id}' AND state NOT IN ('stored', 'refused')")
        return (files[0][0] if files else 0) + (uploads[0][0] or 0)

    def end(self):
        """Looks at everything, and for what was deleted: in the database, the files, the cache and the log."""
        self.look_at_everything()
        deadline = time.monotonic() + 60
        while self.backend.rows("SELECT count(*) FROM removals") != [(0,)]:
            time.monotonic() < deadline or self.wrong("bytes of removed files stay")
            time.sleep(0.05)
        self.service.stop()
        kept = {word for person in self.people for word in person.words}
        words = {word.encode() for word in self.deleted_words - kept}
        files = ((path.relative_to(self.service.folder), path.read_bytes())
                 for path in self.service.folder.rglob("*") if path.is_file())
        for name, text in (*files, *self.backend.kept()):
            left = next((word for word in words if word in text), None)
            left is None or self.wrong(f"{name} has {left.decode()}, which was deleted")
        stored = self.backend.stored()
        known = {row[0] for row in self.backend.rows("SELECT id FROM objects")}
        # Whole, and only without its place yet: the path is taken.
        waiting = {row[0] for row in self.backend.rows("SELECT object_id FROM uploads WHERE state = 'finishing'")}
        known <= stored <= known | waiting or self.wrong(
            f"the store has {len(stored - known - waiting)} files without a row, and lacks {len(known - stored)}")
        self.run("verify", "--cache", self.service.folder / "cache")

    def close(self):
        self.service.stop()
        self.backend.end()


class Answer:
    def __init__(self, what, status, headers, body):
        self.what, self.status, self.headers, self.body = what, status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def expect(self, status, code=None):
        if self.status != status or (code and code.encode() not in self.body):
            raise Violation(f"{self.what} is answered {self.status} {self.body[:300]!r}, not {status} {code or ''}")
        return self

    def has(self, field, value):
        if self.headers.get(field) != value:
            raise Violation(f"{self.what} has {field}: {self.headers.get(field)}, not {value}")
        return self

    def brings(self, content):
        if self.body != content.bytes:
            raise Violation(f"{self.what} brings {len(self.body)} other bytes than {content.word}")
        return self


# How often each is done, beside the others.
RULES = {
    "put_document": 6, "put_version": 4, "restore_version": 2, "rename_document": 2, "delete_document": 3, "delete_row": 2,
    "failing_cast": 1, "put_file": 5, "remove_file": 3, "move_file": 3, "copy_file": 2, "add_row": 4, "begin_upload": 5,
    "send_piece": 8, "ask_for_upload": 3, "end_upload": 2, "send_end_six_times": 2, "end_while_it_finishes": 2,
    "kill_while_it_arrives": 1, "compare_and_swap": 1, "make_link": 2, "visit": 2, "look_as_stranger": 2, "kill": 1, "sweep": 1,
    "delete_account": 1, "invite_guardian": 2, "end_guardianship": 1, "act_as_guardian": 3, "put_as_guardian": 1, "link_as_guardian": 1,
    "look_as_operator": 1, "rename_as_operator": 1, "delete_as_operator": 1,
}


def play(world, rule, number):
    """One step: a rule with the number that decides about everything in it."""
    getattr(world, rule)(random.Random(number))
    world.step_count += 1
    if world.step_count % 50 == 0:
        world.look_at_everything()
