// What is said to people: short messages, banners, questions, sheets.

import { connection } from "./api.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";

/** Says in a few words that something is done; gone after 4 s. */
export function say(text) {
  const message = h("p.message", {}, icon("check"), text);
  document.querySelector("#messages").append(message);
  setTimeout(() => message.remove(), 4000);
}

let complaint = null;

/** Shows a red banner until it is closed or the screen changes; `retry` adds a button. */
export function complain(text, retry) {
  complaint = text ? { text, retry } : null;
  showBanner();
}

/** The lost connection stands before any other trouble. */
function showBanner() {
  const banner = document.querySelector("#banner");
  if (!connection.isOnline) {
    banner.replaceChildren(h("div.banner.lost", {}, icon("warning"), h("span", {}, "Connection lost"),
      h("button.quiet", { type: "button", onclick: () => connection.probe() }, "Retry")));
  } else if (complaint) {
    const { text, retry } = complaint;
    banner.replaceChildren(h("div.banner", {}, icon("warning"), h("span", {}, text),
      retry && h("button.quiet", { type: "button", onclick: once(async () => { complain(null); await retry(); }) }, "Retry"),
      h("button.quiet.round", { type: "button", "aria-label": "Dismiss", onclick: () => complain(null) }, icon("close"))));
  } else banner.replaceChildren();
}

connection.addEventListener("change", showBanner);

/**
 * Opens a sheet: a dialog from below on phones, in the middle on desks.
 *
 * @param {function} fill gets `close` and returns the content
 * @returns a promise of the value that `close` was given
 */
export function sheet(title, fill, { wide = false } = {}) {
  return new Promise((resolve) => {
    let value;
    const id = `sheet-${Math.random().toString(36).slice(2)}`;
    const close = (result) => { value = result; dialog.close(); };
    const dialog = h("dialog.sheet", {
      "aria-labelledby": id, class: wide ? "wide" : null,
      onclose: () => { dialog.remove(); resolve(value); },
      // A click on the ground beside the sheet closes it, unless something was typed.
      onclick: (event) => { if (event.target === dialog && !dialog.querySelector(".is-dirty")) dialog.close(); },
    });
    dialog.append(h("div.sheet-body", {},
      h("div.sheet-head", {}, h("h2", { id }, title),
        h("button.quiet.round", { type: "button", "aria-label": "Close", onclick: () => close() }, icon("close"))),
      fill(close, dialog)));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks before something happens that cannot be taken back. */
export function sure(title, text, action, { danger = true } = {}) {
  return sheet(title, (close) => h("div", {}, h("p", {}, text),
    h("div.actions", {},
      h("button.plain", { type: "button", onclick: () => close(false) }, "Cancel"),
      h("button", { type: "button", class: danger ? "danger" : "primary", onclick: () => close(true) }, action))));
}

/** A field with its label and the place of its error. */
export function field(label, control, { hint, required } = {}) {
  const id = control.id || `field-${Math.random().toString(36).slice(2)}`;
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-error`);
  return h("div.field", {},
    h("label", { for: id }, label, required && h("span.required", { "aria-hidden": "true" }, " *")), control,
    h("p.error", { id: `${id}-error`, "aria-live": "polite" }), hint && h("p.hint", {}, hint));
}

/** Shows what is wrong with a field's content, beside it; `""` for nothing. */
export function showFault(control, text) {
  control.toggleAttribute("aria-invalid", false);
  if (text) control.setAttribute("aria-invalid", "true");
  document.getElementById(`${control.id}-error`)?.replaceChildren(text ?? "");
}
