// The odds of a walk as a line: what luck gave, what mistakes cost.

import { percent, plural, points, s } from "./dom.js";

/** Smaller changes are those of rounding. */
const NOTHING = 1e-9;

/** The change of the odds with each entry of a log; null where it is not known. */
export function changes(log) {
  return log.map(({ win }, place) => {
    const before = place > 0 ? log[place - 1].win : null;
    // Infinite values have no decimal.
    if (!Number.isFinite(win?.decimal) || !Number.isFinite(before?.decimal)) return null;
    const change = win.decimal - before.decimal;
    return Math.abs(change) < NOTHING ? 0 : change;
  });
}

/** The sums of the changes by luck, by answers and by corrections. */
export function sums(log) {
  const all = { chance: 0, answer: 0, correction: 0 };
  changes(log).forEach((change, place) => {
    if (change !== null && log[place].kind in all) all[log[place].kind] += change;
  });
  return all;
}

const WORDS = { chance: "luck", answer: "answer", correction: "correction" };

/** The line, or null if fewer than two odds are known. `written` and `changed` write odds and changes. */
export function oddsLine(log, { written = percent, changed = points } = {}) {
  const known = log.map(({ win, kind }, place) => ({ place, kind, win: win?.decimal })).filter(({ win }) => Number.isFinite(win));
  if (known.length < 2) return null;
  const width = 600, height = 160, left = 52, bottom = 18;
  const all = known.map(({ win }) => win);
  const least = Math.min(...all, 0), most = Math.max(...all, least + 1e-300), last = Math.max(1, log.length - 1);
  const x = (place) => left + (place / last) * (width - left - 8);
  const y = (win) => 8 + ((most - win) / (most - least)) * (height - bottom - 8);
  const luck = sums(log), steps = plural(log.length - 1, "step");
  const label = `The odds from ${written(known[0].win)} to ${written(known.at(-1).win)} in ${steps}; luck ${changed(luck.chance)}, answers ${changed(luck.answer)}`;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "odds-line", role: "img", "aria-label": label });
  for (const win of [least, (least + most) / 2, most]) {
    svg.append(
      s("line", { class: "rule", x1: left, x2: width - 8, y1: y(win), y2: y(win) }),
      s("text", { x: left - 6, y: y(win) + 4, "text-anchor": "end" }, written(win)));
  }
  known.slice(1).forEach((now, place) => {
    const before = known[place];
    svg.append(s("line", { class: now.kind, x1: x(before.place), y1: y(before.win), x2: x(now.place), y2: y(now.win) }));
  });
  // Answers are squares, rolls are discs.
  for (const { place, kind, win } of log.length > 120 ? [known.at(-1)] : known) {
    const title = s("title", {}, `${place}: ${WORDS[kind] ?? "the beginning"}, ${written(win)}`);
    svg.append(kind === "answer" || kind === "correction"
      ? s("rect", { class: kind, x: x(place) - 3.5, y: y(win) - 3.5, width: 7, height: 7 }, title)
      : s("circle", { class: kind, cx: x(place), cy: y(win), r: 3.5 }, title));
  }
  svg.append(s("text", { x: left, y: height - 4 }, "0"), s("text", { x: width - 8, y: height - 4, "text-anchor": "end" }, steps));
  return svg;
}
