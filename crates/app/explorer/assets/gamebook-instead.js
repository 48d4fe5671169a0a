// What there is where the odds of a book are beyond a limit.

import { query, state, template } from "./address.js";
import { h, put } from "./dom.js";
import { walkLink } from "./walk-link.js";
import { old } from "./wrong.js";

/** What is known all the same, in words: bounds are rounded away from each other. */
const known = ({ at_least, at_most }) => `${(Math.floor(at_least * 1e7) / 1e5).toFixed(5)} % to ${(Math.ceil(at_most * 1e7) / 1e5).toFixed(5)} %`;

/** Links to what works: the walk of a player without the odds, and the halves of a book that has such. */
export function instead(box, failed, book, player, here = template.here) {
  const { hero, conduct } = player, { waist } = book, called = book.sections.find(({ section }) => section === waist)?.name ?? waist;
  const isWhole = state.start === null && JSON.stringify(state.goals) === JSON.stringify(template.goals);
  const half = (id, words, part) => h("li", {}, h("a", { id, href: `/gamebook?${query({ book: state.book, hero, conduct, solve: true, ...part })}` }, words));
  put(box,
    h("h2", {}, "What there is instead"),
    failed.known && h("p", {}, h("strong", { class: "big", id: "known" }, known(failed.known)), " to win for the book's own hero: found beforehand, with more memory than this server may use."),
    h("ul", { id: "instead" },
      h("li", {}, walkLink("A walk through the book without the odds", player, here, { id: "walk-plain" }, { odds: false })),
      isWhole && waist && [
        half("first-half", `The odds from the beginning to section ${called}`, { goals: [waist] }),
        half("second-half", `The odds from section ${called} on, for the hero as he sets out`, { start: waist })]));
  // What was asked for failed, but this is new.
  old(box, false);
  box.hidden = false;
}
