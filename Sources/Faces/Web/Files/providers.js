// Providers elsewhere by which people sign in: the buttons that lead there, what is said where it did not succeed, and those of an account.

import { ask } from "./api.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { complain, say, sure } from "./messages.js";
import { session } from "./session.js";
import { date } from "./text.js";

/** What people call a provider. */
const labelOf = (name) => session.providers.find((provider) => provider.name === name)?.label ?? (name || "the provider");

/** What is said by the word of a fault; the service sends people here with it. */
const texts = {
  cancelled: (label) => `You did not agree at ${label}.`,
  ended: () => "That took more than ten minutes, or was begun in another browser. Please start again.",
  refused: (label) => `The answer of ${label} cannot be used. Please try again.`,
  away: (label) => `${label} does not answer. Please try again.`,
  busy: () => "Too many attempts. Try again in a minute.",
  address: (label) => `${label} does not tell us your email. Share it there, or use a password here.`,
  unproven: (label) => `Your email is not confirmed at ${label}. Confirm it there, and try again.`,
  taken: (label) => `An account with your email exists already. Sign in with its password, then connect ${label} on the Account page.`,
  other: (label) => `You open another account here with this login of ${label}.`,
  closed: () => "This account cannot be opened.",
  left: () => "Your session ended meanwhile. Please try again.",
  unknown: () => "Nobody signs in there any more.",
};

/** What the address says of a sign-in that did not succeed: `text`, and the provider with which to try again; `null` for nothing. */
function faultOfAddress() {
  const query = new URLSearchParams(location.search);
  const fault = query.get("fault");
  if (!fault) return null;
  const name = query.get("provider");
  const text = Object.hasOwn(texts, fault) ? texts[fault](labelOf(name)) : "Server error. Please try again.";
  // Another try changes nothing where the address has an account.
  return { text, provider: fault !== "taken" && session.providers.find((provider) => provider.name === name) };
}

/** Forgets what the address says, so that a reload does not say it again. */
function forgetAddress() { history.replaceState(history.state, "", location.pathname); }

/** Leaves for the provider, by the address that the service makes. */
async function leave(path, body) {
  const { address } = await ask(path, { method: "POST", body });
  location.assign(address);
  // The browser is about to show the provider's page.
  await new Promise(() => {});
}

/**
 * Buttons to sign in elsewhere and then open an address.
 *
 * @param {Element} notice where is said what did not succeed, with a button to try again
 */
export function signInButtons(next, notice) {
  const tell = (text, provider) => notice.replaceChildren(icon("warning"), h("span", {}, text),
    provider ? h("button.quiet", { type: "button", onclick: once(() => begin(provider)) }, "Try again") : "");
  const begin = async (provider) => {
    notice.replaceChildren();
    try {
      await leave("/api/session/elsewhere", { provider: provider.name, next });
    } catch (error) {
      tell(error.code === "provider_away" ? texts.away(provider.label) : error.message, provider);
    }
  };
  const fault = faultOfAddress();
  if (fault) tell(fault.text, fault.provider);
  return h("div.providers", { hidden: !session.providers.length }, h("p.divider", {}, "or"), session.providers.map((provider) =>
    h("button.plain.wide", { type: "button", onclick: once(() => begin(provider)) }, `Continue with ${provider.label}`)));
}

/** The part of the account with its providers; it stays hidden where there are none. */
export function waysPanel() {
  const list = h("ul.sessions", { "aria-label": "Ways to sign in" });
  const panel = h("section.panel", { "aria-labelledby": "ways-title", hidden: true },
    h("div.account-part", {}, h("h2", { id: "ways-title" }, "Ways to sign in")), list);
  tellOfAddress();
  load(panel, list);
  return panel;
}

/** Says what became of a provider that the person has connected. */
function tellOfAddress() {
  const connected = new URLSearchParams(location.search).get("connected");
  const fault = faultOfAddress();
  if (connected) say(`${labelOf(connected)} connected`);
  if (fault) complain(fault.text, fault.provider && (() => connect(fault.provider)));
  if (connected || fault) forgetAddress();
}

async function load(panel, list) {
  try {
    const identities = await ask("/api/account/identities");
    const free = session.providers.filter(({ name }) => !identities.some((identity) => identity.provider === name));
    panel.hidden = !identities.length && !free.length;
    list.replaceChildren(
      ...identities.map((identity) => connectedRow(identity, () => load(panel, list))),
      ...free.map((provider) => row(provider.label, "Not connected",
        h("button.plain", { type: "button", "data-online": true, "aria-label": `Connect ${provider.label}`, onclick: once(() => connect(provider)) },
          "Connect"))));
  } catch (error) {
    complain(error.message, () => load(panel, list));
  }
}

const row = (label, text, button) => h("li", {}, h("span.session-icon", {}, icon("person")),
  h("div.session-text", {}, h("h3", {}, label), h("p.muted", {}, text)), button);

function connectedRow({ id, provider, email, created_at: created }, again) {
  const label = labelOf(provider);
  return row(label, [email, `Connected ${date(created)}`].filter(Boolean).join(" · "), h("button.quiet", {
    type: "button", "data-online": true, "aria-label": `Disconnect ${label}`,
    onclick: once(async () => {
      if (!await sure(`Disconnect ${label}?`, `You then sign in here without ${label}.`, "Disconnect")) return;
      try {
        await ask(`/api/account/identities/${id}`, { method: "DELETE" });
        say(`${label} disconnected`);
      } catch (error) {
        if (error.status !== 404) return complain(error.message);
      }
      await again();
    }),
  }, "Disconnect"));
}

async function connect(provider) {
  try {
    await leave("/api/account/identities", { provider: provider.name });
  } catch (error) {
    complain(error.code === "provider_away" ? texts.away(provider.label) : error.message, () => connect(provider));
  }
}
