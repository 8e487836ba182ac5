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
        try:
            first_visit(browser, fifty)
            visits = [first_visit(browser, fifty) for _ in range(ROUNDS)]
            scrolls = [scrolling(browser, many) for _ in range(3)]
        finally:
            fifty.stop()
            many.stop()
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
