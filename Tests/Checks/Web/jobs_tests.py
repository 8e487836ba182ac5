"""The tab Search of JobMatchNow: first visit, upload, steps, matches and their reasons."""

import json
import re
import time

from playwright.sync_api import expect

from check import PHONE, TOUCH, test
from stock import SAMPLES

RESUMES = SAMPLES / "jobs/resumes"


def begun(at):
    """The introduction has been seen in this browser."""
    at.page.add_init_script("localStorage.setItem('jobs.begun', 'yes')")
    return at


def upload_page(at):
    begun(at).open("/jobs", wait=False)
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Find jobs that match you")


def matches(at):
    return at.page.locator(".match")


def search(at):
    """A search with the service's own résumé, up to its matches."""
    upload_page(at)
    at.click("Use sample resume")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)
    expect(matches(at).first).to_be_visible()
    return json.loads(at.page.evaluate("localStorage.getItem('jobs.searches')"))[0]


def processing(step):
    return {"status": "processing", "step": step, "error_message": None, "matches": None, "direct": None, "adjacent": None, "local": None,
            "title": None, "created_at": "2026-01-15T10:30:00Z", "expires_at": "2126-04-15T10:30:00Z", "is_corrected": False, "has_town": None}


# The first visit

@test("The first visit tells in three pages what it does, then asks to sign in or to go on without, once", stock="seekers")
def _(at):
    at.open("/jobs", wait=False)
    at.sees("Your résumé is enough")
    at.state("jobs", "welcome")
    at.page.get_by_role("link", name="Next").click()
    at.sees("Jobs that fit, with reasons")
    at.page.get_by_role("link", name="Next").click()
    at.sees("You have the last word")
    at.page.go_back()
    at.sees("Jobs that fit, with reasons")
    at.page.go_forward()
    at.click("Get Started")
    at.sees("Keep your searches?")
    at.state("jobs", "choice")
    at.click("Go on without")
    at.sees("Find jobs that match you")
    at.page.reload()
    at.sees("Find jobs that match you")


@test("Get Started leads to signing in, and back to the search", stock="seekers")
def _(at):
    at.open("/jobs", wait=False)
    at.click("Skip")
    at.page.get_by_role("link", name="Sign in").click()
    at.sees("Sign in to see your searches.")
    at.page.get_by_label("Email").fill("ada@example.org")
    at.page.locator("input[type=password]").fill("correct horse")
    at.page.locator("form").get_by_role("button", name="Sign in", exact=True).click()
    at.sees("Find jobs that match you")
    assert at.page.url.endswith("/jobs"), at.page.url


@test("Where nobody has to sign in, Get Started leads to the upload at once", stock="jobless")
def _(at):
    at.open("/jobs", wait=False)
    at.click("Skip")
    at.sees("Find jobs that match you")


# The upload

@test("The upload says what is accepted, and tells a wrong, an empty and a large file beside its field before sending", stock="jobless")
def _(at):
    sent = []
    at.page.on("request", lambda request: request.url.endswith("/api/resume") and sent.append(request.url))
    upload_page(at)
    at.sees("PDF, DOCX or DOC, up to 10 MB")
    assert at.page.locator("#resume-file").get_attribute("accept") == ".pdf,.doc,.docx"
    expect(at.button("Find my matches")).to_be_disabled()
    at.state("jobs", "upload")
    at.page.set_input_files("#resume-file", {"name": "me.txt", "mimeType": "text/plain", "buffer": b"I work"})
    at.sees("Invalid file type. Resume requires .pdf, .doc, .docx.")
    expect(at.page.locator("#resume-drop")).to_have_attribute("aria-invalid", "true")
    expect(at.page.locator("#resume-drop")).to_be_focused()
    at.state("jobs", "upload-fault")
    at.page.set_input_files("#resume-file", {"name": "me.pdf", "mimeType": "application/pdf", "buffer": b""})
    at.sees("This file is empty. Choose another one.")
    at.page.evaluate("""() => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(10_000_001)], "large.pdf"));
        const chooser = document.querySelector("#resume-file"); chooser.files = data.files;
        chooser.dispatchEvent(new Event("change")); }""")
    at.sees("File exceeds 10MB limit. Please compress or choose a smaller file.")
    expect(at.button("Find my matches")).to_be_disabled()
    assert not sent, sent


