// The page of a model: what is asked, a state with its choices, where they lead, and states that are looked for.

import { query, show, state, step } from "./address.js";
import { ask } from "./api.js";
import { announce, byId, h, percent, plural, put, scroller } from "./dom.js";
import { downloads } from "./download.js";
import { drawing } from "./model-drawing.js";
import { asked, progress, question, surely, titled, worth, worths } from "./model-question.js";
import { showState, toState } from "./model-state.js";
import { isRight, old } from "./wrong.js";

/** What is known of the model before it is solved. */
let about = null;
const FIELDS = ["goal", "until", "sense", "reward"];

// The form.

function showForm() {
  byId("model").value = state.model;
  byId("of-models").hidden = about.kind !== "model";
  put(byId("labels"), about.labels.map((label) => h("option", { value: /^[A-Za-z_]\w*$/.test(label) ? label : `"${label}"` })));
  put(byId("reward"), h("option", { value: "" }, "the chance to reach the goal"), about.rewards.map((reward) => h("option", { value: reward }, `the expected ${reward || "reward"} until then`)));
  for (const name of FIELDS) byId(name).value = state[name];
  byId("within").value = state.within ?? "";
  byId("bounds").value = state.bounds.join(", ");
  byId("exact").checked = state.exact;
  const known = [
    about.kind === "game" ? "A game: it says itself what it pays." : "A model: say which states are to be reached.",
    about.states !== null && `${plural(about.states, "state")}.`,
    about.labels.length > 0 && `Labels: ${about.labels.join(", ")}.`,
  ];
  byId("about").textContent = known.filter(Boolean).join(" ");
}

function readForm() {
  if (about.kind === "model") {
    for (const name of ["goal", "until", "reward"]) state[name] = byId(name).value.trim();
    state.within = byId("within").value === "" ? null : Number(byId("within").value);
    state.bounds = byId("bounds").value.split(",").map((bound) => bound.trim()).filter(Boolean);
  }
  state.sense = byId("sense").value;
  state.exact = byId("exact").checked;
}

byId("model").addEventListener("change", ({ target }) => {
  location.href = `/model?${new URLSearchParams({ model: target.value })}`;
});
byId("question").addEventListener("input", () => {
  for (const id of ["answer", "solved"]) if (!byId(id).hidden) old(byId(id), true);
});
byId("question").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!isRight(byId("question"))) return;
  readForm();
  Object.assign(state, { solve: true, state: null, find: "", from: 0 });
  byId("find").value = "";
  step(state);
  solve();
});

// The answer.

async function solve() {
  const box = byId("progress");
  const answer = await ask("model/solve", { question: question() }, box, progress(box, box));
  put(box);
  byId("answer").hidden = byId("solved").hidden = !answer;
  if (!answer) return;
  for (const id of ["answer", "solved"]) old(byId(id), false);
  const line = (to, value) => h("tr", {}, h("td", { class: "number" }, percent(to.probability.decimal)), h("td", {}, toState(to, go)), h("td", {}, to.described), h("td", { class: "number" }, value));
  const lines = (states) => {
    const values = worths(states.map(({ value }) => value));
    return states.map((to, place) => line(to, values[place]));
  };
  const start = ({ value, count, states }, place) => h("div", { "data-start": place },
    h("p", { class: "big" }, worth(value)), h("p", { class: "exact" }, surely(value)),
    count === 1
      ? h("p", {}, "From ", toState(states[0], go), " ", states[0].described)
      : h("details", {}, h("summary", {}, `Begins in one of ${plural(count, "state")}`), scroller(h("table", {}, h("tbody", {}, lines(states))))),
    h("p", {}, walkLink(count === 1 ? states[0].state : null, place)));
  put(byId("answer"), h("h2", { id: "answer-title" }, asked()), answer.starts.map(start),
    answer.left_out > 0 && h("p", { class: "hint" }, `${answer.left_out} further starts`),
    h("p", { class: "hint", id: "size" }, `${plural(answer.states, "state")}, ${plural(answer.choices, "choice")}, ${plural(answer.transitions, "outcome")}`),
    downloads([["The answer (JSON)", "json", `${state.model} answer`, () => answer]]));
  announce(`${asked()}: ${worth(answer.starts[0].value)}`);
  await look(state.state ?? answer.starts[0].states[0].state);
  if (state.find !== "" || state.from > 0) find();
}

