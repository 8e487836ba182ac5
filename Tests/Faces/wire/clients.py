#!/usr/bin/env python3
"""Makes every call of the app's wire by the official clients: rows, files, pictures and resumable uploads.

    clients.py ADDRESS KEY SAMPLES

ADDRESS is that of a `documentd --auth off`, KEY what `documentd keys --anonymous` prints, SAMPLES the checkout's `samples/`. Needs from PyPI: supabase (with storage3 and postgrest), tuspy.
Prints a line for each check, and ends with 1 if one failed.
"""
import io
import sys
import time
import traceback

import httpx
import supabase
from postgrest.exceptions import APIError
from storage3.exceptions import StorageApiError
from tusclient import client as tus

ADDRESS, KEY, SAMPLES = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3].rstrip("/")
OWNER = "00000000-0000-7000-8000-000000000001"
app = supabase.create_client(ADDRESS, KEY)
bucket = app.storage.from_("documents")
run = str(int(time.time() * 1000))
failures = []
count = 0


def check(what, condition, shown=""):
    global count
    count += 1
    if not condition:
        failures.append(what)
        print("FAILED", what, shown)


def part(function):
    """Runs the checks of one part; an exception is a failure of its own."""
    try:
        function()
        print("ran", function.__name__)
    except Exception:
        failures.append(function.__name__)
        traceback.print_exc()


def refused(what, code, call, error=APIError):
    try:
        got = call()
    except error as fault:
        check(what, str(fault.code) == code, fault)
        return fault
    check(what, False, "no error but " + str(got)[:200])


def raw(method, path, body=None, headers=None):
    answer = httpx.request(method, ADDRESS + path, content=body, headers={"apikey": KEY, **(headers or {})})
    return answer


def sample(name):
    with open(SAMPLES + "/" + name, "rb") as file:
        return file.read()


PDF, TEXT = None, b"The transcript.\n"
paths = {}


def path(kind, name):
    return "%s/%s/%s_%s" % (OWNER, kind, run, name)


def keys():
    answer = httpx.get(ADDRESS + "/rest/v1/documents")
    check("no key is 401", answer.status_code == 401 and answer.json()["message"] == "No API key found in request")
    answer = httpx.get(ADDRESS + "/rest/v1/documents", headers={"apikey": "wrong"})
    check("a wrong key is 401", answer.status_code == 401 and answer.json()["message"] == "Invalid API key")
    answer = httpx.options(ADDRESS + "/rest/v1/documents", headers={
        "Origin": "http://127.0.0.1", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "apikey"})
    check("preflight", answer.status_code in (200, 204, 403), answer.status_code)


def buckets():
    one = app.storage.get_bucket("documents")
    check("get_bucket", one.id == "documents" and one.public is False)
    check("list_buckets", [b.id for b in app.storage.list_buckets()] == ["documents"])
    refused("an unknown bucket", "Bucket not found", lambda: app.storage.get_bucket("others"), StorageApiError)


def uploads():
    paths["resume"] = path("resume", "cv.pdf")
    answer = bucket.upload(paths["resume"], PDF, {"content-type": "application/pdf"})
    check("upload", answer.path == paths["resume"] and answer.full_path == "documents/" + paths["resume"], answer)
    refused("a taken path", "Duplicate", lambda: bucket.upload(paths["resume"], PDF), StorageApiError)
    bucket.upload(paths["resume"], PDF, {"upsert": "true", "content-type": "application/pdf"})
    bucket.update(paths["resume"], PDF, {"content-type": "application/pdf", "cache-control": "60", "metadata": {"season": 2026}})
    made = path("transcript", "made.txt")
    bucket.update(made, TEXT)
    check("update makes a missing file", bucket.exists(made))
    bucket.remove([made])
    answer = raw("POST", "/storage/v1/object/documents/" + path("resume", "raw.pdf"), PDF, {"content-type": "application/pdf"})
    check("a raw upload", answer.status_code == 200 and set(answer.json()) == {"Id", "Key"}, answer.text)
    signed = bucket.create_signed_upload_url(path("resume", "signed.pdf"))
    bucket.upload_to_signed_url(signed["path"] if "path" in signed else path("resume", "signed.pdf"), signed["token"], PDF)
    check("upload_to_signed_url", bucket.exists(path("resume", "signed.pdf")))
    refused("another's path", "Unauthorized", lambda: bucket.upload("11111111-0000-7000-8000-000000000001/resume/1_a.pdf", PDF),
            StorageApiError)
    refused("a strange path", "InvalidKey", lambda: bucket.upload(OWNER + "/resume/" + 600 * "a/" + "b.pdf", PDF), StorageApiError)
    accents = path("resume", "Résumé.pdf")
    bucket.upload(accents, PDF)
    check("accents", bucket.exists(accents))


