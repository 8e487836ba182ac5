"""Holds documentd against Debian's clamd: what passes, what does not, and what becomes of files while clamd is away or hangs.

    run.py --programs .build/release [--only TEXT]

The signature is one of the test's own, over bytes that the test invents: no real malware, and no download.
"""

import argparse
import json
import sys
import tempfile
import time
import traceback
from pathlib import Path

from clamd import INVENTED, Clamd
from service import Service

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
# The faces of a document that show its content or something made of it.
CONTENT = ["file", "thumbnail?preset=grid", "picture", "pages/1", "pages/1/text", "text?q=a", "frame?time=0"]
# The one person of a service without accounts.
OWNER = "00000000-0000-7000-8000-000000000001"
BAD = b"Transcript\n" + INVENTED + b"\nThe end\n"


def held(service, document, content):
    """Nothing of the document's content is served, nor of its file by the app's wire."""
    for face in CONTENT:
        status, answer = service.ask("GET", f"/api/documents/{document}/{face}")
        assert status == 409 and json.loads(answer)["code"] == "quarantined", f"{face}: {status} {answer[:200]}"
    paths = [path for path, stored in service.stored().items() if stored == content]
    assert paths, "the file is there"
    for path in paths:
        for address in ["object", "render/image/authenticated"]:
            status, answer = service.ask("GET", f"/storage/v1/{address}/documents/{path}", headers={"apikey": service.key()})
            assert status == 400 and json.loads(answer)["message"] == "Object not found", f"{path}: {status} {answer[:200]}"


