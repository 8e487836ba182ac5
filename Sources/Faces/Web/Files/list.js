// Screen: the list of documents.

import { connection, schools, showOnline } from "./api.js";
import { go, setTitle } from "./app.js";
import { card, signature } from "./card.js";
import { collectionOf, latest } from "./collection.js";
import { h, once, settled } from "./dom.js";
import { askFilters, chips } from "./filters.js";
import { icon } from "./icons.js";
import { complain } from "./messages.js";
import { Query } from "./query.js";
import { size } from "./text.js";

const sorts = { newest: "Newest", oldest: "Oldest", name: "Name", type: "Type", most_shared: "Most Shared" };

/** Opens the sheet for uploads, whose script is not needed for the list. */
async function openUpload() {
  try {
    (await import("./upload.js")).openUpload();
  } catch {
    complain("Unable to open the upload form. Check your connection.", openUpload);
  }
}

/** Asks, then deletes, by a script that is not needed for the list; gives whether the document is gone. */
async function removeDocument(item) {
  try {
    return await (await import("./removing.js")).removeDocument(item);
  } catch {
    complain("Failed to delete document. Please try again.");
    return false;
  }
}

/** Shows the screen; the answer's `leave` ends it. */
export function show(main) {
  setTitle("Documents");
  const screen = new List(main, new Query());
  screen.start();
  return screen;
}

class List {
  constructor(main, query) {
    this.main = main;
    this.query = query;
    latest.query = query;
    this.view = localStorage.getItem("documents.view") === "list" ? "list" : "grid";
    this.collection = collectionOf(query);
    this.ending = new AbortController();
  }

  start() {
    const { signal } = this.ending;
    this.build();
    this.collection.isShown = true;
    this.collection.addEventListener("change", () => this.render(), { signal });
    this.collection.addEventListener("busy", () => this.showActivity(), { signal });
    connection.addEventListener("change", () => connection.isOnline && this.load(), { signal });
    schools().then(() => this.collection.isLoaded && this.render()).catch(() => {});
    if (this.collection.isLoaded) this.render();
    else this.bones = setTimeout(() => this.showBones(), 300);
    // What follows fingers is not needed to show documents, so it comes after them.
    this.load().finally(() => import("./pulling.js").then(({ followPull }) => followPull(this.main, this.load, signal), () => {}));
  }

  leave() {
    this.collection.isShown = false;
    this.ending.abort();
    this.watcher?.disconnect();
    clearTimeout(this.bones);
    document.body.classList.remove("is-asking");
  }

  /** Where the person is: the first document in view, and how far it is from the top. */
  get place() {
    const first = [...this.documents.children].find((node) => node.getBoundingClientRect().bottom > 80);
    return scrollY > 40 && first ? { id: first.dataset.id, top: first.getBoundingClientRect().top } : null;
  }

  /** Goes where the person was. */
  set place(place) {
    const node = place && this.documents.querySelector(`[data-id="${place.id}"]`);
    if (!node) return;
    const align = () => scrollBy({ top: node.getBoundingClientRect().top - place.top, behavior: "instant" });
    // The rows above get their true heights in the frames that follow, unless the person scrolls meanwhile.
    let frames = 20;
    const stop = new AbortController();
    for (const name of ["wheel", "touchstart", "keydown", "mousedown"]) {
      addEventListener(name, () => { frames = 0; }, { passive: true, signal: stop.signal });
    }
    const again = () => {
      if (frames <= 0 || !node.isConnected) { stop.abort(); return; }
      frames -= 1;
      align();
      requestAnimationFrame(again);
    };
    again();
  }

  load = async () => {
    try {
      await this.collection.refresh();
      complain(null);
    } catch (error) {
      if (this.ending.signal.aborted) return;
      clearTimeout(this.bones);
      if (!this.collection.isLoaded) this.documents.replaceChildren();
      complain(error.message, this.load);
    }
  };

