// A walk through a book, question by question. The steps stand in the address; the server goes them again.

import { query, show, state, step } from "./address.js";
import { again } from "./again.js";
import { ask, cancel, failure, problem } from "./api.js";
import { announce, byId, h, percent, percents, points, put } from "./dom.js";
import { downloads } from "./download.js";
import { conductWords } from "./gamebook-conduct.js";
import { sayDraft } from "./gamebook-draft.js";
import { described } from "./gamebook-hero.js";
import { STANDINGS } from "./standing.js";
import { aloneAddress, hereQuestion, inVolume, volumeOf } from "./walk-link.js";
import { another, forget, keep, kept, replace } from "./walk-kept.js";
import { changes, oddsLine, sums } from "./walk-line.js";

/** The book, what was done (the beginning first), and where that led. */
let book = null, log = [], now = null;
/** Whether the sheet is being corrected. */
let correcting = false;

const called = (section) => book.sections.find((own) => own.section === section)?.name ?? String(section);
/** A section as a title; between two books of a series the hero is in none. */
const titled = (section) => (called(section).startsWith("before ") ? called(section).replace(/^b/, "B") : `Section ${called(section)}`);
const likely = (win) => (win ? percent(win.decimal) : "not known");
const steps = () => state.steps.split(",").filter(Boolean);
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

// Asking.

function showProgress({ stage, states, seconds }) {
  if (seconds < 0.4) return;
  put(byId("walk-progress"), h("div", { class: "row" }, `Finding the odds (${stage}): ${states.toLocaleString("en")} situations, ${seconds.toFixed(1)} s`,
    h("button", { type: "button", onclick: () => cancel(byId("walk-progress")) }, "Cancel")));
}

/** The answer about these steps, and what is done after them. */
const asked = (before, since, act) =>
  ask("gamebook/walk", { here: hereQuestion(state), steps: before, since, odds: state.odds, ...(act && { act }) }, byId("walk-progress"), showProgress);

/** Repeats the walk, and takes the step `act` if there is one. Returns whether that succeeded. */
async function walk(act, since = log.length, before = steps()) {
  const answer = await asked(before, since, act);
  put(byId("walk-progress"));
  if (!answer) return false;
  log = [...log.slice(0, since), ...answer.log];
  now = answer.now;
  state.steps = answer.steps.join(",");
  correcting = false;
  return true;
}

/** Writes what was done into the address, and keeps it. */
function written() {
  state.mark = state.steps ? book.mark : "";
  step(state);
  keep();
}

/** Does something, and shows where it led. */
async function go(act) {
  const had = byId("now").contains(document.activeElement) || byId("sheet").contains(document.activeElement);
  if (!await walk(act)) return;
  written();
  render();
  announce(summary());
  if (had) ((act === "roll" && document.querySelector("[data-key=roll]")) || byId("now-title")).focus({ preventScroll: true });
  byId("now").scrollIntoView({ block: "nearest" });
}

/** Back to when so many steps were done. */
async function back(to) {
  if (!await walk(null, Math.min(log.length, to + 1), steps().slice(0, to))) return;
  written();
  render();
  announce(`Taken back. ${summary()}`);
  byId("now-title").focus({ preventScroll: true });
}

const ENDS = { won: "You have won", dead: "You are dead, or have failed", endless: "The book never ends from here" };

const summary = () => [ENDS[now.phase] ?? titled(now.section), now.win && !ENDS[now.phase] && `${percent(now.win.decimal)} to win`].filter(Boolean).join(", ");

// Where the walk is.

const story = ({ section, text }) => text && h("div", { class: "story" }, text.map(({ text: own }) => h("p", {}, own)));

function answers() {
  const most = Math.max(...now.answers.map(({ win }) => win?.decimal ?? 0)), wins = percents(now.answers.map(({ win }) => win));
  return h("ul", { class: "answers" }, now.answers.map(({ label, section, then, win, standing }, place) => h("li", {},
    h("button", { type: "button", class: standing === "first" ? "best" : "", "data-answer": place + 1, onclick: () => go({ answer: place + 1 }) },
      h("span", {}, label || "go on", section !== null && ` → ${called(section)}`, then && h("span", { class: "hint" }, ` then ${then}`)),
      state.odds && h("span", { class: "worth" }, wins[place], STANDINGS[standing] ? ` ${STANDINGS[standing]}` : win && most > win.decimal ? ` ${points(win.decimal - most)}` : "")))));
}

