// The documents that a list shows, from memory at once and from the service behind it. Viewer and list share one.

import { ask, events } from "./api.js";
import { settled } from "./dom.js";
import { pagePath, pageSize, Query, statisticsPath } from "./query.js";

/** How long what is in memory counts as fresh, in milliseconds. */
const freshTime = 5 * 60_000;

/** The list that was shown last, through which the viewer goes. */
export const latest = { query: new Query("") };

/** Documents by their identities, as they were seen last. */
export const seen = new Map();

/** Documents page by page; fires `change` and `busy`. */
export class Collection extends EventTarget {
  items = [];
  next = null;
  filtered = null;
  total = null;
  statistics = null;
  isBusy = false;
  #loadedAt = 0;
  #more = null;

  constructor(text) {
    super();
    this.text = text;
    this.refreshSoon = settled(() => this.refresh().catch(() => {}), 250);
    for (const name of ["document.stored", "document.changed", "document.deleted", "reopened"]) {
      events.addEventListener(name, () => { this.#loadedAt = 0; if (this.isShown) this.refreshSoon(); });
    }
    for (const name of ["picture.ready", "picture.failed"]) {
      events.addEventListener(name, ({ detail }) => { if (this.isShown) this.renew(detail.id); });
    }
  }

  /** Whether a screen shows it: only then it follows what happens. */
  isShown = false;

  get isLoaded() { return this.filtered !== null; }
  get isFresh() { return Date.now() - this.#loadedAt < freshTime; }

  /** Asks for as many documents as are shown, and for the sums. */
  async refresh() {
    this.#setBusy(true);
    try {
      const wanted = Math.max(pageSize, this.items.length);
      const [pages, statistics] = await Promise.all([this.#pages(wanted), ask(statisticsPath, { lost })]);
      this.items = pages.items;
      Object.assign(this, { next: pages.next, filtered: pages.filtered, total: pages.total, statistics });
      this.#loadedAt = Date.now();
      this.#tell();
    } finally {
      this.#setBusy(false);
    }
  }

  async #pages(wanted) {
    const items = [];
    let page;
    do {
      page = await this.#page(page?.next_cursor, Math.min(200, Math.max(pageSize, wanted - items.length)));
      items.push(...page.documents);
    } while (page.next_cursor && items.length < wanted);
    return { items, next: page.next_cursor, filtered: page.filtered, total: page.total };
  }

  async #page(cursor, limit) {
    const page = await ask(pagePath(this.text, limit, cursor), { lost });
    for (const item of page.documents) seen.set(item.id, item);
    return page;
  }

  /** Adds the next page; several calls at once are one. */
  more() {
    if (!this.next) return Promise.resolve();
    this.#more ??= (async () => {
      try {
        const page = await this.#page(this.next, pageSize);
        const known = new Set(this.items.map((item) => item.id));
        this.items.push(...page.documents.filter((item) => !known.has(item.id)));
        Object.assign(this, { next: page.next_cursor, filtered: page.filtered, total: page.total });
        this.#tell();
      } finally {
        this.#more = null;
      }
    })();
    return this.#more;
  }

  /** Asks again for one document. */
  async renew(id) {
    try {
      this.put(await ask(`/api/documents/${id}`));
    } catch (error) {
      if (error.status === 404) this.refreshSoon();
    }
  }

  /** Takes a newer state of a document. */
  put(item) {
    seen.set(item.id, item);
    const index = this.items.findIndex((other) => other.id === item.id);
    if (index < 0) return;
    this.items[index] = item;
    this.#tell();
  }

  /** Takes a document out, before the service says so. */
  drop(id) {
    this.items = this.items.filter((item) => item.id !== id);
    this.#tell();
  }

  /** The place of a document, after loading as much as it takes; -1 where it is not in the collection. */
  async find(id) {
    if (!this.isLoaded) await this.refresh();
    for (;;) {
      const index = this.items.findIndex((item) => item.id === id);
      if (index >= 0 || !this.next) return index;
      await this.more();
    }
  }

  #setBusy(isBusy) {
    this.isBusy = isBusy;
    this.dispatchEvent(new Event("busy"));
  }

  #tell() { this.dispatchEvent(new Event("change")); }
}

const lost = "Unable to load documents. Check your connection.";
const collections = new Map();

/** The collection of a query; the last few are kept. */
export function collectionOf(query) {
  let found = collections.get(query.text);
  if (!found) {
    found = new Collection(query.text);
    collections.set(query.text, found);
    if (collections.size > 8) collections.delete(collections.keys().next().value);
  }
  return found;
}
