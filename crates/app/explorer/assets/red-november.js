import { state, show, template } from "./address.js";
import { ask, problem, soon } from "./api.js";
import { announce, byId, h, plural, put, s } from "./dom.js";
import { downloads } from "./download.js";
import { isRight, old } from "./wrong.js";

// The boat as the page has it: { standard, rooms: [{ number, state }], hatches: [{ rooms: [a, b], state }], start }.
// States are the letters of the address: rooms c, l, h, f; hatches o, c, b.
const ROOM_STATES = ["c", "l", "h", "f"], HATCH_STATES = ["c", "o", "b"];
const ROOM_WORDS = { c: "clear", l: "low water", h: "high water", f: "fire" };
const HATCH_WORDS = { c: "closed", o: "open", b: "blocked" };
const LETTERS = { Clear: "c", LowFlood: "l", HighFlood: "h", Fire: "f", Closed: "c", Open: "o", Blocked: "b" };
const NAMES = { c: "clear", l: "low", h: "high", f: "fire" };

const minutes = (count) => `${count} minute${count === 1 ? "" : "s"}`;
const list = (parts) => parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join("");

/** The answer, with the places as they are drawn; and as it came. */
let answer = null, routes = null;

/** The boat before the turn, from an answer. */
const boatOf = (before) => ({
  rooms: before.rooms.map(({ number, state }) => ({ number, state: LETTERS[state] })),
  hatches: before.hatches.map(({ number, state }) => ({ rooms: number.split("-").map(Number), state: LETTERS[state] })),
  gnome: before.startRoom.number,
});

const room = (boat, number) => boat.rooms.find((room) => room.number === number);
const hatchBetween = (boat, a, b) => boat.hatches.find(({ rooms }) => rooms.includes(a) && rooms.includes(b));

/** The boat after so many actions of a result, and the steps that the gnome took: { from, to, flows, number of the action }. */
function play(before, actions, count) {
  const boat = boatOf(before), steps = [];
  let opened = null;
  for (const [place, action] of actions.slice(0, count).entries()) {
    const number = place + 1;
    if (action.type === "OpenHatch") {
      opened = action.hatch.number.split("-").map(Number);
      hatchBetween(boat, ...opened).state = "o";
    } else if (action.type === "Flood") {
      for (const wet of [action.room1, action.room2]) room(boat, wet.number).state = "l";
      steps.push({ from: boat.gnome, to: opened.find((number) => number !== boat.gnome), flows: true, number });
    } else {
      steps.push({ from: boat.gnome, to: action.room.number, flows: false, number });
      boat.gnome = action.room.number;
    }
  }
  return { boat, steps };
}

// Drawing.

/** Pixels: in a narrower window a boat that is wider than high is drawn upright, so that all of it is there for fingers. */
const NARROW = 600;

/** Where the middles of the rooms are in the drawing. */
function placed(places) {
  const wide = (axis) => Math.max(...places.map((place) => place[axis])) - Math.min(...places.map((place) => place[axis]));
  if (innerWidth >= NARROW || wide(0) <= wide(1)) return places;
  // Rooms are wider than high: what was far enough apart downwards is not so across.
  const [across, down] = UPRIGHT;
  return places.map(([x, y]) => [y * across, x * down]);
}
const UPRIGHT = [1.15, 0.85];

const WIDE = 46, HIGH = 33, MARGIN = 70;

/** What is in a room, as a shape. */
function contents(letter) {
  if (letter === "l") return [s("path", { class: "low", d: `M${-WIDE + 2} ${HIGH - 14}q11 -7 22 0t22 0t22 0t22 0V${HIGH - 2}H${-WIDE + 2}Z` })];
  if (letter === "h") return [s("path", { class: "high", d: `M${-WIDE + 2} ${-HIGH + 6}q11 -6 22 0t22 0t22 0t22 0V${HIGH - 2}H${-WIDE + 2}Z` })];
  if (letter === "f") return [s("path", { class: "flame", transform: "translate(20 5) scale(.85)", d: "M-24 26c-12 0 -20 -8 -20 -18c0 -10 8 -12 10 -22c6 4 8 8 8 13c3 -7 2 -14 9 -21c0 12 11 16 11 29c0 11 -7 19 -18 19Z" })];
  return [];
}

