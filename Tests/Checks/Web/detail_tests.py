"""A document."""

from playwright.sync_api import expect

from check import PHONE, test
from stock import SAMPLES


@test("A PDF shows facts and pages; a page is drawn when it comes near")
def _(at):
    at.document("Senior transcript")
    for text in ["Transcript", "Grades of all four years.", "v1", "Ohio State", "Jan 15, 2025", "PDF", "24 pages", "13.7 KB"]:
        expect(at.page.get_by_text(text, exact=True).first).to_be_visible()
    expect(at.page.locator(".page")).to_have_count(24)
    assert at.page.locator(".page img").count() < 10
    at.pictures_shown()
    at.state("detail", "pages")
    at.page.locator(".page").nth(16).scroll_into_view_if_needed()
    expect(at.page.get_by_alt_text("Page 17 of 24")).to_be_visible()
    at.pictures_shown()


@test("A video plays in place, with the browser's controls and a frame before it plays")
def _(at):
    at.document("Freshman Highlights")
    video = at.page.locator("video")
    expect(video).to_have_attribute("controls", "")
    at.until("document.querySelector('video').readyState >= 1")
    video.evaluate("(node) => { node.muted = true; return node.play(); }")
    at.until("document.querySelector('video').currentTime > 0.2")
    at.sees("0:02")
    video.evaluate("(node) => node.pause()")
    at.state("detail", "video")


@test("A file without a preview says so, and can be downloaded")
def _(at):
    at.document("Athletic resume")
    at.sees("Preview unavailable")
    at.state("detail", "no-preview")
    with at.page.expect_download() as download:
        at.page.get_by_role("link", name="Download").click()
    assert (SAMPLES / "resume.docx").read_bytes() == open(download.value.path(), "rb").read()


@test("An image is shown as a picture", stock="odd")
def _(at):
    at.document("A photograph")
    expect(at.page.locator("img.stage")).to_be_visible()
    at.pictures_shown()
    at.state("detail", "image")


@test("Back goes to the list as it was")
def _(at):
    at.open("/documents?type=transcript")
    at.page.get_by_role("link", name="Senior transcript").click()
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")
    at.page.get_by_role("link", name="← Back to Documents").click()
    expect(at.page.locator("#count")).to_have_text("2 of 9 total")


@test("Edit changes title, school and description; Save is off without a title")
def _(at):
    at.document("Senior transcript")
    at.click("Edit document metadata")
    at.state("detail", "edit")
    at.sheet.get_by_label("Title").fill(" ")
    expect(at.sheet.get_by_role("button", name="Save")).to_be_disabled()
    at.sheet.get_by_label("Title").fill("Final transcript")
    at.sheet.get_by_label("School").select_option("Duke")
    at.sheet.get_by_label("Description").fill("All of it.")
    at.sheet.get_by_role("button", name="Save").dblclick()
    at.sees("Changes saved")
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Final transcript")
    at.sees("Duke")
    at.sees("All of it.")


@test("Cancel in Edit changes nothing")
def _(at):
    at.document("Senior transcript")
    at.click("Edit document metadata")
    at.sheet.get_by_label("Title").fill("Another")
    at.sheet.get_by_role("button", name="Cancel").click()
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")
    assert at.find("Senior transcript")


@test("A failed save says why beside the field, and keeps what was typed")
def _(at):
    at.document("Senior transcript")
    at.click("Edit document metadata")
    at.answer("**/api/documents/*", 500, "Server error. Please try again.", times=1, method="PATCH")
    at.sheet.get_by_label("Title").fill("Kept")
    at.sheet.get_by_role("button", name="Save").click()
    at.sees("Failed to save changes. Server error. Please try again.")
    expect(at.sheet.get_by_label("Title")).to_have_value("Kept")
    at.state("detail", "edit-failed")
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Kept")


@test("Share adds schools, shows them, and removes one")
def _(at):
    at.document("Freshman Highlights")
    at.click("Share document with schools")
    expect(at.sheet.get_by_role("button", name="Save")).to_be_disabled()
    at.state("detail", "share")
    at.sheet.get_by_label("Stanford").check()
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.sheet.locator("ul li")).to_have_count(3)
    at.sheet.locator("li", has_text="Duke").get_by_role("button", name="Remove").click()
    expect(at.sheet.locator("ul li")).to_have_count(2)
    at.sheet.get_by_role("button", name="Close").last.click()
    at.sees("Ohio State, Stanford")


@test("Fifty schools can be searched", stock="odd")
def _(at):
    at.document("A photograph")
    at.click("Share document with schools")
    at.sheet.get_by_label("Search schools").fill("37")
    expect(at.sheet.locator("label.choice:visible")).to_have_count(1)
    at.sheet.get_by_label("University 37").check()
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.sheet.locator("ul li")).to_contain_text("University 37")


