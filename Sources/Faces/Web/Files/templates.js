// Screen: communication templates, the texts that a person sends again and again.

import { setTitle } from "./app.js";
import { ask, connection, showOnline } from "./api.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, field, say, showFault, sure } from "./messages.js";
import { date } from "./text.js";

const path = "/api/communication-templates";
const lost = "Unable to load templates. Check your connection.";
const longestName = 100;
const longestBody = 10_000;

const kinds = {
  email: { label: "Email", icon: "mail", colour: "blue" },
  text: { label: "Text", icon: "text", colour: "green" },
  twitter: { label: "Twitter", icon: "twitter", colour: "sky", limit: 280 },
};

/** The variables that letters to coaches know, with a value for the preview. */
const variables = {
  coach_name: "Coach Day", athlete_name: "Jordan Lee", school_name: "Ohio State", sport: "Soccer",
};

/** A variable in a text, as the service reads it. */
const variable = /\{\{\s*([\p{L}\p{N}_]{1,64})\s*\}\}/u;

/** The names between double braces in a text, each once. */
export const variablesIn = (body) => [...new Set([...body.matchAll(new RegExp(variable, "gu"))].map(([, name]) => name))];

/** The characters of a text as people count them. */
const charactersOf = (text) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Kept for the next visit, so that the list is there at once. */
let known = null;
/** What is being written, by the template's id, the latest last: it is there again after another screen. */
const drafts = new Map();

/** Shows the screen; gives what ends it. */
export function show(main) {
  const screen = new Templates(main);
  screen.start();
  return { leave: () => screen.leave() };
}

class Templates {
  kind = "all";
  tab = "mine";

