// Tables of heroes: which are best, what each thing is worth, and every hero, sorted and filtered.

import { show, state, step } from "./address.js";
import { ask, soon } from "./api.js";
import { announce, byId, h, plural, points, put, scroller, signed } from "./dom.js";
import { downloads } from "./download.js";
import { heroGrid, worthOf } from "./heroes-grid.js";

/** So many heroes stand on a page of the table. */
const COUNT = 50;
/** So many groups are shown at first. */
const FEW = 12;

/** The table summed up, as its endpoint tells it. */
let summary = null;

const worded = (name) => name.replaceAll(/[-_]/g, " ");
const worth = (value) => worthOf(summary.is_chance)(value);
const heroes = (count) => (count === 1 ? "1 hero" : `${count.toLocaleString("en")} heroes`);
const fileOf = (what) => `${summary.table} ${what}`;

// The address holds one filter as a word.
if (typeof state.filter === "string") state.filter = [state.filter];

// All together.

async function sumUp() {
  const { table, book } = state;
  summary = await ask("heroes/summary", { table, book }, byId("about"));
  if (!summary) return;
  byId("table").value = summary.table;
  put(byId("book"), summary.books.length === 0 && h("option", { value: "" }, "no book that is here"),
    summary.books.map(([name, title]) => h("option", { value: name }, `${title} (${name})`)));
  byId("book").value = summary.book ?? "";
  const { missing, rolls, mean, title } = summary;
  document.title = `${title}: heroes · bestplay`;
  put(byId("about"),
    h("p", {}, h("strong", {}, title), `: ${heroes(summary.heroes)}, ${plural(rolls, "roll")}. The mean of all is `, h("strong", { id: "mean" }, worth(mean)), "."),
    missing > 0 && h("p", { class: "hint", id: "missing" }, `${heroes(missing)} of these sets and rolls are not in the table: sets count by the rolls that are there.`),
    downloads([["The summary (JSON)", "json", fileOf("summary"), () => summary]]));
  showBest();
  showWorth();
  showGrid();
  showFilters();
}

/** A bar beside a number: how much it is of the most. */
const bar = (share) => {
  const box = h("span", { class: "share", "aria-hidden": "true" });
  box.style.width = `${(6 * Math.max(0, share)).toFixed(2)}rem`;
  return box;
};

function showBest() {
  const { groups, left_out, rolls } = summary, most = Math.max(...groups.map(({ win }) => win), Number.MIN_VALUE);
  const row = ({ name, win, best_for, address }) => h("tr", {},
    h("td", {}, address ? h("a", { href: address }, name || "these heroes") : name || "these heroes"),
    h("td", { class: "number" }, worth(win)), h("td", {}, bar(win / most)), h("td", { class: "number" }, String(best_for)));
  const table = (rows) => scroller(h("table", { "aria-label": "The best sets" },
    h("thead", {}, h("tr", {}, h("th", {}, "Set"), h("th", { class: "number" }, "Over all rolls"), h("th", {}, h("span", { class: "unseen" }, "Share of the best")),
      h("th", { class: "number" }, `Best of ${rolls} rolls`))),
    h("tbody", {}, rows.map(row))));
  put(byId("best"),
    table(groups.slice(0, FEW)),
    groups.length > FEW && h("details", {}, h("summary", {}, `${plural(groups.length - FEW, "further set")}`), table(groups.slice(FEW))),
    left_out > 0 && h("p", { class: "hint" }, `and ${plural(left_out, "set")} that are worse`),
    h("p", { class: "hint" }, "Over all rolls, each as likely as the dice make it; and for how many rolls no other set is better. A link opens the book with the hero who has the likeliest roll."),
    downloads([["The sets (CSV)", "csv", fileOf("sets"), () => [["set", "win", "best_for"], ...groups.map(({ name, win, best_for }) => [name, win, best_for])]]]));
}

function showWorth() {
  const { gains, is_chance } = summary, most = Math.max(...gains.map(({ gain }) => Math.abs(gain)), Number.MIN_VALUE);
  const amount = (gain) => (is_chance ? points(gain) : signed(gain));
  put(byId("worth"), gains.length === 0 ? h("p", {}, "Nothing in this table can be weighed: nobody has what another lacks.") : [
    scroller(h("table", { id: "gains" },
      h("thead", {}, h("tr", {}, h("th", {}, "What"), h("th", { class: "number" }, "Brings"), h("th", {}, h("span", { class: "unseen" }, "Share of the most")))),
      h("tbody", {}, gains.map(({ what, gain }) => h("tr", {}, h("td", {}, worded(what)), h("td", { class: "number" }, amount(gain)), h("td", {}, bar(gain / most))))))),
    h("p", { class: "hint" }, "The mean with it, less the mean without it; for a number what one point more brings, for the same set. Who has more of something has less of another thing, where the rules give so many."),
    downloads([["What each is worth (CSV)", "csv", fileOf("worth"), () => [["column", "what", "gain"], ...gains.map(({ column, what, gain }) => [column, what, gain])]]])]);
}

function showGrid() {
  const svg = heroGrid(summary.grid, summary.is_chance, worth);
  byId("grid-card").hidden = !svg;
  if (!svg) return;
  put(byId("grid"), scroller(svg), h("p", { class: "hint" }, "Darker is better. Each cell is the best set with these numbers; a click opens the book with that hero."),
    downloads([["The picture (SVG)", "svg", fileOf("best by roll"), () => svg]]));
}

