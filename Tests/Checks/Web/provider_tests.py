"""Signing in by providers elsewhere: two of oidc-provider-mock, whose people are those of Tests/People/openid/provider.py."""

from playwright.sync_api import expect

from check import PHONE, test
from stock import ADA, PASSWORD


def go(at, person, label="Keycloak"):
    """Goes to a provider from the page for signing in, and agrees there as a person."""
    at.click(f"Continue with {label}")
    agree(at, person)


def agree(at, person):
    at.page.get_by_role("button", name=person, exact=True).click()


def is_at(at, path):
    expect(at.page).to_have_url(at.service.address + path)


def sign_in(at, password=PASSWORD, email=ADA):
    at.page.get_by_label("Email").fill(email)
    at.page.get_by_label("Password *", exact=True).fill(password)
    at.page.get_by_role("button", name="Sign in", exact=True).click()


def row(at, label):
    return at.page.get_by_role("list", name="Ways to sign in").get_by_role("listitem").filter(has_text=label)


def alert(at, text):
    expect(at.page.get_by_role("alert").filter(has_text=text)).to_be_visible()


@test("A new person signs in by a provider without a password, comes back to the page that was opened, and is the same next time", stock="nobody")
def _(at):
    at.start_again_with_providers()
    at.open("/settings/communication-templates", wait=False)
    expect(at.button("Continue with GitLab")).to_be_visible()
    at.state("signin", "providers")
    go(at, "cleo")
    at.sees("Communication Templates")
    is_at(at, "/settings/communication-templates")
    expect(at.page.get_by_role("link", name="Account of Cleo de Mérode")).to_be_visible()
    # What has signed the person in is not in the page's address, and Back does not do it again.
    at.page.get_by_role("link", name="Account of Cleo de Mérode").click()
    at.sees("cleo@example.org")
    at.page.get_by_role("button", name="Sign out", exact=True).first.click()
    at.page.get_by_role("tab", name="Create account").click()
    go(at, "cleo")
    at.sees("No documents yet")
    expect(at.page.get_by_role("link", name="Account of Cleo de Mérode")).to_be_visible()
    cookies = {cookie["name"]: cookie for cookie in at.context.cookies()}
    for name in ("compass-session", "compass-signin"):
        assert cookies[name]["httpOnly"] and cookies[name]["sameSite"] == "Lax", cookies[name]


@test("Who has an account with the address signs in by the password, and connects the provider in the account", stock="people")
def _(at):
    at.start_again_with_providers().open("/signin", wait=False)
    go(at, "ada")
    alert(at, "An account with your email exists already. Sign in with its password, then connect Keycloak on the Account page.")
    expect(at.button("Try again")).to_have_count(0)
    sign_in(at)
    expect(at.cards).to_have_count(3)
    at.open("/account", wait=False)
    expect(row(at, "Keycloak")).to_contain_text("Not connected")
    row(at, "Keycloak").get_by_role("button").click()
    agree(at, "ada")
    at.sees("Keycloak connected")
    is_at(at, "/account")
    expect(row(at, "Keycloak")).to_contain_text(ADA)
    row(at, "GitLab").get_by_role("button").click()
    agree(at, "cleo")
    at.sees("GitLab connected")
    expect(row(at, "GitLab")).to_contain_text("Cleo@Example.org")
    at.state("account", "providers")
    # Signed out, both open the same account.
    for person, label in (("ada", "Keycloak"), ("cleo", "GitLab")):
        at.context.clear_cookies()
        at.open("/signin", wait=False)
        go(at, person, label)
        expect(at.cards).to_have_count(3)
    at.open("/account", wait=False)
    row(at, "Keycloak").get_by_role("button").click()
    at.state("account", "disconnect-question")
    at.sheet.get_by_role("button", name="Disconnect").click()
    at.sees("Keycloak disconnected")
    expect(row(at, "Keycloak")).to_contain_text("Not connected")
    at.context.clear_cookies()
    at.open("/signin", wait=False)
    go(at, "ada")
    alert(at, "An account with your email exists already.")


@test("Who does not agree, or is not told of as it takes, reads why, and can try again", stock="nobody")
def _(at):
    at.start_again_with_providers().open("/signin?next=%2Faccount", wait=False)
    at.click("Continue with Keycloak")
    at.click("Deny")
    alert(at, "You did not agree at Keycloak.")
    at.click("Try again")
    agree(at, "dan")
    alert(at, "Your email is not confirmed at Keycloak.")
    at.state("signin", "provider-fault")
    go(at, "eve")
    alert(at, "Keycloak does not tell us your email.")
    go(at, "cleo")
    at.sees("Where you are signed in")
    is_at(at, "/account")


