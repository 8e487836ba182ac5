// Uploads in pieces by tus 1.0 (tus.io): two run, the rest wait; a lost connection pauses them, and they go on where they stopped.

import { APIError, ask, connection } from "./api.js";
import { pause } from "./dom.js";
import { actingFields, athlete } from "./query.js";
import { session } from "./session.js";

const atOnce = 2;
const memory = "uploads.open";

/** The protocol's header fields, and the page's person. */
const fields = () => ({ "Tus-Resumable": "1.0.0", ...session.fields, ...actingFields });

/** One file on its way; fires `change`. */
export class Upload extends EventTarget {
  /** `waiting`, `running`, `paused`, `failed`, `done`, `cancelled`, or `offered`: begun before the page was loaded. */
  state = "waiting";
  sent = 0;
  fault = "";
  document = null;
  location = null;
  #request = null;
  #began = 0;
  #sentBefore = 0;

  /**
   * @param {File} file `null` for one that is offered
   * @param {object} fields `type`, `title`, `description`, `school_id`, `document_id`
   */
  constructor(file, fields) {
    super();
    Object.assign(this, { file, fields, name: file?.name, size: file?.size });
  }

  get isOver() { return ["done", "cancelled"].includes(this.state); }
  get portion() { return this.size ? this.sent / this.size : 0; }

  /** The seconds that are left at the speed so far. */
  get left() {
    const seconds = (performance.now() - this.#began) / 1000;
    const count = this.sent - this.#sentBefore;
    return seconds > 0.5 && count > 0 ? (this.size - this.sent) * seconds / count : NaN;
  }

  set(state, fault = "") {
    Object.assign(this, { state, fault });
    this.dispatchEvent(new Event("change"));
  }

  cancel() {
    const { location } = this;
    this.set("cancelled");
    this.#request?.abort();
    forget(this);
    if (location) fetch(location, { method: "DELETE", headers: fields() }).catch(() => {});
    advance();
  }

  retry() {
    this.set("waiting");
    advance();
  }

  /** Sends the file until it has arrived, or a fault lies in the file. */
  async run() {
    this.set("running");
    let failures = 0;
    while (this.state === "running" || this.state === "paused") {
      const before = this.sent;
      try {
        if (!this.location) await this.#create();
        else await this.#find();
        if (this.state === "cancelled") return;
        const id = await this.#send();
        forget(this);
        this.document = await ask(`/api/documents/${id}`).catch(() => ({ id }));
        this.set("done");
        return;
      } catch (error) {
        if (this.state === "cancelled") return;
        if (error.status === 401) {
          this.set("paused");
          if (await session.regain()) { this.set("running"); continue; }
          this.set("failed", error.message);
          return;
        }
        if (error.status && error.status < 500 && ![404, 409, 410, 423].includes(error.status)) {
          this.location = null;
          forget(this);
          this.sent = 0;
          this.set("failed", error.message);
          return;
        }
        if ([404, 410].includes(error.status)) this.location = null;
        failures = this.sent > before ? 1 : failures + 1;
        if (connection.isOnline && failures > 4) {
          this.set("failed", "Upload failed. Please try again.");
          return;
        }
        this.set("paused");
        await connected(failures);
        if (this.state === "paused") this.set("running");
      }
    }
  }

  async #create() {
    const texts = { ...this.fields, file_name: this.file.name };
    const metadata = Object.entries(texts).filter(([, text]) => text).map(([key, text]) => `${key} ${base64(text)}`);
    const response = await reach(fetch("/api/uploads", {
      method: "POST", headers: { ...fields(), "Upload-Length": String(this.size), "Upload-Metadata": metadata.join(",") },
    }));
    // The service may know itself by another name than the browser does.
    this.location = new URL(response.headers.get("Location"), location.href).pathname;
    this.sent = 0;
    remember(this);
  }

