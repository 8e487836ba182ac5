"""A web server over TLS for tests of sources on other machines.

    server.py FOLDER CERTIFICATE KEY

Serves the files of FOLDER by ranges on a port of loopback, which it writes to FOLDER/port. `/count` answers how many requests came
and how many bytes of content went since it was asked last. The first part of the path says how the server misbehaves (`MANNERS`).
"""

import http.server
import json
import os
import re
import socket
import socketserver
import ssl
import struct
import sys
import time
import urllib.parse
from pathlib import Path

MANNERS = {
    "whole": "sends no parts",
    "changing": "names another version with each answer",
    "untagged": "names the time of the last change alone",
    "unnamed": "names no version",
    "swapped": "names no version, and sends the file `other` from the second answer on",
    "shifted": "sends bytes of another place",
    "longer": "sends more bytes than were asked for",
    "ended": "ends the connection before the last byte",
    "broken": "resets the connection before the last byte",
    "lying": "states another length of the whole with each answer",
    "gone": "answers 404 after the first request",
    "busy": "answers 503 after the first request",
    "stuck": "goes silent after the first request",
    "redirect": "leads to the file",
    "circle": "leads to itself",
    "insecure": "leads to an address without https",
    "endless": "sends bytes without end",
}
tally = {"requests": 0, "bytes": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        parts = urllib.parse.unquote(self.path.split("?")[0]).strip("/").split("/")
        if parts == ["count"]:
            body = json.dumps(tally).encode()
            tally.update(requests=0, bytes=0)
            return self.answer(200, body)
        tally["requests"] += 1
        manner = parts[0] if parts[0] in MANNERS else ""
        later = tally["requests"] > 1
        if manner == "redirect":
            return self.answer(302, Location=f"/{parts[-1]}?signed=1")
        if manner == "circle":
            return self.answer(302, Location=self.path)
        if manner == "insecure":
            return self.answer(302, Location=f"http://localhost/{parts[-1]}")
        if manner == "endless":
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(bytes(1 << 20))
        if later and manner == "gone":
            return self.answer(404)
        if later and manner == "busy":
            return self.answer(503)
        if later and manner == "stuck":
            time.sleep(600)
        file = self.folder / ("other" if later and manner == "swapped" else parts[-1])
        if not file.is_file():
            return self.answer(404)
        self.send(file, manner)

    def send(self, file, manner):
        size = file.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        fields = {"ETag": f'"{tally["requests"] if manner == "changing" else 1}"'}
        if manner in ("untagged", "unnamed", "swapped"):
            del fields["ETag"]
        if manner == "untagged":
            fields["Last-Modified"] = "Mon, 02 Nov 2026 10:00:00 GMT"
        with file.open("rb") as content:
            if not asked or manner == "whole":
                body = content.read()
                status = 200
            else:
                first, last = int(asked[1]), min(int(asked[2]), size - 1)
                content.seek(first + (1 if manner == "shifted" and first else 0))
                body = content.read(last - first + 1 + (5 if manner == "longer" and first else 0))
                place = first + (1 if manner == "shifted" and first else 0)
                stated = size + (tally["requests"] if manner == "lying" else 0)
                fields["Content-Range"] = f"bytes {place}-{place + len(body) - 1}/{stated}"
                status = 206
        tally["bytes"] += len(body)
        if manner not in ("ended", "broken"):
            return self.answer(status, body, **fields)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:-1])
        self.close_connection = True
        if manner == "broken":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Clients that leave are no fault."""


Handler.folder = Path(sys.argv[1])
server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
server.socket = context.wrap_socket(server.socket, server_side=True)
(Handler.folder / "port.part").write_text(str(server.server_port))
(Handler.folder / "port.part").rename(Handler.folder / "port")
server.serve_forever()
