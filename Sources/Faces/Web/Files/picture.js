// A document's picture: placeholder at once, the picture when it is there, an icon where there is none.

import { h } from "./dom.js";
import { icon, iconOf } from "./icons.js";
import { placeholder } from "./placeholder.js";
import { forAthlete } from "./query.js";
import { session } from "./session.js";

/** The picture of a card (`grid`, 16:9) or of a row (`list`, 4:3). */
export function picture(item, preset) {
  const frame = h(`div.picture.${preset}`);
  fill(frame, item, preset);
  return frame;
}

function fill(frame, item, preset, attempt = 0) {
  frame.replaceChildren();
  frame.classList.remove("is-shown");
  const hash = item.placeholder && placeholder(item.placeholder);
  if (hash) frame.append(hash);
  else frame.append(icon(iconOf(item)));
  if (item.state === "stored") frame.classList.add("is-waiting");
  else frame.classList.remove("is-waiting");
  // Without a placeholder the service has no picture of the content, and draws the icon of the type.
  frame.classList.toggle("has-icon", !hash);
  if (item.state !== "ready") return;
  const again = (address) => forAthlete(attempt ? `${address}&content=${attempt}` : address);
  const address = (name) => again(`${item.thumbnail_url}&preset=${name}`);
  const image = h("img", {
    alt: "", loading: "lazy", decoding: "async", draggable: "false",
    // Rows have 240 pixels for 80. Cards have 640, made when a file is stored; more where the screen shows more.
    ...(preset === "list" ? { width: 80, height: 60 } : { width: 640, height: 360, sizes: "auto",
      srcset: `${address("grid")} 640w, ${again(`${item.thumbnail_url}&width=960&height=540&fit=cover`)} 960w` }),
    onload: () => frame.classList.add("is-shown"),
    onerror: () => fail(frame, item, preset, attempt),
  });
  image.src = address(preset);
  frame.append(image);
}

/** An icon, and a button that asks again. Where the session has ended, the picture comes once the person has signed in again. */
function fail(frame, item, preset, attempt) {
  session.doubt();
  const again = () => { if (frame.isConnected && !frame.classList.contains("is-shown")) fill(frame, item, preset, attempt + 1); };
  session.addEventListener("regained", again, { once: true });
  frame.replaceChildren(icon(iconOf(item)));
  frame.append(h("button.again", {
    type: "button", "aria-label": `Load the picture of ${item.title} again`,
    onclick: (event) => {
      event.preventDefault();
      event.stopPropagation();
      fill(frame, item, preset, attempt + 1);
    },
  }, icon("retry")));
}
