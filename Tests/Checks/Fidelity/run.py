#!/usr/bin/python3
"""Compares compass's renditions, and those of other tools, with independent references; see docs/fidelity.md.

Writes build/fidelity/index.html and sheet.png; with every case run, also the tables of docs/fidelity.md. Ends with 1 where
a case without a stated reason is not green.
"""

import argparse
import pathlib
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
import images  # noqa: E402
import pages  # noqa: E402
import videos  # noqa: E402
from chart import ROOT  # noqa: E402
from outcome import Outcome, judged, refused  # noqa: E402
from reference import fitted  # noqa: E402
from report import write_page, write_sheet, write_summary  # noqa: E402
from tools import Compass, peer_rendition, peers  # noqa: E402

DOMAINS = {"images": images.CASES, "videos": videos.CASES, "pages": pages.CASES}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compass", required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/fidelity")
    parser.add_argument("--only", default="", help="run the cases whose domain or name holds this text")
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fidelity-") as scratch:
        outcomes, left_out = run_all(arguments, pathlib.Path(scratch))
    write_page(outcomes, arguments.output)
    write_sheet(outcomes, arguments.output)
    if not (arguments.only or arguments.no_peers or left_out):
        write_summary(outcomes, ROOT / "docs/fidelity.md")
    report(outcomes, left_out)
    sys.exit(0 if outcomes and means_hold(outcomes) and not any(outcome.is_failure for outcome in outcomes) else 1)


def run_all(arguments, scratch):
    """The outcomes, and how many cases were left out because there is no corpus."""
    outcomes, left_out = [], 0
    for domain, cases in DOMAINS.items():
        for index, case in enumerate(cases):
            if arguments.only.lower() not in f"{domain} {case.name}".lower():
                continue
            if isinstance(case.source, str) and case.source.startswith("corpus/") and not arguments.corpus.is_dir():
                left_out += 1
                continue
            folder = scratch / f"{domain}-{index}"
            folder.mkdir()
            outcomes.append(run_case(domain, case, folder, arguments))
            print(outcomes[-1].line, flush=True)
    return outcomes, left_out


def run_case(domain, case, folder, arguments):
    try:
        source = located(case.source, folder, arguments.corpus)
        reference = fitted(case.shows(source), case)
    except Exception as error:  # A case that cannot be judged is a failure of the case, shown as such.
        traceback.print_exc()
        return Outcome(domain, case, str(case.source), None, f"no reference: {error}")
    suffix = {"jpeg": "jpg"}.get(case.format, case.format)
    compass = Compass(arguments.compass, folder)
    ours = compass.rendition(source, case, folder / f"ours.{suffix}")
    if case.failure:
        return refused(domain, case, source.name, ours)
    outcome = judged(domain, case, source.name, ours, reference)
    if case.facts and outcome.ours is not None:
        outcome.add_differences(compass.facts(source, case), case.facts(source) if callable(case.facts) else case.facts)
    if case.peers and not arguments.no_peers:
        for name in peers(domain):
            theirs = peer_rendition(name, source, case, folder / f"{name}.png")
            outcome.peers[name] = judged(domain, case, source.name, theirs, reference, exact=False)
    return outcome


def located(source, folder, corpus):
    if callable(source):
        return source(folder)
    place = corpus / source[len("corpus/"):] if source.startswith("corpus/") else ROOT / source
    if not place.exists():
        raise FileNotFoundError(place)
    return place


def means_hold(outcomes):
    """Whether the average figures of groups of cases are good enough; prints them."""
    holds = True
    for name, bound in images.MEANS:
        figures = [outcome.figure for outcome in outcomes if outcome.case.name.startswith(name) and outcome.ours is not None]
        if figures:
            mean = sum(figures) / len(figures)
            print(f"{name}s: {len(figures)} figures, mean {mean:.4f} (at least {bound}), least {min(figures):.4f}")
            holds = holds and mean >= bound
    return holds


def report(outcomes, left_out):
    green = sum(outcome.is_green for outcome in outcomes)
    explained = sum(not outcome.is_green and not outcome.is_failure for outcome in outcomes)
    print(f"{green} of {len(outcomes)} cases green, {explained} explained, {len(outcomes) - green - explained} red")
    if left_out:
        print(f"{left_out} cases left out: their files are in a corpus that is not there")


main()
