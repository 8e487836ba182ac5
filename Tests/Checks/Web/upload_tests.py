"""The sheet that uploads, and the rows of uploads."""

import re

from playwright.sync_api import expect

from check import PHONE, test
from stock import SAMPLES

BIG = b"%PDF-1.4\n" + (SAMPLES / "pages-24.pdf").read_bytes()[9:] + b"\n%" + b"x" * 6_000_000


def big(name="big.pdf"):
    return {"name": name, "mimeType": "application/pdf", "buffer": BIG}


def slow_upload(at, bytes_a_second=1_000_000):
    at.network(latency=20, uploadThroughput=bytes_a_second, downloadThroughput=2e6)


def choose(at, file=None, title="Uploaded", type="transcript"):
    at.click("Upload new document")
    at.page.set_input_files("#upload-file", file or SAMPLES / "pages-24.pdf")
    at.sheet.get_by_label("Type").select_option(type)
    at.sheet.get_by_label("Title").fill(title)


def submit(at):
    at.sheet.get_by_role("button", name="Upload", exact=True).click()


def row(at, state):
    return at.page.locator(f"#uploads li.{state}")


@test("Upload stays off until type, title and file are there", stock="empty")
def _(at):
    at.open()
    at.click("Upload new document")
    button = at.sheet.get_by_role("button", name="Upload", exact=True)
    expect(button).to_be_disabled()
    at.state("upload", "sheet")
    at.page.set_input_files("#upload-file", SAMPLES / "pages-24.pdf")
    at.sheet.get_by_label("Type").select_option("")
    expect(button).to_be_disabled()
    at.sheet.get_by_label("Type").select_option("Transcript")
    at.sheet.get_by_label("Title").fill("   ")
    expect(button).to_be_disabled()
    at.sheet.get_by_label("Title").fill("A title")
    expect(button).to_be_enabled()
    expect(at.sheet.get_by_label("Version")).to_have_value("1")
    assert at.sheet.get_by_label("Title").get_attribute("maxlength") == "100"
    assert at.sheet.get_by_label("Description").get_attribute("maxlength") == "500"
    assert at.sheet.get_by_label("Description").get_attribute("rows") == "3"
    at.state("upload", "valid")


@test("The chooser offers the type's extensions, and a wrong file is told beside its field", stock="empty")
def _(at):
    at.open()
    choose(at)
    assert at.page.locator("#upload-file").get_attribute("accept") == ".pdf,.txt"
    at.sheet.get_by_label("Type").select_option("Highlight Video")
    at.sees("Invalid file type. Highlight Video requires .mp4, .mov, .avi.")
    expect(at.sheet.get_by_role("button", name="Upload", exact=True)).to_be_disabled()
    at.state("upload", "fault")


@test("A file above 100 MB is refused before it is sent", stock="empty")
def _(at):
    at.open()
    at.click("Upload new document")
    expect(at.page.locator("#upload-file")).to_be_attached()
    at.page.evaluate("""() => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(100_000_001)], "large.pdf"));
        const chooser = document.querySelector("#upload-file"); chooser.files = data.files;
        chooser.dispatchEvent(new Event("change")); }""")
    at.sees("File exceeds 100MB limit. Please compress or choose a smaller file.")


@test("An upload is in the list at once, and its picture comes without a reload", stock="empty")
def _(at):
    at.open()
    choose(at, title="Fresh")
    submit(at)
    at.sees("Document uploaded")
    expect(at.page.locator("h2", has_text="Fresh")).to_be_visible()
    expect(at.page.locator("li", has_text="Fresh").locator(".picture.is-shown")).to_be_visible(timeout=15000)
    at.sees("1 of 1 total")


@test("Two quick clicks on Upload make one document", stock="empty")
def _(at):
    at.open()
    choose(at, title="Once")
    at.sheet.get_by_role("button", name="Upload", exact=True).dblclick()
    at.sees("Document uploaded")
    at.page.wait_for_timeout(700)
    assert len(at.service.all()) == 1


@test("A row tells name, portion and time left, and Cancel ends it", stock="empty")
def _(at):
    at.open()
    slow_upload(at)
    choose(at, big())
    submit(at)
    expect(row(at, "running")).to_contain_text("big.pdf")
    expect(row(at, "running")).to_contain_text(re.compile(r"\d+% · \d+ seconds? left"))
    expect(at.page.get_by_role("progressbar", name="Uploading big.pdf")).to_be_visible()
    at.state("upload", "running")
    at.click("Cancel big.pdf")
    expect(at.page.locator("#uploads li")).to_have_count(0)
    assert at.service.all() == []


@test("Of three uploads two run and the third waits; all arrive", stock="empty")
def _(at):
    at.open()
    slow_upload(at, 500_000)
    for number in range(3):
        choose(at, big(f"big-{number}.pdf"), f"Number {number}")
        submit(at)
    expect(row(at, "running")).to_have_count(2)
    expect(row(at, "waiting")).to_have_count(1)
    at.state("upload", "waiting")
    at.network(latency=0, downloadThroughput=-1, uploadThroughput=-1)
    expect(at.page.locator(".documents li[data-id]")).to_have_count(3, timeout=30000)


