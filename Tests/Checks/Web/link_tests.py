"""Links to a document: made and ended by its owner, and opened by visitors without an account."""

import re

from playwright.sync_api import expect

from check import TOUCH, test
from stock import ADA, PASSWORD


def link_to(at, title, **wanted):
    """Makes a link to the document with a title; gives its address."""
    return at.service.ask(f"/api/documents/{at.find(title)['id']}/links", "POST", wanted)["url"]


def pages_drawn(at):
    expect(at.page.locator(".viewer-page.is-drawn").first).to_be_visible()


@test("The owner makes a link to a document, which is copied, and sees its visits")
def _(at):
    at.context.grant_permissions(["clipboard-read", "clipboard-write"])
    at.page.goto(f"/documents/view?id={at.find('Senior transcript')['id']}", wait_until="domcontentloaded")
    pages_drawn(at)
    at.click("Share a link to this document")
    at.state("viewer", "share")
    at.step("the sheet")
    at.sheet.get_by_role("button", name="Copy new link").click()
    at.sees("Link copied. It ends on")
    address = at.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(at.service.address) + r"/shared\?link=[\w-]{22}", address), address
    expect(at.sheet.get_by_label("Links").locator("li")).to_contain_text("View only")
    expect(at.sheet.get_by_label("Links").locator("li")).to_contain_text("not opened yet")
    expect(at.sheet.get_by_label("Links").locator("li")).to_contain_text("Made by you")
    visitor = at.new_tab()
    visitor.goto(address, wait_until="domcontentloaded")
    expect(visitor.locator(".viewer-page.is-drawn").first).to_be_visible()
    visitor.close()
    at.sheet.get_by_role("button", name="Close").last.click()
    at.click("Share a link to this document")
    expect(at.sheet.get_by_label("Links").locator("li")).to_contain_text("opened 1 time")
    at.step("a visit")


@test("A link without a clipboard is shown, to be copied by hand")
def _(at):
    at.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    at.document("Senior transcript")
    at.click("Share document with schools")
    at.sheet.get_by_role("button", name="Copy new link").click()
    expect(at.sheet.get_by_label("The link", exact=True)).to_have_value(re.compile(r"/shared\?link=[\w-]{22}$"))
    expect(at.sheet.get_by_label("The link", exact=True)).to_be_focused()


@test("A link that is ended opens nothing any more, and says so")
def _(at):
    address = link_to(at, "Senior transcript")
    at.document("Senior transcript")
    at.click("Share document with schools")
    at.sheet.get_by_role("button", name=re.compile("^End the link")).click()
    at.sees("The link opens nothing any more.")
    expect(at.sheet.get_by_label("Links").locator("li")).to_have_count(0)
    at.page.goto(address, wait_until="domcontentloaded")
    at.sees("This link has ended. Ask for a new one.")
    at.state("shared", "ended")
    at.step("ended")
    expect(at.page.get_by_role("link")).to_have_count(0)


@test("A visitor without an account pages through a PDF, searches in it, and has no way to its file", stock="people")
def _(at):
    at.service.sign_in(ADA, PASSWORD)
    address = link_to(at, "Senior transcript")
    asked = []
    at.page.on("request", lambda request: asked.append(request.url))
    at.page.goto(address, wait_until="domcontentloaded")
    pages_drawn(at)
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")
    at.state("shared", "pages")
    at.step("pages")
    for name in ["Share a link to this document", "Download document to device", "Close document viewer", "View next document"]:
        expect(at.button(name)).not_to_be_visible()
    at.page.keyboard.press("Control+f")
    at.page.get_by_role("searchbox").fill("17")
    at.sees("1 of 1")
    at.page.keyboard.press("Escape")
    at.page.keyboard.press("Escape")
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")
    paths = {re.sub(r"^[^/]*//[^/]*", "", url).split("?")[0] for url in asked}
    assert all(path.startswith(("/shared", "/api/shared", "/assets/")) for path in paths), paths
    assert "/api/shared/file" not in paths


@test("A link for viewing shows a video by its frames", stock="few", **TOUCH)
def _(at):
    at.page.goto(link_to(at, "Freshman Highlights"), wait_until="domcontentloaded")
    at.sees("This link shows frames of the video, not the video itself.")
    expect(at.page.locator("video")).to_have_count(0)
    at.until("[...document.querySelectorAll('.film img')].slice(0, 2).every((image) => image.complete && image.naturalWidth > 0)")
    at.page.get_by_role("button", name="Go to").first.click()
    at.until("document.querySelector('img.still').naturalWidth > 0")
    at.state("shared", "frames")
    at.step("frames")


@test("A link for downloading plays the video, and gives the file")
def _(at):
    at.page.goto(link_to(at, "Freshman Highlights", permission="download", days=1), wait_until="domcontentloaded")
    at.until("document.querySelector('video')?.videoWidth > 0")
    at.state("shared", "video")
    with at.page.expect_download() as download:
        at.click("Download document to device")
    assert download.value.suggested_filename == "h264.mp4"


@test("What cannot be shown says so to visitors, with the file only where they may have it")
def _(at):
    at.page.goto(link_to(at, "Stats by game"), wait_until="domcontentloaded")
    at.sees("Preview unavailable for this file type")
    expect(at.page.get_by_role("link", name="Download to view")).to_have_count(0)
    at.state("shared", "no-preview")
    at.page.goto(link_to(at, "Stats by game", permission="download"), wait_until="domcontentloaded")
    expect(at.page.get_by_role("link", name="Download to view")).to_be_visible()


@test("A link that cannot be made says so inside the sheet")
def _(at):
    at.document("Senior transcript")
    at.click("Share document with schools")
    at.answer("**/links", 409, "This document has 50 links. End one of them first.", times=1, method="POST")
    at.sheet.get_by_role("button", name="Copy new link").click()
    at.sees("This document has 50 links. End one of them first.")
