#!/usr/bin/env python3
"""Renews the keys of two documentd of one folder once a minute, in the middle of what people do all day: nobody may be signed out.

Persons sign up, and each continues with what they were given: a browser with its cookie, an app with its refresh token, a guardian who acts
for the person, addresses that were signed. Each step asks the one or the other process. Every answer has to be good.

With --control each rotation ends what older keys have made: the run must find that, or it proves nothing.

usage: rotation.py --programs FOLDER [--minutes N] [--persons N] [--control]"""

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ServiceCrashes"))

import crashes  # noqa: E402

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
FLAGS = ["--auth", "local", "--requests-per-minute", "none"]
ADDRESS, PASSWORD = "person{}@example.org", "correct horse {}"


class Service(crashes.Service):
    """One process of several over a folder, asked as by a page of its own."""

    def ask(self, method, path, body=None, headers={}):
        fields = {"Sec-Fetch-Site": "same-origin"} | headers
        if isinstance(body, dict):
            body, fields = json.dumps(body).encode(), fields | {"Content-Type": "application/json"}
        return super().ask(method, path, body, fields)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Run:
    def __init__(self, services, key):
        self.services, self.key = services, key
        self.counts, self.faults = collections.Counter(), []
        self.slowest = 0.0
        self.lock = threading.Lock()
        self.isOver = threading.Event()

    def ask(self, what, method, path, body=None, headers={}, good=(200,)):
        """Asks one of the processes, and notes an answer that is not good."""
        began = time.monotonic()
        status, content, fields = random.choice(self.services).ask(method, path, body, headers)
        with self.lock:
            self.counts[what] += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            if status not in good:
                self.faults.append(f"{what}: {status} {content[:200]!r}")
        return status, content, fields

    def data(self, *arguments, **options):
        status, content, _ = self.ask(*arguments, **options)
        return json.loads(content).get("data") if status < 400 else None


class Person:
    """What one person does, again and again."""

    def __init__(self, run, number, document):
        self.run, self.random = run, random.Random(number)
        credentials = {"email": ADDRESS.format(number), "password": PASSWORD.format(number)}
        status, content, fields = run.ask("sign-up", "POST", "/api/account", credentials, good=(201,))
        self.id = json.loads(content)["data"]["account"]["id"]
        self.cookie = fields["Set-Cookie"].split(";")[0]
        self.session = json.loads(run.ask("sign-in", "POST", "/auth/v1/token?grant_type=password", credentials, {"apikey": run.key})[1])
        self.document = run.data("upload", "POST", "/api/documents?type=transcript&title=Grades&file_name=a.pdf", document,
                                 headers={"Cookie": self.cookie}, good=(201,))["id"]
        self.signed = []
        self.athlete = None

    def act(self):
        self.random.choice([self.browse, self.browse, self.refresh, self.look, self.sign, self.open_signed, self.act_for, self.upload])()

    def browse(self):
        status, content, fields = self.run.ask("session", "GET", "/api/session", headers={"Cookie": self.cookie})
        if status == 200 and json.loads(content)["data"]["account"] is None:
            self.run.faults.append("a browser was signed out")
        if fields["Set-Cookie"]:
            self.cookie = fields["Set-Cookie"].split(";")[0]
        self.run.ask("list", "GET", "/api/documents", headers={"Cookie": self.cookie})

    def refresh(self):
        status, content, _ = self.run.ask("refresh", "POST", "/auth/v1/token?grant_type=refresh_token",
                                          {"refresh_token": self.session["refresh_token"]}, {"apikey": self.run.key})
        if status == 200:
            self.session = json.loads(content)
        self.run.ask("rows", "GET", "/rest/v1/documents", headers=self.wire)

    @property
    def wire(self):
        return {"apikey": self.run.key, "Authorization": f"Bearer {self.session['access_token']}"}

    def look(self):
        self.run.ask("thumbnail", "GET", f"/api/documents/{self.document}/thumbnail?preset=grid", headers={"Cookie": self.cookie})

    def sign(self):
        made = self.run.data("sign", "POST", "/api/addresses",
                             {"addresses": [f"/api/documents/{self.document}/file"], "seconds": 86_400}, headers={"Cookie": self.cookie})
        self.signed = (self.signed + made["addresses"])[-50:]

    def open_signed(self):
        if self.signed:
            self.run.ask("signed address", "GET", self.random.choice(self.signed))

    def act_for(self):
        if self.athlete:
            self.run.ask("guardian", "GET", f"/api/documents/{self.athlete.document}",
                         headers={"Cookie": self.cookie, "Acting-For": self.athlete.id})

    def upload(self):
        self.run.ask("upload", "POST", "/api/documents?type=transcript&title=Notes&file_name=a.txt",
                     f"Notes {self.random.random()}\n".encode(), headers={"Cookie": self.cookie}, good=(201,))

    def look_after(self, athlete):
        """Becomes another person's guardian."""
        made = self.run.data("invite", "POST", "/api/account/guardians", {"email": "any@example.org", "right": "view"},
                             headers={"Cookie": athlete.cookie}, good=(201,))
        self.run.ask("accept", "POST", "/api/account/invitation/acceptance", {"token": made["url"].split("#")[1]},
                     headers={"Cookie": self.cookie})
        self.athlete = athlete

    def live(self):
        while not self.run.isOver.is_set():
            try:
                self.act()
            except Exception as error:  # noqa: BLE001: whatever it is, the run has found it
                self.run.faults.append(repr(error))
            time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--persons", type=int, default=8)
    parser.add_argument("--control", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="compass-soak-") as scratch, open(f"{scratch}/log", "w") as log:
        folder = f"{scratch}/data"
        services = [Service(options.programs, folder, log, flags=FLAGS) for _ in range(2)]
        for service in services:
            service.start()
        command = [os.path.join(options.programs, "documentd")]
        key = subprocess.check_output(command + ["keys", "--anonymous", "--data", folder], text=True).strip()
        run = Run(services, key)
        document = (SAMPLES / "page-1.pdf").read_bytes()
        persons = [Person(run, number, document) for number in range(options.persons)]
        for one, other in zip(persons, persons[1:]):
            one.look_after(other)
        for person in persons:
            person.sign()
        threads = [threading.Thread(target=person.live) for person in persons]
        for thread in threads:
            thread.start()
        rotations = 0
        end = time.monotonic() + options.minutes * 60
        while time.monotonic() + 60 <= end + 1:
            time.sleep(60)
            subprocess.run(command + ["rotate-keys", "--data", folder] + ["--end-older"] * options.control, check=True,
                           stdout=subprocess.DEVNULL)
            rotations += 1
            print(f"{rotations} rotations, {sum(run.counts.values()):,} requests, {len(run.faults)} faults", flush=True)
        # What was signed at the beginning counts on, and so does the very first key.
        time.sleep(2)
        run.isOver.set()
        for thread in threads:
            thread.join()
        for person in persons:
            person.open_signed()
            person.refresh()
            person.browse()
        for service in services:
            service.stop()
    for what, count in sorted(run.counts.items()):
        print(f"  {what:16} {count:8,}")
    print(f"{sum(run.counts.values()):,} requests of {len(persons)} persons, {rotations} rotations, the slowest answer {run.slowest:.2f} s")
    for fault in run.faults[:20]:
        print(f"  {fault}")
    print(f"{len(run.faults)} faults")
    sys.exit(1 if run.faults or rotations < 1 else 0)


main()