def until(condition, what):
    """Waits for a condition, at most a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def condemned(service, document, content):
    """Waits until the scanner has found something, after which the document stays where it is."""
    until(lambda: service.data("GET", f"/api/documents/{document}")["failure"], "nothing is found")
    found = service.data("GET", f"/api/documents/{document}")
    assert (found["state"], found["failure"]) == ("quarantined", "Malware was found in this file."), found
    assert f"malware Compass.Invented-1.UNOFFICIAL in document {document}" in service.text(), service.text()
    held(service, document, content)


def served(service, document, content):
    """Waits until the file is served."""
    service.wait(document, ["ready", "stored"])
    status, answer = service.ask("GET", f"/api/documents/{document}/file")
    assert status == 200 and answer == content, status


def passes(clamd, service):
    """A file without the signature passes, and gets its pictures."""
    clamd.start()
    pdf = (SAMPLES / "page-1.pdf").read_bytes()
    document = service.upload(pdf, name="a.pdf")
    service.wait(document, ["ready"])
    served(service, document, pdf)
    status, picture = service.ask("GET", f"/api/documents/{document}/thumbnail?preset=grid")
    assert status == 200 and len(picture) > 1000, status
    assert "instream" in clamd.text() and ": OK" in clamd.text(), clamd.text()


def infected(clamd, service):
    """A file with the signature stays in quarantine for good, also after a restart, and can be deleted."""
    clamd.start()
    document = service.upload(BAD)
    condemned(service, document, BAD)
    assert clamd.findings() == 1
    assert service.stop() == 0
    service.start()
    # Files that pass show that the scanner is at work again.
    served(service, service.upload(b"harmless\n"), b"harmless\n")
    assert service.state(document) == "quarantined" and clamd.findings() == 1, "it is not scanned again"
    held(service, document, BAD)
    service.data("DELETE", f"/api/documents/{document}")
    until(lambda: BAD not in service.contents(), "the file stays")


def wire(clamd, service):
    """A file in the bucket that no row names is not served; its row puts it in quarantine."""
    clamd.start()
    path, headers = f"{OWNER}/transcript/1_bad.txt", {"apikey": service.key()}
    status, answer = service.ask("POST", f"/storage/v1/object/documents/{path}", BAD, headers)
    assert status == 200, answer
    status, answer = service.ask("GET", f"/storage/v1/object/documents/{path}", headers=headers)
    assert status == 400 and json.loads(answer)["message"] == "Object not found", f"{status} {answer}"
    row = {"user_id": OWNER, "type": "transcript", "title": "Bad", "file_url": path, "file_type": "text/plain"}
    status, answer = service.ask(
        "POST", "/rest/v1/documents", json.dumps(row), headers | {"Prefer": "return=representation"})
    assert status == 201, answer
    document = json.loads(answer)[0]["id"]
    condemned(service, document, BAD)


def away(clamd, service):
    """While clamd is away nothing passes; when it is back, files are scanned, and the bad one is found."""
    good, bad = service.upload(b"harmless\n"), service.upload(BAD)
    # Longer than the pause between two tries.
    for _ in range(14):
        time.sleep(0.5)
        assert [service.state(good), service.state(bad)] == ["quarantined"] * 2
    held(service, good, b"harmless\n")
    held(service, bad, BAD)
    assert "the scanner is unreachable" in service.text(), service.text()
    clamd.start()
    served(service, good, b"harmless\n")
    condemned(service, bad, BAD)


def hangs(clamd, service):
    """A clamd that hangs holds up files, but no request; what it was scanning when it dies has not passed."""
    clamd.start()
    clamd.hang()
    documents = [service.upload(b"harmless %d\n" % number) for number in range(6)] + [service.upload(BAD)]
    began = time.monotonic()
    for _ in range(20):
        assert service.data("GET", "/api/documents")["total"] == 7
    assert time.monotonic() - began < 2, "requests do not wait for the scanner"
    service.data("DELETE", f"/api/documents/{documents[0]}")
    time.sleep(6)
    assert {service.state(document) for document in documents[1:]} == {"quarantined"}
    held(service, documents[1], b"harmless 1\n")
    clamd.go_on()
    for number, document in enumerate(documents[1:6], 1):
        served(service, document, b"harmless %d\n" % number)
    assert service.ask("GET", f"/api/documents/{documents[0]}")[0] == 404
    condemned(service, documents[6], BAD)
    clamd.hang()
    content = b"scanned when clamd dies\n"
    document = service.upload(content)
    time.sleep(0.5)
    clamd.kill()
    time.sleep(1)
    assert service.state(document) == "quarantined"
    held(service, document, content)
    clamd.start()
    served(service, document, content)


def refused(clamd, service):
    """A file over clamd's own limit, which clamd refuses to look at, does not pass, and holds up no other."""
    clamd.start()
    content = b"a,b\n" * 1_000_000
    large = service.upload(content, kind="stats_sheet", name="a.csv")
    served(service, service.upload(b"harmless\n"), b"harmless\n")
    until(lambda: "the scanner refused the file" in service.text(), "clamd refuses nothing")
    assert service.state(large) == "quarantined"
    held(service, large, content)


def control(clamd, service):
    """Without a scanner the same file is served: only the scanner keeps it back."""
    served(service, service.upload(BAD), BAD)


CASES = [passes, infected, wire, away, hangs, refused, control]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--only", default="", help="cases whose name or sentence has this text")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.__name__ or options.only in case.__doc__]
    failures = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="compass-scanner-") as scratch:
            folder, began = Path(scratch), time.monotonic()
            clamd = Clamd(folder)
            service = Service(options.programs.resolve(), folder, None if case is control else clamd.socket)
            try:
                service.start()
                case(clamd, service)
                outcome = "passed"
            except Exception:
                traceback.print_exc()
                print(service.text()[-4000:], clamd.text()[-2000:], sep="\n", file=sys.stderr)
                outcome, failures = "FAILED", failures + 1
            finally:
                service.stop()
                clamd.kill()
            print(f"{outcome}  {time.monotonic() - began:5.1f} s  {case.__doc__}", flush=True)
    print(f"{len(cases) - failures} of {len(cases)} cases passed")
    sys.exit(1 if failures or not cases else 0)


main()
