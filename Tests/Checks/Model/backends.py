"""What documentd keeps its things in: an SQLite file and a folder, or a PostgreSQL server and a bucket behind a proxy that misbehaves."""

import glob
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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Cluster"))

from bucket import Bucket  # noqa: E402
from servers import ACCESS_KEY, BUCKET, SECRET_KEY, wait_until  # noqa: E402

NOBODY = 65534


class Files:
    """SQLite and a folder, which lie below the service's."""

    environment = {}
    may_be_away = False

    def __init__(self, folder):
        self.data = folder / "data"

    def connected(self, mode, body):
        connection = sqlite3.connect(f"file:{self.data}/documents.sqlite?mode={mode}", uri=True, timeout=30)
        try:
            return body(connection)
        finally:
            connection.close()

    def rows(self, sql):
        return self.connected("ro", lambda connection: connection.execute(sql).fetchall())

    def script(self, sql):
        self.connected("rw", lambda connection: connection.executescript(sql))

    def stored(self):
        """The identities of all objects whose bytes are there."""
        return {path.name for path in (self.data / "store/objects").rglob("*") if path.is_file()}

    def kept(self):
        """What is kept outside the service's folder, each part with its name."""
        return []

    def end(self):
        pass


class Servers:
    """PostgreSQL, SeaweedFS and the proxy before it, for all examples of a run."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="compass-model-servers-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        self.count, self.processes, self.store_ports = 0, [], {}

    def start_all(self, weed, seed):
        self.database = self.start_database()
        store = self.start_store(weed)
        self.proxy = Proxy(store, seed)
        self.bucket = Bucket(f"127.0.0.1:{store}")
        wait_until(self.bucket.make, 60, "the bucket is not made")

    def start(self, words, user=None):
        with (self.folder / f"{Path(words[0]).name}.log").open("wb") as log:
            self.processes.append(subprocess.Popen(
                [*as_user(user), *words], cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def start_database(self):
        """The folder of its socket."""
        folder = self.folder / "postgresql"
        folder.mkdir()
        user = NOBODY if os.geteuid() == 0 else None
        if user:
            os.chown(folder, user, user)
        self.programs = Path(max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4])))
        subprocess.run([*as_user(user), self.programs / "initdb", "-D", folder / "data", "-E", "UTF8", "--no-locale", "-A", "trust",
                        "-U", "model"], check=True, cwd="/", stdout=subprocess.DEVNULL)
        self.start([self.programs / "postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"], user)
        ask = [self.programs / "pg_isready", "-q", "-h", folder]
        wait_until(lambda: subprocess.run(ask).returncode == 0, 60, "PostgreSQL does not start")
        return folder

    def start_store(self, weed):
        """The port of S3."""
        folder = self.folder / "store"
        (folder / "data").mkdir(parents=True)
        identity = {"name": "model", "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
                    "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        (folder / "identities.json").write_text(json.dumps({"identities": [identity]}))
        names = ("s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
                 "filer.port.grpc")
        self.store_ports = dict(zip(names, free_ports(len(names))))
        self.start([weed, "server", f"-dir={folder}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3",
                    f"-s3.config={folder}/identities.json", "-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.max=50",
                    "-master.volumeSizeLimitMB=256", "-master.telemetry=false", "-s3.autoCreateBucket=false",
                    *(f"-{name}={port}" for name, port in self.store_ports.items())])
        return self.store_ports["s3.port"]

    def psql(self, database, sql):
        words = [self.programs / "psql", "-h", self.database, "-U", "model", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"]
        return subprocess.run(words, input=sql, text=True, check=True, capture_output=True).stdout

    def end(self):
        for process in self.processes:
            # PostgreSQL ends its own processes at this signal, and waits for no client.
            process.send_signal(signal.SIGINT)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for port in self.store_ports.values():
            for path in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                path.unlink()
        shutil.rmtree(self.folder)


class Shared:
    """A database of the server, and a part of the bucket."""

    may_be_away = True

    def __init__(self, servers):
        servers.count += 1
        self.servers, self.database, self.prefix = servers, f"model{servers.count}", f"part{servers.count}"
        servers.psql("postgres", f"CREATE DATABASE {self.database}")
        self.url = f"postgres://model@/{self.database}?host={str(servers.database).replace('/', '%2F')}"
        self.environment = {
            "COMPASS_DATABASE": self.url, "COMPASS_STORE": f"s3://{BUCKET}/{self.prefix}", "COMPASS_SECRET": "5eed" * 16,
            "COMPASS_S3_ENDPOINT": servers.proxy.address, "AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY}

    def rows(self, sql):
        found = self.servers.psql(self.database, f"SELECT coalesce(json_agg(found), '[]') FROM ({sql}) AS found")
        return [tuple(row.values()) for row in json.loads(found)]

    def script(self, sql):
        self.servers.psql(self.database, sql)

    def keys(self):
        return self.servers.bucket.keys(f"{self.prefix}/")

    def stored(self):
        return {key.rsplit("/", 1)[1] for key in self.keys() if key.startswith(f"{self.prefix}/objects/")}

    def kept(self):
        words = [self.servers.programs / "pg_dump", "-h", self.servers.database, "-U", "model", self.database]
        yield "the database", subprocess.run(words, check=True, capture_output=True).stdout
        for key in self.keys():
            yield key, key.encode() + (self.servers.bucket.bytes(key) or b"")

    def end(self):
        self.servers.psql("postgres", f"DROP DATABASE {self.database} WITH (FORCE)")


class Proxy(ThreadingHTTPServer):
    """Stands before the store. Some requests wait, some reach the store twice, and of some the answer is lost on the way back."""

    daemon_threads = True
    CHANCES = {"delayed": 0.03, "repeated": 0.05, "lost": 0.02}

    def __init__(self, port, seed):
        super().__init__(("127.0.0.1", 0), Passage)
        self.port, self.random, self.lock = port, random.Random(seed), threading.Lock()
        self.counts = {name: 0 for name in ("passed", *self.CHANCES)}
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def fate(self):
        with self.lock:
            fate = self.random.choices(
                ["passed", *self.CHANCES], [1 - sum(self.CHANCES.values()), *self.CHANCES.values()])[0]
            self.counts[fate] += 1
            return fate, self.random.uniform(0.05, 0.8)

    def handle_error(self, request, address):
        """Clients that leave are no news."""


class Passage(BaseHTTPRequestHandler):
    """One connection of the service."""

    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fate, pause = self.server.fate()
        if fate == "delayed":
            time.sleep(pause)
        if fate == "repeated":
            self.ask(body)
        status, fields, answer = self.ask(body)
        if fate == "lost":
            self.close_connection = True
            return
        self.send_response_only(status)
        for name, value in fields:
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        length = dict(fields).get("Content-Length", "0") if self.command == "HEAD" else str(len(answer))
        self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on

    def ask(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            # The signature is over the name of the host that the service knows.
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in ("connection", "expect"):
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def log_message(self, *_):
        """Says nothing."""


def as_user(user):
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
