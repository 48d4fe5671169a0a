import { state, show, step } from "./address.js";
import { ask, problem, soon } from "./api.js";
import { downloads } from "./download.js";
import { amounts, announce, bars, byId, h, percent, percents, put, scroller, signed } from "./dom.js";
import { begun, did, drew, forgot, replays } from "./slay-the-spire-replay.js";
import { old, recheck } from "./wrong.js";

/** Name, kind, cost and text of each card, in the order in which they lie on the table. */
const CARDS = {
  "bash+": ["Bash+", "attack", 2, "10 damage, 3 Vulnerable"],
  bash: ["Bash", "attack", 2, "8 damage, 2 Vulnerable"],
  "strike+": ["Strike+", "attack", 1, "9 damage"],
  strike: ["Strike", "attack", 1, "6 damage"],
  "defend+": ["Defend+", "skill", 1, "8 block"],
  defend: ["Defend", "skill", 1, "5 block"],
  "ascenders-bane": ["Ascender's Bane", "curse", null, "Cannot be played; leaves the game when held"],
};
const NAMES = Object.keys(CARDS);
const NUMBERS = ["health", "block", "energy", "turn", "enemy.health", "enemy.vulnerable"];
const STARTING_DECK = { strike: 5, defend: 4, bash: 1, "ascenders-bane": 1 };
const HAND = 5;

/** A pile with a count for every card, as the address has it. */
const whole = (pile) => Object.fromEntries(NAMES.map((name) => [name, pile[name] ?? 0]));
const size = (pile) => NAMES.reduce((sum, name) => sum + pile[name], 0);
const words = (cards) => (cards.length ? cards.map((name) => CARDS[name][0]).join(", ") : "nothing");
const listed = (pile) => NAMES.flatMap((name) => Array(pile[name] ?? 0).fill(name));

const value = (worth) => (state.objective === "health" ? worth.expected_health.decimal.toFixed(3) : percent(worth.survival.decimal));

const BANE = "ascenders-bane";
const banes = () => state.hand[BANE] + state.draw[BANE] + state.discard[BANE];

/** A position of an answer becomes the page's state; a curse that left the game in it stays in the deck of the fight. */
function enter(position) {
  const { hand, draw, discard, ...rest } = position;
  const before = banes();
  Object.assign(state, rest, { hand: whole(hand), draw: whole(draw), discard: whole(discard) });
  state.gone += Math.max(0, before - banes());
}

/** The position, without what is only the page's. */
function table() {
  const { objective, gone, ...position } = state;
  return position;
}

// The table.

const part = (name) => name.split(".").reduce((of, key) => of[key], state);

function card(name, attributes) {
  const [title, kind, cost, text] = CARDS[name];
  return h("button", { type: "button", class: `playing-card ${kind}`, ...attributes },
    h("b", {}, title), cost && h("span", { class: "cost" }, String(cost), h("span", { class: "unseen" }, " energy")), h("small", {}, text));
}

/** Cards side by side, small, to be looked at. */
const chips = (names) => h("span", { class: "chips" }, names.map((name) => h("span", { class: `chip ${CARDS[name][1]}` }, CARDS[name][0])));

function change(pile, name, by) {
  forgot();
  state[pile][name] = Math.max(0, Math.min(99, state[pile][name] + by));
  changed();
}

function counters(pile) {
  return h("div", { class: "cards" }, NAMES.map((name) => h("span", { class: "counter" }, CARDS[name][0],
    h("button", { type: "button", "data-key": `${pile}-${name}-less`, "aria-label": `One ${CARDS[name][0]} less`, disabled: !state[pile][name], onclick: () => change(pile, name, -1) }, "−"),
    h("output", {}, String(state[pile][name])),
    h("button", { type: "button", "data-key": `${pile}-${name}-more`, "aria-label": `One ${CARDS[name][0]} more`, onclick: () => change(pile, name, 1) }, "+"))));
}

