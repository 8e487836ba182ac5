"""JobMatchNow: the profile and its correction, the dashboard and the settings."""

import json
import re

from playwright.sync_api import expect

from check import PHONE, test
from jobs_tests import begun, matches, search, upload_page


def profile(at):
    kept = search(at)
    at.page.get_by_role("link", name="Your profile").click()
    at.sees("Read from Sample résumé.pdf")
    return kept


def asked(at, path):
    answer = at.context.request.get(path)
    assert answer.ok, answer.text()
    return answer.json()


# The profile

@test("The profile shows what was read, and a correction makes the search again under the same token", stock="jobs")
def _(at):
    kept = profile(at)
    expect(at.page.get_by_label("Name", exact=True)).to_have_value("Zoë Müller-Lüdenscheidt")
    expect(at.page.get_by_label("Job title")).to_have_value("UX Designer")
    expect(at.button("Save and search again")).to_be_disabled()
    at.state("jobs", "profile")
    at.page.get_by_label("Job title").fill("Product Designer")
    at.page.get_by_label("Town").first.fill("Chicago, IL")
    at.page.get_by_label("Add a skill").fill("Sketching, Figma")
    at.page.keyboard.press("Enter")
    at.click("Remove skill Storybook")
    expect(at.page.locator(".skills .chip").filter(has_text="Figma")).to_have_count(1)
    with at.page.expect_request(lambda request: request.method == "PATCH") as sent:
        at.click("Save and search again")
    parts = sent.value.post_data_json["profile"]
    assert sorted(parts) == ["basics", "skills"], parts
    at.sees("Changes saved")
    at.sees("by your corrected profile", within=20)
    expect(matches(at).first).to_be_visible()
    after = json.loads(at.page.evaluate("localStorage.getItem('jobs.searches')"))[0]
    assert after["token"] == kept["token"] and after["is_corrected"], after
    read = asked(at, f"/api/resume/{kept['id']}")["profile"]
    assert read["basics"]["label"]["value"] == "Product Designer" and read["basics"]["label"]["is_corrected"], read["basics"]
    names = [skill["name"]["value"] for skill in read["skills"]]
    assert "Sketching" in names and "Storybook" not in names, names
    at.page.get_by_role("link", name="Your profile").click()
    at.sees("Corrected by you.")
    at.state("jobs", "profile-corrected")


@test("Positions, schools and languages are added, changed and removed, with dates", stock="jobs")
def _(at):
    kept = profile(at)
    before = asked(at, f"/api/resume/{kept['id']}")["profile"]
    at.click("Remove Senior UX Designer")
    at.click("Add a position")
    entry = at.page.locator("[data-list=work] .entry").last
    expect(entry.get_by_label("Position", exact=True)).to_be_focused()
    entry.get_by_label("Position", exact=True).fill("Design Lead")
    entry.get_by_label("From").fill("March 2022")
    at.click("Save and search again")
    at.sees("Write a year or a month: 2021 or 2021-03.")
    expect(entry.get_by_label("From")).to_be_focused()
    at.state("jobs", "profile-fault")
    entry.get_by_label("From").fill("2022-03")
    entry.get_by_label("I work here now").check()
    expect(entry.get_by_label("To", exact=True)).to_be_disabled()
    entry.get_by_label("What you did, a line each").fill("Led three teams\n\nBuilt a system")
    at.click("Add a language")
    at.page.locator("[data-list=languages] .entry").last.get_by_label("Language", exact=True).fill("Danish")
    at.click("Save and search again")
    at.sees("by your corrected profile", within=20)
    read = asked(at, f"/api/resume/{kept['id']}")["profile"]
    assert len(read["work"]) == len(before["work"]), read["work"]
    lead = read["work"][-1]
    assert lead["position"]["value"] == "Design Lead" and lead["is_current"] and lead["startDate"]["value"] == "2022-03", lead
    assert [line["value"] for line in lead["highlights"]] == ["Led three teams", "Built a system"], lead
    assert read["languages"][-1]["language"]["value"] == "Danish"


