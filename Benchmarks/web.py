"""Times the screens in Chromium over documentd, on the emulated network of a phone, and writes the table of docs/screens.md.

    web.py --programs .build/release

9 Mbit/s, 170 ms round trip; the browser's cache is empty, the service is warm; medians of five visits.
"""

import argparse
import re
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Checks/Web"))

from playwright.sync_api import sync_playwright  # noqa: E402

import stock  # noqa: E402
from service import Service  # noqa: E402
from visit import PHONE_NETWORK  # noqa: E402

TABLE = HERE.parent / "docs/screens.md"
ROUNDS = 5
PHONE = {"viewport": {"width": 390, "height": 800}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
OBSERVER = """
window.seen = { shift: 0, largest: 0, tasks: [] };
const watch = (type, action) => new PerformanceObserver((list) => list.getEntries().forEach(action)).observe({ type, buffered: true });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) window.seen.shift += entry.value; });
watch("largest-contentful-paint", (entry) => { window.seen.largest = entry.startTime; });
watch("longtask", (entry) => { window.seen.tasks.push(entry.duration); });
new MutationObserver(() => {
  if (!window.seen.usable && document.querySelector(".documents > li[data-id] a")) window.seen.usable = performance.now();
}).observe(document, { childList: true, subtree: true });
"""


def visit(browser, service, emulated=True):
    context = browser.new_context(base_url=service.address, **PHONE)
    page = context.new_page()
    page.add_init_script(OBSERVER)
    session = context.new_cdp_session(page)
    if emulated:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", PHONE_NETWORK)
    return context, page, session


def first_visit(browser, service):
    """Milliseconds of one visit with an empty cache, and what the network carried."""
    context, page, _ = visit(browser, service)
    page.goto("/documents")
    page.wait_for_selector(".documents > li[data-id]")
    page.wait_for_timeout(3500)
    seen = page.evaluate("window.seen")
    requests = page.evaluate("""performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
        .map(({ name, startTime, responseEnd, transferSize }) => [name.replace(location.origin, ""), startTime, responseEnd, transferSize])""")
    context.close()
    return seen | {"requests": requests}


# What is seen of a document, and whether it is there.
CONTENTS = {
    "first page of a PDF of 504": ("pages", "!!document.querySelector('.viewer-page.is-drawn')", 1000),
    "picture of 20 megapixels": ("picture", "(document.querySelector('.zoom img') ?? {}).naturalWidth > 100", 1500),
    "first frame of a video": ("video", "(document.querySelector('.film video') ?? {}).readyState >= 2", 3000),
}


WATCH = """() => {
  const isReady = () => READY;
  document.querySelector('a[href^="/documents/view"]').addEventListener("click", () => {
    window.seen.click = performance.now();
    const look = () => {
      if (isReady()) window.seen.content = performance.now() - window.seen.click;
      else requestAnimationFrame(look);
    };
    look();
  });
}"""


def click_to_content(browser, service, document, ready):
    """Milliseconds from a click on "Open viewer" until the content is there, and how many bytes came meanwhile; the browser has
    seen nothing but the document's own screen."""
    context, page, _ = visit(browser, service)
    page.goto("/documents/" + document["id"])
    page.wait_for_selector(".detail h1:not(.unseen)")
    page.wait_for_timeout(4000)
    page.evaluate(WATCH.replace("READY", ready))
    page.get_by_role("link", name="Open viewer").click()
    for _ in range(200):
        page.wait_for_timeout(100)
        if page.evaluate("window.seen.content"):
            break
    seen = page.evaluate("""({ ...window.seen, resources: performance.getEntriesByType("resource")
        .filter(({ startTime }) => startTime >= window.seen.click)
        .map(({ name, startTime, responseEnd, transferSize }) => [name.replace(location.origin, ""), startTime, responseEnd, transferSize]) })""")
    context.close()
    return seen


def contents(browser, service):
    """A row for each kind of content in the viewer."""
    rows = []
    for name, (title, ready, most) in CONTENTS.items():
        document = next(item for item in service.all() if item["title"] == title)
        click_to_content(browser, service, document, ready)
        visits = [click_to_content(browser, service, document, ready) for _ in range(ROUNDS)]
        value = statistics.median(one.get("content", 20_000) for one in visits)
        byte_count = statistics.median(sum(row[3] for row in one["resources"]) for one in visits)
        rows.append((f"{name}, {byte_count / 1000:,.0f} KB", f"{value:.0f} ms", f"under {most:,} ms", value < most))
    return rows


def scrolling(browser, service):
    """The longest task while a thousand documents pass, and how the memory grows once all have been seen."""
    context, page, session = visit(browser, service, emulated=False)
    page.goto("/documents")
    page.wait_for_selector(".documents > li[data-id]")
    page.wait_for_timeout(1000)
    page.evaluate("window.seen.tasks = []")
    for _ in range(600):
        page.mouse.wheel(0, 900)
        page.wait_for_timeout(30)
        if page.locator(".documents > li[data-id]").count() == 1000 and page.evaluate(
                "scrollY + innerHeight > document.documentElement.scrollHeight - 5"):
            break
    tasks = page.evaluate("window.seen.tasks")

    def memory():
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = {row["name"]: row["value"] for row in session.send("Performance.getMetrics")["metrics"]}
        return metrics["JSHeapUsedSize"]

    before = memory()
    for way in (-1, 1) * 3:
        for _ in range(40):
            page.mouse.wheel(0, way * 3000)
            page.wait_for_timeout(20)
    after = memory()
    context.close()
    return max(tasks, default=0), before, after


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="compass-web-") as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        fifty = stock.make("fifty", Service(options.programs, Path(scratch) / "fifty")).start()
        many = stock.make("many", Service(options.programs, Path(scratch) / "many")).start()
        large = stock.make("large", Service(options.programs, Path(scratch) / "large")).start()
        try:
            first_visit(browser, fifty)
            visits = [first_visit(browser, fifty) for _ in range(ROUNDS)]
            scrolls = [scrolling(browser, many) for _ in range(3)]
            opened = contents(browser, large)
        finally:
            for service in (fifty, many, large):
                service.stop()
        version = browser.version
        browser.close()

    def middle(key):
        return statistics.median(one[key] for one in visits)

    growth = statistics.median(after / before - 1 for _, before, after in scrolls)
    rows = [
        ("largest paint", f"{middle('largest'):.0f} ms", "under 1,500 ms", middle("largest") < 1500),
        ("usable: the first document can be opened", f"{middle('usable'):.0f} ms", "under 1,000 ms", middle("usable") < 1000),
        ("layout shift", f"{middle('shift'):.4f}", "under 0.01", middle("shift") < 0.01),
        ("longest task while 1,000 documents scroll by", f"{statistics.median(one for one, _, _ in scrolls):.0f} ms",
         "no task over 50 ms", statistics.median(one for one, _, _ in scrolls) <= 50),
        ("growth of memory over six further passes", f"{growth:+.1%}", "under 10 %", growth < 0.1),
    ]
    lines = [f"Chromium {version.split('.')[0]}, 390 × 800 pixels at density 2, 9 Mbit/s, 170 ms, empty cache; medians of {ROUNDS}.", "",
             "| list of 50 with cached pictures | measured | wanted | |", "|---|---|---|---|"]
    lines += [f"| {name} | {value} | {wanted} | {'met' if good else 'missed'} |" for name, value, wanted, good in rows]
    lines += ["", "| from a click to the content in the viewer, with what is loaded meanwhile | measured | wanted | |", "|---|---|---|---|"]
    lines += [f"| {name} | {value} | {wanted} | {'met' if good else 'missed'} |" for name, value, wanted, good in opened]
    if not all(good for *_, good in rows):
        one = sorted(visits, key=lambda row: row["usable"])[ROUNDS // 2]
        lines += ["", "Requests of the median visit up to the first pictures:", "",
                  "| request | from | to | bytes |", "|---|---|---|---|"]
        requests = sorted(one["requests"], key=lambda row: row[1])[:30]
        lines += [f"| `{re.sub('[0-9a-f-]{16,}', '…', name)[:60]}` | {start:.0f} ms | {end:.0f} ms | {size:,} |"
                  for name, start, end, size in requests if "/api/events" not in name]
    text = TABLE.read_text()
    head, found, _ = text.partition("\n## Speed\n")
    TABLE.write_text(head + "\n## Speed\n\n`make bench-web` writes this section.\n\n" + "\n".join(lines) + "\n")
    print("\n".join(lines))


main()
