import { show, state, step } from "./address.js";
import { ask, cancel, failure, problem, soon } from "./api.js";
import { announce, byId, h, percent, percents, plural, points, put, scroller } from "./dom.js";
import { downloads, standalone } from "./download.js";
import { conductForm, conductWords } from "./gamebook-conduct.js";
import { sayDraft } from "./gamebook-draft.js";
import { finder } from "./gamebook-find.js";
import { dangers, fought } from "./gamebook-dangers.js";
import { belongings, carried, described, flagsForm, heroForm, valueFields, withValue } from "./gamebook-hero.js";
import { instead } from "./gamebook-instead.js";
import { sectionMap } from "./gamebook-map.js";
import { STANDINGS, noted } from "./standing.js";
import { standing, walkLink } from "./walk-link.js";
import { isRight, old } from "./wrong.js";

/** The book, as its endpoint tells it. */
let book = null;
/** The answers about the hero, and about who is compared with him; null before they are there. */
let answers = [null, null];
let map = null;

const NAMES = { hero: "the hero", other: "the other" };
/** The part of the state that says who plays. */
const player = (who) => (who === "other" ? state.other : state);
/** Of whom the map and the section tell. */
const shown = () => (state.compare && state.map.of === "other" ? "other" : "hero");
const conducted = ({ readings, policy }) => ({ readings, policy: policy || null });
const question = ({ hero, insist, conduct }) => ({
  book: state.book, hero, start: state.start, goals: state.goals, insist: insist.section && insist.to ? insist : null, conduct: conducted(conduct),
});

/** What is proved of a chance: rounded, with all digits for who opens it. */
const proved = ({ lower, upper }) => [book.unfinished && h("p", { class: "draft" }, book.unfinished),
  lower === upper ? h("p", { class: "hint" }, "This is exact.") : h("details", { class: "hint" }, h("summary", {}, `Proved, to within ${((upper - lower) * 100).toExponential(0)} points`),
    h("p", {}, `Between ${Math.max(0, lower)} and ${Math.min(1, upper)}.`))];
/** The same section by all that it is called. */
const sectionsNamed = (sections) => sections.map(called).join(", ");
/** What a section is called: its name, or its number. */
const called = (section) => outline(section)?.name ?? String(section);
/** The section of this name or number; NaN where there is none. */
const numbered = (text) => book.sections.find((own) => (own.name ?? String(own.section)) === text.trim())?.section ?? Number(text || NaN);
const go = (section, label = called(section), attributes = {}) =>
  h("button", { type: "button", class: "to-section", "data-go": section, onclick: () => choose(section), ...attributes }, label);

// Solving.

const STAGES = { waiting: "Waiting for its turn", exploring: "Finding situations", ordering: "Putting them in order", solving: "Weighing them", "following best play": "Following best play" };
/** The page's words for a stage. */
const doing = (stage) => STAGES[stage] ?? stage;

/**
 * Shows the progress of a solve, and the chance to win as soon as it is known. Screen readers read the words out once, and not
 * the numbers.
 */
function showProgress(progress, who = "hero") {
  const box = byId("progress");
  if (!box.querySelector("#cancel")) {
    put(box, h("div", { class: "row" }, h("span", { id: "solving" }, "Solving …"), h("span", { id: "progress-text", "aria-hidden": "true" }),
      h("button", { type: "button", id: "cancel", onclick: () => cancel(byId("answer")) }, "Cancel")));
  }
  if (!progress) return;
  const { stage, states, memory, seconds, win } = progress;
  const words = win ? `Chance to win${state.compare ? ` (${NAMES[who]})` : ""}: ${percent(win.decimal)}. Following best play …` : "Solving …";
  if (byId("solving").textContent !== words) byId("solving").textContent = words;
  byId("progress-text").textContent = `${doing(stage)}: ${plural(states, "situation")}, ${Math.ceil(memory / 2 ** 20)} MiB, ${seconds.toFixed(1)} s`;
}