// The table.

/** The filters of the state by their columns. */
const wanted = () => new Map(state.filter.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]));

function setFilter(column, text) {
  state.filter = state.filter.filter((own) => own.split("=")[0] !== column);
  if (text) state.filter.push(`${column}=${text}`);
  state.from = 0;
  show(state);
  showRowsSoon();
}

function showFilters() {
  const now = wanted();
  put(byId("filters").querySelector(".fields"), summary.columns.map(({ name, numbers, names }) => {
    const id = `filter-${name}`, value = now.get(name) ?? "";
    const field = h("input", { id, type: "text", value, autocapitalize: "none", spellcheck: "false",
      placeholder: numbers ? (numbers[0] === numbers[1] ? String(numbers[0]) : `${numbers[0]}..${numbers[1]}`) : names[0] ?? "any", list: names.length ? `${id}-names` : null,
      oninput: ({ target }) => setFilter(name, target.value.trim()) });
    return h("div", { class: "field" }, h("label", { for: id }, worded(name)), field,
      names.length > 0 && h("datalist", { id: `${id}-names` }, names.flatMap((own) => [h("option", { value: own }), h("option", { value: `-${own}` })])));
  }));
}

/** The name of the column of what heroes are worth. */
const valueName = () => (summary.is_chance ? "win" : "value");

/** So many are asked for at once when all are wanted. */
const MOST = 5000;

/** All heroes who were found, in the order of the table; nothing where that fails. */
async function everybody(found, rows) {
  if (found <= rows.length) return rows;
  const { table, book, sort, descending, filter } = state, all = [];
  while (all.length < found) {
    const answer = await ask("heroes/rows", { table, book, sort, descending, filter, from: all.length, count: MOST }, byId("rows"));
    if (!answer || answer.rows.length === 0) return null;
    all.push(...answer.rows);
  }
  return all;
}

async function showRows() {
  const { table, book, sort, descending, filter, from } = state;
  const answer = await ask("heroes/rows", { table, book, sort, descending, filter, from, count: COUNT }, byId("rows"));
  if (!answer) return;
  const { found, rows } = answer;
  byId("found").textContent = found === 0 ? "Nobody is so." : `${from + 1} to ${from + rows.length} of ${found.toLocaleString("en")}`;
  const sortBy = (name) => {
    state.descending = sort === name ? !descending : true;
    state.sort = name;
    state.from = 0;
    step(state);
    showRows();
  };
  const head = (name, isNumber) => h("th", { class: isNumber && "number", "aria-sort": sort === name ? (descending ? "descending" : "ascending") : null },
    h("button", { type: "button", class: "sort", "data-sort": name, onclick: () => sortBy(name) }, worded(name), sort === name && h("span", { "aria-hidden": "true" }, descending ? " ↓" : " ↑")));
  const { columns } = summary;
  const focus = document.activeElement?.dataset?.sort;
  put(byId("rows"), scroller(h("table", { id: "heroes-table" },
    h("thead", {}, h("tr", {}, columns.map(({ name, numbers }) => head(name, Boolean(numbers))), head(valueName(), true), h("th", {}, h("span", { class: "unseen" }, "The book as this hero")))),
    h("tbody", {}, rows.map(({ cells, win, lower, upper, exact, address }) => h("tr", {},
      columns.map(({ name, numbers }) => h("td", { class: numbers && "number" }, String(cells[name]))),
      h("td", { class: "number", title: exact ?? `between ${lower} and ${upper}` }, worth(win)),
      h("td", {}, address && h("a", { href: address }, "Open", h("span", { class: "unseen" }, ` the book with ${columns.map(({ name }) => `${worded(name)} ${cells[name]}`).join(", ")}`)))))))),
  downloads([["All these heroes (CSV)", "csv", fileOf("heroes"), async () => {
    const all = await everybody(found, rows);
    return all && [[...columns.map(({ name }) => name), valueName(), "lower", "upper", "exact"],
      ...all.map(({ cells, win, lower, upper, exact }) => [...columns.map(({ name }) => cells[name]), win, lower, upper, exact])];
  }],
  ["This page (JSON)", "json", fileOf("heroes"), () => answer]]));
  if (focus) byId("rows").querySelector(`[data-sort="${focus}"]`)?.focus();
  const turn = (to) => {
    state.from = Math.max(0, to);
    step(state);
    showRows();
  };
  put(byId("pages"),
    h("button", { type: "button", id: "earlier", disabled: from === 0, onclick: () => turn(from - COUNT) }, "‹ Before"),
    h("button", { type: "button", id: "later", disabled: from + rows.length >= found, onclick: () => turn(from + COUNT) }, "Next ›"));
  announce(byId("found").textContent);
}

const showRowsSoon = soon(showRows, 200);

byId("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  showRows();
});

for (const id of ["table", "book"]) {
  byId(id)?.addEventListener("change", async ({ target }) => {
    state[id] = target.value;
    if (id === "table") Object.assign(state, { book: "", sort: "", filter: [] });
    state.from = 0;
    step(state);
    await begin();
  });
}

async function begin() {
  await sumUp();
  if (summary) await showRows();
}

if (byId("table")) begin();
