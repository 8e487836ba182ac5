// Screen: the dashboard: a person's searches, and what they have found.

import { connection, showOnline } from "./api.js";
import { setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, say, sure } from "./messages.js";
import {
  addressOf, askJobs, countMatches, forgetJobs, forgetOwned, hasDashboard, knownSearches, learnWho, ofDashboard, removeSearch,
} from "./searches.js";
import { session } from "./session.js";
import { dateTime } from "./text.js";

const lost = "Unable to load your searches. Check your connection.";

/** What the service said last, and to whom: there at once on the next visit. */
let latest = null;

/** Shows the screen; the answer's `leave` ends it. */
export function show(main) {
  setTitle("Dashboard");
  const screen = new Dashboard(main);
  screen.start();
  return screen;
}

class Dashboard {
  constructor(main) {
    this.main = main;
    this.ending = new AbortController();
  }

  start() {
    const { signal } = this.ending;
    this.content = h("div.dashboard-content");
    this.main.replaceChildren(h("div.dashboard", {}, h("h1", { tabindex: "-1" }, "Dashboard"), this.content));
    connection.addEventListener("change", () => connection.isOnline && this.load(), { signal });
    if (latest && latest.owner === session.account?.id && hasDashboard()) this.render();
    else this.bones = setTimeout(() => this.showBones(), 300);
    this.load();
  }

  leave() {
    this.ending.abort();
    clearTimeout(this.bones);
  }

  load = async () => {
    const { signal } = this.ending;
    try {
      await learnWho();
      if (!hasDashboard()) return this.showSignedOut();
      const owner = session.account?.id;
      const answer = await askJobs("/api/me/dashboard", { lost });
      latest = { owner, answer };
      if (signal.aborted) return;
      complain(null);
      this.render();
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 401) return this.showSignedOut();
      if (!latest) this.content.replaceChildren();
      complain(error.message, this.load);
    } finally {
      clearTimeout(this.bones);
    }
  };

  render() {
    const { total_searches: searches, total_jobs_found: jobs, avg_jobs_per_search: average, recent_sessions: recent } = latest.answer;
    if (!searches) return this.content.replaceChildren(this.nothingYet());
    const sum = (label, value) => h("li.panel.sum", {}, h("p.label", {}, label), h("p.value", {}, value));
    this.content.replaceChildren(
      h("ul.sums", { "aria-label": "Sums" }, sum("Searches", searches.toLocaleString("en")), sum("Jobs found", jobs.toLocaleString("en")),
        sum("Average per search", average.toLocaleString("en", { maximumFractionDigits: 1 }))),
      h("div.part-head", {}, h("h2", {}, "Recent searches"),
        h("button.quiet.danger-text", { type: "button", "data-online": true, onclick: once(() => this.removeAll()) }, icon("delete"), "Delete all")),
      h("ul.recent", {}, recent.map((item) => this.row(item))),
      h("div.results-more", {}, h("button.plain", {
        type: "button", "data-online": true, hidden: latest.isWhole || recent.length >= searches, onclick: once(() => this.showMore()),
      }, `Show more (${(searches - recent.length).toLocaleString("en")} left)`)));
    showOnline(this.content);
  }

  /** Adds the searches before those that are shown. */
  showMore = async () => {
    const { recent_sessions: shown } = latest.answer;
    try {
      const answer = await askJobs(`/api/me/dashboard?offset=${shown.length}`, { lost });
      if (this.ending.signal.aborted) return;
      complain(null);
      const known = new Set(shown.map(({ id }) => id));
      const more = answer.recent_sessions.filter(({ id }) => !known.has(id));
      latest = { ...latest, isWhole: !more.length, answer: { ...answer, recent_sessions: [...shown, ...more] } };
      this.render();
      this.content.querySelectorAll(".recent-row")[shown.length]?.querySelector("a, button").focus();
    } catch (error) {
      if (!this.ending.signal.aborted) complain(error.message, this.showMore);
    }
  };

  row(item) {
    const title = item.title || "Résumé without a job title";
    const when = dateTime(item.created_at);
    return h("li.panel.recent-row", {},
      h("div.recent-text", {},
        h("h3", { dir: "auto" }, item.view_token ? h("a", { href: addressOf(item) }, title) : title),
        h("p.muted", {}, when),
        h("p.recent-counts", {}, h("span.badge.grey", {}, countMatches(item.total_jobs)),
          h("span.badge.green", {}, `${item.direct_count} direct`), h("span.badge.orange", {}, `${item.adjacent_count} adjacent`))),
      h("button.quiet.round.danger-text", {
        type: "button", "data-online": true, "aria-label": `Delete search ${title}, ${when}`, title: "Delete", onclick: once(() => this.remove(item)),
      }, icon("delete")));
  }

  async remove(item) {
    const isSure = await sure("Delete this search?", "Its file, profile and matches are deleted for good. This cannot be undone.", "Delete");
    if (!isSure) return;
    try {
      await removeSearch(ofDashboard(item));
    } catch (error) {
      return complain(error.message, () => this.remove(item));
    }
    say("Search deleted");
    await this.load();
    this.main.querySelector("h1").focus({ preventScroll: true });
  }

  async removeAll() {
    if (!await removeAllSearches()) return;
    await this.load();
    this.main.querySelector("h1").focus({ preventScroll: true });
  }

  nothingYet() {
    return h("div.empty", {}, icon("bag"), h("h2", {}, "No searches yet"), h("p.muted", {}, "Give your résumé, and the jobs that fit it are listed here."),
      h("a.button.primary", { href: "/jobs" }, icon("upload"), "Start a search"));
  }

  showSignedOut() {
    latest = null;
    clearTimeout(this.bones);
    complain(null);
    const isElsewhere = session.auth === "tokens";
    this.content.replaceChildren(h("div.empty", {}, icon("person"), h("h2", {}, isElsewhere ? "You sign in elsewhere" : "Sign in to see your searches"),
      h("p.muted", {}, isElsewhere ? "Open your dashboard in the app where you have your account."
        : "The dashboard lists the searches of your account, on every device. Your last search without an account is on the upload page."),
      !isElsewhere && h("a.button.primary", { href: "/signin?next=/jobs/dashboard" }, "Sign in"), h("a.button.plain", { href: "/jobs" }, "Search without an account")));
  }

  showBones() {
    this.content.replaceChildren(h("div.bones", { "aria-hidden": "true" },
      h("div.sums", {}, Array.from({ length: 3 }, () => h("div.panel", {}, h("div.bone"), h("div.bone")))),
      Array.from({ length: 3 }, () => h("div.panel", {}, h("div.bone"), h("div.bone")))));
  }
}

/** Asks, then deletes every search of the person's account, and those of this browser that are nobody's; gives whether they are gone. */
export async function removeAllSearches() {
  const others = () => knownSearches().filter(({ owner }) => !owner);
  const also = others().length && session.account ? "All your résumés, profiles and matches, also those of this browser without an account,"
    : "All your résumés, profiles and matches";
  const isSure = await sure("Delete all searches?", `${also} are deleted for good. This cannot be undone.`, "Delete all");
  if (!isSure) return false;
  try {
    await askJobs("/api/me/searches", { method: "DELETE", lost: "Unable to delete your searches. Check your connection." });
    for (const search of others()) await removeSearch(search);
  } catch (error) {
    complain(error.message, removeAllSearches);
    return false;
  }
  latest = null;
  forgetOwned();
  forgetJobs();
  say("All searches deleted");
  return true;
}
