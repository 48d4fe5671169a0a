// Books that are not finished: their odds are those of a draft.

import { byId } from "./dom.js";

/** Says above all odds of the page that the book is a draft, if it is one. */
export function sayDraft({ unfinished }) {
  byId("draft").textContent = unfinished ?? "";
  byId("draft").hidden = !unfinished;
}
