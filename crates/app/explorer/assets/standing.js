// The standing of a choice beside the one to take.

import { h } from "./dom.js";

/** The page's words for each standing of the endpoints, in the order in which choices are listed. */
export const STANDINGS = { first: "best", equal: "equal", "leads-back": "no worse, but leads back", worse: "" };

/** A standing that shows neither in the mark of the best nor in the value. */
export const noted = (standing) => ["equal", "leads-back"].includes(standing) && h("span", { class: "hint" }, ` ${STANDINGS[standing]}`);
