// Screen: the settings of JobMatchNow: the account, and what is kept of a person.

import { showOnline } from "./api.js";
import { go, setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, say, sure } from "./messages.js";
import { removeAllSearches } from "./dashboard.js";
import { countSearches, hasDashboard, knownSearches, learnWho, removeSearch } from "./searches.js";
import { session } from "./session.js";

/** Shows the screen; the answer's `leave` ends it. */
export function show(main) {
  setTitle("Settings");
  const content = h("div.settings-parts");
  main.replaceChildren(h("div.settings", {}, h("h1", { tabindex: "-1" }, "Settings"), content));
  let isLeft = false;
  const render = () => {
    if (isLeft || !session.auth) return;
    content.replaceChildren(accountPart(), searchesPart(render), aboutPart());
    showOnline(content);
  };
  const learn = async () => {
    try {
      await learnWho();
      complain(null);
      render();
    } catch (error) {
      if (!isLeft) complain(error.message, learn);
    }
  };
  session.addEventListener("change", render);
  render();
  learn();
  return { leave: () => { isLeft = true; session.removeEventListener("change", render); } };
}

const part = (id, title, ...content) => h("section.panel", { "aria-labelledby": id }, h("h2", { id }, title), content);

function accountPart() {
  const { account, auth } = session;
  if (account) {
    return part("account-title", "Account", h("p", {}, account.name && h("strong", {}, account.name), account.name && h("br"), h("span.muted", {}, account.email)),
      h("div.actions.start", {}, h("a.button.plain", { href: "/account" }, "Name and password"),
        h("button.plain", { type: "button", "data-online": true, onclick: once(logOut) }, icon("leave"), "Log out")));
  }
  if (auth === "off") return part("account-title", "Account", h("p.muted", {}, "This service has one person, who need not sign in."));
  if (auth === "tokens") return part("account-title", "Account", h("p.muted", {}, "You sign in elsewhere: open the app where you have your account."));
  return part("account-title", "Account", h("p.muted", {}, "You are not signed in. Your searches are kept in this browser alone."),
    h("div.actions.start", {}, h("a.button.primary", { href: "/signin?next=/jobs/settings" }, "Sign in"),
      h("a.button.plain", { href: "/signin?new&next=/jobs/settings" }, "Create account")));
}

const logOut = async () => (await import("./account.js")).signOut("/jobs");

function searchesPart(again) {
  const known = knownSearches();
  const hasSome = hasDashboard() || known.length > 0;
  const text = hasDashboard() ? "Every résumé that you have given, its profile and its matches."
    : known.length ? `${countSearches(known.length)} of this browser: résumé, profile and matches.` : "This browser keeps no searches.";
  return part("searches-title", "Your searches", h("p.muted", {}, text), h("div.actions.start", {},
    h("button.plain.danger-text", {
      type: "button", "data-online": hasSome, disabled: !hasSome,
      onclick: once(async () => {
        const isGone = hasDashboard() ? await removeAllSearches() : await removeKnown();
        if (!isGone) return;
        again();
        document.querySelector("#main h1").focus({ preventScroll: true });
      }),
    }, icon("delete"), "Delete my searches")));
}

/** Asks, then deletes the searches of this browser; gives whether all are gone. */
async function removeKnown() {
  const isSure = await sure("Delete your searches?", "The résumés, profiles and matches of this browser are deleted for good. This cannot be undone.", "Delete");
  if (!isSure) return false;
  try {
    for (const search of knownSearches()) await removeSearch(search);
  } catch (error) {
    complain(error.message, removeKnown);
    return false;
  }
  say("All searches deleted");
  return true;
}

function aboutPart() {
  return part("about-title", "About", h("p.muted", {}, "JobMatchNow compares your résumé with postings by fixed rules, and shows the words that each reason rests on."),
    h("div.actions.start", {}, h("button.plain", { type: "button", onclick: () => go("/jobs?welcome=1") }, "See the introduction")));
}
