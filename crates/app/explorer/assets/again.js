// A button that begins a walk again, after a confirmation.

import { h, plural, put } from "./dom.js";

/** Asks in a box whether to discard the steps so far; calls `begin` or `before`. */
export function askAgain(box, steps, begin, before) {
  put(box, `Leave the ${plural(steps, "step")} of this walk? `,
    h("button", { type: "button", id: "again-yes", onclick: begin }, "Begin again"), " ",
    h("button", { type: "button", id: "again-no", onclick: before }, "Go on"));
  box.querySelector("button").focus();
}

/** A button that begins again, after a confirmation if there are steps. */
export function again(steps, begin) {
  const box = h("span", { class: "again" });
  const offer = () => put(box, h("button", {
    type: "button", id: "again", disabled: steps === 0,
    onclick: () => askAgain(box, steps, begin, () => {
      offer();
      box.firstChild.focus();
    }),
  }, "Begin again"));
  offer();
  return box;
}