function typing({ typed, listed, prospects }) {
  return h("form", { id: "came", autocomplete: "off", onsubmit: (event) => {
    event.preventDefault();
    const numbers = byId("came-up").value.split(/[\s,+.]+/).filter(Boolean).map(Number);
    const wrong = numbers.length === 0 || numbers.some((number) => !Number.isSafeInteger(number) || number < 0);
    byId("came-up").setCustomValidity(wrong ? "Numbers with spaces between them, such as 3 8." : "");
    if (byId("came-up").reportValidity()) go({ typed: numbers });
  } },
    h("div", { class: "row" },
      h("label", { for: "came-up" }, typed || "What came up?"),
      h("input", { id: "came-up", type: "text", inputmode: "decimal", size: 8, "data-key": "came", oninput: ({ target }) => target.setCustomValidity("") }),
      h("button", { type: "submit", class: "main" }, "That came up")),
    listed && prospects.length > 0 && h("div", { class: "row", role: "group", "aria-label": "What came up" }, prospects.map(({ number }) =>
      h("button", { type: "button", "data-came": number, onclick: () => go({ typed: [number] }) }, String(number)))));
}

function chance() {
  const { asks, prospects } = now.chance, wins = percents(prospects.map(({ win }) => win));
  return [
    h("p", { id: "asks" }, asks),
    state.typed && typing(now.chance),
    h("div", { class: "row" },
      h("button", { type: "button", class: state.typed ? "" : "main", "data-key": "roll", onclick: () => go("roll") }, "Roll"),
      now.fighting && h("button", { type: "button", "data-key": "fight", onclick: () => go("fight") }, "To the end of the fight")),
    prospects.length > 0 && h("details", { open: !now.fighting }, h("summary", {}, "What can come up"),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What can come up" }, h("table", { id: "prospects" },
        h("thead", {}, h("tr", {}, h("th", {}, "Number"), h("th", {}, "Brings"), h("th", { class: "number" }, "Chance"), state.odds && h("th", { class: "number" }, "Then wins"))),
        h("tbody", {}, prospects.map(({ number, text, probability }, place) => h("tr", {},
          h("td", {}, String(number)), h("td", {}, text || "no visible change"),
          h("td", { class: "number" }, percent(probability)), state.odds && h("td", { class: "number" }, wins[place]))))))),
  ];
}

function fight() {
  const line = ({ name, stats }) => h("li", {}, h("strong", {}, name), stats.length > 0 && `: ${stats.map(([stat, number]) => `${stat} ${number}`).join(", ")}`);
  return now.enemies.length > 0 && h("div", { id: "fight" }, h("h3", {}, "The fight"),
    h("ul", {}, now.enemies.map(line)), now.ratio !== null && h("p", {}, `Combat ratio ${now.ratio > 0 ? "+" : ""}${now.ratio}`));
}

/** How heroes die in the section, as the author says. */
const deaths = () => book.sections.find(({ section }) => section === now.section)?.deaths ?? [];

function renderNow() {
  const over = ENDS[now.phase];
  put(byId("now"),
    h("h2", { id: "now-title", tabindex: -1 }, titled(now.section)),
    over ? [h("p", { class: "big", id: "end" }, over), now.phase === "dead" && deaths().length > 0 && h("p", { id: "death" }, `How heroes end here: ${deaths().join("; or ")}.`)]
      : state.odds ? h("p", {}, h("strong", { class: "big", id: "win-now" }, likely(now.win)), " to win with best play")
        : h("p", {}, h("button", { type: "button", id: "hint", onclick: showOdds }, "What are the odds?")),
    now.alone && h("p", {}, h("a", { class: "walk-link", id: "alone", href: aloneAddress(now.alone) }, "The odds of this book alone, from here"),
      h("span", { class: "hint" }, " What later books need is not counted.")),
    now.read.length > 1 && h("p", { class: "hint" }, `On the way: ${now.read.map(({ section }) => called(section)).join(", ")}`),
    now.read.map(story),
    fight(),
    now.phase === "question" && answers(),
    now.phase === "chance" && chance(),
    h("div", { class: "row" },
      h("button", { type: "button", id: "undo", disabled: log.length < 2, onclick: () => back(steps().length - 1) }, "Undo")));
}

// The sheet.

const GROUPS = [["Stats", ["combat-skill", "endurance", "gold", "stat", "initial", "counter"]], ["Items", ["item"]], ["Noted", ["flag"]]];
const worded = (name) => name.replaceAll("-", " ");

