// Screen: the profile that was read from a résumé, which its person corrects; the search is made anew with it.

import { showOnline } from "./api.js";
import { go, setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, field, say, showFault } from "./messages.js";
import { addressOf, askJobs, findSearch, forgetJobs, note } from "./searches.js";

const dateFault = "Write a year or a month: 2021 or 2021-03.";
const datePattern = /^\d{4}(-(0[1-9]|1[0-2]))?$/;
/** Below this certainty a value is pointed out, from 0 to 1. */
const certain = 0.7;
const longest = 300;

const basics = [
  ["name", "Name", "name"], ["label", "Job title", "organization-title"], ["location", "Town", "address-level2"], ["email", "Email", "email"], ["phone", "Phone", "tel"],
];
/** The lists of a profile: what an entry is called, its values, and which of them must not all be empty. */
const lists = {
  work: {
    title: "Work", noun: "position", needed: ["position", "name"], fault: "A position needs a title or an employer.",
    values: [["position", "Position"], ["name", "Employer"], ["location", "Town"], ["startDate", "From"], ["endDate", "To"]],
  },
  education: {
    title: "Education", noun: "school", needed: [],
    values: [["institution", "School"], ["studyType", "Degree"], ["area", "Subject"], ["startDate", "From"], ["endDate", "To"]],
  },
  certificates: { title: "Certificates", noun: "certificate", needed: ["name"], fault: "Name the certificate.", values: [["name", "Certificate"], ["date", "Date"]] },
  languages: { title: "Languages", noun: "language", needed: ["language"], fault: "Name the language.", values: [["language", "Language"], ["fluency", "How well"]] },
};
const isDate = (name) => name === "date" || name.endsWith("Date");

/** What was typed and not saved yet, by the search's identity: there again after another screen. */
const drafts = new Map();

/** The bare text of a value as the service tells it, or as a form has it. */
const text = (value) => (typeof value === "string" ? value : value?.value ?? "");

/** A profile without what is known about its values, in the order in which a form gives it. */
function plain(profile) {
  const bare = (entry, names) => Object.fromEntries(names.map((name) => [name, text(entry[name])]));
  return {
    basics: bare(profile.basics ?? {}, basics.map(([name]) => name)),
    ...Object.fromEntries(Object.entries(lists).map(([list, { values }]) => [list, (profile[list] ?? []).map((entry) => ({
      ...bare(entry, values.map(([name]) => name)),
      ...(list === "work" && { is_current: !!entry.is_current, highlights: (entry.highlights ?? []).map(text) }),
    }))])),
    skills: (profile.skills ?? []).map(({ name }) => ({ name: text(name) })),
  };
}

/** Shows the screen; the answer's `leave` ends it. */
export function show(main) {
  setTitle("Your profile");
  const screen = new ProfileForm(main, new URLSearchParams(location.search).get("search"));
  screen.load();
  return screen;
}

class ProfileForm {
  constructor(main, name) {
    this.main = main;
    this.name = name;
    this.ending = new AbortController();
    addEventListener("beforeunload", (event) => this.form && this.changes() && event.preventDefault(), { signal: this.ending.signal });
  }

  leave() {
    this.ending.abort();
    clearTimeout(this.bones);
    if (this.form && !this.isSaved && this.changes()) drafts.set(this.search.id, this.collect());
  }