const gnomeShape = () => s("g", { class: "gnome" },
  s("circle", { class: "face", cx: 28, cy: 7, r: 10 }), s("path", { class: "beard", d: "M18.5 9a10 10 0 0 0 19 0q-9.5 4 -19 0Z" }),
  s("path", { class: "hat", d: "M15 2Q26 -6 27 -25Q36 -10 41 2Q28 -2 15 2Z" }));

function sign(letter) {
  if (letter === "o") return s("circle", { class: "sign", r: 7 });
  if (letter === "b") return s("path", { class: "sign", d: "M-7 -7L7 7M7 -7L-7 7" });
  return s("rect", { class: "sign", x: -6, y: -6, width: 12, height: 12 });
}

/**
 * A drawing of a boat. With `edit` it can be changed: { room(number, back), hatch(hatch, back), gnome(number) }.
 * `before` is the boat with which it is compared; `steps` are drawn as the way.
 */
function draw(boat, places, label, { edit, before, steps = [] } = {}) {
  const at = new Map(boat.rooms.map(({ number }, index) => [number, places[index]]));
  const width = Math.max(...places.map(([x]) => x)) + MARGIN, height = Math.max(...places.map(([, y]) => y)) + MARGIN - 12;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: edit ? "" : "still", role: edit ? "group" : "img", "aria-label": label });
  // A small boat is not blown up.
  svg.style.maxWidth = `${width}px`;
  const control = (text, press, attributes = {}) => edit ? {
    tabindex: 0, role: "button", "aria-label": text,
    onclick: (event) => press(event),
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); press(event); } else attributes.key?.(event); },
  } : {};
  for (const hatch of boat.hatches) {
    const [[x1, y1], [x2, y2]] = hatch.rooms.map((number) => at.get(number));
    const name = hatch.rooms.join("-");
    const middle = `translate(${(x1 + x2) / 2} ${(y1 + y2) / 2})`;
    svg.append(s("g", {
      class: `hatch ${HATCH_WORDS[hatch.state]}`, "data-hatch": name,
      ...control(`Hatch ${name}: ${HATCH_WORDS[hatch.state]}`, (event) => edit.hatch(hatch, event.shiftKey)),
    }, s("path", { class: "pipe", d: `M${x1} ${y1}L${x2} ${y2}` }), s("g", { transform: middle }, s("circle", { class: "reach", r: 20 }), sign(hatch.state)),
      s("title", {}, `Hatch ${name}: ${HATCH_WORDS[hatch.state]}`)));
  }
  for (const { number, state: letter } of boat.rooms) {
    const [x, y] = at.get(number);
    const changed = before && room(before, number).state !== letter;
    const here = boat.gnome === number;
    svg.append(s("g", {
      class: `room ${changed ? "changed" : ""} ${letter === "h" ? "is-high" : ""}`, transform: `translate(${x} ${y})`, "data-room": number,
      ...control(`Room ${number}: ${ROOM_WORDS[letter]}${here ? ", the gnome is here" : ""}`,
        (event) => (event.shiftKey ? edit.gnome(number) : edit.room(number)),
        { key: (event) => { if (event.key === "g" || event.key === "G") edit.gnome(number); } }),
    },
      s("rect", { class: "wall", x: -WIDE, y: -HIGH, width: 2 * WIDE, height: 2 * HIGH, rx: 10 }), contents(letter),
      s("text", { class: "number", x: -WIDE + 8, y: -HIGH + 19 }, String(number)), " ",
      letter !== "c" && s("text", { class: "what", x: -WIDE + 14 + 10 * String(number).length, y: -HIGH + 19 }, NAMES[letter]),
      here && gnomeShape(), s("title", {}, `Room ${number}: ${ROOM_WORDS[letter]}`)));
  }
  drawWay(svg, at, steps);
  if (edit) draggable(svg, edit);
  return svg;
}