// A state.

/** A link into a walk that begins in a state, or at a start, and in which these steps were taken. */
const walkLink = (from, start = 0, label = "Walk from here", steps = "") => {
  const text = query({ ...question(), solve: true });
  const more = new URLSearchParams({ ...(from === null ? { start } : { state: from }), ...(steps && { steps }) });
  return h("a", { class: "walk-link", href: `/model/walk?${text ? text + "&" : ""}${more}` }, label);
};

let shown = null;

async function look(number) {
  const answer = await ask("model/state", { question: question(), state: number }, byId("here"), progress(byId("progress"), byId("here")));
  put(byId("progress"));
  if (!answer) return false;
  shown = number;
  showState(answer, { go, walkLink });
  announce(`${titled(answer)}, ${worth(answer.value)}`);
  await draw();
  return true;
}

async function draw() {
  const around = await ask("model/around", { question: question(), state: shown, steps: state.steps }, byId("drawing"));
  if (!around) return;
  const had = byId("drawing").contains(document.activeElement);
  const box = scroller(drawing(around, go));
  put(byId("drawing"), box, downloads([["The drawing (SVG)", "svg", `${state.model} around state ${shown}`, () => byId("drawing").querySelector("svg")]]));
  if (had) byId("drawing").querySelector("[data-round]").focus();
}

/** Goes to a state, as a step that Back takes back. */
async function go(number) {
  const had = byId("drawing").contains(document.activeElement);
  state.state = number;
  step(state);
  if (await look(number) && !had) byId("state-title").focus();
}

byId("steps").value = state.steps;
byId("steps").addEventListener("change", ({ target }) => {
  state.steps = Number(target.value);
  show(state);
  draw();
});

// States that are looked for.

async function find() {
  const box = byId("found");
  const answer = await ask("model/find", { question: question(), find: state.find, from: state.from }, box, progress(byId("progress"), box));
  put(byId("progress"));
  if (!answer) return;
  const values = worths(answer.states.map(({ value }) => value));
  const line = (own, place) => h("tr", {}, h("td", {}, toState(own, go)), h("td", {}, own.described, own.over && h("span", { class: "hint" }, " (over)")), h("td", { class: "number" }, values[place]));
  put(box,
    answer.states.length === 0 ? h("p", {}, "There is no such state.") : scroller(h("table", { id: "states" },
      h("thead", {}, h("tr", {}, h("th", {}, "State"), h("th", {}, "What it is"), h("th", { class: "number" }, "Worth"))), h("tbody", {}, answer.states.map(line)))),
    answer.next !== null && h("button", { type: "button", id: "next", onclick: () => {
      state.from = answer.next;
      step(state);
      find();
    } }, "Further states"),
    answer.states.length > 0 && downloads([["These states (CSV)", "csv", `${state.model} states`, () => [["state", "described", "over", "value"],
      ...answer.states.map((own) => [own.state, own.described, own.over, own.value.decimal])]]]));
  announce(plural(answer.states.length, "state"));
}

byId("find").value = state.find;
byId("find-form").addEventListener("submit", (event) => {
  event.preventDefault();
  Object.assign(state, { find: byId("find").value.trim(), from: 0 });
  step(state);
  find();
});

if (state.model !== "") {
  about = await ask("model/about", { model: state.model }, byId("about"));
  if (about) {
    // A model with one label is mostly asked about that.
    if (about.kind === "model" && state.goal === "" && about.labels.length === 1) state.goal = /^[A-Za-z_]\w*$/.test(about.labels[0]) ? about.labels[0] : `"${about.labels[0]}"`;
    showForm();
    if (state.solve) solve();
  }
}
