// What a search has found: "Your Job Matches".

import { connection, showOnline } from "./api.js";
import { go, setTitle } from "./app.js";
import { h, once, settled } from "./dom.js";
import { icon } from "./icons.js";
import { complain, say, sure } from "./messages.js";
import { reasonsPart } from "./reasons.js";
import { addressOf, countMatches, jobsOf, loadedJobs, removeSearch } from "./searches.js";

/** How many jobs are shown at a time. */
const pageSize = 50;

/** A text in the form in which it is compared: without case and accents. */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The matches of a search: shown by the address's `scope`, `remote` and `q`. */
export class Matches {
  shown = pageSize;
  cards = new Map();

  /** @param {function} gone is called where the search has ended */
  constructor(main, search, signal, gone) {
    Object.assign(this, { main, search, signal, gone });
    const values = new URLSearchParams(location.search);
    this.scope = values.get("scope") === "local" ? "local" : "national";
    this.isRemote = values.has("remote");
    this.words = values.get("q") ?? "";
  }

  start() {
    setTitle("Your Job Matches");
    this.build();
    this.render();
    connection.addEventListener("change", () => connection.isOnline && !this.jobs && this.load(), { signal: this.signal });
    this.load();
  }

  /** Where the person is: how many jobs are shown, and how far down. */
  get place() { return { shown: this.shown, top: scrollY }; }

  set place({ shown, top }) {
    this.shown = shown;
    this.render();
    scrollTo({ top, behavior: "instant" });
  }

  /** The jobs of the scope; `null` before they have come. */
  get jobs() {
    const all = loadedJobs(this.search, "national");
    if (!all || this.scope === "national") return all ?? null;
    const near = loadedJobs(this.search, "local");
    if (!near) return null;
    const ids = new Set(near.map(({ id }) => id));
    return all.filter(({ id }) => ids.has(id));
  }

  load = async () => {
    if (this.jobs) return;
    const bones = setTimeout(() => this.showBones(), 300);
    try {
      await Promise.all([jobsOf(this.search, "national"), this.scope === "local" && jobsOf(this.search, "local")]);
      if (this.signal.aborted) return;
      complain(null);
      this.render();
    } catch (error) {
      if (this.signal.aborted) return;
      this.list.replaceChildren();
      if (error.status === 404) this.gone();
      else complain(error.message, this.load);
    } finally {
      clearTimeout(bones);
    }
  };

  build() {
    const { search } = this;
    const choice = (label, onclick) => h("button.pill", { type: "button", onclick }, label);
    this.scopes = {
      national: choice("National", () => this.change({ scope: "national" })),
      local: choice("Local", () => this.change({ scope: "local" })),
    };
    this.places = {
      all: choice("All", () => this.change({ isRemote: false })),
      remote: choice("Remote", () => this.change({ isRemote: true })),
    };
    this.field = h("input", {
      type: "search", "aria-label": "Search in title, company and place", placeholder: "Title, company or place", value: this.words,
      autocomplete: "off", enterkeyhint: "search", oninput: settled(() => this.change({ words: this.field.value.trim() }), 250),
    });
    this.count = h("p.unseen", { role: "status" });
    this.list = h("ul.matches");
    this.empty = h("div");
    this.more = h("button.plain", { type: "button", hidden: true, onclick: () => this.showMore() });
    this.main.replaceChildren(h("div.results", {},
      h("div.results-head", {},
        h("div", {}, h("h1", { tabindex: "-1" }, "Your Job Matches"), this.sums()),
        h("div.results-actions", {},
          h("a.button.plain", { href: addressOf(search, "/jobs/profile") }, icon("person"), "Your profile"),
          h("a.button.plain", { href: "/jobs" }, icon("add"), "New search"),
          h("button.plain.danger-text", { type: "button", "data-online": true, onclick: once(() => this.remove()) }, icon("delete"), "Delete"))),
      h("div.results-bar", {},
        h("div.pills", { role: "group", "aria-label": "Where" }, this.scopes.local, this.scopes.national),
        h("div.pills", { role: "group", "aria-label": "Kind of work" }, this.places.all, this.places.remote),
        h("div.results-search", {}, icon("search"), this.field)),
      this.count, this.list, this.empty, h("div.results-more", {}, this.more)));
    showOnline(this.main);
  }

  sums() {
    const { title, matches, direct, adjacent, is_corrected: isCorrected } = this.search;
    return h("p.muted", {}, h("span", { dir: "auto" }, title ? `${title} · ` : ""), `${countMatches(matches ?? 0)}: ${direct ?? 0} direct, ${adjacent ?? 0} adjacent`,
      isCorrected && " · by your corrected profile");
  }

  /** Shows other jobs: a new place in the history, but for words that are still typed. */
  change(values) {
    const isTyping = "words" in values && !!this.words;
    Object.assign(this, values, { shown: pageSize });
    const names = new URLSearchParams(addressOf(this.search).split("?")[1]);
    if (this.scope === "local") names.set("scope", "local");
    if (this.isRemote) names.set("remote", "1");
    if (this.words) names.set("q", this.words);
    go(`/jobs?${names}`, { replace: isTyping, keepScreen: true });
    this.render();
    this.load();
  }

