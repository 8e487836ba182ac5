// A PDF in the viewer: pages below each other, drawn by the service, with their text laid over them. Only the pages near the
// eye exist in the document.

import { addressOf } from "./address.js";
import { ask } from "./api.js";
import { h, settled } from "./dom.js";
import { icon } from "./icons.js";
import { session } from "./session.js";

const gap = 12;
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5];
/** The widest picture of a page, in pixels. */
const widest = 2560;

/** Shows a PDF. */
export function make(item, viewer) { return new Pages(item, viewer); }

const pen = document.createElement("canvas").getContext("2d");
pen.font = "100px sans-serif";

/** The factor that makes a word as wide as in the picture, whatever the font is. */
const stretch = (word, width, height) => width / (pen.measureText(word).width * height / 100 || 1);

class Pages {
  zoom = 1;
  shown = new Map();
  tops = [];
  /** Matches of the search, by page. */
  found = new Map();
  hits = [];
  hit = -1;

  constructor(item, viewer) {
    Object.assign(this, { item, viewer, total: item.facts.pageCount });
    this.key = new URL(item.thumbnail_url, location).searchParams.get("content");
    const first = item.facts.pageWidth && item.facts.pageHeight ? item.facts.pageHeight / item.facts.pageWidth : 11 / 8.5;
    // Every page is taken to have the first one's shape until its picture is there.
    this.shapes = new Array(this.total).fill(first);
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    this.paper = h("div.paper", { role: "list", "aria-label": `${this.total} pages` });
    this.node = h("div.scroll", { tabindex: 0, role: "group", "aria-label": "Pages" }, this.paper);
    this.node.addEventListener("scroll", () => this.follow(), { passive: true });
    this.resizing = new ResizeObserver(() => this.place());
    this.resizing.observe(this.node);
    this.addTools();
  }

  // Panning with one finger scrolls the pages.
  movesDown = true;
  get movesAcross() { return this.zoom > 1; }

  leave() {
    this.resizing.disconnect();
    this.searching?.abort();
    for (const number of [...this.shown.keys()]) this.drop(number);
  }

