// The viewer for visitors: one document, by a link that its owner has handed on.

import { ask } from "./api.js";
import { Viewer } from "./viewer.js";

/** Shows the document that the link in the address opens; gives what ends the screen. */
export function show(main) {
  const viewer = new SharedViewer(main);
  viewer.open(new URLSearchParams(location.search).get("link") ?? "");
  return { leave: () => viewer.leave() };
}

class SharedViewer extends Viewer {
  constructor(main) {
    super(main);
    // There is nothing else to go to, and nothing to share.
    for (const node of [this.closeButton, this.shareButton, this.place.parentElement]) node.remove();
    this.download.hidden = true;
  }

  async load(link) {
    const item = await ask(`/api/shared?${new URLSearchParams({ link })}`, { lost: "Unable to load document. Check your connection." });
    this.download.hidden = !item.file_url;
    return { ...item, link, id: link };
  }

  showMissing() { this.tell("This link has ended. Ask for a new one."); }
  findPlace() {}
  step() {}
  close() {}
}