@test("A cut network pauses an upload; it goes on by itself where it stopped", stock="empty")
def _(at):
    at.open()
    slow_upload(at)
    choose(at, big(), "Paused")
    submit(at)
    expect(row(at, "running")).to_contain_text("left")
    at.cut()
    expect(row(at, "paused")).to_contain_text("Connection lost", timeout=6000)
    at.state("upload", "paused")
    at.mend()
    at.sees("Document uploaded", within=30)
    assert len(at.service.all()) == 1


@test("An upload survives the service's death", stock="empty")
def _(at):
    at.open()
    slow_upload(at)
    choose(at, big(), "Survivor")
    submit(at)
    expect(row(at, "running")).to_contain_text("left")
    at.service.kill()
    expect(row(at, "paused")).to_be_visible(timeout=6000)
    at.service.start()
    at.sees("Document uploaded", within=40)
    assert [item["title"] for item in at.service.all()] == ["Survivor"]


@test("After a reload a begun upload is offered, and continues with the same file", stock="empty")
def _(at):
    at.open()
    slow_upload(at)
    choose(at, big(), "Reloaded")
    submit(at)
    expect(row(at, "running")).to_contain_text("left")
    asked = []
    at.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    at.page.reload()
    assert asked == ["beforeunload"], asked
    expect(row(at, "offered")).to_be_visible()
    at.state("upload", "offered")
    with at.page.expect_file_chooser() as choice:
        at.click("Choose file big.pdf")
    choice.value.set_files(big())
    at.sees("Document uploaded", within=30)
    assert [item["title"] for item in at.service.all()] == ["Reloaded"]


@test("A refused upload says why, and Retry sends it again", stock="empty")
def _(at):
    for status, message in [(413, "File exceeds 100MB limit."), (429, "Too many requests."), (401, "Sign in first.")]:
        at.open()
        at.answer("**/api/uploads", status, message, times=1)
        choose(at, title=f"After {status}")
        submit(at)
        expect(row(at, "failed")).to_contain_text(f"Upload failed: {message}")
        if status == 413:
            at.state("upload", "failed")
        at.click("Retry pages-24.pdf")
        expect(at.page.locator("h2", has_text=f"After {status}")).to_be_visible()


@test("A service's fault in the middle of an upload is tried again without a word", stock="empty")
def _(at):
    at.open()
    at.answer("**/api/uploads/*", 500, times=2, method="PATCH")
    choose(at, title="After 500")
    submit(at)
    at.sees("Document uploaded", within=20)
    assert len(at.service.all()) == 1


@test("A file dropped anywhere opens the sheet with it", stock="empty")
def _(at):
    at.open()
    at.page.evaluate("""() => { const data = new DataTransfer();
        data.items.add(new File(["a,b\\n1,2\\n"], "games_2025.csv"));
        for (const name of ["dragover", "drop"]) document.body.dispatchEvent(
            new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true })); }""")
    expect(at.sheet.get_by_label("Title")).to_have_value("games 2025")
    expect(at.sheet.get_by_label("Type")).to_have_value("stats_sheet")
    submit(at)
    at.sees("Document uploaded")


@test("A file that is dropped before the module for uploads has come opens the sheet once it is there", stock="empty")
def _(at):
    release = at.hold("**/upload.js")
    at.open()
    at.page.evaluate("""() => { const data = new DataTransfer();
        data.items.add(new File(["a,b\\n1,2\\n"], "games_2025.csv"));
        for (const name of ["dragover", "drop"]) {
            const event = new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true });
            document.body.dispatchEvent(event);
            if (!event.defaultPrevented) throw new Error("the browser would open the file");
        } }""")
    release()
    expect(at.sheet.get_by_label("Title")).to_have_value("games 2025")


@test("A file held over the page shows where it can be dropped", stock="empty")
def _(at):
    at.open()
    at.page.evaluate("""() => { const data = new DataTransfer(); data.items.add(new File(["a"], "a.csv"));
        document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true })); }""")
    expect(at.page.locator("body.is-dropping")).to_be_attached()
    at.state("upload", "dropping")


@test("A typed title survives a click beside the sheet", stock="empty")
def _(at):
    at.open()
    at.click("Upload new document")
    at.sheet.get_by_label("Title").fill("Half a title")
    at.page.mouse.click(5, 5)
    expect(at.sheet.get_by_label("Title")).to_have_value("Half a title")


@test("The upload sheet fits a phone of 360 pixels", stock="empty", **PHONE)
def _(at):
    at.open()
    at.click("Upload new document")
    box = at.sheet.bounding_box()
    assert box["x"] >= 0 and box["width"] <= 360, box
    assert at.sheet.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0