function renderSheet() {
  const box = byId("sheet"), title = h("h2", { id: "sheet-title", tabindex: -1 }, "Action Chart");
  if (now.sheet.length === 0) {
    put(box, title, h("p", {}, "The dead have nothing."));
    return;
  }
  if (correcting) {
    correctForm(box, title);
    return;
  }
  const has = ({ kind, now: own }) => own > 0 || !["item", "flag"].includes(kind);
  put(box, title, GROUPS.map(([group, kinds]) => {
    const lines = now.sheet.filter((line) => kinds.includes(line.kind) && has(line));
    return lines.length > 0 && [h("h3", {}, group), h("ul", { class: "lines" }, lines.map(({ name, kind, now: own, most }) =>
      h("li", { "data-line": name }, kind === "flag" || (kind === "item" && most === 1) ? worded(name) : [worded(name), " ", h("strong", {}, String(own))])))];
  }), h("div", { class: "row" }, !ENDS[now.phase] && h("button", { type: "button", id: "correct", onclick: () => {
    correcting = true;
    renderSheet();
    box.querySelector("input")?.focus();
  } }, "Correct")));
}

function correctForm(box, title) {
  const fields = now.sheet.map((line, place) => ({ ...line, id: `line-${place}` }));
  const field = ({ id, name, now: own, least, most }) => h("div", { class: "field" }, h("label", { for: id }, worded(name)),
    h("input", { id, type: "number", inputmode: "numeric", min: Math.min(least, own), max: Math.max(most, own), value: own, required: true, "data-name": name }));
  const flag = ({ id, name, now: own }) => h("label", { class: "switch" }, h("input", { id, type: "checkbox", checked: own > 0, "data-name": name }), ` ${worded(name)}`);
  const group = ([group, kinds]) => {
    const own = fields.filter(({ kind }) => kinds.includes(kind));
    return own.length > 0 && h("fieldset", {}, h("legend", {}, group), group === "Noted"
      ? h("div", { class: "disciplines" }, own.map(flag)) : h("div", { class: "fields" }, own.map(field)));
  };
  const close = () => {
    correcting = false;
    renderSheet();
    byId("correct")?.focus();
  };
  put(box, title, h("form", { id: "corrections", autocomplete: "off", onsubmit: (event) => {
    event.preventDefault();
    const correct = {};
    for (const { id, name, now: own } of fields) {
      const input = byId(id), typed = input.type === "checkbox" ? Number(input.checked) : Number(input.value);
      if (typed !== own) correct[name] = typed;
    }
    if (Object.keys(correct).length > 0) go({ correct });
    else close();
  } }, GROUPS.map(group), h("div", { class: "row" },
    h("button", { type: "submit", class: "main", id: "corrected" }, "So it is"), h("button", { type: "button", onclick: close }, "Leave it"))));
}

// The log.

const KINDS = { begin: "The beginning", answer: "You", chance: "Chance", correction: "Corrected" };

function renderLog() {
  const change = changes(log), all = sums(log);
  const line = (entry, place) => {
    const { kind, text, step: own, section, changes: had } = entry;
    const what = kind === "correction" ? own.replaceAll(";", ", ").replaceAll(":", " ") : text;
    return h("tr", { "data-entry": place },
      h("td", {}, String(place)),
      h("td", {}, h("strong", {}, KINDS[kind]), what && `: ${what}`, had.length > 0 && kind !== "correction" && h("span", { class: "hint" }, ` (${had.join(", ")})`), ` → ${called(section)}`, ENDS[entry.phase] && `: ${ENDS[entry.phase]}`),
      state.odds && h("td", { class: "number" }, likely(entry.win)),
      state.odds && h("td", { class: "number" }, change[place] ? points(change[place]) : ""),
      h("td", {}, place < log.length - 1 && h("button", { type: "button", "aria-label": `Back to step ${place}`, onclick: () => back(place) }, "Back")));
  };
  put(byId("log"),
    h("h2", { id: "log-title" }, "Steps so far"),
    state.odds && log.length > 1 && [
      h("p", { id: "sums" }, "Luck: ", h("strong", { id: "luck" }, points(all.chance)), ". Your answers: ", h("strong", { id: "mistakes" }, all.answer === 0 ? "no mistake" : points(all.answer)),
        all.correction !== 0 && `. Corrections: ${points(all.correction)}`, "."),
      h("div", { class: "line" }, oddsLine(log)),
      h("p", { class: "hint" }, "Squares are answers, discs what chance brought.")],
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Every step" }, h("table", { id: "steps" },
      h("thead", {}, h("tr", {}, h("th", {}, "Step"), h("th", {}, "What"), state.odds && [h("th", { class: "number" }, "Odds"), h("th", { class: "number" }, "Change")], h("td", {}))),
      h("tbody", {}, log.map(line).toReversed()))),
    downloads([
      ["The walk (JSON)", "json", `${state.book} walk`, () => asked(steps(), 0)],
      ["Every step (CSV)", "csv", `${state.book} walk`, () => [["step", "kind", "text", "section", "changes", "win", "change"], ...log.map((entry, place) =>
        [place, entry.kind, entry.kind === "correction" ? entry.step : entry.text, entry.section, entry.changes.join("; "), entry.win?.decimal, change[place]])]],
      state.odds && log.length > 1 && ["The line (SVG)", "svg", `${state.book} walk odds`, () => document.querySelector("#log .odds-line")],
    ]));
}

