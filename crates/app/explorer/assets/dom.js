// Making elements, and writing numbers as people read them.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...present(children));
  return element;
}

/** The children that are there: those that a condition left out are null, undefined or false. */
const present = (children) => children.flat(Infinity).filter((child) => child != null && child !== false);

/** Puts these children into an element, instead of those it had. */
export const put = (element, ...children) => element.replaceChildren(...present(children));

/** An HTML element: h("p", {class: "hint"}, "text", child). Attributes that begin with "on" are listeners. */
export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** The same for SVG. */
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** A count of things: 1 step, 2 steps. */
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

export const byId = (id) => document.getElementById(id);

/** Has screen readers read out in a few words what has changed. */
export const announce = (text) => { byId("announcement").textContent = text; };

/** A box in which what is too wide is scrolled, with the keyboard as well. */
export function scroller(...children) {
  const box = h("div", { class: "scroll" }, children);
  const wide = { tabindex: "0", role: "group", "aria-label": "A wide table" };
  new ResizeObserver(() => {
    for (const [name, value] of Object.entries(wide)) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }).observe(box);
  return box;
}

/** A chance as a percentage; never 0 or 100 unless it is. */
export function percent(chance) {
  if (chance === 0) return "0 %";
  if (chance > 0 && chance < 0.00001) return `${(chance * 100).toExponential(2)} %`;
  const text = (chance * 100).toFixed(chance < 0.01 ? 4 : chance < 0.1 ? 3 : 2);
  return chance < 1 && Number(text) >= 100 ? "> 99.99 %" : `${text} %`;
}

/** Whether two numbers differ for sure: exact ones, or such with bounds, or plain ones beyond what rounding does. */
function differ(one, other) {
  if (one == null || other == null) return false;
  if (one.exact && other.exact) return one.exact !== other.exact;
  if (one.lower !== undefined) return one.upper < other.lower || other.upper < one.lower;
  return Math.abs(one - other) > 1e-12 * Math.max(Math.abs(one), Math.abs(other));
}

/** The decimal of a number with bounds, or of a plain one. */
const decimalOf = (number) => (typeof number === "number" ? number : number.decimal);

/** What there is instead of a number that is not known. */
const UNKNOWN = "not known";

/**
 * Numbers side by side, or null for those that are not known: as `written` writes each, or by `finer` with as many digits as it
 * takes to tell apart those that differ.
 */
export function apart(numbers, written, finer) {
  const texts = numbers.map((number) => (number == null ? UNKNOWN : written(decimalOf(number))));
  for (let digits = 4; digits <= 15; digits++) {
    const alike = [...Map.groupBy(numbers.keys(), (place) => texts[place]).values()];
    const unclear = alike.filter((group) => group.length > 1 && group.some((place) => group.some((other) => differ(numbers[place], numbers[other])))).flat();
    if (unclear.length === 0) break;
    for (const place of unclear) texts[place] = finer(decimalOf(numbers[place]), digits);
  }
  return texts;
}

/** Chances side by side. */
export const percents = (chances) => apart(chances, percent, (chance, digits) => {
  const text = (chance * 100).toPrecision(digits + 1);
  return chance < 1 && Number(text) >= 100 ? percent(chance) : `${text} %`;
});

/** Other numbers side by side, with so many decimals or more. */
export const amounts = (numbers, least = 3) => apart(numbers, (number) => number.toFixed(least), (number, digits) => number.toFixed(Math.max(least, digits)));

/** A number with its sign, as a change. */
export const signed = (number, digits = 3) => (number > 0 ? "+" : number < 0 ? "−" : "±") + Math.abs(number).toFixed(digits);

/** A change of a chance, in percentage points. */
export function points(change) {
  if (change === 0) return "no difference";
  const size = Math.abs(change) * 100;
  return `${change > 0 ? "+" : "−"}${size < 0.001 ? size.toExponential(1) : size.toFixed(3)} points`;
}

/** Bars for chances: [[label, chance], ...], with a description for those who do not see them. */
export function bars(rows, description) {
  const most = Math.max(...rows.map(([, chance]) => chance), 1e-300);
  const width = 560, height = 110, step = width / rows.length;
  const every = Math.ceil(rows.length / 14);
  const svg = s("svg", { viewBox: `0 0 ${width} ${height + 18}`, class: "bars", role: "img", "aria-label": description });
  rows.forEach(([label, chance], place) => {
    const tall = (chance / most) * (height - 4);
    svg.append(
      s("rect", { x: place * step + step * 0.1, y: height - tall, width: step * 0.8, height: tall },
        s("title", {}, `${label}: ${percent(chance)}`)));
    if (place % every === 0) {
      svg.append(s("text", { x: (place + 0.5) * step, y: height + 14, "text-anchor": "middle" }, String(label)));
    }
  });
  svg.append(s("line", { x1: 0, x2: width, y1: height, y2: height }));
  return svg;
}