  addTools() {
    const button = (label, name, action) =>
      h("button.quiet.round", { type: "button", "aria-label": label, title: label, onclick: action }, icon(name));
    this.number = h("input.page-number", {
      type: "text", inputmode: "numeric", "aria-label": `Page, of ${this.total}`, value: "1",
      onchange: () => this.goTo(Number(this.number.value) - 1), onfocus: () => this.number.select(),
      onkeydown: (event) => { if (event.key === "Enter") this.goTo(Number(this.number.value) - 1); },
    });
    this.field = h("input", {
      type: "search", placeholder: "Search", "aria-label": "Search in this document",
      oninput: settled(() => this.search(this.field.value.trim()), 250),
      onkeydown: (event) => {
        if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape") this.closeSearch();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    this.result = h("span.result", { role: "status" });
    this.bar = h("div.search-bar", { hidden: true, role: "search" }, this.field, this.result,
      button("Previous match", "back", () => this.step(-1)), button("Next match", "next", () => this.step(1)),
      button("Close search", "close", () => this.closeSearch()));
    this.viewer.addTools(this.bar, button("Search in this document", "search", () => this.openSearch()),
      h("label.page-of", {}, this.number, h("span", {}, `of ${this.total.toLocaleString("en")}`)),
      button("Zoom out", "minus", () => this.change(-1)), button("Zoom in", "add", () => this.change(1)));
  }

  // Places

  /** Computes where the pages lie, and keeps the place that is seen. */
  place() {
    const { clientWidth } = this.node;
    if (!clientWidth) return;
    const before = this.tops.length ? this.spot() : null;
    this.width = Math.max(120, Math.min(clientWidth - 2 * gap, 1100) * this.zoom);
    this.tops = [];
    let top = gap;
    for (const shape of this.shapes) {
      this.tops.push(top);
      top += Math.round(this.width * shape) + gap;
    }
    this.paper.style.setProperty("height", `${top}px`);
    this.paper.style.setProperty("width", `${this.width + 2 * gap}px`);
    for (const [number, page] of this.shown) this.put(page, number);
    if (before) this.node.scrollTop = this.tops[before.number] + before.part * this.heightOf(before.number) - before.above;
    this.follow();
  }

  heightOf(number) { return Math.round(this.width * this.shapes[number]); }

  /** What lies a third below the upper edge, as a part of its page: this place stays when the pages change their size. */
  spot() {
    const above = this.node.clientHeight / 3;
    const number = this.pageAt(this.node.scrollTop + above);
    return { number, above, part: (this.node.scrollTop + above - this.tops[number]) / this.heightOf(number) };
  }

  /** The page at a height of the paper. */
  pageAt(height) {
    let [low, high] = [0, this.total - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Makes the pages near the eye, and drops those that are far away. */
  follow() {
    if (!this.tops.length) return;
    const { scrollTop, clientHeight } = this.node;
    const first = this.pageAt(scrollTop - clientHeight);
    const last = this.pageAt(scrollTop + 2 * clientHeight);
    for (const number of [...this.shown.keys()]) if (number < first || number > last) this.drop(number);
    for (let number = first; number <= last; number += 1) if (!this.shown.has(number)) this.add(number);
    const current = this.pageAt(scrollTop + clientHeight / 3);
    if (document.activeElement !== this.number) this.number.value = current + 1;
  }

  put(page, number) {
    for (const [name, value] of Object.entries({ top: this.tops[number], width: this.width, height: this.heightOf(number) })) {
      page.style.setProperty(name, `${value}px`);
    }
    page.style.setProperty("--point", `${this.width / (page.points ?? 612)}px`);
  }

  add(number) {
    const page = h("div.viewer-page", { role: "listitem", "aria-label": `Page ${number + 1} of ${this.total}` });
    this.shown.set(number, page);
    this.put(page, number);
    // In the order of reading, for screen readers and the keyboard.
    const behind = [...this.shown.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
    this.paper.insertBefore(page, behind === undefined ? null : this.shown.get(behind));
    page.ending = new AbortController();
    // A page that only flies past is neither drawn nor read.
    const isFirst = this.shown.size === 1;
    page.timers = [setTimeout(() => this.draw(page, number), isFirst ? 0 : 60), setTimeout(() => this.write(page, number), 200)];
  }

  drop(number) {
    const page = this.shown.get(number);
    this.shown.delete(number);
    page.ending.abort();
    page.timers.forEach(clearTimeout);
    page.querySelector("img")?.removeAttribute("src");
    page.remove();
  }

  // Pictures

  draw(page, number, attempt = 0) {
    const width = Math.min(widest, Math.ceil(this.width * devicePixelRatio));
    const content = attempt ? `${this.key}-${attempt}` : this.key;
    const image = h("img", {
      alt: "", decoding: "async", draggable: "false",
      onload: () => {
        page.querySelector("img")?.remove();
        page.prepend(image);
        page.pixels = width;
        page.classList.add("is-drawn");
        this.resolve();
        this.fit(number, image.naturalHeight / image.naturalWidth);
      },
      onerror: () => this.fault(page, number, attempt),
    });
    image.src = addressOf(this.item, `pages/${number + 1}`, { width, content });
  }

  /** A page that is not drawn in time is asked for again, twice; then it says so. */
  async fault(page, number, attempt) {
    if (!page.isConnected) return;
    if (attempt < 2) {
      setTimeout(() => { if (page.isConnected) this.draw(page, number, attempt + 1); }, 1000 * (attempt + 1));
      return;
    }
    const answer = await fetch(addressOf(this.item, `pages/${number + 1}`, { width: 320 }), { headers: { accept: "application/json" } })
      .then(async (response) => ({ ...await response.json(), status: response.status })).catch(() => null);
    if (answer?.status === 401 && await session.regain()) return this.draw(page, number, 1);
    const text = answer?.message ?? "Unable to load document. Check your connection.";
    if (!page.isConnected) return;
    if (number === 0 && !page.classList.contains("is-drawn")) this.reject(new Error(text));
    page.append(h("div.page-fault", {}, h("p", {}, text), h("button.plain", {
      type: "button", onclick: (event) => { event.target.parentNode.remove(); this.draw(page, number, 1); },
    }, icon("retry"), "Retry")));
  }

  fit(number, shape) {
    if (Math.abs(shape - this.shapes[number]) < 0.004) return;
    this.shapes[number] = shape;
    this.place();
  }

  // Text

  /** Lays the page's words over its picture, unseen, so that they can be selected, copied and read aloud. */
  async write(page, number) {
    let text;
    try {
      text = await ask(addressOf(this.item, `pages/${number + 1}/text`), { signal: page.ending.signal });
    } catch {
      // A page without text is a picture, as before.
      return;
    }
    if (!page.isConnected) return;
    page.points = text.width;
    this.put(page, number);
    const layer = h("div.words");
    for (const [word, left, top, width, height, after, turns] of text.words) {
      const [long, high] = turns % 2 ? [height, width] : [width, height];
      // What follows a word belongs to its text, so that it is copied.
      layer.append(h("span", { style: {
        left: `${left / text.width * 100}%`, top: `${top / text.height * 100}%`, "--size": high,
        "--stretch": stretch(word, long, high), ...(turns && { rotate: `${turns * 90}deg` }),
      } }, word + ["", " ", "\n", "\n"][after]));
    }
    page.querySelector(".words")?.remove();
    page.append(layer);
    this.mark(number);
  }

  // Zoom and keys

  change(by) {
    const index = zooms.findIndex((zoom) => zoom >= this.zoom - 0.001);
    const next = zooms[Math.max(0, Math.min(zooms.length - 1, index + by))];
    if (next === this.zoom) return;
    this.zoom = next;
    this.place();
    this.sharpen();
  }

  /** Draws what is too small for the zoom again, once the person has stopped to zoom. */
  sharpen = settled(() => {
    const wanted = Math.min(widest, Math.ceil(this.width * devicePixelRatio));
    for (const [number, page] of this.shown) if (page.pixels && page.pixels < wanted) this.draw(page, number);
  }, 200);

  goTo(number) {
    if (!Number.isInteger(number)) return;
    const page = Math.max(0, Math.min(this.total - 1, number));
    this.number.value = page + 1;
    this.node.scrollTop = this.tops[page] - gap;
  }

  press(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "f" && event.target !== this.field) this.openSearch();
    else if (isCommand) return false;
    else if (event.key === "Escape" && !this.bar.hidden) this.closeSearch();
    else if (event.key === "+" || event.key === "=") this.change(1);
    else if (event.key === "-") this.change(-1);
    else if (event.key === "PageDown" || event.key === " " && !event.shiftKey && !event.target.closest("button, a")) this.by(0.9);
    else if (event.key === "PageUp") this.by(-0.9);
    else if (event.key === "ArrowDown") this.by(0.1);
    else if (event.key === "ArrowUp") this.by(-0.1);
    else if (event.key === "Home") this.goTo(0);
    else if (event.key === "End") this.goTo(this.total - 1);
    else return false;
    return true;
  }

  by(part) { this.node.scrollBy({ top: part * this.node.clientHeight, behavior: "instant" }); }

  // Search

  openSearch() {
    this.bar.hidden = false;
    this.field.focus();
    this.field.select();
  }

  closeSearch() {
    this.bar.hidden = true;
    this.field.value = "";
    this.search("");
    this.node.focus({ preventScroll: true });
  }

  async search(text) {
    if (text === this.searched) return;
    this.searched = text;
    this.searching?.abort();
    this.searching = new AbortController();
    const { signal } = this.searching;
    this.found.clear();
    this.hits = [];
    this.hit = -1;
    this.markAll();
    this.result.textContent = "";
    if (!text) return;
    try {
      for (let from = 1; from;) {
        this.result.textContent = `Searching from page ${from}…`;
        const answer = await ask(addressOf(this.item, "text", { q: text, from }), { signal });
        for (const page of answer.pages) {
          this.found.set(page.page - 1, page);
          page.matches.forEach((match, index) => this.hits.push({ number: page.page - 1, index }));
        }
        if (this.hit < 0 && this.hits.length) this.step(1);
        else this.markAll();
        from = answer.next_page;
      }
      this.tellResult();
    } catch (error) {
      if (!signal.aborted) this.result.textContent = error.message;
    }
  }

  tellResult() {
    this.result.textContent = this.hits.length ? `${this.hit + 1} of ${this.hits.length}` : "No matches";
  }

  step(by) {
    if (!this.hits.length) return;
    // From what is seen, at first.
    const here = this.pageAt(this.node.scrollTop + 1);
    this.hit = this.hit < 0 ? Math.max(0, this.hits.findIndex(({ number }) => number >= here))
      : (this.hit + by + this.hits.length) % this.hits.length;
    const { number, index } = this.hits[this.hit];
    const page = this.found.get(number);
    const place = page.matches[index].places[0];
    const top = this.tops[number] + place[1] / page.height * this.heightOf(number);
    if (top < this.node.scrollTop + 90 || top > this.node.scrollTop + this.node.clientHeight * 0.7) {
      this.node.scrollTop = top - this.node.clientHeight / 3;
    }
    this.tellResult();
    this.markAll();
  }

  markAll() { for (const number of this.shown.keys()) this.mark(number); }

  /** Shows the matches of a page. */
  mark(number) {
    const page = this.shown.get(number);
    page?.querySelector(".marks")?.remove();
    const found = this.found.get(number);
    if (!page || !found) return;
    const current = this.hits[this.hit];
    page.append(h("div.marks", { "aria-hidden": "true" }, found.matches.flatMap((match, index) =>
      match.places.map(([left, top, width, height]) => h("div", {
        class: current?.number === number && current.index === index ? "is-current" : null,
        style: {
          left: `${left / found.width * 100}%`, top: `${top / found.height * 100}%`, width: `${width / found.width * 100}%`,
          height: `${height / found.height * 100}%`,
        },
      })))));
  }
}
