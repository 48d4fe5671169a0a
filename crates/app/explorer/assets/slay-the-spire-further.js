// Fights of Act 1, further questions: which card to take, and what to play in a position of a file.

import { query, show, state, step } from "./address.js";
import { ask, cancel, problem } from "./api.js";
import { announce, byId, h, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { isRight } from "./wrong.js";

/** The longest text of a position or of groups, in characters: the address holds it. */
const MAX_LENGTH = 10_000;

/** The JSON of a text. If it is not JSON, shows the problem in the card of `where` and returns null. */
export function parsed(text, where) {
  try {
    return JSON.parse(text);
  } catch (error) {
    problem({ message: `This is not JSON: ${error.message}`, help: "docs/slay-the-spire-turn.md has a position, docs/slay-the-spire-act-1.md a list of groups." }, where);
    return null;
  }
}

/** Of a card in a message: what its reader does not ask for. */
const UNREAD = new Set(["uuid", "rarity", "is_playable", "has_target"]);

/** A message of CommunicationMod with that alone on which its fight depends: an address cannot hold the map. Other texts stay. */
function ofFight(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return text;
  }
  const game = message?.game_state ?? message;
  if (!message?.game_state && !game?.combat_state) return text;
  const { class: of, ascension_level, relics, potions, screen_type, combat_state } = game;
  return JSON.stringify({ game_state: { class: of, ascension_level, relics, potions, screen_type, combat_state } }, (name, value) => (UNREAD.has(name) ? undefined : value));
}

/** A text field that can be filled from a file; `shortened` is what is kept of a text. Calls `changed` after every change. */
export function textField(id, changed, shortened = (text) => text) {
  const field = byId(id);
  field.value = state[id];
  const take = () => {
    field.value = shortened(field.value);
    field.setCustomValidity(field.value.length > MAX_LENGTH ? `This is longer than ${MAX_LENGTH} characters.` : "");
    if (!field.reportValidity()) return;
    state[id] = field.value.trim();
    changed();
  };
  field.addEventListener("change", take);
  byId(`${id}-file`).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    field.value = await file.text();
    take();
    target.value = "";
  });
}

/** The deck after the change in a row of the table, as the address writes decks. */
export function deckAfter(deck, take) {
  const counts = new Map(deck.map((part) => [part.split("=")[0], Number(part.split("=")[1] ?? 1)]));
  const more = (name, number) => counts.set(name, (counts.get(name) ?? 0) + number);
  const [what, card] = take.split(" ");
  if (card === undefined && what !== "none") more(what, 1);
  else if (card !== undefined) more(card, -1);
  if (what === "upgrade") more(`${card}+`, 1);
  return [...counts].filter(([, count]) => count > 0).map(([name, count]) => (count > 1 ? `${name}=${count}` : name));
}

/** What was simulated of several options, apart from what is proved; `written` shows an amount, `changed` a difference. Nothing if nothing was. */
function simulatedTable(options, { written, changed }) {
  if (options.length === 0) return null;
  const between = ({ lower, upper }, how) => (lower === 0 && upper === 0 ? "" : `${how(lower)} to ${how(upper)}`);
  return [
    h("h3", {}, "Simulated"),
    h("p", { class: "hint" }, `Wrong in less than one run in ${Math.round(1 / options[0].own.wrong_in_less_than).toLocaleString("en")}; nothing of it is proved. Those of one rank were played as well.`),
    scroller(h("table", { class: "simulated", "aria-label": "Simulated, best first" },
      h("thead", {}, h("tr", {}, h("th", { class: "number" }, "Rank"), h("th", {}, "What"), ["Gain as played", "Gain by best play", "Worth"].map((name) => h("th", { class: "number" }, name)))),
      h("tbody", {}, options.map(({ name, own: { rank, played_gain: played, gain, value } }) => h("tr", { class: rank === 1 ? "best" : "" }, h("td", { class: "number" }, String(rank)), h("td", {}, name),
        [between(played, changed), between(gain, changed), between(value, written)].map((text) => h("td", { class: "number" }, text)))))))];
}

