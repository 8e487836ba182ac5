// Addresses of what the service has of a document: its owner's, or those of a link's visitors.

import { forAthlete } from "./query.js";

/**
 * The address of a part of a document.
 *
 * @param {object} item a document; `link` is the token of the link by which a visitor sees it
 * @param {string} part `picture`, `pages/3`, `file`
 * @param {object} parameters of the query
 */
export function addressOf(item, part, parameters = {}) {
  const query = new URLSearchParams(parameters);
  if (item.link) query.set("link", item.link);
  return forAthlete(`${item.link ? "/api/shared" : `/api/documents/${item.id}`}/${part}${query.size ? `?${query}` : ""}`);
}

/** The address by which a browser saves the file. */
export const downloadOf = (item) => addressOf(item, "file", { download: "" });
