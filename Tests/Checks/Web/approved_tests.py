"""Screens beside their approved pictures, the comparison's own test, and the emulated network's control."""

import time

from playwright.sync_api import expect

import pictures
from check import test
from jobs_tests import search, upload_page


def at_all_sizes(at, name, prepare):
    for width, height in pictures.WIDTHS.items():
        for scheme in ("light", "dark"):
            at.page.set_viewport_size({"width": width, "height": height})
            at.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            prepare()
            at.pictures_shown()
            at.page.wait_for_timeout(150)
            pictures.compare(at.page, f"{name}-{width}-{scheme}")


@test("The grid looks as approved")
def _(at):
    at_all_sizes(at, "grid", at.open)


@test("The rows look as approved")
def _(at):
    at.open()
    at.click("List view")
    at_all_sizes(at, "rows", at.open)


@test("The empty list looks as approved", stock="empty")
def _(at):
    at_all_sizes(at, "empty", at.open)


@test("The filter sheet looks as approved")
def _(at):
    def prepare():
        at.open("/documents?type=transcript&shared=true")
        at.click("Filter documents. 2 filters active.")
        expect(at.sheet.get_by_label("Ohio State").or_(at.sheet.get_by_text("Ohio State"))).to_have_count(1)

    at_all_sizes(at, "filter", prepare)


@test("The upload sheet looks as approved", stock="empty")
def _(at):
    def prepare():
        at.open()
        at.click("Upload new document")

    at_all_sizes(at, "upload", prepare)


@test("A document looks as approved")
def _(at):
    at_all_sizes(at, "detail", lambda: at.document("Senior transcript"))


@test("The viewer looks as approved")
def _(at):
    def prepare():
        at.open("/documents/view?id=" + at.find("Senior transcript")["id"], wait=False)
        expect(at.page.locator(".viewer-page.is-drawn").first).to_be_visible()

    at_all_sizes(at, "viewer", prepare)


@test("The editor of templates looks as approved")
def _(at):
    def prepare():
        at.open("/settings/communication-templates", wait=False)
        at.page.get_by_role("tab", name="Create New").click()
        at.page.get_by_role("textbox", name="Name", exact=True).fill("Thank you")
        at.page.get_by_role("textbox", name="Body", exact=True).fill("Dear {{coach_name}},\n\nthank you for the visit at {{school_name}}.")

    at_all_sizes(at, "templates", prepare)


@test("The page for signing in looks as approved", stock="people")
def _(at):
    def prepare():
        at.open("/signin", wait=False)
        at.sees("Welcome back")

    at_all_sizes(at, "signin", prepare)


@test("The upload of JobMatchNow looks as approved", stock="jobless")
def _(at):
    at_all_sizes(at, "jobs-upload", lambda: upload_page(at))


@test("The matches of JobMatchNow look as approved", stock="jobs")
def _(at):
    search(at)
    address = at.page.url

    def prepare():
        at.open(address, wait=False)
        at.button("Why this matches you").first.click()
        expect(at.page.locator(".reasons ul").first).to_be_visible()
        at.page.mouse.move(1, 1)

    at_all_sizes(at, "jobs-matches", prepare)


@test("The profile of JobMatchNow looks as approved", stock="jobs")
def _(at):
    search(at)
    address = at.page.url.replace("/jobs?", "/jobs/profile?")

    def prepare():
        at.open(address, wait=False)
        at.sees("Read from")

    at_all_sizes(at, "jobs-profile", prepare)


@test("A shift of 4 pixels, a wrong colour and a lost badge each differ from the approved picture; nothing else does")
def _(at):
    at.open()
    at.pictures_shown()
    at.page.wait_for_timeout(200)
    before = pictures.take(at.page)
    assert pictures.differing_tiles(before, pictures.take(at.page)) < pictures.TILES
    for change in [
        "document.querySelector('main').style.setProperty('transform', 'translateX(4px)')",
        "document.querySelector('.documents').style.setProperty('transform', 'translateY(4px)')",
        "document.querySelector('button.add').style.setProperty('background', '#9333EA')",
        "document.querySelector('.badge.type').style.setProperty('background', '#FF6B00')",
        "document.querySelector('.badge.type').style.setProperty('visibility', 'hidden')",
    ]:
        at.page.evaluate(change)
        count = pictures.differing_tiles(before, pictures.take(at.page))
        assert count >= pictures.TILES, f"{count} tiles: {change}"
        selector = change.split("'")[1]
        at.page.evaluate(f"document.querySelector({selector!r}).removeAttribute('style')")


@test("The emulated network carries 1 MB in no less than 0.9 s")
def _(at):
    at.open()
    document = at.service.upload(b"a,b\n" + b"1,2\n" * 250_000, name="large.csv", type="stats_sheet", title="A megabyte")
    at.network()
    start = time.monotonic()
    size = at.page.evaluate("async (url) => (await (await fetch(url, { cache: 'no-store' })).arrayBuffer()).byteLength",
                            document["file_url"])
    taken = time.monotonic() - start
    assert size > 1_000_000 and 0.9 < taken < 3, (size, taken)
