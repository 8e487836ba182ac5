#!/usr/bin/env python3
"""Asks a PostgreSQL random questions, and writes down what it answers.

    postgresql_cases.py OUTPUT [--count 600] [--seed 1]

It starts a server of its own in a temporary folder (Debian's `postgresql`), fills tables like those of the app's wire,
and makes random queries. Each query is built twice from one description: as the query string that a client of PostgREST
sends, and as SQL, without anything of the code under test. OUTPUT gets rows, queries and answers; the tests of
SupabaseWire hold their statements against it, on SQLite and on PostgreSQL.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import quote

NOBODY = "postgres"
WORDS = ["Video", "résumé", "stats", "Fall 2025", "NCAA", "it's", 'say "hi"', "a,b", "(x)", "100%", "under_score",
         "back\\slash", "Ünïcode", "tennis 🎾", "", "Zebra", "alpha", "Über", "q.r", "in {brace}"]
BAD = {"uuid": ["x", "0000", ""], "integer": ["1.5", "abc", "", "99999999999"], "boolean": ["maybe", ""],
       "timestamptz": ["yesterday-ish", "2025-13-01", ""], "text[]": ["a", "{a", "{a}}", "{,}"], "text": []}
TYPES = {"id": "uuid", "user_id": "uuid", "type": "text", "title": "text", "description": "text", "version": "integer",
         "school_id": "uuid", "is_current": "boolean", "shared_with_schools": "text[]", "created_at": "timestamptz"}
COMPARISONS = {"eq": "=", "gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}
PATTERNS = ["%", "a%", "%e%", "_lpha", "%\\%%", "%\\_%", "*a*", "Z*a", "%%", "", "r_sum_", "É%", "%É%", "*i*d*o*"]


def uuid(number):
    return "00000000-0000-4000-8000-%012x" % number


class Cases:
    def __init__(self, seed):
        self.random = random.Random(seed)
        chance = self.random
        self.schools = [[uuid(100 + i), uuid(1), name, "2025-01-0%dT00:00:00+00:00" % (i + 1)]
                        for i, name in enumerate(["Ohio State", "état", "UCLA", "Academy", "zoo"])]
        self.documents = []
        for number in range(60):
            shared = chance.choice([[], [], ["a"], ["a", "b c"], ["b c", 'd"e'], ["", "a"], ["NULL"]])
            moment = "2025-%02d-%02dT%02d:00:00%s+00:00" % (
                chance.randint(1, 12), chance.randint(1, 28), chance.randint(0, 23),
                chance.choice(["", ".5", ".123456", ".12"]))
            self.documents.append([
                uuid(1000 + number), uuid(chance.randint(1, 3)), chance.choice(["resume", "transcript", "highlight_video"]),
                chance.choice(WORDS) + chance.choice(["", " ", " 2", "e"]), chance.choice([None, *WORDS]),
                chance.choice([1, 1, 2, 3, 17, -4]), chance.choice([None, uuid(100), uuid(101), uuid(102), uuid(103)]),
                chance.choice([True, False]), shared, moment])
        self.shares = []
        for number in range(40):
            self.shares.append([uuid(5000 + number), uuid(1000 + chance.randrange(60)), uuid(100 + chance.randrange(5)),
                                chance.choice(["view", "edit"])])

    # Literals.

    def literal(self, column):
        """A value as text: one of the column's own, another one, or one that is not of the type."""
        chance = self.random
        kind = TYPES[column]
        if BAD[kind] and chance.random() < 0.015:
            return chance.choice(BAD[kind])
        index = list(TYPES).index(column)
        if kind == "text[]":
            return self.array([chance.choice(["a", "b c", 'd"e', "x", "", "null", "NULL", None])
                               for _ in range(chance.randint(0, 3))])
        if chance.random() < 0.7:
            value = chance.choice(self.documents)[index]
            if value is not None:
                return str(value).lower() if kind == "boolean" else str(value)
        return {"uuid": lambda: uuid(chance.randint(0, 2000)), "text": lambda: chance.choice(WORDS + ["resume", "null"]),
                "integer": lambda: str(chance.randint(-5, 20)), "boolean": lambda: chance.choice(["t", "FALSE", "yes", "0"]),
                "timestamptz": lambda: chance.choice(["2025-06-01", "2025-06-01T12:00:00Z", "2025-06-01 12:00:00+02",
                                                      "infinity", "2025-06-01T12:00:00.5-05:30"])}[kind]()

    def array(self, elements):
        def one(element):
            if element is None:
                return "NULL"
            return '"' + element.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return "{" + ",".join(one(element) for element in elements) + "}"

    # Filters: the text behind the column's name, and SQL.

    def filter(self, in_group):
        chance = self.random
        column = chance.choice(list(TYPES) + ["title", "description", "title"])
        kind = TYPES[column]
        negated = chance.random() < 0.2
        choices = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "is"]
        if kind == "text":
            choices += ["like", "ilike", "like", "ilike"]
        if kind == "text[]":
            choices = ["cs", "cd", "ov"]
        if chance.random() < 0.03:
            choices = ["like", "cs"]
        name = chance.choice(choices)
        sql = None
        if name in ("eq", "gt", "gte", "lt", "lte"):
            value = self.literal(column)
            text, sql = name + "." + self.value(value, in_group), "%s %s %s" % (column, COMPARISONS[name], self.sql(value))
        elif name == "neq":
            value = self.literal(column)
            text, sql = "neq." + self.value(value, in_group), "%s <> %s" % (column, self.sql(value))
        elif name == "in":
            values = [self.literal(column) for _ in range(chance.randint(0, 3))]
            text = "in.(" + ",".join('"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values) + ")"
            sql = "%s = ANY(%s)" % (column, self.sql(self.array(values if values else [])))
            if values == [""]:
                sql = "%s = ANY('{}')" % column
        elif name == "is":
            word = chance.choice(["null", "not_null", "true", "false", "unknown"] if kind == "boolean" or chance.random() < 0.1
                                 else ["null", "not_null"])
            text, sql = "is." + word, "%s IS %s" % (column, {"not_null": "NOT NULL"}.get(word, word.upper()))
        elif name in ("like", "ilike"):
            pattern = chance.choice(PATTERNS)
            text = name + "." + self.value(pattern, in_group)
            sql = "%s %s %s" % (column, name.upper(), self.sql(pattern.replace("*", "%")))
        else:
            value = self.literal(column)
            text = name + "." + self.value(value, in_group)
            sql = "%s %s %s" % (column, {"cs": "@>", "cd": "<@", "ov": "&&"}[name], self.sql(value))
        if negated:
            text, sql = "not." + text, "NOT (%s)" % sql
        return column, text, "(%s)" % sql

    def value(self, value, in_group):
        if not in_group:
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def sql(self, value):
        return "'" + value.replace("'", "''") + "'"

    def group(self, depth):
        chance = self.random
        parts = []
        for _ in range(chance.randint(1, 3)):
            if depth > 0 and chance.random() < 0.3:
                name, text, sql = self.group(depth - 1)
                parts.append((name + text, sql))
            else:
                column, text, sql = self.filter(True)
                parts.append((column + "." + text, sql))
        name = chance.choice(["and", "or"])
        text = "(" + ",".join(part for part, _ in parts) + ")"
        sql = "(" + (" %s " % name.upper()).join(part for _, part in parts) + ")"
        if chance.random() < 0.2:
            return "not." + name, text, "(NOT %s)" % sql
        return name, text, sql

    # Queries.

    def query(self):
        chance = self.random
        parameters, conditions = [], []
        for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
            if chance.random() < 0.35:
                name, text, sql = self.group(2)
            else:
                name, text, sql = self.filter(False)
            parameters.append((name, text))
            conditions.append(sql)
        terms, order = [], []
        for column in chance.sample([name for name, kind in TYPES.items() if kind != "text[]"], chance.randint(0, 2)):
            direction, nulls = chance.choice(["", "asc", "desc"]), chance.choice(["", "nullsfirst", "nullslast"])
            terms.append(".".join(word for word in [column, direction, nulls] if word))
            order.append(" ".join(["d." + column, direction.upper(), {"": "", "nullsfirst": "NULLS FIRST",
                                                               "nullslast": "NULLS LAST"}[nulls]]))
        parameters.append(("order", ",".join(terms + ["id"])))
        tail = " ORDER BY " + ", ".join(order + ["d.id"])
        select, columns = self.selection()
        if select is not None:
            parameters.append(("select", select))
            limit = chance.randint(0, 3)
            parameters.append(("limit", str(limit)))
            tail += " LIMIT %d" % limit
        elif chance.random() < 0.2:
            limit, offset = chance.randint(1, 20), chance.randint(0, 10)
            parameters += [("limit", str(limit)), ("offset", str(offset))]
            tail += " LIMIT %d OFFSET %d" % (limit, offset)
        where = " WHERE " + " AND ".join(conditions) if conditions else ""
        chance.shuffle(parameters)
        text = "&".join(quote(name) + "=" + quote(value) for name, value in parameters)
        return text, "SELECT %s FROM documents d%s%s" % (columns, where, tail)

    def selection(self):
        chance = self.random
        if chance.random() < 0.6:
            return None, "d.id"
        items, columns = [], []
        for column in chance.sample(list(TYPES), chance.randint(1, 4)):
            alias = chance.choice(["", "", "x_" + column])
            cast = chance.choice([""] * 8 + ["text", "text", "bool", "int"])
            if chance.random() < 0.02:
                cast = chance.choice(["nope", "uuid", "int"])
            if TYPES[column] == "text" and cast in ("bool", "int"):
                # A server may cast rows that the limit cuts off, and fail.
                cast = ""
            items.append((alias + ":" if alias else "") + column + ("::" + cast if cast else ""))
            columns.append("CAST(d.%s AS %s) AS \"%s\"" % (column, cast, alias or column) if cast
                           else 'd.%s AS "%s"' % (column, alias or column))
        extra = chance.choice(["", "", "school", "shares", "both"])
        if extra in ("school", "both"):
            items.append("schools(id,name)")
            columns.append("(SELECT row_to_json(s) FROM (SELECT id, name FROM schools WHERE id = d.school_id) s) AS schools")
        if extra in ("shares", "both"):
            items.append("shares:document_shares(permission,schools(name))")
            columns.append(
                "(SELECT coalesce(json_agg(s), '[]') FROM (SELECT permission, (SELECT row_to_json(n) FROM (SELECT name FROM "
                "schools WHERE id = m.school_id) n) AS schools FROM document_shares m WHERE m.document_id = d.id ORDER BY "
                "m.id) s) AS shares")
        return ",".join(items), ", ".join(columns)


class Server:
    """A PostgreSQL of our own, reached over a socket in its folder."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="postgresql-")
        if os.geteuid() == 0:
            shutil.chown(self.folder, NOBODY)
        self.run("initdb", "-D", self.folder + "/data", "-E", "UTF8", "--locale", "C.UTF-8", "-A", "trust")
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "-o",
                 "-k %s -c listen_addresses='' -c fsync=off -c timezone=UTC" % self.folder, "start")

    def run(self, program, *arguments):
        command = [shutil.which(program) or "/usr/lib/postgresql/15/bin/" + program, *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def psql(self, text):
        """The lines of a script's output; errors go to it as well."""
        done = subprocess.run(
            ["psql", "-h", self.folder, "-U", NOBODY, "-d", "postgres", "-qAtX", "-v", "VERBOSITY=verbose"], input=text,
            capture_output=True, text=True, check=False)
        return done.stdout, done.stderr

    def stop(self):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


SCHEMA = """
CREATE TABLE schools (id uuid, user_id uuid, name text, created_at timestamptz);
CREATE TABLE documents (id uuid, user_id uuid, type text, title text, description text, version integer, school_id uuid,
    is_current boolean, shared_with_schools text[], created_at timestamptz);
CREATE TABLE document_shares (id uuid, document_id uuid, school_id uuid, permission text);
"""


def fill(server, cases):
    script = SCHEMA
    for table, rows in (("schools", cases.schools), ("documents", cases.documents), ("document_shares", cases.shares)):
        for row in rows:
            values = []
            for value in row:
                if value is None:
                    values.append("NULL")
                elif isinstance(value, list):
                    values.append(cases.sql(cases.array(value)))
                else:
                    values.append(cases.sql(str(value)))
            script += "INSERT INTO %s VALUES (%s);\n" % (table, ", ".join(values))
    output, errors = server.psql(script)
    if errors:
        sys.exit(errors)


def ask(server, sql):
    """The rows as JSON, or the code of an error."""
    script = "SELECT coalesce(json_agg(t), '[]') FROM (%s) t;\n" % sql
    output, errors = server.psql(script)
    if errors:
        return {"code": errors.split("ERROR:")[1].split(":")[0].strip()}
    return {"rows": json.loads(output)}


def csv(server, sql, names):
    """The rows as PostgREST's CSV."""
    output, errors = server.psql("SELECT string_agg(substring(t::text, 2, length(t::text) - 2), E'\\n') FROM (%s) t;\n" % sql)
    if errors:
        sys.exit(errors)
    return ",".join(names) + "\n" + output.removesuffix("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cases = Cases(options.seed)
    server = Server()
    try:
        fill(server, cases)
        queries = []
        for _ in range(options.count):
            text, sql = cases.query()
            answer = ask(server, sql)
            if "rows" in answer and answer["rows"] and list(answer["rows"][0]) == ["id"]:
                answer = {"ids": [int(row["id"][-12:], 16) - 1000 for row in answer["rows"]]}
            elif answer.get("rows") and "row_to_json" not in sql:
                answer["csv"] = csv(server, sql, answer["rows"][0])
            queries.append({"query": text, **answer})
    finally:
        server.stop()
    with open(options.output, "w", encoding="utf-8") as file:
        file.write('{"documents": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in cases.documents))
        file.write('\n], "schools": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in cases.schools))
        file.write('\n], "shares": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in cases.shares))
        file.write('\n], "queries": [\n' + ",\n".join(json.dumps(query, ensure_ascii=False) for query in queries) + "\n]}\n")
    codes = [query.get("code") for query in queries if "code" in query]
    print(len(queries), "queries,", len(codes), "errors:", {code: codes.count(code) for code in sorted(set(codes))})


main()
