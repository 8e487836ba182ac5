#!/usr/bin/env python3
"""Signs people up, in and out by the official client, and looks for each other's documents.

    accounts.py ADDRESS KEY SAMPLES

ADDRESS is that of a `documentd --auth local`, KEY what `documentd keys --anonymous` prints, SAMPLES the checkout's `samples/`. Needs supabase from PyPI.
Prints a line for each failed check, and ends with 1 if there is one.
"""
import concurrent.futures
import json
import sys
import time

import httpx
import supabase
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

ADDRESS, KEY, SAMPLES = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3].rstrip("/")
run = str(int(time.time() * 1000))
failures, count = [], 0


def check(what, condition, shown=""):
    global count
    count += 1
    if not condition:
        failures.append(what)
        print("FAILED", what, shown)


def refused(what, code, call, kind=AuthApiError):
    try:
        check(what, False, "no error but %s" % str(call())[:200])
    except kind as fault:
        check(what, fault.code == code, "%s %s" % (fault.code, fault))


def person(name):
    client = supabase.create_client(ADDRESS, KEY)
    answer = client.auth.sign_up({"email": f"{name}{run}@example.org", "password": "correct horse", "options": {"data": {"name": name}}})
    check("sign-up gives a session", answer.session and answer.user.user_metadata == {"name": name}, answer)
    return client, answer


def with_token(method, path, token, **more):
    return httpx.request(method, ADDRESS + path, headers={"apikey": KEY, "Authorization": "Bearer " + token, "X-Supabase-Api-Version": "2024-01-01"}, **more)


def titles(token):
    return [row["title"] for row in with_token("GET", "/api/documents", token).json()["data"]["documents"]]


ada, signed = person("ada")
bob, other = person("bob")
token = signed.session.access_token
refused("taken address", "user_already_exists", lambda: ada.auth.sign_up({"email": f"ADA{run}@example.org", "password": "correct horse"}))
refused("short password", "weak_password", lambda: ada.auth.sign_up({"email": f"c{run}@example.org", "password": "12345"}), AuthWeakPasswordError)
refused("wrong password", "invalid_credentials", lambda: bob.auth.sign_in_with_password({"email": f"ada{run}@example.org", "password": "wrong horse"}))
refused("unknown address", "invalid_credentials", lambda: bob.auth.sign_in_with_password({"email": f"nobody{run}@example.org", "password": "wrong horse"}))
again = ada.auth.sign_in_with_password({"email": f" Ada{run}@Example.org", "password": "correct horse"})
check("sign-in is the same person", again.user.id == signed.user.id)
check("user", ada.auth.get_user().user.id == signed.user.id)

# Uploads and lists, by both faces.
ada.auth.sign_in_with_password({"email": f"ada{run}@example.org", "password": "correct horse"})
session = ada.auth.get_session()
with open(SAMPLES + "/pages-24.pdf", "rb") as file:
    content = file.read()
made = with_token("POST", "/api/documents", session.access_token, files={"file": ("cv.pdf", content, "application/pdf")}, data={"type": "resume", "title": "Ada " + run})
check("upload", made.status_code == 201, made.text[:200])
check("own list", titles(session.access_token) == ["Ada " + run], titles(session.access_token))
check("another's list", titles(other.session.access_token) == [])
rows = ada.table("documents").select("id,title").execute().data
check("own rows", [row["title"] for row in rows] == ["Ada " + run], rows)
check("another's rows", bob.table("documents").select("id").execute().data == [])
for path in ["", "/thumbnail", "/file", "/versions"]:
    if not rows:
        break
    answer = with_token("GET", f"/api/documents/{rows[0]['id']}{path}", other.session.access_token)
    check("another's document" + path, answer.status_code == 404, answer.status_code)
check("nobody's list", httpx.get(ADDRESS + "/api/documents").status_code == 401)
check("the key is no person", with_token("GET", "/api/documents", KEY).status_code == 401)
check("key set", [key["alg"] for key in httpx.get(ADDRESS + "/auth/v1/.well-known/jwks.json").json()["keys"]] == ["ES256"])
check("no private key", "d" not in httpx.get(ADDRESS + "/auth/v1/.well-known/jwks.json").json()["keys"][0])

# Refreshes and sign-out.
before = ada.auth.get_session()
after = ada.auth.refresh_session().session
check("refresh replaces the token", after.refresh_token != before.refresh_token)
check("still signed in", titles(after.access_token) == ["Ada " + run])
refused("foreign refresh token", "refresh_token_not_found", lambda: bob.auth.refresh_session("0" * 112))
bob.auth.sign_in_with_password({"email": f"bob{run}@example.org", "password": "correct horse"})
bob.auth.update_user({"password": "battery staple", "data": {"school": "x"}})
check("metadata merged", bob.auth.get_user().user.user_metadata == {"name": "bob", "school": "x"})
refused("the session before has ended", "refresh_token_not_found", lambda: supabase.create_client(ADDRESS, KEY).auth.refresh_session(other.session.refresh_token))
ada.auth.sign_out()
time.sleep(1.1)
check("signed out", with_token("GET", "/api/documents", after.access_token).status_code == 401)
check("signed out user", with_token("GET", "/auth/v1/user", after.access_token).status_code == 403)

# Wrong requests.
post = lambda path, body, **headers: httpx.post(ADDRESS + path, content=body, headers={"apikey": KEY, **headers}, timeout=60)
for body in [b"", b"[]", b"{", b"null", b'{"email":1,"password":2}', b"\xff"]:
    check("bad body %r" % body[:20], post("/auth/v1/token?grant_type=password", body).status_code == 400)
check("large body", post("/auth/v1/token?grant_type=password", b'{"email":"a@b.cc","password":"' + b"p" * 10**6 + b'"}').status_code == 413)
check("old form of errors", post("/auth/v1/token?grant_type=password", b"{}").json()["error_code"] == "validation_failed")
check("unknown grant", post("/auth/v1/token?grant_type=magic", b"{}").status_code == 400)

# The time of a sign-in, and many at once.
def attempt(name):
    begin = time.monotonic()
    status = post("/auth/v1/token?grant_type=password", json.dumps({"email": name, "password": "wrong horse"})).status_code
    return status, time.monotonic() - begin

people = [f"t{index}x{run}@example.org" for index in range(8)]
for name in people:
    post("/auth/v1/signup", json.dumps({"email": name, "password": "correct horse"}))
# In turn, and the least of each: other work of the machine disturbs both alike.
pairs = [(attempt(name)[1], attempt("n" + name)[1]) for name in people]
known, unknown = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
print("least time of a refused sign-in: known %.1f ms, unknown %.1f ms" % (known * 1e3, unknown * 1e3))
check("known and unknown addresses take the same time", 0.7 < known / unknown < 1.4)
with concurrent.futures.ThreadPoolExecutor(200) as pool:
    sent = [pool.submit(attempt, f"m{index}x{run}@example.org") for index in range(200)]
    slowest = 0
    while not all(item.done() for item in sent):
        begin = time.monotonic()
        httpx.get(ADDRESS + "/healthz", timeout=30)
        slowest = max(slowest, time.monotonic() - begin)
    statuses = [item.result()[0] for item in sent]
print("200 at once:", {status: statuses.count(status) for status in set(statuses)}, "slowest other answer %.0f ms" % (slowest * 1e3))
check("some of 200 are told to wait", set(statuses) <= {400, 429} and 429 in statuses)
print(f"{count - len(failures)} of {count} checks passed")
sys.exit(1 if failures else 0)