def downloads():
    check("download", bucket.download(paths["resume"]) == PDF)
    refused("a missing file", "not_found", lambda: bucket.download(path("resume", "none.pdf")), StorageApiError)
    signed = bucket.create_signed_url(paths["resume"], 60)["signedURL"]
    answer = httpx.get(signed)
    check("a signed address", answer.content == PDF and "expires" in answer.headers and answer.headers["cache-control"].startswith("private, max-age="),
          answer.headers)
    answer = httpx.get(signed, headers={"Range": "bytes=0-4"})
    check("a range", answer.status_code == 206 and answer.content == b"%PDF-", answer.status_code)
    answer = httpx.get(signed, headers={"Range": "bytes=%d-" % (len(PDF) + 9)})
    check("a range beyond the end", answer.status_code == 416 and answer.headers.get("content-range") == "bytes */%d" % len(PDF),
          answer.headers)
    tag = httpx.get(signed).headers["etag"]
    check("a condition", httpx.get(signed, headers={"If-None-Match": tag}).status_code == 304)
    check("download as attachment", httpx.get(signed + "&download=").headers["content-disposition"].startswith("attachment;"))
    name = httpx.get(signed + "&download=my%20cv.pdf").headers["content-disposition"]
    check("download with a name", "filename*=UTF-8''my%20cv.pdf" in name, name)
    answer = httpx.get(signed[:-3] + "abc")
    check("a bad token", answer.status_code == 400 and answer.json()["error"] == "InvalidJWT", answer.text)
    other = signed.replace("_cv.pdf", "_raw.pdf")
    answer = httpx.get(other)
    check("a token for another path", answer.status_code == 400 and answer.json()["error"] == "InvalidSignature", answer.text)
    refused("expiresIn of 0", "Error", lambda: bucket.create_signed_url(paths["resume"], 0), StorageApiError)
    many = bucket.create_signed_urls([paths["resume"], path("resume", "none.pdf")], 60)
    check("create_signed_urls", many[0]["error"] is None and many[1]["error"] and httpx.get(many[0]["signedURL"]).content == PDF)
    public = httpx.get(bucket.get_public_url(paths["resume"]))
    check("a private bucket has no public addresses", public.status_code == 400 and public.json()["error"] == "Bucket not found",
          public.text)
    head = raw("HEAD", "/storage/v1/object/documents/" + paths["resume"])
    check("HEAD", head.status_code == 200 and int(head.headers["content-length"]) == len(PDF), head.headers)
    check("HEAD of nothing", raw("HEAD", "/storage/v1/object/documents/" + path("resume", "none.pdf")).status_code == 400)
    check("exists", bucket.exists(paths["resume"]) is True)
    info = bucket.info(paths["resume"])
    check("info", info["size"] == len(PDF) and info["content_type"] == "application/pdf", info)
    check("cache-control and metadata", info["cache_control"] == "max-age=60" and info["metadata"] == {"season": 2026}, info)


