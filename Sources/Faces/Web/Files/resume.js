// The upload of a résumé, and the card of the last search.

import { connection, showOnline } from "./api.js";
import { go, setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, field, say, showFault } from "./messages.js";
import { addressOf, askJobs, countMatches, forget, keep, lastSearch, note, summaryOf } from "./searches.js";
import { session } from "./session.js";
import { dateTime, faultOf, largestResume, size, types } from "./text.js";

const extensions = types.resume.extensions;
const accepted = `PDF, DOCX or DOC, up to ${size(largestResume)}`;
const lost = "Upload failed. Check your connection, and send the file again.";
/** How long an upload may take, in milliseconds. */
const longestUpload = 300_000;

/** Shows the upload. */
export function showUpload(main) {
  const screen = new Upload(main);
  screen.start();
  return screen;
}

class Upload {
  constructor(main) {
    this.main = main;
    this.ending = new AbortController();
  }

  start() {
    const { signal } = this.ending;
    setTitle("Search");
    this.chooser = h("input.unseen", { type: "file", id: "resume-file", tabindex: "-1", "aria-label": "Résumé", accept: extensions.join(","),
      onchange: () => { this.take(this.chooser.files[0]); this.chooser.value = ""; } });
    this.chosen = h("span.drop-text");
    this.drop = h("button.drop.resume-drop", { type: "button", id: "resume-drop", onclick: () => this.chooser.click() },
      h("span.drop-mark", {}, icon("upload")), this.chosen);
    this.submit = h("button.primary.wide", { type: "submit" }, icon("search"), "Find my matches");
    this.sample = sampleButton();
    this.sending = h("div.sending", { hidden: true });
    this.last = h("div.last");
    this.form = h("form.panel.upload-form", { "aria-label": "Upload your résumé", novalidate: true, onsubmit: once(() => this.send()) },
      field("Résumé", this.drop), this.chooser, this.sending, h("div.upload-actions", {}, this.submit, this.sample),
      h("p.hint", {}, "Your file is read by this service alone. You can delete it with its search at any time."));
    this.main.replaceChildren(h("div.upload-page", {},
      h("div.upload-head", {}, h("h1", {}, "Find jobs that match you"),
        h("p.muted", {}, "Give your résumé, and see the jobs that fit it, each with the reasons.")),
      this.form, this.last));
    this.showChosen();
    this.followDrops(signal);
    // Whose searches these are is known once the service has said who has signed in.
    session.addEventListener("change", () => { this.showLast(); this.askLast(); }, { signal });
    addEventListener("beforeunload", (event) => this.request && event.preventDefault(), { signal });
    this.showLast();
    this.askLast();
    showOnline(this.main);
  }

  leave() {
    this.ending.abort();
    document.body.classList.remove("is-dropping");
  }

