// Fights of Lone Wolf: one in the form, several side by side. The address has each in a few words: 15/25,22/30,mindblast.

import { show, state, step } from "./address.js";
import { ask, cancel, soon } from "./api.js";
import { announce, bars, byId, h, percent, percents, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { isRight, old, recheck } from "./wrong.js";

const MOST = 6;
const SWITCHES = ["mindblast", "weaponskill", "unarmed", "shield", "double_damage", "enemy_mindblast"];
const WORDS = {
  mindblast: "Mindblast", weaponskill: "Weaponskill", unarmed: "no weapon", shield: "shield", double_damage: "double damage",
  enemy_mindblast: "its Mindblast",
};

const form = byId("fight"), odds = byId("odds");

// A fight in words.

/** The question that the words of a fight ask. */
function read(text) {
  const [hero, enemy, ...rest] = text.split(",");
  const [skill, endurance] = hero.split("/").map(Number);
  const question = { combat_skill: skill, endurance, enemy };
  for (const part of rest) {
    const [name, value] = part.split("=");
    question[name.replaceAll("-", "_")] = value === undefined ? true : value === "always" ? value : Number(value);
  }
  return question;
}

/** The words of a fight: options have the command's names. */
function write({ combat_skill, endurance, enemy, ...rest }) {
  const parts = Object.entries(rest).filter(([, value]) => value !== false && value !== null).map(([name, value]) => {
    const word = name.replaceAll("_", "-");
    return value === true ? word : `${word}=${value}`;
  });
  return [`${combat_skill}/${endurance}`, enemy, ...parts].join(",");
}

/** What makes a fight this one, in a few words. */
function titled(question) {
  const { combat_skill, endurance, enemy, bonus, untouchable, evade_from } = question;
  const more = [
    ...SWITCHES.filter((name) => question[name]).map((name) => WORDS[name]),
    bonus && `${bonus > 0 ? "+" : "−"}${Math.abs(bonus)}`,
    untouchable && (untouchable === "always" ? "untouchable" : `untouchable for ${untouchable}`),
    evade_from && `may run from round ${evade_from}`,
  ].filter(Boolean);
  return `${combat_skill}/${endurance} against ${enemy}${more.length > 0 ? `, ${more.join(", ")}` : ""}`;
}

// The form.

function showForm() {
  const question = read(state.fights[state.at]), [skill, endurance] = question.enemy.split("/");
  byId("combat_skill").value = question.combat_skill;
  byId("endurance").value = question.endurance;
  byId("bonus").value = question.bonus ?? 0;
  byId("enemy_skill").value = skill;
  byId("enemy_endurance").value = endurance;
  byId("evade_from").value = question.evade_from ?? "";
  byId("always").checked = question.untouchable === "always";
  byId("untouchable").value = question.untouchable > 0 ? question.untouchable : "";
  byId("untouchable").disabled = byId("always").checked;
  for (const name of SWITCHES) byId(name).checked = question[name] ?? false;
  byId("another").disabled = state.fights.length >= MOST;
  byId("remove").disabled = state.fights.length === 1;
  recheck(form);
}

function readForm() {
  const number = (id) => Number(byId(id).value);
  const question = { combat_skill: number("combat_skill"), endurance: number("endurance"), enemy: `${number("enemy_skill")}/${number("enemy_endurance")}` };
  const { max_endurance } = read(state.fights[state.at]);
  for (const name of SWITCHES) question[name] = byId(name).checked;
  if (number("bonus") !== 0) question.bonus = number("bonus");
  if (byId("always").checked) question.untouchable = "always";
  else if (number("untouchable") > 0) question.untouchable = number("untouchable");
  if (byId("evade_from").value !== "") question.evade_from = number("evade_from");
  if (max_endurance >= question.endurance) question.max_endurance = max_endurance;
  state.fights[state.at] = write(question);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  isRight(form);
});
form.addEventListener("input", ({ target }) => {
  // A weapon is there or not.
  if (target.id === "unarmed" && target.checked) byId("weaponskill").checked = false;
  if (target.id === "weaponskill" && target.checked) byId("unarmed").checked = false;
  byId("untouchable").disabled = byId("always").checked;
  if (!form.checkValidity()) {
    cancel(odds);
    old(odds, true, "Old: these are the odds of the numbers before. Correct the fight first.");
    return;
  }
  readForm();
  show(state);
  solve();
});

/** Another fight comes into the form. */
function take(at) {
  state.at = at;
  step(state);
  showForm();
  solve();
}

byId("another").addEventListener("click", () => {
  state.fights.push(state.fights[state.at]);
  take(state.fights.length - 1);
  byId("combat_skill").focus();
});
byId("remove").addEventListener("click", () => {
  state.fights.splice(state.at, 1);
  take(Math.min(state.at, state.fights.length - 1));
  if (byId("remove").disabled) byId("another").focus();
});

// The odds.

/** Answers by the words of their fights. */
const known = new Map();

const solve = soon(async () => {
  showFights();
  const waiting = h("p", { class: "hint" });
  for (const text of [state.fights[state.at], ...state.fights]) {
    if (known.has(text)) continue;
    const answer = await ask("lone-wolf/fight", read(text), odds, ({ stage, states, seconds }) => {
      if (seconds < 0.5) return;
      put(waiting, `${stage}: ${states.toLocaleString("en")} situations, ${seconds.toFixed(1)} s `, h("button", { type: "button", onclick: () => cancel(odds) }, "Stop"));
      if (!waiting.isConnected) odds.prepend(waiting);
    });
    waiting.remove();
    // A newer question goes on from here.
    if (!answer) return;
    if (known.size >= 100) known.clear();
    known.set(text, answer);
    showFights();
    if (text === state.fights[state.at]) showOdds(answer);
  }
  old(odds, false);
  showOdds(known.get(state.fights[state.at]));
});

