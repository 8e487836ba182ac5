"""Puts identities of things that exist into three of four requests, so that more than "not found" is answered."""

import json
import os
import random
import time
import urllib.request
from pathlib import Path

import schemathesis

BASE = os.environ["DOCUMENTD"]
SAMPLES = Path(os.environ["SAMPLES"])
FILES = [("transcript", "pages-24.pdf"), ("highlight_video", "h264.mp4"), ("transcript", "plain.txt")]


def call(path, body=None, content_type="application/json"):
    request = urllib.request.Request(BASE + path, data=body, headers={"Content-Type": content_type} if body else {})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["data"]


class Things:
    """What the server has, asked again each second and made again where it is gone."""

    def __init__(self):
        self.asked = 0.0
        self.ids = {}

    def get(self, kind):
        if time.monotonic() - self.asked > 1:
            self.ids = {"documents": self.documents(), "schools": self.schools(), "templates": self.templates()}
            self.asked = time.monotonic()
        return random.choice(self.ids[kind])

    def documents(self):
        found = call("/api/documents?limit=20")["documents"]
        if len(found) < 5:
            for kind, name in FILES:
                if (SAMPLES / name).exists():
                    body = (SAMPLES / name).read_bytes()
                    found.append(call(f"/api/documents?type={kind}&file_name={name}", body, "application/octet-stream"))
        return [document["id"] for document in found]

    def schools(self):
        found = call("/api/schools")
        if not found:
            found = [call("/api/schools", json.dumps({"name": f"School {time.monotonic()}"}).encode())]
        return [school["id"] for school in found]

    def templates(self):
        found = call("/api/communication-templates")
        if not found:
            text = {"name": "First contact", "type": "email", "body": "Dear {{coach_name}}"}
            found = [call("/api/communication-templates", json.dumps(text).encode())]
        return [template["id"] for template in found]


things = Things()


@schemathesis.serializer("application/offset+octet-stream")
def as_bytes(context, value):
    """A piece of a resumable upload is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not path_parameters or random.random() < 0.25:
        return path_parameters
    path = context.operation.path
    kinds = {"/api/documents/": "documents", "/api/schools/": "schools", "/api/communication-templates/": "templates"}
    for prefix, kind in kinds.items():
        if path.startswith(prefix) and "id" in path_parameters:
            path_parameters["id"] = things.get(kind)
    if "school" in path_parameters:
        path_parameters["school"] = things.get("schools")
    if isinstance(path_parameters.get("page"), int):
        path_parameters["page"] = path_parameters["page"] % 30 + 1
    return path_parameters