@test("What the service refuses is told beside its field, and a failed save keeps what was typed", stock="jobs")
def _(at):
    profile(at)
    entry = at.page.locator("[data-list=work] .entry").nth(1)
    entry.get_by_label("To", exact=True).fill("2001")
    at.click("Save and search again")
    at.sees("The end is before the beginning.")
    expect(entry.get_by_label("To", exact=True)).to_be_focused()
    at.page.route("**/api/resume/*", lambda route: route.abort(), times=1)
    at.click("Save and search again")
    at.sees("Connection lost")
    expect(entry.get_by_label("To", exact=True)).to_have_value("2001")
    at.sees_not("Connection lost")
    at.page.get_by_role("link", name="Dashboard").click()
    at.sees("Recent searches")
    at.page.go_back()
    at.sees("Read from")
    expect(at.page.locator("[data-list=work] .entry").nth(1).get_by_label("To", exact=True)).to_have_value("2001")
    expect(at.button("Save and search again")).to_be_enabled()


@test("Who has no right to a profile is told so", stock="jobs", **PHONE)
def _(at):
    begun(at).open("/jobs/profile?search=00000000", wait=False)
    at.sees("No profile here")
    at.state("jobs", "no-profile")
    profile(at)
    assert at.overflow() == 0
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() == 0


@test("Where the profile's town is not known, an empty local list says so, and leads to the profile", stock="jobs")
def _(at):
    kept = search(at)
    answer = at.context.request.patch(f"/api/resume/{kept['id']}", data={"profile": {"basics": {"location": "Nowhere at all"}}})
    assert answer.status == 202, answer.text()
    at.page.route(re.compile(r"/api/public/jobs\?.*scope=local"), lambda route: route.fulfill(json=[]))
    at.open(f"/jobs?search={kept['id'][:8]}&scope=local", wait=False)
    at.sees("Your profile names no town that is known here", within=20)
    at.page.get_by_role("link", name="Check your profile").click()
    at.sees("Read from")


# The dashboard

@test("The dashboard asks who has not signed in to do so", stock="seekers")
def _(at):
    begun(at).open("/jobs/dashboard", wait=False)
    at.sees("Sign in to see your searches")
    at.state("jobs", "dashboard-signed-out")
    at.page.locator(".empty").get_by_role("link", name="Sign in").click()
    at.page.get_by_label("Email").fill("ada@example.org")
    at.page.locator("input[type=password]").fill("correct horse")
    at.page.locator("form").get_by_role("button", name="Sign in", exact=True).click()
    at.sees("No searches yet")
    at.state("jobs", "dashboard-empty")


@test("The dashboard sums a person's searches, opens one in another browser, and deletes one and all", stock="seekers")
def _(at):
    at.sign_in()
    search(at)
    search(at)
    at.page.get_by_role("link", name="Dashboard").click()
    expect(at.page.locator(".sum .value")).to_have_text(["2", "190", "95"])
    rows = at.page.locator(".recent-row")
    expect(rows).to_have_count(2)
    for text in ["UX Designer", "95 matches", "60 direct", "35 adjacent"]:
        expect(rows.first.get_by_text(text, exact=True)).to_be_visible()
    at.state("jobs", "dashboard")
    # Another browser of the same person keeps nothing of these searches.
    at.page.evaluate("localStorage.removeItem('jobs.searches')")
    at.page.reload()
    rows.first.get_by_role("link").click()
    expect(matches(at)).to_have_count(50)
    at.page.reload()
    expect(matches(at)).to_have_count(50)
    at.page.get_by_role("link", name="Dashboard").click()
    at.button("Delete search UX Designer", exact=False).first.click()
    at.sees("Its file, profile and matches are deleted for good. This cannot be undone.")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Search deleted")
    expect(rows).to_have_count(1)
    at.click("Delete all")
    at.sheet.get_by_role("button", name="Delete all").click()
    at.sees("All searches deleted")
    at.sees("No searches yet")


@test("The dashboard shows the searches before its first page when asked", stock="jobs")
def _(at):
    def answer(route):
        offset = int((route.request.url.split("offset=") + ["0"])[1])
        rows = [{"id": f"{number:08d}-0000-4000-8000-000000000000", "title": f"Cook {number}", "created_at": "2026-01-15T10:30:00Z",
                 "total_jobs": 1, "direct_count": 1, "adjacent_count": 0, "view_token": "a"} for number in range(offset, min(offset + 2, 3))]
        route.fulfill(json={"total_searches": 3, "total_jobs_found": 3, "avg_jobs_per_search": 1, "recent_sessions": rows})
    at.page.route("**/api/me/dashboard*", answer)
    begun(at).open("/jobs/dashboard", wait=False)
    rows = at.page.locator(".recent-row")
    expect(rows).to_have_count(2)
    at.click("Show more (1 left)")
    expect(rows).to_have_count(3)
    expect(at.page.get_by_role("link", name="Cook 2")).to_be_focused()
    expect(at.page.get_by_role("button", name="Show more")).to_have_count(0)