@test("A résumé is dropped, sent once by two quick clicks, and gives its matches; the address has neither token nor identity", stock="jobs")
def _(at):
    upload_page(at)
    at.page.evaluate("""() => { const data = new DataTransfer(); data.items.add(new File(["a"], "a.pdf"));
        document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true })); }""")
    expect(at.page.locator("body.is-dropping")).to_be_attached()
    at.state("jobs", "dropping")
    at.page.set_input_files("#resume-file", RESUMES / "ux-designer.pdf")
    at.sees("ux-designer.pdf")
    expect(at.button("Find my matches")).to_be_focused()
    at.button("Find my matches").dblclick()
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)
    kept = json.loads(at.page.evaluate("localStorage.getItem('jobs.searches')"))
    assert len(kept) == 1, kept
    assert kept[0]["token"] not in at.page.url and kept[0]["id"] not in at.page.url, at.page.url
    assert kept[0]["matches"] == 95, kept


@test("A DOCX gives matches too", stock="jobs")
def _(at):
    upload_page(at)
    at.page.set_input_files("#resume-file", RESUMES / "accountant.docx")
    at.click("Find my matches")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)


@test("A running upload tells its portion, asks before the page is left, and can be cancelled", stock="jobless")
def _(at):
    upload_page(at)
    at.network(latency=20, uploadThroughput=200_000, downloadThroughput=2e6)
    at.page.set_input_files("#resume-file", {"name": "big.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4\n" + b"x" * 6_000_000})
    at.click("Find my matches")
    expect(at.page.get_by_role("progressbar", name="Uploading big.pdf")).to_be_visible()
    expect(at.page.locator(".sending")).to_contain_text(re.compile(r"[1-9]\d?%"))
    at.state("jobs", "sending")
    asked = []
    at.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    at.page.evaluate("setTimeout(() => location.reload())")
    at.page.wait_for_timeout(500)
    assert asked == ["beforeunload"], asked
    at.click("Cancel")
    expect(at.page.locator(".sending")).to_be_hidden()
    expect(at.button("Find my matches")).to_be_enabled()
    expect(at.button("Find my matches")).to_be_focused()


@test("A refused upload says why beside the file, and a lost one too; the chosen file stays", stock="jobs")
def _(at):
    upload_page(at)
    at.page.set_input_files("#resume-file", RESUMES / "ux-designer.pdf")
    for status, message in [(413, "File exceeds the limit."), (415, "Invalid file type."), (429, "Too many requests. Try again in a minute.")]:
        at.page.route("**/api/resume", lambda route: route.fulfill(status=status, json={"error": "test", "message": message}), times=1)
        at.click("Find my matches")
        at.sees(message)
    at.page.route("**/api/resume", lambda route: route.abort(), times=1)
    at.click("Find my matches")
    at.sees("Upload failed. Check your connection, and send the file again.")
    at.state("jobs", "refused")
    at.click("Find my matches")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)


# The steps

@test("The steps come by the service's events, without asking", stock="jobs")
def _(at):
    upload_page(at)
    asked = []
    at.page.on("request", lambda request: asked.append(request.url.split("?")[0].rsplit("/", 1)[-1]))
    # The first look is a search that has just begun; what follows are the service's own events.
    at.page.route("**/api/public/summary?**", lambda route: route.fulfill(json=processing("stored")), times=1)
    at.click("Use sample resume")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)
    assert asked.count("events") == 1 and asked.count("summary") == 2, asked


@test("Without events the service is asked each 2 s; steps, then matches", stock="jobs")
def _(at):
    upload_page(at)
    times = []
    answers = ["stored", "stored", "read", "profiled"]

    def answer(route):
        times.append(time.monotonic())
        if len(times) > len(answers):
            return route.fallback()
        route.fulfill(json=processing(answers[len(times) - 1]))

    at.page.route("**/api/public/session/events?**", lambda route: route.abort())
    at.page.route("**/api/public/summary?**", answer)
    at.click("Use sample resume")
    at.sees("Analyzing your résumé")
    expect(at.page.locator("[aria-current=step]")).to_contain_text("Reading its text")
    at.state("jobs", "analyzing")
    expect(at.page.locator(".steps .done")).to_have_count(3, timeout=12000)
    expect(at.page.locator(".analysis [role=status]")).to_have_text("Profile made. 3 of 4 steps done.")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=12000)
    gaps = [later - sooner for sooner, later in zip(times[1:4], times[2:5])]
    assert all(1.8 < gap < 4.5 for gap in gaps), gaps


