// The viewer: one document on the whole screen, and the way through the list that it stands in.

import { downloadOf } from "./address.js";
import { back, setTitle } from "./app.js";
import { ask, connection, fetchSignedIn, showOnline } from "./api.js";
import { collectionOf, seen } from "./collection.js";
import { h, isTyping, once } from "./dom.js";
import { icon, iconOf } from "./icons.js";
import { linkSection } from "./links.js";
import { complain, say, sheet } from "./messages.js";
import { placeholder } from "./placeholder.js";
import { Query } from "./query.js";
import { size } from "./text.js";

/** How long a document may take until the viewer says that it does not come, in milliseconds. */
const longestWait = 10_000;
/** How long the bars stay over a video that plays. */
const barTime = 3000;
/** Up to this size a file is fetched with its progress shown; a larger one is the browser's own download. */
const largestFetched = 200_000_000;

/** Shows the document that the address names; gives what ends the screen. */
export function show(main) {
  const viewer = new Viewer(main);
  viewer.open(identity(new URLSearchParams(location.search).get("id") ?? ""));
  return { leave: () => viewer.leave() };
}

/** The identity in a parameter that is one, or the address of a file. */
const identity = (text) => /\/api\/documents\/([^/?]+)/.exec(text)?.[1] ?? text;

/** The viewer of a person's own documents. */
export class Viewer {
  turn = 0;
  content = null;

  constructor(main) {
    setTitle("Viewer");
    this.query = new Query();
    this.collection = collectionOf(this.query);
    const button = (label, name, action, properties = {}) =>
      h("button.quiet.round", { type: "button", "aria-label": label, title: label, onclick: action, ...properties }, icon(name));
    this.title = h("h1", { dir: "auto" }, "Document");
    this.place = h("p.place", { "aria-live": "polite" });
    this.tools = h("div.tools");
    this.stage = h("div.viewer-stage");
    this.state = h("div.viewer-state", { role: "status" });
    this.shareButton = button("Share a link to this document", "share", once(() => this.share()), { "data-change": true });
    this.download = button("Download document to device", "download", once(() => this.fetch()), { "data-online": true });
    this.closeButton = button("Close document viewer", "close", () => this.close());
    this.previous = button("View previous document", "back", () => this.step(-1));
    this.next = button("View next document", "next", () => this.step(1));
    this.node = h("div.viewer", { role: "region", "aria-label": "Document viewer" },
      this.stage, this.state,
      h("div.viewer-bar.top", {}, this.closeButton, this.title, this.tools,
        this.shareButton, this.download),
      h("div.viewer-bar.bottom", {}, this.previous, this.place, this.next));
    main.replaceChildren(this.node);
    document.body.classList.add("is-viewing");
    this.listen();
  }

  listen() {
    this.ending = new AbortController();
    const { signal } = this.ending;
    addEventListener("keydown", (event) => this.press(event), { signal });
    this.stage.addEventListener("click", (event) => {
      if (!event.defaultPrevented && !event.target.closest("video, button, a, input") && !String(getSelection())) this.toggleBars();
    }, { signal });
    for (const kind of ["pointermove", "keydown", "focusin"]) {
      this.node.addEventListener(kind, () => { if (this.hidesBars) this.showBars(); }, { signal });
    }
    this.followSwipes(signal);
  }

  /** Shows a document in place of the one before. */
  async open(id) {
    const turn = ++this.turn;
    this.content?.leave();
    this.content = null;
    this.hidesBars = false;
    this.showBars();
    this.tools.replaceChildren();
    this.stage.replaceChildren();
    this.wait();
    this.id = id;
    try {
      this.item = seen.get(id);
      if (this.item) this.showHead();
      const item = await this.load(id);
      if (turn !== this.turn) return;
      this.item = item;
      this.showHead();
      this.findPlace(turn);
      const { make } = await contentOf(item);
      if (turn !== this.turn) return;
      this.content = make(item, this);
      this.stage.replaceChildren(this.content.node);
      await this.content.ready;
      if (turn === this.turn) this.settle();
    } catch (error) {
      if (turn !== this.turn) return;
      if (error.status === 404) this.showMissing();
      else this.fail(error.message, () => this.open(id));
    }
  }

