"""Paths, and the virtual environment with the peers from PyPI."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build"
INPUTS = BUILD / "bench-inputs"
SCRATCH = BUILD / "bench-scratch"
VENV = BUILD / "bench-venv"
PYTHON = VENV / "bin/python"

BOX = 640
"""The side in pixels of the square into which every tool's picture fits."""

QUALITY = 80
"""The quality of every tool's JPEG."""


def prepare_venv():
    """Makes the virtual environment, and makes it again if its list of packages has changed."""
    wanted = (HERE / "requirements.txt").read_bytes()
    stamp = VENV / hashlib.sha256(wanted).hexdigest()[:16]
    if stamp.exists():
        return
    shutil.rmtree(VENV, ignore_errors=True)
    print("Setting up build/bench-venv …", flush=True)
    # Debian's interpreter, not whatever is first on PATH.
    subprocess.run(["/usr/bin/python3", "-m", "venv", VENV], check=True)
    # Without this pyvips compiles its binding against the system's libvips, over the binding of its own newer one.
    surroundings = os.environ | {"PKG_CONFIG_LIBDIR": "/nonexistent"}
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check",
               "-r", HERE / "requirements.txt"]
    if subprocess.run(command, env=surroundings).returncode != 0:
        sys.exit("The peers from PyPI could not be installed (Benchmarks/requirements.txt).")
    stamp.touch()