def lists():
    names = [entry["name"] for entry in bucket.list(OWNER + "/resume", {"limit": 1000, "search": run})]
    check("list", run + "_cv.pdf" in names, names)
    entry = bucket.list(OWNER + "/resume", {"search": run + "_cv"})[0]
    check("an entry", entry["metadata"]["size"] == len(PDF) and entry["id"] and entry["updated_at"], entry)
    folders = bucket.list(OWNER)
    check("folders", any(f["name"] == "resume" and f["id"] is None for f in folders), folders)
    check("another's folder", bucket.list("11111111-0000-7000-8000-000000000001") == [])
    down = bucket.list(OWNER + "/resume", {"sortBy": {"column": "name", "order": "desc"}, "limit": 2, "offset": 1})
    check("sort and page", len(down) == 2 and down[0]["name"] > down[1]["name"], down)


def relocation():
    one, two, three = path("resume", "one.pdf"), path("resume", "two.pdf"), path("resume", "three.pdf")
    bucket.upload(one, PDF)
    check("move", bucket.move(one, two)["message"] == "Successfully moved" and bucket.exists(two))
    check("copy", bucket.copy(two, three)["Key"] == "documents/" + three and bucket.download(three) == PDF)
    refused("move of nothing", "not_found", lambda: bucket.move(one, two), StorageApiError)
    removed = bucket.remove([two, three, one])
    check("remove", sorted(r["name"] for r in removed) == sorted([two, three]), removed)


def rows():
    title = "Résumé " + run
    documents = app.table("documents")
    signed = bucket.create_signed_url(paths["resume"], 60)["signedURL"]
    row = documents.insert({
        "user_id": OWNER, "type": "resume", "title": title, "description": None, "file_url": signed,
        "file_type": "application/pdf", "version": 1, "school_id": None, "is_current": True, "shared_with_schools": [],
        "uploaded_by": OWNER}).execute().data[0]
    check("insert", row["title"] == title and row["version"] == 1 and row["is_current"] is True, row)
    check("file_url works", httpx.get(row["file_url"]).content == PDF, row["file_url"])
    paths["id"] = row["id"]
    found = documents.select("*").eq("user_id", OWNER).eq("is_current", True).order("created_at", desc=True).limit(50).execute()
    check("list", found.data[0]["id"] == row["id"], found.data[:1])
    check("count", documents.select("id", count="exact").eq("title", title).execute().count == 1)
    check("head", documents.select("id", count="exact", head=True).eq("title", title).execute().count == 1)
    check("single", documents.select("*").eq("id", row["id"]).single().execute().data["title"] == title)
    refused("single of none", "PGRST116", lambda: documents.select("*").eq("title", "none" + run).single().execute())
    check("maybe_single", documents.select("*").eq("title", "none" + run).maybe_single().execute() is None)
    check("ilike", len(documents.select("id").ilike("title", "résumé " + run + "%").execute().data) == 1)
    check("like", len(documents.select("id").like("title", "%" + run).execute().data) == 1)
    check("in", len(documents.select("id").in_("title", [title, 'a,"b"']).execute().data) == 1)
    check("neq", all(r["title"] != title for r in documents.select("title").neq("title", title).execute().data))
    check("gt, lte", len(documents.select("id").eq("title", title).gt("version", 0).lte("version", 1).execute().data) == 1)
    check("is null", len(documents.select("id").eq("title", title).is_("school_id", "null").execute().data) == 1)
    check("not", len(documents.select("id").eq("title", title).not_.is_("school_id", "null").execute().data) == 0)
    check("or", len(documents.select("id").or_("title.eq.%s,title.eq.none" % title).execute().data) == 1)
    check("range", len(documents.select("id").range(0, 0).execute().data) == 1)
    check("cs", documents.select("id").eq("title", title).contains("shared_with_schools", ["x"]).execute().data == [])
    refused("an unknown column", "42703", lambda: documents.select("nothing").execute())
    refused("a bad value", "22P02", lambda: documents.select("id").eq("id", "x").execute())
    refused("an unknown table", "PGRST205", lambda: app.table("nothing").select("*").execute())
    refused("a function", "PGRST202", lambda: app.rpc("nothing", {}).execute())
    refused("an unknown column in a body", "PGRST204", lambda: documents.insert({"nothing": 1}).execute())
    refused("no title", "23502", lambda: documents.insert({"type": "resume", "file_url": signed}).execute())
    refused("no file", "23514", lambda: documents.insert({
        "type": "resume", "title": "x", "file_url": path("resume", "none.pdf")}).execute())
    refused("the same file twice", "23505", lambda: documents.insert({
        "type": "resume", "title": "x", "file_url": paths["resume"]}).execute())
    refused("a wrong type's path", "23514", lambda: documents.insert({
        "type": "transcript", "title": "x", "file_url": path("resume", "raw.pdf")}).execute())
    refused("another's row", "42501", lambda: documents.insert({
        "user_id": "11111111-0000-7000-8000-000000000001", "type": "resume", "title": "x",
        "file_url": path("resume", "raw.pdf")}).execute())
    answer = raw("PATCH", "/rest/v1/documents", b'{"title":"x"}', {"content-type": "application/json"})
    check("no filter", answer.status_code == 400 and answer.json()["code"] == "21000", answer.text)
    check("bad filter", raw("GET", "/rest/v1/documents?id=nonsense").json()["code"] == "PGRST100")
    check("other schema", raw("GET", "/rest/v1/documents", headers={"Accept-Profile": "x"}).status_code == 406)
    check("other type", raw("GET", "/rest/v1/documents", headers={"Accept": "text/xml"}).status_code == 406)
    lines = documents.select("title,version").eq("title", title).csv().execute().data
    check("csv", lines.splitlines()[0] == "title,version" and len(lines.splitlines()) == 2, lines)
    check("not JSON", raw("POST", "/rest/v1/documents", b"{", {"content-type": "application/json"}).json()["code"] == "PGRST102")
    check("negative limit", raw("GET", "/rest/v1/documents?limit=-1").status_code == 416)
    answer = raw("DELETE", "/rest/v1/documents?id=eq." + row["id"] + "&limit=1")
    check("limit of a change", answer.status_code == 400 and answer.json()["code"] == "PGRST127", answer.text)
    changed = documents.update({"title": title + "!", "description": "new"}).eq("id", row["id"]).execute().data
    check("update", changed[0]["title"] == title + "!" and changed[0]["description"] == "new", changed)
    check("update of nothing", documents.update({"title": "x"}).eq("id", "11111111-0000-7000-8000-000000000001").execute().data == [])
    paths["title"] = title + "!"