  async #find() {
    const response = await reach(fetch(this.location, { method: "HEAD", headers: fields(), cache: "no-store" }));
    this.sent = Number(response.headers.get("Upload-Offset"));
    if (this.sent === this.size) this.documentID = response.headers.get("Document-Id");
  }

  /** `XMLHttpRequest`, because `fetch` tells no progress of what it sends. */
  #send() {
    if (this.sent === this.size && this.documentID) return this.documentID;
    const start = this.sent;
    this.#began = performance.now();
    this.#sentBefore = start;
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      this.#request = request;
      request.open("PATCH", this.location);
      for (const [name, value] of Object.entries(fields())) request.setRequestHeader(name, value);
      request.setRequestHeader("Upload-Offset", String(start));
      request.setRequestHeader("Content-Type", "application/offset+octet-stream");
      request.upload.addEventListener("progress", (event) => {
        this.sent = start + event.loaded;
        this.dispatchEvent(new Event("change"));
      });
      request.addEventListener("load", () => {
        connection.find();
        const id = request.getResponseHeader("Document-Id");
        if (request.status < 300 && id) resolve(id);
        else if (request.status < 300) reject(new APIError("Upload failed. Please try again.", { status: 503 }));
        else reject(new APIError(messageOf(request.responseText), { status: request.status }));
      });
      request.addEventListener("error", () => { connection.probe(); reject(new APIError("Connection lost")); });
      request.addEventListener("abort", () => reject(new APIError("Cancelled")));
      request.send(this.file.slice(start));
    });
  }
}

async function reach(promise) {
  let response;
  try {
    response = await promise;
  } catch {
    connection.lose();
    throw new APIError("Connection lost");
  }
  if (response.ok) return response;
  throw new APIError(messageOf(await response.text()), { status: response.status });
}

function messageOf(text) {
  try {
    return JSON.parse(text).message ?? "Upload failed. Please try again.";
  } catch {
    return "Upload failed. Please try again.";
  }
}

/** Waits until the service can be reached, and a little longer after each failure. */
async function connected(failures) {
  await pause(Math.min(500 * 2 ** failures, 8000));
  if (connection.isOnline) return;
  await new Promise((resolve) => connection.addEventListener("change", resolve, { once: true }));
}

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** All uploads of this page; fires `change` when one is added or is over. */
export const uploads = new (class extends EventTarget {
  all = [];

  add(upload) {
    this.all.push(upload);
    upload.addEventListener("change", () => this.dispatchEvent(new Event("change")));
    this.dispatchEvent(new Event("change"));
    advance();
    return upload;
  }

  remove(upload) {
    this.all = this.all.filter((other) => other !== upload);
    this.dispatchEvent(new Event("change"));
  }
})();

/** Starts what waits while fewer than two run. */
function advance() {
  const running = uploads.all.filter(({ state }) => ["running", "paused"].includes(state)).length;
  for (const upload of uploads.all.filter(({ state }) => state === "waiting").slice(0, Math.max(0, atOnce - running))) {
    upload.run().finally(advance);
  }
}

const records = () => JSON.parse(localStorage.getItem(memory) ?? "[]");

function remember({ location, fields, name, size }) {
  const others = records().filter((record) => record.location !== location);
  localStorage.setItem(memory, JSON.stringify([...others, { location, fields, name, size, athlete, at: Date.now() }].slice(-20)));
}

function forget({ location }) {
  if (location) localStorage.setItem(memory, JSON.stringify(records().filter((record) => record.location !== location)));
}

/** Offers to continue what was begun before the page was loaded. */
export async function offerBegun() {
  for (const record of records().filter((record) => (record.athlete ?? "") === athlete)) {
    try {
      const response = await fetch(record.location, { method: "HEAD", headers: fields(), cache: "no-store" });
      if (!response.ok || response.headers.get("Document-Id")) { forget(record); continue; }
      const upload = new Upload(null, record.fields);
      Object.assign(upload, record, { state: "offered", sent: Number(response.headers.get("Upload-Offset")) });
      uploads.add(upload);
    } catch {
      return;
    }
  }
}

addEventListener("beforeunload", (event) => {
  if (uploads.all.some(({ state }) => ["waiting", "running", "paused"].includes(state))) event.preventDefault();
});
