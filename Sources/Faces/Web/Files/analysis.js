// A search that is under way, step by step; and one that has failed.

import { setTitle } from "./app.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { sampleButton } from "./resume.js";
import { addressOf, summaryOf } from "./searches.js";

/** The steps in their order: what runs, and what is over. */
const steps = [
  ["stored", "Storing your file", "File stored"],
  ["read", "Reading its text", "Text read"],
  ["profiled", "Making your profile", "Profile made"],
  ["searched", "Searching jobs", "Jobs searched"],
];

/** Between two questions where the service does not tell by itself, in milliseconds. */
const pauseTime = 2000;
/** How long the first event may take before the service is asked instead. */
const patience = 4000;

/**
 * Shows the steps as they happen.
 *
 * @param {object} handlers `over(summary)` once the search has ended, `gone()` where there is none any more; `signal` ends all
 */
export function showAnalysis(main, search, summary, { signal, over, gone }) {
  setTitle("Analyzing");
  const rows = steps.map(() => h("li"));
  const bar = h("progress", { max: steps.length, "aria-label": "Steps of the search" });
  const said = h("p.unseen", { role: "status" });
  main.replaceChildren(h("div.analysis.panel", {},
    h("h1", { tabindex: "-1" }, "Analyzing your résumé"),
    h("p.muted", {}, "This takes some seconds. You may leave the page: the search goes on, and is on the upload page when you come back."),
    bar, h("ol.steps", {}, rows), said,
    h("div.actions", {}, h("a.button.plain", { href: "/jobs" }, "Back to the upload"))));
  let shown = -1;
  const tell = (next) => {
    const done = steps.findIndex(([name]) => name === next.step) + 1;
    if (done !== shown) {
      bar.value = done;
      rows.forEach((row, index) => showStep(row, index, done));
      if (shown >= 0 && done > 0) said.textContent = `${steps[done - 1][2]}. ${done} of ${steps.length} steps done.`;
      shown = done;
    }
    if (next.status !== "processing") over(next);
  };
  tell(summary);
  follow(search, tell, gone, signal);
}

function showStep(row, index, done) {
  const state = index < done ? "done" : index === done ? "running" : "waiting";
  row.className = state;
  row.toggleAttribute("aria-current", false);
  if (state === "running") row.setAttribute("aria-current", "step");
  row.replaceChildren(h("span.step-mark", { "aria-hidden": "true" }, state === "done" ? icon("check") : state === "running" ? h("span.spinner") : String(index + 1)),
    h("span", {}, steps[index][state === "done" ? 2 : 1]),
    h("span.unseen", {}, { done: "done", running: "in progress", waiting: "not begun" }[state]));
}

/** Follows a search by the service's events; where they do not come, by asking. */
function follow(search, tell, gone, signal) {
  const source = new EventSource(`/api/public/session/events?token=${encodeURIComponent(search.token)}`);
  let isOver = false;
  const take = (summary) => {
    if (isOver || signal.aborted) return;
    isOver = summary.status !== "processing";
    if (isOver) source.close();
    tell(summary);
  };
  let isAsking = false;
  const ask = async () => {
    clearTimeout(doubt);
    source.close();
    if (isAsking) return;
    isAsking = true;
    while (!isOver && !signal.aborted) {
      try {
        take(await summaryOf(search));
      } catch (error) {
        if (signal.aborted) return;
        if (error.status === 404) return gone();
        // A lost connection stands in the banner; the search goes on meanwhile.
      }
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, pauseTime));
    }
  };
  const doubt = setTimeout(ask, patience);
  signal.addEventListener("abort", () => { clearTimeout(doubt); source.close(); });
  source.addEventListener("message", ({ data }) => {
    clearTimeout(doubt);
    take(JSON.parse(data));
  });
  source.addEventListener("error", () => { if (!isOver && !signal.aborted) ask(); });
}

/** Shows why a search has failed, and what to do: another file, or a profile that the person fills in. */
export function failure(main, search, { error_message: message }) {
  setTitle("Search failed");
  main.replaceChildren(h("div.analysis.panel.failed", {},
    h("div.failed-mark", {}, icon("warning")),
    h("h1", { tabindex: "-1" }, "This résumé could not be used"),
    h("p", { role: "alert" }, message ?? "Something went wrong while the file was read. Send it again; if it fails once more, save it as a PDF and send that."),
    h("p.muted", {}, "Or go on without a file that can be read: jobs are searched with what you fill in."),
    h("div.actions", {}, sampleButton(), h("a.button.plain", { href: addressOf(search, "/jobs/profile") }, icon("person"), "Fill in your profile yourself"),
      h("a.button.primary", { href: "/jobs" }, icon("upload"), "Choose another file"))));
}