  load = async () => {
    const { signal } = this.ending;
    this.bones = setTimeout(() => this.main.replaceChildren(h("div.profile-page", {}, h("h1", {}, "Your profile"),
      h("p.muted", { role: "status" }, "Loading…"), h("div.bones.match-bones", { "aria-hidden": "true" },
        Array.from({ length: 3 }, () => h("div.panel", {}, h("div.bone"), h("div.bone"), h("div.bone")))))), 300);
    try {
      this.search ??= await findSearch(this.name);
      const answer = this.search && await askJobs(`/api/resume/${this.search.id}`, { lost: "Unable to load your profile. Check your connection." });
      if (signal.aborted) return;
      complain(null);
      // A résumé that could not be read has no profile, or little of one: the person fills it in.
      if (answer?.profile || answer?.status === "failed") this.build({ ...answer, profile: answer.profile ?? {} });
      else this.showMissing(answer?.status === "processing");
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 404) return this.showMissing(false);
      this.main.replaceChildren(h("div.empty", {}, icon("person"), h("h1", {}, "Your profile is out of reach"), h("p.muted", {}, "Try again in a moment.")));
      complain(error.message, this.load);
    } finally {
      clearTimeout(this.bones);
    }
  };

  showMissing(isProcessing) {
    const back = this.search ? addressOf(this.search) : "/jobs";
    this.main.replaceChildren(h("div.empty", {}, icon("person"), h("h1", {}, isProcessing ? "The profile is being made" : "No profile here"),
      h("p.muted", {}, isProcessing ? "It is there as soon as the text has been read." : "The search has ended. Only who gave the résumé sees its profile."),
      h("a.button.primary", { href: isProcessing ? back : "/jobs" }, isProcessing ? "See the steps" : "Start a new search")));
  }

  build(answer) {
    this.initial = plain(answer.profile);
    const draft = drafts.get(this.search.id);
    drafts.delete(this.search.id);
    const profile = draft ?? answer.profile;
    this.basics = Object.fromEntries(basics.map(([name, label, autocomplete]) => [name, this.control(name, label, profile.basics?.[name], { autocomplete })]));
    this.save = h("button.primary", { type: "submit", "data-online": true }, icon("search"), answer.status === "failed" ? "Save and search" : "Save and search again");
    const years = answer.years_of_experience;
    const isFailed = answer.status === "failed";
    this.form = h("form.profile", {
      novalidate: true, "aria-label": "Your profile", oninput: () => this.follow(), onsubmit: once(() => this.send()),
    },
    h("section.panel", { "aria-labelledby": "basics-title" }, h("h2", { id: "basics-title" }, "About you"),
      h("div.fields", {}, basics.map(([name]) => this.basics[name].node))),
    this.skillsPart(profile.skills ?? []),
    ...Object.keys(lists).map((list) => this.listPart(list, profile[list] ?? [])),
    h("div.actions.save-bar", {}, h("a.button.plain", { href: addressOf(this.search) }, isFailed ? "Back" : "Back to matches"), this.save));
    this.main.replaceChildren(h("div.profile-page", {}, h("h1", { tabindex: "-1" }, "Your profile"),
      h("p.muted", {}, isFailed
        ? `${answer.file_name} could not be read as a résumé. Fill in what you like: a job title and skills help most. Jobs are searched as soon as you save.`
        : `Read from ${answer.file_name}${years ? ` · ${years} ${years === 1 ? "year" : "years"} of work` : ""}. Correct what is wrong: the search is made anew.`),
      this.form));
    this.follow();
  }

  // Fields

  control(name, label, value, attributes = {}) {
    const input = h("input", { type: "text", maxlength: longest, dir: "auto", value: text(value), ...(isDate(name) && { placeholder: "2021-03", inputmode: "numeric" }), ...attributes });
    const isDoubtful = value?.confidence != null && value.confidence < certain;
    const node = field(label, input, { hint: isDoubtful ? "Hard to read: please check." : value?.is_corrected ? "Corrected by you." : null });
    if (isDoubtful) node.classList.add("is-doubtful");
    return { input, node };
  }

  skillsPart(skills) {
    this.skills = h("ul.chips.skills", { "aria-label": "Skills" });
    const input = h("input", { type: "text", maxlength: longest, autocomplete: "off", enterkeyhint: "done" });
    const add = () => {
      const names = input.value.split(",").map((name) => name.trim()).filter(Boolean);
      for (const name of names) if (!this.skillNames().some((other) => other.toLowerCase() === name.toLowerCase())) this.addSkill(name);
      input.value = "";
      input.focus();
      this.follow();
    };
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      add();
    });
    this.newSkill = input;
    for (const { name } of skills) this.addSkill(text(name));
    return h("section.panel", { "aria-labelledby": "skills-title" }, h("h2", { id: "skills-title" }, "Skills"), this.skills,
      h("div.add-skill", {}, field("Add a skill", input, { hint: "Several with commas between." }), h("button.plain", { type: "button", onclick: add }, icon("add"), "Add")));
  }

  addSkill(name) {
    const chip = h("li.chip", { "data-skill": name }, h("span", { dir: "auto" }, name), h("button.quiet.round", {
      type: "button", "aria-label": `Remove skill ${name}`,
      onclick: () => {
        const next = chip.nextElementSibling ?? chip.previousElementSibling;
        chip.remove();
        (next?.querySelector("button") ?? this.newSkill).focus();
        this.follow();
      },
    }, icon("close")));
    this.skills.append(chip);
  }

  skillNames() { return [...this.skills.children].map((chip) => chip.dataset.skill); }

  listPart(list, entries) {
    const { title, noun } = lists[list];
    const rows = h("div.entries", { "data-list": list });
    for (const entry of entries) rows.append(this.entry(list, entry));
    return h("section.panel", { "aria-labelledby": `${list}-title` }, h("h2", { id: `${list}-title` }, title), rows,
      h("button.plain", { type: "button", onclick: () => {
        const row = this.entry(list, {});
        rows.append(row);
        row.querySelector("input").focus();
        this.follow();
      } }, icon("add"), `Add a ${noun}`));
  }

  entry(list, entry) {
    const { values, noun } = lists[list];
    const controls = Object.fromEntries(values.map(([name, label]) => [name, this.control(name, label, entry[name])]));
    const heading = text(entry[values[0][0]]) || text(entry[values[1][0]]);
    const row = h("fieldset.entry", {}, h("legend", { dir: "auto" }, heading || `New ${noun}`), h("div.fields", {}, values.map(([name]) => controls[name].node)));
    row.controls = controls;
    if (list === "work") this.addWork(row, entry, controls);
    row.append(h("button.quiet.danger-text", {
      type: "button", "aria-label": `Remove ${heading || `the new ${noun}`}`,
      onclick: () => {
        const section = row.closest("section");
        row.remove();
        section.querySelector(":scope > button").focus();
        this.follow();
      },
    }, icon("delete"), "Remove"));
    return row;
  }

  addWork(row, entry, { endDate }) {
    const isCurrent = h("input", { type: "checkbox", checked: !!entry.is_current, onchange: () => showCurrent() });
    const highlights = h("textarea", { rows: 3, dir: "auto", value: (entry.highlights ?? []).map(text).join("\n") });
    const showCurrent = () => { endDate.input.disabled = isCurrent.checked; };
    showCurrent();
    row.append(h("label.choice", {}, isCurrent, "I work here now"), field("What you did, a line each", highlights));
    Object.assign(row, { isCurrent, highlights });
  }

  // What the form says

  /** The profile in the form; `this.fields` has its controls by the names that the service gives them. */
  collect() {
    this.fields = {};
    const profile = { basics: {} };
    for (const [name, { input }] of Object.entries(this.basics)) {
      profile.basics[name] = input.value.trim();
      this.fields[`basics.${name}`] = input;
    }
    for (const list of Object.keys(lists)) {
      profile[list] = [];
      for (const row of this.form.querySelector(`[data-list=${list}]`).children) {
        const entry = Object.fromEntries(Object.entries(row.controls).map(([name, { input }]) => [name, input.disabled ? "" : input.value.trim()]));
        if (list === "work") Object.assign(entry, { is_current: row.isCurrent.checked, highlights: row.highlights.value.split("\n").map((line) => line.trim()).filter(Boolean) });
        // An entry that was added and left empty is none.
        if (!Object.values(entry).some((value) => (Array.isArray(value) ? value.length : value && value !== true))) continue;
        for (const [name, { input }] of Object.entries(row.controls)) this.fields[`${list}[${profile[list].length}].${name}`] = input;
        profile[list].push(entry);
      }
    }
    profile.skills = this.skillNames().map((name) => ({ name }));
    return profile;
  }

  /** The parts that differ from what was read; `null` where none does. */
  changes() {
    const profile = this.collect();
    const parts = Object.keys(profile).filter((part) => JSON.stringify(profile[part]) !== JSON.stringify(this.initial[part]));
    return parts.length ? Object.fromEntries(parts.map((part) => [part, profile[part]])) : null;
  }

  follow() {
    this.save.disabled = !this.changes();
    showOnline(this.form);
    if (!this.changes()) this.save.disabled = true;
  }

  /** Says beside the fields what is wrong; gives whether nothing is. */
  check(profile) {
    let first = null;
    const fault = (path, message) => {
      showFault(this.fields[path], message);
      if (message) first ??= this.fields[path];
    };
    for (const [path, input] of Object.entries(this.fields)) {
      const isWrong = isDate(path) && !input.disabled && input.value.trim() && !datePattern.test(input.value.trim());
      fault(path, isWrong ? dateFault : "");
    }
    for (const [list, { needed, fault: message }] of Object.entries(lists)) {
      (profile[list] ?? []).forEach((entry, index) => {
        if (needed.length && needed.every((name) => !entry[name])) fault(`${list}[${index}].${needed[0]}`, message);
      });
    }
    first?.focus();
    return !first;
  }

  async send() {
    const changed = this.changes();
    if (!changed || !this.check(this.collect())) return;
    this.save.disabled = true;
    try {
      await askJobs(`/api/resume/${this.search.id}`, { method: "PATCH", body: { profile: changed }, lost: "Failed to save changes. Check your connection." });
    } catch (error) {
      this.save.disabled = false;
      const input = this.fields[error.field?.replace(/^profile\./, "")];
      if (input) {
        showFault(input, error.message);
        input.focus();
      } else complain(error.status === 404 ? "This search has ended, so its profile cannot be changed." : error.message);
      return;
    }
    this.isSaved = true;
    forgetJobs(this.search);
    note(this.search, { status: "processing" });
    say("Changes saved");
    go(addressOf(this.search), { replace: true });
  }
}