/** The way: a line beside each hatch that is gone through, a numbered sign for each step. */
function drawWay(svg, at, steps) {
  const used = new Map();
  steps.forEach(({ from, to, flows, number }) => {
    const [x1, y1] = at.get(from), [x2, y2] = at.get(to);
    const length = Math.hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const key = `${from}-${to}`, times = used.get(key) ?? 0;
    // The line to the right of the direction, so that there and back are two; the sign for water to the left.
    const aside = flows ? -19 : 19 * (times + 1);
    const point = (along) => [x1 + dx * along - dy * aside, y1 + dy * along + dx * aside].map((n) => n.toFixed(1));
    if (!flows) {
      used.set(key, times + 1);
      const tip = point(length / 2 + 24), [bx, by] = point(length / 2 + 9).map(Number);
      svg.append(s("path", { class: "way", d: `M${point(12)}L${point(length - 12)}` }),
        s("path", { class: "way-tip", d: `M${tip}L${bx - dy * 8} ${by + dx * 8}L${bx + dy * 8} ${by - dx * 8}Z` }));
    }
    const [x, y] = point(length / 2).map(Number);
    svg.append(
      flows ? s("path", { class: "badge flow", d: `M${x} ${y - 14}l14 14l-14 14l-14 -14Z` }) : s("circle", { class: "badge", cx: x, cy: y, r: 10 }),
      s("text", { class: "badge-number", x, y: y + 4 }, String(number)));
  });
}

/** The gnome follows the pointer until it is let go over a room. */
function draggable(svg, edit) {
  const gnome = svg.querySelector(".gnome");
  if (!gnome) return;
  let from = null;
  gnome.addEventListener("click", (event) => event.stopPropagation());
  gnome.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    gnome.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  gnome.addEventListener("pointermove", (event) => {
    if (!from) return;
    const scale = svg.getScreenCTM().a;
    gnome.setAttribute("transform", `translate(${(event.clientX - from[0]) / scale} ${(event.clientY - from[1]) / scale})`);
  });
  gnome.addEventListener("pointerup", (event) => {
    from = null;
    gnome.removeAttribute("transform");
    gnome.style.pointerEvents = "none";
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-room]");
    gnome.style.pointerEvents = "";
    if (target && svg.contains(target)) edit.gnome(Number(target.dataset.room));
  });
}

// Editing.

/** Puts a boat that was changed into the state: letters for the boat in the box, a text for others. */
function keep(boat) {
  state.start = boat.gnome;
  if (state.board) {
    const hatches = boat.hatches.map(({ rooms, state }) => rooms.join("-") + (state === "c" ? "" : ` ${HATCH_WORDS[state]}`));
    state.board = `rooms: ${boat.rooms.map(({ number, state }) => number + (state === "c" ? "" : ` ${NAMES[state]}`)).join(", ")}\n` +
      (hatches.length ? `hatches: ${hatches.join(", ")}\n` : "") + `start: ${boat.gnome}`;
  } else {
    state.rooms = boat.rooms.map(({ state }) => state).join("");
    state.hatches = boat.hatches.map(({ state }) => state).join("");
  }
  // A wish for a room that is no longer in that state is no wish.
  const is = (letter) => (number) => room(boat, number)?.state === letter;
  state.put_out = state.put_out.filter(is("f"));
  state.drain = state.drain.filter(is("h"));
  changed();
}

const next = (states, now) => states[(states.indexOf(now) + 1) % states.length];
const before = (states, now) => states[(states.indexOf(now) + states.length - 1) % states.length];

function showBoard() {
  const boat = boatOf(answer.before);
  const focus = document.activeElement?.dataset;
  const edit = {
    room: (number) => { const here = room(boat, number); here.state = next(ROOM_STATES, here.state); keep(boat); },
    hatch: (hatch, back) => { hatch.state = (back ? before : next)(HATCH_STATES, hatch.state); keep(boat); },
    gnome: (number) => { boat.gnome = number; keep(boat); },
  };
  byId("board").replaceChildren(draw(boat, answer.places, "The boat before the turn", { edit }));
  if (focus?.room) document.querySelector(`#board [data-room="${focus.room}"]`)?.focus();
  if (focus?.hatch) document.querySelector(`#board [data-hatch="${focus.hatch}"]`)?.focus();
  const start = room(boat, boat.gnome);
  byId("status").textContent = `The gnome is in room ${boat.gnome}` + {
    c: ".", l: ", in low water.",
    f: ", which burns: it cannot leave before water puts the fire out.",
    h: ", under high water: it can leave, and come back once the room is low.",
  }[start.state];
  byId("to").replaceChildren(h("option", { value: "" }, "any"), ...boat.rooms.map(({ number }) => h("option", { value: number }, `room ${number}`)));
  byId("to").value = state.to ?? "";
  showTrouble(boat);
  byId("within").value = state.within ?? "";
  byId("avoid_flooding").checked = state.avoid_flooding;
  byId("no_revisit").checked = state.no_revisit;
  if (document.activeElement !== byId("board-text")) byId("board-text").value = state.board || described(boat);
  if (state.board) byId("own").open = true;
  put(byId("board-files"), downloads([["The boat (SVG)", "svg", `${boatWords()} boat`, () => document.querySelector("#board svg")]]));
}