@test("Delete all deletes the searches of the account, and those that this browser has made without one", stock="seekers")
def _(at):
    nobodys = search(at)
    at.sign_in()
    own = search(at)
    at.page.get_by_role("link", name="Dashboard").click()
    at.click("Delete all")
    at.sees("also those of this browser without an account")
    at.sheet.get_by_role("button", name="Delete all").click()
    at.sees("All searches deleted")
    for kept in (nobodys, own):
        answer = at.context.request.get(f"/api/public/summary?token={kept['token']}")
        assert answer.status == 404, answer.status
    assert at.page.evaluate("localStorage.getItem('jobs.searches')") == "[]"


@test("A dashboard that does not come has a banner with Retry", stock="jobs")
def _(at):
    search(at)
    at.page.route("**/api/me/dashboard", lambda route: route.fulfill(status=500, json={"error": "test", "message": "Server error. Please try again."}), times=1)
    at.open("/jobs/dashboard", wait=False)
    at.sees("Server error. Please try again.")
    at.state("jobs", "dashboard-failed")
    at.click("Retry")
    at.sees("Recent searches")


# The settings

@test("Settings show the account; logging out leaves nothing of the searches in the browser", stock="seekers")
def _(at):
    at.sign_in()
    kept = search(at)
    at.page.get_by_role("link", name="Settings").click()
    at.sees("ada@example.org")
    at.state("jobs", "settings")
    at.click("Log out")
    at.sees("Find jobs that match you")
    assert at.page.evaluate("localStorage.getItem('jobs.searches')") in (None, "[]")
    expect(at.page.locator(".last-card")).to_have_count(0)
    answer = at.context.request.get(f"/api/resume/{kept['id']}")
    assert answer.status == 404, answer.status


@test("Logging out keeps the searches that are nobody's, which this browser alone can delete", stock="seekers")
def _(at):
    nobodys = search(at)
    at.sign_in()
    search(at)
    at.page.get_by_role("link", name="Settings").click()
    at.click("Log out")
    at.sees("Find jobs that match you")
    kept = json.loads(at.page.evaluate("localStorage.getItem('jobs.searches')"))
    assert [one["id"] for one in kept] == [nobodys["id"]], kept


@test("However many searches are nobody's, the browser keeps each until it has ended", stock="seekers")
def _(at):
    upload_page(at)
    at.page.evaluate("""() => localStorage.setItem("jobs.searches", JSON.stringify(Array.from({ length: 13 }, (_, number) => ({
        id: `${10_000_000 + number}-0000-4000-8000-000000000000`, token: "a", owner: null, status: "failed",
        created_at: "2026-01-15T10:30:00Z", expires_at: number ? "2126-01-15T10:30:00Z" : "2026-01-16T10:30:00Z" }))))""")
    search(at)
    kept = json.loads(at.page.evaluate("localStorage.getItem('jobs.searches')"))
    assert len(kept) == 13 and not any(one["id"].startswith("10000000") for one in kept), kept


@test("Without an account, Delete my searches deletes those of this browser; the introduction can be seen again", stock="seekers")
def _(at):
    first, second = search(at), search(at)
    at.page.get_by_role("link", name="Settings").click()
    at.sees("2 searches of this browser: résumé, profile and matches.")
    at.state("jobs", "settings-signed-out")
    at.click("Delete my searches")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("All searches deleted")
    at.sees("This browser keeps no searches.")
    expect(at.button("Delete my searches")).to_be_disabled()
    for kept in (first, second):
        assert at.context.request.get(f"/api/public/summary?token={kept['token']}").status == 404
    at.click("See the introduction")
    at.sees("Your résumé is enough")


@test("A search made without an account stays the browser's after somebody has signed in, and is not on their dashboard", stock="seekers")
def _(at):
    search(at)
    at.sign_in()
    at.open("/jobs/dashboard", wait=False)
    at.sees("No searches yet")
    upload_page(at)
    at.page.locator(".last-card a").click()
    expect(matches(at)).to_have_count(50)
    at.page.get_by_role("link", name="Your profile").click()
    at.sees("Read from")
