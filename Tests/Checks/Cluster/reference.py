"""What an undisturbed `compass` makes of each content: its pictures, facts and placeholder, or its failure.

A page is drawn once for all pictures that one job makes, at the size of the largest: a picture that a job made alone, since somebody waited
for it or since a dead worker had left it to do, differs from the one that was made beside others. Either is right.
"""

import hashlib
import itertools
import json
import os
import subprocess
import threading

from clients import PRESETS


class Reference:
    def __init__(self, program, folder, paths):
        self.program, self.folder, self.paths = program, folder, paths
        self.answers, self.parts, self.lock = {}, {}, threading.Lock()
        digests = sorted(paths)
        for start in range(0, len(digests), 200):
            self.answers |= self.ask(folder, PRESETS, digests[start:start + 200])
        lacking = set(paths) - set(self.answers)
        if lacking:
            raise RuntimeError("compass says nothing of %d files" % len(lacking))

    def ask(self, cache, presets, digests):
        words = [self.program, "thumb", "--json", "--digest", "--cache", cache, *[word for preset in presets for word in ("--preset", preset)]]
        done = subprocess.run([*words, *[self.paths[digest] for digest in digests]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return {os.path.basename(answer["source"]).split(".")[0]: answer for answer in answers}

    def failure(self, digest):
        """The message that people see; `None` for a content that has pictures."""
        failure = self.answers[digest]["failure"]
        return failure and failure["message"]

    def accepts(self, digest, preset, hash):
        """Whether a picture is one that an undisturbed engine makes."""
        return hash == self.hash(self.answers[digest], preset) or any(
            hash == self.hash(answer, preset) for answer in self.others(digest))

    def accepts_placeholder(self, digest, placeholder):
        return placeholder == self.answers[digest].get("placeholder") or any(
            placeholder == answer.get("placeholder") for answer in self.others(digest))

    def others(self, digest):
        """The answers for each choice of fewer pictures; most contents never need them."""
        with self.lock:
            if digest not in self.parts:
                choices = [choice for count in range(1, len(PRESETS)) for choice in itertools.combinations(PRESETS, count)]
                self.parts[digest] = [self.ask("-".join((self.folder, *choice)), choice, [digest])[digest] for choice in choices]
            return self.parts[digest]

    @staticmethod
    def hash(answer, preset):
        """The hash of a picture; `None` where there is none."""
        for rendition in answer["renditions"]:
            if rendition["recipe"] == preset and "path" in rendition:
                with open(rendition["path"], "rb") as file:
                    return hashlib.sha256(file.read()).hexdigest()
        return None
