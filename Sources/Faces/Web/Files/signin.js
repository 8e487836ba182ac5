// Screen: signing in and creating an account; and the same over another screen when a session has ended.

import { ask, connection } from "./api.js";
import { setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { field, sheet, showFault } from "./messages.js";
import { signInButtons } from "./providers.js";
import { isJobs, ownPath, session } from "./session.js";

const longestName = 100;

/** The address to open after signing in: the path of a screen of this service. */
function nextAddress() {
  const path = ownPath(new URLSearchParams(location.search).get("next") ?? "");
  return path && !path.startsWith("/signin") ? path : "/documents";
}

/** Shows the screen. */
export function show(main) {
  document.body.classList.add("is-signing-in");
  const leaveIfKnown = () => {
    if (session.auth === "off" || session.account) location.replace(nextAddress());
  };
  const screen = new SignIn(main);
  const learn = () => {
    leaveIfKnown();
    screen.showForgot();
    screen.showProviders();
  };
  session.addEventListener("change", learn);
  screen.choose(new URLSearchParams(location.search).has("new") ? "up" : "in");
  if (session.auth) leaveIfKnown();
  return { leave: () => session.removeEventListener("change", learn) };
}

/** Shows a card with the product's mark in the middle of the page. */
export function card(main, ...content) {
  main.replaceChildren(h("div.signin", {},
    h("div.signin-card.panel", {},
      h("img.signin-mark", { src: document.querySelector("#top .brand img").src, alt: "", width: 56, height: 56 }), content)));
}

/** A card that only says something, with ways on. */
export function tell(main, mark, title, text, ...ways) {
  setTitle(title);
  card(main, h("div.signin-told", { role: "status" }, icon(mark), h("h1", {}, title), h("p.muted", {}, text)), ...ways);
}

class SignIn {
  constructor(main) {
    const tab = (name, label) => h("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "signin-panel", onclick: () => this.choose(name),
      onkeydown: (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        this.choose(name === "in" ? "up" : "in");
        this.tabs[this.kind].focus();
      },
    }, label);
    this.tabs = { in: tab("in", "Sign in"), up: tab("up", "Create account") };
    this.title = h("h1");
    this.introduction = h("p.muted");
    this.email = h("input", {
      type: "email", name: "email", autocomplete: "username", inputmode: "email", autocapitalize: "none", spellcheck: "false",
      required: true, maxlength: 320,
    });
    this.name = h("input", { type: "text", name: "name", autocomplete: "name", maxlength: longestName });
    this.panel = h("div", { id: "signin-panel", role: "tabpanel" });
    this.notice = h("p.form-fault", { role: "alert" });
    this.elsewhere = h("div");
    this.segments = h("div.segments", { role: "tablist", "aria-label": "Sign in or create an account" }, this.tabs.in, this.tabs.up);
    card(main, this.title, this.introduction, this.notice, this.segments, this.panel, this.elsewhere);
  }

  choose(kind) {
    const isNew = kind === "up";
    this.kind = kind;
    this.segments.hidden = false;
    setTitle(isNew ? "Create account" : "Sign in");
    this.title.textContent = isNew ? "Create your account" : "Welcome back";
    const isGone = new URLSearchParams(location.search).has("deleted");
    this.introduction.textContent = isGone ? "Your account was deleted." : isNew
      ? isJobs(nextAddress()) ? "Keep your searches, and open them on every device." : "Keep your videos, transcripts and letters in one place, ready for coaches."
      : isJobs(nextAddress()) ? "Sign in to see your searches." : "Sign in to see your documents.";
    for (const [name, tab] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === kind));
      tab.tabIndex = name === kind ? 0 : -1;
    }
    this.panel.setAttribute("role", "tabpanel");
    this.panel.setAttribute("aria-labelledby", `tab-${kind}`);
    const typed = this.form?.password.value ?? "";
    this.form = new PasswordForm({
      action: isNew ? "Create account" : "Sign in", isNew, above: [
        isNew && field("Name (optional)", this.name, { hint: "Shown in your account alone." }),
        field("Email", this.email, { required: true }),
      ],
      controls: { email: this.email, name: this.name },
      send: (password) => this.send(isNew, password),
    });
    this.form.password.value = typed;
    this.panel.replaceChildren(this.form.node);
    this.elsewhere.hidden = false;
    this.showForgot();
    this.showProviders();
  }

  /** The ways to sign in elsewhere, once they are known, and why one did not succeed. */
  showProviders() {
    if (!session.auth || this.elsewhere.hasChildNodes()) return;
    this.elsewhere.append(signInButtons(nextAddress(), this.notice));
  }

  /** The way on for who has forgotten the password, once it is known whether the service sends mail. */
  showForgot() {
    this.panel.querySelector(".signin-other")?.remove();
    if (this.kind === "in" && session.sendsMail) {
      this.panel.append(h("p.signin-other", {}, h("a", { href: "/forgot" }, "Forgot password?")));
    }
  }

  async send(isNew, password) {
    const email = this.email.value.trim();
    this.notice.replaceChildren();
    const body = isNew ? { email, password, name: this.name.value } : { email, password };
    const { account } = await ask(isNew ? "/api/account" : "/api/session", { method: "POST", body });
    if (!account) return this.sayConfirm(email);
    session.leave(nextAddress(), account);
    // The browser is about to show the next page: the button stays off.
    await new Promise(() => {});
  }

  /** A link is on its way to the address of a new account. */
  sayConfirm(email) {
    this.title.textContent = "Look into your mail";
    this.introduction.textContent = `We have sent a link to ${email}. Open it, and your account is ready.`;
    this.segments.hidden = this.elsewhere.hidden = true;
    this.panel.removeAttribute("role");
    this.panel.removeAttribute("aria-labelledby");
    this.panel.replaceChildren(h("p.signin-other", {}, h("button.quiet", { type: "button", onclick: () => this.choose("in") }, "Back to sign in")));
  }
}

