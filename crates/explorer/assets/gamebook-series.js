// Books in a row: who sets out, how likely he wins them all, and a way into the walk.

import { query, show, state } from "./address.js";
import { ask, cancel } from "./api.js";
import { announce, byId, h, percent, plural, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { conductForm } from "./gamebook-conduct.js";
import { heroForm } from "./gamebook-hero.js";
import { isRight } from "./wrong.js";

/** The series, as the endpoint of books tells it. */
let book = null;

/** So many deaths are listed. */
const MOST = 12;
/** Series with more sections are hardly ever solved whole. */
const MANY = 1000;

const sectionOf = (section) => book.sections.find((own) => own.section === section);

/** Nobody insists on a choice here. */
const insist = { section: 0, to: 0 };

function told({ stage, states, seconds }) {
  if (seconds < 0.4) return;
  put(byId("progress"), h("div", { class: "row" }, `Finding the odds (${stage}): ${plural(states, "situation")}, ${seconds.toFixed(1)} s`,
    h("button", { type: "button", id: "cancel", onclick: () => cancel(byId("answer")) }, "Cancel")));
}

/** The answers to a question, each a link into the walk at that question. */
const firstChoices = ({ section, about, steps, choices }) => choices.map(({ label, win, best }) => h("tr", { class: best && "best" },
  h("td", {}, sectionOf(section).name, about && h("span", { class: "hint" }, ` about ${about}`)),
  h("td", {}, h("a", { class: "walk-link", href: walkAddress(`steps=${steps.join(",")}`) }, label || "go on")),
  h("td", { class: "number" }, win ? percent(win.decimal) : "not known")));

async function solve() {
  if (!isRight(byId("hero"))) return;
  const { hero, conduct: { readings, policy } } = state;
  const answer = await ask("gamebook/series", { book: state.book, hero, conduct: { readings, policy: policy || null } }, byId("answer"), told);
  put(byId("progress"));
  state.solve = answer !== null;
  show(state);
  byId("answer").hidden = !answer;
  if (!answer) return;
  const { win, books, deaths, first_choices: asked, states } = answer;
  put(byId("answer"),
    h("h2", {}, "Chance to win all of them"),
    h("p", { class: "big", id: "win" }, percent(win.decimal)),
    scroller(h("table", { id: "fares", "aria-label": "Book by book" },
      h("thead", {}, h("tr", {}, h("th", {}, "Book"), h("th", { class: "number" }, "Begun"), h("th", { class: "number" }, "Won"))),
      h("tbody", {}, books.map(({ title, reached, win: own }) => h("tr", {}, h("td", {}, title),
        h("td", { class: "number" }, percent(reached)), h("td", { class: "number" }, percent(own))))))),
    asked.length > 0 && [h("h3", {}, "The first choices that matter"),
      scroller(h("table", { id: "first-choices", "aria-label": "The first choices that matter" },
        h("thead", {}, h("tr", {}, h("th", {}, "Section"), h("th", {}, "Answer"), h("th", { class: "number" }, "Wins"))),
        h("tbody", {}, asked.map(firstChoices))))],
    h("h3", {}, "Where heroes die"),
    scroller(h("table", { id: "deaths", "aria-label": "Where heroes die" },
      h("thead", {}, h("tr", {}, h("th", {}, "Section"), h("th", {}, "How"), h("th", { class: "number" }, "Chance"))),
      h("tbody", {}, deaths.slice(0, MOST).map(({ section, probability }) => h("tr", {}, h("td", {}, sectionOf(section).name), h("td", {}, sectionOf(section).deaths.join("; ")),
        h("td", { class: "number" }, percent(probability))))))),
    deaths.length > MOST && h("p", { class: "hint" }, `and ${plural(deaths.length - MOST, "section")} more`),
    h("p", { class: "hint" }, `${plural(states, "situation")} that ${states === 1 ? "matters" : "matter"}.`),
    h("p", { class: "hint" }, "Begun and won: how likely a hero who plays best for the whole series begins the book, and wins it."),
    downloads([["The answer (JSON)", "json", `${state.book} odds`, () => answer]]));
  announce(`${percent(win.decimal)} to win all books`);
}

/** Who sets out is somebody else now. */
function changed() {
  cancel(byId("answer"));
  state.solve = false;
  byId("answer").hidden = true;
  show(state);
  showWalk();
}

/** The address of a walk of who sets out: what is not said there is the same at the bare addresses of both pages, but for
    the book. */
function walkAddress(more = "") {
  const { book: own, hero, conduct } = state;
  return `/gamebook/walk?${[`book=${encodeURIComponent(own)}`, query({ hero, conduct }), more].filter(Boolean).join("&")}`;
}

/** Whether the odds of all books together are most likely beyond what a server may use. */
const isLarge = () => book.sections.length > MANY;

/** The ways into the walk, the likelier one first. */
function showWalk() {
  const withOdds = h("a", { id: "walk-series", class: "walk-link", href: walkAddress() }, isLarge() ? "Walk with the odds of all books" : "Walk through the series");
  const plain = h("a", { id: "walk-plain", class: "walk-link", href: walkAddress("odds=false") }, isLarge() ? "Walk through the series" : "Walk without the odds");
  put(byId("walk"), isLarge() ? [plain, " ", withOdds] : [withOdds, " ", plain]);
}

byId("book").value = state.book;
byId("book").addEventListener("change", ({ target }) => { location.assign(`/gamebook/series?book=${encodeURIComponent(target.value)}`); });
byId("solve").addEventListener("click", solve);

if (state.book) book = await ask("gamebook/book", { book: state.book }, byId("volumes"));
if (book) {
  document.title = `${book.title} · bestplay`;
  put(byId("volumes"), h("ol", { class: "volumes" }, book.series.map(({ title, name }) =>
    h("li", {}, name ? h("a", { href: `/gamebook?book=${encodeURIComponent(name)}` }, title) : title))),
  isLarge() && h("p", { class: "hint", id: "large" }, `${book.sections.length.toLocaleString("en")} sections: the odds of all these books together are most likely beyond this server's limits. They are tried for who asks. `,
    "The walk begins without them; at every section it leads to the odds of the book at hand alone."));
  const conduct = h("div", {});
  heroForm(byId("hero"), book, { hero: state.hero, insist }, changed, conduct);
  conductForm(conduct, "hero-", book, state.conduct, changed);
  showWalk();
  if (state.solve) solve();
}
