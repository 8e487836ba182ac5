"""Signing in and out, sessions that end in the middle of work, and the account."""

import json
import zipfile

from playwright.sync_api import expect

from check import PHONE, test
from stock import ADA, BOB, PASSWORD, SAMPLES


def fill(at, email, password, name=None):
    if name is not None:
        at.page.get_by_label("Name (optional)").fill(name)
    at.page.get_by_label("Email").fill(email)
    at.page.get_by_label("Password *", exact=True).fill(password)


def is_at(at, path):
    expect(at.page).to_have_url(at.service.address + path)


@test("Who has not signed in gets the page for it, and after it the page that was opened", stock="people")
def _(at):
    at.open("/settings/communication-templates", wait=False)
    at.sees("Welcome back")
    is_at(at, "/signin?next=%2Fsettings%2Fcommunication-templates")
    expect(at.page.locator("#top nav a:visible")).to_have_count(1)
    at.state("signin", "empty")
    fill(at, ADA, PASSWORD)
    at.page.get_by_label("Password *", exact=True).press("Enter")
    at.sees("Communication Templates")
    is_at(at, "/settings/communication-templates")
    expect(at.page.get_by_role("link", name="Account of Ada Lovelace")).to_be_visible()


@test("A wrong pair is one sentence that does not say which was wrong", stock="people")
def _(at):
    at.open("/signin", wait=False)
    for email in (ADA, "nobody@example.org"):
        fill(at, email, "wrong horse")
        at.page.get_by_role("button", name="Sign in", exact=True).click()
        expect(at.page.get_by_role("alert").filter(has_text="Email or password is wrong")).to_be_visible()
        expect(at.page.get_by_label("Email")).to_have_value(email)
    at.state("signin", "wrong-pair")
    is_at(at, "/signin")


@test("After five wrong passwords the page says how long to wait", stock="people")
def _(at):
    at.open("/signin", wait=False)
    for attempt in range(6):
        fill(at, ADA, f"wrong horse {attempt}")
        with at.page.expect_response("**/api/session"):
            at.page.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Too many attempts. Try again in")
    at.state("signin", "slowed")


@test("A new person creates an account, and starts with an empty list", stock="nobody")
def _(at):
    at.open("/", wait=False)
    at.page.get_by_role("tab", name="Create account").click()
    at.state("signin", "create")
    fill(at, " New@Example.org ", "correct horse", name="Noor")
    at.click("Create account")
    at.sees("No documents yet")
    is_at(at, "/documents")
    expect(at.page.get_by_role("link", name="Account of Noor")).to_be_visible()
    at.state("list", "empty-signed-in")


@test("What is wrong with a new account stands beside its field", stock="people")
def _(at):
    at.open("/signin", wait=False)
    at.page.get_by_role("tab", name="Create account").click()
    for email, password, text in [(ADA.upper(), PASSWORD, "This email is already registered"),
                                  ("new@example.org", "short", "Password must be at least 8 characters"),
                                  ("new", PASSWORD, "Enter an email address such as name@example.org")]:
        fill(at, email, password)
        at.click("Create account")
        at.sees(text)
        expect(at.page.locator("[aria-invalid]")).to_have_count(1)
        expect(at.page.locator("[aria-invalid]")).to_be_focused()
        if text.startswith("Password"):
            at.state("signin", "fault")
    fill(at, "", PASSWORD)
    at.click("Create account")
    at.sees("Enter your email")
    # The other way of this page keeps what was typed.
    at.page.get_by_role("tab", name="Sign in").click()
    expect(at.page.get_by_label("Password *", exact=True)).to_have_value(PASSWORD)


@test("A password can be looked at while it is typed", stock="nobody")
def _(at):
    at.open("/signin", wait=False)
    fill(at, ADA, PASSWORD)
    password = at.page.get_by_label("Password *", exact=True)
    expect(password).to_have_attribute("type", "password")
    at.click("Show password")
    expect(password).to_have_attribute("type", "text")
    expect(at.button("Show password")).to_have_attribute("aria-pressed", "true")


