// Links to a document for people without an account: made, copied and ended by its owner.

import { ask } from "./api.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { field } from "./messages.js";
import { session } from "./session.js";
import { count, date } from "./text.js";

const permissions = { view: "View only", download: "View and download" };
const ends = [[1, "1 day"], [7, "7 days"], [30, "30 days"], [90, "90 days"], [365, "1 year"]];

/** Who made a link, by name and address; of an account that is gone nothing is known. */
function maker({ made_by: { id, email, name } }) {
  if (id === session.account?.id) return "you";
  return name && email ? `${name} (${email})` : email ?? (session.account ? "somebody whose account was deleted" : "you");
}

/** The part of a sheet that makes links to a document, and lists those that have not ended. */
export function linkSection(item) {
  const path = `/api/documents/${item.id}/links`;
  const list = h("ul.versions.links", { "aria-label": "Links" });
  const fault = h("p.error", { role: "alert" });
  const said = h("p.hint", { role: "status" });
  const attempt = async (action) => {
    fault.replaceChildren();
    said.replaceChildren();
    try {
      await action();
    } catch (error) {
      fault.replaceChildren(error.isLost ? "The link could not be changed. Check your connection." : error.message);
    }
  };
  const refresh = async () => {
    const links = await ask(path);
    list.replaceChildren(...links.map((link) => row(link)));
  };
  const hand = async (link) => {
    const url = new URL(link.url, location).href;
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      // Whoever closes the system's sheet again has shared nothing, and done nothing wrong.
      await navigator.share({ title: item.title, url }).catch(() => {});
      return;
    }
    try {
      await navigator.clipboard.writeText(url);
      said.replaceChildren(`Link copied. It ends on ${date(link.expires_at)}.`);
    } catch {
      // Pages that came by http from another machine may not write to the clipboard.
      const shown = h("input", { type: "text", readonly: true, value: url, "aria-label": "The link", onfocus: () => shown.select() });
      said.replaceChildren("Copy this link:", shown);
      shown.focus();
    }
  };
  const row = (link) => h("li", {},
    h("span", {}, permissions[link.permission], h("br"), h("span.muted", {},
      `Ends ${date(link.expires_at)} · ${link.visit_count ? `opened ${count(link.visit_count, "time")}` : "not opened yet"}`,
      h("br"), link.is_open ? `Made by ${maker(link)}` : `Made by ${maker(link)}, who may no longer share this: it opens nothing`)),
    h("button.plain", { type: "button", "aria-label": `Copy the link that ends ${date(link.expires_at)}`,
      onclick: once(() => attempt(() => hand(link))) }, "Copy"),
    h("button.plain", { type: "button", "aria-label": `End the link that ends ${date(link.expires_at)}`,
      onclick: once(() => attempt(async () => {
        await ask(`${path}/${link.id}`, { method: "DELETE" });
        await refresh();
        said.replaceChildren("The link opens nothing any more.");
      })) }, "End"));
  const permission = h("select", {}, Object.entries(permissions).map(([value, name]) => h("option", { value }, name)));
  const days = h("select", {}, ends.map(([value, name]) => h("option", { value, selected: value === 30 }, name)));
  attempt(refresh);
  return h("section", { "aria-label": "Share by a link" },
    h("h3", {}, "Share by a link"),
    h("p.hint", {}, "Whoever has the link sees this document without an account, until the link ends."),
    h("form.new-link", { onsubmit: once(() => attempt(async () => {
      const link = await ask(path, { method: "POST", body: { permission: permission.value, days: Number(days.value) } });
      await refresh();
      await hand(link);
    })) }, field("Visitors may", permission), field("Ends after", days),
    h("button.primary", { type: "submit" }, icon("share"), "Copy new link")),
    said, fault, list);
}