function showTable() {
  for (const name of NUMBERS) byId(name).value = part(name);
  recheck(byId("table"));
  byId("objective").value = state.objective;
  const damage = state.turn ? 1 + 5 * state.turn : 0;
  byId("intent").textContent = damage ? `It will attack for ${damage}.` : "It does not attack this turn.";
  const focus = document.activeElement?.dataset?.key;
  const full = size(state.hand) >= HAND;
  put(byId("hand"), h("h3", {}, `Hand (${size(state.hand)})`),
    h("div", { class: "cards" }, listed(state.hand).map((name, place) => h("div", { class: "in-hand" },
      card(name, {
        "data-key": `hand-${place}`, title: "Play this card", disabled: CARDS[name][2] === null || CARDS[name][2] > state.energy,
        onclick: () => playOne(name),
      }),
      h("button", {
        type: "button", class: "out", "data-key": `out-${place}`, "aria-label": `Take ${CARDS[name][0]} out of the hand`,
        onclick: () => change("hand", name, -1),
      }, "×")))),
    h("div", { class: "row" }, h("button", { type: "button", id: "end-turn", "data-key": "end-turn", disabled: !size(state.hand), onclick: () => playCards([]) }, "End the turn"),
      h("span", { class: "hint" }, "A click plays a card. × takes it out of the hand.")),
    h("div", { class: "row", id: "add", role: "group", "aria-label": "Add a card to the hand" }, h("span", { class: "hint" }, "Add"),
        NAMES.map((name) => h("button", { type: "button", "data-key": `add-${name}`, disabled: full, onclick: () => change("hand", name, 1) }, CARDS[name][0]))));
  put(byId("piles"),
    h("div", { class: "pile" }, h("h3", {}, `Draw pile (${size(state.draw)})`), counters("draw")),
    h("div", { class: "pile" }, h("h3", {}, `Discard pile (${size(state.discard)})`), counters("discard")));
  if (focus) document.querySelector(`[data-key="${focus}"]`)?.focus();
}

// Every play.

const solve = soon(async () => {
  const plays = byId("plays"), next = byId("next");
  if (size(state.hand) === 0) {
    plays.hidden = true;
    problem(null, plays);
    const answer = await ask("slay-the-spire/draws", { ...table(), cards: null }, next);
    if (answer) showNext(answer, null);
    return;
  }
  plays.hidden = false;
  next.hidden = true;
  problem(null, next);
  const answer = await ask("slay-the-spire/advise", { ...table(), objective: state.objective }, plays);
  if (answer) showPlays(answer);
});

function showPlays(answer) {
  const best = answer.plays[0];
  const measure = (play) => (state.objective === "health" ? play.expected_health.decimal : play.survival.decimal * 100);
  const healths = amounts(answer.plays.map((play) => play.expected_health)), survivals = percents(answer.plays.map((play) => play.survival));
  const loses = (play) => (play.value.exact === best.value.exact ? "best" : signed(measure(play) - measure(best)));
  announce(`Best: ${words(best.cards)}, ${value(best)}`);
  byId("plays").replaceChildren(
    h("h2", {}, "Every play, best first"),
    h("p", {}, state.objective === "health" ? "Expected health after the fight: " : "Chance to survive: ",
      h("strong", { id: "value" }, value(best))),
    scroller(h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Play"), h("th", { class: "number" }, "Expected health"),
        h("th", { class: "number" }, "Survival"), h("th", { class: "number" }, "Against the best"))),
      h("tbody", {}, answer.plays.map((play, place) => h("tr", { class: play.value.exact === best.value.exact && "best" },
        h("td", {}, h("button", { type: "button", class: "play", title: "Play these cards and end the turn", onclick: () => playCards(play.cards) }, words(play.cards))),
        h("td", { class: "number" }, healths[place]),
        h("td", { class: "number" }, survivals[place]),
        h("td", { class: "number" }, loses(play))))))),
    downloads([
      ["The answer (JSON)", "json", `${turnWords()} plays`, () => answer],
      ["Every play (CSV)", "csv", `${turnWords()} plays`, () => [["cards", "expected_health", "survival"], ...answer.plays.map((play) =>
        [play.cards.join(" ") || "nothing", play.expected_health.decimal, play.survival.decimal])]],
    ]));
}

/** The turn in words for the name of a file. */
const turnWords = () => `cultist ${state.enemy.health} turn ${state.turn} health ${state.health} hand ${listed(state.hand).join(" ")}`;

// Step by step.

async function playCards(cards) {
  const answer = await ask("slay-the-spire/draws", { ...table(), cards }, byId("plays"));
  if (!answer) return;
  did(cards, true);
  showNext(answer, cards);
}

/** Plays a card, and the turn goes on, unless the fight is over. */
async function playOne(name) {
  const answer = await ask("slay-the-spire/draws", { ...table(), cards: [name] }, byId("plays"));
  if (!answer) return;
  const isOver = answer.played.enemy.health === 0;
  did([name], isOver);
  if (isOver) {
    showNext(answer, [name]);
    return;
  }
  enter(answer.played);
  step(state);
  changed();
}

