"""The viewer: what each kind of document can do there."""

from playwright.sync_api import expect

from check import TOUCH, test
from stock import SAMPLES


def view(at, title, query=""):
    """Opens the viewer of the document with a title."""
    at.page.goto(f"/documents/view?id={at.find(title)['id']}{query}", wait_until="domcontentloaded")
    expect(at.page.locator(".viewer h1")).to_have_text(title)


def pages_drawn(at):
    expect(at.page.locator(".viewer-page.is-drawn").first).to_be_visible()
    at.until("""[...document.querySelectorAll(".viewer-page")].filter((page) => {
        const { top, bottom } = page.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    }).every((page) => page.classList.contains("is-drawn"))""")


@test("The viewer's bars have names, a title and the place in the list; Close leads back")
def _(at):
    at.document("Senior transcript")
    at.page.locator("a[href*='/documents/view?id=']").first.click()
    pages_drawn(at)
    for name in ["Close document viewer", "Share a link to this document", "Download document to device",
                 "View previous document", "View next document"]:
        expect(at.button(name)).to_be_visible()
    expect(at.page.locator(".place")).to_have_text("3 of 9")
    expect(at.page.get_by_label("Document 3 of 9")).to_be_visible()
    assert at.page.locator(".viewer-bar").first.evaluate("(node) => getComputedStyle(node).backgroundColor") == "rgba(0, 0, 0, 0.8)"
    at.state("viewer", "pages")
    at.click("Close document viewer")
    expect(at.page.locator(".detail h1")).to_have_text("Senior transcript")


@test("Previous and Next go through the list as it was filtered and sorted, by buttons and keys")
def _(at):
    at.open("/documents?type=transcript,highlight_video&sort=name")
    at.page.get_by_role("link", name="Junior transcript").click()
    expect(at.page.locator(".detail h1")).to_have_text("Junior transcript")
    view(at, "Junior transcript", "&type=transcript,highlight_video&sort=name")
    expect(at.page.locator(".place")).to_have_text("2 of 4")
    at.page.keyboard.press("ArrowRight")
    expect(at.page.locator(".viewer h1")).to_have_text("Senior transcript")
    expect(at.page.locator(".place")).to_have_text("3 of 4")
    at.click("View next document")
    expect(at.page.locator(".viewer h1")).to_have_text("Sprint from the side")
    expect(at.button("View next document")).to_be_disabled()
    at.page.locator(".place").click()
    at.click("View previous document")
    at.page.keyboard.press("ArrowLeft")
    at.page.keyboard.press("ArrowLeft")
    expect(at.page.locator(".viewer h1")).to_have_text("Freshman Highlights")
    expect(at.button("View previous document")).to_be_disabled()


@test("A click on the ground hides the bars, and another one shows them; Escape closes")
def _(at):
    view(at, "Senior transcript")
    pages_drawn(at)
    at.page.mouse.click(40, 400)
    expect(at.page.locator(".viewer")).to_have_class("viewer is-bare")
    at.page.mouse.click(40, 400)
    expect(at.page.locator(".viewer")).to_have_class("viewer")
    at.page.keyboard.press("Escape")
    expect(at.page.locator(".detail h1")).to_have_text("Senior transcript")


@test("Of a PDF only the pages near the eye exist; the page's number follows and leads")
def _(at):
    view(at, "Senior transcript")
    pages_drawn(at)
    number = at.page.get_by_label("Page, of 24")
    expect(number).to_have_value("1")
    assert at.page.locator(".viewer-page").count() < 8
    number.click()
    at.page.keyboard.type("17")
    number.press("Enter")
    pages_drawn(at)
    expect(at.page.get_by_role("listitem", name="Page 17 of 24")).to_be_visible()
    expect(at.page.get_by_role("listitem", name="Page 1 of 24", exact=True)).to_have_count(0)
    at.page.locator(".scroll").focus()
    at.page.keyboard.press("End")
    expect(number).to_have_value("24")
    at.page.keyboard.press("Home")
    expect(number).to_have_value("1")
    for _ in range(30):
        at.page.locator(".scroll").evaluate("(node) => node.scrollBy(0, 1700)")
        assert at.page.locator(".viewer-page").count() < 10


