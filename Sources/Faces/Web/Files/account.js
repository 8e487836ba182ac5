// Screen: the account: name, password, and the places where the person is signed in.

import { ask } from "./api.js";
import { setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { athletePart, guardianPart } from "./guardians.js";
import { icon } from "./icons.js";
import { leavingPart } from "./leaving.js";
import { complain, field, say, showFault, sure } from "./messages.js";
import { waysPanel } from "./providers.js";
import { forgetOwned } from "./searches.js";
import { session } from "./session.js";
import { passwordField, passwordInput } from "./signin.js";
import { date } from "./text.js";

const longestName = 100;
const lost = "Unable to load your account. Check your connection.";

/** Shows the screen; gives what ends it. */
export function show(main) {
  setTitle("Account");
  const screen = new Account(main);
  screen.start();
  return { leave: () => screen.leave() };
}

class Account {
  constructor(main) { this.main = main; }

  async start() {
    this.changed = () => this.build();
    session.addEventListener("change", this.changed);
    if (session.auth) this.build();
  }

  leave() {
    this.isLeft = true;
    session.removeEventListener("change", this.changed);
  }

  build() {
    if (this.isBuilt) return this.showWho();
    if (!session.account) {
      if (session.auth === "off") this.main.replaceChildren(h("div.empty", {}, icon("person"), h("h1", {}, "No accounts here"),
        h("p.muted", {}, "This service has one person, who need not sign in."), h("a.button.primary", { href: "/documents" }, "Return to Documents")));
      else session.regain();
      return;
    }
    this.isBuilt = true;
    this.who = h("div.account-who");
    this.sessions = h("ul.sessions", { "aria-label": "Sessions" });
    this.others = h("button.plain", { type: "button", hidden: true, "data-online": true, onclick: once(() => this.endOthers()) },
      "Sign out everywhere else");
    this.main.replaceChildren(h("div.account", {},
      h("div.account-head", {}, this.who,
        h("button.plain", { type: "button", onclick: once(() => signOut()) }, icon("leave"), "Sign out")),
      this.athletes = h("div.athletes"), guardianPart(), this.nameForm(), this.passwordForm(), waysPanel(),
      h("section.panel", { "aria-labelledby": "sessions-title" },
        h("div.account-part", {}, h("h2", { id: "sessions-title" }, "Where you are signed in"), this.others), this.sessions),
      leavingPart()));
    this.showWho();
    this.load();
  }

  showWho() {
    const { name, email } = session.account;
    this.who.replaceChildren(h("span.initial.large", { "aria-hidden": "true" }, initial(session.account)),
      h("div", {}, h("h1", {}, name || "Account"), h("p.muted", {}, email)));
    this.athletes.replaceChildren(athletePart() ?? "");
  }

  // Name and password

  nameForm() {
    const input = h("input", { type: "text", autocomplete: "name", maxlength: longestName, value: session.account.name ?? "" });
    const save = h("button.primary", { type: "submit", disabled: true, "data-online": true }, "Save name");
    const isSame = () => input.value.trim() === (session.account.name ?? "");
    input.addEventListener("input", () => { save.disabled = isSame(); });
    return h("form.panel", {
      "aria-label": "Name", novalidate: true,
      onsubmit: once(async (event) => {
        event.preventDefault();
        showFault(input, "");
        try {
          session.take(await ask("/api/account", { method: "PATCH", body: { name: input.value } }));
          input.value = session.account.name ?? "";
          save.disabled = true;
          say("Changes saved");
        } catch (error) {
          showFault(input, `Failed to save changes. ${error.message}`);
        }
      }),
    }, h("h2", {}, "Name"), field("Your name", input), h("div.actions", {}, save));
  }

  passwordForm() {
    const hasPassword = session.account.has_password;
    const present = hasPassword && passwordInput({ name: "current_password" });
    const wanted = passwordInput({ isNew: true });
    const save = h("button.primary", { type: "submit", disabled: true, "data-online": true }, hasPassword ? "Change password" : "Set password");
    const fields = { ...(present && { current_password: present }), password: wanted };
    const form = h("form.panel", {
      "aria-label": "Password", novalidate: true,
      oninput: () => { save.disabled = present && !present.value || !wanted.value; },
      onsubmit: once(async (event) => {
        event.preventDefault();
        for (const input of Object.values(fields)) showFault(input, "");
        try {
          const body = { ...(present && { current_password: present.value }), password: wanted.value };
          session.take(await ask("/api/account", { method: "PATCH", body }));
          // The form asks for the present password from now on.
          if (!hasPassword) form.replaceWith(this.passwordForm());
          form.reset();
          save.disabled = true;
          say(hasPassword ? "Password changed" : "Password set");
          this.load();
        } catch (error) {
          const input = fields[error.field] ?? wanted;
          showFault(input, error.message);
          input.focus();
        }
      }),
    }, h("h2", {}, "Password"), h("p.muted.part-text", {},
        hasPassword ? "A new password signs you out everywhere else." : "You have none yet. With one you can also sign in with your email."),
      // Password managers look for the account's name in the form.
      h("input", { type: "text", autocomplete: "username", value: session.account.email, hidden: true, readonly: true }),
      present && passwordField("Current password", present), passwordField("New password", wanted, { hint: "At least 8 characters." }),
      h("div.actions", {}, save));
    return form;
  }

  // Sessions

  async load() {
    try {
      const all = await ask("/api/account/sessions", { lost });
      if (this.isLeft) return;
      this.others.hidden = all.length < 2;
      this.sessions.replaceChildren(...all.sort((one, other) => other.is_current - one.is_current).map((item) => this.row(item)));
    } catch (error) {
      if (!this.isLeft) complain(error.message, () => this.load());
    }
  }

  row(item) {
    const program = item.program || "Another program";
    return h("li", {}, h("span.session-icon", {}, icon(/iPhone|iPad|Android/.test(program) ? "phone" : "screen")),
      h("div.session-text", {},
        h("h3", {}, program, " ", item.is_current && h("span.badge.green", {}, "This device")),
        h("p.muted", {}, `Signed in ${date(item.created_at)}`,
          date(item.used_at) !== date(item.created_at) && ` · Last used ${date(item.used_at)}`)),
      !item.is_current && h("button.quiet", {
        type: "button", "data-online": true, "aria-label": `Sign out ${program}, signed in ${date(item.created_at)}`,
        onclick: once(() => this.end(item.id, "Signed out there")),
      }, "Sign out"));
  }

  async end(id, done) {
    try {
      await ask(`/api/account/sessions/${id}`, { method: "DELETE" });
    } catch (error) {
      if (error.status !== 404) return complain(error.message, () => this.end(id, done));
    }
    say(done);
    await this.load();
  }

  async endOthers() {
    const isSure = await sure("Sign out everywhere else?", "Every other browser and program has to sign in again.", "Sign out everywhere else");
    if (isSure) await this.end("others", "Signed out everywhere else");
  }
}

/** The letter that stands for a person. */
export const initial = ({ name, email }) => Array.from(name || email)[0].toLocaleUpperCase();

/** Ends the session, leaves nothing of the person's on the page or in the browser, and opens an address. */
export async function signOut(address = "/signin") {
  try {
    await ask("/api/session", { method: "DELETE" });
  } catch (error) {
    complain(`You are still signed in. ${error.message}`, () => signOut(address));
    return;
  }
  localStorage.removeItem("uploads.open");
  forgetOwned();
  session.leave(address);
}
