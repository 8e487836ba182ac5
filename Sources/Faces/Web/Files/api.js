// The service's API, and whether it can be reached.

import { read, takeEarly } from "./early.js";
import { forAthlete, statisticsPath } from "./query.js";
import { session } from "./session.js";

/** An answer that is an error; `message` is for people. */
export class APIError extends Error {
  constructor(message, { status = 0, code = "", field = "", retryAfter = 0 } = {}) {
    super(message);
    Object.assign(this, { status, code, field, retryAfter });
  }

  /** Whether the service was out of reach. */
  get isLost() { return this.status === 0; }
}

/** Whether the service can be reached; fires `change`. */
class Connection extends EventTarget {
  isOnline = true;

  constructor() {
    super();
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.probe());
  }

  /** Notes that a request has not reached the service, and asks until one does. */
  lose() {
    if (!this.isOnline) return;
    this.isOnline = false;
    this.#tell();
    this.#ask();
  }

  /** Notes that the service has answered. */
  find() {
    if (this.isOnline) return;
    this.isOnline = true;
    clearTimeout(this.timer);
    this.#tell();
  }

  /** Asks once now; an answer that takes longer than `patience` milliseconds counts as lost. */
  async probe({ patience = 5000 } = {}) {
    try {
      await fetch(statisticsPath, { cache: "no-store", signal: AbortSignal.timeout(patience) });
      this.find();
    } catch {
      this.lose();
    }
  }

  #ask() {
    this.timer = setTimeout(async () => {
      await this.probe();
      if (!this.isOnline) this.#ask();
    }, 2000);
  }

  #tell() {
    document.body.classList.toggle("is-offline", !this.isOnline);
    showOnline(document);
    this.dispatchEvent(new Event("change"));
  }
}

/** The connection to the service. */
export const connection = new Connection();

/** Switches off, below a node, the controls with `data-online` while the service is out of reach. */
export function showOnline(root) {
  for (const control of root.querySelectorAll("[data-online]")) {
    if (control.matches("a")) {
      // A link has no `disabled`; the listener of `app.js` keeps it from being followed.
      if (connection.isOnline) control.removeAttribute("aria-disabled");
      else control.setAttribute("aria-disabled", "true");
    } else control.disabled = !connection.isOnline;
  }
}

/**
 * Asks the API.
 *
 * @param {object} options `body` is sent as JSON; `lost` is the message for a lost connection; `isBare` where answers have no envelope
 * @returns the answer's `data`; where the session has ended, after the person has signed in again
 * @throws {APIError}
 */
export async function ask(path, options = {}) {
  try {
    return await askOnce(path, options);
  } catch (error) {
    if (error.code === "other_person") session.check().catch(() => {});
    if (error.status !== 401 || !await session.regain()) throw error;
    return askOnce(path, options);
  }
}

/** As `fetch`; where the session has ended, after the person has signed in again. */
export async function fetchSignedIn(address, options) {
  const response = await fetch(address, options);
  return response.status === 401 && await session.regain() ? fetch(address, options) : response;
}

async function askOnce(path, { method = "GET", body, signal, lost = "Connection lost", isBare = false }) {
  let response;
  // Where an answer is late, another question tells a slow service from one that is gone, within 5 s.
  const doubt = setTimeout(() => connection.probe({ patience: 1800 }), 3000);
  try {
    response = await (takeEarly(path) ?? read(path, {
      method,
      signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(30_000)]) : AbortSignal.timeout(30_000),
      headers: { ...session.fields, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    }));
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error.name === "TimeoutError") throw new APIError("Connection timed out");
    connection.lose();
    throw new APIError(lost);
  } finally {
    clearTimeout(doubt);
  }
  connection.find();
  const answer = await response.json().catch(() => ({}));
  hasAnswered = true;
  if (response.ok) return isBare ? answer : answer.data;
  throw new APIError(answer.message ?? "Server error. Please try again.", {
    status: response.status, code: answer.code ?? answer.error, field: answer.field, retryAfter: Number(response.headers.get("retry-after")),
  });
}

/** Whether the service has answered since the page was opened: what it said may be old by the time the events begin. */
let hasAnswered = false;

/** What happens to documents, from the service: fires the events' names with `detail.id` and `detail.line`. */
class Events extends EventTarget {
  static names = ["document.stored", "document.changed", "document.deleted", "picture.ready", "picture.failed"];

  /** Begins anew: where the session has ended, once the person has signed in again. */
  async #again() {
    await session.check().catch(() => {});
    // Whoever signs in gets the page anew.
    if (session.auth === "local" && !session.account || session.auth === "tokens") return;
    if (await session.isBack()) this.start();
  }

  start() {
    const source = new EventSource(forAthlete("/api/events"));
    let wasOpen = false;
    source.addEventListener("open", () => {
      connection.find();
      wasOpen ||= hasAnswered;
      // What happened since an answer, or between two connections, may have been missed.
      if (wasOpen) this.dispatchEvent(new CustomEvent("reopened"));
      wasOpen = true;
    });
    source.addEventListener("error", () => {
      if (wasOpen) connection.probe();
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#again(), 3000);
    });
    for (const name of Events.names) {
      source.addEventListener(name, (event) => {
        const { document_id: id, line_id: line } = JSON.parse(event.data);
        this.dispatchEvent(new CustomEvent(name, { detail: { name, id, line } }));
        this.dispatchEvent(new CustomEvent("any", { detail: { name, id, line } }));
      });
    }
  }
}

/** The events of the service. */
export const events = new Events();

let known;

/** The person's schools, asked once and then behind what is known. */
export async function schools({ fresh = false } = {}) {
  if (known && !fresh) return known;
  known = await ask("/api/schools");
  return known;
}

/** All that is known of schools' names, to tell whether it has changed. */
export const schoolNames = () => known?.map(({ name }) => name).join("\n") ?? "";

/** A school's name; "General" for none. */
export const schoolName = (id) => (id ? known?.find((school) => school.id === id)?.name ?? "School" : "General");
