// "Why this matches you": the reasons of one match, loaded once when they are opened.

import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { askJobs } from "./searches.js";

/** The button that opens the reasons of a job, and the part below it. */
export function reasonsPart(job, search) {
  const id = `reasons-${job.id}`;
  const panel = h("div.reasons", { id, hidden: true });
  const button = h("button.quiet.why", {
    type: "button", "aria-expanded": "false", "aria-controls": id,
    onclick: () => {
      const isOpen = panel.hidden;
      panel.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
      if (isOpen && !job.reasons) load();
    },
  }, "Why this matches you", icon("down"));
  const load = once(async () => {
    panel.replaceChildren(h("p.muted.reasons-wait", { role: "status" }, h("span.spinner", { "aria-hidden": "true" }), "Comparing your résumé with the posting…"));
    try {
      job.reasons ??= await askJobs("/api/jobs/explanation", {
        method: "POST", body: { job_id: job.job_id, view_token: search.token, evidence: true }, lost: "The reasons did not come. Check your connection.",
      });
      show(panel, job.reasons);
    } catch (error) {
      panel.replaceChildren(h("p.reasons-fault", { role: "alert" }, icon("warning"), h("span", {}, error.message)),
        h("button.plain", { type: "button", onclick: async () => { await load(); panel.focus(); } }, icon("retry"), "Retry"));
    }
  });
  panel.tabIndex = -1;
  if (job.reasons) show(panel, job.reasons);
  return { button, panel };
}

function show(panel, { explanation_summary: summary, bullets, evidence = [] }) {
  const quoted = evidence.filter(({ posting, resume }) => posting.length + resume.length > 0);
  panel.replaceChildren(h("p", { role: "status" }, summary), h("ul", {}, bullets.map((text) => h("li", {}, text))),
    quoted.length > 0 && h("details", {}, h("summary", {}, "The words behind it"), h("dl", {}, quoted.map(({ text, posting, resume }) => [
      h("dt", {}, text),
      posting.length > 0 && h("dd", {}, h("span.muted", {}, "Posting: "), quotes(posting)),
      resume.length > 0 && h("dd", {}, h("span.muted", {}, "Résumé: "), quotes(resume)),
    ]))) || "");
}

const quotes = (texts) => texts.map((text, index) => [index > 0 && ", ", h("q", { dir: "auto" }, text)]);