@test("Two quick clicks on Create account make one account", stock="nobody")
def _(at):
    at.open("/signin", wait=False)
    at.page.get_by_role("tab", name="Create account").click()
    fill(at, ADA, PASSWORD)
    at.button("Create account").dblclick()
    at.sees("No documents yet")
    at.sees_not("This email is already registered")


@test("Without the service the page for signing in says so, and keeps what was typed", stock="people")
def _(at):
    at.open("/signin", wait=False)
    fill(at, ADA, PASSWORD)
    at.cut()
    at.page.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Connection lost")
    at.state("signin", "lost")
    at.mend()
    at.sees_not("Connection lost", within=12)
    at.page.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("3 total")


@test("The address to go on to is of this service alone", stock="people")
def _(at):
    for next in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/signin",
                 "/.//evil.example/x", "/..//evil.example", "/%252e//evil.example", "/documents/..//evil.example"):
        at.context.clear_cookies()
        at.open(f"/signin?next={next}", wait=False)
        fill(at, ADA, PASSWORD)
        at.page.get_by_role("button", name="Sign in", exact=True).click()
        at.sees("3 total")
        is_at(at, "/documents")


@test("Who is signed in already does not see the page for it", stock="people")
def _(at):
    at.sign_in().open("/signin", wait=False)
    at.sees("3 total")
    is_at(at, "/documents")


@test("With one local person there is no page for signing in, and no account", stock="empty")
def _(at):
    at.open("/signin", wait=False)
    at.sees("No documents yet")
    expect(at.page.locator("#top .person")).to_have_count(0)
    at.open("/account", wait=False)
    at.sees("No accounts here")
    at.state("account", "none")


@test("Pictures, pages, videos and files come by the session's cookie", stock="people")
def _(at):
    at.sign_in().open()
    expect(at.cards).to_have_count(3)
    at.pictures_shown()
    at.document("Senior transcript")
    at.pictures_shown()
    at.document("Freshman Highlights")
    at.until("document.querySelector('video')?.readyState >= 1")


@test("What happens to documents is told to a person who has signed in", stock="people")
def _(at):
    at.sign_in().open()
    expect(at.cards).to_have_count(3)
    at.service.upload(SAMPLES / "transcript.txt", type="transcript", title="Told by an event")
    at.sees("Told by an event")


@test("A person sees nothing of others", stock="people")
def _(at):
    at.service.sign_in(ADA, PASSWORD)
    document = at.find("Senior transcript")
    at.sign_in(BOB).open()
    at.sees("No documents yet")
    at.open(f"/documents/{document['id']}", wait=False)
    at.sees("Document not found")


def save_without_session(at, title):
    """Edits a document, whose saving asks to sign in again, as the session has ended meanwhile."""
    at.sign_in().document("Senior transcript")
    at.click("Edit document metadata")
    at.sheet.get_by_label("Title").fill(title)
    at.end_sessions()
    at.page.wait_for_timeout(1100)
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.sheet.get_by_role("heading", name="Sign in to go on")).to_be_visible()


@test("A session that ends while an edit is typed is asked for over the page, and the edit is saved after it", stock="people")
def _(at):
    save_without_session(at, "Transcript of the last year")
    expect(at.sheet.get_by_label("Email")).to_have_value(ADA)
    at.state("signin", "again")
    at.sheet.get_by_label("Password *", exact=True).fill("wrong horse")
    at.sheet.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Email or password is wrong")
    at.sheet.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.sheet.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Changes saved")
    at.sees("Transcript of the last year")


@test("Who does not sign in again keeps what was typed, and is asked again", stock="people")
def _(at):
    save_without_session(at, "Kept title")
    at.page.keyboard.press("Escape")
    at.sees("Sign in to continue.")
    expect(at.sheet.get_by_label("Title")).to_have_value("Kept title")
    at.sheet.get_by_role("button", name="Save").click()
    at.sheet.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.sheet.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Changes saved")


