// An image in the viewer: fitted, and zoomed up to five times. It never loads more pixels than the zoom needs.

import { addressOf } from "./address.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { session } from "./session.js";

const largestZoom = 5;
/** Widths that the service draws. */
const ladder = [320, 480, 640, 960, 1280, 1600, 2048, 2560, 3200, 4096, 5120, 6400, 8192];
/** The most pixels that are held at once: phones have little memory for pictures. */
const mostPixels = matchMedia("(pointer: coarse)").matches ? 12e6 : 48e6;

/** Shows an image. */
export function make(item, viewer) { return new Zoom(item, viewer); }

/** The width of the ladder for a picture of so many pixels, within what may be held at once. */
export function rung(wanted, width, height) {
  const bound = Math.min(width, Math.sqrt(mostPixels * width / height));
  return ladder.find((step) => step >= Math.min(wanted, bound)) ?? ladder.at(-1);
}

class Zoom {
  scale = 1;
  x = 0;
  y = 0;
  loaded = 0;
  pointers = new Map();

  constructor(item, viewer) {
    this.item = item;
    this.key = new URL(item.thumbnail_url, location).searchParams.get("content");
    // A picture that is turned upright has its facts before the turn.
    this.width = item.facts?.width ?? 4000;
    this.height = item.facts?.height ?? 3000;
    this.image = h("img.zoomed", { alt: item.title, draggable: "false" });
    this.node = h("div.zoom", {}, this.image);
    this.level = h("span.level", { "aria-live": "polite" });
    const button = (label, name, action) =>
      h("button.quiet.round", { type: "button", "aria-label": label, title: label, onclick: action }, icon(name));
    viewer.addTools(button("Zoom out", "minus", () => this.zoom(this.scale / 1.5)), this.level,
      button("Zoom in", "add", () => this.zoom(this.scale * 1.5)));
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    this.node.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.node.addEventListener("pointerdown", (event) => this.down(event));
    this.node.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"]) this.node.addEventListener(kind, (event) => this.up(event));
    this.node.addEventListener("dblclick", (event) => this.zoom(this.scale > 1 ? 1 : 2, this.point(event)));
    this.node.addEventListener("click", (event) => { if (this.wasDragged) event.preventDefault(); }, { capture: true });
    // A phone that is turned keeps what is in the middle.
    this.resizing = new ResizeObserver(() => this.show());
    this.resizing.observe(this.node);
  }

  get movesAcross() { return this.scale > 1; }
  get movesDown() { return this.scale > 1; }

  leave() {
    this.resizing.disconnect();
    this.image.removeAttribute("src");
  }

  /** The size at which the whole image is seen, in CSS pixels. */
  get fitted() {
    const { clientWidth, clientHeight } = this.node;
    const factor = Math.min(clientWidth / this.width, clientHeight / this.height, 1);
    return { width: this.width * factor, height: this.height * factor };
  }

  show() {
    if (!this.node.clientWidth) return;
    const { width, height } = this.fitted;
    const across = Math.max(0, (width * this.scale - this.node.clientWidth) / 2);
    const down = Math.max(0, (height * this.scale - this.node.clientHeight) / 2);
    this.x = Math.max(-across, Math.min(across, this.x));
    this.y = Math.max(-down, Math.min(down, this.y));
    for (const [name, value] of Object.entries({
      width: `${width}px`, height: `${height}px`, transform: `translate(${this.x}px, ${this.y}px) scale(${this.scale})`,
    })) this.image.style.setProperty(name, value);
    this.node.classList.toggle("is-zoomed", this.scale > 1);
    this.level.textContent = `${Math.round(this.scale * 100)}%`;
    this.load(rung(width * this.scale * devicePixelRatio, this.width, this.height));
  }

  /** Loads a sharper picture, which takes the place of the one before once it is there. */
  load(width, attempt = 0) {
    if (!attempt && width <= this.loaded) return;
    this.loaded = width;
    const sharper = new Image();
    sharper.onload = async () => {
      await sharper.decode().catch(() => {});
      if (width < this.loaded && this.image.src) return;
      if (this.loaded === width || !this.image.src) this.image.src = sharper.src;
      if (sharper.naturalWidth * this.height !== sharper.naturalHeight * this.width && !this.isShaped) {
        this.isShaped = true;
        const turned = (sharper.naturalWidth > sharper.naturalHeight) !== (this.width > this.height);
        if (turned) [this.width, this.height] = [this.height, this.width];
        this.show();
      }
      this.resolve();
    };
    const address = (parameters) => addressOf(this.item, "picture", { width, ...parameters });
    sharper.onerror = () => {
      // A large picture may not be drawn in time: it is asked for again.
      if (width !== this.loaded || !this.node.isConnected) return;
      if (attempt < 3) {
        setTimeout(() => { if (width === this.loaded && this.node.isConnected) this.load(width, attempt + 1); }, 1000 * (attempt + 1));
      } else if (!this.image.src) this.fault(address());
    };
    sharper.src = address({ content: attempt ? `${this.key}-${attempt}` : this.key });
  }

  /** Says why there is no picture. */
  async fault(address) {
    const answer = await fetch(address, { headers: { accept: "application/json" } })
      .then(async (response) => ({ ...await response.json(), status: response.status })).catch(() => ({ message: "Unable to load document. Check your connection." }));
    if (answer.status === 401 && await session.regain()) return this.load(this.loaded);
    this.reject(new Error(answer.message ?? "Unable to load file. File may be corrupt."));
  }

  /** Zooms, and keeps what lies under a point, by its place from the middle of the stage. */
  zoom(scale, { x, y } = { x: 0, y: 0 }) {
    const next = Math.max(1, Math.min(largestZoom, scale));
    this.x = x - (x - this.x) * next / this.scale;
    this.y = y - (y - this.y) * next / this.scale;
    this.scale = next;
    this.show();
  }

  point({ clientX, clientY }) {
    const box = this.node.getBoundingClientRect();
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(this.scale * Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), this.point(event));
  }

  down(event) {
    this.pointers.set(event.pointerId, event);
    this.wasDragged = false;
    if (this.scale > 1 || this.pointers.size > 1) this.node.setPointerCapture(event.pointerId);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
    this.pointers.set(event.pointerId, event);
    if (others.length === 1) {
      // A pinch: the distance zooms, the middle moves.
      const [other] = others;
      const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const middle = this.point({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
      this.wasDragged = true;
      this.x += (event.clientX - before.clientX) / 2;
      this.y += (event.clientY - before.clientY) / 2;
      this.zoom(this.scale * distance(event) / Math.max(1, distance(before)), middle);
    } else if (!others.length && this.scale > 1) {
      this.x += event.clientX - before.clientX;
      this.y += event.clientY - before.clientY;
      this.wasDragged ||= Math.hypot(event.movementX, event.movementY) > 1;
      this.show();
    }
  }

  up(event) { this.pointers.delete(event.pointerId); }

  press(event) {
    if (event.ctrlKey || event.metaKey) return false;
    const step = 80;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "+" || event.key === "=") this.zoom(this.scale * 1.5);
    else if (event.key === "-") this.zoom(this.scale / 1.5);
    else if (event.key === "0") this.zoom(1);
    else if (this.scale > 1 && moves[event.key]) {
      this.x += moves[event.key][0];
      this.y += moves[event.key][1];
      this.show();
    } else return false;
    return true;
  }
}
