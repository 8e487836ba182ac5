// What JobMatchNow does, for who comes for the first time; then a choice: sign in, or go on without.

import { go, setTitle } from "./app.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { learnWho } from "./searches.js";
import { session } from "./session.js";

const place = "jobs.begun";

const pages = [
  ["document", "Your résumé is enough", "Give it as PDF or Word. It is read for your positions, skills, schools and town. There is nothing to fill in."],
  ["star", "Jobs that fit, with reasons", "See jobs in your occupation and in ones close to it. Each says which words of your résumé and of the posting it rests on."],
  ["edit", "You have the last word", "Correct what was read, and search again. Delete your file and its matches whenever you like."],
];

/** Whether the person has never begun in this browser. */
export const isFirstVisit = () => localStorage.getItem(place) === null && !session.account;

/** Shows one of the pages, by its number; `begin` is the choice behind them. */
export function showWelcome(main, number) {
  if (number === "begin") return showChoice(main);
  const index = Math.min(Math.max(Math.trunc(Number(number)) || 1, 1), pages.length) - 1;
  const [mark, title, text] = pages[index];
  const isLast = index === pages.length - 1;
  setTitle(title);
  main.replaceChildren(h("section.welcome.panel", { "aria-label": `Page ${index + 1} of ${pages.length}` },
    h("div.welcome-mark", {}, icon(mark)), h("h1", {}, title), h("p.muted", {}, text),
    h("ol.dots", { "aria-hidden": "true" }, pages.map((_, other) => h("li", { class: other === index ? "is-here" : null }))),
    h("div.welcome-actions", {},
      isLast ? h("button.primary.wide", { type: "button", onclick: getStarted }, "Get Started")
        : h("a.button.primary.wide", { href: `/jobs?welcome=${index + 2}` }, "Next"),
      index > 0 && h("a.button.quiet", { href: `/jobs?welcome=${index}` }, "Back"),
      !isLast && h("button.quiet", { type: "button", onclick: getStarted }, "Skip"))));
  return {};
}

/** Goes to the choice where people sign in; where nobody has to, to the upload. */
async function getStarted() {
  await learnWho().catch(() => {});
  if (session.auth === "local" && !session.account) go("/jobs?welcome=begin");
  else begin();
}

function begin() {
  localStorage.setItem(place, new Date().toISOString());
  go("/jobs", { replace: true });
}

function showChoice(main) {
  setTitle("Get Started");
  const remember = () => localStorage.setItem(place, new Date().toISOString());
  main.replaceChildren(h("section.welcome.panel", { "aria-labelledby": "choice-title" },
    h("div.welcome-mark", {}, icon("person")), h("h1", { id: "choice-title" }, "Keep your searches?"),
    h("p.muted", {}, "With an account they are listed on your dashboard, on every device. Without one they are kept in this browser."),
    h("div.welcome-actions", {},
      h("a.button.primary.wide", { href: "/signin?next=/jobs", onclick: remember }, "Sign in"),
      h("a.button.plain.wide", { href: "/signin?new&next=/jobs", onclick: remember }, "Create account"),
      h("button.quiet.wide", { type: "button", onclick: begin }, "Go on without"))));
  return {};
}