  constructor(main) {
    this.main = main;
    setTitle("Communication Templates");
    const tab = (name) => h("button.tab", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", onclick: () => this.choose(name),
      onkeydown: (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        this.choose(name === "mine" ? "new" : "mine");
        this.tabs[this.tab].focus();
      },
    });
    this.tabs = { mine: tab("mine"), new: tab("new") };
    this.tabs.new.textContent = "Create New";
    this.tabs.new.dataset.change = "";
    this.panel = h("section", { id: "panel", role: "tabpanel", tabindex: -1 });
    main.replaceChildren(h("div.templates", {},
      h("h1", {}, "Communication Templates"),
      h("p.muted", {}, "Create and manage email, text, and social media templates"),
      h("div.tabs", { role: "tablist", "aria-label": "Templates" }, this.tabs.mine, this.tabs.new), this.panel));
  }

  async start() {
    this.following = () => this.follow?.();
    connection.addEventListener("change", this.following);
    const latest = [...drafts.values()].at(-1);
    this.choose(latest ? "new" : "mine", latest?.template);
    if (!known) this.bones = setTimeout(() => this.tab === "mine" && !known && this.showBones(), 300);
    await this.load();
  }

  leave() {
    this.isLeft = true;
    clearTimeout(this.bones);
    connection.removeEventListener("change", this.following);
  }

  async load() {
    try {
      known = await ask(path, { lost });
      if (this.isLeft) return;
      this.nameTabs();
      if (this.tab === "mine") this.showList();
    } catch (error) {
      if (!this.isLeft) complain(error.message, () => this.load());
    } finally {
      clearTimeout(this.bones);
    }
  }

  nameTabs() {
    this.tabs.mine.textContent = known ? `My Templates (${known.length})` : "My Templates";
    for (const [name, tab] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(name === this.tab));
      tab.tabIndex = name === this.tab ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
  }

  choose(name, template = null) {
    this.tab = name;
    this.follow = null;
    this.nameTabs();
    if (name === "new") this.showEditor(template);
    else if (known) this.showList();
    else this.panel.replaceChildren();
  }

  // My templates

  showList() {
    const pills = [["all", "All"], ...Object.entries(kinds).map(([name, kind]) => [name, kind.label])].map(([name, label]) => {
      const number = name === "all" ? known.length : known.filter(({ type }) => type === name).length;
      return h("button.pill", { type: "button", "aria-pressed": String(this.kind === name), onclick: () => {
        this.kind = name;
        this.showList();
        this.panel.querySelector("[aria-pressed=true]").focus();
      } }, `${label} (${number})`);
    });
    const shown = known.filter(({ type }) => this.kind === "all" || type === this.kind);
    this.panel.replaceChildren(h("div.pills", { role: "group", "aria-label": "Kind of template" }, pills),
      shown.length ? h("ul.template-list", {}, shown.map((template) => this.card(template)))
        : h("div.empty", {}, icon("mail"), h("h2", {}, "No templates found"),
          h("button.primary", { type: "button", "data-change": true, onclick: () => this.choose("new") }, "Create a template")));
    showOnline(this.panel);
  }

  card(template) {
    const kind = kinds[template.type];
    const beginning = charactersOf(template.body);
    return h("li.panel", {},
      h("div.template-head", {}, h("h2", { dir: "auto" }, template.name), h("span.badge", { class: kind.colour }, icon(kind.icon), kind.label)),
      h("p.muted", {}, date(template.updated_at)),
      h("p.template-body", { dir: "auto" }, beginning.length > 100 ? `${beginning.slice(0, 100).join("")}…` : template.body),
      h("div", {}, h("button.plain", { type: "button", "data-change": true, "aria-label": `Edit ${template.name}`, onclick: () => this.choose("new", template) },
        icon("edit"), "Edit")));
  }

  showBones() {
    this.panel.replaceChildren(h("ul.template-list", { "aria-hidden": "true" }, Array.from({ length: 3 }, () =>
      h("li.panel", {}, h("div.bone"), h("div.bone"), h("div.bone")))));
  }

  // The editor

  showEditor(template) {
    const key = template?.id ?? "";
    const from = drafts.get(key);
    const name = h("input", { type: "text", required: true, maxlength: longestName, value: from?.name ?? template?.name ?? "" });
    const kind = h("select", {}, Object.entries(kinds).map(([value, { label }]) => h("option", { value }, label)));
    kind.value = from?.type ?? template?.type ?? "email";
    const body = h("textarea.template-text", { required: true, maxlength: longestBody, dir: "auto", value: from?.body ?? template?.body ?? "" });
    const counter = h("p.hint", { role: "status" });
    const unknown = h("p.hint.unknown", { role: "status" });
    const sample = h("div.template-sample", { dir: "auto" });
    const values = { ...variables };
    const insert = (name) => {
      body.setRangeText(`{{${name}}}`, body.selectionStart, body.selectionEnd, "end");
      body.focus();
      keep();
    };
    const save = h("button.primary", { type: "submit" }, "Save");
    const keep = () => {
      drafts.delete(key);
      drafts.set(key, { template, name: name.value, type: kind.value, body: body.value });
      follow();
    };
    const follow = () => {
      const { length } = charactersOf(body.value);
      const { limit } = kinds[kind.value];
      counter.textContent = limit ? `${length.toLocaleString("en")} of ${limit} characters${length > limit ? ": too long for Twitter" : ""}`
        : `${length.toLocaleString("en")} character${length === 1 ? "" : "s"}`;
      counter.classList.toggle("error", !!limit && length > limit);
      const strangers = variablesIn(body.value).filter((name) => !Object.hasOwn(variables, name));
      unknown.replaceChildren(...(strangers.length ? [icon("warning"),
        `Not a known variable: ${strangers.map((name) => `{{${name}}}`).join(", ")}. It stays as it is.`] : []));
      // Between the texts stand the names of variables.
      sample.replaceChildren(...body.value.split(variable).map((part, index) => {
        if (index % 2 === 0) return part;
        return Object.hasOwn(values, part) && values[part] ? h("mark", {}, values[part]) : `{{${part}}}`;
      }));
      if (!body.value) sample.replaceChildren(h("span.muted", {}, "The text with its values appears here."));
      save.disabled = !name.value.trim() || !body.value.trim() || !connection.isOnline;
      body.style.setProperty("height", "auto");
      body.style.setProperty("height", `${Math.max(200, body.scrollHeight + 2)}px`);
    };
    const guide = h("div.guide", { role: "group", "aria-label": "Insert a variable" }, Object.keys(variables).map((name) =>
      h("button.pill", { type: "button", title: "Insert at the cursor", onclick: () => insert(name) }, `{{${name}}}`)));
    const fill = h("details.values", {}, h("summary", {}, "Values of the preview"), Object.keys(variables).map((name) =>
      field(name, h("input", { type: "text", value: values[name], oninput: (event) => { values[name] = event.target.value; follow(); } }))));
    const form = h("form.editor", { onsubmit: once(() => this.save(template, { name, kind, body })) },
      h("div", {}, h("h2", {}, template ? "Edit template" : "New template"), field("Name", name, { required: true }), field("Type", kind),
        field("Body", body, { required: true }), counter, h("p.label", {}, "Variables"), guide, unknown),
      h("div", {}, h("h2", {}, "Preview"), sample, fill),
      h("div.actions", {},
        template && h("button.danger", { type: "button", "data-online": true, onclick: once(() => this.remove(template)) }, "Delete"),
        h("button.plain", { type: "button", onclick: () => { drafts.delete(key); this.choose("mine"); } }, "Cancel"), save));
    for (const control of [name, kind, body]) control.addEventListener("input", keep);
    this.panel.replaceChildren(form);
    this.follow = follow;
    follow();
    showOnline(this.panel);
    name.focus({ preventScroll: true });
  }

  async save(template, { name, kind, body }) {
    try {
      await ask(template ? `${path}/${template.id}` : path, {
        method: template ? "PATCH" : "POST", body: { name: name.value.trim(), type: kind.value, body: body.value },
        lost: "Failed to save changes. Check your connection.",
      });
    } catch (error) {
      if (error.field === "name" || error.field === "body") showFault(error.field === "body" ? body : name, error.message);
      else complain(error.isLost ? error.message : `Failed to save changes. ${error.message}`);
      return;
    }
    drafts.delete(template?.id ?? "");
    say(template ? "Changes saved" : "Template created");
    await this.load();
    this.choose("mine");
  }

  async remove(template) {
    const isSure = await sure("Delete template", "Are you sure you want to delete this template? This action cannot be undone.", "Delete");
    if (!isSure) return;
    try {
      await ask(`${path}/${template.id}`, { method: "DELETE", lost: "Failed to delete template. Please try again." });
    } catch (error) {
      if (error.status !== 404) return complain(error.message);
    }
    drafts.delete(template.id);
    say("Template deleted");
    await this.load();
    this.choose("mine");
  }
}
