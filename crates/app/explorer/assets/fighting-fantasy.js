import { state, show, template } from "./address.js";
import { ask, cancel, soon } from "./api.js";
import { downloads } from "./download.js";
import { amounts, announce, bars, byId, h, percent, percents, points, put, s } from "./dom.js";
import { isRight, old, recheck } from "./wrong.js";

/** Fights of the books; all else of each, goals as well, is as at the page's bare address. */
const PRESETS = {
  "hell-demon": { enemies: ["14/12"] },
  "white-dragon": { enemies: ["15/22"] },
  razaak: { enemies: ["12/20"], sudden_death: 2 },
  orcs: { skill: 9, stamina: 16, luck: 8, enemies: ["5/5", "6/4"], together: true },
};
const NUMBERS = ["skill", "stamina", "luck", "keep_stamina", "keep_luck", "sudden_death"];
const SWITCHES = ["together", "luck_allowed", "draw_resets"];
const DECISIONS = { "use-luck": "Use luck", keep: "Keep your luck", either: "Makes no difference" };

const form = byId("fight"), odds = byId("odds");

// The fight.

function showForm() {
  for (const name of NUMBERS) byId(name).value = state[name];
  for (const name of SWITCHES) byId(name).checked = state[name];
  byId("objective").value = state.objective;
  byId("amplify").value = state.amplify;
  byId("enemies").replaceChildren(...state.enemies.map((enemy, place) => {
    const [skill, stamina] = enemy.split("/");
    const field = (what, value) => h("div", { class: "field" },
      h("label", { for: `${what}-${place}` }, what === "skill" ? "Skill" : "Stamina"),
      h("input", { id: `${what}-${place}`, type: "number", inputmode: "numeric", min: 1, max: 99, required: true, value }));
    return h("li", {}, field("skill", skill), field("stamina", stamina),
      h("button", {
        type: "button", "aria-label": `Remove enemy ${place + 1}`, disabled: state.enemies.length === 1,
        onclick: () => { state.enemies.splice(place, 1); changed(); },
      }, "×"));
  }));
  byId("add-enemy").disabled = state.enemies.length >= (state.together ? 4 : 8);
  recheck(form);
}

function readForm() {
  for (const name of NUMBERS) state[name] = Number(byId(name).value);
  for (const name of SWITCHES) state[name] = byId(name).checked;
  state.objective = byId("objective").value;
  state.amplify = Number(byId("amplify").value);
  state.enemies = state.enemies.map((_, place) => `${byId(`skill-${place}`).value}/${byId(`stamina-${place}`).value}`);
}

function changed() {
  showForm();
  show(state);
  solve();
}

const solve = soon(async () => {
  const { map, ...fight } = state;
  const waiting = h("p", { class: "hint" });
  const answer = await ask("fighting-fantasy/fight", fight, odds, (progress) => {
    if (progress.seconds < 0.5) return;
    waiting.replaceChildren(
      `${progress.stage}: ${progress.states.toLocaleString("en")} states, ${progress.seconds.toFixed(1)} s `,
      h("button", { type: "button", onclick: () => cancel(odds) }, "Stop"));
    if (!waiting.isConnected) odds.prepend(waiting);
  });
  waiting.remove();
  if (answer) showOdds(answer);
});

function showOdds(answer) {
  const isChance = state.objective === "win";
  const value = (number) => (isChance ? percent(number.decimal) : number.decimal.toFixed(4));
  const both = (numbers) => (isChance ? percents(numbers) : amounts(numbers, 4));
  const besides = (use, keep) => {
    const [luck, without] = both([use, keep]);
    return `${luck} with luck, ${without} without`;
  };
  announce(`${answer.objective}: ${value(answer.win)}`);
  const opening = answer.opening && both(answer.opening.map((choice) => choice.value));
  const advice = (round, decision, values) => h("div", {},
    `If the first round is ${round}`, h("strong", {}, DECISIONS[decision]),
    values.use_luck && values.keep && decision !== "either" && h("span", { class: "hint" }, besides(values.use_luck, values.keep)));
  const ends = [
    ["wins", answer.probability_to_win], ["dies of wounds", answer.deaths.stamina],
    ["dies of rounds lost in a row", answer.deaths.sudden],
  ].filter(([, chance]) => chance.decimal > 0);
  put(odds,
    h("h2", {}, answer.objective[0].toUpperCase() + answer.objective.slice(1)),
    h("p", { class: "big", id: "win" }, value(answer.win)),
    h("p", {}, "Without luck ", h("strong", { id: "win-without-luck" }, value(answer.win_without_luck))),
    h("div", { class: "advice" },
      advice("lost", answer.on_lost_round, answer.if_round_lost),
      advice("won", answer.on_won_round, answer.if_round_won)),
    answer.opening && h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Before the first round"), h("th", { class: "number" }, "Value"))),
      h("tbody", {}, answer.opening.map((choice, place) => h("tr", { class: choice.best && "best" },
        h("td", {}, choice.choice + (choice.best ? " (best)" : "")), h("td", { class: "number" }, opening[place]))))),
    h("table", {}, h("tbody", {},
      ends.map(([name, chance]) => h("tr", {}, h("td", {}, "The hero " + name), h("td", { class: "number" }, percent(chance.decimal)))),
      h("tr", {}, h("td", {}, "Stamina left (0 after a defeat)"), h("td", { class: "number" }, answer.expected_stamina_left.decimal.toFixed(3))),
      h("tr", {}, h("td", {}, "Luck left (0 after a defeat)"), h("td", { class: "number" }, answer.expected_luck_left.decimal.toFixed(3))))),
    h("h3", {}, `How many rounds it takes: ${answer.rounds.mean.toFixed(2)} on average`),
    bars(answer.rounds.distribution.filter((round) => round.probability > 1e-6).map((round) => [round.rounds, round.probability]),
      "The chance of each number of rounds"),
    h("details", {}, h("summary", {}, "The exact number"), h("p", { class: "exact" }, answer.win.exact),
      h("p", { class: "hint" }, `${answer.states.toLocaleString("en")} states`)),
    downloads([
      ["The answer (JSON)", "json", fightWords(), () => answer],
      ["Rounds (CSV)", "csv", `${fightWords()} rounds`, () => [["rounds", "probability"], ...answer.rounds.distribution.map((own) => [own.rounds, own.probability])]],
    ]));
}

