"""A documentd over a folder of its own, which tests end, suspend and start again."""

import email
import email.policy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path


MAIL_SERVER = Path(__file__).resolve().parents[2] / "People/mail/server.py"
PROVIDER = Path(__file__).resolve().parents[2] / "People/openid/provider.py"


def wait_for(file):
    for _ in range(1000):
        if file.exists():
            return file
        time.sleep(0.02)
    raise RuntimeError(f"{file} does not come in 20 s.")


class Service:
    def __init__(self, programs, folder, auth="off"):
        self.programs, self.folder, self.auth = Path(programs).resolve(), Path(folder), auth
        self.cookie, self.flags, self.mail_server = None, [], None
        self.environment = {}
        self.provider, self.issuers = None, []
        self.folder.mkdir(parents=True, exist_ok=True)
        self.process, self.address = None, None

    def start(self):
        log = self.folder / "log"
        address = self.address.removeprefix("http://") if self.address else "127.0.0.1:0"
        with open(log, "w") as errors:
            self.process = subprocess.Popen(
                [self.programs / "documentd", "--data", self.folder / "data", "--cache", self.folder / "cache",
                 "--listen", address, "--auth", self.auth, "--log-format", "json", *self.flags],
                env=os.environ | self.environment, stdout=subprocess.DEVNULL, stderr=errors)
        for _ in range(400):
            found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
            if found:
                self.address = found[0]
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"documentd does not start:\n{log.read_text()[-3000:]}")

    def kill(self):
        """As a power cut does."""
        self.process.kill()
        self.process.wait(10)

    def start_again_with_mail(self):
        """With a mail server that keeps what it gets, for `mail`."""
        self.stop()
        folder = self.folder / "mail"
        folder.mkdir()
        # Debian's Python has the server's library.
        self.mail_server = subprocess.Popen(["/usr/bin/python3", "-B", MAIL_SERVER, folder])
        port = wait_for(folder / "port").read_text()
        self.flags = ["--mail-server", f"smtp://127.0.0.1:{port}", "--mail-from", "Compass <noreply@example.org>",
                      "--public-address", self.address]
        return self.start()

    def start_again_with_providers(self):
        """With two OpenID Connect providers: Keycloak with a client's secret, GitLab without one."""
        self.stop()
        folder = self.folder / "openid"
        folder.mkdir()
        self.provider = subprocess.Popen(
            [sys.executable, "-B", "-W", "ignore", PROVIDER, folder, "2", f"{self.address}/auth/v1/callback"],
            stderr=subprocess.DEVNULL)
        entries = json.loads(wait_for(folder / "providers.json").read_text())["providers"]
        self.issuers = [entry["issuer"] for entry in entries]
        self.flags = ["--openid-providers", folder / "providers.json", "--public-address", self.address,
                      "--redirect-addresses", "jobmatchnow://auth/callback"]
        return self.start()

    def end_providers(self):
        if self.provider:
            self.provider.kill()
            self.provider.wait(10)
            self.provider = None

    def mail(self, number):
        """The mail with a number, from 1: its subject, and the address of its link."""
        text = email.message_from_bytes(wait_for(self.folder / f"mail/{number}.eml").read_bytes(), policy=email.policy.default)
        link = re.search(r"https?://\S+", text.get_content())
        return str(text["subject"]), link and link[0]

    def stop(self):
        if self.mail_server:
            self.mail_server.terminate()
            self.mail_server.wait(10)
            self.mail_server = None
        self.end_providers()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()

    def suspend(self):
        """The service keeps its connections, and answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def copy(self, folder):
        """A stopped service's documents, for another one."""
        shutil.copytree(self.folder, folder)
        other = Service(self.programs, folder, self.auth)
        other.cookie = self.cookie
        return other

    def sign_in(self, email, password, path="/api/session", **fields):
        """Sends what follows as the person; with `path="/api/account"` they sign up."""
        self.cookie = None
        body = json.dumps({"email": email, "password": password} | fields).encode()
        request = urllib.request.Request(self.address + path, data=body, method="POST", headers={"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            return json.loads(answer.read())["data"]["account"]

    def ask(self, path, method="GET", body=None):
        """Asks the API, as another client of the same person."""
        headers = self._own({"content-type": "application/json"} if body is not None else {})
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
        text = self._send(request)
        return json.loads(text)["data"] if text else None

    def upload(self, file, path="/api/documents", **fields):
        boundary = uuid.uuid4().hex
        name = fields.pop("name", None) or Path(file).name
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
                 for key, value in fields.items()]
        content = file if isinstance(file, bytes) else Path(file).read_bytes()
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
                     "Content-Type: application/octet-stream\r\n\r\n".encode() + content + b"\r\n")
        data = b"".join(parts) + f"--{boundary}--\r\n".encode()
        request = urllib.request.Request(self.address + path, data=data, method="POST",
                                         headers=self._own({"content-type": f"multipart/form-data; boundary={boundary}"}))
        return json.loads(self._send(request))["data"]

    def _own(self, headers):
        return headers | ({"cookie": self.cookie, "origin": self.address} if self.cookie else {})

    @staticmethod
    def _send(request):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{request.method} {request.full_url}: {error.code} {error.read().decode()}") from None

    def all(self):
        return self.ask("/api/documents?limit=200")["documents"]

    def wait_for_pictures(self):
        for _ in range(600):
            if all(item["state"] not in ("stored",) for item in self.all()):
                return
            time.sleep(0.05)
        raise RuntimeError("The pictures are not made in 30 s.")
