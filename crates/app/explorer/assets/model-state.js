// A state of a model: its choices with their odds, and where chance leads from each.

import { ask } from "./api.js";
import { byId, h, percent, plural, put, scroller } from "./dom.js";
import { named, question, surely, titled, worth, worths } from "./model-question.js";
import { STANDINGS } from "./standing.js";

/** A button that leads to a state. */
export const toState = ({ state, described }, go) =>
  h("button", { type: "button", class: "to-section", "data-state": state, "aria-label": `Look at state ${state}`, title: described, onclick: () => go(state) }, String(state));

const row = (to, go, cell) => h("tr", {},
  h("td", { class: "number" }, percent(to.probability.decimal)),
  h("td", {}, go ? toState(to, go) : String(to.state)),
  h("td", {}, to.described, to.over && h("span", { class: "hint" }, " (over)")),
  h("td", { class: "number" }, cell));

const rows = (outcomes, go) => {
  const all = worths(outcomes.map(({ value }) => value));
  return outcomes.map((to, place) => row(to, go, all[place]));
};

/** The table of outcomes, the likeliest first. */
function outcomeTable(outcomes, go) {
  const body = h("tbody", {}, rows(outcomes, go));
  return [body, h("table", { class: "outcomes" }, h("thead", {}, h("tr", {},
    h("th", { class: "number" }, "Chance"), h("th", {}, "State"), h("th", {}, "What it is"), h("th", { class: "number" }, "Worth"))), body)];
}

/** The outcomes of a choice; further ones are asked for page by page. */
export function outcomes(state, { choice, count, outcomes: first }, go) {
  const [body, table] = outcomeTable(first, go);
  let known = first.length;
  const more = h("button", { type: "button", hidden: known >= count, onclick: async () => {
    const answer = await ask("model/outcomes", { question: question(), state, choice, from: known }, table);
    if (!answer) return;
    known += answer.outcomes.length;
    body.append(...rows(answer.outcomes, go));
    more.hidden = known >= count;
    more.textContent = `More (${count - known} left)`;
  } }, `More (${count - known} left)`);
  return [scroller(table), more];
}

function choiceRow(state, own, cell, { go, walkLink }) {
  const [likeliest] = own.outcomes, certain = own.count === 1;
  const leads = certain
    ? [toState(likeliest, go), " ", likeliest.described]
    : h("details", {}, h("summary", {}, plural(own.count, "outcome")), outcomes(state, own, go));
  return h("tr", { class: own.standing === "first" ? "best" : "", "data-choice": own.choice },
    h("td", {}, walkLink(state, 0, named(own), `c${own.choice}`), STANDINGS[own.standing] && ` (${STANDINGS[own.standing]})`, own.earns && h("span", { class: "hint" }, ` earns ${own.earns.exact?.replace(/\/1$/, "") ?? own.earns.decimal}`)),
    h("td", { class: "number" }, cell),
    h("td", {}, leads));
}

const choiceRows = (state, choices, ways) => {
  const all = worths(choices.map(({ value }) => value));
  return choices.map((own, place) => choiceRow(state, own, all[place], ways));
};

/** Shows a state in its card; `ways` lead to other states, and into walks. */
export function showState(answer, ways) {
  const body = h("tbody", {}, choiceRows(answer.state, answer.choices, ways));
  let known = answer.choices.length;
  const more = h("button", { type: "button", hidden: known >= answer.count, onclick: async () => {
    const next = await ask("model/state", { question: question(), state: answer.state, from: known }, body);
    if (!next) return;
    known += next.choices.length;
    body.append(...choiceRows(answer.state, next.choices, ways));
    more.hidden = known >= answer.count;
  } }, "More choices");
  put(byId("here"),
    h("h2", { id: "state-title", tabindex: -1 }, titled(answer)),
    h("p", { class: "big", id: "worth" }, worth(answer.value)),
    h("p", { class: "exact", id: "surely" }, surely(answer.value)),
    answer.over
      ? h("p", { id: "over" }, answer.over)
      : [scroller(h("table", { id: "choices" }, h("thead", {}, h("tr", {},
        h("th", {}, plural(answer.count, "choice")), h("th", { class: "number" }, "Worth"), h("th", {}, "Leads to"))), body)), more],
    h("div", { class: "row" }, ways.walkLink(answer.state)));
}
