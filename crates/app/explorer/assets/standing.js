// How a choice stands beside the one to take.

import { h } from "./dom.js";

/** What is said of each, by what the endpoints call it, in the order in which choices are listed. */
export const STANDINGS = { first: "best", equal: "equal", "leads-back": "no worse, but leads back", worse: "" };

/** What neither the mark of the best nor the worth says. */
export const noted = (standing) => ["equal", "leads-back"].includes(standing) && h("span", { class: "hint" }, ` ${STANDINGS[standing]}`);
