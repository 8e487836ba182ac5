// A video in the viewer: the browser plays it by ranges; frames that the service has drawn lead to places in it.

import { addressOf, downloadOf } from "./address.js";
import { fetchSignedIn } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { time } from "./text.js";

/** Shows a video. */
export function make(item, viewer) { return new Film(item, viewer); }

class Film {
  constructor(item, viewer) {
    Object.assign(this, { item, viewer });
    this.key = new URL(item.thumbnail_url, location).searchParams.get("content");
    this.ready = new Promise((resolve) => { this.resolve = resolve; });
    this.video = h("video", {
      controls: true, preload: "metadata", playsinline: true, poster: addressOf(item, "picture", { width: 1280, content: this.key }),
      src: item.file_url || null, "aria-label": item.title,
      onloadedmetadata: () => this.known(),
      onplay: () => viewer.setHiding(true), onpause: () => viewer.setHiding(false),
      onwaiting: () => this.node.classList.add("is-buffering"),
      onplaying: () => this.node.classList.remove("is-buffering"), oncanplay: () => this.node.classList.remove("is-buffering"),
      onerror: () => this.refuse(),
    });
    this.strip = h("ol.strip", { "aria-label": "Places in the video" });
    this.note = h("div.viewer-note", { role: "status" });
    this.node = h("div.film", {}, h("div.film-stage", {}, this.video, h("div.spinner", { "aria-hidden": "true" })), this.note, this.strip);
    if (item.facts?.duration) this.showFrames(item.facts.duration);
    if (!item.file_url) this.showStill("This link shows frames of the video, not the video itself.");
  }

  /** The address of a frame. */
  frame(at, width) { return addressOf(this.item, "frame", { time: at.toFixed(2), width, content: this.key }); }

  leave() {
    this.video.pause();
    // Ends the download behind it.
    this.video.removeAttribute("src");
    this.video.load();
  }

  known() {
    // Sound without pictures: the browser knows the container, and not the format of the pictures.
    if (!this.video.videoWidth) return this.refuse();
    if (!this.strip.children.length && Number.isFinite(this.video.duration)) this.showFrames(this.video.duration);
    this.resolve();
  }

  /** What the browser cannot play is shown by its frames. */
  async refuse() {
    this.resolve();
    if (!this.video.isConnected || this.isRefused) return;
    this.isRefused = true;
    const answer = await fetchSignedIn(this.item.file_url, { method: "HEAD" }).catch(() => null);
    const reason = !answer ? "Check your connection." : answer.status === 404 ? "File no longer available."
      : answer.ok ? "This browser does not know its format: its frames are below." : "Server error. Please try again.";
    const still = h("img.still", { src: this.video.poster, alt: "A frame of the video" });
    if (answer?.ok) this.video.replaceWith(still);
    this.still = still;
    this.note.replaceChildren(icon("warning"), h("span", {}, `Unable to play video. ${reason}`),
      answer?.ok ? h("a.button.primary", { href: downloadOf(this.item), download: true }, icon("download"), "Download")
        : h("button.primary", { type: "button", onclick: () => this.viewer.open(this.item.id) }, icon("retry"), "Retry"));
  }

  /** Shows frames alone, where the visitors of a link may not have the file. */
  showStill(text) {
    this.isRefused = true;
    this.still = h("img.still", { src: this.video.poster, alt: "A frame of the video" });
    this.video.replaceWith(this.still);
    this.note.replaceChildren(h("span", {}, text));
    this.resolve();
  }

  showFrames(duration) {
    const number = Math.max(4, Math.min(12, Math.floor(innerWidth / 130), Math.ceil(duration)));
    const frames = Array.from({ length: number }, (_, index) => (index + 0.5) * duration / number);
    this.strip.replaceChildren(...frames.map((at) => h("li", {}, h("button", {
      type: "button", "aria-label": `Go to ${time(at)}`, onclick: () => this.seek(at),
    }, h("img", {
      src: this.frame(at, 320), alt: "", loading: "lazy",
      width: 160, height: 90, onerror: (event) => event.target.classList.add("is-missing"),
    }), h("span", {}, time(at))))));
  }

  seek(at) {
    if (this.isRefused) this.still.src = this.frame(at, 1280);
    else this.video.currentTime = at;
  }

  press(event) {
    if (event.key !== " " || this.isRefused || event.target.closest?.("video, button")) return false;
    if (this.video.paused) this.video.play().catch(() => {});
    else this.video.pause();
    return true;
  }
}
