// Who looks after whose documents: the account's lists of both, and the page of an invitation.

import { ask } from "./api.js";
import { setTitle } from "./app.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, field, say, showFault, sure } from "./messages.js";
import { session } from "./session.js";
import { card, tell } from "./signin.js";
import { date } from "./text.js";

const rights = { view: "See and download", manage: "See and change" };
const path = "/api/account/guardians";
const nameOf = ({ name, email }) => name || email;

// The account's part: people who look after one's documents

/** The part of the account in which guardians are invited, listed and ended. */
export function guardianPart() {
  const list = h("ul.sessions", { "aria-label": "People who look after your documents" });
  const email = h("input", { type: "email", autocomplete: "off", inputmode: "email", autocapitalize: "none", spellcheck: "false", maxlength: 320 });
  const right = h("select", {}, Object.entries(rights).map(([value, name]) => h("option", { value }, name)));
  const handed = h("div.handed", { role: "status" });
  const refresh = async () => {
    try {
      list.replaceChildren(...(await ask(path)).map((item) => row(item, refresh)));
    } catch (error) {
      if (list.isConnected) complain(error.message, refresh);
    }
  };
  refresh();
  return h("section.panel", { "aria-labelledby": "guardians-title" },
    h("h2", { id: "guardians-title" }, "People who look after your documents"),
    h("p.muted.part-text", {}, "A parent or guardian can see your documents, or manage them for you, from their own account."), list,
    h("form.invite", {
      "aria-label": "Invite", novalidate: true,
      onsubmit: once(async () => {
        showFault(email, email.value.trim() ? "" : "Enter an email");
        if (!email.value.trim()) return email.focus();
        try {
          const made = await ask(path, { method: "POST", body: { email: email.value.trim(), right: right.value } });
          email.value = "";
          hand(handed, made);
          await refresh();
        } catch (error) {
          showFault(email, error.message);
          email.focus();
        }
      }),
    }, field("Their email", email), field("They may", right),
      h("button.primary", { type: "submit", "data-online": true }, "Invite")), handed);
}

/** The link of a new invitation, which is shown once. */
function hand(place, { email, url }) {
  const link = new URL(url, location).href;
  const shown = h("input", { type: "text", readonly: true, value: link, "aria-label": "The invitation's link", onfocus: () => shown.select() });
  const said = session.sendsMail ? `We have sent a link to ${email}. You can hand it on yourself, too:` : `Send this link to ${email}. It works once, for a week:`;
  place.replaceChildren(h("p", {}, said), h("div.link-row", {}, shown, h("button.plain", { type: "button", onclick: once(async () => {
    try {
      await navigator.clipboard.writeText(link);
      say("Link copied");
    } catch {
      // Pages that came by http from another machine may not write to the clipboard.
      shown.focus();
    }
  }) }, "Copy")));
}

function row(item, refresh) {
  const isActive = item.state === "active";
  const end = async () => {
    const isSure = !isActive || await sure(`End access for ${nameOf(item)}?`, "They will not see your documents any more.", "End access");
    if (isSure) await finish(item, isActive ? "Access ended" : "Invitation taken back", refresh);
  };
  return h("li", {}, h("span.session-icon", {}, icon("person")),
    h("div.session-text", {},
      h("h3", {}, nameOf(item), " ", h("span.badge", { class: isActive ? "green" : "orange" }, isActive ? "Active" : "Invited")),
      h("p.muted", {}, `${rights[item.right]} · `,
        isActive ? `since ${date(item.accepted_at)}${item.name ? ` · ${item.email}` : ""}` : `until ${date(item.invitation_ends_at)}`)),
    h("button.quiet", { type: "button", "data-online": true, onclick: once(end),
      "aria-label": isActive ? `End access for ${nameOf(item)}` : `Take back the invitation of ${nameOf(item)}` }, isActive ? "End access" : "Take back"));
}

async function finish({ id }, done, after) {
  try {
    await ask(`${path}/${id}`, { method: "DELETE" });
  } catch (error) {
    if (error.status !== 404) return complain(error.message, () => finish({ id }, done, after));
  }
  say(done);
  await after();
}

// The account's part: people whose documents one looks after

/** The part of the account with the people whose documents one looks after; `null` for none. */
export function athletePart() {
  const athletes = session.athletes;
  if (!athletes.length) return null;
  return h("section.panel", { "aria-labelledby": "athletes-title" },
    h("h2", { id: "athletes-title" }, "People you look after"),
    h("ul.sessions", { "aria-labelledby": "athletes-title" }, athletes.map((item) => h("li", {},
      h("span.session-icon", {}, icon("person")),
      h("div.session-text", {}, h("h3", {}, nameOf(item)), h("p.muted", {}, `${rights[item.right]}${item.name ? ` · ${item.email}` : ""}`)),
      h("button.quiet", { type: "button", "data-online": true, "aria-label": `Stop looking after ${nameOf(item)}`, onclick: once(async () => {
        const isSure = await sure(`Stop looking after ${nameOf(item)}?`, "Only they can invite you again.", "Stop");
        if (isSure) await finish(item, "Done", () => session.check());
      }) }, "Stop"),
      h("a.button.plain", { href: `/documents?person=${item.person_id}`, "aria-label": `Open the documents of ${nameOf(item)}` }, "Open documents")))));
}

// The page of an invitation

/** Shows the invitation whose token stands behind `#`, which no server sees. */
export function show(main) {
  document.body.classList.add("is-signing-in");
  setTitle("Invitation");
  const token = location.hash.slice(1);
  const draw = () => {
    if (session.auth) session.removeEventListener("change", draw);
    if (session.account) read(main, token);
    else if (session.auth) askToSignIn(main, token);
  };
  session.addEventListener("change", draw);
  draw();
  return { leave: () => session.removeEventListener("change", draw) };
}

function askToSignIn(main, token) {
  const next = encodeURIComponent(`/invitation#${token}`);
  tell(main, "person", "You are invited", "Somebody wants you to look after their documents. Sign in to see who.",
    h("a.button.primary.wide", { href: `/signin?next=${next}` }, "Sign in"),
    h("a.button.plain.wide", { href: `/signin?new&next=${next}` }, "Create account"));
}

async function read(main, token) {
  const home = h("a.button.plain.wide", { href: "/documents" }, "Your own documents");
  try {
    const item = await ask("/api/account/invitation", { method: "POST", body: { token } });
    const may = item.right === "view" ? "see and download" : "see, upload, change, share and delete";
    const fault = h("p.form-fault", { role: "alert" });
    card(main, h("h1", {}, `Look after ${nameOf(item)}'s documents?`),
      h("p.muted", {}, `${item.email} invites you. You may ${may} their documents, until one of you ends it.`), fault,
      h("button.primary.wide", { type: "button", onclick: once(async () => {
        try {
          await ask("/api/account/invitation/acceptance", { method: "POST", body: { token } });
          location.assign(`/documents?person=${item.person_id}`);
          await new Promise(() => {});
        } catch (error) {
          if (error.code === "link_ended") ended(main, home);
          else fault.replaceChildren(icon("warning"), error.message);
        }
      }) }, "Accept"), home);
  } catch (error) {
    if (error.code === "link_ended") ended(main, home);
    else if (error.status === 400) tell(main, "warning", "This is your own invitation", "Send its link to the person whom you want to invite.", home);
    else complain(error.message, () => read(main, token));
  }
}

const ended = (main, home) => tell(main, "warning", "This invitation has ended", "It was used already, taken back, or is too old. Ask for a new one.", home);