@test("A file without text fails with the reason and what to do, and leads back to the upload", stock="jobs")
def _(at):
    upload_page(at)
    at.page.set_input_files("#resume-file", SAMPLES / "image.pdf")
    at.click("Find my matches")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("This résumé could not be used", timeout=60000)
    expect(at.page.get_by_role("alert").filter(has_text=re.compile("résumé"))).to_be_visible()
    at.state("jobs", "failed-file")
    at.page.get_by_role("link", name="Choose another file").click()
    at.sees("Find jobs that match you")
    expect(at.page.locator(".last-card")).to_have_count(0)


@test("Where no résumé could be read, the profile is filled in by hand, and jobs are searched with it", stock="jobs")
def _(at):
    upload_page(at)
    at.page.set_input_files("#resume-file", SAMPLES / "password.pdf")
    at.click("Find my matches")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("This résumé could not be used", timeout=60000)
    at.page.get_by_role("link", name="Fill in your profile yourself").click()
    at.sees("password.pdf could not be read as a résumé.")
    expect(at.button("Save and search")).to_be_disabled()
    at.state("jobs", "profile-empty")
    at.page.get_by_role("link", name="Back", exact=True).click()
    at.sees("This résumé could not be used")
    at.page.get_by_role("link", name="Fill in your profile yourself").click()
    at.page.get_by_label("Job title").fill("UX Designer")
    at.page.get_by_label("Add a skill").fill("Figma, Wireframing")
    at.page.keyboard.press("Enter")
    at.click("Save and search")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)
    expect(matches(at).first).to_be_visible()
    at.sees("by your corrected profile")
    at.page.get_by_role("link", name="Your profile").click()
    expect(at.page.get_by_label("Job title")).to_have_value("UX Designer")
    expect(at.page.locator("[data-skill=Figma]")).to_be_visible()


# The matches

@test("Matches are counted by place and kind, 50 at a time, with company, place, age, badges and a link", stock="jobs")
def _(at):
    search(at)
    at.sees("UX Designer · 95 matches: ")
    expect(at.button("National (95)")).to_have_attribute("aria-pressed", "true")
    expect(at.button("All (95)")).to_have_attribute("aria-pressed", "true")
    expect(at.button("Remote (31)")).to_be_visible()
    expect(matches(at)).to_have_count(50)
    first = matches(at).first
    for text in ["Saltmarsh Press", "2 days ago", "Direct match", "Remote"]:
        expect(first.get_by_text(text, exact=True)).to_be_visible()
    link = first.get_by_role("link")
    assert link.get_attribute("rel") == "noopener noreferrer" and link.get_attribute("target") == "_blank"
    assert link.get_attribute("href").startswith("https://jobs.example.org/")
    at.state("jobs", "matches")
    at.click("Show more (45 left)")
    expect(matches(at)).to_have_count(95)
    expect(matches(at).nth(50).locator("h2")).to_be_focused()
    expect(at.page.get_by_role("button", name=re.compile("^Show more"))).to_have_count(0)
    expect(at.page.locator(".badge", has_text="Adjacent")).to_have_count(35)
    expect(at.page.get_by_text("No link in the posting")).to_have_count(1)


@test("Place, kind and words narrow the matches; Back takes them away, Reload keeps them", stock="jobs")
def _(at):
    search(at)
    at.click("Remote (31)")
    expect(matches(at)).to_have_count(31)
    at.button(re.compile("^Local"), exact=False).click()
    expect(at.button(re.compile("^Local"), exact=False)).to_have_attribute("aria-pressed", "true")
    expect(at.button("Remote (31)")).to_be_visible()
    at.button(re.compile("^All"), exact=False).click()
    local = matches(at).count()
    assert 31 < local < 95, local
    field = at.page.get_by_label("Search in title, company and place")
    field.press_sequentially("cafe donnees", delay=20)
    expect(at.page.locator(".match-company").filter(has_not_text="Café Données")).to_have_count(0)
    expect(field).to_be_focused()
    count = matches(at).count()
    assert 0 < count < local
    assert "scope=local" in at.page.url and "q=cafe" in at.page.url, at.page.url
    at.page.reload()
    expect(matches(at)).to_have_count(count)
    at.page.go_back()
    expect(matches(at)).to_have_count(local)
    at.page.go_back()
    expect(at.button("Remote (31)")).to_have_attribute("aria-pressed", "true")


