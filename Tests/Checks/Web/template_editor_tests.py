"""The communication templates: pills, cards and the editor."""

import time

from playwright.sync_api import expect

from check import PHONE, test

SCREEN = "/settings/communication-templates"
ALL = ["coach_name", "athlete_name", "school_name", "sport"]


def fill(at):
    """Three templates: an email of more than 100 characters, a text, a tweet."""
    for name, type, body in [
        ("Introduction", "email", "Dear {{coach_name}}, my name is {{athlete_name}}. " + "I would like to play for you. " * 5),
        ("Reminder", "text", "See you at {{school_name}}"), ("News", "twitter", "{{sport}} today"),
    ]:
        at.service.ask("/api/communication-templates", "POST", {"name": name, "type": type, "body": body})


def open(at, filled=True):
    if filled:
        fill(at)
    at.page.goto(SCREEN, wait_until="domcontentloaded")
    expect(at.page.get_by_role("heading", name="Communication Templates")).to_be_visible()
    expect(at.page.get_by_role("tab", name="My Templates (3)" if filled else "My Templates (0)")).to_be_visible()


def edit(at, name):
    at.click(f"Edit {name}")
    expect(at.page.get_by_role("textbox", name="Name", exact=True)).to_have_value(name)


def templates(at):
    return {one["name"]: one for one in at.service.ask("/api/communication-templates")}


@test("A link in the page's head leads to the templates, which name what they are for", stock="empty")
def _(at):
    fill(at)
    at.open()
    at.page.get_by_role("navigation").get_by_role("link", name="Templates").click()
    at.sees("Create and manage email, text, and social media templates")
    assert at.page.url.endswith(SCREEN)
    expect(at.page.get_by_role("tab")).to_have_text(["My Templates (3)", "Create New"])
    at.page.go_back()
    expect(at.page.locator("#count")).to_be_visible()


