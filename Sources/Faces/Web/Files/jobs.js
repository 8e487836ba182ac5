// Screen: the tab Search of JobMatchNow: the upload, a search that is under way, and what it has found.

import { failure, showAnalysis } from "./analysis.js";
import { connection } from "./api.js";
import { setTitle } from "./app.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { Matches } from "./matches.js";
import { complain } from "./messages.js";
import { showUpload } from "./resume.js";
import { countMatches, findSearch, forget, forgetJobs, knownSearches, loadedJobs, nameOf, note, summaryOf } from "./searches.js";
import { isFirstVisit, showWelcome } from "./welcome.js";

/** Shows the screen; the answer's `leave` ends it. */
export function show(main) {
  const values = new URLSearchParams(location.search);
  if (values.get("search")) {
    const screen = new SearchScreen(main, values.get("search"));
    screen.start();
    return screen;
  }
  if (values.get("welcome") || isFirstVisit()) return showWelcome(main, values.get("welcome") ?? "1");
  return showUpload(main);
}

/** One search: its steps while they happen, then its matches. */
class SearchScreen {
  constructor(main, name) {
    this.main = main;
    this.name = name;
    this.ending = new AbortController();
  }

  start() {
    const { signal } = this.ending;
    connection.addEventListener("change", () => connection.isOnline && !this.isShown && this.load(), { signal });
    // What is in memory is there at once, so that Back finds its place.
    const known = knownSearches().find(({ id }) => nameOf(id) === this.name);
    this.search = known ?? null;
    if (known?.status === "completed" && loadedJobs(known, "national")) this.showMatches(known);
    else this.load();
  }

  leave() {
    this.ending.abort();
    clearTimeout(this.bones);
  }

  get place() { return this.matches?.place ?? null; }

  set place(place) { if (this.matches) this.matches.place = place; }

  load = async () => {
    const { signal } = this.ending;
    setTitle("Search");
    clearTimeout(this.bones);
    this.bones = setTimeout(() => this.showBones(), 300);
    try {
      this.search ??= await findSearch(this.name);
      const summary = this.search && await summaryOf(this.search);
      if (signal.aborted) return;
      complain(null);
      if (summary) this.take(summary);
      else this.showGone();
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 404) this.showGone();
      else this.showUnreachable(error);
    } finally {
      clearTimeout(this.bones);
    }
  };

  /** Shows what the service says about the search. */
  take(summary) {
    this.isShown = true;
    note(this.search, summary);
    if (summary.status === "processing") this.showSteps(summary);
    else if (summary.status === "failed") this.showFailure(summary);
    else this.showMatches(this.search);
  }

  showSteps(summary) {
    forgetJobs(this.search);
    showAnalysis(this.main, this.search, summary, {
      signal: this.ending.signal,
      over: async () => {
        // The times of the search come with its summary alone.
        await this.load();
        if (!this.ending.signal.aborted) this.main.querySelector("h1")?.focus({ preventScroll: true });
      },
      gone: () => this.showGone(),
    });
  }

  showFailure(summary) { failure(this.main, this.search, summary); }

  showMatches(search) {
    this.isShown = true;
    this.matches = new Matches(this.main, search, this.ending.signal, () => this.showGone());
    this.matches.start();
  }

  /** The search has ended: its token opens nothing any more. */
  showGone() {
    if (this.search) {
      forgetJobs(this.search);
      forget(this.search);
    }
    this.isShown = true;
    setTitle("Search not found");
    complain(null);
    this.main.replaceChildren(h("div.empty", {}, icon("search"), h("h1", { tabindex: "-1" }, "This search is gone"),
      h("p.muted", {}, "It has expired, was deleted, or belongs to somebody else. It is no longer listed in this browser."),
      h("a.button.primary", { href: "/jobs" }, "Start a new search")));
  }

  showUnreachable(error) {
    const { title, matches } = this.search ?? {};
    this.main.replaceChildren(h("div.empty", {}, icon("warning"), h("h1", { tabindex: "-1" }, "Your matches are out of reach"),
      matches != null && h("p", {}, h("strong", {}, countMatches(matches)), title ? ` for ${title}` : ""),
      h("p.muted", {}, "They are shown as soon as the service answers again."),
      h("a.button.plain", { href: "/jobs" }, "Back to the upload")));
    complain(error.message, this.load);
  }

  showBones() {
    this.main.replaceChildren(h("div.results", {},
      h("h1", { tabindex: "-1" }, "Your Job Matches"), h("p.muted", { role: "status" }, "Loading…"),
      h("div.bones.match-bones", { "aria-hidden": "true" }, Array.from({ length: 4 }, () => h("div.panel", {}, h("div.bone"), h("div.bone"), h("div.bone"))))));
  }
}