  /** Takes files that are dropped anywhere on the page. */
  followDrops(signal) {
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const mark = (isOver) => document.body.classList.toggle("is-dropping", isOver);
    addEventListener("dragover", (event) => { if (hasFiles(event)) { event.preventDefault(); mark(true); } }, { signal });
    for (const name of ["dragleave", "dragend"]) addEventListener(name, (event) => { if (!event.relatedTarget) mark(false); }, { signal });
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(false);
      const { files } = event.dataTransfer;
      if (files.length > 1) this.show("Choose one file: a search has one résumé.");
      else this.take(files[0]);
    }, { signal });
  }

  /** Takes a file, and says beside it what is wrong. */
  take(file) {
    if (!file || this.request) return;
    this.file = file;
    const fault = faultOf(file, "resume") || (file.size ? "" : "This file is empty. Choose another one.");
    this.isValid = !fault;
    this.showChosen();
    this.show(fault);
    (fault ? this.drop : this.submit).focus({ preventScroll: true });
  }

  show(fault) { showFault(this.drop, fault); }

  showChosen() {
    this.chosen.replaceChildren(...(this.file
      ? [h("strong", { dir: "auto" }, this.file.name), h("span.muted", {}, `${size(this.file.size)} · choose another`)]
      : [h("strong", {}, "Choose your résumé, or drop it here"), h("span.muted", {}, accepted)]));
    this.submit.disabled = !this.isValid;
  }

  async send() {
    if (!this.isValid || this.request) return;
    this.show("");
    complain(null);
    const { file } = this;
    try {
      this.begin(file);
      const search = keep(await this.request.answer);
      this.request = null;
      if (this.ending.signal.aborted) return say("Résumé uploaded");
      go(addressOf(search));
    } catch (error) {
      this.request = null;
      if (this.ending.signal.aborted) return error.name !== "AbortError" && complain(error.message);
      this.end();
      if (error.name === "AbortError") return this.submit.focus();
      this.show(error.message);
      this.submit.focus();
    }
  }

  /** Sends the file, and shows how far it is. */
  begin(file) {
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Uploading ${file.name}` });
    const text = h("p.muted", {}, "0%");
    const cancel = h("button.quiet", { type: "button", onclick: () => this.request?.abort() }, "Cancel");
    this.sending.replaceChildren(h("div.sending-head", {}, h("strong", { role: "status" }, "Uploading your résumé…"), cancel), bar, text);
    this.sending.hidden = false;
    for (const control of [this.submit, this.sample, this.drop]) control.disabled = true;
    this.request = sendFile(file, (portion) => {
      bar.value = portion;
      text.textContent = portion < 1 ? `${Math.floor(portion * 100)}%` : "Checking the file…";
    });
    cancel.focus({ preventScroll: true });
  }

  end() {
    this.sending.hidden = true;
    for (const control of [this.submit, this.sample, this.drop]) control.disabled = false;
  }

  // The last search

  showLast(ended) {
    const search = lastSearch();
    if (!search) {
      this.last.replaceChildren(ended ? h("p.panel.last-ended", { role: "status" }, "Your last search has ended, and was removed from this browser.") : "");
      return;
    }
    const isOver = search.status !== "processing";
    const fact = (label, value) => h("div", {}, h("dt", {}, label), h("dd", {}, String(value ?? "–")));
    this.last.replaceChildren(
      ended ? h("p.panel.last-ended", { role: "status" }, "A search has ended, and was removed from this browser.") : "",
      h("section.panel.last-card", { "aria-labelledby": "last-title" },
        h("p.label", {}, "Last Search"),
        h("h2", { id: "last-title", dir: "auto" }, isOver ? search.title || "Your résumé" : "Your résumé is being analyzed"),
        h("p.muted", {}, dateTime(search.created_at)),
        isOver && h("dl.last-facts", {}, fact("Matches", search.matches), fact("Direct", search.direct), fact("Adjacent", search.adjacent)),
        h("a.button.plain.wide", { href: addressOf(search), "aria-label": isOver ? `Open results: ${search.title || "your résumé"}, ${countMatches(search.matches ?? 0)}` : null },
          isOver ? "Open results" : "See its steps", icon("next"))));
  }

  /** Asks behind the card whether the search is still there. */
  async askLast() {
    const search = lastSearch();
    if (!search) return;
    try {
      note(search, await summaryOf(search));
      if (!this.ending.signal.aborted) this.showLast();
    } catch (error) {
      if (error.status !== 404) return;
      forget(search);
      if (!this.ending.signal.aborted) this.showLast(true);
    }
  }
}

/**
 * Sends a résumé; `fetch` does not tell how far an upload is.
 *
 * @param {function} tell gets the portion that has been sent, from 0 to 1
 * @returns `answer`, a promise of the service's receipt, and `abort`
 */
function sendFile(file, tell) {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve, reject) => {
    const fail = (message, name = "Error") => reject(Object.assign(new Error(message), { name }));
    request.upload.addEventListener("progress", ({ loaded, total }) => tell(loaded / total));
    request.addEventListener("load", () => {
      connection.find();
      const { status, response } = request;
      if (status === 200 && response?.user_search_id) resolve(response);
      else fail(response?.message ?? "The service could not take the file. Please try again.");
    });
    request.addEventListener("error", () => { connection.probe(); fail(lost); });
    request.addEventListener("timeout", () => fail("The upload took too long. Try again with a better connection."));
    request.addEventListener("abort", () => fail("", "AbortError"));
    request.open("POST", "/api/resume");
    request.responseType = "json";
    request.timeout = longestUpload;
    for (const [name, value] of Object.entries(session.fields)) request.setRequestHeader(name, value);
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
  return { answer, abort: () => request.abort() };
}

/** A button that searches with the service's own résumé. */
export const sampleButton = () => h("button.plain.wide", { type: "button", "data-online": true, onclick: once(useSample) }, icon("document"), "Use sample resume");

async function useSample() {
  complain(null);
  try {
    go(addressOf(keep(await askJobs("/api/resume/sample", { method: "POST", lost: "Unable to begin the search. Check your connection." }))));
  } catch (error) {
    complain(error.message, useSample);
  }
}
