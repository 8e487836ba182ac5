// Asks for the list before the modules that show it have come.

import { actingFields, isAbout, pagePath, pageSize, Query, statisticsPath } from "./query.js";

const answers = new Map();

/** The answer to a path that was asked for early: once, then nothing. */
export function takeEarly(path) {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}

/** Asks the service for JSON, which no cache keeps. */
export function read(path, options) {
  return fetch(path, { cache: "no-store", ...options,
    headers: { accept: "application/json", ...(isAbout(path) && actingFields), ...options.headers } });
}

if (/^\/documents\/?$/.test(location.pathname)) {
  for (const path of [pagePath(new Query().text, pageSize), statisticsPath]) {
    const answer = read(path, { signal: AbortSignal.timeout(30_000), priority: path === statisticsPath ? "low" : "high" });
    // Told to whoever takes it.
    answer.catch(() => {});
    answers.set(path, answer);
  }
}