/** What can be put out or drained, each to be wished for. */
function showTrouble(boat) {
  const trouble = boat.rooms.filter(({ state }) => state === "f" || state === "h");
  const had = document.activeElement?.dataset?.low;
  byId("make-low").hidden = trouble.length === 0;
  put(byId("make-low").querySelector("div"), trouble.map(({ number, state: letter }) => h("label", { class: "switch" },
    h("input", { type: "checkbox", "data-low": number, checked: [...state.put_out, ...state.drain].includes(number) }),
    ` ${letter === "f" ? "Put out" : "Drain"} room ${number}`)));
  if (had) document.querySelector(`#make-low [data-low="${had}"]`)?.focus();
}

/** The boat in words for the name of a file. */
const boatWords = () => `red november ${state.board ? `${answer.before.rooms.length} rooms` : `${state.rooms} ${state.hatches.replaceAll(/^c*$/g, "")}`} from ${state.start}${state.to ? ` to ${state.to}` : ""}`;

/** Every way as a table. */
const wayRows = () => [["way", "room", "minutes", "actions", "rooms_made_low"], ...answer.results.map((result, place) =>
  [place + 1, result.finalRoom.number, result.totalCost, result.actions.map((action) => ACTIONS[action.type](action)).join("; "), changes(result).join(" ")])];

const described = (boat) => `rooms: ${boat.rooms.map(({ number, state }) => number + (state === "c" ? "" : ` ${NAMES[state]}`)).join(", ")}\n` +
  `hatches: ${boat.hatches.map(({ rooms, state }) => rooms.join("-") + (state === "c" ? "" : ` ${HATCH_WORDS[state]}`)).join(", ")}\nstart: ${boat.gnome}`;

// The results.

/** What is asked of the boat. */
function question() {
  const { result, step, beside, ...asked } = state;
  return asked;
}

const solve = soon(async () => {
  const found = await ask("red-november/routes", question(), byId("results"));
  if (!found) return;
  routes = found;
  answer = { ...found, places: placed(found.places) };
  showBoard();
  showResults();
  showBeside();
  showPlan();
}, 20);

/** The rooms that a result changes. */
const changes = (result) =>
  result.rooms.filter((room, index) => room.state !== answer.before.rooms[index].state).map(({ number }) => number);

/** The same in words. */
function effect(result) {
  const changed = changes(result);
  return changed.length ? `makes ${changed.length > 1 ? "rooms" : "room"} ${list(changed)} low` : "leaves the boat as it is";
}

/** Says why a room cannot be reached, or why nothing answers what is asked. */
async function sayWhy(to) {
  const found = await ask("red-november/why", { ...question(), ...(to && { to }) }, byId("results"));
  if (found) byId("why").textContent = found.why;
}

