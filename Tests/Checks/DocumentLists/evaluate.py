#!/usr/bin/env python3
"""Compares the lists of the document store with an evaluator of its own.

Usage: evaluate.py PROGRAM DATABASE [SEED [QUERIES [DOCUMENTS]]]

PROGRAM is the built document-lists. 100 people get 10,000 documents, with versions, schools, shares, changes and removals; 500 random
combinations of filter, search, order and page size are walked page by page, the second half after a restart. Then pages are
walked while documents come and go. Prints a line of counts, or the first difference, and fails then.
"""

import json
import random
import subprocess
import sys
import unicodedata

TYPES = ["highlight_video", "transcript", "resume", "rec_letter", "questionnaire", "stats_sheet"]
SORTS = ["newest", "oldest", "name", "type", "most_shared"]
WORDS = """Résumé Transcript Übung straße STRASSE Ørsted œuvre Łódź naïve Ελλάδα ΣΊΣΥΦΟΣ Москва Ёлка 東京 大会 video Video
coach season 2026 10%_off a_b "quoted" it's O’Brien ﬁnal İstanbul I ı Señor football 🏈 letter an x""".split()
PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n", "þ": "th",
         "ς": "σ", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "’": "'"}


def fold(text):
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(PLAIN.get(c, c) for c in letters if unicodedata.category(c) != "Mn")