  build() {
    this.count = h("p", { id: "count", "aria-live": "polite" }, "\u00a0");
    this.statistics = h("ul.statistics", { tabindex: "0", "aria-label": "Statistics" });
    this.documents = h("ul.documents", { class: this.view });
    this.empty = h("div");
    this.more = h("div.more", {});
    this.main.replaceChildren(
      h("div.activity", { "aria-hidden": "true" }),
      h("div.list-head", {}, h("div", {}, h("h1", {}, "Documents"), this.count)),
      this.statistics, this.bar(), h("div.chips", {}, chips(this.query, this.change)),
      this.documents, this.empty, this.more,
      h("button.add", { type: "button", "data-change": true, "aria-label": "Upload new document", title: "Upload new document", onclick: once(openUpload) },
        icon("add")));
    this.showStatistics();
    this.watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.loadMore(),
      { rootMargin: "1200px" });
    this.watcher.observe(this.more);
  }

  bar() {
    const count = this.query.count;
    const search = h("input", {
      type: "search", "aria-label": "Search documents", placeholder: "Search", value: this.query.filters.get("q") ?? "",
      autocomplete: "off", enterkeyhint: "search",
      oninput: settled(() => this.change(this.query.with("q", search.value.trim()), { replace: true, focus: true }), 300),
    });
    const sort = h("select", {
      "aria-label": "Sort documents",
      onchange: () => {
        localStorage.setItem("documents.sort", sort.value);
        this.change(this.query, { replace: true });
      },
    }, Object.entries(sorts).map(([value, label]) => h("option", { value, selected: value === this.query.sort }, label)));
    const toggle = (view, label) => h("button", {
      type: "button", "aria-label": `${label} view`, title: label, "aria-pressed": String(this.view === view), onclick: () => this.setView(view),
    }, icon(view));
    this.search = search;
    return h("div.bar", {},
      h("button.plain", {
        type: "button", onclick: once(async () => { const next = await askFilters(this.query); if (next) this.change(next); }),
        "aria-label": `Filter documents. ${count} filter${count === 1 ? "" : "s"} active.`,
      }, icon("filter"), h("span.filter-label", {}, "Filter"), count > 0 && h("span.filter-count", {}, String(count))),
      h("div.search", { class: search.value ? "is-open" : null }, icon("search"), search),
      h("span.gap"), sort, h("div.toggle", { role: "group", "aria-label": "View" }, toggle("grid", "Grid"), toggle("list", "List")));
  }

  /** Shows other documents: a new place in the history, but for a search that is still typed. */
  change = (query, { replace = false, focus = false } = {}) => {
    const isSearching = this.query.filters.has("q") && query.filters.has("q");
    const selection = focus ? this.search.selectionStart : null;
    go(query.address, { replace: replace && (isSearching || !focus), keepScroll: focus });
    if (!focus) return;
    const field = document.querySelector(".search input");
    field.focus();
    field.setSelectionRange(selection, selection);
  };

  setView(view) {
    this.view = view;
    localStorage.setItem("documents.view", view);
    this.documents.className = `documents ${view}`;
    for (const button of this.main.querySelectorAll(".toggle button")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-label").toLowerCase().startsWith(view)));
    }
    if (this.collection.isLoaded) this.render();
  }

  render() {
    clearTimeout(this.bones);
    const { items, filtered, total } = this.collection;
    this.count.textContent = `${filtered.toLocaleString("en")} of ${total.toLocaleString("en")} total`;
    this.showStatistics();
    this.showDocuments(items);
    this.empty.replaceChildren(...(items.length ? [] : [total ? this.nothingMatches() : this.nothingYet()]));
    this.more.replaceChildren(...(this.collection.next ? [h("span.unseen", {}, "More documents load as you scroll.")] : []));
    showOnline(this.main);
  }

  /** Changes only the cards that differ, so that focus, pictures and place stay. */
  showDocuments(items) {
    const old = new Map([...this.documents.children].map((node) => [node.dataset.id, node]));
    let place = this.documents.firstElementChild;
    for (const item of items) {
      let node = old.get(item.id);
      old.delete(item.id);
      if (node?.dataset.signature !== signature(item, this.view)) {
        const made = card(item, this.view, this.remove);
        if (node) {
          const hadFocus = node.contains(document.activeElement);
          if (node === place) place = made;
          node.replaceWith(made);
          if (hadFocus) made.querySelector("a")?.focus({ preventScroll: true });
        }
        node = made;
      }
      if (node === place) place = place.nextElementSibling;
      else this.documents.insertBefore(node, place);
    }
    for (const node of old.values()) node.remove();
    for (const node of this.documents.querySelectorAll(":scope > :not([data-id])")) node.remove();
  }

  showStatistics() {
    const sums = this.collection.statistics;
    const statistic = (colour, name, label, value) => h("li.statistic", { class: colour }, h("span", {}, icon(name)),
      h("div", {}, h("p.label", {}, label), h("p.value", {}, sums ? value(sums) : "–")));
    this.statistics.replaceChildren(
      statistic("blue", "document", "Total Documents", ({ total }) => total.toLocaleString("en")),
      statistic("green", "share", "Shared Documents", ({ shared }) => shared.toLocaleString("en")),
      statistic("purple", "pie", "Most Common Type", (sums) => sums.most_common_type_label ?? "None"),
      statistic("orange", "storage", "Total Storage", (sums) => `${size(sums.total_bytes)}${sums.allowed_bytes ? ` of ${size(sums.allowed_bytes)}` : ""}`));
  }

  showBones() {
    const bone = () => h("li", { "aria-hidden": "true" }, this.view === "grid"
      ? [h("div.picture.grid", {}, h("div.bone")), h("div.bones", {}, h("div.bone"), h("div.bone"))]
      : h("div.card", {}, h("div.picture.list", {}, h("div.bone")), h("div.card-text", {}, h("div.bone"), h("div.bone"))));
    this.documents.replaceChildren(...Array.from({ length: 12 }, bone));
  }

  nothingYet() {
    return h("div.empty", {}, icon("document"), h("h2", {}, "No documents yet"),
      h("p.muted", {}, "Upload videos, transcripts, and other documents to share with coaches"),
      h("button.primary", { type: "button", "data-change": true, onclick: once(openUpload) }, icon("upload"), "Upload Document"));
  }

  nothingMatches() {
    return h("div.empty", {}, icon("search"), h("h2", {}, "No documents match"),
      h("p.muted", {}, "No document matches the search and filters."),
      h("button.primary", {
        type: "button", onclick: () => this.change(this.query.with("q").with("type").with("school").with("shared")),
      }, "Clear filters"));
  }

  showActivity() {
    document.body.classList.toggle("is-asking", this.collection.isBusy && this.collection.isLoaded);
  }

  remove = once(async (item) => { if (await removeDocument(item)) this.collection.drop(item.id); });

  loadMore = async () => {
    if (!this.collection.isLoaded || !connection.isOnline) return;
    try {
      await this.collection.more();
      // The place for more may still be in view after a short page.
      this.watcher.unobserve(this.more);
      if (this.collection.next) this.watcher.observe(this.more);
    } catch (error) {
      complain(error.message, this.loadMore);
    }
  };
}
