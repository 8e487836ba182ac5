// Everything that is the person's: taken along as an archive, or deleted.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { sheet, showFault } from "./messages.js";
import { forgetOwned } from "./searches.js";
import { session } from "./session.js";
import { passwordField, passwordInput } from "./signin.js";

/** The part of the account that gives the archive, and deletes the account. */
export function leavingPart() {
  return h("section.panel", { "aria-labelledby": "data-title" },
    h("h2", { id: "data-title" }, "Your data"),
    h("p.muted.part-text", {}, "The archive has every file with all its versions, and lists of your documents, schools and templates."),
    h("div.actions.start", {},
      h("a.button.plain", { href: "/api/account/archive", download: true, "data-online": true }, icon("download"), "Download everything"),
      h("button.plain.danger-text", { type: "button", "data-online": true, onclick: askToDelete }, icon("delete"), "Delete account")));
}

/** Asks for the password, then deletes. */
function askToDelete() {
  if (!session.account.has_password) {
    return sheet("Set a password first", (close) => h("div", {},
      h("p.sheet-text", {}, "You have none yet. With one you prove that it is you who deletes the account."),
      h("div.actions", {}, h("button.primary", { type: "button", onclick: () => close() }, "OK"))));
  }
  const password = passwordInput({ name: "password" });
  return sheet("Delete your account?", (close) => {
    const remove = h("button.danger", { type: "submit" }, "Delete account");
    return h("form", {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (remove.disabled) return;
        showFault(password, password.value ? "" : "Enter your password");
        if (!password.value) return password.focus();
        remove.disabled = true;
        try {
          await ask("/api/account", { method: "DELETE", body: { password: password.value } });
          localStorage.removeItem("uploads.open");
          forgetOwned();
          session.leave("/signin?deleted");
        } catch (error) {
          showFault(password, error.message);
          remove.disabled = false;
          password.focus();
        }
      },
    }, h("p.sheet-text", {}, "All your documents, with every version and shared link, are deleted for good. Coaches who have a link see nothing any more. This cannot be undone."),
      h("input", { type: "text", autocomplete: "username", value: session.account.email, hidden: true, readonly: true }),
      passwordField("Your password", password),
      h("div.actions", {}, h("button.plain", { type: "button", onclick: () => close() }, "Cancel"), remove));
  });
}
