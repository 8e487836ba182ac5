// Which documents a list shows and whose they are, and the service's addresses of them.

const filterNames = ["type", "school", "shared", "q"];

/** Which documents are shown, in which order: the part of an address behind `?`, and the order that is remembered. */
export class Query {
  constructor(search = location.search) {
    const given = new URLSearchParams(search);
    this.filters = new URLSearchParams();
    for (const name of filterNames) if (given.get(name)) this.filters.set(name, given.get(name));
    this.sort = given.get("sort") ?? localStorage.getItem("documents.sort") ?? "newest";
  }

  get types() { return this.filters.get("type")?.split(",").filter(Boolean) ?? []; }

  /** The number of active filters; a choice of several types is one. */
  get count() { return [...this.filters.keys()].length; }

  /** The same with one filter changed; `""` removes it. */
  with(name, value) {
    const changed = new Query(`?${this.filters}`);
    changed.sort = this.sort;
    if (value) changed.filters.set(name, value);
    else changed.filters.delete(name);
    return changed;
  }

  /** For the address of the list. */
  get address() { return this.filters.size ? `/documents?${this.filters}` : "/documents"; }

  /** The viewer's address for a document of this list. */
  viewing(id) {
    const names = new URLSearchParams(this.filters);
    names.set("id", id);
    return `/documents/view?${names}`;
  }

  /** For the service, and the collection's name in memory. */
  get text() {
    const all = new URLSearchParams(this.filters);
    all.set("sort", this.sort);
    return String(all);
  }
}

/** How many documents a list begins with. */
export const pageSize = 50;

/** The service's address of some documents of a query, given by its text: the first ones, or those after a cursor. */
export function pagePath(text, limit, cursor) {
  return `/api/documents?${text}&limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`;
}

/** The service's address of the sums over all documents. */
export const statisticsPath = "/api/documents/statistics";

// For whom this page acts: the person who has signed in, or an athlete whose documents they look after

/**
 * The athlete's identity, or "". The address names it, so that reloads, links and other tabs keep it. Whoever turns to another
 * person's documents gets the page anew.
 */
export const athlete = new URLSearchParams(location.search).get("person") ?? "";

/** Header fields by which the service knows for whom a request is. */
export const actingFields = athlete ? { "Acting-For": athlete } : {};

/** An address of this service, about the person for whom this page acts. */
export function forAthlete(address) {
  if (!athlete || !isAbout(address) || /[?&]person=/.test(address)) return address;
  return `${address}${address.includes("?") ? "&" : "?"}person=${athlete}`;
}

/** Whether an address is about somebody's documents, and not about an account. */
export const isAbout = (address) => /^\/(documents|settings|api\/(?!account|session|shared))/.test(address);

/** Whether a link is about the person for whom this page acts. */
export const isHere = (link) => (new URLSearchParams(link.search).get("person") ?? "") === athlete && (!athlete || isAbout(link.pathname));