function render() {
  renderNow();
  renderSheet();
  renderLog();
  renderWalks();
}

/** Who plays, and where he began, as the page of the book or of the series has it. */
function begunAs() {
  const { book: own, hero, goals, conduct, here } = state;
  if (!book.series) return { book: own, hero, goals, conduct, here };
  if (here.section === null) return { book: own, hero, conduct };
  const place = volumeOf(book, here.section), { endurance, flags } = here;
  return { book: own, here: { volume: place + 1, section: here.section - book.series[place].before, endurance, flags, hero, conduct } };
}

/** Back to the beginning: what was done may go. */
function beginAgain() {
  forget();
  back(0);
}

/** A walk that is kept, and is another than that on this page. */
const other = (found) => h("span", { id: "other-walk" }, `The walk that this browser keeps is another one, of ${count(found.steps.length, "step")}: `,
  h("a", { id: "resume", href: `/gamebook/walk?${found.query}` }, "go on with that"), " ",
  h("button", { type: "button", id: "keep-this", onclick: () => {
    replace();
    renderWalks();
  } }, `Keep this one of ${count(steps().length, "step")} in its place`));

function renderWalks() {
  const found = kept(), different = another(), begun = steps().length > 0, text = query(begunAs());
  put(byId("walks"),
    book.series ? h("a", { href: `/gamebook/series${text && "?" + text}` }, "The page of the series") : h("a", { href: `/gamebook${text && "?" + text}` }, "The book's page"),
    begun && again(steps().length, beginAgain),
    begun && different && other(different),
    !begun && found && h("a", { id: "resume", href: `/gamebook/walk?${found.query}` }, `Go on with the walk that you left (${count(found.steps.length, "step")})`));
}

/** Looks where the walk is; where the odds are beyond a limit, it goes on without them, and says so. */
async function look() {
  if (await walk(null, 0)) return true;
  const box = byId("walk-progress"), failed = failure(box);
  if (!state.odds || !failed?.limit) return false;
  state.odds = false;
  if (!await walk(null, 0)) return false;
  byId("odds").checked = false;
  show(state);
  problem({ message: `This walk is without the odds: ${failed.message}.`, help: failed.help }, box);
  return true;
}

/** Asks for the odds of all that was done, or does without. */
async function showOdds() {
  const before = state.odds;
  state.odds = true;
  if (!await walk(null, 0)) {
    state.odds = before;
    byId("odds").checked = before;
    return;
  }
  byId("odds").checked = true;
  show(state);
  render();
}

byId("odds").checked = state.odds;
byId("typed").checked = state.typed;
byId("odds").addEventListener("change", async ({ target }) => {
  if (target.checked) {
    showOdds();
    return;
  }
  state.odds = false;
  show(state);
  if (now) render();
  else if (await walk(null, 0)) render();
});
byId("typed").addEventListener("change", ({ target }) => {
  state.typed = target.checked;
  show(state);
  if (now) renderNow();
});

book = await ask("gamebook/book", { book: state.book }, byId("who"));
if (book) {
  sayDraft(book);
  document.title = `${book.title} · bestplay`;
  byId("walk-title").textContent = `A walk through ${book.title}`;
  const { hero, here, conduct } = state;
  const from = here.section === null ? "" : `from section ${called(here.section)}`;
  const known = book.series && here.section !== null ? inVolume(book, volumeOf(book, here.section)) : book;
  byId("who").textContent = [described(hero, known), ...conductWords(conduct), from].filter(Boolean).join("; ");
  renderWalks();
  // What the book says now may not be what the steps were done in.
  const wasEdited = state.mark !== "" && state.mark !== book.mark;
  byId("edited").hidden = !wasEdited || steps().length === 0;
  if (await look()) render();
  else {
    put(byId("now"), h("h2", { id: "now-title", tabindex: -1 }, "Where you are"),
      h("p", {}, "Nothing is known of this walk. ", h("a", { id: "from-start", href: `/gamebook/walk?${query({ ...state, steps: "", mark: "" })}` }, "Begin it again")));
  }
}