function showNext(answer, cards) {
  const next = byId("next"), { position, over } = answer;
  const said = cards && h("p", {}, `You play ${words(cards)}. `,
    over === "won" ? `The Cultist is dead, and the Ironclad has ${position.health} health left.`
      : over === "dead" ? "The Ironclad dies."
        : `The Ironclad has ${position.health} health, the Cultist ${position.enemy.health}.`);
  const draw = (drawn) => {
    drew(drawn.hand);
    enter(drawn);
    step(state);
    changed();
    byId("table").scrollIntoView({ block: "start" });
  };
  const random = () => {
    let rest = Math.random();
    draw((answer.draws.find(({ probability }) => (rest -= probability.decimal) < 0) ?? answer.draws.at(-1)).position);
  };
  old(next, false);
  const draws = answer.draws.toSorted((a, b) => b.probability.decimal - a.probability.decimal);
  put(next,
    h("h2", {}, over ? "The fight is over" : `Turn ${position.turn + 1}: draw`), said,
    !over && [
      h("p", {}, h("button", { type: "button", class: "main", id: "draw", onclick: random }, "Draw at random"),
        answer.attack ? ` The Cultist will attack for ${answer.attack}.` : ""),
      h("p", { class: "hint" }, "Or choose what is drawn:"),
      scroller(h("table", {},
        h("thead", {}, h("tr", {}, h("th", {}, "Hand"), h("th", { class: "number" }, "Chance"))), h("tbody", {}, draws.map(({ probability, position }) => h("tr", {},
        h("td", {}, h("button", { type: "button", class: "play", onclick: () => draw(position) }, h("span", { class: "unseen" }, "Draw "), chips(listed(position.hand)))),
        h("td", { class: "number" }, percent(probability.decimal))))))),
    ]);
  next.hidden = false;
  if (cards) old(byId("plays"), true, "Played. What follows stands above.");
  announce(next.querySelector("h2").textContent);
  if (cards) next.scrollIntoView({ block: "nearest" });
}

// What people change.

function changed() {
  showTable();
  show(state);
  for (const id of ["plays", "next"]) old(byId(id), true);
  solve();
}

byId("table").addEventListener("input", ({ target }) => {
  if (target.id === "objective") state.objective = target.value;
  else if (NUMBERS.includes(target.name)) {
    if (!target.checkValidity()) {
      for (const id of ["plays", "next"]) old(byId(id), true, "Old: this is about the table before. Correct the number first.");
      return;
    }
    const keys = target.name.split("."), last = keys.pop();
    keys.reduce((of, key) => of[key], state)[last] = Number(target.value);
    forgot();
  } else return;
  changed();
});

byId("new-fight").addEventListener("click", () => {
  enter({
    turn: 0, energy: 3, health: 68, block: 0, enemy: { health: 50 + Math.floor(Math.random() * 7), vulnerable: 0 },
    hand: {}, draw: STARTING_DECK, discard: {},
  });
  state.gone = 0;
  begun({ cultist_hp: "50..=56", hp: 68, deck: STARTING_DECK }, state.enemy.health);
  step(state);
  changed();
});

byId("ask-odds").addEventListener("click", async () => {
  const deck = {};
  for (const name of NAMES) deck[name] = state.hand[name] + state.draw[name] + state.discard[name];
  deck[BANE] += state.gone;
  const answer = await ask("slay-the-spire/odds", { hp: state.health, deck, objective: state.objective }, byId("before"));
  if (!answer) return;
  byId("odds").replaceChildren(
    h("p", {}, "Expected health ", h("strong", { id: "expected" }, answer.expected_health.decimal.toFixed(4)),
      `, survival ${percent(answer.survival.decimal)}, with ${state.health} health and these cards: ${words(listed(deck))}.`),
    h("h3", {}, "Health left"),
    bars(answer.final_health.filter(({ probability }) => probability.decimal > 1e-5).map(({ health, probability }) => [health || "dead", probability.decimal]),
      "The chance of each health after the fight"),
    h("p", { class: "exact" }, answer.value.exact),
    downloads([
      ["The answer (JSON)", "json", `cultist health ${state.health}`, () => answer],
      ["Health left (CSV)", "csv", `cultist health ${state.health}`, () => [["health", "probability"], ...answer.final_health.map(({ health, probability }) => [health, probability.decimal])]],
      ["Health left (SVG)", "svg", `cultist health ${state.health}`, () => document.querySelector("#odds svg")],
    ]));
});

replays(words);
showTable();
solve();