@test("A share that fails says so inside the sheet")
def _(at):
    at.document("Freshman Highlights")
    at.click("Share document with schools")
    at.answer("**/shares", 429, "Too many requests. Please try again.", times=1)
    at.sheet.get_by_label("Stanford").check()
    at.sheet.get_by_role("button", name="Save").click()
    at.sees("Too many requests. Please try again.")
    at.state("detail", "share-failed")


@test("Delete asks first, and returns to the list")
def _(at):
    at.document("Senior transcript")
    at.click("Delete document. This action cannot be undone.")
    at.sees("Are you sure you want to delete this document? This action cannot be undone.")
    at.state("detail", "delete-question")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Document deleted")
    expect(at.page.locator("#count")).to_have_text("8 of 8 total")


@test("Without older versions the history says so")
def _(at):
    at.document("Senior transcript")
    at.sees("No previous versions")


@test("A new version has the document's type, and becomes the current one; the older one can be restored")
def _(at):
    at.document("Senior transcript")
    at.click("+ Upload New Version")
    expect(at.sheet.get_by_label("Type")).to_be_disabled()
    at.page.set_input_files("#upload-file", SAMPLES / "transcript.txt")
    at.state("detail", "new-version")
    at.sheet.get_by_role("button", name="Upload New Version").click()
    at.sees("Document uploaded")
    rows = at.page.locator(".versions li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("v2")
    expect(rows.first).to_contain_text("Current")
    rows.last.get_by_role("button", name="Restore").click()
    at.sees("Restore this version? The current version will be marked as archived.")
    at.state("detail", "restore-question")
    at.sheet.get_by_role("button", name="Restore").dblclick()
    at.sees("Version restored")
    expect(rows.last).to_contain_text("Current")


@test("Twelve versions are shown ten at a time, newest first", stock="odd")
def _(at):
    at.document("Twelve versions")
    rows = at.page.locator(".versions li")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text("v12")
    expect(at.page.get_by_role("link", name="Version 12. Uploaded January 15, 2025.")).to_be_visible()
    at.state("detail", "history")
    at.click("Show older versions")
    expect(rows).to_have_count(12)


@test("An error while a document is loaded is told, and Retry loads it")
def _(at):
    for status in [401, 429, 500]:
        at.answer("**/api/documents/*", status, "The service says why.", times=1)
        at.open("/documents/" + at.find("Senior transcript")["id"], wait=False)
        at.sees("The service says why.")
        if status == 500:
            at.state("detail", "failed")
        at.click("Retry")
        expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")


@test("A document's skeleton shows after 300 ms, and not before")
def _(at):
    release = at.hold("**/api/documents/*")
    at.stop_clock()
    at.open("/documents/" + at.find("Senior transcript")["id"], wait=False)
    at.page.wait_for_selector(".detail", state="attached")
    at.pass_time(299)
    assert at.page.locator(".bone").count() == 0
    at.pass_time(1)
    expect(at.page.locator(".bone").first).to_be_visible()
    at.start_clock()
    at.state("detail", "skeleton")
    release()
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")


@test("What the list has loaded is shown at once when its document is opened")
def _(at):
    at.open()
    at.hold("**/api/documents/*")
    at.page.get_by_role("link", name="Senior transcript").click()
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")


@test("Without connection the document stays, and its actions are off until it is back")
def _(at):
    at.document("Senior transcript")
    at.pictures_shown()
    at.service.stop()
    at.sees("Connection lost", within=5)
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")
    for name in ["Edit document metadata", "Share document with schools", "Delete document. This action cannot be undone."]:
        expect(at.button(name)).to_be_disabled()
    expect(at.page.get_by_text("Download", exact=True)).to_have_attribute("aria-disabled", "true")
    at.state("detail", "lost")
    at.service.start()
    expect(at.button("Edit document metadata")).to_be_enabled(timeout=10000)


@test("A document that another tab deletes is not found here")
def _(at):
    at.document("Senior transcript")
    at.service.ask("/api/documents/" + at.find("Senior transcript")["id"], "DELETE")
    at.sees("Document not found")


@test("A file under a check is not previewed", stock="odd")
def _(at):
    at.document("Under a check")
    at.sees("This file is being checked for malware.")
    at.state("detail", "checked")


@test("A document with a long title fits a phone of 360 pixels, with text of 200 %", stock="odd", **PHONE)
def _(at):
    at.document("W" * 100)
    assert at.overflow() == 0
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() == 0
    at.state("detail", "large-text")