@test("The text of a page can be selected, copied and read aloud")
def _(at):
    view(at, "Senior transcript")
    expect(at.page.locator(".words span").first).to_be_attached()
    text = at.page.locator(".words").first.inner_text()
    assert text.strip() == "1", text
    word = at.page.locator(".words span").first
    word.dblclick()
    assert word.inner_text().strip() in at.page.evaluate("String(getSelection())")
    box, page = word.bounding_box(), at.page.locator(".viewer-page").first.bounding_box()
    assert page["x"] < box["x"] and box["x"] + box["width"] < page["x"] + page["width"] and box["height"] > 5


@test("Ctrl+F searches all pages; Enter goes from hit to hit, Escape ends the search and not the viewer")
def _(at):
    view(at, "Senior transcript")
    pages_drawn(at)
    at.page.keyboard.press("Control+f")
    field = at.page.get_by_role("searchbox", name="Search in this document")
    expect(field).to_be_focused()
    field.fill("1")
    expect(at.page.locator(".result")).to_have_text("1 of 13")
    expect(at.page.locator(".marks .is-current")).to_be_visible()
    at.state("viewer", "search")
    for _ in range(3):
        field.press("Enter")
    expect(at.page.locator(".result")).to_have_text("4 of 13")
    expect(at.page.get_by_role("listitem", name="Page 12 of 24")).to_be_visible()
    field.press("Shift+Enter")
    expect(at.page.locator(".result")).to_have_text("3 of 13")
    field.fill("nowhere to be found")
    expect(at.page.locator(".result")).to_have_text("No matches")
    field.press("Escape")
    expect(field).to_be_hidden()
    expect(at.page.locator(".viewer")).to_be_visible()


@test("Zoom makes a page larger and keeps its place")
def _(at):
    view(at, "Senior transcript")
    pages_drawn(at)
    page = at.page.locator(".viewer-page").first
    before = page.bounding_box()["width"]
    at.click("Zoom in")
    at.page.wait_for_timeout(300)
    assert abs(page.bounding_box()["width"] / before - 1.25) < 0.02, (before, page.bounding_box())
    at.page.keyboard.press("-")
    at.page.wait_for_timeout(300)
    assert abs(page.bounding_box()["width"] / before - 1) < 0.02


@test("A video starts on a click, its bars hide after 3 s, closing pauses it")
def _(at):
    view(at, "Freshman Highlights")
    video = at.page.locator("video")
    expect(at.page.locator("video")).to_be_visible()
    at.until("document.querySelector('video').readyState >= 1")
    assert video.evaluate("(node) => node.paused")
    at.state("viewer", "video")
    expect(at.page.locator(".strip button").first).to_be_visible()
    video.evaluate("(node) => { node.loop = true; node.muted = true; return node.play(); }")
    expect(at.page.locator(".viewer")).to_have_class("viewer is-bare", timeout=6000)
    at.page.mouse.move(300, 300)
    at.page.mouse.move(320, 320)
    expect(at.page.locator(".viewer")).to_have_class("viewer")
    handle = video.element_handle()
    at.click("Close document viewer")
    expect(at.page.locator(".detail h1")).to_be_visible()
    assert handle.evaluate("(node) => node.paused")


@test("A frame along the seek bar leads to its place in the video")
def _(at):
    view(at, "Freshman Highlights")
    expect(at.page.locator("video")).to_be_visible()
    at.until("document.querySelector('video').readyState >= 1")
    at.page.locator(".strip button").last.click()
    expect(at.page.locator("video")).to_be_visible()
    at.until("document.querySelector('video').currentTime > 1")
    at.until("[...document.querySelectorAll('.strip img')].every((image) => image.complete && image.naturalWidth > 0)")


@test("A video that the browser cannot play says so, with frames and Download", stock="empty")
def _(at):
    at.service.upload(SAMPLES / "mpeg4.avi", type="highlight_video", title="Old clip")
    at.service.wait_for_pictures()
    view(at, "Old clip")
    at.sees("Unable to play video.")
    expect(at.page.get_by_role("link", name="Download")).to_be_visible()
    at.until("document.querySelector('.still').naturalWidth > 0")
    at.state("viewer", "unplayable")


