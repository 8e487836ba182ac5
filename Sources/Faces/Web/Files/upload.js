// The sheet that uploads a document or a new version, the rows of running uploads, and files dropped on the page.

import { schools } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { field, say, sheet, showFault } from "./messages.js";
import { session } from "./session.js";
import { faultOf, left, size, types } from "./text.js";
import { offerBegun, Upload, uploads } from "./uploads.js";

let isOpen = false;

/**
 * Opens the sheet, once for each file.
 *
 * @param {File[]} files what was dropped
 * @param {object} document the document that gets a new version
 */
export async function openUpload(files = [], document = null) {
  if (isOpen) return;
  isOpen = true;
  const waiting = [...files];
  let again = true;
  while (again) {
    const file = waiting.shift() ?? null;
    again = await form(file, waiting.length, document) && waiting.length > 0;
  }
  isOpen = false;
}

const typeOf = (file) => Object.keys(types).find((type) => types[type].extensions.some((end) => file.name.toLowerCase().endsWith(end)));
const titleOf = (file) => file.name.replace(/\.[^.]{1,5}$/, "").replaceAll("_", " ").slice(0, 100);

function form(dropped, rest, document) {
  let file = dropped;
  const type = h("select", { name: "type", required: true, disabled: !!document }, h("option", { value: "" }, "Choose a type"),
    Object.entries(types).map(([value, { label }]) => h("option", { value }, label)));
  const title = h("input", { name: "title", required: true, maxlength: 100, autocomplete: "off", dir: "auto" });
  const school = h("select", { name: "school_id" }, h("option", { value: "" }, "General / Not School-Specific"));
  const version = h("input", { name: "version", type: "number", min: 1, max: 9999, value: document ? document.version + 1 : 1, inputmode: "numeric" });
  const description = h("textarea", { name: "description", rows: 3, maxlength: 500, dir: "auto" });
  const chooser = h("input.unseen", { type: "file", name: "file", id: "upload-file", tabindex: "-1" });
  const chosen = h("span", { dir: "auto" });
  const drop = h("button.drop", { type: "button", id: "upload-drop", onclick: () => chooser.click() }, icon("upload"), chosen);
  const submit = h("button.primary", { type: "submit", disabled: true }, document ? "Upload New Version" : "Upload");
  schools().then((known) => {
    school.append(...known.map(({ id, name }) => h("option", { value: id }, name)));
    if (document?.school_id) school.value = document.school_id;
  }).catch(() => {});

  const check = () => {
    const rule = types[type.value];
    chooser.accept = rule ? rule.extensions.join(",") : Object.values(types).flatMap(({ extensions }) => extensions).join(",");
    chosen.replaceChildren(...(file ? [h("strong", {}, file.name), ` ${size(file.size)}`] : ["Choose a file, or drop it here"]));
    const fault = file ? faultOf(file, type.value) : "";
    showFault(drop, fault);
    submit.disabled = !(file && type.value && title.value.trim() && !fault && version.checkValidity());
  };
  const take = (next) => {
    if (!next) return;
    file = next;
    if (!type.value) type.value = typeOf(next) ?? "";
    if (!title.value.trim()) title.value = titleOf(next);
    check();
  };
  for (const control of [title, school, version, description]) {
    control.addEventListener("blur", () => { if (control === title && isTouched) showFault(title, title.value.trim() ? "" : "Title is required."); });
  }
  let isTouched = false;
  if (document) {
    type.value = document.type;
    title.value = document.title;
    title.disabled = true;
  }
  return sheet(document ? "Upload new version" : "Upload document", (close, dialog) => {
    chooser.addEventListener("change", () => take(chooser.files[0]));
    const made = h("form", {
      novalidate: true,
      oninput: () => { isTouched = true; made.classList.add("is-dirty"); check(); },
      onsubmit: (event) => {
        event.preventDefault();
        if (submit.disabled) return;
        submit.disabled = true;
        const fields = document
          ? { type: document.type, document_id: document.id, description: description.value.trim() }
          : { type: type.value, title: title.value.trim(), description: description.value.trim(), school_id: school.value };
        uploads.add(new Upload(file, fields));
        close(true);
      },
    },
    field("File", drop, { required: true }), chooser,
    field("Type", type, { required: true }), field("Title", title, { required: true }),
    !document && field("School", school), field("Version", version), field("Description", description),
    rest > 0 && h("p.hint", {}, `${rest} more to follow.`),
    h("div.actions", {}, h("button.plain", { type: "button", onclick: () => close(false) }, "Cancel"), submit));
    chooser.setAttribute("aria-label", "File");
    dialog.takeFile = take;
    if (dropped) take(dropped);
    check();
    return made;
  });
}

