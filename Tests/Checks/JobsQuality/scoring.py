"""Holds profiles against what the résumés say."""

import collections
import re
import unicodedata


def folded(text):
    """Without case, accents and signs; words with single spaces between them."""
    text = unicodedata.normalize("NFD", (text or "").lower().replace("ß", "ss").replace("ł", "l").replace("ø", "o"))
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Mn")
    return " ".join(re.findall(r"[\w+#]+", text))


def digits(text):
    return re.sub(r"\D", "", text or "")


def date(found, true):
    """Whether a date is right, to the month where the truth has one."""
    if true is None:
        return found is None
    return (found or "")[:len(true)] == true


def same_work(found, true):
    return (folded(found.get("position")) == folded(true["position"]) and folded(found.get("name")) == folded(true["name"])
            and date(found.get("startDate"), true["startDate"]) and date(found.get("endDate"), true.get("endDate")))


def degree(entry):
    words = f'{entry.get("studyType") or ""} {entry.get("area") or ""}'
    return [word for word in folded(words.replace(".", "")).split() if word not in ("in", "of", "degree")]


def same_school(found, true):
    return (folded(found.get("institution")) == folded(true["institution"]) and degree(found) == degree(true)
            and (found.get("endDate") or "")[:4] == true.get("endDate", "")[:4])


class Tally:
    """Right, found and true values of each kind."""

    def __init__(self):
        self.right, self.found, self.true = collections.Counter(), collections.Counter(), collections.Counter()

    def add(self, kind, right, found, true):
        self.right[kind] += right
        self.found[kind] += found
        self.true[kind] += true

    def f1(self, kind):
        both = self.found[kind] + self.true[kind]
        return 2 * self.right[kind] / both if both else 0.0


def matched(found, true, same):
    """How many of the found are among the true, each counted once."""
    left, right = list(true), 0
    for entry in found:
        hit = next((other for other in left if same(entry, other)), None)
        if hit is not None:
            left.remove(hit)
            right += 1
    return right


def score(profile, truth, tally, report):
    """Adds a profile to a tally; reports what is wrong by a function of a text."""
    basics, true = profile["basics"], truth["basics"]
    for kind, same in (("name", folded), ("email", str.lower), ("phone", digits)):
        value = basics.get(kind)
        right = value is not None and same(value) == same(true[kind])
        tally.add(kind, right, value is not None, 1)
        if not right:
            report(f"{kind}: {value!r}, not {true[kind]!r}")
    for kind, same in (("work", same_work), ("education", same_school)):
        right = matched(profile[kind], truth[kind], same)
        tally.add(kind, right, len(profile[kind]), len(truth[kind]))
        if right < max(len(profile[kind]), len(truth[kind])):
            for entry in profile[kind]:
                if not any(same(entry, other) for other in truth[kind]):
                    report(f"{kind} found:   " + str({k: v for k, v in entry.items() if k not in ("highlights", "location")}))
            for entry in truth[kind]:
                if not any(same(other, entry) for other in profile[kind]):
                    report(f"{kind} missing: {entry}")
    found, wanted = {folded(s["name"]) for s in profile["skills"]}, {folded(s) for s in truth["skills"]}
    tally.add("skills", len(found & wanted), len(found), len(wanted))
    if found != wanted:
        report(f"skills: too many {sorted(found - wanted)}, missing {sorted(wanted - found)}")