  render() {
    const { jobs } = this;
    const words = folded(this.words).split(/\s+/).filter(Boolean);
    const found = (jobs ?? []).filter((job) => {
      const text = folded(`${job.title} ${job.company_name} ${job.location}`);
      return words.every((word) => text.includes(word));
    });
    const remote = found.filter((job) => job.is_remote);
    this.name(found.length, remote.length);
    const wanted = this.isRemote ? remote : found;
    const shown = wanted.slice(0, this.shown);
    this.list.replaceChildren(...shown.map((job) => this.card(job)));
    this.more.hidden = shown.length === wanted.length;
    this.more.textContent = `Show more (${(wanted.length - shown.length).toLocaleString("en")} left)`;
    this.empty.replaceChildren(...(jobs && !wanted.length ? [this.nothing(jobs.length)] : []));
    if (jobs) this.count.textContent = `${countMatches(wanted.length)}${shown.length < wanted.length ? `, ${shown.length} shown` : ""}`;
  }

  /** Writes the numbers into the choices, once they are known. */
  name(all, remote) {
    const number = (count) => (count == null ? "" : ` (${count.toLocaleString("en")})`);
    const name = (button, text, isChosen) => {
      button.textContent = text;
      button.setAttribute("aria-pressed", String(isChosen));
    };
    name(this.scopes.national, `National${number(this.search.matches)}`, this.scope === "national");
    name(this.scopes.local, `Local${number(this.search.local)}`, this.scope === "local");
    name(this.places.all, `All${number(this.jobs && all)}`, !this.isRemote);
    name(this.places.remote, `Remote${number(this.jobs && remote)}`, this.isRemote);
  }

  card(job) {
    if (this.cards.has(job.id)) return this.cards.get(job.id);
    const url = job.job_url && URL.parse(job.job_url);
    const address = url && /^https?:$/.test(url.protocol) ? url.href : null;
    const { button, panel } = reasonsPart(job, this.search);
    const card = h("li.panel.match", {},
      h("div.match-head", {}, h("h2", { dir: "auto", tabindex: "-1" }, job.title),
        h("div.match-badges", {},
          job.category === "direct" && h("span.badge.green", {}, "Direct match"),
          job.category === "adjacent" && h("span.badge.orange", {}, "Adjacent"),
          job.is_remote && h("span.badge.sky", {}, "Remote"))),
      job.company_name && h("p.match-company", { dir: "auto" }, job.company_name),
      h("p.muted.match-facts", {},
        job.location && h("span", { dir: "auto" }, icon("pin"), job.location),
        job.posted_at && h("span", {}, job.posted_at)),
      h("div.match-actions", {}, button,
        address ? h("a.button.plain", { href: address, target: "_blank", rel: "noopener noreferrer", "aria-label": `View job: ${job.title}, opens in a new tab` },
          "View job", icon("next")) : h("span.muted", {}, "No link in the posting")), panel);
    this.cards.set(job.id, card);
    return card;
  }

  showMore() {
    const before = this.shown;
    this.shown += pageSize;
    this.render();
    this.list.children[before]?.querySelector("h2").focus();
  }

  /** Why nothing is listed: title and text, and what a button changes; without one the profile is to be checked. */
  fault(total) {
    if (total) return ["Nothing matches", "No match has these words, or it is not remote.", "Show all", { words: "", isRemote: false }];
    if (this.scope === "national") {
      return ["No matches found", "No posting fits this profile at present. Check what was read from your résumé: a job title and skills help most.", null];
    }
    return this.search.has_town === false
      ? ["No matches near you", "Your profile names no town that is known here, so only remote jobs count as near, and there is none. Write it as Columbus, OH.", null]
      : ["No matches near you", "No job lies within 80 km of the town in your profile, and none is remote.", "Show national matches", { scope: "national" }];
  }

  nothing(total) {
    const [title, text, label, change] = this.fault(total);
    return h("div.empty", {}, icon("search"), h("h2", {}, title), h("p.muted", {}, text), label
      ? h("button.primary", { type: "button", onclick: () => {
        if ("words" in change) this.field.value = "";
        this.change(change);
        this.main.querySelector("h1").focus({ preventScroll: true });
      } }, label)
      : h("a.button.primary", { href: addressOf(this.search, "/jobs/profile") }, "Check your profile"));
  }

  showBones() {
    if (!this.jobs) this.list.replaceChildren(...Array.from({ length: 4 }, () =>
      h("li.panel.bones", { "aria-hidden": "true" }, h("div.bone"), h("div.bone"), h("div.bone"))));
  }

  async remove() {
    const isSure = await sure("Delete this search?", "Your file, the profile and all matches are deleted for good. This cannot be undone.", "Delete");
    if (!isSure) return;
    try {
      await removeSearch(this.search);
    } catch (error) {
      return complain(error.message, () => this.remove());
    }
    say("Search deleted");
    go("/jobs", { replace: true });
  }
}