class Store:
    """The program, one operation at a time."""

    def __init__(self, program, database):
        self.command = [program, database]
        self.moment = 1_800_000_000_000_000
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def restart(self):
        self.process.stdin.close()
        assert self.process.wait() == 0
        self.start()

    def __call__(self, op, **members):
        members.update(op=op, at=self.moment)
        self.process.stdin.write(json.dumps(members) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer or "unreadable" in answer:
            raise AssertionError(f"{members}: {answer}")
        return answer


class Line:
    def __init__(self, kind, title):
        self.type, self.title = kind, title
        self.versions, self.shares = [], set()

    @property
    def shown(self):
        return next((v for v in self.versions if v["current"]), self.versions[-1])


class Person:
    """What one person has, as plain values."""

    def __init__(self, store, chance, identity):
        self.store, self.chance, self.id = store, chance, identity
        self.schools, self.lines, self.bytes = [], [], 0

    def text(self, least, most):
        return " ".join(self.chance.choice(WORDS) for _ in range(self.chance.randint(least, most)))

    def add_school(self):
        name = f"School {len(self.schools)} {self.chance.random()}"
        self.schools.append(self.store("school", owner=self.id, name=name)["id"])

    def some_school(self):
        return self.chance.choice(self.schools) if self.schools and self.chance.random() < 0.7 else None

    def add(self):
        # Several documents share a moment.
        self.store.moment += self.chance.choice([0, 0, 1, 1000])
        line, after = None, None
        if self.lines and self.chance.random() < 0.15:
            line = self.chance.choice(self.lines)
            after = self.chance.choice(line.versions)["id"]
        else:
            line = Line(self.chance.choice(TYPES), self.text(1, 3))
        description = self.text(1, 6) if self.chance.random() < 0.5 else None
        school, size = self.some_school(), self.chance.randint(0, 10**9)
        answer = self.store("add", owner=self.id, type=line.type, title=self.text(1, 2) if after else line.title,
                            description=description, school=school, bytes=size, **({"after": after} if after else {}))
        if after:
            description, school = description or line.shown["description"], school or line.shown["school"]
        number = line.versions[-1]["version"] + 1 if after else 1
        assert answer["version"] == number, answer
        for version in line.versions:
            version["current"] = False
        line.versions.append({"id": answer["id"], "version": number, "created": self.store.moment, "current": True,
                              "description": description, "school": school, "bytes": size})
        self.bytes += size
        if not after:
            self.lines.append(line)

    def alter(self):
        """One random change of what is there."""
        if not self.lines:
            return self.add()
        line = self.chance.choice(self.lines)
        version = self.chance.choice(line.versions)
        kind = self.chance.randrange(10)
        if kind < 4 and self.schools:
            school = self.chance.choice(self.schools)
            self.store("share", owner=self.id, id=version["id"], school=school)
            line.shares.add(school)
        elif kind == 4 and line.shares:
            school = self.chance.choice(sorted(line.shares))
            self.store("unshare", owner=self.id, id=version["id"], school=school)
            line.shares.remove(school)
        elif kind == 5:
            line.title = self.text(1, 3)
            version["description"] = self.text(1, 4) if self.chance.random() < 0.5 else None
            version["school"] = self.some_school()
            self.store("change", owner=self.id, id=version["id"], title=line.title,
                       description=version["description"], school=version["school"])
        elif kind == 6:
            self.store("restore", owner=self.id, id=version["id"])
            for other in line.versions:
                other["current"] = other is version
        elif kind == 7:
            self.store("clearCurrent", owner=self.id, id=version["id"])
            version["current"] = False
        elif kind == 8:
            self.remove_line(line)
        elif kind == 9:
            self.store("removeVersion", owner=self.id, id=version["id"])
            self.bytes -= version["bytes"]
            line.versions.remove(version)
            if not line.versions:
                self.lines.remove(line)

    def remove_line(self, line):
        self.store("removeLine", owner=self.id, id=self.chance.choice(line.versions)["id"])
        self.bytes -= sum(version["bytes"] for version in line.versions)
        self.lines.remove(line)

    def remove_school(self):
        school = self.schools.pop(self.chance.randrange(len(self.schools)))
        self.store("removeSchool", owner=self.id, school=school)
        for line in self.lines:
            line.shares.discard(school)
            for version in line.versions:
                if version["school"] == school:
                    version["school"] = None

    def query(self):
        chance = self.chance
        query = {"sort": chance.choice(SORTS), "limit": chance.choice([1, 7, 50, 50, 50, 200])}
        if chance.random() < 0.5:
            query["types"] = chance.sample(TYPES, chance.randint(1, 3))
        if chance.random() < 0.3:
            query["general"] = True
        elif self.schools and chance.random() < 0.4:
            query["school"] = chance.choice(self.schools)
        if chance.random() < 0.4:
            query["shared"] = chance.random() < 0.5
        if chance.random() < 0.5:
            text = self.text(1, 1) if chance.random() < 0.6 else self.text(2, 3)
            start = chance.randrange(len(text))
            text = text[start:start + chance.choice([1, 2, 3, 5, 30])]
            query["search"] = chance.choice([text, text.upper(), text.lower()])
        return query

    def passes(self, line, query):
        shown = line.shown
        if query.get("types") and line.type not in query["types"]:
            return False
        if query.get("general") and shown["school"] is not None:
            return False
        if "school" in query and shown["school"] != query["school"]:
            return False
        if "shared" in query and bool(line.shares) != query["shared"]:
            return False
        text = fold(query.get("search", ""))
        return text in fold(line.title) or text in fold(shown["description"] or "")

    def expected(self, query):
        lines = [line for line in self.lines if self.passes(line, query)]
        lines.sort(key=lambda line: (line.shown["created"], line.shown["id"]), reverse=query["sort"] != "oldest")
        if query["sort"] == "name":
            lines.sort(key=lambda line: (fold(line.title), line.shown["id"]))
        elif query["sort"] == "type":
            lines.sort(key=lambda line: line.type)
        elif query["sort"] == "most_shared":
            lines.sort(key=lambda line: -len(line.shares))
        return [line.shown["id"] for line in lines]

    def check(self, query, most_pages=40):
        expected = self.expected(query)
        found, cursor = [], None
        for _ in range(most_pages):
            page = self.store("list", owner=self.id, **query, **({"cursor": cursor} if cursor else {}))
            counts = (page["filtered"], page["total"])
            assert counts == (len(expected), len(self.lines)), f"{query}: {counts}, not {len(expected)} of {len(self.lines)}"
            found += page["ids"]
            cursor = page.get("next")
            assert (cursor is None) == (len(found) == len(expected)), f"{query}: a page too many or too few"
            assert found == expected[:len(found)], f"{query}: found {found[-60:]}, not {expected[:len(found)][-60:]}"
            if cursor is None:
                return
            assert len(page["ids"]) == query["limit"], f"{query}: a short page"

    def check_statistics(self):
        types = {kind: sum(line.type == kind for line in self.lines) for kind in TYPES}
        expected = {"total": len(self.lines), "shared": sum(bool(line.shares) for line in self.lines),
                    "bytes": self.bytes, "types": {kind: count for kind, count in types.items() if count}}
        found = self.store("statistics", owner=self.id)
        assert found == expected, f"{found}, not {expected}"

    def check_while_changing(self, query):
        """Documents that stay are on one page each, whatever comes and goes between two pages."""
        staying = set(self.expected(query))
        found, cursor = [], None
        while True:
            page = self.store("list", owner=self.id, **query, **({"cursor": cursor} if cursor else {}))
            found += page["ids"]
            cursor = page.get("next")
            if cursor is None:
                break
            for _ in range(3):
                if self.chance.random() < 0.5 and self.lines:
                    line = self.chance.choice(self.lines)
                    staying.discard(line.shown["id"])
                    self.remove_line(line)
                else:
                    line = Line(self.chance.choice(TYPES), self.text(1, 3))
                    self.store.moment += self.chance.choice([-5000, 0, 1])
                    answer = self.store("add", owner=self.id, type=line.type, title=line.title, bytes=1)
                    line.versions.append({"id": answer["id"], "version": 1, "created": self.store.moment,
                                          "current": True, "description": None, "school": None, "bytes": 1})
                    self.bytes += 1
                    self.lines.append(line)
        assert len(found) == len(set(found)), f"{query}: a document is on two pages"
        missing = staying - set(found)
        assert not missing, f"{query}: {len(missing)} documents were skipped"


def main(program, database, seed=1, queries=500, documents=10_000):
    chance = random.Random(int(seed))
    store = Store(program, database)
    people = [Person(store, chance, f"00000000-0000-7000-8000-{number:012x}") for number in range(100)]
    # Half of the documents are one person's: a long list is read in other ways than a short one.
    weights = [99] + [1] * 99
    for person in people:
        for _ in range(chance.choice([0, 1, 5])):
            person.add_school()
    while len(people[0].schools) < 8:
        people[0].add_school()
    for person in chance.choices(people, weights, k=int(documents)):
        person.add()
        if chance.random() < 0.3:
            person.alter()
    people[0].remove_school()
    queries = int(queries)
    for number in range(queries):
        if number == queries // 2:
            store.restart()
        person = people[0] if number % 2 else chance.choice(people)
        person.check(person.query())
        if number % 10 == 0:
            person.alter()
    for person in people:
        person.check_statistics()
    for number in range(20):
        query = people[0].query()
        query["limit"] = max(20, query["limit"])
        people[0].check_while_changing(query)
        people[0].check(people[0].query())
    people[0].check_statistics()
    count = sum(len(person.lines) for person in people)
    print(f"{queries} combinations over {count} documents of {len(people)} people, {len(people[0].lines)} of one: all alike")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"differs: {error}")