  /** Asks for a document. */
  load(id) {
    return ask(`/api/documents/${encodeURIComponent(id)}`, { lost: "Unable to load document. Check your connection." });
  }

  showMissing() {
    for (const button of [this.shareButton, this.download, this.previous, this.next]) button.disabled = true;
    this.tell("Document not found", h("a.button.primary", { href: "/documents" }, "Return to Documents"));
  }

  showHead() {
    setTitle(this.item.title);
    this.title.replaceChildren(this.item.title);
    // A blurred picture in the right shape, until the document itself is there.
    const blurred = this.item.placeholder && placeholder(this.item.placeholder);
    if (blurred && !this.content) this.stage.replaceChildren(h("div.viewer-blur", { "aria-hidden": "true" }, blurred));
  }

  /** "3 of 10", as soon as the list is known. */
  async findPlace(turn) {
    let index = -1;
    try {
      index = await this.collection.find(this.id);
    } catch {
      // The way through the list is a help; without it the document is shown all the same.
    }
    if (turn !== this.turn) return;
    this.index = index;
    const total = this.collection.filtered ?? 0;
    this.place.textContent = index < 0 ? "" : `${(index + 1).toLocaleString("en")} of ${total.toLocaleString("en")}`;
    this.place.setAttribute("aria-label", index < 0 ? "" : `Document ${index + 1} of ${total}`);
    this.previous.disabled = index <= 0;
    this.next.disabled = index < 0 || index + 1 >= total;
  }

  async step(by) {
    const index = this.index + by;
    if (!(this.index >= 0) || index < 0) return;
    try {
      while (index >= this.collection.items.length && this.collection.next) await this.collection.more();
    } catch (error) {
      complain(error.message);
      return;
    }
    const item = this.collection.items[index];
    if (!item) return;
    // A second quick step goes on from here.
    this.index = index;
    history.replaceState(history.state, "", this.query.viewing(item.id));
    this.open(item.id);
  }

  // What is said over the stage

  wait() {
    this.settle();
    this.spinner = setTimeout(() => this.state.replaceChildren(h("div.spinner"), h("span.unseen", {}, "Loading")), 300);
    const { id, turn } = this;
    this.deadline = setTimeout(() => {
      if (turn === this.turn) this.fail("Connection timed out", () => this.open(this.id ?? id));
    }, longestWait);
  }

  settle() {
    clearTimeout(this.spinner);
    clearTimeout(this.deadline);
    this.state.replaceChildren();
  }

  fail(text, retry) {
    this.tell(text, h("button.primary", { type: "button", onclick: retry }, icon("retry"), "Retry"));
  }

  /** Says why the stage is empty, with a way on. */
  tell(text, ...ways) {
    this.settle();
    this.state.replaceChildren(h("div.viewer-fault", { role: "alert" }, icon("warning"), h("p", {}, text), ...ways));
  }

  // Bars

  /** Puts a content's own buttons into the upper bar. */
  addTools(...nodes) { this.tools.replaceChildren(...nodes); }

  toggleBars() {
    if (this.node.classList.contains("is-bare")) this.showBars();
    else this.node.classList.add("is-bare");
  }

  showBars() {
    this.node.classList.remove("is-bare");
    clearTimeout(this.hiding);
    if (this.hidesBars) {
      this.hiding = setTimeout(() => {
        if (!this.node.querySelector(".viewer-bar :focus-visible")) this.node.classList.add("is-bare");
      }, barTime);
    }
  }

  /** Whether the bars go by themselves: while a video plays. */
  setHiding(hides) {
    this.hidesBars = hides;
    this.showBars();
  }

  // Actions

  close() { back(this.item ? `/documents/${this.item.id}` : "/documents"); }

