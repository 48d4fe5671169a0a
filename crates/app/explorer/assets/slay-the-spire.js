// A fight of Act 1: its value, and a walk through it. The address holds the steps; the server repeats them for every request.

import { show, state, step } from "./address.js";
import { again, askAgain } from "./again.js";
import { ask, cancel } from "./api.js";
import { amounts, announce, bars, byId, h, percent, percents, plural, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { parsed, positions, rewards, textField } from "./slay-the-spire-further.js";
import { changes, oddsLine, sums } from "./walk-line.js";
import { isRight } from "./wrong.js";

/** The steps so far (the beginning first), and the position after them. */
let log = [], now = null;

const list = (part) => (Array.isArray(part) ? part : part === "" ? [] : [part]).map(String);
const steps = () => state.steps.split(",").filter(Boolean);
const spaced = (name) => name.replaceAll("-", " ");

/** The fight in the form. If its groups of enemies are not JSON, shows the problem and returns null. */
function fight() {
  const groups = state.groups === "" ? null : parsed(state.groups, byId("fight"));
  if (state.groups !== "" && groups === null) return null;
  return {
    enemies: list(state.enemies), groups, ascension: state.ascension, hp: state.hp, max_hp: state.max_hp, deck: list(state.deck).join(","),
    relics: list(state.relics), potions: list(state.potions), burning_blood: state.burning_blood,
    enemy_hp: state.enemy_hp || null, curl_up: state.curl_up || null, objective: state.objective, value: state.value || null,
  };
}

/** Whether the objective is a probability. */
const isChance = () => !state.value && state.objective === "survival";
const worth = (value) => (isChance() ? percent(value) : value.toFixed(3));
const changed = (change) => (change === 0 ? "no difference" : `${change > 0 ? "+" : "−"}${isChance() ? percent(Math.abs(change)) : Math.abs(change).toFixed(3)}`);

/** A number with bounds, with as many digits as are proven. */
function bounded({ lower, upper, decimal }) {
  if (lower === null && upper === null) return "not known";
  if (upper === null) return `at least ${worth(lower)}`;
  if (lower === null) return `at most ${worth(upper)}`;
  return upper - lower < 0.0005 ? worth(decimal) : `${worth(lower)} to ${worth(upper)}`;
}

/** Several numbers with bounds: those that differ have enough digits to differ in print, too. */
function boundedApart(numbers) {
  const known = numbers.map((number) => (Number.isFinite(number.lower) && Number.isFinite(number.upper) && number.upper - number.lower < 0.0005 ? number : null));
  const texts = isChance() ? percents(known) : amounts(known);
  return numbers.map((number, index) => (known[index] ? texts[index] : bounded(number)));
}

/** A probability with bounds; 100 % where only rounding separates the bounds from 1. */
const survives = ({ lower, upper }) => (upper - lower > 5e-7 ? `${percent(lower)} to ${percent(upper)}` : upper >= 1 && lower > 1 - 1e-9 ? "100 %" : percent((lower + upper) / 2));

/** The objective, in words. */
const aim = () => (state.value ? "worth" : { health: "health after the fight, expected", survival: "to survive", loss: "health lost, expected" }[state.objective]);

// The form.

/** A list of names with counts, changed by buttons; calls `onChange` after every change. */
function chips(id, counted, onChange = edited) {
  const box = byId(id), parts = () => list(state[id]);
  const count = (part) => Number(part.split("=")[1] ?? 1);
  const name = (part) => part.split("=")[0];
  const set = (place, number, key) => {
    const next = parts().map((part, at) => (at === place ? (number > 1 ? `${name(part)}=${number}` : number === 1 ? name(part) : null) : part));
    put_(next.filter((part) => part !== null));
    (box.querySelector(`[data-key="${key}"]:enabled`) ?? byId(`${id}-add`)).focus();
  };
  const put_ = (next) => {
    state[id] = next;
    draw();
    onChange();
  };
  const draw = () => put(box, parts().map((part, place) => h("span", { class: "counter" }, spaced(name(part)),
    counted && h("output", {}, String(count(part))),
    h("button", { type: "button", "data-key": `less-${place}`, "aria-label": `One ${spaced(name(part))} less`, onclick: () => set(place, count(part) - 1, `less-${place}`) }, "−"),
    counted && h("button", { type: "button", "data-key": `more-${place}`, "aria-label": `One ${spaced(name(part))} more`, disabled: count(part) >= 60, onclick: () => set(place, count(part) + 1, `more-${place}`) }, "+"))));
  const add = () => {
    const field = byId(`${id}-add`), known = [...byId(field.getAttribute("list")).options].map(({ value }) => value);
    const wanted = field.value.trim().toLowerCase().replaceAll(" ", "-");
    if (wanted === "") return;
    if (!known.includes(wanted)) {
      field.setCustomValidity("Choose one of the list: nothing else is modelled.");
      isRight(field.parentNode);
      return;
    }
    field.value = "";
    const place = counted ? parts().findIndex((part) => name(part) === wanted) : -1;
    put_(place < 0 ? [...parts(), wanted] : parts().map((part, at) => (at === place ? `${wanted}=${count(part) + 1}` : part)));
    field.focus();
  };
  byId(`${id}-more`).addEventListener("click", add);
  byId(`${id}-add`).addEventListener("input", ({ target }) => target.setCustomValidity(""));
  byId(`${id}-add`).addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  draw();
}

/** Takes away the answers: the form has changed. */
function edited() {
  cancel(byId("answer"));
  cancel(byId("now"));
  cancel(byId("rewards"));
  // If there was a walk, the browser's Back returns to it.
  const write = steps().length > 0 ? step : show;
  Object.assign(state, { solve: false, walk: false, reward: false, steps: "" });
  log = [];
  now = null;
  for (const id of ["answer", "now", "log", "rewards"]) byId(id).hidden = true;
  write(state);
}

function showForm() {
  for (const name of ["hp", "max_hp", "ascension", "seconds", "enemy_hp", "curl_up", "value", "objective"]) {
    const field = byId(name), isNumber = field.type === "number";
    field.value = state[name];
    field.addEventListener("input", () => {
      if (!field.validity.valid) return;
      state[name] = isNumber ? Number(field.value) : field.value.trim();
      edited();
    });
  }
  for (const id of ["burning_blood", "by_health"]) {
    byId(id).checked = state[id];
    byId(id).addEventListener("change", ({ target }) => {
      state[id] = target.checked;
      edited();
    });
  }
  byId("of-groups").open = state.groups !== "";
  textField("groups", edited);
  chips("enemies", false);
  chips("deck", true);
  chips("relics", false);
  chips("potions", false);
}

/** Folds the form to a line. */
function fold() {
  const deck = list(state.deck).reduce((sum, part) => sum + Number(part.split("=")[1] ?? 1), 0);
  byId("set-up").textContent = `${state.hp} health and ${plural(deck, "card")} against ${state.groups ? "groups of enemies" : list(state.enemies).map(spaced).join(", ")}`;
  byId("setup").open = false;
}

// Asking.

/** Shows the progress of the request of `box` in the element called `at`, with a button that cancels it. */
const progress = (box, at = "progress") => ({ stage, states, seconds }) => {
  if (seconds < 0.4) return;
  const place = byId(at);
  if (!place.firstChild) {
    put(place, h("div", { class: "row" }, h("span", {}, "Solving …"), h("span", { class: "progress-text", "aria-hidden": "true" }),
      h("button", { type: "button", class: "cancel", onclick: () => cancel(box) }, "Cancel")));
  }
  place.querySelector(".progress-text").textContent = `${stage}: ${states.toLocaleString("en")} positions, ${seconds.toFixed(1)} s of ${state.seconds}`;
};

const unfinished = (stopped) => stopped && h("p", { class: "hint stopped" }, `These are proven bounds; the search was stopped: ${stopped}. With more seconds they are closer.`);

/** The result of the simulation, apart from the proven bounds. */
const simulation = (simulated) => simulated && h("p", { id: "simulated" }, "Simulated: ", h("strong", {}, `${simulated.value.lower.toFixed(2)} to ${simulated.value.upper.toFixed(2)}`),
  ` ${aim()}. This interval is wrong in less than one run in ${Math.round(1 / simulated.wrong_in_less_than).toLocaleString("en")}; it is not proven.`);

async function solve() {
  if (!isRight(byId("fight"))) return;
  const box = byId("answer"), asked = fight();
  if (!asked) return;
  const answer = await ask("slay-the-spire/act-1/fight", { fight: asked, seconds: state.seconds, by_health: state.by_health }, box, progress(box));
  put(byId("progress"));
  state.solve = answer !== null;
  show(state);
  box.hidden = !answer;
  if (!answer) return;
  fold();
  const { value, survival, expected_health: health, final_health: ends, by_health: healths, states, stopped, simulated } = answer;
  put(box,
    h("h2", {}, "What it is worth"),
    h("p", {}, h("strong", { class: "big", id: "worth" }, bounded(value)), ` ${aim()}`),
    state.objective !== "loss" && h("p", {}, "Survives: ", h("strong", { id: "survival" }, survives(survival)),
      health && state.objective !== "health" && `. Health left, expected: ${health.decimal.toFixed(3)}`),
    unfinished(stopped),
    simulation(simulated),
    ends.length > 1 && [h("h3", {}, "Health at the end"), bars(ends.map(({ health: left, probability }) => [left === 0 ? "dead" : String(left), probability.decimal]), "How likely each health is at the end")],
    healths && [h("h3", {}, "By the health at the start"), scroller(h("table", { id: "by-health", "aria-label": "By the health at the start" },
      h("thead", {}, h("tr", {}, h("th", { class: "number" }, "Health"), h("th", { class: "number" }, "Worth"), h("th", { class: "number" }, "Survives"))),
      h("tbody", {}, healths.map((own) => h("tr", { class: own.health === state.hp ? "best" : "" }, h("td", { class: "number" }, String(own.health)), h("td", { class: "number" }, bounded(own.value)),
        h("td", { class: "number" }, state.objective === "loss" ? "" : survives(own.survival)))))))],
    h("p", { class: "hint" }, `${plural(states, "position")}.`),
    downloads([["The answer (JSON)", "json", "act 1 fight", () => answer],
      healths && ["By health (CSV)", "csv", "act 1 by health", () => [["health", "value", "lower", "upper", "survival"],
        ...healths.map((own) => [own.health, own.value.decimal, own.value.lower, own.value.upper, own.survival.decimal])]],
      ends.length > 0 && ["Health at the end (CSV)", "csv", "act 1 health", () => [["health", "probability"], ...ends.map(({ health: left, probability }) => [left, probability.decimal])]]]));
  announce(`${bounded(value)} ${aim()}`);
}

/** Repeats the walk, and takes the step `act` if there is one. Returns whether that succeeded. */
async function walk(act, since = log.length, before = steps()) {
  const box = byId("now"), asked = fight();
  if (!asked) return false;
  const answer = await ask("slay-the-spire/act-1/walk", { fight: asked, seconds: state.seconds, steps: before, since, ...(act && { act }) }, box, progress(box));
  put(byId("progress"));
  if (!answer) return false;
  log = [...log.slice(0, since), ...answer.log];
  now = { ...answer.now, stopped: answer.stopped };
  state.steps = answer.steps.join(",");
  state.walk = true;
  return true;
}

async function go(act) {
  const had = byId("now").contains(document.activeElement);
  if (!await walk(act)) return;
  step(state);
  render();
  announce(summary());
  if (had) (document.querySelector("[data-key=roll]") ?? byId("now-title")).focus({ preventScroll: true });
  byId("now").scrollIntoView({ block: "nearest" });
}

async function back(to) {
  if (!await walk(null, Math.min(log.length, to + 1), steps().slice(0, to))) return;
  step(state);
  render();
  announce(`Taken back. ${summary()}`);
  byId("now-title").focus({ preventScroll: true });
}

async function begin() {
  if (!isRight(byId("fight"))) return;
  put(byId("progress"));
  log = [];
  if (!await walk(null, 0, [])) return;
  step(state);
  fold();
  render();
  byId("now-title").focus();
}

// Where the walk is.

const TITLES = { won: "The fight is won", dead: "You are dead" };
const title = () => TITLES[now.phase] ?? (now.table?.turn > 0 ? `Turn ${now.table.turn}` : "Before the first turn");
const summary = () => [title(), now.chance?.asks, `${now.health} health`, !TITLES[now.phase] && `${bounded(now.win)} ${aim()}`].filter(Boolean).join(", ");

const cards = (all) => (all.length ? all.map(([name, count]) => (count > 1 ? `${count} ${spaced(name)}` : spaced(name))).join(", ") : "nothing");

function enemy({ kind, health, block, strength, vulnerable, weak, intends, attack }) {
  const has = [block > 0 && `${block} block`, strength !== 0 && `strength ${strength}`, vulnerable > 0 && `vulnerable ${vulnerable}`, weak > 0 && `weak ${weak}`].filter(Boolean).join(", ");
  const hits = attack && ` (${attack[1] > 1 ? `${attack[1]} times ` : ""}${attack[0]} damage)`;
  return h("li", {}, h("strong", {}, spaced(kind)), ` ${health} health`, has && `, ${has}`, intends && [": ", h("span", { class: "intends" }, spaced(intends)), hits]);
}

function table({ energy, block, strength, dexterity, powers, hand, draw, top, discard, potions, enemies }) {
  const own = [`${now.health} health`, `${energy} energy`, block > 0 && `${block} block`, strength !== 0 && `strength ${strength}`, dexterity !== 0 && `dexterity ${dexterity}`,
    ...powers.map(([name, amount]) => `${name} ${amount}`)].filter(Boolean).join(", ");
  return h("div", { id: "table" },
    h("ul", { id: "standing" }, enemies.map(enemy)),
    h("p", { id: "own" }, h("strong", {}, "You: "), own),
    now.phase === "play" && h("p", { id: "hand" }, h("strong", {}, "Hand: "), cards(hand)),
    h("p", { class: "hint" }, `Draw pile: ${cards(draw)}${top.length ? `; on top: ${top.map(spaced).join(", ")}` : ""}. Discard pile: ${cards(discard)}.${potions.length ? ` Potions: ${potions.map(spaced).join(", ")}.` : ""}`));
}

function plays() {
  const most = now.plays[0]?.win.decimal, wins = boundedApart(now.plays.map(({ win }) => win));
  return h("ul", { class: "answers" }, now.plays.map(({ play, label, win, best, first }, place) => h("li", {},
    h("button", { type: "button", class: first ? "best" : "", "data-play": play, onclick: () => go({ play }) },
      h("span", {}, spaced(label)),
      h("span", { class: "worth" }, wins[place], first ? " best" : best ? " as good" : Number.isFinite(win.decimal) && most > win.decimal ? ` ${changed(win.decimal - most)}` : "")))));
}

function chance({ asks, count, outcomes }) {
  return [
    h("p", { id: "asks" }, asks),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", "data-key": "roll", onclick: () => go("roll") }, "Roll")),
    h("details", { open: outcomes.length <= 12 }, h("summary", {}, "Or choose the outcome"),
      scroller(h("table", { id: "outcomes", "aria-label": "Outcomes" },
        h("thead", {}, h("tr", {}, h("th", {}, "Outcome"), h("th", { class: "number" }, "Chance"))),
        h("tbody", {}, outcomes.map(({ outcome, text, probability }) => h("tr", {},
          h("td", {}, h("button", { type: "button", "data-came": outcome, onclick: () => go({ came: outcome }) }, spaced(text))),
          h("td", { class: "number" }, percent(probability))))))),
      count > outcomes.length && h("p", { class: "hint" }, `and ${plural(count - outcomes.length, "less likely one")} more: roll, or enter the enemies' health above`))];
}

function renderNow() {
  const over = TITLES[now.phase];
  byId("now").hidden = false;
  put(byId("now"),
    h("h2", { id: "now-title", tabindex: -1 }, title()),
    over ? h("p", { class: "big", id: "end" }, now.phase === "won" ? `${now.health} health left` : "0 health")
      : h("p", {}, h("strong", { class: "big", id: "win-now" }, bounded(now.win)), ` ${aim()}`, !isChance() && `; survives ${survives(now.survival)}`),
    unfinished(now.stopped),
    now.table && table(now.table),
    now.phase === "play" && plays(),
    now.chance && chance(now.chance),
    h("div", { class: "row" },
      h("button", { type: "button", id: "undo", disabled: log.length < 2, onclick: () => back(steps().length - 1) }, "Undo"),
      again(steps().length, () => back(0))));
}

// The log.

const KINDS = { begin: "The beginning", answer: "You", chance: "Chance" };

function renderLog() {
  const change = changes(log), all = sums(log);
  const line = (entry, place) => h("tr", { "data-entry": place },
    h("td", {}, String(place)),
    h("td", {}, h("strong", {}, KINDS[entry.kind]), entry.text && `: ${spaced(entry.text.replaceAll("_", " "))}`, TITLES[entry.phase] && ` → ${TITLES[entry.phase]}`),
    h("td", { class: "number" }, String(entry.health)),
    h("td", { class: "number" }, bounded(entry.win)),
    h("td", { class: "number" }, change[place] ? changed(change[place]) : ""),
    h("td", {}, place < log.length - 1 && h("button", { type: "button", "aria-label": `Back to step ${place}`, onclick: () => back(place) }, "Back")));
  byId("log").hidden = false;
  put(byId("log"),
    h("h2", { id: "log-title" }, "Steps so far"),
    log.length > 1 && [
      h("p", { id: "sums" }, "Luck: ", h("strong", { id: "luck" }, changed(all.chance)), ". Your plays: ", h("strong", { id: "mistakes" }, Math.abs(all.answer) < 0.0005 ? "no mistake" : changed(all.answer)), "."),
      h("div", { class: "line" }, oddsLine(log, { written: worth, changed })),
      h("p", { class: "hint" }, "Squares are plays, discs are rolls.")],
    scroller(h("table", { id: "steps", "aria-label": "Every step" },
      h("thead", {}, h("tr", {}, h("th", {}, "Step"), h("th", {}, "What"), h("th", { class: "number" }, "Health"), h("th", { class: "number" }, "Worth"), h("th", { class: "number" }, "Change"), h("td", {}))),
      h("tbody", {}, log.map(line).toReversed()))),
    downloads([
      ["Every step (CSV)", "csv", "act 1 walk", () => [["step", "kind", "text", "turn", "health", "value", "lower", "upper", "change"], ...log.map((entry, place) =>
        [place, entry.kind, entry.text, entry.turn, entry.health, entry.win.decimal, entry.win.lower, entry.win.upper, change[place]])]],
      log.length > 1 && ["The line (SVG)", "svg", "act 1 walk line", () => document.querySelector("#log .odds-line")],
    ]));
}

function render() {
  renderNow();
  renderLog();
}

showForm();
rewards({ fight, list, bounded, written: worth, changed, survives, spaced, unfinished, progress, chips });
positions({ boundedApart, bounded, written: worth, changed, spaced, unfinished, progress });
byId("ask").addEventListener("click", solve);
byId("begin").addEventListener("click", () => {
  if (steps().length > 0) askAgain(byId("progress"), steps().length, begin, () => put(byId("progress")));
  else begin();
});
if (state.walk && await walk(null, 0)) {
  fold();
  render();
}
if (state.solve) solve();