@test("Words that no match has say so, and Show all brings the matches back", stock="jobs")
def _(at):
    search(at)
    at.page.get_by_label("Search in title, company and place").fill("zzz")
    at.sees("Nothing matches")
    at.state("jobs", "nothing-matches")
    at.click("Show all")
    expect(matches(at)).to_have_count(50)
    expect(at.page.get_by_label("Search in title, company and place")).to_have_value("")


@test("A profile that no posting fits leads to the profile", stock="jobless")
def _(at):
    upload_page(at)
    at.click("Use sample resume")
    at.sees("No matches found", within=20)
    at.state("jobs", "no-matches")
    at.page.get_by_role("link", name="Check your profile").click()
    at.sees("Read from")


@test("Why this matches you opens summary and bullets, asked once and kept; a failure has Retry", stock="jobs")
def _(at):
    search(at)
    asked = []
    at.page.on("request", lambda request: request.url.endswith("/api/jobs/explanation") and asked.append(1))
    why = at.button("Why this matches you").first
    at.page.route("**/api/jobs/explanation", lambda route: route.fulfill(status=500, json={"error": "test", "message": "Server error. Please try again."}), times=1)
    why.click()
    at.sees("Server error. Please try again.")
    at.state("jobs", "reasons-failed")
    matches(at).first.get_by_role("button", name="Retry").click()
    part = matches(at).first.locator(".reasons")
    expect(part.locator("p").first).to_contain_text("A direct match")
    assert part.locator(":scope > ul > li").count() >= 2
    part.get_by_text("The words behind it").click()
    expect(part.locator("q").first).to_be_visible()
    at.state("jobs", "reasons")
    why.click()
    expect(part).to_be_hidden()
    why.click()
    expect(part).to_be_visible()
    at.click("Remote (31)")
    at.click("All (95)")
    expect(part).to_be_visible()
    assert len(asked) == 2, len(asked)


@test("Coming back from the profile keeps what was shown, and the place", stock="jobs", **TOUCH)
def _(at):
    search(at)
    at.click("Show more (45 left)")
    matches(at).nth(70).scroll_into_view_if_needed()
    place = at.page.evaluate("scrollY")
    assert place > 2000, place
    at.page.evaluate("document.querySelector('.results-actions a').click()")
    at.sees("Read from")
    at.page.go_back()
    expect(matches(at)).to_have_count(95)
    assert abs(at.page.evaluate("scrollY") - place) < 80, (at.page.evaluate("scrollY"), place)


# The last search

@test("The last search has a card with its sums that opens it again, also after a reload", stock="jobs")
def _(at):
    search(at)
    at.page.get_by_role("link", name="New search").click()
    card = at.page.locator(".last-card")
    for text in ["Last Search", "UX Designer", "95", "Matches", "Direct", "Adjacent"]:
        expect(card.get_by_text(text, exact=True)).to_be_visible()
    at.page.reload()
    at.state("jobs", "last-search")
    card.get_by_role("link", name="Open results: UX Designer, 95 matches").click()
    expect(matches(at)).to_have_count(50)


@test("A service that is stopped keeps the card; its results come by themselves once it is back", stock="jobs")
def _(at):
    search(at)
    at.open("/jobs", wait=False)
    at.sees("Last Search")
    at.page.wait_for_timeout(500)
    at.service.stop()
    at.page.locator(".last-card a").click()
    at.sees("Connection lost")
    at.sees("Your matches are out of reach")
    at.sees("95 matches")
    at.state("jobs", "unreachable")
    at.service.start()
    expect(matches(at)).to_have_count(50, timeout=15000)
    expect(at.page.locator("#banner")).to_be_empty()


