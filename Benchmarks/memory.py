"""Peak memory of a program and all its descendants.

Run as a program of its own, by a bare interpreter: `python3 -I -S memory.py WORD…` prints the bytes of all together and those of
the largest process. The kernel counts the memory of the
starting process into the program's peak, so that process must be small: nothing but the interpreter's core is imported.
"""

import os
import sys
import time

INTERVAL = 0.0005


class Watch:
    """Samples a family of processes as if it were one: memory shared by a fork counts once, and so do libraries and other files
    that several processes map."""

    def __init__(self):
        self.together = 0
        self.largest = 0

    def look(self, process):
        private, mapped = 0, {}
        for member in family(process):
            resident, anonymous, share = pages(member)
            private += share
            program = executable(member)
            mapped[program] = max(mapped.get(program, 0), resident - anonymous)
            self.largest = max(self.largest, resident)
        self.together = max(self.together, private + sum(mapped.values()))


def family(process):
    """A process and its descendants."""
    found = [process]
    for member in found:
        try:
            for task in os.listdir(f"/proc/{member}/task"):
                with open(f"/proc/{member}/task/{task}/children") as file:
                    found += [int(word) for word in file.read().split()]
        except OSError:
            # It ended meanwhile.
            continue
    return found


def pages(process):
    """Bytes that are resident, those of them that belong to no file, and its proportional share of these; zeros where it has ended
    or may not be looked at."""
    found = {}
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            for line in file:
                name, _, rest = line.partition(":")
                if name in ("Rss", "Anonymous", "Pss_Anon"):
                    found[name] = int(rest.split()[0]) * 1024
    except OSError:
        pass
    return found.get("Rss", 0), found.get("Anonymous", 0), found.get("Pss_Anon", 0)


def executable(process):
    try:
        return os.readlink(f"/proc/{process}/exe")
    except OSError:
        return ""


def main(words):
    quiet = [(os.POSIX_SPAWN_OPEN, descriptor, "/dev/null", os.O_RDWR, 0) for descriptor in (0, 1, 2)]
    process = os.posix_spawnp(words[0], words, os.environ, file_actions=quiet)
    watch = Watch()
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        watch.look(process)
        time.sleep(INTERVAL)
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{words[0]} ended with {status}")
    # What the kernel counted misses nothing between two samples, but knows single processes only.
    largest = max(watch.largest, usage.ru_maxrss * 1024)
    print(max(watch.together, largest), largest)


if __name__ == "__main__":
    main(sys.argv[1:])
