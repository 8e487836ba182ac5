// A pull from the top of the page asks anew.

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** How far a finger pulls before letting go asks, in pixels. */
const enough = 72;

/** Follows pulls until the signal ends; `action` is awaited while the sign turns. */
export function followPull(main, action, signal) {
  const sign = h("div.pull", { "aria-hidden": "true" }, icon("retry"));
  let start = null;
  let pulled = 0;
  const show = () => {
    sign.style.setProperty("--pull", `${Math.min(pulled, enough * 1.5)}px`);
    sign.classList.toggle("is-enough", pulled >= enough);
    if (pulled > 8 && !sign.isConnected) main.prepend(sign);
  };
  const end = async () => {
    const asks = start !== null && pulled >= enough;
    start = null;
    pulled = 0;
    if (asks) {
      sign.classList.add("is-turning");
      await action();
    }
    sign.classList.remove("is-turning");
    sign.remove();
  };
  const options = { passive: true, signal };
  addEventListener("touchstart", ({ touches, target }) => {
    start = scrollY <= 0 && touches.length === 1 && !target.closest?.("dialog") ? touches[0].clientY : null;
    pulled = 0;
  }, options);
  addEventListener("touchmove", ({ touches }) => {
    if (start === null) return;
    pulled = scrollY > 0 ? 0 : Math.max(0, touches[0].clientY - start);
    show();
  }, options);
  addEventListener("touchend", end, options);
  addEventListener("touchcancel", () => { start = null; end(); }, options);
}
