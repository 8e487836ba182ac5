"""The programs of the cluster: PostgreSQL, SeaweedFS, HAProxy, relays, documentd, thumbd."""

import glob
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

from network import USER, Host, run

ACCESS_KEY, SECRET_KEY, BUCKET, PREFIX = "clusterAccessKey", "clusterSecret/Key+", "cluster", "documents"
STORE_PORT, DATABASE_PORT, SERVICE_PORT = 8333, 5432, 8080


class Server:
    """A program on a host, which the test starts, stops and kills by its number."""

    def __init__(self, host):
        self.host, self.process = host, None
        self.log = open(host.disk.rstrip("/") + ".log", "ab")

    def spawn(self, words, environment={}, user=USER):
        surroundings = {"PATH": os.environ["PATH"], "HOME": self.host.disk, "TMPDIR": self.host.disk, "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(self.host.words(*words, user=user), env=surroundings | environment, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log)

    def signal(self, number):
        try:
            self.process.send_signal(number)
        except ProcessLookupError:
            pass

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    @property
    def is_alive(self):
        return self.process is not None and self.process.poll() is None


def wait_until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(what)
        time.sleep(0.05)


class Database(Server):
    """PostgreSQL. The test asks it through a socket of this machine, which no fault of the network concerns."""

    def __init__(self, host):
        super().__init__(host)
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))[-1]
        self.data, self.sockets = host.disk + "/data", "/tmp/pg"
        os.makedirs(self.sockets)
        os.chown(self.sockets, USER, USER)
        self.do("initdb", "-D", self.data, "--no-locale", "-E", "UTF8", "-A", "trust", "-U", "compass")
        with open(self.data + "/postgresql.conf", "a") as file:
            file.write("listen_addresses = '%s'\nunix_socket_directories = '%s'\nmax_connections = 300\nport = %d\n"
                       "log_line_prefix = '%%m %%h %%a '\n" % (host.address, self.sockets, DATABASE_PORT))
        with open(self.data + "/pg_hba.conf", "a") as file:
            file.write("host all all 10.77.0.0/24 trust\n")
        self.start()
        self.sql("CREATE DATABASE compass", database="postgres")

    def do(self, program, *words):
        run(*self.host.words(self.programs + "/" + program, *words))

    def start(self):
        self.spawn([self.programs + "/postgres", "-D", self.data])
        wait_until(self.is_ready, 60, "PostgreSQL does not start: see " + self.log.name)

    def is_ready(self):
        words = [self.programs + "/pg_isready", "-q", "-h", self.sockets]
        return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def restart(self):
        """`pg_ctl restart -m immediate`: all its processes end without a word, and the next start recovers by the log."""
        self.do("pg_ctl", "-D", self.data, "-l", self.data + "/log-again", "-m", "immediate", "-w", "restart")
        self.adopt()

    def crash(self):
        """Kills its first process, whose children end when they miss it, and starts it again."""
        first = self.postmaster()
        os.kill(first, signal.SIGKILL)
        if self.process.pid == first:
            self.process.wait()
        for _ in range(400):
            # As long as a child is left, its shared memory is, and a start is refused.
            if subprocess.run(["pgrep", "-f", "^postgres: "], stdout=subprocess.DEVNULL).returncode:
                break
            time.sleep(0.05)
        os.unlink(self.data + "/postmaster.pid")
        self.do("pg_ctl", "-D", self.data, "-l", self.data + "/log-again", "-w", "start")
        self.adopt()

    def adopt(self):
        self.process.poll()
        wait_until(self.is_ready, 60, "PostgreSQL does not come back: see " + self.data + "/log-again")

    def postmaster(self):
        with open(self.data + "/postmaster.pid") as file:
            return int(file.readline())

    def sql(self, text, database="compass"):
        """What psql prints for statements.

        The call waits for a server that is being restarted."""
        words = ["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.sockets, "-p", str(DATABASE_PORT), "-U", "compass",
                 "-d", database, "-c", text]
        deadline = time.monotonic() + 60
        while True:
            done = subprocess.run([self.programs + "/" + words[0], *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode == 0:
                return done.stdout
            if done.returncode != 2 and "terminating connection" not in done.stderr or time.monotonic() > deadline:
                raise RuntimeError("%s: %s" % (text, done.stderr.strip()))
            time.sleep(0.1)

    def rows(self, query):
        """The rows of a query, each as a dictionary by the names of its columns."""
        text = self.sql("SELECT coalesce(json_agg(row), '[]') FROM (%s) AS row" % query)
        return json.loads(text)

    def value(self, query):
        return next(iter(self.rows(query)[0].values()))


class Store(Server):
    """SeaweedFS, whole in one process."""

    def __init__(self, host, weed):
        super().__init__(host)
        self.weed = weed
        identity = {"name": "cluster", "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
                    "actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        with open(host.disk + "/identities.json", "w") as file:
            json.dump({"identities": [identity]}, file)
        os.makedirs(host.disk + "/data")
        os.chown(host.disk + "/data", USER, USER)
        self.start()

    def start(self):
        self.spawn([self.weed, "server", "-dir=" + self.host.disk + "/data", "-ip=" + self.host.address, "-ip.bind=0.0.0.0", "-s3",
                    "-s3.config=" + self.host.disk + "/identities.json", "-s3.port=%d" % STORE_PORT, "-s3.port.iceberg=0",
                    "-s3.port.lance=0", "-volume.max=50", "-master.volumeSizeLimitMB=256", "-master.telemetry=false",
                    "-s3.autoCreateBucket=false"])

    def stop(self):
        self.signal(signal.SIGTERM)
        try:
            self.process.wait(6)
        except subprocess.TimeoutExpired:
            self.kill()


class Relays(Server):
    """`relay.py` on a host, for any number of routes."""

    def __init__(self, host, program, *routes):
        super().__init__(host)
        self.set_delay(0)
        self.spawn([shutil.which("python3"), "-B", program, host.disk, *routes])

    def set_delay(self, milliseconds):
        with open(self.host.disk + "/delay-new", "w") as file:
            file.write(str(milliseconds))
        os.replace(self.host.disk + "/delay-new", self.host.disk + "/delay")


class Proxy(Server):
    """HAProxy before the services. Streams of events have a backend of their own, so that the other one counts requests."""

    CONFIGURATION = """
global
    stats socket /tmp/haproxy-{name} mode 666 level admin
defaults
    mode http
    timeout connect 3s
    timeout client 120s
    timeout server 60s
    timeout queue 20s
    retries 2
    option redispatch
    option forwardfor
frontend all
    bind {address}:80
    use_backend events if {{ path /api/events }}
    default_backend requests
backend requests
    balance roundrobin
    option httpchk GET /readyz
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
backend events
    balance roundrobin
    default-server on-marked-down shutdown-sessions
{tracks}
"""

    def __init__(self, host, services):
        super().__init__(host)
        lines = ["    server %s %s:%d" % (service.host.name, service.host.address, SERVICE_PORT) for service in services]
        tracks = [line + " track requests/" + service.host.name for line, service in zip(lines, services)]
        with open(host.disk + "/haproxy.cfg", "w") as file:
            file.write(self.CONFIGURATION.format(name=host.name, address=host.address, servers="\n".join(lines), tracks="\n".join(tracks)))
        # The port is one of root's.
        self.spawn([shutil.which("haproxy"), "-W", "-db", "-f", host.disk + "/haproxy.cfg"], user=0)

    def ask(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect("/tmp/haproxy-" + self.host.name)
            connection.sendall(command.encode() + b"\n")
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
        return answer.decode()

    def in_flight(self):
        """The number of requests that each service has."""
        counts = {}
        for line in self.ask("show stat").splitlines():
            columns = line.split(",")
            if columns[0] == "requests" and columns[1] != "BACKEND":
                counts[columns[1]] = int(columns[4] or 0)
        return counts


class Program(Server):
    """One of the product's programs, which is started again after a kill. Its clock can be turned where it was started so."""

    def __init__(self, host, cluster):
        super().__init__(host)
        self.cluster, self.turn = cluster, threading.RLock()
        self.clock = host.disk + ".clock"
        self.set_clock(0)
        # Whether it is to run: what ends by itself is started again, as systemd does.
        self.is_wanted, self.exit_count = False, 0

    def set_clock(self, seconds):
        with open(self.clock + "-new", "w") as file:
            file.write("%+d" % seconds)
        os.replace(self.clock + "-new", self.clock)

    def environment(self):
        return {
            "XDG_STATE_HOME": self.host.disk + "/state", "AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "COMPASS_SECRET": "5eed" * 16, "COMPASS_S3_ENDPOINT": "http://" + self.cluster.store_address(self.host),
            "COMPASS_DATABASE": "postgres://compass@%s/compass" % self.cluster.database_address(self.host),
            "COMPASS_STORE": "s3://%s/%s" % (BUCKET, PREFIX), "COMPASS_CACHE": self.host.disk + "/cache", "COMPASS_LEASE": str(self.cluster.lease),
            # The monotonic clock stays the machine's, as it does where a wall clock is set.
            "FAKETIME_TIMESTAMP_FILE": self.clock, "FAKETIME_NO_CACHE": "1",
            # Without the last one, waits on a condition with a monotonic deadline never end.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        }

    def kill(self):
        self.is_wanted = False
        super().kill()

    def look_after(self):
        """Starts the program again a second after it has ended by itself."""
        if self.is_wanted and not self.is_alive and self.turn.acquire(blocking=False):
            try:
                time.sleep(1)
                self.exit_count += 1
                self.start()
            finally:
                self.turn.release()

    def start(self):
        for name in ("state", "state/compass", "cache"):
            os.makedirs(os.path.join(self.host.disk, name), exist_ok=True)
            os.chown(os.path.join(self.host.disk, name), USER, USER)
        # Not before this program: its locks belong to the user who runs it.
        self.is_wanted = True
        self.spawn(["env", "LD_PRELOAD=" + self.cluster.faketime, *self.command()], self.environment())


class Documentd(Program):
    def command(self):
        return [self.cluster.program("documentd"), "--data", self.host.disk + "/data", "--listen", "%s:%d" % (self.host.address, SERVICE_PORT),
                "--worker", "no", "--auth", "tokens", "--token-secret-file", self.cluster.secret_file, "--trusted-proxies",
                self.cluster.proxy_host.address, "--log-level", "info", "--log-format", "json"]

    def is_ready(self):
        connection = http.client.HTTPConnection(self.host.address, SERVICE_PORT, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


class Thumbd(Program):
    def command(self):
        return [self.cluster.program("thumbd"), "--jobs", "2", "--log-level", "info", "--log-format", "json"]


class Cluster:
    """All hosts with their servers."""

    RELAYED = ("d2", "t3")

    def __init__(self, folder, programs, weed, relay, lease=20, unfenced=False):
        self.folder, self.programs, self.lease, self.unfenced = folder, programs, lease, unfenced
        found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not found:
            raise RuntimeError("libfaketime is missing, by which clocks are turned: make test-cluster installs it")
        self.faketime = found[0]
        self.secret = os.urandom(32).hex()
        self.secret_file = os.path.join(folder, "token-secret")
        with open(self.secret_file, "w") as file:
            file.write(self.secret)
        os.chmod(folder, 0o755)
        os.chown(self.secret_file, USER, USER)
        os.chmod(self.secret_file, 0o400)
        self.proxy_host = Host("proxy", 10, folder)
        self.relay_host = Host("relay", 60, folder)
        self.database = Database(Host("db", 20, folder))
        self.store = Store(Host("store", 30, folder), weed)
        self.hosts = {name: Host(name, number, folder, small) for name, number, small in
                      [("d1", 41, None), ("d2", 42, 64), ("t1", 51, None), ("t2", 52, 64), ("t3", 53, None)]}
        self.ports = {name: 10_000 + index * 2 for index, name in enumerate(self.hosts)}
        routes = []
        for name, port in self.ports.items():
            change = "=unfenced" if unfenced and name.startswith("t") else ""
            routes.append("%s:%d=%s:%d%s" % (self.relay_host.address, port, self.database.host.address, DATABASE_PORT, change))
            routes.append("%s:%d=%s:%d" % (self.relay_host.address, port + 1, self.store.host.address, STORE_PORT))
        self.aged_store = "%s:9999" % self.relay_host.address
        routes.append("%s=%s:%d=aged" % (self.aged_store, self.store.host.address, STORE_PORT))
        self.relays = Relays(self.relay_host, relay, *routes)
        self.services = [Documentd(self.hosts[name], self) for name in ("d1", "d2")]
        self.workers = [Thumbd(self.hosts[name], self) for name in ("t1", "t2", "t3")]

    def program(self, name):
        return os.path.join(self.programs, name)

    def is_relayed(self, host):
        return host.name in self.RELAYED or self.unfenced and host.name.startswith("t")

    def database_address(self, host):
        if self.is_relayed(host):
            return "%s:%d" % (self.relay_host.address, self.ports[host.name])
        return "%s:%d" % (self.database.host.address, DATABASE_PORT)

    def store_address(self, host):
        if self.is_relayed(host):
            return "%s:%d" % (self.relay_host.address, self.ports[host.name] + 1)
        return "%s:%d" % (self.store.host.address, STORE_PORT)

    def start(self, make_bucket):
        wait_until(make_bucket, 90, "the store does not start: see " + self.store.log.name)
        first, *others = self.services
        first.start()
        wait_until(first.is_ready, 60, "documentd does not start: see " + first.log.name)
        for other in others:
            # Sessions and signed addresses count on every host.
            os.makedirs(other.host.disk + "/data")
            for name in os.listdir(first.host.disk + "/data"):
                if name.endswith(".key"):
                    shutil.copy(first.host.disk + "/data/" + name, other.host.disk + "/data/" + name)
            run("chown", "-R", "%d:%d" % (USER, USER), other.host.disk + "/data")
            other.start()
        for worker in self.workers:
            worker.start()
        for other in others:
            wait_until(other.is_ready, 60, "documentd does not start: see " + other.log.name)
        threading.Thread(target=self.look_after, daemon=True).start()
        self.proxy = Proxy(self.proxy_host, self.services)
        wait_until(lambda: os.path.exists("/tmp/haproxy-proxy"), 20, "HAProxy does not start: see " + self.proxy.log.name)

    def leases(self, host):
        """The jobs that a host's worker has in work."""
        return self.database.rows("SELECT id, lease_worker FROM queue_job WHERE state = 'leased' AND lease_worker LIKE '%s-%%'" % host.name)

    def relieve(self):
        """Ends what faults may have left."""
        for program in self.services + self.workers:
            program.signal(signal.SIGCONT)
            program.set_clock(0)
            program.host.free()
            program.host.mend()
        self.relays.set_delay(0)

    def look_after(self):
        while True:
            for program in self.services + self.workers:
                program.look_after()
            time.sleep(0.2)
