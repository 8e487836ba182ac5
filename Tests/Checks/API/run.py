"""Starts documentd over a scratch folder, and holds it against its OpenAPI file with schemathesis.

    run.py --programs .build/release --schemathesis build/schemathesis/bin/schemathesis [--examples 60] [--seed 1]

It fails for an answer of 500 or above, and for a status, a content type, a header or a body that the file does not
describe. It prints how many cases were run.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "use_after_free",
]


def start(programs, folder):
    log = open(folder / "log", "w+")
    process = subprocess.Popen(
        [programs / "documentd", "--data", folder / "data", "--cache", folder / "cache", "--listen", "127.0.0.1:0",
         "--log-format", "json"], stdout=subprocess.DEVNULL, stderr=log)
    for _ in range(200):
        address = re.search(r"http://127\.0\.0\.1:\d+", (folder / "log").read_text())
        if address:
            return process, address[0]
        time.sleep(0.1)
    process.kill()
    sys.exit(f"documentd does not start:\n{(folder / 'log').read_text()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--schemathesis", type=Path, required=True)
    parser.add_argument("--examples", default="60", help="cases for each operation")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="compass-api-") as scratch:
        folder = Path(scratch)
        process, address = start(options.programs.resolve(), folder)
        environment = os.environ | {
            "DOCUMENTD": address, "SAMPLES": str(HERE.parents[2] / "samples"), "SCHEMATHESIS_HOOKS": "hooks",
            "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            # The stream of events does not end.
            ended = subprocess.run(
                [options.schemathesis.resolve(), "run", f"{address}/api/openapi.json", "--checks", ",".join(CHECKS),
                 "--exclude-path", "/api/events", "--max-examples", options.examples, "--seed", options.seed,
                 "--request-timeout", "20", "--continue-on-failure", "--no-color", "--generation-database", "none"],
                cwd=folder, env=environment)
            if process.poll() is not None:
                print((folder / "log").read_text()[-4000:], file=sys.stderr)
                sys.exit("documentd has died.")
        finally:
            process.terminate()
            process.wait(30)
        errors = [line for line in (folder / "log").read_text().splitlines() if '"request failed"' in line]
        print(f"{len(errors)} requests failed by the service's own fault", *errors[:10], sep="\n")
        sys.exit(ended.returncode)


main()
