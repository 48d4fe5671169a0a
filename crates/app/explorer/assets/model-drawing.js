// The neighbourhood of a state: states as rounds, choices as squares, from left to right.

import { percent, s } from "./dom.js";
import { named, titled, worth, worths } from "./model-question.js";
import { STANDINGS } from "./standing.js";

const COLUMN = 190, ROW = 58, LEFT = 44, TOP = 40;
/** Chances are written on the lines of a column as long as there are so few of them. */
const FEW = 12;

/** As many digits of a value as there is room for, if they tell values apart. */
const DIGITS = 4;

/** Puts things in columns: their places by a key. */
function placed(columns, keyOf) {
  const most = Math.max(...columns.map((column) => column.length));
  const places = new Map();
  columns.forEach((column, across) => column.forEach((thing, down) => {
    places.set(keyOf(thing), { x: LEFT + across * COLUMN, y: TOP + ((down + 0.5) * most * ROW) / column.length });
  }));
  return places;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The drawing. `go` is called with the number of a state that is chosen. */
export function drawing({ states, choices }, go) {
  const last = Math.max(...states.map(({ distance }) => distance));
  const distance = new Map(states.map((own) => [own.state, own.distance]));
  // States and choices take turns in the columns.
  const columns = Array.from({ length: last + 1 }, (_, far) => [
    states.filter((own) => own.distance === far),
    choices.filter(({ from }) => distance.get(from) === far),
  ]).flat().filter((column) => column.length > 0);
  const keyOf = (thing) => ("from" in thing ? `${thing.from} ${thing.choice}` : thing.state);
  const places = placed(columns, keyOf);
  const width = LEFT * 2 + Math.max(1, columns.length - 1) * COLUMN + 60, height = TOP * 2 + Math.max(...columns.map((column) => column.length)) * ROW;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "neighbourhood", role: "group", "aria-label": "States and choices near by; move with the arrow keys" });
  svg.style.minWidth = `${Math.min(width, 640)}px`;
  const lines = s("g"), nodes = s("g"), words = s("g", { class: "words", "aria-hidden": "true" });
  svg.append(lines, nodes, words);
  const outcomes = (far) => choices.filter(({ from }) => distance.get(from) === far).reduce((sum, own) => sum + own.outcomes.length, 0);
  const worthTexts = worths(choices.map(({ value }) => value), DIGITS);
  for (const [place, own] of choices.entries()) {
    const areFew = outcomes(distance.get(own.from)) <= FEW;
    const at = places.get(keyOf(own)), from = places.get(own.from), best = own.standing === "first" ? "best" : "";
    lines.append(s("line", { class: best, x1: from.x, y1: from.y, x2: at.x, y2: at.y }));
    for (const { state, probability } of own.outcomes) {
      const to = places.get(state), back = to.x < at.x;
      // Lines that lead back run below, apart from those that lead there.
      const path = back ? `M${at.x} ${at.y} C${at.x} ${at.y + 46} ${to.x} ${to.y + 46} ${to.x} ${to.y}` : `M${at.x} ${at.y} L${to.x} ${to.y}`;
      const label = { x: at.x + (to.x - at.x) * 0.62, y: at.y + (to.y - at.y) * 0.62 - 3 };
      lines.append(s("path", { class: back ? "back" : best, d: path }, s("title", {}, `${named(own)}: ${percent(probability.decimal)} to state ${state}`)));
      if (areFew && !back && (own.outcomes.length > 1 || own.left_out > 0)) lines.append(s("text", { class: "chance", ...label, "text-anchor": "middle" }, percent(probability.decimal)));
    }
    const more = own.left_out > 0 ? `, and ${own.left_out} more outcomes` : "";
    nodes.append(s("g", { class: `choice ${best}` },
      s("rect", { x: at.x - 9, y: at.y - 9, width: 18, height: 18 }),
      s("text", { x: at.x, y: at.y - 15, "text-anchor": "middle" }, cut(named(own), 24)),
      s("text", { class: "worth", x: at.x, y: at.y + 24, "text-anchor": "middle" }, worthTexts[place]),
      s("title", {}, `${named(own)}: ${worth(own.value)}${STANDINGS[own.standing] ? `, ${STANDINGS[own.standing]}` : ""}${more}`)));
  }
  const shortly = worths(states.map(({ value }) => value), DIGITS);
  const rounds = states.map((own, place) => {
    const { x, y } = places.get(own.state), text = String(own.state);
    const node = s("g", {
      class: "round", role: "button", tabindex: place === 0 ? 0 : -1, "data-round": own.state,
      "aria-label": `${titled(own)}, ${worth(own.value)}${own.over ? ", over" : ""}`, onclick: () => go(own.state),
    },
    own.over && s("circle", { class: "over", cx: x, cy: y, r: 22 }),
    s("circle", { cx: x, cy: y, r: 18 }),
    s("title", {}, titled(own)));
    nodes.append(node);
    // What is read out is the label of the node: these are beside it.
    words.append(
      s("text", { class: "number", x, y: y + 4, "text-anchor": "middle", "font-size": Math.min(12, 62 / text.length) }, text),
      s("text", { class: "worth", x, y: y + 35, "text-anchor": "middle" }, shortly[place]));
    return { node, x, y, state: own.state };
  });
  let at = rounds[0];
  const focus = (next) => {
    at.node.setAttribute("tabindex", -1);
    next.node.setAttribute("tabindex", 0);
    next.node.focus();
    at = next;
  };
  const nearest = (wanted) => rounds.filter(wanted).sort((a, b) =>
    Math.abs(a.x - at.x) - Math.abs(b.x - at.x) || Math.abs(a.y - at.y) - Math.abs(b.y - at.y))[0];
  svg.addEventListener("keydown", (event) => {
    const next = {
      ArrowRight: () => nearest(({ x }) => x > at.x), ArrowLeft: () => nearest(({ x }) => x < at.x),
      ArrowDown: () => nearest(({ x, y }) => x === at.x && y > at.y), ArrowUp: () => nearest(({ x, y }) => x === at.x && y < at.y),
    }[event.key];
    if (next) {
      event.preventDefault();
      const found = next();
      if (found) focus(found);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      go(at.state);
    }
  });
  svg.addEventListener("focusin", ({ target }) => {
    at = rounds.find(({ node }) => node === target) ?? at;
  });
  return svg;
}
