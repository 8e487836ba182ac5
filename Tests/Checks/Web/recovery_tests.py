"""What comes by mail: a new password, and the confirmation of an address."""

from playwright.sync_api import expect

from check import test
from stock import ADA, PASSWORD

NEW = "battery staple"


def sign_in(at, password, email=ADA):
    at.page.get_by_label("Email").fill(email)
    at.page.get_by_label("Password *", exact=True).fill(password)
    at.page.get_by_role("button", name="Sign in", exact=True).click()


@test("A forgotten password is replaced by a mailed link, which works once, and other sessions end", stock="people")
def _(at):
    at.service.start_again_with_mail()
    at.service.sign_in(ADA, PASSWORD)
    at.open("/signin", wait=False)
    at.page.get_by_role("link", name="Forgot password?").click()
    at.state("recovery", "forgot")
    at.page.get_by_label("Email").fill(ADA)
    at.click("Send me a link")
    at.sees(f"If {ADA} has an account, a link is on its way.")
    at.state("recovery", "mailed")
    at.step("mailed")
    subject, link = at.service.mail(1)
    assert subject == "Set a new password" and link.startswith(at.service.address + "/reset#"), (subject, link)
    at.page.goto("about:blank")
    at.page.goto(link)
    at.state("recovery", "reset")
    at.step("reset")
    at.page.get_by_label("New password").fill("short")
    at.click("Set password and sign in")
    at.sees("Password must be at least 8 characters")
    at.page.get_by_label("New password").fill(NEW)
    at.click("Set password and sign in")
    expect(at.page).to_have_url(at.service.address + "/documents")
    expect(at.cards).to_have_count(3)
    assert at.service.mail(2)[0] == "Your password was changed"
    # The session from before has ended; the link is spent.
    at.page.wait_for_timeout(1200)
    try:
        at.service.ask("/api/documents")
        raise AssertionError("the old session goes on")
    except RuntimeError as error:
        assert "401" in str(error)
    at.page.goto("about:blank")
    at.page.goto(link)
    at.page.get_by_label("New password").fill("another horse")
    at.click("Set password and sign in")
    at.sees("This link has ended")
    at.state("recovery", "ended")
    at.step("ended")


@test("Somebody without an account is told the same, and gets no mail", stock="people")
def _(at):
    at.service.start_again_with_mail()
    at.open("/forgot", wait=False)
    at.page.get_by_label("Email").fill("nobody@example.org")
    at.click("Send me a link")
    at.sees("If nobody@example.org has an account, a link is on its way.")
    at.page.wait_for_timeout(1000)
    assert not (at.service.folder / "mail/1.eml").exists()


@test("A new person confirms the address by a button on the mailed link's page, and then signs in", stock="nobody")
def _(at):
    at.service.start_again_with_mail()
    at.open("/signin", wait=False)
    at.page.get_by_role("tab", name="Create account").click()
    at.page.get_by_label("Email").fill("cleo@example.org")
    at.page.get_by_label("Password *", exact=True).fill(PASSWORD)
    at.page.get_by_role("button", name="Create account", exact=True).click()
    at.sees("We have sent a link to cleo@example.org.")
    at.state("signin", "confirm")
    at.step("confirm sent")
    at.click("Back to sign in")
    sign_in(at, PASSWORD, "cleo@example.org")
    at.sees("Confirm your email first. We have sent you a link.")
    subject, link = at.service.mail(1)
    assert subject == "Confirm your email"
    # Opening the page alone confirms nothing.
    at.page.goto(link)
    at.sees("One more step, and your account is ready.")
    at.state("recovery", "confirm")
    at.page.goto("/signin")
    sign_in(at, PASSWORD, "cleo@example.org")
    at.sees("Confirm your email first.")
    at.page.goto(link)
    at.click("Confirm")
    at.sees("Sign in as cleo@example.org")
    at.state("recovery", "confirmed")
    at.step("confirmed")
    at.page.get_by_role("link", name="Sign in").click()
    sign_in(at, PASSWORD, "cleo@example.org")
    at.sees("No documents yet")


@test("Who signs up with an address that has an account is told the same; its owner is written", stock="people")
def _(at):
    at.service.start_again_with_mail()
    at.open("/signin?new", wait=False)
    at.page.get_by_label("Email").fill(ADA)
    at.page.get_by_label("Password *", exact=True).fill("somebody else's")
    at.page.get_by_role("button", name="Create account", exact=True).click()
    at.sees(f"We have sent a link to {ADA}.")
    assert at.service.mail(1)[0] == "You already have an account"
    at.page.goto("/signin")
    sign_in(at, PASSWORD)
    expect(at.cards).to_have_count(3)


@test("A service without mail offers no link for a forgotten password", stock="people")
def _(at):
    at.open("/signin", wait=False)
    at.page.wait_for_timeout(500)
    expect(at.page.get_by_role("link", name="Forgot password?")).to_have_count(0)
    at.open("/forgot", wait=False)
    at.page.get_by_label("Email").fill(ADA)
    at.click("Send me a link")
    at.sees("This service sends no email. Ask whoever runs it for a new password.")