async function solve() {
  showProgress();
  const box = byId("answer"), wanted = state.compare ? ["hero", "other"] : ["hero"];
  const found = [null, null];
  for (const [place, who] of wanted.entries()) {
    const answer = await ask("gamebook/solve", question(player(who)), box, (progress) => showProgress(progress, who));
    if (!answer) break;
    found[place] = answer;
  }
  put(byId("progress"));
  if (wanted.some((_, place) => !found[place])) {
    const failed = failure(box), who = found[0] ? "other" : "hero";
    if (failed?.limit) instead(box, failed, book, player(who));
    else state.solve = false;
    show(state);
    return false;
  }
  answers = found;
  fold();
  showAnswer();
  showMap();
  showSection();
  return true;
}

/** Folds the forms to a line, since the answer is what one looks at now; the focus goes to it, if it was there or on the button that solves. */
function fold() {
  const setup = byId("setup"), { hero, compare } = state;
  byId("set-up").textContent = compare ? "Two heroes" : described(hero, book);
  const { activeElement } = document;
  if (setup.contains(activeElement) || activeElement === byId("solve")) byId("answer").focus({ preventScroll: true });
  setup.open = false;
}

/** What was solved is not what the forms say any more. Who follows the hero at "I am here" does so now. */
function changed() {
  cancel(byId("answer"));
  const { here, hero } = state;
  if (here.endurance > hero.endurance) here.endurance = null;
  showHere();
  answers = [null, null];
  state.solve = false;
  problem(null, byId("answer"));
  byId("answer").hidden = true;
  byId("solved").hidden = true;
  show(state);
}

// The answer.

function win(answer, who, other) {
  const { decimal } = answer.win, { insist } = player(who);
  return h("div", { "data-win": who },
    h("h2", {}, state.compare ? `Chance to win: ${NAMES[who]}` : "Chance to win"),
    h("p", { class: "big" }, percent(decimal)),
    other && h("p", {}, decimal === other.win.decimal ? "as the hero" : `${points(decimal - other.win.decimal)} against the hero`),
    h("p", {}, walkLink("Walk through the book", player(who), undefined, { id: `walk-${who}` })),
    proved(answer.win),
    h("p", { class: "hint" }, [described(player(who).hero, book), ...conductWords(player(who).conduct)].join("; "), insist.section && insist.to ? `; always goes from ${called(insist.section)} to ${called(insist.to)}` : ""),
    h("p", { class: "hint" }, `From section ${called(answer.start)} to ${answer.goals.map(called).join(" or ") || "a victory"}; ${plural(answer.states, "situation")} that ${answer.states === 1 ? "matters" : "matter"}.`),
    downloads([
      ["The answer (JSON)", "json", fileOf("answer", who), () => answer],
      ["Sections (CSV)", "csv", fileOf("sections", who), () => sectionRows(answer)],
      ["Where heroes die (CSV)", "csv", fileOf("deaths", who), () => [
        ["section", "name", "what", "probability"],
        ...answer.deaths.map(({ section, probability }) => [section, outline(section)?.name, danger(section), probability]),
      ]],
    ]));
}

/** The words for a file about a player: which book, what of it, and who plays. */
const fileOf = (what, who) => {
  const { hero, insist } = player(who);
  const always = insist.section && insist.to ? `always ${called(insist.section)} to ${called(insist.to)}` : "";
  return [state.book, what, book.values ? described(hero, book) : `combat skill ${hero.combat_skill} endurance ${hero.endurance}`, always].join(" ");
};

/** All sections of the book as a table: the probability of a visit, of a win after it, and of death there. */
function sectionRows({ sections, deaths }) {
  const visits = new Map(sections.map((own) => [own.section, own])), dying = new Map(deaths.map((own) => [own.section, own.probability]));
  return [["section", "name", "visited", "win_if_here", "die_here"], ...book.sections.map(({ section, name }) => {
    const visit = visits.get(section);
    return [section, name, visit?.visited ?? 0, visit?.win_if_here, dying.get(section) ?? 0];
  })];
}

