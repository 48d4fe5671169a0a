// A fight that was played: written down while it is played, and told step by step: what luck gave, what the plays cost.

import { state } from "./address.js";
import { ask, problem } from "./api.js";
import { announce, byId, h, percent, plural, put, scroller, signed } from "./dom.js";
import { downloads } from "./download.js";

/** The fight that is written down, as the command's files have it; null where none is. */
let record = null;
/** Cards of the turn that are played already. */
let played = [];

const told = (words) => {
  byId("log").textContent = words;
  byId("take-log").disabled = !record;
};
const count = () => told(`Written down: ${plural(record.turns.length, "turn")}.`);

/** A fight begins: what was known before, and the health with which the Cultist appeared. */
export function begun(start, health) {
  record = { start, cultist_hp: health, turns: [] };
  played = [];
  count();
}

/** A hand is drawn. */
export function drew(hand) {
  if (!record) return;
  record.turns.push({ draw: Object.fromEntries(Object.entries(hand).filter(([, cards]) => cards > 0)) });
  played = [];
  count();
}

/** Cards are played; when the turn or the fight is over it is the play of that turn. */
export function did(cards, isOver) {
  if (!record?.turns.length) return;
  played.push(...cards);
  if (isOver) record.turns.at(-1).play = [...played];
}

/** The table was changed by hand: what follows is no fight that was played. */
export function forgot() {
  if (!record) return;
  record = null;
  told("The table was changed by hand: nothing is written down. A new fight is.");
}

const EVENTS = {
  start: () => "Before the fight",
  appears: ({ cultist_hp }) => `The Cultist has ${cultist_hp} health`,
  draw: ({ turn, hand }, words) => `Turn ${turn + 1}: drawn ${words(Object.entries(hand).flatMap(([name, cards]) => Array(cards).fill(name)))}`,
  play: ({ turn, cards }, words) => `Turn ${turn + 1}: played ${words(cards)}`,
};

/** Shows what luck gave and the plays cost; `words` writes cards. */
export function replays(words) {
  byId("take-log").addEventListener("click", () => {
    byId("record").value = JSON.stringify(record, null, 1);
    show(words);
  });
  byId("record-file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    byId("record").value = (await file.text()).slice(0, MOST);
    show(words);
  });
  byId("replay").addEventListener("click", () => show(words));
}
/** Letters: a longer file is no fight. */
const MOST = 100_000;

async function show(words) {
  const box = byId("replayed");
  let fight;
  try {
    fight = JSON.parse(byId("record").value);
  } catch (error) {
    problem({ message: `This is not JSON: ${error.message}`, help: "Open a file, or play a fight above." }, box);
    return;
  }
  const { objective } = state;
  const answer = await ask("slay-the-spire/replay", { ...fight, objective }, box);
  if (!answer) return;
  const isHealth = objective === "health";
  const value = ({ decimal }) => (isHealth ? decimal.toFixed(3) : percent(decimal));
  const change = ({ decimal }) => (isHealth ? signed(decimal) : `${signed(100 * decimal)} points`);
  announce(`Luck ${change(answer.luck)}, mistakes ${change(answer.mistakes)}`);
  put(box,
    h("p", {}, "Luck ", h("strong", { id: "luck" }, change(answer.luck)), ", mistakes ", h("strong", { id: "mistakes" }, answer.mistakes.decimal === 0 ? "none" : change(answer.mistakes)), "."),
    scroller(h("table", { id: "replay-steps" },
      h("thead", {}, h("tr", {}, h("th", {}, "What"), h("th", { class: "number" }, isHealth ? "Expected health" : "Survival"), h("th", { class: "number" }, "Change"))),
      h("tbody", {}, answer.steps.map((step) => h("tr", {},
        h("td", {}, EVENTS[step.event](step, words), step.event === "play" && step.change.decimal < 0 && h("span", { class: "hint" }, ` (best was ${words(step.best)})`)),
        h("td", { class: "number" }, value(step.value)), h("td", { class: "number" }, step.change ? change(step.change) : "")))))),
    downloads([
      ["The fight (JSON)", "json", "fight", () => `${JSON.stringify(fight, null, 1)}`],
      ["Every step (CSV)", "csv", "fight steps", () => [["event", "value", "change"], ...answer.steps.map((step) => [EVENTS[step.event](step, words), step.value.decimal, step.change?.decimal])]],
    ]));
}