def versions():
    documents = app.table("documents")
    second = path("resume", "second.pdf")
    bucket.upload(second, PDF + b"\n%second\n")
    documents.update({"is_current": False}).eq("id", paths["id"]).execute()
    row = documents.insert({"user_id": OWNER, "type": "resume", "title": paths["title"], "file_url": second, "version": 2,
                            "is_current": True}).execute().data[0]
    check("a second version", row["version"] == 2 and row["is_current"], row)
    all_rows = documents.select("*").eq("title", paths["title"]).order("version", desc=True).execute().data
    check("the history", [(r["version"], r["is_current"]) for r in all_rows] == [(2, True), (1, False)], all_rows)
    documents.update({"is_current": True}).eq("id", paths["id"]).execute()
    current = documents.select("version").eq("title", paths["title"]).eq("is_current", True).execute().data
    check("restore", current == [{"version": 1}], current)
    documents.delete().eq("id", row["id"]).execute()
    check("an older version goes alone", len(documents.select("id").eq("title", paths["title"]).execute().data) == 1)


def sharing():
    schools = app.table("schools")
    name = "State " + run
    school = schools.insert({"name": name}).execute().data[0]
    refused("the same school twice", "23505", lambda: schools.insert({"name": name}).execute())
    schools.update({"name": name + "!"}).eq("id", school["id"]).execute()
    documents = app.table("documents")
    documents.update({"school_id": school["id"]}).eq("id", paths["id"]).execute()
    refused("an unknown school", "23503", lambda: documents.update(
        {"school_id": "11111111-0000-7000-8000-000000000001"}).eq("id", paths["id"]).execute())
    shares = app.table("document_shares")
    share = shares.insert({"document_id": paths["id"], "school_id": school["id"], "permission": "view"}).execute().data[0]
    check("share", share["permission"] == "view", share)
    refused("shared twice", "23505", lambda: shares.insert(
        {"document_id": paths["id"], "school_id": school["id"]}).execute())
    merged = shares.upsert({"document_id": paths["id"], "school_id": school["id"], "permission": "edit"},
                           on_conflict="document_id,school_id").execute().data
    check("merge", merged[0]["permission"] == "edit", merged)
    ignored = shares.upsert({"document_id": paths["id"], "school_id": school["id"], "permission": "view"},
                            on_conflict="document_id,school_id", ignore_duplicates=True).execute().data
    check("ignored rows are not returned", ignored == [], ignored)
    row = documents.select("title,schools(name),document_shares(permission,schools(name))").eq("id", paths["id"]).single().execute().data
    check("embedding", row["schools"] == {"name": name + "!"}
          and row["document_shares"] == [{"permission": "edit", "schools": {"name": name + "!"}}], row)
    check("the list of schools", documents.select("id").contains("shared_with_schools", [school["id"]]).execute().data == [{"id": paths["id"]}])
    refused("no relation", "PGRST200", lambda: documents.select("*,coaches(*)").execute())
    shares.delete().eq("document_id", paths["id"]).eq("school_id", school["id"]).execute()
    check("unshare", shares.select("*").eq("document_id", paths["id"]).execute().data == [])
    documents.update({"shared_with_schools": [school["id"]]}).eq("id", paths["id"]).execute()
    check("share by the list", len(shares.select("*").eq("document_id", paths["id"]).execute().data) == 1)
    schools.delete().eq("id", school["id"]).execute()
    row = documents.select("school_id,shared_with_schools").eq("id", paths["id"]).single().execute().data
    check("a removed school", row == {"school_id": None, "shared_with_schools": []}, row)


