// Which documents a list shows, and the service's addresses of them.

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