@test("An image is fitted; wheel, double click and keys zoom from 1 to 5, and a drag moves it", stock="odd")
def _(at):
    view(at, "A photograph")
    expect(at.page.locator(".zoomed")).to_be_visible()
    at.until("document.querySelector('.zoomed').naturalWidth > 0")
    level = at.page.locator(".level")
    expect(level).to_have_text("100%")
    at.state("viewer", "image")
    at.page.mouse.dblclick(640, 400)
    expect(level).to_have_text("200%")
    before = at.page.locator(".zoomed").bounding_box()["x"]
    at.page.mouse.move(640, 400)
    at.page.mouse.down()
    at.page.mouse.move(600, 400, steps=4)
    at.page.mouse.up()
    expect(at.page.locator(".viewer")).to_have_class("viewer")
    assert at.page.locator(".zoomed").bounding_box()["x"] <= before
    at.page.mouse.dblclick(640, 400)
    expect(level).to_have_text("100%")
    at.page.mouse.wheel(0, -4000)
    expect(level).to_have_text("500%")
    at.page.mouse.wheel(0, 9000)
    expect(level).to_have_text("100%")
    at.page.keyboard.press("+")
    expect(level).to_have_text("150%")


@test("Other files say that there is no preview, and can be downloaded")
def _(at):
    view(at, "Athletic resume")
    at.sees("Preview unavailable for this file type")
    at.state("viewer", "no-preview")
    with at.page.expect_download() as download:
        at.page.get_by_role("link", name="Download to view").click()
    assert (SAMPLES / "resume.docx").read_bytes() == open(download.value.path(), "rb").read()


@test("Download fetches the file and says so")
def _(at):
    view(at, "Senior transcript")
    with at.page.expect_download() as download:
        at.click("Download document to device")
    assert (SAMPLES / "pages-24.pdf").read_bytes() == open(download.value.path(), "rb").read()
    assert download.value.suggested_filename == "pages-24.pdf"
    at.sees("downloaded")


@test("A document that is not there, or no longer, says so")
def _(at):
    at.page.goto("/documents/view?id=0199f6a2-7c00-7a31-9d52-6f1c2b3a4d5e")
    at.sees("Document not found")
    at.state("viewer", "not-found")
    at.page.get_by_role("link", name="Return to Documents").click()
    expect(at.page.locator("#count")).to_be_visible()


@test("A service that answers with an error has Retry; one that does not answer in 10 s is a timeout")
def _(at):
    at.answer("**/api/documents/0*", 500, "Server error. Please try again.", times=1)
    at.page.goto(f"/documents/view?id={at.find('Senior transcript')['id']}", wait_until="domcontentloaded")
    at.sees("Server error. Please try again.")
    at.state("viewer", "failed")
    at.click("Retry")
    pages_drawn(at)
    at.service.suspend()
    try:
        at.click("View next document")
        expect(at.page.locator(".viewer-state .spinner")).to_be_visible()
        at.sees("Connection timed out", within=12)
        at.state("viewer", "failed")
    finally:
        at.service.resume()
    # The answer comes after all; else Retry asks again.
    at.sees_not("Connection timed out", within=40)
    at.sees("Junior transcript")


@test("Keyboard: Tab stays in the viewer, and the first button is Close")
def _(at):
    view(at, "Senior transcript")
    pages_drawn(at)
    for _ in range(25):
        at.page.keyboard.press("Tab")
        assert at.page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('.viewer, #banner')"), \
            at.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


@test("On a phone the viewer fits 360 pixels, a swipe goes on, and one downwards closes", **TOUCH)
def _(at):
    view(at, "Athletic resume")
    at.sees("Preview unavailable for this file type")
    assert at.overflow() <= 0
    swipe(at, (300, 400), (60, 405))
    expect(at.page.locator(".viewer h1")).not_to_have_text("Athletic resume")
    view(at, "Athletic resume")
    at.sees("Preview unavailable for this file type")
    swipe(at, (180, 250), (185, 600))
    expect(at.page.locator(".viewer")).to_have_count(0)
    view(at, "Senior transcript")
    pages_drawn(at)
    assert at.overflow() <= 0
    for name in ["Close document viewer", "Zoom in", "View next document"]:
        box = at.button(name).bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44 and 0 <= box["x"] and box["x"] + box["width"] <= 360, (name, box)


def swipe(at, start, end):
    session = at.context.new_cdp_session(at.page)
    point = lambda x, y: [{"x": x, "y": y}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point(*start)})
    for step in range(1, 6):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": point(
            start[0] + (end[0] - start[0]) * step / 5, start[1] + (end[1] - start[1]) * step / 5)})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