/** A table of sections with a chance for each answer: rows are [section, what is there, chance, chance]. */
function table(head, rows, most, caption) {
  const columns = state.compare ? 2 : 1;
  const line = ([section, words, ...chances]) => h("tr", {}, h("td", {}, section === null ? "the start" : go(section)), h("td", {}, words),
    chances.slice(0, columns).map((chance) => h("td", { class: "number" }, chance === null ? "" : percent(chance))));
  return scroller(h("table", { "aria-label": caption },
    h("thead", {}, h("tr", {}, h("th", {}, "Section"), h("th", {}, head), ["hero", "other"].slice(0, columns).map((who) =>
      h("th", { class: "number" }, state.compare ? NAMES[who] : "Chance")))),
    h("tbody", {}, rows.slice(0, most).map(line))),
  rows.length > most && h("p", { class: "hint" }, `and ${plural(rows.length - most, "section")} more`));
}

const outline = (section) => book.sections.find((other) => other.section === section);

/** What is dangerous in a section, in words. */
const danger = (section) => (outline(section) ? dangers(outline(section)) : "");

function deathRows() {
  const chances = new Map();
  for (const [place, answer] of answers.entries()) {
    for (const { section, probability } of answer?.deaths ?? []) {
      if (!chances.has(section)) chances.set(section, [0, 0]);
      chances.get(section)[place] = probability;
    }
  }
  return [...chances].map(([section, both]) => [section, danger(section), ...both]).sort((a, b) => Math.max(...b.slice(2)) - Math.max(...a.slice(2)));
}

function firstChoices({ section: from, choices, has }) {
  const isBest = (to) => choices.some(({ section, best }) => best && section === to);
  // Where another answer is surely as good nobody needs to look at one.
  const wins = percents(choices.map(({ win }) => win));
  return choices.map(({ label, section, standing: mark }, place) => h("tr", { class: mark === "first" && "best" },
    h("td", {}, go(from)), h("td", {}, walkLink(label || "go on", state, standing(from, state.hero, book, has)), section ? [" → ", go(section)] : "", noted(mark),
      section && !isBest(section) && compareButton(from, section, choices.filter((other) => other.section === section).length)),
    h("td", { class: "number" }, wins[place])));
}

/** A button that compares best play with a hero who always goes from a section to another, by one of `count` answers. */
const compareButton = (section, to, count) => h("button", {
  type: "button", class: "compare", "data-compare": `${section}-${to}`,
  "aria-label": `Compare with always going from ${called(section)} to ${called(to)}`,
  title: count > 1 && `${count} answers lead to ${called(to)}: the best of them is compared`,
  onclick: () => {
    state.other.hero = structuredClone(state.hero);
    state.other.conduct = structuredClone(state.conduct);
    state.other.insist = { section, to };
    state.compare = true;
    showForms();
    begin();
  },
}, count > 1 ? `Compare (${count} answers)` : "Compare");

function showAnswer() {
  const box = byId("answer"), [first, second] = answers;
  const deaths = deathRows();
  put(box,
    h("div", { class: "sides" }, win(first, "hero"), second && win(second, "other", first)),
    first.first_choices.length > 0 && [
      h("h3", {}, "The first choices that matter"),
      scroller(h("table", { id: "first-choices" },
        h("thead", {}, h("tr", {}, h("th", {}, "Section"), h("th", {}, "Answer"), h("th", { class: "number" }, "Wins"))),
        h("tbody", {}, first.first_choices.map(firstChoices))))],
    h("h3", {}, "Where heroes die"),
    deaths.length ? h("div", { id: "deaths" }, table("What is there", deaths, 12, "Where heroes die")) : h("p", {}, "Nowhere."),
    h("details", {}, h("summary", {}, "How heroes win, and the most likely way"),
      ["hero", "other"].map((who, place) => answers[place] && wins(answers[place], who))));
  box.hidden = false;
  announce(`Chance to win: ${percent(first.win.decimal)}${second ? `, the other ${percent(second.win.decimal)}` : ""}`);
}

