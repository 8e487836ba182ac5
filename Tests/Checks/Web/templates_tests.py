"""Communication templates."""

from playwright.sync_api import expect

from check import PHONE, test

ADDRESS = "/settings/communication-templates"


@test("Without templates the screen says so")
def _(at):
    at.open(ADDRESS, wait=False)
    at.sees("No templates found")
    at.state("templates", "empty")


@test("A template is written, counted, changed and deleted")
def _(at):
    at.open(ADDRESS, wait=False)
    at.page.get_by_role("tab", name="Create New").click()
    save = at.button("Save")
    expect(save).to_be_disabled()
    at.page.get_by_role("textbox", name="Name", exact=True).fill("First contact")
    at.page.get_by_label("Body").fill("Dear ")
    at.click("{{coach_name}}")
    expect(at.page.get_by_label("Body")).to_have_value("Dear {{coach_name}}")
    at.page.get_by_label("Body").press_sequentially(", {{other}}")
    at.sees("Not a known variable: {{other}}.")
    at.state("templates", "editor")
    save.click()
    at.sees("Template created")
    expect(at.page.get_by_role("tab", name="My Templates (1)")).to_be_visible()
    at.state("templates", "list")
    at.click("Edit First contact")
    at.page.get_by_role("textbox", name="Name", exact=True).fill("Second contact")
    at.button("Save").click()
    at.sees("Changes saved")
    at.click("Edit Second contact")
    at.button("Delete").click()
    at.sees("Are you sure you want to delete this template? This action cannot be undone.")
    at.state("templates", "delete-question")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Template deleted")
    at.sees("No templates found")


@test("An error while templates are loaded is told, with Retry", **PHONE)
def _(at):
    at.answer("**/api/communication-templates", 500, "The service says why.", times=1)
    at.open(ADDRESS, wait=False)
    at.sees("The service says why.")
    assert at.overflow() <= 0
    at.state("templates", "failed")
    at.click("Retry")
    at.sees("No templates found")
