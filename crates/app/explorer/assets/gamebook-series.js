// Books in a row: who sets out, how likely he wins them all, and a way into the walk.

import { query, show, state, template } from "./address.js";
import { ask, cancel } from "./api.js";
import { announce, byId, h, percent, percents, plural, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { dangers } from "./gamebook-dangers.js";
import { conductForm } from "./gamebook-conduct.js";
import { sayDraft } from "./gamebook-draft.js";
import { flagsForm, heroForm } from "./gamebook-hero.js";
import { noted } from "./standing.js";
import { inVolume } from "./walk-link.js";
import { isRight, recheck } from "./wrong.js";

/** The series, as the endpoint of books tells it. */
let book = null;

/** So many deaths are listed. */
const MOST = 12;
/** Series with more sections are hardly ever solved whole. */
const MANY = 1000;

const sectionOf = (section) => book.sections.find((own) => own.section === section);

/** Nobody insists on a choice here. */
const insist = { section: 0, to: 0 };

function showProgress({ stage, states, seconds }) {
  if (seconds < 0.4) return;
  put(byId("progress"), h("div", { class: "row" }, `Finding the odds (${stage}): ${plural(states, "situation")}, ${seconds.toFixed(1)} s`,
    h("button", { type: "button", id: "cancel", onclick: () => cancel(byId("answer")) }, "Cancel")));
}

/** The answers to a question, each a link into the walk at that question. */
function firstChoices({ section, about, steps, choices }) {
  const wins = percents(choices.map(({ win }) => win));
  return choices.map(({ label, standing }, place) => h("tr", { class: standing === "first" && "best" },
    h("td", {}, sectionOf(section).name, about && h("span", { class: "hint" }, ` about ${about}`)),
    h("td", {}, h("a", { class: "walk-link", href: walkAddress(state, `steps=${steps.join(",")}&mark=${book.mark}`) }, label || "go on"), noted(standing)),
    h("td", { class: "number" }, wins[place])));
}

async function solve() {
  if (!isRight(byId("hero"))) return;
  const { hero, conduct: { readings, policy } } = state;
  const answer = await ask("gamebook/series", { book: state.book, hero, conduct: { readings, policy: policy || null } }, byId("answer"), showProgress);
  put(byId("progress"));
  state.solve = answer !== null;
  show(state);
  byId("answer").hidden = !answer;
  if (!answer) return;
  const { win, books, deaths, first_choices: asked, states } = answer;
  put(byId("answer"),
    h("h2", {}, "Chance to win all of them"),
    h("p", { class: "big", id: "win" }, percent(win.decimal)),
    scroller(h("table", { id: "by-book", "aria-label": "Book by book" },
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
      h("tbody", {}, deaths.slice(0, MOST).map(({ section, probability }) => h("tr", {}, h("td", {}, sectionOf(section).name), h("td", {}, dangers(sectionOf(section))),
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

/** The address of a walk of a player. Apart from the book, both pages have the same defaults, so these can be left out. */
const walkAddress = ({ hero, conduct }, more = "") =>
  `/gamebook/walk?${[`book=${encodeURIComponent(state.book)}`, query({ hero, conduct }), more].filter(Boolean).join("&")}`;

/** How many sections the books have whose sections come after this number. */
const sectionsAfter = (before) => book.sections.filter(({ section }) => section > before).length;
/** Whether the odds of these books together are most likely beyond what a server may use. */
const isLarge = (before = 0) => sectionsAfter(before) > MANY;
/** The same in words, where it is so. */
const largeWords = (id, before = 0) => isLarge(before) && h("p", { class: "hint", id }, `${sectionsAfter(before).toLocaleString("en")} sections: the odds of all these books together are most likely beyond this server's limits. You can try them all the same. `,
  "The walk begins without them; at every section it leads to the odds of the book at hand alone.");

/** The links into a walk with and without odds, the likelier one first. */
function ways(box, id, large, [short, long], address) {
  const withOdds = h("a", { id: `walk-${id}`, class: "walk-link", href: address("") }, large ? long : short);
  const plain = h("a", { id: `walk-${id}-plain`, class: "walk-link", href: address("odds=false") }, large ? short : "Walk without the odds");
  put(box, large ? [plain, " ", withOdds] : [withOdds, " ", plain]);
}

const showWalk = () =>
  ways(byId("walk"), "series", isLarge(), ["Walk through the series", "Walk with the odds of all books"], (more) => walkAddress(state, more));

// Who is in the middle.

/** The book in which he is, with what can be had and known there. */
const hereBook = () => inVolume(book, state.here.volume - 1);

function hereChanged() {
  const { here } = state;
  const field = byId("here-endurance");
  field.max = here.hero.endurance;
  if (here.endurance === null) field.value = here.hero.endurance;
  recheck(byId("here"));
  show(state);
  showHereWalk();
}

/** The links into a walk from there. */
function showHereWalk() {
  const { here } = state, { before } = hereBook();
  const where = query({ here: { section: before + (here.section ?? 0), endurance: here.endurance, flags: here.flags } });
  ways(byId("here-walk"), "here", isLarge(before), ["Walk on from here", "Walk on with the odds of all books"],
    (more) => walkAddress(here, [where, more].filter(Boolean).join("&")));
}

function showHere() {
  const { here } = state, box = byId("here"), volume = byId("here-volume");
  put(volume, h("option", { value: 0 }, "which one?"), book.series.map(({ title }, place) => h("option", { value: place + 1 }, `${place + 1}. ${title}`)));
  volume.value = here.volume;
  for (const id of ["here-section", "here-endurance"]) byId(id).closest(".field").hidden = here.volume === 0;
  for (const id of ["here-hero", "here-flags", "here-large", "here-walk"]) put(byId(id));
  if (here.volume === 0) return;
  const own = hereBook(), conduct = h("div", {});
  byId("here-section").value = here.section ?? "";
  byId("here-endurance").value = here.endurance ?? here.hero.endurance;
  heroForm(byId("here-hero"), own, { hero: here.hero, insist }, hereChanged, conduct);
  conductForm(conduct, "here-", own, here.conduct, hereChanged);
  flagsForm(byId("here-flags"), own, here, hereChanged);
  put(byId("here-large"), largeWords("large-here", own.before));
  hereChanged();
  recheck(box);
}

/** What is wrong with a section, if something is. */
const unknown = (section) => (book.sections.some((own) => own.section === hereBook().before + section && own.name.startsWith(`${section} of `)) ? "" : `There is no section ${section} in ${hereBook().title}`);

byId("here").addEventListener("input", ({ target }) => {
  const { here } = state;
  if (target.id === "here-section") target.setCustomValidity(target.value ? unknown(Number(target.value)) : "");
  const key = { "here-section": "section", "here-endurance": "endurance" }[target.id];
  if (!key || !target.checkValidity()) return;
  here[key] = Number(target.value);
  hereChanged();
});
byId("here-volume").addEventListener("change", ({ target }) => {
  const place = Number(target.value), { hero } = place > 0 ? book.series[place - 1] : template;
  state.here = { ...structuredClone(template.here), volume: place, hero: structuredClone(hero) };
  byId("here-section").setCustomValidity("");
  show(state);
  showHere();
});
byId("here").addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector("#here-walk a")?.click();
});
byId("here-walk").addEventListener("click", (event) => {
  if (!isRight(byId("here"))) event.preventDefault();
});

byId("book").value = state.book;
byId("book").addEventListener("change", ({ target }) => { location.assign(`/gamebook/series?book=${encodeURIComponent(target.value)}`); });
byId("solve").addEventListener("click", solve);

if (state.book) book = await ask("gamebook/book", { book: state.book }, byId("volumes"));
if (book) {
  sayDraft(book);
  document.title = `${book.title} · bestplay`;
  put(byId("volumes"), h("ol", { class: "volumes" }, book.series.map(({ title, name }) =>
    h("li", {}, name ? h("a", { href: `/gamebook?book=${encodeURIComponent(name)}` }, title) : title))),
  largeWords("large"));
  const conduct = h("div", {});
  heroForm(byId("hero"), book, { hero: state.hero, insist }, changed, conduct);
  conductForm(conduct, "hero-", book, state.conduct, changed);
  showWalk();
  showHere();
  if (state.solve) solve();
}