/** The card of the page that compares decks; its parameters are functions of the page of the fight. */
export function rewards({ fight, list, bounded, written, changed, survives, spaced, unfinished, progress, chips }) {
  const box = byId("rewards");
  const also = () => ["remove", "upgrade"].filter((what) => state[what]);
  const old = () => {
    cancel(box);
    state.reward = false;
    box.hidden = true;
    show(state);
  };
  chips("cards", false, old);
  for (const id of ["each", "remove", "upgrade"]) {
    byId(id).checked = state[id];
    byId(id).addEventListener("change", ({ target }) => {
      state[id] = target.checked;
      old();
    });
  }

  /** A link to the fight with the deck of a row. */
  const withDeck = (take) => {
    const { enemies, groups, ascension, hp, max_hp, relics, potions, burning_blood, enemy_hp, curl_up, objective, value, seconds } = state;
    const text = query({ enemies, groups, ascension, hp, max_hp, relics, potions, burning_blood, enemy_hp, curl_up, objective, value, seconds, deck: deckAfter(list(state.deck), take), walk: true });
    return h("a", { class: "walk-link", href: `${location.pathname}?${text}` }, take === "none" ? "none: the deck as it is" : spaced(take));
  };

  async function compare() {
    if (!isRight(byId("fight"))) return;
    const asked = fight();
    if (!asked) return;
    const offered = [...list(state.cards), ...(state.each ? ["each"] : [])];
    const answer = await ask("slay-the-spire/act-1/reward", { fight: asked, cards: offered, also: also(), seconds: state.seconds }, box, progress(box, "reward-progress"));
    put(byId("reward-progress"));
    state.reward = answer !== null;
    show(state);
    box.hidden = !answer;
    if (!answer) return;
    const { rewards: rows, stopped } = answer;
    const isNone = (gain) => Math.abs(gain) < 0.0005;
    const signed = ({ lower, upper, decimal }) => (lower === null || upper === null ? "not known" : upper - lower >= 0.0005 ? `${changed(lower)} to ${changed(upper)}` : isNone(decimal) ? "no difference" : changed(decimal));
    const highestLower = Math.max(...rows.map(({ gain }) => gain.lower ?? -Infinity));
    put(box,
      unfinished(stopped),
      scroller(h("table", { id: "reward-table", "aria-label": "What each card is worth" },
        h("thead", {}, h("tr", {}, h("th", {}, "Take"), h("th", { class: "number" }, "Gain"), h("th", { class: "number" }, "Worth"), h("th", { class: "number" }, "Survives"))),
        h("tbody", {}, rows.map(({ take, gain, value, survival }) => h("tr", { class: (gain.upper ?? Infinity) >= highestLower - 1e-9 ? "best" : "", "data-take": take },
          h("td", {}, withDeck(take)), h("td", { class: "number" }, take === "none" ? "" : signed(gain)),
          h("td", { class: "number" }, bounded(value)), h("td", { class: "number" }, state.objective === "loss" ? "" : survives(survival))))))),
      simulatedTable(rows.filter(({ simulated }) => simulated).map(({ take, simulated }) => ({ name: spaced(take), own: simulated })), { written, changed }),
      downloads([["The answer (JSON)", "json", "act 1 reward", () => answer],
        ["The table (CSV)", "csv", "act 1 reward", () => [["take", "gain", "gain_lower", "gain_upper", "value", "lower", "upper", "survival"],
          ...rows.map(({ take, gain, value, survival }) => [take, gain.decimal, gain.lower, gain.upper, value.decimal, value.lower, value.upper, survival.decimal])]]]));
    announce(`Best: ${rows[0].take}`);
  }
  byId("compare").addEventListener("click", compare);
  if (state.reward) compare();
}

/** The card of the page that advises in a position of a file. */
export function positions({ boundedApart, bounded, written, changed, spaced, unfinished, progress }) {
  const box = byId("position-answer");
  const old = () => {
    cancel(box);
    box.hidden = true;
    step(state);
  };
  textField("position", old, ofFight);
  const called = ({ play, use, target, exhaust, choice }) => spaced(`${play ?? use ?? choice ?? "end turn"}${target > 0 ? ` at enemy ${target + 1}` : ""}${play && (exhaust ?? choice) ? ` (${exhaust ?? choice})` : ""}`.replaceAll("_", " "));

  async function advise() {
    const position = parsed(byId("position").value, box);
    if (position === null) return;
    const answer = await ask("slay-the-spire/act-1/advise", { position, objective: state.objective, seconds: state.seconds }, box, progress(box, "position-progress"));
    put(byId("position-progress"));
    box.hidden = !answer;
    if (!answer) return;
    const shown = answer.plays.slice(0, 60), values = boundedApart(shown.map(({ value }) => value));
    put(box,
      h("p", {}, h("strong", { class: "big", id: "position-worth" }, bounded(answer.value))),
      unfinished(answer.stopped),
      answer.assumed && h("p", { class: "hint", id: "position-assumed" }, `Assumed: ${answer.assumed.join("; ")}.`),
      scroller(h("table", { id: "position-plays", "aria-label": "Turns, best first" },
        h("thead", {}, h("tr", {}, h("th", {}, "Turn"), h("th", { class: "number" }, "Worth"))),
        h("tbody", {}, shown.map(({ steps }, place) => h("tr", { class: place === 0 ? "best" : "" },
          h("td", {}, steps.length ? steps.map(called).join(", ") : "end the turn"), h("td", { class: "number" }, values[place])))))),
      answer.plays.length > 60 && h("p", { class: "hint" }, `and ${answer.plays.length - 60} worse turns`),
      simulatedTable((answer.simulated ?? []).map((own) => ({ name: called(own), own })), { written, changed }),
      downloads([["The answer (JSON)", "json", "act 1 advice", () => answer]]));
    announce(`Best: ${answer.plays[0].steps.map(called).join(", ") || "end the turn"}`);
  }
  byId("what-now").addEventListener("click", advise);
  if (state.position !== "") advise();
}