function wins({ finals, left_out, way }, who) {
  const more = left_out + Math.max(0, finals.length - 8);
  return h("div", {}, state.compare && h("h3", {}, NAMES[who]),
    finals.length === 0 ? h("p", {}, "No hero wins.") : [
      scroller(h("table", {}, h("tbody", {}, finals.slice(0, 8).map((final) => h("tr", {},
        h("td", {}, go(final.section)), h("td", {}, sheet([final.endurance, final.endurance], [final.gold, final.gold], final)),
        h("td", { class: "number" }, percent(final.probability))))))),
      more > 0 && h("p", { class: "hint" }, `and ${plural(more, "other end")}`),
      h("p", { class: "way" }, way.map((section) => [go(section), " "]).flat())]);
}

const range = ([least, most]) => (least === most ? String(least) : `${least} to ${most}`);
// A hero of a system of rules has stats of its own in place of endurance and gold.
const sheet = (endurance, gold, { items, flags, stats }) =>
  [...(book.values ? (stats ?? []).map(([name, count]) => `${name} ${count}`) : [`endurance ${range(endurance)}`, `gold ${range(gold)}`]), ...items.map(([name, count]) => (count === 1 ? name : `${count} ${name}`)), ...flags].join(", ");

// The map.

function showMap() {
  byId("solved").hidden = false;
  map ??= sectionMap(byId("map"), book, {
    chosen: choose,
    moved: (view) => {
      Object.assign(state.map, view);
      soonInAddress();
    },
  });
  put(byId("map-files"), downloads([["The map (SVG)", "svg", fileOf("map", shown()), () => map.whole(standalone)]]));
  byId("of-row").hidden = !state.compare;
  byId("of").value = shown();
  const answer = answers[shown() === "other" ? 1 : 0];
  byId("ramp-middle").textContent = `${percent(answer.win.decimal)} at the start`;
  map.look(state.map, false);
  map.paint(answer);
  map.choose(state.section);
}

const soonInAddress = soon(() => show(state), 200);

function choose(section) {
  if (state.section !== section) {
    state.section = section;
    step(state);
  }
  map?.choose(section);
  showSection();
}

// A section.

async function showSection() {
  const box = byId("section");
  if (!answers[0]) return;
  if (state.section === null) {
    put(box, h("h2", {}, "The section"), h("p", { class: "hint" }, "Click a section of the map, or go to one by its number."));
    return;
  }
  const who = shown();
  const answer = await ask("gamebook/section", { section: state.section, play: question(player(who)) }, box);
  if (!answer) return;
  const { section, to, deadly, victory, deaths, text, best_play: play } = answer;
  const dying = answers[who === "other" ? 1 : 0].deaths.find((death) => death.section === section)?.probability ?? 0;
  const fights = fought(answer);
  announce(`Section ${called(section)}: ${play ? `${percent(play.win_if_here)} win` : "best play never comes here"}`);
  put(box,
    h("h2", {}, `Section ${called(section)}`),
    h("p", {}, play
      ? [h("strong", {}, percent(play.visited)), " of heroes visit it, and ", h("strong", {}, percent(play.win_if_here)), " of these win."]
      : "Best play never comes here."),
    dying > 0 && h("p", { id: "die-here" }, h("strong", {}, percent(dying)), ` of all heroes die here, ${percent(Math.min(1, dying / play.visited))} of those who visit it`,
      fights.length + deaths.length > 0 && `: ${[...fights.map((fight) => `in the fight against ${fight}`), ...deaths].join("; or ")}`, "."),
    h("p", {}, [deadly && `The story can end here${deaths.length && !dying ? ` (${deaths.join("; ")})` : ""}.`,
      victory && "Here the book is won.", !dying && fights.length > 0 && `To fight: ${fights.join("; ")}.`].filter(Boolean).join(" ")),
    h("div", { class: text ? "beside" : "" },
      text && h("div", { class: "story", id: "story" }, text.map(({ text, to }) => h("p", {}, text, to && [" ", go(to, `→ ${called(to)}`)]))),
      h("div", {},
        play?.questions.map((asked) => questionBox(section, asked)),
        play && play.questions.length === 0 && h("p", { class: "hint" }, "Best play is asked nothing here."),
        to.length > 0 && h("p", {}, "Leads to ", to.map((next) => [go(next), " "]).flat()))),
    play && h("div", { class: "sides" },
      h("div", {}, h("h3", {}, "Visitors come from"), sharesTable(play.from)),
      play.deaths.length > 0 && h("div", { id: "died-here" }, h("h3", {}, "Who died here came from"), sharesTable(play.deaths))),
    h("p", {}, h("button", { type: "button", id: "be-here", onclick: () => beHere(section) }, "I am here")));
}