const lives = ({ win, evaded }) => win.decimal + evaded.decimal;

function mean({ endurance_left: left, win }) {
  return left.length > 0 ? (left.reduce((sum, { endurance, probability }) => sum + endurance * probability.decimal, 0) / win.decimal).toFixed(2) : "–";
}

/** How many rounds a fight takes on average. */
const length = ({ rounds }) => rounds.reduce((sum, _, place) => sum + (place === 0 ? 1 : 1 - rounds[place - 1].over), 0);

function showFights() {
  const all = state.fights.map((text) => known.get(text));
  const row = (name, of) => {
    const texts = all.every(Boolean) ? of(all) : all.map((own) => (own ? of([own])[0] : "…"));
    return h("tr", {}, h("th", { scope: "row" }, name), texts.map((text, place) => h("td", { class: `number${place === state.at ? " chosen" : ""}` }, text)));
  };
  const chances = (of) => (answers) => percents(answers.map(of));
  const mayRun = state.fights.some((text) => read(text).evade_from);
  const had = byId("fights").contains(document.activeElement);
  put(byId("fights"), scroller(h("table", { id: "compared" },
    h("thead", {}, h("tr", {}, h("td", {}), state.fights.map((text, place) => h("th", { scope: "col", class: "number" },
      h("button", { type: "button", "aria-pressed": String(place === state.at), "data-fight": place, onclick: () => take(place) }, titled(read(text))))))),
    h("tbody", {},
      row("Wins", chances(({ win }) => win)),
      mayRun && row("Runs, and lives", chances(({ evaded }) => evaded)),
      mayRun && row("Lives", chances(lives)),
      row("Dies", chances(({ death }) => death)),
      row("Endurance left after a victory", (answers) => answers.map(mean)),
      row("Rounds", (answers) => answers.map((own) => length(own).toFixed(2))),
      row("Combat ratio", (answers) => answers.map(({ combat_ratio: ratio }) => (ratio > 0 ? `+${ratio}` : String(ratio).replace("-", "−"))))))));
  if (had) byId("fights").querySelector(`[data-fight="${state.at}"]`).focus();
}

/** When to run: a line for every range of his ENDURANCE that has the same answer. */
function whenToRun({ run_when: all }) {
  const lines = [];
  for (const { round, and_later, endurance, enemy } of all) {
    const last = lines.at(-1);
    if (last && last.round === round && last.enemy === enemy && last.most === endurance - 1) last.most = endurance;
    else lines.push({ round, and_later, least: endurance, most: endurance, enemy });
  }
  if (lines.length === 0) return h("p", { id: "run-when" }, "Never run.");
  return scroller(h("table", { id: "run-when" },
    h("thead", {}, h("tr", {}, h("th", {}, "Before round"), h("th", {}, "His endurance"), h("th", {}, "The enemy's"))),
    h("tbody", {}, lines.map(({ round, and_later, least, most, enemy }) => h("tr", {},
      h("td", {}, and_later ? `${round} and later` : String(round)), h("td", {}, least === most ? String(least) : `${least}–${most}`), h("td", {}, enemy.replaceAll("-", "–")))))));
}

function showOdds(answer) {
  const question = read(state.fights[state.at]), { win, evaded, death, endurance_left: left, rounds, states } = answer;
  announce(`${percent(win.decimal)} to win`);
  const ends = [["Wins", win], question.evade_from && ["Runs, and lives", evaded], ["Dies", death]].filter(Boolean);
  const over = rounds.map(({ over: now }, place) => [place + 1, now - (rounds[place - 1]?.over ?? 0)]).filter(([, chance]) => chance > 1e-6);
  put(odds,
    h("h2", {}, titled(question)),
    h("p", { class: "big", id: "win" }, percent(win.decimal)), h("p", {}, question.evade_from ? "to win; he lives with " : "to win", question.evade_from && h("strong", { id: "lives" }, percent(lives(answer)))),
    h("table", {}, h("tbody", {}, ends.map(([name, chance]) => h("tr", {}, h("td", {}, name), h("td", { class: "number" }, percent(chance.decimal)))))),
    question.evade_from && [h("h3", {}, "Run when (otherwise fight)"), whenToRun(answer)],
    left.length > 0 && [h("h3", {}, `Endurance left after a victory: ${mean(answer)} on average`), bars(left.map(({ endurance, probability }) => [endurance, probability.decimal]), "The chance to win with each endurance left")],
    over.length > 0 && [h("h3", {}, `How many rounds it takes: ${length(answer).toFixed(2)} on average`), bars(over, "The chance of each number of rounds")],
    h("details", {}, h("summary", {}, "The exact number"), h("p", { class: "exact" }, win.exact), h("p", { class: "hint" }, `${states.toLocaleString("en")} situations`)),
    downloads([
      ["The answer (JSON)", "json", `fight ${titled(question)}`, () => answer],
      ["Endurance left (CSV)", "csv", `fight ${titled(question)} endurance left`, () => [["endurance", "probability"], ...left.map((own) => [own.endurance, own.probability.decimal])]],
      ["Rounds (CSV)", "csv", `fight ${titled(question)} rounds`, () => [["round", "over"], ...rounds.map((own, place) => [place + 1, own.over])]],
    ]));
}

showForm();
solve();
