// Who has signed in, and what the page does when nobody is any more, or somebody else.

import { athlete } from "./query.js";

/** How old an answer gets before a tab that is looked at again asks anew, in milliseconds. */
const freshTime = 60_000;

/** The person of this page; fires `change`, and `regained` when they have signed in again. */
class Session extends EventTarget {
  /**
   * `off`: one local person is everybody. `local`: people sign in. `tokens`: people sign in elsewhere, and no screen is theirs.
   * `undefined` until the service has said.
   */
  auth;
  /** Whether forgotten passwords are replaced by mailed links. */
  sendsMail = false;
  /** Where else people sign in: `name`, `label`. */
  providers = [];
  /** The account for which the page was opened: `id`, `email`, `name`, `has_password`. */
  account = null;
  /** Whose documents the account's person looks after: `person_id`, `email`, `name`, `right`. */
  athletes = [];
  #askedAt = 0;
  #returning = null;
  #hasMetOther = false;
  #channel = new BroadcastChannel("session");

  constructor() {
    super();
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.account && Date.now() - this.#askedAt > freshTime) this.check().catch(() => {});
    });
  }

  /** Whom this page acts for, where it is not the account's person. */
  get athlete() { return this.athletes.find((person) => person.person_id === athlete); }

  /** Whether the person may change the documents of this page. */
  get mayChange() { return this.athlete?.right !== "view"; }

  /** Header fields by which the service refuses requests of this page once somebody else has signed in. */
  get fields() { return this.account ? { "Expected-Person": this.account.id } : {}; }

  /** Asks the service who has signed in. */
  async check() {
    const response = await fetch("/api/session", {
      cache: "no-store", headers: { accept: "application/json" }, signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error("The service does not say who has signed in.");
    this.#askedAt = Date.now();
    this.take((await response.json()).data);
  }

  /** Asks where something else has failed for a reason that the browser does not tell: pictures, for example. */
  doubt() {
    if (this.account && Date.now() - this.#askedAt > 2000) this.check().catch(() => {});
  }

  /** Takes what the service says about itself and the account. */
  take({ auth, account, sends_mail: sendsMail, providers = [], acting_for: athletes }) {
    Object.assign(this, { auth, sendsMail, providers, athletes: athletes ?? this.athletes });
    if (this.account && account?.id !== this.account.id) {
      if (account) this.#meet(account);
      else this.regain();
      return;
    }
    this.account = account;
    this.dispatchEvent(new Event("change"));
  }

  /** Waits until the person has signed in again; the answer is `false` where they would not, or nobody signs in here. */
  async regain() {
    if (!this.auth) await this.check().catch(() => {});
    // The page that says so takes the place of the screen that waits.
    if (this.auth === "tokens") return new Promise(() => {});
    if (this.auth !== "local") return false;
    if (!this.account) {
      // Who searches for jobs need not sign in.
      if (isJobs(location.pathname)) return false;
      toSignIn();
      // The screen that waits is left.
      return new Promise(() => {});
    }
    this.#returning ??= this.#askAgain().finally(() => { this.#returning = null; });
    return this.#returning;
  }

  async #askAgain() {
    const { askAgain } = await signingIn();
    const stop = new AbortController();
    const elsewhere = new Promise((resolve) => { this.#return = resolve; });
    const account = await Promise.race([askAgain(this.account, stop.signal), elsewhere]);
    stop.abort();
    if (!account) return false;
    if (account.id !== this.account.id) {
      this.leave(home());
      return false;
    }
    this.dispatchEvent(new Event("regained"));
    return true;
  }

  #return = () => {};

  /** Whether the person is signed in, once those have signed in again whose session has ended. */
  async isBack() {
    if (!this.#returning) return true;
    if (await this.#returning) return true;
    await new Promise((resolve) => this.addEventListener("regained", resolve, { once: true }));
    return true;
  }

  /** Tells other tabs, and opens an address as the person who has signed in now. */
  leave(address, account = null) {
    this.tell(account);
    location.replace(address);
  }

  /** Tells other tabs who has signed in; `null` for nobody. */
  tell(account) { this.#channel.postMessage(account && { id: account.id, email: account.email }); }

  #hear(account) {
    if (!this.account) {
      // The page for signing in goes on by itself.
      if (account) this.check().catch(() => {});
    } else if (!account) toSignIn({ reload: true });
    else if (account.id === this.account.id) this.#return(account);
    else this.#meet(account);
  }

  /** Somebody else has signed in by another tab: nothing of this page may get into their account. */
  async #meet(account) {
    if (this.#hasMetOther) return;
    this.#hasMetOther = true;
    const { meetOther } = await signingIn();
    if (await meetOther(this.account, account)) location.replace(home());
    this.#hasMetOther = false;
  }
}

/** The session of this page. */
export const session = new Session();

const signingIn = async () => (await import("./app.js")).load("signin.js", "account.css");

/** Whether the screen of a path is for people who have not signed in. */
export const isOpen = (path) => isJobs(path) || /^\/(signin|forgot|reset|confirm|shared|invitation)\b/.test(path);

/** Whether a path is one of JobMatchNow, which has a page of its own. */
export const isJobs = (path) => /^\/jobs\b/.test(path);

/**
 * The path of an address of this service, with its query and fragment; `null` for any other address.
 *
 * The path is parsed again and has to lead to the same place: of `/.//example.org` the parser makes the path `//example.org`, which is another host.
 */
export function ownPath(address) {
  const url = URL.parse(address, location.origin);
  if (!address || url?.origin !== location.origin) return null;
  const path = url.pathname + url.search + url.hash;
  return URL.parse(path, location.origin)?.href === url.href ? path : null;
}

/** Where people begin on this page. */
const home = () => (isJobs(location.pathname) ? "/jobs" : "/documents");

/** Goes to the page for signing in, and back here after it; a page for everybody is only loaded anew. */
export async function toSignIn({ reload = false } = {}) {
  const here = location.pathname + location.search + location.hash;
  if (reload && isJobs(location.pathname)) return location.reload();
  if (isOpen(location.pathname)) return;
  const address = here === "/documents" ? "/signin" : `/signin?next=${encodeURIComponent(here)}`;
  if (reload) location.replace(address);
  else (await import("./app.js")).go(address, { replace: true });
}