const sharesTable = (shares) => h("table", {}, h("tbody", {}, shares.slice(0, 12).map(({ section, probability }) => h("tr", {},
  h("td", {}, section === null ? "the start" : go(section)), h("td", { class: "number" }, percent(probability))))));

/** Where somebody stands in a section who has what a situation of it says: in the middle of its ranges. */
function placed(section, { endurance, gold, items, flags }) {
  const middle = ([least, most]) => Math.ceil((least + most) / 2);
  return standing(section, player(shown()).hero, book, { endurance: middle(endurance), gold: middle(gold), items, flags });
}

function questionBox(section, { about, asked, ever, answers, situations }) {
  const most = Math.max(...answers.map(({ taken }) => taken)), wins = percents(answers.map(({ win }) => win));
  const likely = percents(situations.map(({ win }) => win));
  const worded = ({ label, section }) => label || (section ? `go to ${called(section)}` : "go on");
  const walk = (answer, situation) => (situation ? walkLink(worded(answer), player(shown()), placed(section, situation)) : worded(answer));
  // Who always goes there anyway has nothing to compare.
  const isAlways = (to) => answers.filter((answer) => answer.section === to).reduce((sum, { taken }) => sum + taken, 0) >= asked * (1 - 1e-9);
  return h("div", { class: "question" },
    h("h3", {}, about ? `About ${about}` : "The choice", h("span", { class: "hint" }, ` asked of ${percent(ever)} of heroes${asked > ever * (1 + 1e-9) ? ", of some in more than one situation" : ""}`)),
    scroller(h("table", { "data-question": about ?? "choice" },
      h("thead", {}, h("tr", {}, h("th", {}, "Answer"), h("th", { class: "number" }, "Wins"), h("th", { class: "number" }, "Best play"))),
      h("tbody", {}, answers.map((answer, place) => h("tr", { class: answer.taken === most && "best" },
        h("td", {}, walk(answer, situations.find(({ taken }) => taken === place) ?? situations[0]), answer.section ? [" → ", go(answer.section)] : "",
          answer.section && !isAlways(answer.section) && compareButton(section, answer.section, answers.filter((other) => other.section === answer.section).length)),
        h("td", { class: "number" }, wins[place]),
        h("td", { class: "number" }, answer.taken === 0 ? "never" : answer.taken >= asked * (1 - 1e-9) ? "always" : percent(answer.taken / asked))))))),
    h("p", { class: "hint" }, "Wins: on the average of those who can choose it."),
    h("details", { open: situations.length > 1 && situations.some(({ taken }) => taken !== situations[0].taken) }, h("summary", {}, "With which items"),
      scroller(h("table", {},
        h("thead", {}, h("tr", {}, h("th", {}, "With"), h("th", {}, "Best"), h("th", { class: "number" }, "Share"), h("th", { class: "number" }, "Wins"))),
        h("tbody", {}, situations.slice(0, 12).map((situation, place) => h("tr", {},
          h("td", {}, sheet(situation.endurance, situation.gold, situation)), h("td", {}, walk(answers[situation.taken], situation)),
          h("td", { class: "number" }, percent(Math.min(1, situation.probability / asked))), h("td", { class: "number" }, likely[place]))))))));
}

// I am here.

/** What the player has there: by default what the hero has, even when that changes. */
function hereNow() {
  const { here, hero } = state;
  return { ...here, endurance: here.endurance ?? hero.endurance, gold: here.gold ?? hero.gold, values: here.values ?? hero.values,
    items: here.items ?? (book.values ? null : carried(hero, book)) };
}

