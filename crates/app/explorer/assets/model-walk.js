// A walk through a model: choices and rolls. The address holds the steps; the server repeats them for every request.

import { query, show, state, step } from "./address.js";
import { again } from "./again.js";
import { ask } from "./api.js";
import { announce, byId, h, plural, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { asked, changed, named, progress, question, surely, titled, written, worth, worths } from "./model-question.js";
import { outcomes } from "./model-state.js";
import { STANDINGS } from "./standing.js";
import { changes, oddsLine, sums } from "./walk-line.js";

/** The steps so far (the beginning first), and the position after them. */
let log = [], now = null;

const steps = () => state.steps.split(",").filter(Boolean);

/** Repeats the walk, and takes the step `act` if there is one. Returns whether that succeeded. */
async function walk(act, since = log.length, before = steps()) {
  const box = byId("walk-progress");
  const begin = state.state === null ? { start: state.start } : { state: state.state };
  const answer = await ask("model/walk", { question: question(), ...begin, steps: before, since, ...(act && { act }) }, box, progress(box, box));
  put(box);
  if (!answer) return false;
  log = [...log.slice(0, since), ...answer.log];
  now = answer.now;
  state.steps = answer.steps.join(",");
  return true;
}

const summary = () => [now.state ? titled(now.state) : "Chance decides", now.state?.over, now.win && worth(now.win)].filter(Boolean).join(", ");

function done() {
  step(state);
  render();
  announce(summary());
}

async function go(act) {
  const had = byId("now").contains(document.activeElement);
  if (!await walk(act)) return;
  done();
  if (had) (document.querySelector("[data-key=roll]") ?? byId("now-title")).focus({ preventScroll: true });
  byId("now").scrollIntoView({ block: "nearest" });
}

async function back(to) {
  if (!await walk(null, Math.min(log.length, to + 1), steps().slice(0, to))) return;
  done();
  byId("now-title").focus({ preventScroll: true });
}

// Where the walk is.

function choices({ state: here, choices: all, count }) {
  const values = worths(all.map(({ value }) => value));
  return [
    h("ul", { class: "answers" }, all.map((own, place) => h("li", {},
      h("button", { type: "button", class: own.standing === "first" ? "best" : "", "data-answer": own.choice, onclick: () => go({ choose: own.choice }) },
        h("span", {}, named(own), own.count > 1 && h("span", { class: "hint" }, ` ${plural(own.count, "outcome")}`)),
        h("span", { class: "worth" }, values[place], STANDINGS[own.standing] && ` ${STANDINGS[own.standing]}`))))),
    count > all.length && h("p", { class: "hint" }, `${plural(count - all.length, "worse choice")} of state ${here} are on the page of the model.`)];
}

function typing() {
  return h("form", { id: "came", autocomplete: "off", onsubmit: (event) => {
    event.preventDefault();
    const field = byId("came-up"), number = Number(field.value);
    if (field.value !== "" && Number.isSafeInteger(number) && number >= 0) go({ came: number });
  } }, h("div", { class: "row" },
    h("label", { for: "came-up" }, "Which state came?"),
    h("input", { id: "came-up", type: "number", inputmode: "numeric", min: 0, max: 4294967294, required: true }),
    h("button", { type: "submit", class: "main" }, "That came")));
}

function chance({ from, choice, name, count, outcomes: all }) {
  return [
    h("p", { id: "asks" }, from === null ? "Chance decides how it begins." : `You chose ${named({ choice, name })}. Chance decides what comes of it.`),
    h("div", { class: "row" }, h("button", { type: "button", class: state.typed ? "" : "main", "data-key": "roll", onclick: () => go("roll") }, "Roll")),
    state.typed && typing(),
    from === null
      ? h("p", { class: "hint" }, `${plural(count, "state")} can come.`)
      : outcomes(from, { choice, count, outcomes: all }, null),
    state.typed && h("div", { class: "row", role: "group", "aria-label": "What came" }, all.slice(0, 12).map((to) =>
      h("button", { type: "button", "data-came": to.state, onclick: () => go({ came: to.state }) }, `${to.state}${to.described && ` ${to.described}`}`)))];
}

function renderNow() {
  const { state: here, chance: open } = now;
  put(byId("now"),
    h("h2", { id: "now-title", tabindex: -1 }, here ? titled(here) : "Chance decides"),
    h("p", {}, h("strong", { class: "big", id: "win-now" }, worth(now.win))),
    h("p", { class: "exact" }, now.win ? surely(now.win) : ""),
    now.earned.decimal > 0 && h("p", { id: "earned" }, `Earned so far: ${written(now.earned.decimal)}`),
    here && (here.over ? h("p", { id: "end" }, here.over) : choices(here)),
    open && chance(open),
    h("div", { class: "row" }, h("button", { type: "button", id: "undo", disabled: log.length < 2, onclick: () => back(steps().length - 1) }, "Undo")));
}

// The log.

const KINDS = { begin: "The beginning", answer: "You", chance: "Chance" };

function renderLog() {
  const change = changes(log), all = sums(log);
  const line = (entry, place) => h("tr", { "data-entry": place },
    h("td", {}, String(place)),
    h("td", {}, h("strong", {}, KINDS[entry.kind]), entry.text && `: ${entry.text}`, entry.state !== null && ` → ${entry.state}`, entry.described && h("span", { class: "hint" }, ` ${entry.described}`)),
    h("td", { class: "number" }, worth(entry.win)),
    h("td", { class: "number" }, change[place] ? changed(change[place]) : ""),
    h("td", {}, place < log.length - 1 && h("button", { type: "button", "aria-label": `Back to step ${place}`, onclick: () => back(place) }, "Back")));
  put(byId("log"),
    h("h2", { id: "log-title" }, "Steps so far"),
    log.length > 1 && [
      h("p", { id: "sums" }, "Luck: ", h("strong", { id: "luck" }, changed(all.chance)), ". Your choices: ", h("strong", { id: "mistakes" }, all.answer === 0 ? "no mistake" : changed(all.answer)), "."),
      h("div", { class: "line" }, oddsLine(log, { written, changed })),
      h("p", { class: "hint" }, "Squares are choices, discs are rolls.")],
    scroller(h("table", { id: "steps" },
      h("thead", {}, h("tr", {}, h("th", {}, "Step"), h("th", {}, "What"), h("th", { class: "number" }, "Worth"), h("th", { class: "number" }, "Change"), h("td", {}))),
      h("tbody", {}, log.map(line).toReversed()))),
    downloads([
      ["Every step (CSV)", "csv", `${state.model} walk`, () => [["step", "kind", "text", "state", "described", "value", "change"], ...log.map((entry, place) =>
        [place, entry.kind, entry.text, entry.state, entry.described, entry.win?.decimal, change[place]])]],
      log.length > 1 && ["The line (SVG)", "svg", `${state.model} walk line`, () => document.querySelector("#log .odds-line")],
    ]));
}

function render() {
  renderNow();
  renderLog();
  const text = query({ ...question(), solve: state.solve });
  const here = now.state ? `${text && "&"}state=${now.state.state}` : "";
  put(byId("walks"),
    h("a", { href: `/model${text || here ? "?" : ""}${text}${here}` }, "The model's page"),
    steps().length > 0 && again(steps().length, () => back(0)));
}

byId("typed").checked = state.typed;
byId("typed").addEventListener("change", ({ target }) => {
  state.typed = target.checked;
  show(state);
  if (now) renderNow();
});

byId("who").textContent = asked();
if (!state.solve) byId("who").textContent = "Nothing is asked yet: begin on the page of the model.";
else if (await walk(null, 0)) render();
