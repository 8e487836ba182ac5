"""The viewer."""

from playwright.sync_api import expect

from check import PHONE, TOUCH, test


def view(at, title, filters=""):
    at.open(f"/documents/view?id={at.find(title)['id']}{filters}", wait=False)
    expect(at.page.locator(".viewer h1")).to_have_text(title)


@test("The viewer goes through the list as it was filtered, by buttons and keys")
def _(at):
    view(at, "Senior transcript", "&type=transcript")
    at.sees("1 of 2")
    expect(at.button("View previous document")).to_be_disabled()
    at.click("View next document")
    expect(at.page.locator(".viewer h1")).to_have_text("Junior transcript")
    at.sees("2 of 2")
    at.page.keyboard.press("ArrowLeft")
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")


@test("A PDF's first page is drawn in the viewer")
def _(at):
    view(at, "Senior transcript")
    at.until("[...document.querySelectorAll('.viewer img')].some((image) => image.complete && image.naturalWidth > 200)")
    at.state("viewer", "pages")


@test("A video of the viewer has controls, and a frame before it plays")
def _(at):
    view(at, "Freshman Highlights")
    at.until("document.querySelector('.viewer video')?.readyState >= 1")
    at.state("viewer", "video")


@test("An image fits the viewer", stock="odd")
def _(at):
    view(at, "A photograph")
    at.until("[...document.querySelectorAll('.viewer img')].some((image) => image.complete && image.naturalWidth > 0)")
    at.state("viewer", "image")


@test("Any other file offers its download in the viewer")
def _(at):
    view(at, "Athletic resume")
    at.sees("Preview unavailable for this file type")
    at.sees("Download to view")
    at.state("viewer", "no-preview")


@test("Escape closes the viewer where it was opened")
def _(at):
    at.document("Senior transcript")
    at.page.get_by_role("link", name="Open viewer").click()
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")
    at.page.keyboard.press("Escape")
    expect(at.page.locator(".detail h1:not(.unseen)")).to_have_text("Senior transcript")


@test("The viewer of a document that is gone says so", **PHONE)
def _(at):
    at.open("/documents/view?id=00000000-0000-0000-0000-000000000000", wait=False)
    at.sees("Document not found")
    at.state("viewer", "not-found")


@test("The viewer has no part outside a phone of 360 pixels", **TOUCH)
def _(at):
    view(at, "Senior transcript")
    assert at.overflow() <= 0


@test("An error in the viewer has Retry")
def _(at):
    at.answer("**/api/documents/*", 500, "The service says why.", times=1)
    at.open(f"/documents/view?id={at.find('Senior transcript')['id']}", wait=False)
    at.sees("The service says why.")
    at.state("viewer", "failed")
    at.click("Retry")
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")