/** Something there is not as before: the advice is old. */
function hereChanged() {
  old(byId("advice"), true, "Old: this is not about what stands above now.");
  show(state);
}

function showHere() {
  const { here } = state, now = hereNow();
  byId("here-section").value = here.section === null ? "" : called(here.section);
  for (const id of ["here-endurance", "here-gold"]) {
    const field = byId(id);
    field.disabled = field.closest(".field").hidden = Boolean(book.values);
  }
  if (book.values) {
    put(byId("here-items"), valueFields("here-value", book, now.values, ["stat", "initial", "counter", "item"], (name, count) => {
      if (name) here.values = withValue(here.values ?? now.values, name, count);
      hereChanged();
    }));
  } else {
    byId("here-endurance").max = state.hero.endurance;
    byId("here-endurance").value = now.endurance;
    byId("here-gold").max = book.rolled.most_gold;
    byId("here-gold").value = now.gold;
    belongings(byId("here-items"), book, now.items, (items) => {
      here.items = items;
      hereChanged();
    });
  }
  flagsForm(byId("here-flags"), book, here, hereChanged);
}

function beHere(section) {
  state.here.section = section;
  showHere();
  byId("here").scrollIntoView({ block: "center" });
  advise();
}

async function advise() {
  const { section, endurance, gold, flags, items, values } = hereNow(), box = byId("advice");
  step(state);
  const { combat_skill, disciplines } = state.hero;
  const hero = book.values ? { values } : { combat_skill, disciplines, endurance: state.hero.endurance, gold, has: items };
  const left = book.values ? null : endurance;
  const progress = ({ stage, states, seconds }) => {
    if (seconds > 0.4) put(box, h("div", { class: "row" }, `${doing(stage)}: ${plural(states, "situation")}, ${seconds.toFixed(1)} s`,
      h("button", { type: "button", onclick: () => cancel(box) }, "Cancel")));
  };
  const answer = await ask("gamebook/advise", { book: state.book, section, hero, endurance: left, flags, goals: state.goals, conduct: conducted(state.conduct) }, box, progress);
  if (!answer) {
    const failed = failure(box);
    if (failed?.limit) instead(box, failed, book, state, hereNow());
    return;
  }
  announce(`Section ${called(answer.section)}: ${percent(answer.win.decimal)} to win`);
  const order = Object.keys(STANDINGS);
  const choices = answer.choices.toSorted((a, b) => order.indexOf(a.standing) - order.indexOf(b.standing) || (b.win?.decimal ?? -1) - (a.win?.decimal ?? -1));
  const most = Math.max(...choices.map(({ win }) => win?.decimal ?? 0)), wins = percents(choices.map(({ win }) => win));
  put(box,
    h("h3", {}, `Section ${called(answer.section)}: `, h("span", { id: "win-here" }, percent(answer.win.decimal)), " to win"),
    choices.length === 0 ? h("p", {}, isGoal(answer.section) ? "You have won." : "Nothing is asked here before chance has its say.") : scroller(h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Answer"), h("th", { class: "number" }, "Wins"), h("th", { class: "number" }, "Against the best"))),
      h("tbody", {}, choices.map((choice, place) => h("tr", { class: choice.standing === "first" && "best" },
        h("td", {}, walkLink(choice.label || "go on", state, hereNow()), choice.section ? [" → ", called(choice.section)] : ""),
        h("td", { class: "number" }, wins[place]),
        h("td", { class: "number" }, STANDINGS[choice.standing] || (choice.win ? points(choice.win.decimal - most) : ""))))))),
    h("p", {}, walkLink("Walk on from here", state, hereNow(), { id: "walk-here" })),
    proved(answer.win));
}

/** Whether one has won who comes into a section. */
const isGoal = (section) => (state.goals.length ? state.goals : book.goals).includes(section);

// What people change.

