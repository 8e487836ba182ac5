// Screens: a forgotten password, a new one by the mailed link, and the confirmation of an address by its link.
//
// A link's token stands behind `#`, which no server sees. Opening the page does nothing: programs that look through mail open links.

import { ask } from "./api.js";
import { setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { field, showFault } from "./messages.js";
import { session } from "./session.js";
import { card, PasswordForm, tell } from "./signin.js";

/** Shows the screen of the address. */
export function show(main) {
  document.body.classList.add("is-signing-in");
  const token = location.hash.slice(1);
  if (location.pathname.startsWith("/forgot")) forgot(main);
  else if (location.pathname.startsWith("/reset")) reset(main, token);
  else confirm(main, token);
}

const toSignIn = () => h("p.signin-other", {}, h("a", { href: "/signin" }, "Back to sign in"));

function forgot(main) {
  setTitle("Forgot password");
  const email = h("input", {
    type: "email", name: "email", autocomplete: "username", inputmode: "email", autocapitalize: "none", spellcheck: "false",
    required: true, maxlength: 320, value: new URLSearchParams(location.search).get("email") ?? "",
  });
  const button = h("button.primary.wide", { type: "submit" }, "Send me a link");
  card(main, h("h1", {}, "Forgot your password?"), h("p.muted", {}, "We mail you a link that sets a new one."),
    h("form.password-form", { novalidate: true, onsubmit: once(async () => {
      const address = email.value.trim();
      showFault(email, address ? "" : "Enter your email");
      if (!address) return email.focus();
      button.disabled = true;
      try {
        await ask("/api/account/recovery", { method: "POST", body: { email: address } });
        tell(main, "mail", "Look into your mail", `If ${address} has an account, a link is on its way. It works for an hour.`, toSignIn());
      } catch (error) {
        showFault(email, error.message);
        button.disabled = false;
        email.focus();
      }
    }) }, field("Email", email, { required: true }), button), toSignIn());
  email.focus();
}

function reset(main, token) {
  setTitle("New password");
  const form = new PasswordForm({
    action: "Set password and sign in", isNew: true, label: "New password",
    send: async (password) => {
      try {
        const { account } = await ask("/api/account/password", { method: "POST", body: { token, password } });
        session.leave("/documents", account);
      } catch (error) {
        if (error.code !== "link_ended") throw error;
        ended(main);
      }
      await new Promise(() => {});
    },
  });
  card(main, h("h1", {}, "Choose a new password"), h("p.muted", {}, "You will be signed out everywhere else."), form.node, toSignIn());
  form.password.focus();
}

function confirm(main, token) {
  setTitle("Confirm your email");
  const fault = h("p.form-fault", { role: "alert" });
  card(main, h("h1", {}, "Confirm your email"), h("p.muted", {}, "One more step, and your account is ready."), fault,
    h("button.primary.wide", { type: "button", onclick: once(async () => {
      try {
        const { email } = await ask("/api/account/confirmation", { method: "POST", body: { token } });
        tell(main, "check", "Email confirmed", `Sign in as ${email} to see your documents.`,
          h("a.button.primary.wide", { href: "/signin" }, "Sign in"));
      } catch (error) {
        if (error.code === "link_ended") ended(main);
        else fault.replaceChildren(icon("warning"), error.message);
      }
    }) }, "Confirm"));
}

function ended(main) {
  tell(main, "warning", "This link has ended", "It was used already, or is too old.",
    h("a.button.primary.wide", { href: "/forgot" }, "Ask for a new one"), toSignIn());
}
