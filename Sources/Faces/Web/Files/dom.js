// Elements without templates: `h("a.card", {href}, "text")`.

import { forAthlete } from "./query.js";

/**
 * Makes an element.
 *
 * @param {string} name tag and classes: `button.primary.large`
 * @param {object} properties `on…` are listeners, `class` adds classes, `style` sets custom properties, others are attributes;
 *   `false`, `null` and `undefined` leave an attribute out
 * @param children elements and texts; `null` and `false` are skipped
 */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === false || value == null) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.classList.add(...value.split(" "));
    else if (key === "style") for (const [name, text] of Object.entries(value)) node.style.setProperty(name, text);
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : ["href", "src", "poster"].includes(key) ? forAthlete(value) : value);
  }
  node.append(...children.flat(9).filter((child) => child != null && child !== false));
  return node;
}

/** Runs an action once at a time: a second click while it runs does nothing. */
export function once(action) {
  let running = false;
  return async (event) => {
    event?.preventDefault?.();
    if (running) return;
    running = true;
    try { await action(event); } finally { running = false; }
  };
}

/** Waits. */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls the last of several calls that follow each other closely. */
export function settled(action, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

/** Whether a key press belongs to a field in which a person types. */
export const isTyping = (event) => !!event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable]");