/** The fight in words for the name of a file. */
const fightWords = () => `fight ${state.skill} ${state.stamina} ${state.luck} against ${state.enemies.join(" and ")}`;

/** Another fight: nothing of the one before stays. */
function begin(fight) {
  const { map, ...usual } = structuredClone(template);
  Object.assign(state, usual, structuredClone(fight));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  isRight(form);
});
form.addEventListener("input", () => {
  if (!form.checkValidity()) {
    cancel(odds);
    old(odds, true, "Old: these are the odds of the numbers before. Correct the fight first.");
    return;
  }
  readForm();
  byId("add-enemy").disabled = state.enemies.length >= (state.together ? 4 : 8);
  show(state);
  solve();
});
form.addEventListener("click", ({ target }) => {
  const preset = PRESETS[target.dataset.preset];
  if (!preset) return;
  begin(preset);
  const [skill] = state.enemies[0].split("/");
  state.map.skill_difference = Math.max(-11, Math.min(11, state.skill - skill));
  state.map.luck = Math.min(12, state.luck);
  changed();
  showSliders();
  solveMap();
});
byId("add-enemy").addEventListener("click", () => {
  state.enemies.push(state.enemies.at(-1));
  changed();
});

// The map.

const CELL = 16, LEFT = 36, TOP = 28;
let map = null;
// The cell that is looked at: [hero's stamina, enemy's].
let chosen = [24, 12];

function showSliders() {
  const { skill_difference, luck } = state.map;
  byId("difference").value = skill_difference;
  byId("map-luck").value = luck;
  byId("difference-now").value = skill_difference > 0 ? "+" + skill_difference : String(skill_difference).replace("-", "−");
  byId("map-luck-now").value = luck;
}

const solveMap = soon(async () => {
  const answer = await ask("fighting-fantasy/map", { ...state.map, amplify: state.amplify }, byId("map"));
  if (!answer) return;
  map = answer;
  drawMap();
}, 20);

/** The colour of a chance: orange, grey, blue; it follows the theme. */
const colour = (chance) => chance < 0.5
  ? `color-mix(in oklab, var(--even) ${200 * chance}%, var(--lose))`
  : `color-mix(in oklab, var(--win) ${200 * chance - 100}%, var(--even))`;

const at = (hero, enemy) => map.cells[(hero - 1) * map.max_stamina + enemy - 1];

