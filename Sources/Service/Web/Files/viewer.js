import { h } from "./dom.js"; export function show(main, id) { main.replaceChildren(h("h1", {}, "Soon")); }
