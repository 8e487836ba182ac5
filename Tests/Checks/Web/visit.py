"""A page in Chromium over a documentd, and what can be done to both."""

import time
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect

import stock
from relay import Relay

SOURCES = Path(__file__).resolve().parents[3] / "Sources/Faces/Web/Files"
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# A phone on 4G: 9 Mbit/s, 170 ms.
PHONE_NETWORK = {"offline": False, "latency": 170, "downloadThroughput": 9e6 / 8, "uploadThroughput": 9e6 / 8}
expect.set_options(timeout=8000)


class Visit:
    """`page` is Playwright's; `service` the test's own documentd."""

    def __init__(self, browser, service, context, visited, from_sources=False):
        self.service, self.visited, self.from_sources = service, visited, from_sources
        self.relay = Relay(service.address)
        settings = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "locale": "en-US",
                    "timezone_id": "UTC", "color_scheme": "light", "base_url": service.address,
                    "proxy": {"server": self.relay.address, "bypass": "<-loopback>"}} | context
        self.context = browser.new_context(**settings)
        self.session = None
        self.holds = []
        self.step_count = 0
        self.faults, self.expects_fault = [], False
        self.page = self.new_tab()

    def new_tab(self):
        page = self.context.new_page()
        page.set_default_timeout(8000)
        page.on("pageerror", lambda error: self.faults.append(f"a script failed: {error}"))
        page.on("console", lambda message: "Content Security Policy" in message.text and self.faults.append(message.text))
        page.on("request", lambda request: request.url.startswith(("http://", "https://"))
                and not request.url.startswith((self.service.address, *self.service.issuers)) and self.faults.append(f"a request to {request.url}"))
        if self.from_sources:
            self._serve_sources(page)
        return page

    def _serve_sources(self, page):
        page.route("**/assets/**", self._serve_source)
        for screen in ("**/documents", "**/documents?*", "**/documents/*", "**/settings/*", "**/signin", "**/signin?**", "**/account", "**/account?**", "**/shared?**", "**/forgot", "**/reset", "**/confirm", "**/invitation",
                       "**/jobs", "**/jobs?**", "**/jobs/*"):
            page.route(screen, self._serve_page)

    def _serve_source(self, route):
        file = SOURCES / route.request.url.split("/")[-1].split("?")[0]
        if file.exists():
            route.fulfill(path=file, content_type=KINDS[file.suffix])
        else:
            route.continue_()

    def _serve_page(self, route):
        if not route.request.is_navigation_request():
            return route.fallback()
        is_jobs = urlsplit(route.request.url).path.startswith("/jobs")
        text = (SOURCES / ("jobs.html" if is_jobs else "index.html")).read_text().replace("ASSETS", "/assets/source").replace("PRELOADS", "")
        headers = {key: value for key, value in route.fetch().headers.items() if key != "content-encoding"}
        route.fulfill(status=200, headers=headers, body=text)

    def step(self, name):
        """Keeps a picture of the page where run.py has `--steps`."""
        if self.steps:
            self.steps.mkdir(parents=True, exist_ok=True)
            self.step_count += 1
            self.page.screenshot(path=self.steps / f"{self.step_count:02} {name}.png")

    def close(self):
        for release in self.holds:
            release()
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.close()
        self.relay.cut()

    # What a person does and sees.
    def open(self, path="/documents", wait=True):
        self.page.goto(path, wait_until="domcontentloaded")
        if wait:
            expect(self.page.locator("#count").filter(has_text="total").or_(self.page.locator(".detail h1:not(.unseen)"))).to_be_visible()
        return self

    def sign_in(self, email=stock.ADA, password=stock.PASSWORD):
        """Gives the browser a session, as the page for signing in does; requests of the tests go on as its person."""
        answer = self.context.request.post("/api/session", data={"email": email, "password": password},
                                           headers={"origin": self.service.address})
        assert answer.ok, answer.text()
        self.service.sign_in(email, password)
        return self

    def start_again_with_providers(self):
        """Providers sign people in, and the browser reaches them."""
        self.service.start_again_with_providers()
        self.relay.others = {int(issuer.split(":")[-1]) for issuer in self.service.issuers}
        return self

    def end_sessions(self):
        """Ends the browser's session from elsewhere."""
        self.service.ask("/api/account/sessions/others", "DELETE")

    def document(self, title):
        """Opens the detail screen of the document with a title."""
        return self.open("/documents/" + self.find(title)["id"])

    def find(self, title):
        return next(item for item in self.service.all() if item["title"] == title)

    def button(self, name, exact=True):
        return self.page.get_by_role("button", name=name, exact=exact)

    def click(self, name, exact=True):
        self.button(name, exact).first.click()

    def sees(self, text, within=8):
        expect(self.page.get_by_text(text).locator("visible=true").first).to_be_visible(timeout=within * 1000)

    def sees_not(self, text, within=8):
        expect(self.page.get_by_text(text).locator("visible=true")).to_have_count(0, timeout=within * 1000)

    @property
    def cards(self):
        return self.page.locator(".documents > li[data-id]")

    @property
    def sheet(self):
        return self.page.locator("dialog[open]").last

    def titles(self):
        return self.page.locator(".documents > li h2").all_inner_texts()

    def pictures_shown(self):
        """Waits until the pictures in view have come."""
        self.until("""[...document.querySelectorAll(".picture img, .page img, img.stage")].every((image) => {
            const { top, bottom } = image.getBoundingClientRect();
            return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0);
        })""")

    def until(self, expression, within=8):
        """Waits until an expression is true; Playwright's own way needs `eval`, which the page's policy forbids."""
        end = time.monotonic() + within
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            self.page.wait_for_timeout(50)

    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def state(self, screen, state):
        """Notes a state of docs/screens.md as visited, and holds the page against axe-core, light and dark."""
        self.visited.setdefault((screen, state), []).append(self.name)
        # Chromium keeps the old colours of cards out of sight, whose drawing it skips.
        self.page.evaluate("document.querySelectorAll('.documents > li').forEach((node) => node.style.setProperty('content-visibility', 'visible'))")
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            # Colours change within a few frames, which take long on a busy machine.
            for _ in range(4):
                self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
            result = Axe().run(self.page)
            found = [f"{fault['id']} at {[node['target'] for node in fault['nodes'][:3]]}: "
                     f"{fault['nodes'][0].get('failureSummary', '')[:300]}" for fault in result.response["violations"]]
            assert not found, f"axe-core, {screen}/{state}, {scheme}:\n" + "\n".join(found)
        self.page.evaluate("document.querySelectorAll('.documents > li').forEach((node) => node.style.removeProperty('content-visibility'))")
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")

    def answer_no_more(self):
        """Requests reach the service again."""
        self.page.unroute_all(behavior="ignoreErrors")
        if self.from_sources:
            self._serve_sources(self.page)

    # What happens to the network and the service.
    def answer(self, pattern, status, message="The reason.", times=None, method=None):
        """Answers requests in the service's place: all, or the first `times`."""
        left = [times]

        def handle(route):
            if (method and route.request.method != method) or left[0] == 0:
                return route.fallback()
            if left[0] is not None:
                left[0] -= 1
            route.fulfill(status=status, json={"success": False, "code": "test", "message": message})

        self.page.route(pattern, handle)

    def hold(self, pattern):
        """Keeps requests from the service until the function that is returned is called."""
        held, is_released = [], False

        def handle(route):
            route.fallback() if is_released else held.append(route)

        def release():
            nonlocal is_released
            is_released = True
            for route in held:
                try:
                    route.fallback()
                except Error:
                    # The page has given the request up.
                    pass

        self.page.route(pattern, handle)
        self.holds.append(release)
        return release

    def stop_clock(self):
        """Before a page is opened: its timers wait for `pass_time`."""
        self.page.clock.install()
        self.page.clock.pause_at(time.time() + 1)

    def pass_time(self, milliseconds):
        self.page.clock.run_for(milliseconds)

    def start_clock(self):
        self.page.clock.resume()

    def network(self, **conditions):
        """Emulates a network through Chromium's debugging protocol; the phone's where nothing is given."""
        if not self.session:
            self.session = self.context.new_cdp_session(self.page)
            self.session.send("Network.enable")
        self.session.send("Network.emulateNetworkConditions", PHONE_NETWORK | conditions)

    def cut(self):
        """The network is gone, for requests under way too."""
        self.relay.cut()

    def mend(self):
        self.relay.mend()
