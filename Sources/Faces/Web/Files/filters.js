// The sheet with filters, and the chips of those that are active.

import { schools, schoolName } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { complain, field, sheet } from "./messages.js";
import { types } from "./text.js";

/** Asks for filters; gives the changed query, or `undefined` where nothing was chosen. */
export async function askFilters(query) {
  const known = await schools().catch((error) => { complain(error.message); return []; });
  return sheet("Filter documents", (close) => {
    const search = h("input", { type: "search", name: "q", value: query.filters.get("q") ?? "", autocomplete: "off" });
    const school = h("select", { name: "school" }, h("option", { value: "" }, "All schools"),
      h("option", { value: "general" }, "General"), known.map(({ id, name }) => h("option", { value: id }, name)));
    school.value = query.filters.get("school") ?? "";
    const choice = (name, value, label, checked) => h("label.choice", {},
      h("input", { type: "checkbox", name, value, checked }), label);
    const form = h("form", {
      method: "dialog",
      onsubmit: (event) => {
        event.preventDefault();
        const data = new FormData(form);
        close(query.with("q", data.get("q").trim()).with("type", data.getAll("type").join(","))
          .with("school", data.get("school")).with("shared", data.get("shared")));
      },
    },
    field("Search", search),
    h("fieldset", {}, h("legend", {}, "Type"),
      Object.entries(types).map(([value, { label }]) => choice("type", value, label, query.types.includes(value)))),
    field("School", school),
    choice("shared", "true", "Shared only", query.filters.get("shared") === "true"),
    h("div.actions", {},
      h("button.plain", { type: "button", onclick: () => close(query.with("q").with("type").with("school").with("shared")) },
        "Clear filters"),
      h("button.primary", { type: "submit" }, "Show documents")));
    return form;
  });
}

/** The active filters, each with a button that removes it. */
export function chips(query, change) {
  const made = [];
  const chip = (text, next) => made.push(h("button.chip", {
    type: "button", "aria-label": `Remove filter ${text}`, onclick: () => change(next),
  }, text, icon("close")));
  for (const type of query.types) {
    const rest = query.types.filter((other) => other !== type).join(",");
    chip(`Type: ${types[type]?.label ?? type}`, query.with("type", rest));
  }
  const school = query.filters.get("school");
  if (school) chip(`School: ${school === "general" ? "General" : schoolName(school)}`, query.with("school"));
  if (query.filters.get("shared")) chip("Shared only", query.with("shared"));
  if (query.filters.get("q")) chip(`Search: ${query.filters.get("q")}`, query.with("q"));
  if (made.length) {
    made.push(h("button.quiet", {
      type: "button", onclick: () => change(query.with("q").with("type").with("school").with("shared")),
    }, "Clear filters"));
  }
  return made;
}
