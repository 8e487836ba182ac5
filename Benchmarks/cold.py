"""One process for one file, with an empty cache: every tool in turn, round after round."""

import os
import shutil
import subprocess

import measure
import tools
from environment import BOX, HERE, SCRATCH
from inputs import ALL
from outcome import FLOOR, OURS, Outcome


def peak_memory(words, environment):
    """Bytes that a program and all that it starts hold at most, and the largest of its processes; see memory.py."""
    command = ["/usr/bin/python3", "-I", "-S", "-B", HERE / "memory.py", *words]
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"memory of {words[0]}: {done.stderr}")
    together, largest = map(int, done.stdout.split())
    return together, largest


class Bench:
    """The programs that are measured, and where they write."""

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
        """The commands by name: ours, those peers that can read the input, the floor; and the names of peers that cannot."""
        source = ALL[case.input].path
        # Where there is transparency the format would be PNG.
        commands = {OURS: self.thumb("--size", BOX, "--format", "jpeg", source)}
        unable = []
        for tool in tools.peers(case.kind):
            if peer_names and tool.name not in peer_names:
                continue
            target = self.out / tool.name
            words = tool.words(source, target)
            if measure.run(words, self.environment).status == 0 and target.with_name(tool.name + tool.suffix).exists():
                commands[tool.name] = words
            else:
                unable.append(tool.name)
        commands[FLOOR] = case.floor.words(source, self.compass.parent)
        return commands, unable

    def run(self, case, peer_names=None, with_memory=True):
        """Warm file cache for all: each has read the file before it is timed."""
        commands, unable = self.contenders(case, peer_names)
        outcome = Outcome(case, unable=unable)
        outcome.times = self.compare(commands)
        if with_memory:
            outcome.peaks = {name: self.peak(name, words) for name, words in commands.items() if name != FLOOR}
        if any(target.against == "read" for target in case.targets):
            outcome.bytes_read = {name: self.bytes_read(name, words, ALL[case.input].path)
                                  for name, words in commands.items() if name != FLOOR}
        return outcome

    def compare(self, commands, rounds=None):
        """Milliseconds a round, by name; a round before them warms up."""
        times = {name: [] for name in commands}
        for number in range(-1, rounds or self.rounds):
            for name, words in commands.items():
                done = self.attempt(name, words)
                if number >= 0:
                    times[name].append(done.milliseconds)
        return times

    def attempt(self, name, words):
        if name == OURS:
            self.empty_cache()
        done = measure.run(words, self.environment)
        if done.status != 0:
            raise RuntimeError(f"{name} ended with {done.status}: {' '.join(str(word) for word in words)}")
        return done

    def peak(self, name, words):
        """The larger of two runs' figures; they are not timed, as being looked at slows them."""
        peaks = []
        for _ in range(2):
            if name == OURS:
                self.empty_cache()
            peaks.append(peak_memory(words, self.environment))
        return tuple(map(max, zip(*peaks)))

    def bytes_read(self, name, words, path):
        """How much of the file is in the page cache after a run that began with nothing of it there: what was read, and what
        the kernel read ahead."""
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        self.attempt(name, words)
        shown = subprocess.run(["fincore", "--bytes", "--noheadings", "--output", "RES", path], capture_output=True, text=True)
        return int(shown.stdout.split()[0])
