"""Hosts as network namespaces on one bridge, in a network of the test's own.

`enter` starts the test again in namespaces of its own (network, mounts, processes), so that nothing of it is seen from outside, and
nothing of it is left when it ends, however that happens.
"""

import os
import shutil
import signal
import subprocess
import sys

BRIDGE = "10.77.0.1"
# Debian's `nobody`: PostgreSQL refuses to run as root, and wants a user with a name.
USER = 65534


def enter(needed):
    """Runs the calling program again in its own namespaces, once.

    `needed`: files and folders that stay in sight, also if they lie in a temporary folder."""
    if os.environ.get("COMPASS_CLUSTER_INSIDE") == "yes":
        prepare(needed)
        return keep_house()
    if os.geteuid() != 0:
        sys.exit("make test-cluster makes network namespaces, mounts and firewall rules: RUN IT AS ROOT.")
    for program in ("ip", "nft", "unshare", "setpriv", "haproxy", "hostname"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            sys.exit("%s is missing: make test-cluster installs it" % program)
    print("Running as ROOT, in namespaces of its own; the servers run as an ordinary user.", flush=True)
    os.environ["COMPASS_CLUSTER_INSIDE"] = "yes"
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", sys.executable, "-B", *sys.argv]
    os.execvp("unshare", words)


def keep_house():
    """Goes on in a child: the first process of its namespace has to gather the ends of all that lose their parents."""
    child = os.fork()
    if child == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ended, status = os.wait()
        if ended == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def prepare(needed):
    """Makes the bridge, and hides the folders of the machine's other programs, but for what is needed."""
    for place in ("/run", "/tmp", "/var/tmp", "/dev/shm"):
        hide(place, needed)
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "address", "add", BRIDGE + "/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")


def hide(place, needed):
    """Mounts an empty folder over a place, and shows in it again what is needed of the place."""
    kept = []
    for path in sorted(os.path.realpath(path) for path in needed):
        if path.startswith(place + "/") and not any(path.startswith(other + "/") or path == other for other in kept):
            kept.append(path)
    # The old place stays within reach of an open descriptor, below the new one.
    old = os.open(place, os.O_PATH | os.O_DIRECTORY)
    run("mount", "-t", "tmpfs", "-o", "mode=1777", "compass-cluster", place)
    for path in kept:
        source = "/proc/%d/fd/%d%s" % (os.getpid(), old, path[len(place):])
        if os.path.isdir(source):
            os.makedirs(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").close()
        run("mount", "--no-canonicalize", "--rbind", source, path)
    os.close(old)


def require_readable(*paths):
    """Ends the test where the ordinary user of the servers cannot reach what they need."""
    for path in paths:
        if subprocess.run(["setpriv", "--reuid=%d" % USER, "--clear-groups", "test", "-r", path]).returncode:
            sys.exit("The servers run as user %d, who cannot read %s: build in a folder that others may read." % (USER, path))


def run(*words):
    """Runs a program that has to succeed."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(words), done.stdout.strip()))
    return done.stdout


class Host:
    """A network namespace with an address, a name, and a disk: a folder, or a small file system that can be filled."""

    def __init__(self, name, number, folder, disk_megabytes=None):
        self.name, self.address = name, "10.77.0.%d" % number
        self.disk = os.path.join(folder, name)
        self.is_small = disk_megabytes is not None
        os.makedirs(self.disk)
        if disk_megabytes:
            run("mount", "-t", "tmpfs", "-o", "mode=755,size=%dm" % disk_megabytes, "compass-" + name, self.disk)
        os.chown(self.disk, USER, USER)
        run("ip", "netns", "add", name)
        run("ip", "link", "add", "to-" + name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", "to-" + name, "master", "bridge", "up")
        self.inside("ip", "address", "add", self.address + "/24", "dev", "eth0")
        self.inside("ip", "link", "set", "lo", "up")
        self.inside("ip", "link", "set", "eth0", "up")
        self.inside("nft", "add table inet faults; add chain inet faults in { type filter hook input priority 0; };"
                    " add chain inet faults out { type filter hook output priority 0; }")

    def inside(self, *words):
        return run("ip", "netns", "exec", self.name, *words)

    def words(self, *command, user=USER):
        """The words that start a program on this host. The process is the program itself: no shell stays before it."""
        who = ["setpriv", "--reuid=%d" % user, "--regid=%d" % user, "--clear-groups"] if user else []
        return ["ip", "netns", "exec", self.name, "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name, *who, *command]

    # MARK: Faults

    def drop(self, chain, share=None):
        """Loses what comes `in` or goes `out`: all of it, or so many of a hundred packets."""
        interface = "iifname" if chain == "in" else "oifname"
        some = "numgen random mod 100 < %d" % share if share else ""
        self.inside("nft", "add rule inet faults %s %s eth0 %s counter drop" % (chain, interface, some))

    def mend(self):
        self.inside("nft", "flush table inet faults")

    def lost_count(self):
        """How many packets the rules have dropped since the last `mend`."""
        words = self.inside("nft", "list table inet faults").split()
        return sum(int(words[index + 1]) for index, word in enumerate(words) if word == "packets")

    def fill(self):
        """Takes every free byte of the disk."""
        with open(os.path.join(self.disk, "ballast"), "wb", buffering=0) as file:
            block = bytes(1 << 16)
            while len(block) > 256:
                try:
                    while file.write(block) == len(block):
                        pass
                    block = block[:len(block) // 2]
                except OSError:
                    block = block[:len(block) // 2]

    def free(self):
        try:
            os.unlink(os.path.join(self.disk, "ballast"))
        except FileNotFoundError:
            pass