function drawMap() {
  const side = map.max_stamina, size = side * CELL;
  const svg = s("svg", {
    viewBox: `0 0 ${LEFT + size + 2} ${TOP + size + 2}`, class: "grid", tabindex: 0, role: "application",
    "aria-label": "Map of the best use of luck; move with the arrow keys", "aria-describedby": "cell",
  });
  svg.append(
    s("text", { class: "axis", x: LEFT + size / 2, y: 9, "text-anchor": "middle" }, "the enemy's stamina →"),
    s("text", { class: "axis", transform: `translate(9 ${TOP + size / 2}) rotate(90)`, "text-anchor": "middle" }, "the hero's stamina →"));
  for (let stamina = 1; stamina <= side; stamina++) {
    if (stamina !== 1 && stamina % 4) continue;
    const middle = (stamina - 0.5) * CELL;
    svg.append(
      s("text", { class: "axis", x: LEFT + middle, y: TOP - 6, "text-anchor": "middle" }, String(stamina)),
      s("text", { class: "axis", x: LEFT - 5, y: TOP + middle + 3, "text-anchor": "end" }, String(stamina)));
  }
  const squares = s("g", { "shape-rendering": "crispEdges" }), digits = s("g");
  for (const cell of map.cells) {
    const x = LEFT + (cell.enemy_stamina - 1) * CELL, y = TOP + (cell.stamina - 1) * CELL;
    const square = s("rect", { x, y, width: CELL, height: CELL });
    square.style.fill = colour(cell.win);
    squares.append(square);
    if (cell.figure_number) digits.append(s("text", { class: "digit", x: x + CELL / 2, y: y + 12 }, String(cell.figure_number)));
  }
  const frame = s("rect", { class: "chosen", width: CELL, height: CELL });
  svg.append(squares, digits, frame);
  const choose = (hero, enemy) => {
    chosen = [Math.max(1, Math.min(side, hero)), Math.max(1, Math.min(side, enemy))];
    frame.setAttribute("x", LEFT + (chosen[1] - 1) * CELL);
    frame.setAttribute("y", TOP + (chosen[0] - 1) * CELL);
    showCell(at(...chosen));
  };
  const under = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const hero = Math.floor((point.y - TOP) / CELL) + 1, enemy = Math.floor((point.x - LEFT) / CELL) + 1;
    return hero >= 1 && hero <= side && enemy >= 1 && enemy <= side ? [hero, enemy] : null;
  };
  svg.addEventListener("pointermove", (event) => { const cell = under(event); if (cell) choose(...cell); });
  svg.addEventListener("click", (event) => { const cell = under(event); if (cell) { choose(...cell); } });
  svg.addEventListener("dblclick", takeOver);
  svg.addEventListener("keydown", (event) => {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (move) {
      event.preventDefault();
      choose(chosen[0] + move[0], chosen[1] + move[1]);
    } else if (event.key === "Enter") takeOver();
  });
  const focused = byId("map").contains(document.activeElement);
  byId("map").replaceChildren(svg);
  if (focused) svg.focus();
  choose(...chosen);
  const { skill_difference, luck } = state.map, words = `map of luck ${luck} difference ${String(skill_difference).replace("-", "minus ")}`;
  put(byId("map-files"), downloads([
    ["The map (JSON)", "json", words, () => map],
    ["Every cell (CSV)", "csv", words, () => [Object.keys(map.cells[0]), ...map.cells.map(Object.values)]],
    ["The map (SVG)", "svg", words, () => svg],
  ]));
}

function showCell(cell) {
  const decision = (decision, gain) => decision === "use-luck" ? `use luck (${points(gain)})`
    : decision === "keep" ? `keep it (luck: ${points(gain)})` : "exactly the same";
  const row = (name, value) => h("tr", {}, h("td", {}, name), h("td", { class: "number" }, value));
  announce(`Stamina ${cell.stamina} against ${cell.enemy_stamina}: ${percent(cell.win)} to win; round lost: ${decision(cell.on_lost_round, cell.gain_on_lost_round)}; won: ${decision(cell.on_won_round, cell.gain_on_won_round)}`);
  byId("cell").replaceChildren(
    h("h3", {}, `Stamina ${cell.stamina} against ${cell.enemy_stamina}`),
    h("table", {}, h("tbody", {},
      row("Chance to win", percent(cell.win)),
      row("Without luck", percent(cell.win_without_luck)),
      row("If the round is lost", decision(cell.on_lost_round, cell.gain_on_lost_round)),
      row("If the round is won", decision(cell.on_won_round, cell.gain_on_won_round)))),
    h("button", { type: "button", onclick: takeOver }, "Take this fight over"),
    h("h3", {}, "Key"),
    h("div", { class: "ramp" }), h("div", { class: "ends" }, h("span", {}, "0 %"), h("span", {}, "chance to win"), h("span", {}, "100 %")),
    h("p", { class: "hint" }, "Use luck: 1 after every round, 2 after a lost round, 3 after a won round; no number: keep it. A tie counts as keeping it."));
}

/** Makes the cell that is looked at the fight of the form. */
function takeOver() {
  const { skill_difference, luck } = state.map;
  const skill = Math.max(state.skill, skill_difference + 1);
  begin({ skill, stamina: chosen[0], luck, enemies: [`${skill - skill_difference}/${chosen[1]}`], amplify: state.amplify });
  changed();
}

for (const [id, name] of [["difference", "skill_difference"], ["map-luck", "luck"]]) {
  byId(id).addEventListener("input", ({ target }) => {
    state.map[name] = Number(target.value);
    showSliders();
    show(state);
    solveMap();
  });
}
byId("amplify").addEventListener("change", () => solveMap());

showForm();
showSliders();
solve();
solveMap();