@test("A login of a provider that opens another account is not connected", stock="people")
def _(at):
    at.start_again_with_providers().open("/signin", wait=False)
    go(at, "cleo")
    at.sees("No documents yet")
    at.sign_in().open("/account", wait=False)
    row(at, "Keycloak").get_by_role("button").click()
    agree(at, "cleo")
    at.sees("You open another account here with this login of Keycloak.")
    is_at(at, "/account")
    expect(row(at, "Keycloak")).to_contain_text("Not connected")


@test("Without a password the last provider stays, until a password is set", stock="nobody")
def _(at):
    at.start_again_with_providers().open("/signin?next=%2Faccount", wait=False)
    go(at, "cleo", "GitLab")
    at.sees("You have none yet.")
    at.state("account", "no-password")
    at.click("Delete account")
    expect(at.sheet.get_by_role("heading", name="Set a password first")).to_be_visible()
    at.sheet.get_by_role("button", name="OK").click()
    row(at, "GitLab").get_by_role("button").click()
    at.sheet.get_by_role("button", name="Disconnect").click()
    at.sees("This is your only way to sign in. Set a password first.")
    at.page.get_by_label("New password").fill("battery staple")
    at.click("Set password")
    at.sees("Password set")
    expect(at.page.get_by_label("Current password")).to_be_visible()
    row(at, "GitLab").get_by_role("button").click()
    at.sheet.get_by_role("button", name="Disconnect").click()
    at.sees("GitLab disconnected")
    at.context.clear_cookies()
    at.open("/signin", wait=False)
    sign_in(at, "battery staple", "cleo@example.org")
    at.sees("No documents yet")


@test("What was begun in one browser is not ended in another, nor twice", stock="nobody")
def _(at):
    at.start_again_with_providers().open("/signin", wait=False)
    back = []
    at.page.on("request", lambda request: "/auth/v1/callback" in request.url and back.append(request.url))
    # The provider sends the person back, and the browser does not get there.
    at.page.route("**/auth/v1/callback?**", lambda route: route.abort())
    at.click("Continue with Keycloak")
    agree(at, "cleo")
    at.page.wait_for_timeout(500)
    assert back, "the provider has sent nobody back"
    other = at.context.browser.new_context(base_url=at.service.address, proxy={"server": at.relay.address, "bypass": "<-loopback>"})
    page = other.new_page()
    page.goto(back[0])
    expect(page.get_by_text("was begun in another browser. Please start again.")).to_be_visible()
    other.close()
    at.page.unroute("**/auth/v1/callback?**")
    at.page.goto(back[0])
    at.sees("No documents yet")
    at.context.clear_cookies(name="compass-session")
    at.page.goto(back[0])
    alert(at, "That took more than ten minutes, or was begun in another browser. Please start again.")


@test("A provider that is away is named, on the page for signing in and in the account", stock="people")
def _(at):
    at.start_again_with_providers()
    at.service.end_providers()
    at.open("/signin", wait=False)
    at.click("Continue with Keycloak")
    alert(at, "Keycloak does not answer. Please try again.")
    at.sign_in().open("/account", wait=False)
    row(at, "GitLab").get_by_role("button").click()
    at.sees("GitLab does not answer. Please try again.")


@test("A session without a password that ends is gone on with in a new tab, and nothing that was typed is lost", stock="nobody")
def _(at):
    at.start_again_with_providers().open("/signin?next=%2Faccount", wait=False)
    go(at, "cleo")
    at.page.get_by_label("Your name").fill("Cleopatra")
    at.context.request.delete("/api/session", headers={"origin": at.service.address})
    at.page.wait_for_timeout(1100)
    at.click("Save name")
    expect(at.sheet.get_by_role("heading", name="Sign in to go on")).to_be_visible()
    at.state("signin", "again-elsewhere")
    with at.context.expect_page() as opened:
        at.sheet.get_by_role("link", name="Sign in another way, in a new tab").click()
    tab = opened.value
    tab.get_by_role("button", name="Continue with Keycloak").click()
    tab.get_by_role("button", name="cleo", exact=True).click()
    expect(tab.get_by_text("No documents yet")).to_be_visible()
    at.sees("Changes saved")
    expect(at.page.get_by_role("heading", name="Cleopatra")).to_be_visible()


@test("The buttons of providers fit a phone and large text, and a service without providers has none", stock="people", **PHONE)
def _(at):
    at.open("/signin", wait=False)
    at.sees("Welcome back")
    at.page.wait_for_timeout(500)
    expect(at.page.get_by_text("Continue with")).to_have_count(0)
    at.sign_in().open("/account", wait=False)
    at.sees("This device")
    expect(at.page.get_by_role("heading", name="Ways to sign in")).to_have_count(0)
    at.context.clear_cookies()
    at.start_again_with_providers().open("/signin", wait=False)
    expect(at.button("Continue with GitLab")).to_be_visible()
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() <= 0
    at.sign_in().open("/account", wait=False)
    expect(row(at, "GitLab")).to_be_visible()
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() <= 0
