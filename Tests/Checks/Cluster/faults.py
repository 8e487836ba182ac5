"""A seeded sequence of faults, in two lanes: long ones after each other, and deaths beside them.

Each fault waits a moment until its victim has work in flight, and is counted as overlapping only where it had."""

import collections
import signal
import threading
import time

from servers import wait_until
from bucket import Bucket

# A dead worker's jobs have to be free for others within so many seconds of its death, with leases of 20 s.
TAKE_OVER_LIMIT = 30


class Record:
    """What was done to whom, from when to when, and how much work it hit."""

    def __init__(self, kind, victim, in_flight):
        self.kind, self.victim, self.in_flight = kind, victim, in_flight
        self.began, self.ended, self.wall = time.monotonic(), None, time.time()

    def overlaps(self, began, ended):
        return self.began < ended and (self.ended is None or self.ended > began)


class Lane(threading.Thread):
    """Faults after each other, until the run is over."""

    def __init__(self, run, random, acts, rest):
        super().__init__(daemon=True)
        self.run_, self.cluster, self.random, self.rest = run, run.cluster, random, rest
        self.acts, self.left = acts, []

    def run(self):
        end = self.run_.faults_end
        self.pause(1 + self.random.random() * 2)
        while time.monotonic() < end:
            if not self.left:
                # Each kind once, in another order each time.
                self.left = list(self.acts)
                self.random.shuffle(self.left)
            act = self.left.pop()
            try:
                getattr(self, act)()
                self.run_.acts.add(act)
            except Exception as error:  # noqa: BLE001: a fault that cannot be made is a fault of the test
                self.run_.journal.find("the test cannot do %s: %r" % (act, error))
                self.pause(1)
            self.pause(self.rest * (0.5 + self.random.random()))

    def pause(self, seconds):
        time.sleep(max(0, min(seconds, self.run_.faults_end - time.monotonic())))

    def during(self, shortest, longest):
        """Lets a fault last; in short runs, for a shorter time."""
        self.pause((shortest + (longest - shortest) * self.random.random()) * self.run_.scale)

    # MARK: What is in flight

    def work_of(self, program):
        if program in self.cluster.workers:
            return len(self.cluster.leases(program.host))
        return self.cluster.proxy.in_flight().get(program.host.name, 0)

    def work_of_all(self):
        return self.run_.journal.in_flight + self.cluster.database.value("SELECT count(*) FROM queue_job WHERE state = 'leased'")

    def begin(self, kind, victim, measure):
        """Waits at most some seconds for work in flight, and notes the fault, which has to be made right after."""
        deadline = time.monotonic() + 5
        while (count := measure()) == 0 and time.monotonic() < deadline:
            time.sleep(0.03)
        record = Record(kind, victim, count)
        self.run_.note(record)
        return record

    def end(self, record):
        record.ended = time.monotonic()
        self.run_.say("%s ends after %.1f s" % (record.kind, record.ended - record.began))

    def any_program(self):
        return self.random.choice(self.cluster.services + self.cluster.workers)

    # MARK: Deaths

    def kill_documentd(self):
        service = self.random.choice(self.cluster.services)
        with service.turn:
            record = self.begin("kill -9 of a documentd", service.host.name, lambda: self.work_of(service))
            service.kill()
        self.pause(0.5 + self.random.random() * 2)
        with service.turn:
            service.start()
        self.end(record)

    def kill_thumbd(self):
        worker = self.random.choice(self.cluster.workers)
        with worker.turn:
            record = self.begin("kill -9 of a thumbd", worker.host.name, lambda: self.work_of(worker))
            held = self.cluster.leases(worker.host)
            worker.kill()
            died = time.monotonic()
            # Now and then nobody of its own machine is there to take its jobs over.
            if self.random.random() < 0.5:
                self.pause(0.5 + self.random.random() * 2)
            else:
                record.kind += ", alone on its host"
                self.watch_take_over(held, died)
            worker.start()
        self.end(record)

    def watch_take_over(self, held, died):
        """Measures after how long the jobs of a dead worker are free, or another's."""
        if not held:
            return self.pause(2)
        ids, name = ",".join(str(job["id"]) for job in held), held[0]["lease_worker"]
        query = "SELECT count(*) FROM queue_job WHERE id IN (%s) AND lease_worker = '%s'" % (ids, name)
        while time.monotonic() < died + 90 and self.cluster.database.value(query):
            time.sleep(0.1)
        self.run_.note_take_over(died, time.monotonic())

    def restart_database(self):
        record = self.begin("PostgreSQL: pg_ctl restart -m immediate", "db", self.work_of_all)
        self.cluster.database.restart()
        self.come_back(record, "PostgreSQL")

    def crash_database(self):
        record = self.begin("PostgreSQL: kill -9 of its first process", "db", self.work_of_all)
        self.cluster.database.crash()
        self.come_back(record, "PostgreSQL")

    def come_back(self, record, what):
        self.end(record)
        self.run_.note_return(what, record.ended)

    # MARK: Stops

    def stop(self, program, kind):
        # Longer than the lease.
        with program.turn:
            record = self.begin(kind, program.host.name, lambda: self.work_of(program))
            program.signal(signal.SIGSTOP)
            try:
                time.sleep(self.cluster.lease + 1.5 + self.random.random() * 6 * self.run_.scale)
            finally:
                program.signal(signal.SIGCONT)
            self.end(record)

    def stop_documentd(self):
        self.stop(self.random.choice(self.cluster.services), "SIGSTOP of a documentd for longer than a lease")

    def stop_thumbd(self):
        self.stop(self.random.choice(self.cluster.workers), "SIGSTOP of a thumbd for longer than a lease")

    def stop_store(self):
        record = self.begin("the store away", "store", self.work_of_all)
        store = self.cluster.store
        store.stop()
        # Its start takes some twenty seconds more.
        self.during(60, 65)
        store.start()
        bucket = Bucket("%s:8333" % store.host.address)
        wait_until(bucket.make, 90, "the store does not come back")
        self.come_back(record, "the store")

    def freeze_store(self):
        record = self.begin("the store silent (SIGSTOP)", "store", self.work_of_all)
        self.cluster.store.signal(signal.SIGSTOP)
        self.during(5, 40)
        self.cluster.store.signal(signal.SIGCONT)
        self.come_back(record, "the store")

    # MARK: Network, disk, clock

    def lose(self, kind, chains, share=None):
        program = self.any_program()
        record = self.begin(kind, program.host.name, lambda: self.work_of(program))
        for chain in chains:
            program.host.drop(chain, share)
        try:
            self.during(10, 40)
        finally:
            record.lost = program.host.lost_count()
            program.host.mend()
        self.end(record)

    def cut_in(self):
        self.lose("a host cut off: nothing comes in", ["in"])

    def cut_out(self):
        self.lose("a host cut off: nothing goes out", ["out"])

    def cut_both(self):
        self.lose("a host cut off in both directions", ["in", "out"])

    def lose_some(self):
        self.lose("5 % of a host's packets lost", ["in", "out"], 5)

    def delay(self):
        programs = [program for program in self.cluster.services + self.cluster.workers if self.cluster.is_relayed(program.host)]
        record = self.begin("200 ms more to database and store", "+".join(program.host.name for program in programs),
                            lambda: sum(self.work_of(program) for program in programs))
        self.cluster.relays.set_delay(200)
        try:
            self.during(15, 30)
        finally:
            self.cluster.relays.set_delay(0)
        self.end(record)

    def fill_disk(self):
        programs = [program for program in self.cluster.services + self.cluster.workers if program.host.is_small]
        program = self.random.choice(programs)
        record = self.begin("a host's disk full", program.host.name, lambda: self.work_of(program))
        program.host.fill()
        try:
            self.during(10, 25)
        finally:
            program.host.free()
        self.end(record)

    def turn_clock(self):
        program = self.any_program()
        record = self.begin("a process's clock an hour wrong", program.host.name, lambda: self.work_of(program))
        program.set_clock(self.random.choice([-3600, 3600]))
        try:
            self.during(10, 30)
        finally:
            program.set_clock(0)
        self.end(record)


LONG = ["stop_documentd", "stop_thumbd", "stop_store", "freeze_store", "cut_in", "cut_out", "cut_both", "lose_some", "delay", "fill_disk",
        "turn_clock"]
DEATHS = ["kill_documentd", "kill_thumbd", "kill_documentd", "kill_thumbd", "restart_database", "crash_database"]


def tally(records):
    """Rows of a table: kind, how often, how often with work in flight, and how much work."""
    counts = collections.OrderedDict()
    for record in sorted(records, key=lambda record: record.kind):
        row = counts.setdefault(record.kind, [0, 0, 0])
        row[0] += 1
        row[1] += record.in_flight > 0
        row[2] += record.in_flight
    return counts