  leave() {
    this.turn += 1;
    this.settle();
    clearTimeout(this.hiding);
    this.ending.abort();
    this.content?.leave();
    document.body.classList.remove("is-viewing");
  }

  /** Opens the sheet with the links to this document. */
  async share() {
    if (this.item) await sheet("Share document", (close) => h("div", {}, linkSection(this.item),
      h("div.actions", {}, h("button.plain", { type: "button", onclick: () => close() }, "Close"))));
  }

  /** Fetches the file with its progress in the button, and hands it to the browser. */
  async fetch() {
    const { item } = this;
    if (!item) return;
    const save = (href) => h("a", { href, download: item.file_name }).click();
    if (item.file_size > largestFetched) return save(downloadOf(item));
    const progress = h("span.progress", { role: "progressbar", "aria-label": "Download", "aria-valuemin": 0, "aria-valuemax": 100 });
    this.download.replaceChildren(progress);
    try {
      const response = await fetchSignedIn(downloadOf(item));
      if (response.status === 404) throw new Error("File no longer available");
      if (response.status === 401) throw new Error("Sign in to continue.");
      if (!response.ok) throw new Error("Server error. Please try again.");
      const parts = [];
      let count = 0;
      for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        count += value.length;
        const percent = Math.floor(count / item.file_size * 100);
        progress.textContent = `${percent}%`;
        progress.setAttribute("aria-valuenow", percent);
      }
      const address = URL.createObjectURL(new Blob(parts, { type: item.file_type }));
      save(address);
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say(`${item.file_name} downloaded (${size(count)})`);
    } catch (error) {
      if (error instanceof TypeError) connection.probe();
      complain(error instanceof TypeError ? "Download failed. Check your connection." : error.message, () => this.fetch());
    } finally {
      this.download.replaceChildren(icon("download"));
    }
  }

  press(event) {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    if (isTyping(event) && event.key === "Escape" && !event.target.closest("[role=search]")) return event.target.blur();
    if (isTyping(event) && !event.ctrlKey && !event.metaKey) return;
    if (this.content?.press?.(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.target.closest?.("video, input")) return;
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "ArrowRight") this.step(1);
    else return;
    event.preventDefault();
  }

  /** Swipes with one finger: sideways through the list, downwards closes; not where the content itself can move. */
  followSwipes(signal) {
    let start = null;
    this.stage.addEventListener("touchstart", (event) => {
      const { clientX: x, clientY: y } = event.touches[0];
      start = event.touches.length === 1 && !event.target.closest("video, input") ? { x, y, time: Date.now() } : null;
    }, { signal, passive: true });
    this.stage.addEventListener("touchend", (event) => {
      const end = event.changedTouches[0];
      if (!start || Date.now() - start.time > 600) return;
      const [across, down] = [end.clientX - start.x, end.clientY - start.y];
      start = null;
      if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down) && !this.content?.movesAcross) this.step(across < 0 ? 1 : -1);
      else if (down > 90 && down > 2 * Math.abs(across) && !this.content?.movesDown) this.close();
    }, { signal, passive: true });
  }
}

/** The module that shows a kind of document. */
function contentOf(item) {
  if (item.state === "quarantined") return { make: () => nothing(item, "This file is being checked for malware.") };
  if (item.file_type.startsWith("video/")) return import("./film.js");
  if (item.facts?.pageCount) return import("./pages.js");
  if (item.file_type.startsWith("image/")) return import("./zoom.js");
  if (item.state === "failed") return { make: () => nothing(item, "Unable to load file. File may be corrupt.") };
  return { make: () => nothing(item, "Preview unavailable for this file type") };
}

/** What is shown where nothing can be drawn. */
function nothing(item, text) {
  return {
    ready: Promise.resolve(),
    leave() {},
    node: h("div.viewer-nothing", {}, icon(iconOf(item)), h("p", {}, text),
      item.file_url && item.state !== "quarantined" && h("a.button.primary", { href: downloadOf(item), download: true, "data-online": true },
        icon("download"), "Download to view")),
  };
}
