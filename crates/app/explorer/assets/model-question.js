// The question about a model, as the address has it, and how its values are written.

import { cancel } from "./api.js";
import { state } from "./address.js";
import { apart, h, percent, percents, plural, points, put, signed } from "./dom.js";

/** The question in the address: which model, and what is asked of it. */
export const question = () => {
  const { model, goal, until, sense, reward, exact, within, bounds } = state;
  return { model, goal, until, sense, reward, exact, within, bounds };
};

/** Whether values are chances: those of reaching a goal. */
export const isChance = () => state.goal !== "" && state.reward === "";

const amount = (number) => (Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(7))));

/** A number of the kind that is asked for. */
export const written = (number) => (isChance() ? percent(number) : amount(number));

/** A change of it. */
export const changed = (change) => (isChance() ? points(change) : change === 0 ? "no difference" : `${signed(change, Math.abs(change) < 0.001 ? 7 : 4)}`);

/** A value, in words. */
export const worth = (value) => (!value ? "not known" : value.infinite ? "infinite" : written(value.decimal));

/** Several values side by side, with so many digits, and with more where different values would look alike. */
export function worths(values, digits = 7) {
  if (isChance()) return percents(values);
  const short = (number, most) => (Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(most))));
  const texts = apart(values.map((value) => (value?.infinite ? null : value)), (number) => short(number, digits), (number, more) => short(number, Math.max(digits, more)));
  return texts.map((text, place) => (values[place]?.infinite ? "infinite" : text));
}

/** Whether a value is exact, or how close its bounds are. */
export const surely = ({ infinite, exact, lower, upper }) =>
  infinite ? "" : exact ? `Exactly ${exact.replace(/\/1$/, "")}` : lower === upper ? `Exactly ${lower}` : `Proven, to within ${(upper - lower).toExponential(0)}`;

/** What a choice is called. */
export const named = ({ choice, name }) => name ?? `choice ${choice}`;

/** A state in words. */
export const titled = ({ state: number, described }) => `State ${number}${described && `: ${described}`}`;

/** Shows in `box` how far a solve for `where` has come. */
export const progress = (box, where) => ({ stage, states, seconds }) => {
  if (seconds < 0.4) return;
  put(box, h("div", { class: "row" }, `${stage}: ${plural(states, "state")}, ${seconds.toFixed(1)} s`,
    h("button", { type: "button", onclick: () => cancel(where) }, "Cancel")));
};

/** What is asked, in words. */
export function asked() {
  const { model, goal, until, sense, reward, within, bounds } = state;
  const most = sense === "max" ? "largest" : "smallest";
  const limits = [within !== null && `, within ${plural(within, "choice")}`, ...bounds.map((bound) => `, ${bound.replace("=", " at most ")}`)].filter(Boolean).join("");
  if (goal === "") return `${model}: the ${most} payoff`;
  return `${model}: the ${most} ${reward === "" ? "probability of reaching" : `expected ${reward} until`} ${goal}${until && `, only through ${until}`}${limits}`;
}