def templates():
    table = app.table("communication_templates")
    row = table.insert({"name": "Hello " + run, "type": "email", "body": "Dear {{coach_name}}"}).execute().data[0]
    check("template", row["variables"] == ["coach_name"], row)
    changed = table.update({"body": "Hi {{school_name}}"}).eq("id", row["id"]).execute().data[0]
    check("changed template", changed["variables"] == ["school_name"], changed)
    refused("a wrong type", "23514", lambda: table.insert({"name": "x", "type": "fax", "body": "y"}).execute())
    many = table.insert([{"name": "a" + run, "type": "text", "body": "b"}, {"name": "c" + run, "type": "twitter", "body": "d"}]).execute()
    check("several rows", len(many.data) == 2)
    table.delete().in_("id", [row["id"]] + [r["id"] for r in many.data]).execute()
    check("removed templates", table.select("id").like("name", "%" + run).execute().data == [])


def pictures():
    def picture(address, **headers):
        for _ in range(40):
            answer = httpx.get(address, headers=headers, timeout=30)
            if answer.status_code != 503:
                return answer
            time.sleep(0.25)
        return answer
    signed = bucket.create_signed_url(paths["resume"], 60, {"transform": {"width": 200, "height": 100}})["signedURL"]
    answer = picture(signed)
    check("a signed picture of a PDF", answer.status_code == 200 and answer.headers["content-type"].startswith("image/"), answer.text[:200])
    answer = picture(ADDRESS + "/storage/v1/render/image/authenticated/documents/%s?width=300" % paths["resume"], apikey=KEY,
                     Accept="image/webp,*/*")
    check("WebP by Accept", answer.headers.get("content-type") == "image/webp", answer.text[:200])
    answer = picture(ADDRESS + "/storage/v1/render/image/authenticated/documents/%s?quality=5" % paths["resume"], apikey=KEY)
    check("quality", answer.status_code == 400)
    data = bucket.download(paths["resume"], {"transform": {"width": 100, "height": 100, "resize": "contain"}})
    check("download with a transform", data[:3] in (b"\xff\xd8\xff", b"\x89PN"), data[:10])