@test("Pills have counts, and show one type", stock="empty")
def _(at):
    open(at)
    pills = at.page.get_by_role("group", name="Kind of template").get_by_role("button")
    expect(pills).to_have_text(["All (3)", "Email (1)", "Text (1)", "Twitter (1)"])
    at.state("templates", "list")
    at.click("Text (1)")
    expect(pills.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(pills.nth(2)).to_be_focused()
    expect(at.page.locator(".template-list > li h2")).to_have_text(["Reminder"])
    at.click("All (3)")
    expect(at.page.locator(".template-list > li")).to_have_count(3)


@test("A card has name, badge, date, the first 100 characters and Edit", stock="empty")
def _(at):
    open(at)
    card = at.page.locator(".template-list > li").filter(has_text="Introduction")
    expect(card.locator(".badge")).to_have_text("Email")
    body = templates(at)["Introduction"]["body"]
    expect(card.locator(".template-body")).to_have_text(body[:100].strip() + "…" if not body[99].isspace() else body[:99] + " …")
    expect(card.get_by_text(time.strftime("%b ", time.gmtime()))).to_be_visible()
    colours = [at.page.locator(".badge", has_text=kind).evaluate("(node) => getComputedStyle(node).color")
               for kind in ("Email", "Text", "Twitter")]
    assert len(set(colours)) == 3, colours
    edit(at, "Introduction")


@test("No templates: the screen says so, and leads to the editor; a pill without any says so too", stock="empty")
def _(at):
    open(at, filled=False)
    at.sees("No templates found")
    at.state("templates", "empty")
    at.click("Create a template")
    expect(at.page.get_by_role("tab", name="Create New")).to_have_attribute("aria-selected", "true")
    expect(at.page.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
    at.service.ask("/api/communication-templates", "POST", {"name": "A", "type": "text", "body": "b"})
    at.page.reload()
    at.click("Email (0)")
    at.sees("No templates found")


@test("Save is off until name and body are there, and two quick clicks make one template", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="Create New").click()
    save = at.button("Save")
    expect(save).to_be_disabled()
    at.page.get_by_role("textbox", name="Name", exact=True).fill("Thanks")
    expect(save).to_be_disabled()
    at.page.get_by_role("textbox", name="Body", exact=True).fill("  ")
    expect(save).to_be_disabled()
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Thank you, {{coach_name}}")
    at.page.get_by_role("combobox", name="Type").select_option("Text")
    at.state("templates", "editor")
    save.dblclick()
    at.sees("Template created")
    expect(at.page.get_by_role("tab", name="My Templates (4)")).to_have_attribute("aria-selected", "true")
    made = templates(at)
    assert len(made) == 4 and made["Thanks"]["type"] == "text" and made["Thanks"]["body"] == "Thank you, {{coach_name}}"


@test("A click in the guide inserts the variable at the cursor; the preview has values in its place", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="Create New").click()
    body = at.page.get_by_role("textbox", name="Body", exact=True)
    body.fill("Dear , hello")
    body.evaluate("(node) => node.setSelectionRange(5, 5)")
    guide = at.page.get_by_role("group", name="Insert a variable").get_by_role("button")
    expect(guide).to_have_text([f"{{{{{name}}}}}" for name in ALL])
    guide.first.click()
    expect(body).to_have_value("Dear {{coach_name}}, hello")
    expect(body).to_be_focused()
    at.page.keyboard.type("!")
    expect(body).to_have_value("Dear {{coach_name}}!, hello")
    expect(at.page.locator(".template-sample")).to_have_text("Dear Coach Day!, hello")
    at.page.get_by_text("Values of the preview").click()
    at.page.get_by_label("coach_name").fill("Coach Ito")
    expect(at.page.locator(".template-sample")).to_have_text("Dear Coach Ito!, hello")


@test("Unknown variables are pointed out and not refused", stock="empty")
def _(at):
    open(at)
    edit(at, "Reminder")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("{{coach_name}} {{ nickname }} {{nickname}} {{größe}} {{constructor}} {{not one}}")
    unknown = at.page.locator(".unknown")
    for name in ("nickname", "größe", "constructor"):
        expect(unknown).to_contain_text(f"{{{{{name}}}}}")
    expect(unknown).not_to_contain_text("coach_name")
    expect(unknown).not_to_contain_text("not one")
    at.state("templates", "unknown-variable")
    at.click("Save")
    at.sees("Changes saved")
    assert "nickname" in templates(at)["Reminder"]["body"]


@test("The counter counts, and says where a tweet is too long", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("x" * 281)
    at.sees("281 of 280 characters: too long for Twitter")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("👍🏽" * 3)
    at.sees("3 of 280 characters")
    at.page.get_by_role("combobox", name="Type").select_option("Email")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("x" * 1200)
    at.sees("1,200 characters")


@test("The body is 200 pixels high and grows with its text", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    body = at.page.get_by_role("textbox", name="Body", exact=True)
    assert body.evaluate("(node) => node.offsetHeight") >= 200
    body.fill("line\n" * 40)
    assert body.evaluate("(node) => node.offsetHeight >= node.scrollHeight && node.offsetHeight > 600")


@test("Delete asks first, and exists where a template is edited", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="Create New").click()
    expect(at.button("Delete")).to_have_count(0)
    at.page.get_by_role("tab", name="My Templates (3)").click()
    edit(at, "News")
    at.click("Delete")
    at.sees("Are you sure you want to delete this template? This action cannot be undone.")
    at.state("templates", "delete-question")
    at.sheet.get_by_role("button", name="Cancel").click()
    assert "News" in templates(at)
    at.click("Delete")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Template deleted")
    expect(at.page.get_by_role("tab", name="My Templates (2)")).to_be_visible()
    assert "News" not in templates(at)


@test("A draft stays while another template is written", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Not yet saved")
    at.page.get_by_role("tab", name="Create New").click()
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("")
    at.page.get_by_role("tab", name="My Templates (3)").click()
    edit(at, "News")
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("Not yet saved")


@test("A failed save says why and keeps what was typed", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Typed text")
    at.answer("**/api/communication-templates/*", 500, "Server error. Please try again.", times=1, method="PATCH")
    at.click("Save")
    at.sees("Failed to save changes. Server error. Please try again.")
    at.state("templates", "save-failed")
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("Typed text")
    at.click("Save")
    at.sees("Changes saved")
    assert templates(at)["News"]["body"] == "Typed text"


@test("What was being written is there again after another screen", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="Create New").click()
    at.page.get_by_role("textbox", name="Name", exact=True).fill("Half")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Half a text")
    at.page.get_by_role("navigation").get_by_role("link", name="Documents").click()
    expect(at.page.locator("#count")).to_be_visible()
    at.page.get_by_role("navigation").get_by_role("link", name="Templates").click()
    expect(at.page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Half")
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("Half a text")
    at.page.get_by_role("tab", name="My Templates (3)").click()
    at.page.get_by_role("tab", name="Create New").click()
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("Half a text")


@test("Cancel leaves a template as it was, and forgets the draft", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Other")
    at.click("Cancel")
    edit(at, "News")
    expect(at.page.get_by_role("textbox", name="Body", exact=True)).to_have_value("{{sport}} today")


@test("Templates that do not come are asked for again", stock="empty")
def _(at):
    fill(at)
    at.answer("**/api/communication-templates", 500, "Server error. Please try again.", times=1)
    at.page.goto(SCREEN, wait_until="domcontentloaded")
    at.sees("Server error. Please try again.")
    at.state("templates", "failed")
    at.click("Retry")
    expect(at.page.get_by_role("tab", name="My Templates (3)")).to_be_visible()


@test("Without the service Save is off, what was typed stays, and it is saved later", stock="empty")
def _(at):
    open(at)
    edit(at, "News")
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Typed while away")
    at.context.set_offline(True)
    at.sees("Connection lost")
    expect(at.button("Save")).to_be_disabled()
    at.page.get_by_role("textbox", name="Body", exact=True).fill("Typed while away, more")
    expect(at.button("Save")).to_be_disabled()
    at.state("templates", "offline")
    at.context.set_offline(False)
    at.sees_not("Connection lost")
    expect(at.button("Save")).to_be_enabled()
    at.click("Save")
    at.sees("Changes saved")
    assert templates(at)["News"]["body"] == "Typed while away, more"


@test("An empty form stays off when the service comes back", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="Create New").click()
    at.context.set_offline(True)
    at.sees("Connection lost")
    at.context.set_offline(False)
    at.sees_not("Connection lost")
    expect(at.button("Save")).to_be_disabled()


@test("The screen is there within a second on a phone's network, and fits 360 pixels", stock="empty", **PHONE)
def _(at):
    fill(at)
    at.open()
    at.network()
    start = time.monotonic()
    at.page.get_by_role("navigation").get_by_role("link", name="Templates").click()
    expect(at.page.get_by_role("tab", name="My Templates (3)")).to_be_visible()
    assert time.monotonic() - start < 1.2
    assert at.overflow() <= 0
    edit(at, "Introduction")
    assert at.overflow() <= 0


@test("The tabs work by the keyboard alone", stock="empty")
def _(at):
    open(at)
    at.page.get_by_role("tab", name="My Templates (3)").focus()
    at.page.keyboard.press("ArrowRight")
    expect(at.page.get_by_role("tab", name="Create New")).to_be_focused()
    expect(at.page.get_by_role("textbox", name="Name", exact=True)).to_be_visible()
    at.page.keyboard.press("ArrowLeft")
    expect(at.page.get_by_role("tab", name="My Templates (3)")).to_be_focused()
