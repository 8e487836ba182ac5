// Starts the page, and shows the screen that the address names.

import { connection, events } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { complain } from "./messages.js";
import { athlete, forAthlete, isHere } from "./query.js";
import { isJobs, isOpen, session, toSignIn } from "./session.js";
import * as list from "./list.js";

/** The screens by their paths; what the list does not need is loaded when it is opened. */
const screens = [
  [/^\/documents\/?$/, () => list],
  [/^\/documents\/view$/, () => load("viewer.js", "detail.css", "viewer.css")],
  [/^\/settings\/communication-templates\/?$/, () => load("templates.js", "templates.css")],
  [/^\/documents\/([^/]+)$/, () => load("detail.js", "detail.css")],
  [/^\/signin\/?$/, () => load("signin.js", "account.css")],
  [/^\/shared\/?$/, () => load("shared.js", "detail.css", "viewer.css")],
  [/^\/(?:forgot|reset|confirm)\/?$/, () => load("recovery.js", "account.css")],
  [/^\/invitation\/?$/, () => load("guardians.js", "account.css")],
  [/^\/account\/?$/, () => load("account.js", "account.css")],
  [/^\/jobs\/?$/, () => load("jobs.js")],
  [/^\/jobs\/profile\/?$/, () => load("profile.js")],
  [/^\/jobs\/dashboard\/?$/, () => load("dashboard.js")],
  [/^\/jobs\/settings\/?$/, () => load("jobsettings.js")],
];

/** Loads a module of the screens, and its style sheets in their order. */
export async function load(script, ...sheets) {
  const [module] = await Promise.all([import(`./${script}`), ...sheets.map(style)]);
  return module;
}

function style(name) {
  const href = new URL(name, import.meta.url).pathname;
  if (document.querySelector(`link[href="${href}"]`)) return null;
  const link = h("link", { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done, fail) => {
    link.addEventListener("load", done);
    // Taken out, so that the next try asks again.
    link.addEventListener("error", () => { link.remove(); fail(new Error(`${name} did not come`)); });
  });
}

let current = null;
let turn = 0;

/** Names the page. */
export function setTitle(title) {
  const product = isJobs(location.pathname) ? "JobMatchNow" : "Documents";
  document.title = title === product ? title : `${title} · ${product}`;
}

/** Opens an address of this page; with `keepScreen` the screen goes on, and has shown already what the address says. */
export function go(path, { replace = false, keepScroll = false, keepScreen = false } = {}) {
  rememberPlace();
  path = forAthlete(path);
  const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
  const from = replace ? history.state?.from : location.pathname + location.search;
  history[replace ? "replaceState" : "pushState"]({ depth, from }, "", path);
  return keepScreen ? undefined : open({ keepScroll });
}

/** Goes back where this page was before, or to an address where it was opened by a link. */
export function back(path) {
  if (history.state?.depth) history.back();
  else go(path, { replace: true });
}

/** The list as it was shown last. */
let listAddress = forAthlete("/documents");

/** Goes back to the list as it was: its filters, and its place where the list was shown before this screen. */
export function backToList() {
  if (history.state?.from === listAddress) history.back();
  else go(listAddress);
}

function rememberPlace() {
  if (current) history.replaceState({ ...history.state, scroll: scrollY, place: current.place ?? null }, "");
}

