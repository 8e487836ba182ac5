#!/usr/bin/env python3
"""Runs the scripts that drive documentd by the official clients of Supabase and tus, each over a service of its own.

    run.py --programs FOLDER

The packages of requirements.txt must be there.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[2] / "samples"
sys.path.insert(0, str(HERE.parents[1] / "Checks/Web"))

from service import Service  # noqa: E402


def run(script, service, *arguments):
    key = subprocess.check_output(
        [service.programs / "documentd", "keys", "--anonymous", "--data", service.folder / "data"], text=True).strip()
    print(f"## {script}", flush=True)
    try:
        return subprocess.run([sys.executable, "-B", "-W", "ignore", HERE / script, service.address, key, *arguments]).returncode
    finally:
        service.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    programs = parser.parse_args().programs
    with tempfile.TemporaryDirectory(prefix="compass-clients-") as scratch:
        def made(name, auth):
            return Service(programs, Path(scratch) / name, auth).start()

        statuses = [
            run("clients.py", made("clients", "off"), SAMPLES),
            run("accounts.py", made("accounts", "local"), SAMPLES),
            run("providers.py", made("providers", "local").start_again_with_providers(), "keycloak"),
        ]
    sys.exit(1 if any(statuses) else 0)


main()
