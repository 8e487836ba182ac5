"""What the clients know: what was acknowledged, and what is undecided since an answer was lost."""

import collections
import threading
import time

# A request whose answer was lost may still take effect for so long: beyond the times after which proxy and services give up.
LONGEST_EFFECT = 150


class Field:
    """A value: the one of the last acknowledged change, or one that an undecided change may have put in its place."""

    def __init__(self, value):
        self.value, self.doubts = value, []

    def acknowledge(self, value, began):
        self.value = value
        self.doubts = [doubt for doubt in self.doubts if doubt[1] > began - LONGEST_EFFECT]

    def doubt(self, value, began):
        self.doubts.append((value, began))

    def allows(self, value):
        return value == self.value or any(value == doubt for doubt, _ in self.doubts)

    def __repr__(self):
        return "%r%s" % (self.value, " or %r" % [doubt for doubt, _ in self.doubts] if self.doubts else "")


class Version:
    """An upload, which its file's name tells from all others."""

    def __init__(self, name, content, description):
        self.name, self.content, self.description = name, content, Field(description)
        self.id, self.is_acknowledged = None, False


class Line:
    """A document with its versions, which one client changes."""

    def __init__(self, person, name, version):
        self.person, self.name = person, name
        self.title, self.current = Field(name), Field(version.name)
        self.versions = {version.name: version}
        self.shares = collections.defaultdict(lambda: Field(None))
        # None, "acknowledged", or "undecided".
        self.removal = None

    @property
    def acknowledged(self):
        return [version for version in self.versions.values() if version.is_acknowledged]


class Journal:
    def __init__(self):
        self.lock = threading.Lock()
        self.lines, self.counts, self.findings = [], collections.Counter(), []
        self.in_flight = 0
        # What is known of each picture that was ever answered, by content and preset, and then by the picture's hash.
        self.pictures = collections.defaultdict(dict)
        # When changes and uploads were acknowledged, on the monotonic clock.
        self.successes = []
        self.serial = 0

    def next_serial(self):
        with self.lock:
            self.serial += 1
            return self.serial

    def add(self, line):
        with self.lock:
            self.lines.append(line)

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def find(self, text):
        with self.lock:
            self.findings.append(text)

    def succeed(self):
        with self.lock:
            self.successes.append(time.monotonic())

    def first_success(self, after):
        with self.lock:
            return next((moment for moment in self.successes if moment >= after), None)
