// A document in the list, as a card of the grid or as a row.

import { schoolName } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { picture } from "./picture.js";
import { session } from "./session.js";
import { date, spoken } from "./text.js";

/** The colour of a type's badge. */
export const colours = {
  highlight_video: "blue", transcript: "purple", resume: "green", rec_letter: "orange", questionnaire: "sky", stats_sheet: "grey",
};

/** What a card shows; a card is made anew where it differs. */
export const signature = (item, view) => [
  view, item.updated_at, item.state, item.placeholder, item.version, item.shared_with_schools.length, schoolName(item.school_id),
].join("|");

/** The number of schools as it is shown. */
export const sharedText = (item) => {
  const count = item.shared_with_schools.length;
  return count >= 20 ? "Shared: 20+" : `Shared: ${count}`;
};

/** Whether a document's file can be opened. */
const canOpen = (item) => item.state !== "quarantined" && item.file_url;

/** A list item. */
export function card(item, view, remove) {
  const facts = h("p.facts", {}, h("span", {}, schoolName(item.school_id)), h("span", {}, `v${item.version}`),
    h("span", {}, date(item.created_at)));
  const content = [
    picture(item, view),
    h("span.badge.type", { class: colours[item.type] }, item.type_label),
    h("div.card-text", {}, h("h2", { dir: "auto" }, item.title), facts,
      item.shared_with_schools.length > 0 && h("p.shared", {}, sharedText(item))),
  ];
  if (view === "list") {
    const badge = content.splice(1, 1)[0];
    badge.classList.remove("type");
    facts.prepend(h("span", {}, badge));
  }
  const open = canOpen(item)
    ? h("a.card", { href: `/documents/${item.id}`, "aria-label": spoken(item) }, content)
    : h("div.card", {}, content);
  const node = h("li", { "data-id": item.id, "data-signature": signature(item, view) }, open);
  if (view === "list") {
    node.append(h("button.quiet.round.remove", {
      type: "button", "data-online": true, "data-change": true, title: "Delete",
      "aria-label": `Delete document ${item.title}. This action cannot be undone.`, onclick: () => remove(item),
    }, icon("delete")));
    swipes(node, () => remove(item));
  }
  return node;
}

/** A swipe to the left of 96 pixels asks to delete. */
function swipes(node, action) {
  let start = null;
  let moved = 0;
  const end = () => {
    node.classList.remove("is-swiped");
    if (start && moved < -96 && session.mayChange) {
      setTimeout(action, 0);
    }
    start = null;
  };
  node.addEventListener("touchstart", ({ touches }) => { start = touches.length === 1 ? touches[0] : null; moved = 0; }, { passive: true });
  node.addEventListener("touchmove", ({ touches }) => {
    if (!start) return;
    moved = Math.min(0, touches[0].clientX - start.clientX);
    if (Math.abs(touches[0].clientY - start.clientY) > 24 && moved > -24) { end(); return; }
    if (moved > -12) return;
    node.classList.add("is-swiped");
    node.style.setProperty("--swipe", `${moved}px`);
  }, { passive: true });
  node.addEventListener("touchend", end);
  node.addEventListener("touchcancel", () => { moved = 0; end(); });
}
