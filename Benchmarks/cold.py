"""One process for one file, with an empty cache: every tool in turn, round after round."""

import os
import shutil
import subprocess

import measure
import tools
from environment import BOX, HERE, SCRATCH
from inputs import ALL
from outcome import FLOOR, OURS, Outcome


class Unable(Exception):
    """A program that ended with an error."""


def peak_memory(words, environment):
    """Peak bytes of a program and all its descendants, and of the largest process; see memory.py."""
    command = ["/usr/bin/python3", "-I", "-S", "-B", HERE / "memory.py", *words]
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unable(done.stderr)
    together, largest = map(int, done.stdout.split())
    return together, largest


class Bench:
    """The measured programs, and the folder that they write to."""

    def __init__(self, compass, rounds):
        self.compass, self.rounds = compass, rounds
        self.cache, self.out = SCRATCH / "cache", SCRATCH / "out"
        shutil.rmtree(SCRATCH, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.environment = os.environ | {"COMPASS_CACHE": str(self.cache)}

    def thumb(self, *words):
        return [self.compass, "thumb", *words]

    def empty_cache(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def contenders(self, case, peer_names=None):
        """The commands by name: ours, the peers that can read the input, the floor. Also their peak memory in a first run, which
        warms the file cache for all, and the names of the peers that cannot read the input."""
        source = ALL[case.input].path
        ours = self.thumb("--size", BOX, "--format", "jpeg", source)
        self.empty_cache()
        commands, peaks, unable = {OURS: ours}, {OURS: peak_memory(ours, self.environment)}, []
        for tool in tools.peers(case.kind):
            if peer_names and tool.name not in peer_names:
                continue
            target = self.out / tool.name
            words = tool.words(source, target)
            try:
                peaks[tool.name] = peak_memory(words, self.environment)
            except Unable:
                unable.append(tool.name)
                continue
            if target.with_name(tool.name + tool.suffix).exists():
                commands[tool.name] = words
            else:
                unable.append(tool.name)
        commands[FLOOR] = case.floor.words(source, self.compass.parent)
        self.attempt(FLOOR, commands[FLOOR])
        return commands, peaks, unable

    def run(self, case, peer_names=None):
        shutil.rmtree(self.out)
        self.out.mkdir()
        commands, peaks, unable = self.contenders(case, peer_names)
        outcome = Outcome(case, self.compare(commands, self.rounds), peaks, unable=unable)
        if any(target.against == "read" for target in case.targets):
            outcome.bytes_read = {name: self.bytes_read(name, words, ALL[case.input].path)
                                  for name, words in commands.items() if name != FLOOR}
        return outcome

    def compare(self, commands, rounds):
        """Milliseconds a round, by name, of commands that have run before."""
        times = {name: [] for name in commands}
        for _ in range(rounds):
            for name, words in commands.items():
                times[name].append(self.attempt(name, words).milliseconds)
        return times

    def attempt(self, name, words):
        if name == OURS:
            self.empty_cache()
        done = measure.run(words, self.environment)
        if done.status != 0:
            raise Unable(f"{name} ended with {done.status}: {' '.join(str(word) for word in words)}")
        return done

    def bytes_read(self, name, words, path):
        """How much of the file is in the page cache after a run that began without it: the bytes that were read, and the bytes
        that the kernel read ahead."""
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        self.attempt(name, words)
        shown = subprocess.run(["fincore", "--bytes", "--noheadings", "--output", "RES", path], capture_output=True, text=True)
        return int(shown.stdout.split()[0])
