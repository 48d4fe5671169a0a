// Shows what is wrong with an input beside its field, and marks an answer to earlier input as old.

import { h } from "./dom.js";

/** The problem of a field, in words. */
function problemOf({ validity, validationMessage, min, max }) {
  const number = min !== "" && max !== "" ? `a whole number from ${min} to ${max}` : "a whole number";
  if (validity.customError) return validationMessage;
  return validity.valueMissing && !validity.badInput ? `Missing: ${number}` : `This must be ${number}`;
}

/** Shows the problem of a field below it, or removes it. */
function say(field) {
  const id = `${field.id}-wrong`, note = document.getElementById(id), isRight = field.validity.valid;
  field.toggleAttribute("aria-invalid", !isRight);
  if (isRight) {
    note?.remove();
    field.removeAttribute("aria-describedby");
    return;
  }
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", id);
  if (note) note.textContent = problemOf(field);
  else (field.closest(".field") ?? field.parentNode).append(h("span", { class: "wrong", id, role: "alert" }, problemOf(field)));
}

addEventListener("input", ({ target }) => {
  if (target.matches("input[type=number], input[type=text]") && target.id) say(target);
});

/** Takes notes away whose fields were set right meanwhile. */
export const recheck = (box) => box.querySelectorAll("[aria-invalid]").forEach(say);

/** Whether all fields in `box` are right; if not, says so and goes to the first that is not. */
export function isRight(box) {
  const wrong = [...box.querySelectorAll("input")].filter((field) => !field.validity.valid);
  wrong.forEach(say);
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** Marks what stands in `box` as old, so that nobody takes it for the answer to what the form says now; or as new again. */
export function old(box, is, words = "Old: this is not about what the form says now.") {
  const note = box.querySelector(":scope > .old-note");
  box.classList.toggle("old", is);
  if (!is) note?.remove();
  else if (!note && box.childElementCount) box.prepend(h("p", { class: "old-note", role: "status" }, words));
  for (const child of box.children) child.inert = is && !child.matches(".old-note");
}
