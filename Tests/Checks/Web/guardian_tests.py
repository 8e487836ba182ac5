"""People who look after an athlete's documents: invited, at work, and ended."""

from playwright.sync_api import expect

from check import PHONE, test
from stock import ADA, BOB, PASSWORD, SAMPLES
from account_tests import is_at


def invited(at, right):
    """The invitation of Bob by Ada, made by the API, and taken by him."""
    at.service.sign_in(ADA, PASSWORD)
    made = at.service.ask("/api/account/guardians", "POST", {"email": BOB, "right": right})
    at.service.sign_in(BOB, PASSWORD)
    found = at.service.ask("/api/account/invitation/acceptance", "POST", {"token": made["url"].split("#")[1]})
    return found["person_id"]


@test("An athlete invites a parent, who accepts the link and sees the documents; the athlete ends it", stock="people")
def _(at):
    at.sign_in(ADA, PASSWORD)
    at.open("/account", wait=False)
    part = at.page.get_by_role("region", name="People who look after your documents")
    expect(part).to_be_visible()
    part.get_by_label("Their email").fill("nobody")
    part.get_by_role("button", name="Invite").click()
    at.sees("Enter an email address such as name@example.org")
    at.state("account", "invitation-fault")
    part.get_by_label("Their email").fill(BOB)
    part.get_by_role("button", name="Invite").click()
    link = part.get_by_label("The invitation's link").input_value()
    assert link.startswith(at.service.address + "/invitation#"), link
    expect(part.get_by_text("Invited")).to_be_visible()
    at.state("account", "invited")
    at.step("invited")

    # The parent opens the link in a browser in which nobody has signed in.
    at.page.goto("about:blank")
    at.context.clear_cookies()
    at.page.goto(link)
    at.sees("You are invited")
    at.state("invitation", "unknown")
    at.page.get_by_role("link", name="Sign in").click()
    at.page.get_by_label("Email").fill(BOB)
    at.page.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.page.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Look after Ada Lovelace's documents?")
    at.state("invitation", "read")
    at.step("invitation")
    at.click("Accept")
    expect(at.cards).to_have_count(3)
    expect(at.page.get_by_label("Whose documents")).to_have_value(at.page.url.split("person=")[1])
    # Who may only look sees nothing that changes anything, also in a document.
    expect(at.page.get_by_role("button", name="Upload new document")).to_have_count(0)
    at.pictures_shown()
    expect(at.page.locator(".picture img")).to_have_count(3)
    at.state("list", "acting-view")
    at.step("looking")
    at.page.get_by_role("link", name="Senior transcript").first.click()
    expect(at.page.get_by_role("heading", name="Senior transcript")).to_be_visible()
    for name in ("Edit document metadata", "Share document with schools", "Delete document. This action cannot be undone.", "Upload New Version"):
        expect(at.page.get_by_role("button", name=name)).to_have_count(0)
    assert "person=" in at.page.url
    at.page.reload()
    expect(at.page.get_by_role("heading", name="Senior transcript")).to_be_visible()
    at.state("detail", "acting-view")
    with at.page.expect_download() as download:
        at.page.get_by_role("link", name="Download").click()
    assert download.value.path().stat().st_size > 1000
    at.page.get_by_role("link", name="Open viewer").click()
    at.pictures_shown()
    expect(at.page.get_by_role("button", name="Share a link to this document")).to_have_count(0)
    # The link is spent.
    at.page.goto("about:blank")
    at.page.goto(link)
    at.sees("This invitation has ended")
    at.state("invitation", "ended")

    at.sign_in(ADA)
    at.open("/account", wait=False)
    expect(part.get_by_text("Active")).to_be_visible()
    at.state("account", "guardian")
    part.get_by_role("button", name="End access for Bob").click()
    at.sheet.get_by_role("button", name="End access").click()
    at.sees("Access ended")
    at.sign_in(BOB)
    at.open(wait=False)
    at.sees("No documents yet")
    expect(at.page.get_by_label("Whose documents")).to_have_count(0)


@test("A guardian who manages uploads for the athlete, and turns back to their own documents", stock="people", **PHONE)
def _(at):
    ada = invited(at, "manage")
    at.sign_in(BOB, PASSWORD)
    at.open("/account", wait=False)
    part = at.page.get_by_role("region", name="People you look after")
    expect(part.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    # Beside two buttons the name keeps its room, on phones of any width.
    for width in (360, 390, 430):
        at.page.set_viewport_size({"width": width, "height": 740})
        assert part.locator(".session-text").bounding_box()["width"] > 150, width
    at.state("account", "athletes")
    at.step("athletes")
    part.get_by_role("link", name="Open the documents of Ada Lovelace").click()
    expect(at.cards).to_have_count(3)
    at.state("list", "acting-manage")
    at.page.get_by_role("button", name="Upload new document").click()
    at.page.locator("input[type=file]").set_input_files(SAMPLES / "page-1.pdf")
    at.page.get_by_label("Title").fill("Sent by a parent")
    at.page.get_by_role("button", name="Upload", exact=True).click()
    expect(at.cards).to_have_count(4)
    at.service.sign_in(ADA, PASSWORD)
    titles = {item["title"]: item for item in at.service.ask("/api/documents")["documents"]}
    assert "Sent by a parent" in titles and titles["Sent by a parent"]["uploaded_by"] != ada
    at.page.get_by_label("Whose documents").select_option(label="Your documents")
    at.sees("No documents yet")
    is_at(at, "/documents")


@test("Whoever does not look after a person any more is brought back to their own documents", stock="people")
def _(at):
    ada = invited(at, "view")
    item = at.service.ask("/api/session")["acting_for"][0]
    at.service.ask(f"/api/account/guardians/{item['id']}", "DELETE")
    at.sign_in(BOB, PASSWORD)
    at.open(f"/documents?person={ada}", wait=False)
    at.sees("No documents yet")
    is_at(at, "/documents")


@test("A guardian stops looking after an athlete", stock="people")
def _(at):
    invited(at, "view")
    at.sign_in(BOB, PASSWORD)
    at.open("/account", wait=False)
    at.page.get_by_role("button", name="Stop looking after Ada Lovelace").click()
    at.sheet.get_by_role("button", name="Stop", exact=True).click()
    expect(at.page.get_by_role("region", name="People you look after")).to_have_count(0)


@test("One's own invitation says whom it is for", stock="people")
def _(at):
    at.service.sign_in(ADA, PASSWORD)
    made = at.service.ask("/api/account/guardians", "POST", {"email": BOB, "right": "view"})
    at.sign_in(ADA, PASSWORD)
    at.open(made["url"], wait=False)
    at.sees("This is your own invitation")
    at.state("invitation", "own")
