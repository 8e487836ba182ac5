#!/usr/bin/env python3
"""Prints the test targets of the changed files whose names it reads, one a line.

They are those of the modules that the files belong to, by `swift package describe`: MODULETests and the tests of its parts, or if there are
none, those of the modules that depend on it. Ends with 1 if a file of `Sources` or of a test target belongs to no target.

usage: changed_tests.py < NAMES"""

import json
import subprocess
import sys

# Runs as a whole with `make test`.
WHOLE = "IntegrationTests"


def own(module, targets, tests):
    """MODULETests, and the tests beside it that use the module and are no other module's."""
    names = {target["name"] for target in targets if target["type"] != "test"}
    wing = module["path"].split("/")[1]
    return {name for name, test in tests.items()
            if name == module["name"] + "Tests" or test["path"].split("/")[1] == wing
            and name.removesuffix("Tests") not in names and module["name"] in test.get("target_dependencies", [])}


def main():
    package = json.loads(subprocess.run(["swift", "package", "describe", "--type", "json"], stdout=subprocess.PIPE, check=True).stdout)
    targets = package["targets"]
    tests = {target["name"]: target for target in targets if target["type"] == "test"}
    folders = sorted(((target["path"].rstrip("/") + "/", target) for target in targets), key=lambda pair: -len(pair[0]))
    wanted = set()
    for name in sys.stdin.read().splitlines():
        if name.startswith("Tests/Checks/Fuzz/") or name == "docs/fuzzing.md":
            wanted.add("FuzzTests")
        target = next((target for folder, target in folders if name.startswith(folder)), None)
        if target is None:
            if name.startswith("Sources/") or name.split("/")[2:3] and name.split("/")[2].endswith("Tests") and name.startswith("Tests/"):
                sys.exit("%s belongs to no target of Package.swift" % name)
            continue
        module = target["name"]
        if module in tests:
            wanted.add(module)
        elif own(target, targets, tests):
            wanted |= own(target, targets, tests)
        elif target["type"] != "executable":
            users = {user["name"] for user in targets if module in user.get("target_dependencies", [])}
            users = {test for name in users for test in (name, name + "Tests") if test in tests} - {WHOLE}
            if not users:
                print("## %s has no unit tests: make test runs it." % module, file=sys.stderr)
            # What all tests use is tested by all of them.
            wanted |= users if len(users) < 12 else set()
    print("\n".join(sorted(wanted - {WHOLE})))


if __name__ == "__main__":
    main()
