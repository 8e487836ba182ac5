"""A new person's way through every screen, with the connection cut in the middle of each part.

`run.py --only "first visit" --cut 20 --steps FOLDER` cuts it for 20 s each time, and keeps a picture of each step.
"""

from playwright.sync_api import expect

from check import test
from stock import SAMPLES
from upload_tests import BIG, choose, slow_upload, submit
from viewer_contents_tests import pages_drawn


def without_connection(at):
    """Cuts the connection for a while; the content stays, and a banner says why nothing is new."""
    at.cut()
    at.sees("Connection lost", within=6)
    at.page.wait_for_timeout(1000 * at.cut_time)
    at.step("connection lost")
    at.mend()
    at.sees_not("Connection lost", within=12)


def card(at, title):
    return at.page.get_by_role("link", name=title)


@test("A first visit: upload, find, read, share, restore, delete, with the connection cut in each", stock="empty")
def _(at):
    at.open()
    at.sees("No documents yet")
    at.step("an empty collection")

    # A video and a PDF, cut in the middle.
    slow_upload(at)
    choose(at, SAMPLES / "h264.mp4", "Season highlights", "highlight_video")
    at.step("the form")
    submit(at)
    at.sees("Document uploaded", within=20)
    choose(at, {"name": "grades.pdf", "mimeType": "application/pdf", "buffer": BIG}, "Senior transcript", "transcript")
    submit(at)
    expect(at.page.locator("#uploads li.running")).to_contain_text("left")
    without_connection(at)
    expect(at.page.locator("h2", has_text="Senior transcript")).to_be_visible(timeout=40000)
    at.network(latency=0, downloadThroughput=-1, uploadThroughput=-1)
    expect(at.page.locator(".picture.is-shown")).to_have_count(2, timeout=20000)
    at.step("two documents")

    # Find: what was typed without a connection is answered when it is back.
    at.cut()
    at.page.get_by_role("searchbox").fill("senior")
    at.sees("Connection lost", within=6)
    at.page.wait_for_timeout(1000 * at.cut_time)
    at.mend()
    expect(at.page.locator("#count")).to_have_text("1 of 2 total", timeout=12000)
    expect(at.page.get_by_role("searchbox")).to_have_value("senior")
    expect(at.page.locator(".banner")).to_have_count(0)
    at.step("found")

    # Read page 17.
    card(at, "Senior transcript").click()
    at.sees("No previous versions")
    at.step("the document")
    at.page.get_by_role("link", name="Open viewer").click()
    page = at.page.get_by_label("Page, of 24")
    expect(page).to_have_value("1")
    pages_drawn(at)
    without_connection(at)
    page.fill("17")
    page.press("Enter")
    expect(at.page.get_by_role("listitem", name="Page 17 of 24")).to_be_visible()
    pages_drawn(at)
    at.step("page 17")
    at.click("Close document viewer")

    # Share with a school: what was chosen stays while the connection is away.
    at.click("Share document with schools")
    at.sheet.get_by_label("New school").fill("Ohio State")
    without_connection(at)
    expect(at.sheet.get_by_label("New school")).to_have_value("Ohio State")
    at.step("a school")
    at.sheet.get_by_role("button", name="Add school").click()
    at.sheet.get_by_label("Ohio State").check()
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.sheet.locator("ul li")).to_have_count(1)
    at.step("shared")
    at.sheet.get_by_role("button", name="Close").last.click()

    # A new version, then the older one again.
    at.click("+ Upload New Version")
    at.page.set_input_files("#upload-file", SAMPLES / "transcript.txt")
    at.sheet.get_by_role("button", name="Upload New Version").click()
    at.sees("Document uploaded")
    rows = at.page.locator(".versions li")
    expect(rows).to_have_count(2)
    rows.last.get_by_role("button", name="Restore").click()
    at.sees("Restore this version?")
    without_connection(at)
    at.step("restore?")
    at.sheet.get_by_role("button", name="Restore").click()
    at.sees("Version restored")
    expect(rows.last).to_contain_text("Current")
    at.step("restored")

    # Delete.
    at.click("Delete document. This action cannot be undone.")
    without_connection(at)
    at.step("delete?")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Document deleted")
    at.open()
    expect(at.page.locator("#count")).to_have_text("1 of 1 total")
    at.step("deleted")