/** Puts dropped files into the sheet that is open, or into a new one. */
export function takeDropped(files) {
  if (!session.mayChange) return say("You may look at these documents, but not change them.");
  const open = [...document.querySelectorAll("dialog")].at(-1);
  if (open?.takeFile) open.takeFile(files[0]);
  else if (!open) openUpload(files);
}

/** Shows the uploads that run, and offers to continue those that a reload has ended. */
export function followUploads() {
  uploads.addEventListener("change", showRows);
  offerBegun();
}

const rows = new Map();

function showRows() {
  const panel = document.querySelector("#uploads");
  for (const upload of uploads.all) {
    if (!rows.has(upload)) rows.set(upload, new Row(upload));
    rows.get(upload).show();
  }
  for (const upload of [...rows.keys()]) if (!uploads.all.includes(upload)) { rows.get(upload).node.remove(); rows.delete(upload); }
  if (!rows.size) panel.replaceChildren();
  else if (!panel.firstChild) panel.append(h("section.uploads", { "aria-label": "Uploads" }, h("h2", {}, "Uploads"), h("ul")));
  const list = panel.querySelector("ul");
  for (const row of rows.values()) if (!row.node.isConnected) list.append(row.node);
}

/** A file's row: name, bar, portion, time left, and what can be done. */
class Row {
  #state = "";

  constructor(upload) {
    this.upload = upload;
    this.bar = h("progress", { max: 1, "aria-label": `Uploading ${upload.name}` });
    this.text = h("p.muted", {});
    this.actions = h("div.row-actions");
    this.node = h("li", {}, h("div.row-head", {}, h("strong", { dir: "auto" }, upload.name), this.actions), this.bar, this.text);
  }

  show() {
    const { upload } = this;
    const percent = `${Math.floor(upload.portion * 100)}%`;
    this.bar.value = upload.portion;
    this.text.textContent = {
      waiting: "Waiting", running: [upload.portion < 1 ? percent : "Checking the file…", upload.portion < 1 && left(upload.left)].filter(Boolean).join(" · "),
      paused: `${percent} · Connection lost. It goes on by itself.`, failed: upload.fault.startsWith("Upload failed") ? upload.fault : `Upload failed: ${upload.fault}`,
      offered: `${percent} arrived before the page was closed. Choose the file again to go on.`, done: "Uploaded",
    }[upload.state] ?? "";
    if (upload.state === this.#state) return;
    this.#state = upload.state;
    this.node.className = upload.state;
    this.text.setAttribute("role", upload.state === "failed" ? "alert" : "none");
    this.actions.replaceChildren(...this.#buttons());
    if (upload.state === "done") {
      say("Document uploaded");
      setTimeout(() => uploads.remove(upload), 3000);
    }
    if (upload.state === "cancelled") queueMicrotask(() => uploads.remove(upload));
  }

  #buttons() {
    const { upload } = this;
    const button = (label, action) => h("button.quiet", { type: "button", "aria-label": `${label} ${upload.name}`, onclick: action }, label);
    switch (upload.state) {
      case "failed": return [button("Retry", () => upload.retry()), button("Remove", () => uploads.remove(upload))];
      case "offered": return [button("Choose file", () => this.#choose()), button("Discard", () => upload.cancel())];
      case "done": case "cancelled": return [];
      default: return [button("Cancel", () => upload.cancel())];
    }
  }

  #choose() {
    const chooser = h("input", { type: "file" });
    chooser.addEventListener("change", () => {
      const file = chooser.files[0];
      if (!file) return;
      if (file.name !== this.upload.name || file.size !== this.upload.size) {
        this.text.textContent = "This is another file. Choose the one that was begun.";
        return;
      }
      this.upload.file = file;
      this.upload.retry();
    });
    chooser.click();
  }
}