/** Solves the book for the forms, if they are valid; shows the progress, and then the answer. */
async function begin() {
  const forms = ["hero", ...(state.compare ? ["other"] : [])];
  byId("setup").open ||= !forms.every((id) => byId(id).checkValidity());
  if (!forms.every((id) => isRight(byId(id))) || !isRight(byId("from-to"))) return;
  state.solve = true;
  step(state);
  const solving = solve();
  byId("progress").scrollIntoView({ block: "nearest" });
  if (await solving) byId("setup").scrollIntoView({ block: "start" });
}

/** The form of a player: the hero, and how the book is read and played. */
function form(box, of) {
  const conduct = h("div", {});
  heroForm(box, book, of, changed, conduct);
  conductForm(conduct, `${box.id}-`, book, of.conduct, changed);
}

function showForms() {
  form(byId("hero"), state);
  byId("other").hidden = !state.compare;
  if (state.compare) form(byId("other"), state.other);
  byId("compare").checked = state.compare;
  byId("start").value = state.start === null ? "" : called(state.start);
  byId("start").placeholder = called(book.start);
  byId("goals").value = sectionsNamed(state.goals);
}

byId("book").addEventListener("change", ({ target }) => {
  location.search = new URLSearchParams({ book: target.value }).toString();
});
byId("solve").addEventListener("click", begin);
for (const id of ["hero", "other"]) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
}
byId("compare").addEventListener("change", ({ target }) => {
  state.compare = target.checked;
  changed();
  showForms();
});
/** A field of sections: reads them, or says which there is not. */
function sectionsOf(field) {
  const names = field.value.split(",").map((name) => name.trim()).filter(Boolean), sections = names.map(numbered);
  const unknown = names.find((_, place) => !outline(sections[place]));
  field.setCustomValidity(unknown === undefined ? "" : `There is no section ${unknown}`);
  return unknown === undefined ? sections : null;
}
byId("start").addEventListener("input", ({ target }) => {
  const sections = sectionsOf(target);
  if (sections?.length > 1) target.setCustomValidity("One section");
  else if (sections) state.start = sections[0] ?? null;
  changed();
});
byId("goals").addEventListener("input", ({ target }) => {
  const sections = sectionsOf(target);
  if (sections) state.goals = sections.length ? sections : [...book.goals];
  changed();
});
byId("from-to").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
byId("zoom-in").addEventListener("click", () => map.zoom(1.4));
byId("zoom-out").addEventListener("click", () => map.zoom(1 / 1.4));
byId("zoom-all").addEventListener("click", () => map.look({ x: 0, y: 0, zoom: 100 }));
byId("zoom-best").addEventListener("click", () => map.goTo(state.section ?? answers[0].start));
byId("of").addEventListener("change", ({ target }) => {
  state.map.of = target.value;
  show(state);
  showMap();
  showSection();
});
byId("here").addEventListener("input", ({ target }) => {
  const key = { "here-section": "section", "here-endurance": "endurance", "here-gold": "gold" }[target.id];
  if (!key) return;
  if (key === "section") target.setCustomValidity(!target.value || outline(numbered(target.value)) ? "" : `There is no section ${target.value}`);
  if (target.checkValidity()) state.here[key] = key === "section" ? numbered(target.value) : Number(target.value);
  hereChanged();
});
byId("here").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isRight(byId("here"))) advise();
});
byId("from-start").addEventListener("click", () => {
  Object.assign(state.here, { endurance: null, gold: null, items: null, values: null, flags: [] });
  showHere();
  hereChanged();
});

byId("book").value = state.book;
// In an address one item is a word, and none an empty one.
for (const key of ["items", "values"]) {
  const own = state.here[key];
  if (typeof own === "string") state.here[key] = own ? [own] : [];
}
book = await ask("gamebook/book", { book: state.book }, byId("hero"));
if (book) {
  sayDraft(book);
  // Sections may have names.
  if (book.sections.some(({ name }) => name)) {
    Object.assign(byId("here-section"), { type: "text", inputMode: "text" });
  }
  finder(book, { numbered, called, open: (section) => {
    choose(section);
    map.goTo(section);
    byId("map").scrollIntoView({ block: "nearest" });
  } });
  showForms();
  showHere();
  if (state.solve) solve();
  if (state.here.section !== null) advise();
}
