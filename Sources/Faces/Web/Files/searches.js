// The searches for jobs that this browser knows, and the service's calls about them.

import { ask, connection } from "./api.js";
import { session } from "./session.js";

const place = "jobs.searches";
/** How many searches of persons the browser keeps: their dashboards list the others. */
const most = 10;

/** Asks a call of JobMatchNow, whose answers have no envelope. */
export const askJobs = (path, options = {}) => ask(path, { ...options, isBare: true });

/**
 * The name of a search in addresses: the beginning of its identity. It tells this browser, and the person's own dashboard, which
 * search is meant, and gives no right to anybody else: neither identity nor token is in the address bar or the history.
 */
export const nameOf = (id) => id.slice(0, 8);

/** The address of a search. */
export const addressOf = (search, screen = "/jobs") => `${screen}?search=${nameOf(search.id)}`;

function read() {
  try {
    const all = JSON.parse(localStorage.getItem(place)) ?? [];
    return Array.isArray(all) ? all.filter(({ id, token }) => typeof id === "string" && typeof token === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Keeps the latest, and all that are nobody's until they end: nobody else knows the identity by which their résumés are deleted.
 */
function write(all) {
  const isKept = ({ owner, expires_at: end }, index) => owner ? index < most : !end || Date.parse(end) > Date.now();
  localStorage.setItem(place, JSON.stringify(all.filter(isKept)));
}

/** The searches of this browser that are the person's, or nobody's in particular; the newest first. */
export const knownSearches = () => read().filter(({ owner }) => !owner || owner === session.account?.id);

/** The search for the card "Last Search". */
export const lastSearch = () => knownSearches().find(({ status }) => status !== "failed");

/** Keeps a search that has just begun. */
export function keep({ user_search_id: id, view_token: token }) {
  const search = { id, token, owner: session.account?.id ?? null, status: "processing", created_at: new Date().toISOString() };
  write([search, ...read().filter((other) => other.id !== id)]);
  return search;
}

/** Notes what the service says about a search that the browser keeps. */
export function note(search, summary) {
  Object.assign(search, summary);
  write(read().map((other) => (other.id === search.id ? search : other)));
}

/** Forgets a search that has ended. */
export const forget = (search) => write(read().filter(({ id }) => id !== search.id));

/** Forgets the searches of persons, whose dashboards list them. Those that are nobody's stay: the browser alone can delete them. */
export const forgetOwned = () => write(read().filter(({ owner }) => !owner));

/** Waits until it is known who has signed in. */
export async function learnWho() {
  if (session.auth) return;
  try {
    await session.check();
  } catch {
    connection.probe();
    throw new Error("Unable to reach the service. Check your connection.");
  }
}

/** Whether searches are listed for somebody: a person who has signed in, or the one local person. */
export const hasDashboard = () => session.auth === "off" || !!session.account;

/**
 * The search that an address names.
 *
 * @returns `{id, token, …}`; `null` where neither this browser nor the person's dashboard has it
 */
export async function findSearch(name) {
  if (!name) return null;
  const isIt = ({ id }) => nameOf(id) === name;
  const kept = read().find(isIt);
  if (kept && !kept.owner) return kept;
  await learnWho();
  const known = knownSearches().find(isIt);
  if (known || !hasDashboard()) return known ?? null;
  for (let offset = 0; ;) {
    const { recent_sessions: page } = await askJobs(`/api/me/dashboard?offset=${offset}`);
    const found = page.find(isIt);
    if (found) return found.view_token ? ofDashboard(found) : null;
    if (!page.length) return null;
    offset += page.length;
  }
}

/** A search of the dashboard in the form of those that the browser keeps. */
export const ofDashboard = ({ id, view_token: token, title, created_at, total_jobs, direct_count, adjacent_count }) => ({
  id, token, title, created_at, matches: total_jobs, direct: direct_count, adjacent: adjacent_count, owner: session.account?.id ?? null,
});

/** `1 search`, `3 searches`. */
export const countSearches = (number) => `${number.toLocaleString("en")} ${number === 1 ? "search" : "searches"}`;

/** `1 match`, `95 matches`. */
export const countMatches = (number) => `${number.toLocaleString("en")} ${number === 1 ? "match" : "matches"}`;

/** How far a search is. */
export const summaryOf = (search) => askJobs(`/api/public/summary?token=${encodeURIComponent(search.token)}`);

/** What was found for a search, in memory. */
const matches = new Map();

/** The jobs of a search: `national` for all, `local` for those near the person. */
export async function jobsOf(search, scope) {
  const key = `${search.id} ${scope}`;
  if (!matches.has(key)) matches.set(key, await askJobs(`/api/public/jobs?token=${encodeURIComponent(search.token)}&scope=${scope}`));
  return matches.get(key);
}

/** The jobs of a search that are in memory. */
export const loadedJobs = (search, scope) => matches.get(`${search.id} ${scope}`);

/** Forgets the jobs of a search, because another profile gives others; of all where none is given. */
export function forgetJobs({ id } = { id: "" }) {
  for (const key of matches.keys()) if (key.startsWith(id)) matches.delete(key);
}

/** Deletes a search with its file and matches; one that is gone already counts as deleted. */
export async function removeSearch(search) {
  try {
    await askJobs(`/api/resume/${search.id}`, { method: "DELETE", lost: "Unable to delete the search. Check your connection." });
  } catch (error) {
    if (error.status !== 404) throw error;
    // The service says the same to somebody whose session has ended, and has the search still.
    if (await isThere(search)) throw new Error("Sign in again to delete this search.");
  }
  forgetJobs(search);
  forget(search);
}

const isThere = (search) => summaryOf(search).then(() => true, (error) => error.status !== 404);