@test("A search that has ended says so, and its card goes", stock="jobs")
def _(at):
    kept = search(at)
    at.open("/jobs", wait=False)
    at.sees("Last Search")
    at.page.wait_for_timeout(500)
    at.service.ask(f"/api/resume/{kept['id']}", "DELETE")
    at.page.locator(".last-card a").click()
    at.sees("This search is gone")
    at.state("jobs", "gone")
    at.page.get_by_role("link", name="Start a new search").click()
    at.sees("Find jobs that match you")
    expect(at.page.locator(".last-card")).to_have_count(0)
    kept = search(at)
    at.service.ask(f"/api/resume/{kept['id']}", "DELETE")
    at.open("/jobs", wait=False)
    at.sees("Your last search has ended, and was removed from this browser.")
    assert at.page.evaluate("localStorage.getItem('jobs.searches')") == "[]"


@test("Delete asks, then removes the search with its token", stock="jobs")
def _(at):
    kept = search(at)
    at.click("Delete")
    at.sees("Your file, the profile and all matches are deleted for good. This cannot be undone.")
    at.state("jobs", "delete-question")
    at.sheet.get_by_role("button", name="Cancel").click()
    at.click("Delete")
    at.sheet.get_by_role("button", name="Delete").click()
    at.sees("Search deleted")
    at.sees("Find jobs that match you")
    answer = at.context.request.get(f"/api/public/summary?token={kept['token']}")
    assert answer.status == 404, answer.status


@test("Slow answers show a skeleton after 300 ms", stock="jobs")
def _(at):
    search(at)
    release = at.hold("**/api/public/summary?**")
    at.page.reload(wait_until="domcontentloaded")
    expect(at.page.locator(".bone").first).to_be_visible()
    at.state("jobs", "skeleton")
    release()
    expect(matches(at)).to_have_count(50)


@test("Matches that do not come have a banner with Retry", stock="jobs")
def _(at):
    search(at)
    at.page.route("**/api/public/jobs?**", lambda route: route.fulfill(status=500, json={"error": "test", "message": "Server error. Please try again."}), times=1)
    at.page.reload()
    at.sees("Server error. Please try again.")
    at.state("jobs", "failed")
    at.click("Retry")
    expect(matches(at)).to_have_count(50)


# Phones and keyboards

@test("On a phone nothing is wider than the page, targets are 44 pixels high, and text of 200 % is not cut off", stock="jobs", **PHONE)
def _(at):
    def narrow():
        assert at.overflow() == 0, at.page.url
        small = at.page.evaluate("""[...document.querySelectorAll('main button, main a.button, #top a')].filter((node) => node.offsetParent
            && node.getBoundingClientRect().height < 43.5).map((node) => node.textContent)""")
        assert not small, small

    at.open("/jobs", wait=False)
    at.sees("Your résumé is enough")
    narrow()
    search(at)
    at.button("Why this matches you").first.click()
    at.sees("A direct match")
    narrow()
    at.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert at.overflow() == 0
    at.state("jobs", "large-text")
    for path, text in [("/jobs", "Last Search"), ("/jobs/dashboard", "Recent searches"), ("/jobs/settings", "Your searches")]:
        at.open(path, wait=False)
        at.sees(text)
        narrow()
        at.page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert at.overflow() == 0, path


@test("The whole way works by keyboard: sample, reasons, profile, tabs", stock="jobs")
def _(at):
    upload_page(at)
    press = at.page.keyboard.press
    at.page.locator("#resume-drop").focus()
    press("Tab")
    expect(at.button("Use sample resume")).to_be_focused()
    press("Enter")
    expect(at.page.get_by_role("heading", level=1)).to_have_text("Your Job Matches", timeout=20000)
    expect(matches(at).first).to_be_visible()
    at.page.get_by_label("Search in title, company and place").focus()
    press("Tab")
    expect(at.button("Why this matches you").first).to_be_focused()
    press("Enter")
    expect(matches(at).first.locator(".reasons")).to_contain_text("A direct match")
    outline = at.button("Why this matches you").first.evaluate("(node) => getComputedStyle(node).outlineStyle")
    assert outline == "solid", outline
    at.page.get_by_role("link", name="Dashboard").focus()
    press("Enter")
    at.sees("Recent searches")
    expect(at.page.get_by_role("link", name="Dashboard")).to_have_attribute("aria-current", "page")
    expect(at.page.get_by_role("link", name="Search", exact=True)).not_to_have_attribute("aria-current", "page")
    assert at.page.title() == "Dashboard · JobMatchNow", at.page.title()