async function open({ keepScroll = false } = {}) {
  const mine = ++turn;
  const main = document.querySelector("#main");
  const state = history.state;
  // A search for jobs needs nobody who has signed in.
  const isElsewhere = session.auth === "tokens" && !isJobs(location.pathname);
  const found = isElsewhere ? undefined
    : screens.map(([pattern, load]) => [pattern.exec(location.pathname), load]).find(([match]) => match);
  let screen;
  try {
    screen = found ? found[1]() : { show: isElsewhere ? showElsewhere : showMissing };
    if (screen instanceof Promise) screen = await screen;
  } catch {
    // The screen's script did not come: the service is away, or has a newer version with other addresses.
    complain("Unable to load this page.", () => location.reload());
    return;
  }
  if (mine !== turn) return;
  current?.leave?.();
  if (screens[0][0].test(location.pathname)) listAddress = location.pathname + location.search;
  complain(null);
  document.body.className = connection.isOnline ? "" : "is-offline";
  current = screen.show(main, found?.[0][1] && decodeURIComponent(found[0][1])) ?? {};
  const links = [...document.querySelectorAll("#top nav a:not(.brand)")];
  const around = links.filter((link) => location.pathname.startsWith(link.pathname));
  const here = around.sort((one, other) => other.pathname.length - one.pathname.length)[0];
  for (const link of links) {
    if (link === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (keepScroll) return;
  scrollTo({ top: state?.scroll ?? 0, behavior: "instant" });
  if (state?.place) current.place = state.place;
  if (turn > 1 && !document.activeElement?.closest("dialog")) main.focus({ preventScroll: true });
}

function showMissing(main) {
  setTitle("Not found");
  main.replaceChildren(h("div.empty", {}, icon("search"), h("h1", {}, "Page not found"),
    h("a.button.primary", { href: "/documents" }, "Return to Documents")));
}

/** Says that nobody signs in here: a browser does not send by itself the tokens that another service gives to people. */
function showElsewhere(main) {
  setTitle("You sign in elsewhere");
  main.replaceChildren(h("div.empty", {}, icon("person"), h("h1", {}, "You sign in elsewhere"),
    h("p.muted", {}, "Open your documents in the app where you have your account.")));
}

history.scrollRestoration = "manual";
addEventListener("popstate", () => open());
// The second click of two quick ones belongs to what the first one hit, not to what stood behind a sheet that it closed.
let hit = null;
addEventListener("click", (event) => {
  if (event.detail > 1 && event.target !== hit) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else hit = event.target;
}, { capture: true });
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link?.ariaDisabled === "true") event.preventDefault();
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  // The other product has a page of its own, and so have another person's documents.
  if (isJobs(link.pathname) !== isJobs(location.pathname)) return;
  if (link.origin !== location.origin || !isHere(link) || link.download || link.target || link.hash || !screens.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  if (link.href !== location.href) go(link.href);
});

/** Shows in the page's head who has signed in. */
function showPerson() {
  const nav = document.querySelector("#top nav");
  nav.querySelector(".person")?.remove();
  const { account } = session;
  if (!account) return;
  if (!isJobs(location.pathname)) showAthletes(nav);
  nav.append(h("a.person", { href: "/account", title: account.email, "aria-label": `Account of ${account.name || account.email}`,
    "aria-current": location.pathname.startsWith("/account") ? "page" : null },
    h("span.initial", { "aria-hidden": "true" }, Array.from(account.name || account.email)[0].toLocaleUpperCase())));
}

/** Shows whose documents the page is about, to those who look after others' documents, and lets them choose. */
function showAthletes(nav) {
  nav.querySelector(".whose")?.remove();
  const { athletes } = session;
  document.documentElement.classList.toggle("may-only-view", !session.mayChange);
  if (!athletes.length) return;
  nav.append(h("select.whose", { "aria-label": "Whose documents", onchange: (event) => {
    const { value } = event.target;
    location.assign(value ? `/documents?person=${value}` : "/documents");
  } }, h("option", { value: "" }, "Your documents"), athletes.map(({ person_id: id, name, email, right }) =>
    h("option", { value: id, selected: id === athlete }, `${name || email}${right === "view" ? " (view only)" : ""}`))));
}

/** Finds out who has signed in, while the screen asks for its content. */
async function start() {
  // Who comes by a link sees one document, and is nobody else here.
  if (location.pathname.startsWith("/shared")) return open();
  session.addEventListener("change", showPerson);
  if (!isOpen(location.pathname)) events.start();
  open();
  await session.check().catch(() => {});
  if (session.auth === "local" && !session.account) toSignIn();
  // Whoever does not look after the person any more has nothing to see here.
  if (athlete && session.account && !session.athlete) location.replace("/documents");
  if (session.auth === "tokens") open();
  // Who comes back from a provider has signed in without a word to other tabs.
  if (session.account) session.tell(session.account);
}

/** Takes files that are dropped anywhere, also before the module for uploads has come: else the browser opens them in the page's place. */
function followDrops(uploading) {
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("is-dropping");
  });
  for (const name of ["dragleave", "dragend"]) {
    addEventListener(name, (event) => { if (!event.relatedTarget) document.body.classList.remove("is-dropping"); });
  }
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("is-dropping");
    const files = [...event.dataTransfer.files];
    uploading.then(({ takeDropped }) => takeDropped(files), () => {});
  });
}

for (const link of document.querySelectorAll("#top a")) link.setAttribute("href", forAthlete(link.getAttribute("href")));
start();
if (!isOpen(location.pathname)) {
  // What takes files is not needed to show documents, so it comes after them.
  const uploading = import("./upload.js");
  followDrops(uploading);
  uploading.then(({ followUploads }) => followUploads(), () => {});
}