/** A form that ends with a password, which can be shown, and what was wrong with it. */
export class PasswordForm {
  constructor({ action, label = "Password", isNew = false, above = [], controls = {}, send }) {
    this.controls = controls;
    this.password = passwordInput({ isNew });
    this.fault = h("p.form-fault", { role: "alert" });
    this.button = h("button.primary.wide", { type: "submit" }, action);
    this.node = h("form.password-form", { novalidate: true, onsubmit: once((event) => this.submit(event, send)) },
      above, passwordField(label, this.password, { required: true, hint: isNew ? "At least 8 characters." : null }),
      this.fault, this.button);
  }

  async submit(event, send) {
    event.preventDefault();
    this.show("");
    for (const control of [this.controls.email, this.password]) {
      if (!control || control.value.trim()) continue;
      this.show(control === this.password ? "Enter your password" : "Enter your email", control);
      return;
    }
    this.button.disabled = true;
    try {
      await send(this.password.value);
    } catch (error) {
      this.show(error.message, { ...this.controls, password: this.password }[error.field]);
      // The sentence goes once it is no longer true.
      if (error.isLost) connection.addEventListener("change", () => this.fault.replaceChildren(), { once: true });
    } finally {
      this.button.disabled = false;
    }
  }

  /** Says what is wrong: beside a field, or above the button. */
  show(message, control) {
    for (const other of [...Object.values(this.controls), this.password]) showFault(other, "");
    this.fault.replaceChildren();
    if (!message) return;
    if (control) showFault(control, message);
    else this.fault.append(icon("warning"), message);
    (control ?? this.password).focus();
  }
}

/** The control of a password. */
export function passwordInput({ isNew = false, name = "password" } = {}) {
  return h("input", {
    type: "password", name, autocomplete: isNew ? "new-password" : "current-password", required: true, maxlength: 4096,
  });
}

/** A password's control with its label, and a button that shows what was typed. */
export function passwordField(label, input, options) {
  const node = field(label, input, options);
  const eye = h("button.quiet.eye", {
    type: "button", "aria-label": "Show password", "aria-pressed": "false",
    onclick: () => {
      const isShown = input.type === "password";
      input.type = isShown ? "text" : "password";
      eye.setAttribute("aria-pressed", String(isShown));
    },
  }, icon("view"));
  const frame = h("div.with-eye");
  input.replaceWith(frame);
  frame.append(input, eye);
  return node;
}

/**
 * Asks a person whose session has ended to sign in again, over what they were doing.
 *
 * @param {AbortSignal} signal closes the sheet: they have signed in by another tab
 * @returns the account; `null` where they closed the sheet
 */
export async function askAgain(account, signal) {
  return await sheet("Sign in to go on", (close) => {
    signal.addEventListener("abort", () => close());
    const elsewhere = session.providers.length > 0 && h("p.signin-other", {},
      h("a", { href: "/signin", target: "_blank" }, "Sign in another way, in a new tab"));
    if (!account.has_password) return h("div", {}, h("p.muted.sheet-text", {}, "Your session has ended. Nothing that you typed is lost."), elsewhere);
    const email = h("input", { type: "email", autocomplete: "username", readonly: true, value: account.email });
    const form = new PasswordForm({
      action: "Sign in", controls: { email }, above: [
        h("p.muted.sheet-text", {}, "Your session has ended. Nothing that you typed is lost."), field("Email", email),
      ],
      send: async (password) => {
        const answer = await ask("/api/session", { method: "POST", body: { email: account.email, password } });
        session.tell(answer.account);
        close(answer.account);
      },
    });
    form.node.append(h("p.signin-other", {}, h("a", { href: "/signin", target: "_self" }, "Sign in as somebody else")), elsewhere || "");
    setTimeout(() => form.password.focus());
    return form.node;
  }) ?? null;
}

/** Tells a person that somebody else has signed in by another tab; the answer is whether to go on as them. */
export function meetOther(mine, other) {
  return sheet("Another account is signed in", (close) => h("div", {},
    h("p", {}, "This page shows the documents of ", h("strong", {}, mine.email), ", but this browser is now signed in as ",
      h("strong", {}, other.email), ". Nothing more is saved from here."),
    h("div.actions", {},
      h("button.plain", { type: "button", onclick: () => close(false) }, "Stay on this page"),
      h("button.primary", { type: "button", onclick: () => close(true) }, `Go on as ${other.name || other.email}`))));
}
