"""The facts of each sample, known by construction and never taken from our own programs."""

import hashlib
import pathlib
import shutil
import subprocess
import tempfile


class Manifest:
    """The samples in their folder, in the order in which they were made."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.rows = []
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="samples-"))

    def path(self, name):
        return self.folder / name

    def temporary(self, name):
        return self.scratch / name

    def add(self, name, media_type, outcome="rendition", look="", **facts):
        """Records a finished file. A fact that is true or false is written so; the rest as text."""
        self.rows.append((name, media_type, outcome, facts, look))

    def write_file(self, name, data, *arguments, **keywords):
        self.path(name).write_bytes(data)
        self.add(name, *arguments, **keywords)

    def write(self):
        lines = ["path\tsha256\tmediaType\toutcome\tfacts\tlook"]
        for name, media_type, outcome, facts, look in self.rows:
            digest = hashlib.sha256(self.path(name).read_bytes()).hexdigest()
            listed = "; ".join(f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in facts.items())
            lines.append("\t".join([name, digest, media_type, outcome, listed, look]))
        self.path("MANIFEST.tsv").write_text("\n".join(lines) + "\n")
        shutil.rmtree(self.scratch)

    def byte_count(self):
        return sum(self.path(row[0]).stat().st_size for row in self.rows)


def run(*command):
    """Runs a tool quietly; its failure ends the script with the tool's words."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout.decode(errors='replace')}")