function showResults() {
  byId("why").textContent = "";
  if (!answer.results.length) {
    put(byId("results"), h("p", {}, "There is no such way. Ask for less, or change the boat."));
    sayWhy();
    return;
  }
  announce(plural(answer.results.length, "way"));
  const rooms = Map.groupBy(answer.results.map((result, index) => ({ result, index })), ({ result }) => result.finalRoom.number);
  put(byId("results"),
    h("p", { class: "hint" }, `${plural(answer.results.length, "way")} to ${plural(rooms.size, "room")}: the cheapest to every final room and every state of the boat.` +
      (answer.left_out ? ` ${answer.left_out} more are left out; ask for less.` : "")),
    ...[...rooms].map(([number, ways]) => h("div", { class: "to", "data-to": number },
      h("span", {}, `Room ${number} (${ways.length})`),
      ways.length > 1 && h("button", { type: "button", "data-beside": number, "aria-pressed": String(state.beside === number), onclick: () => besideOf(number) },
        "Side by side", h("span", { class: "unseen" }, `: all ways to room ${number}`)),
      ways.map(({ result, index }) => h("button", {
        type: "button", "data-result": index, "aria-pressed": String(index === state.result - 1), title: effect(result),
        onclick: () => choose(index),
      }, h("span", { class: "unseen" }, `Room ${number}, `), minutes(result.totalCost),
      changes(result).length > 0 && h("small", {}, `, ${plural(changes(result).length, "room")} low: ${list(changes(result))}`))))),
    unreached(rooms),
    downloads([["The answer (JSON)", "json", `${boatWords()} ways`, () => routes], ["Every way (CSV)", "csv", `${boatWords()} ways`, wayRows]]));
}

/** The rooms to which no way leads, each with the question why. */
function unreached(reached) {
  const rooms = answer.before.rooms.map(({ number }) => number).filter((number) => !reached.has(number));
  if (state.to || answer.left_out || rooms.length === 0) return "";
  return h("div", { class: "to", id: "unreached" }, h("span", {}, "No way to"),
    rooms.map((number) => h("button", { type: "button", "data-why": number, onclick: () => sayWhy(number) }, `room ${number}: why?`)));
}

// All ways to a room, side by side.

/** So many ways are drawn at once. */
const MOST_BESIDE = 12;