def resumable():
    where = path("resume", "tus.pdf")
    uploader = tus.TusClient(ADDRESS + "/storage/v1/upload/resumable", headers={"apikey": KEY, "Authorization": "Bearer " + KEY})
    upload = uploader.uploader(file_stream=io.BytesIO(PDF), chunk_size=max(1, len(PDF) // 3), metadata={
        "bucketName": "documents", "objectName": where, "contentType": "application/pdf", "cacheControl": "3600"})
    upload.upload_chunk()
    head = raw("HEAD", upload.url[len(ADDRESS):], headers={"Tus-Resumable": "1.0.0"})
    check("offset", head.headers.get("upload-offset") == str(upload.offset), head.headers)
    upload.upload()
    check("a resumable upload", bucket.download(where) == PDF)
    def create(name, **more):
        import base64
        metadata = "bucketName %s,objectName %s" % (base64.b64encode(more.get("bucket", "documents").encode()).decode(),
                                                    base64.b64encode(name.encode()).decode())
        return raw("POST", "/storage/v1/upload/resumable", headers={
            "Tus-Resumable": "1.0.0", "Upload-Length": str(more.get("length", 5)), "Upload-Metadata": metadata})
    check("a taken path", create(where).status_code == 409)
    check("a missing bucket", create(where, bucket="x").status_code == 404)
    check("too large", create(path("resume", "big.pdf"), length=10**12).status_code == 413)
    answer = create(path("resume", "ended.pdf"))
    check("created", answer.status_code == 201 and answer.headers["location"].startswith("http") and "upload-expires" in answer.headers)
    place = answer.headers["location"][len(ADDRESS):]
    answer = raw("PATCH", place, b"xx", {"Tus-Resumable": "1.0.0", "Upload-Offset": "3", "content-type": "application/offset+octet-stream"})
    check("a wrong offset", answer.status_code == 409, answer.status_code)
    check("terminated", raw("DELETE", place, headers={"Tus-Resumable": "1.0.0"}).status_code == 204)
    check("gone", raw("HEAD", place, headers={"Tus-Resumable": "1.0.0"}).status_code == 404)
    check("no version", raw("HEAD", place).status_code == 412)
    signed = bucket.create_signed_upload_url(path("resume", "signedtus.pdf"))
    uploader = tus.TusClient(ADDRESS + "/storage/v1/upload/resumable/sign", headers={"x-signature": signed["token"]})
    uploader.uploader(file_stream=io.BytesIO(PDF), chunk_size=len(PDF), metadata={
        "bucketName": "documents", "objectName": path("resume", "signedtus.pdf")}).upload()
    check("a signed resumable upload", bucket.exists(path("resume", "signedtus.pdf")))


def removal():
    documents = app.table("documents")
    refused("a document's file is not replaced", "ResourceReferenced",
            lambda: bucket.upload(paths["resume"], PDF, {"upsert": "true"}), StorageApiError)
    refused("nor moved", "ResourceReferenced", lambda: bucket.move(paths["resume"], path("resume", "x.pdf")), StorageApiError)
    bucket.remove([paths["resume"]])
    check("the row stays without its file", len(documents.select("id").eq("id", paths["id"]).execute().data) == 1)
    gone = documents.delete().eq("id", paths["id"]).execute().data
    check("delete", [r["id"] for r in gone] == [paths["id"]], gone)
    check("and is gone", documents.select("id").eq("id", paths["id"]).execute().data == [])
    rest = [OWNER + "/resume/" + entry["name"] for entry in bucket.list(OWNER + "/resume", {"limit": 1000, "search": run})]
    check("the rest is removed", len(bucket.remove(rest)) == len(rest))


PDF = sample(sys.argv[4] if len(sys.argv) > 4 else "pages-24.pdf")
for piece in (keys, buckets, uploads, downloads, lists, relocation, rows, versions, sharing, templates, pictures, resumable, removal):
    part(piece)
print(count, "checks,", len(failures), "failed")
sys.exit(1 if failures else 0)