@test("An upload whose session ends waits for the person, and goes on", stock="people")
def _(at):
    at.sign_in().open()
    at.end_sessions()
    at.page.wait_for_timeout(1100)
    at.click("Upload new document")
    at.sheet.get_by_label("Type").select_option("transcript")
    at.sheet.get_by_label("Title").fill("Uploaded later")
    at.sheet.locator("input[type=file]").set_input_files(SAMPLES / "transcript.txt")
    at.sheet.get_by_role("button", name="Upload", exact=True).click()
    expect(at.sheet.get_by_role("heading", name="Sign in to go on")).to_be_visible()
    at.sheet.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.sheet.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Document uploaded")
    expect(at.cards.filter(has_text="Uploaded later")).to_have_count(1)


@test("A tab whose session has ended goes on when the person signs in by another tab", stock="people")
def _(at):
    at.sign_in().document("Senior transcript")
    at.end_sessions()
    at.page.wait_for_timeout(1100)
    at.click("Share document with schools")
    expect(at.sheet.get_by_role("heading", name="Sign in to go on")).to_be_visible()
    other = at.new_tab()
    other.goto("/signin")
    other.get_by_label("Email").fill(ADA)
    other.get_by_label("Password *", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    expect(other.get_by_text("3 total")).to_be_visible()
    expect(at.page.get_by_role("heading", name="Sign in to go on")).to_have_count(0)


@test("A tab notices that somebody else has signed in by another tab, and saves nothing in their account", stock="people")
def _(at):
    at.sign_in().document("Senior transcript")
    at.click("Edit document metadata")
    at.sheet.get_by_label("Title").fill("Ada's title")
    other = at.new_tab()
    other.goto("/account")
    other.get_by_role("button", name="Sign out", exact=True).first.wait_for()
    # The tab is asleep: no word of other tabs reaches it.
    at.page.evaluate("BroadcastChannel.prototype.dispatchEvent = () => {}")
    at.context.request.post("/api/session", data={"email": BOB, "password": PASSWORD}, headers={"origin": at.service.address})
    at.sheet.get_by_role("button", name="Save").click()
    expect(at.sheet.get_by_role("heading", name="Another account is signed in")).to_be_visible()
    at.sees(BOB)
    at.state("signin", "other-person")
    at.click("Go on as Bob")
    at.sees("No documents yet")
    at.service.sign_in(ADA, PASSWORD)
    assert at.find("Senior transcript")


@test("Signing out leaves nothing: not in this tab, not in another, not by Back", stock="people")
def _(at):
    at.sign_in().open()
    other = at.new_tab()
    other.goto("/documents")
    expect(other.get_by_text("3 total")).to_be_visible()
    at.page.get_by_role("link", name="Account of Ada Lovelace").click()
    at.page.get_by_role("button", name="Sign out", exact=True).first.click()
    at.sees("Welcome back")
    expect(other.get_by_role("heading", name="Welcome back")).to_be_visible()
    at.page.go_back()
    at.sees("Welcome back")
    at.sees_not("Senior transcript")


@test("The account shows name, address and sessions; the name can be changed", stock="people")
def _(at):
    at.sign_in().open("/account", wait=False)
    at.sees("Where you are signed in")
    at.sees("This device")
    expect(at.page.locator(".sessions li").first).to_contain_text("Chrome on Linux")
    expect(at.page.locator(".sessions li")).to_have_count(3)
    at.state("account", "account")
    expect(at.button("Save name")).to_be_disabled()
    at.page.get_by_label("Your name").fill("Ada King")
    at.click("Save name")
    at.sees("Changes saved")
    expect(at.page.get_by_role("heading", name="Ada King")).to_be_visible()
    expect(at.page.get_by_role("link", name="Account of Ada King")).to_be_visible()
    assert at.overflow() <= 0


@test("A session is ended from the account, alone or all others at once", stock="people")
def _(at):
    at.sign_in().open("/account", wait=False)
    rows = at.page.locator(".sessions li")
    expect(rows).to_have_count(3)
    rows.nth(1).get_by_role("button").click()
    at.sees("Signed out there")
    expect(rows).to_have_count(2)
    at.click("Sign out everywhere else")
    at.state("account", "everywhere-question")
    at.sheet.get_by_role("button", name="Sign out everywhere else").click()
    at.sees("Signed out everywhere else")
    expect(rows).to_have_count(1)
    expect(at.page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)


@test("The password is changed by who knows it, and all others are signed out", stock="people")
def _(at):
    at.sign_in().open("/account", wait=False)
    present, wanted = at.page.get_by_label("Current password"), at.page.get_by_label("New password")
    present.fill("wrong horse")
    wanted.fill("battery staple")
    at.click("Change password")
    at.sees("This is not your password")
    expect(wanted).to_have_value("battery staple")
    at.state("account", "fault")
    present.fill(PASSWORD)
    wanted.fill("short")
    at.click("Change password")
    at.sees("Password must be at least 8 characters")
    wanted.fill("battery staple")
    at.click("Change password")
    at.sees("Password changed")
    expect(present).to_have_value("")
    expect(at.page.locator(".sessions li")).to_have_count(1)
    at.service.sign_in(ADA, "battery staple")


@test("A session that ends while the account is open is asked for over it", stock="people")
def _(at):
    at.sign_in().open("/account", wait=False)
    at.page.get_by_label("Your name").fill("Ada King")
    at.end_sessions()
    at.page.wait_for_timeout(1100)
    at.click("Save name")
    at.sheet.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.sheet.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Changes saved")


@test("The sessions that do not come have a Retry", stock="people")
def _(at):
    at.answer("**/api/account/sessions", 500, "Server error. Please try again.", times=1)
    at.sign_in().open("/account", wait=False)
    at.sees("Server error. Please try again.")
    at.state("account", "failed")
    at.click("Retry")
    expect(at.page.locator(".sessions li")).to_have_count(3)


@test("Signing in works by keyboard alone, and fits a phone and large text", stock="people", **PHONE)
def _(at):
    at.open("/signin", wait=False)
    at.sees("Welcome back")
    assert at.overflow() <= 0
    for key in ("Tab", "ArrowRight", "ArrowLeft"):
        at.page.get_by_role("tab", name="Sign in").focus() if key == "Tab" else at.page.keyboard.press(key)
    expect(at.page.get_by_role("tab", name="Sign in")).to_have_attribute("aria-selected", "true")
    at.page.keyboard.press("Tab")
    at.page.keyboard.type(ADA)
    at.page.keyboard.press("Tab")
    at.page.keyboard.type(PASSWORD)
    at.page.keyboard.press("Enter")
    at.sees("3 total")
    at.open("/account", wait=False)
    at.sees("This device")
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() <= 0
    at.state("account", "large-text")


@test("A person takes everything along, then deletes the account; nobody can sign in to it any more", stock="people")
def _(at):
    at.sign_in().open("/account", wait=False)
    part = at.page.get_by_role("region", name="Your data")
    with at.page.expect_download() as download:
        part.get_by_role("link", name="Download everything").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        assert len([name for name in archive.namelist() if name.startswith("files/")]) == 3, archive.namelist()
        assert json.loads(archive.read("account.json"))["email"] == ADA
    part.get_by_role("button", name="Delete account").click()
    at.state("account", "delete-question")
    at.step("delete")
    at.sheet.get_by_role("button", name="Delete account").click()
    at.sees("Enter your password")
    at.sheet.get_by_label("Your password").fill("wrong horse")
    at.sheet.get_by_role("button", name="Delete account").click()
    at.sees("This is not your password.")
    at.state("account", "delete-fault")
    at.sheet.get_by_label("Your password").fill(PASSWORD)
    at.sheet.get_by_role("button", name="Delete account").click()
    at.sees("Your account was deleted.")
    at.state("signin", "deleted")
    fill(at, ADA, PASSWORD)
    at.page.get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Email or password is wrong")
    # The address is free again within seconds, and nothing of before is there.
    for _ in range(40):
        if not any(path.is_file() for path in (at.service.folder / "data" / "store").rglob("*")):
            break
        at.page.wait_for_timeout(250)
    assert not any(path.is_file() for path in (at.service.folder / "data" / "store").rglob("*"))