function besideOf(number) {
  state.beside = state.beside === number ? null : number;
  show(state);
  for (const button of document.querySelectorAll("#results [data-beside]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.beside) === state.beside));
  }
  showBeside();
  if (state.beside) byId("beside").scrollIntoView({ block: "nearest" });
}

function showBeside() {
  const box = byId("beside");
  const ways = answer.results.map((result, index) => ({ result, index })).filter(({ result }) => result.finalRoom.number === state.beside);
  box.hidden = ways.length === 0;
  const way = ({ result, index }) => {
    const { boat, steps } = play(answer.before, result.actions, result.actions.length);
    return h("li", {},
      h("h4", {}, `${minutes(result.totalCost)}, ${effect(result)}`),
      draw(boat, answer.places, `The boat after way ${index + 1}`, { before: boatOf(answer.before), steps }),
      h("ol", {}, result.actions.map((action) => h("li", {}, ACTIONS[action.type](action), action.cost ? ` (${minutes(action.cost)})` : ""))),
      h("button", { type: "button", onclick: () => choose(index) }, "Step through", h("span", { class: "unseen" }, ` way ${index + 1}`)));
  };
  put(box, h("h3", {}, `All ways to room ${state.beside}`), h("ul", { class: "ways" }, ways.slice(0, MOST_BESIDE).map(way)),
    ways.length > MOST_BESIDE && h("p", { class: "hint" }, `and ${plural(ways.length - MOST_BESIDE, "way")} more: ask for less`));
}

function choose(index) {
  state.result = index + 1;
  state.step = answer.results[index].actions.length;
  show(state);
  for (const button of document.querySelectorAll("#results [data-result]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.result) === index));
  }
  showPlan();
  byId("plan").scrollIntoView({ block: "nearest" });
}

const ACTIONS = {
  OpenHatch: ({ hatch }) => `Open hatch ${hatch.number}`,
  Flood: ({ room1, room2 }) => `Water runs${[room1, room2].some(({ state }) => state === "Fire") ? " and puts the fire out" : ""}: rooms ${room1.number} and ${room2.number} become low`,
  Move: ({ room }) => `${room.state === "LowFlood" ? "Wade" : "Go"} into room ${room.number}`,
};

/** The chosen result: its board, its way, a table of its actions, and the buttons that step through them. */
function showPlan() {
  const box = byId("plan"), result = answer.results[state.result - 1];
  box.hidden = !result;
  problem(state.result && !result ? { message: `There is no way ${state.result}.`, help: `There are ${answer.results.length}.` } : null);
  if (!result) return;
  const { actions } = result, last = actions.length;
  state.step = Math.max(0, Math.min(last, state.step));
  const go = (step) => {
    state.step = Math.max(0, Math.min(last, step));
    show(state);
    showPlan();
  };
  const { boat, steps } = play(answer.before, actions, state.step);
  const focus = document.activeElement?.dataset?.step;
  const button = (name, text, step, disabled) => h("button", { type: "button", "data-step": name, disabled, onclick: () => go(step) }, text);
  const spent = actions.slice(0, state.step).reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  box.replaceChildren(
    h("h3", {}, `To room ${result.finalRoom.number}: ${minutes(result.totalCost)}, ${effect(result)}`),
    draw(boat, answer.places, `The boat after ${state.step} of ${last} actions`, { before: boatOf(answer.before), steps }),
    h("p", { class: "hint" }, "A thick border: changed in this turn. A disc: the gnome goes. A square on its corner: water runs. Open hatches close at the end of the turn."),
    h("div", { class: "row", id: "steps", role: "group", "aria-label": "Step through the actions" },
      button("first", "Start", 0, state.step === 0), button("back", "‹ Back", state.step - 1, state.step === 0),
      button("on", "Next ›", state.step + 1, state.step === last), button("last", "End", last, state.step === last),
      h("span", { "aria-live": "polite", id: "spent" }, `${state.step} of ${plural(last, "action")}, ${minutes(spent)}`)),
    last ? h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Step"), h("th", {}, "Action"), h("th", { class: "number" }, "Minutes"))),
      h("tbody", {}, actions.map((action, index) => h("tr", { class: index + 1 === state.step && "now" },
        h("td", {}, String(index + 1)), h("td", {}, ACTIONS[action.type](action)), h("td", { class: "number" }, action.cost ?? "")))))
      : h("p", {}, "Stay where you are."),
    downloads([["This way (SVG)", "svg", `${boatWords()} way ${state.result} step ${state.step}`, () => box.querySelector("svg")]]));
  if (focus) (box.querySelector(`[data-step="${focus}"]:enabled`) ?? box.querySelector("[data-step]:enabled"))?.focus();
}

// What people change.

function changed() {
  Object.assign(state, { result: 0, step: 0, beside: null });
  show(state);
  solve();
}

byId("wishes").addEventListener("submit", (event) => {
  event.preventDefault();
  isRight(byId("wishes"));
});
byId("wishes").addEventListener("input", () => {
  if (!byId("wishes").checkValidity()) old(byId("results"), true);
});
byId("wishes").addEventListener("change", () => {
  if (!byId("wishes").checkValidity()) return;
  const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
  const low = [...document.querySelectorAll("#make-low :checked")].map(({ dataset }) => Number(dataset.low));
  const wished = (letter) => low.filter((number) => room(boatOf(answer.before), number).state === letter);
  Object.assign(state, {
    to: number("to"), within: number("within"), put_out: wished("f"), drain: wished("h"),
    avoid_flooding: byId("avoid_flooding").checked, no_revisit: byId("no_revisit").checked,
  });
  changed();
});
byId("reset").addEventListener("click", () => {
  const boat = boatOf(answer.before);
  for (const each of boat.rooms) each.state = "c";
  for (const each of boat.hatches) each.state = "c";
  keep(boat);
});
byId("shuffle").addEventListener("click", () => {
  const boat = boatOf(answer.before);
  const pick = (letters) => letters[Math.floor(Math.random() * letters.length)];
  for (const each of boat.rooms) each.state = pick("ccccllhhf");
  for (const each of boat.hatches) each.state = pick("ccccccob");
  boat.gnome = pick(boat.rooms).number;
  keep(boat);
});
byId("use-board").addEventListener("click", () => {
  state.board = byId("board-text").value.trim();
  Object.assign(state, { to: null, put_out: [], drain: [] });
  changed();
});
byId("use-standard").addEventListener("click", () => {
  Object.assign(state, structuredClone(template));
  byId("own").open = false;
  changed();
});
document.addEventListener("keydown", (event) => {
  // Only who is at the buttons steps with these keys; the browser's own, with Alt and the like, stay the browser's.
  if (!event.target.closest("#steps") || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!name) return;
  event.preventDefault();
  document.querySelector(`#plan [data-step="${name}"]:enabled`)?.click();
});

solve();
