// The first page: sliders of a fight, heroes that are rolled, and the walk that the browser has kept.

import { ask, soon } from "./api.js";
import { announce, byId, h, percent, put, s } from "./dom.js";
import { roll } from "./gamebook-roll.js";
import { colour } from "./odds-colour.js";

// The page is loaded again until all its answers are there.
if (byId("at-work")) setTimeout(() => location.reload(), 700);

// The fight.

const fightCard = byId("fight-card"), figures = ["skill", "luck"];

const fight = soon(async () => {
  const [skill, luck] = figures.map((name) => Number(byId(name).value));
  const { enemy, stamina } = fightCard.dataset;
  const odds = byId("fight-odds");
  const answer = await ask("fighting-fantasy/fight", { skill, luck, stamina: Number(stamina), enemies: [enemy] }, odds);
  if (!answer) return;
  for (const [name, { decimal }] of [["luck", answer.win], ["plain", answer.win_without_luck]]) {
    byId(`win-${name}`).textContent = percent(decimal);
    byId(`bar-${name}`).setAttribute("width", 100 * decimal);
  }
  announce(`${percent(answer.win.decimal)} with luck, ${percent(answer.win_without_luck.decimal)} without`);
  byId("to-fight").href = `/fighting-fantasy?skill=${skill}&luck=${luck}`;
});
for (const name of fightCard ? figures : []) {
  const slider = byId(name), output = byId(`${name}-now`);
  // A browser that goes back keeps where it stood.
  const moved = () => { output.textContent = slider.value; fight(); };
  slider.disabled = false;
  slider.addEventListener("input", moved);
  if (slider.value !== slider.defaultValue) moved();
}

// The book.

const bookCard = byId("book-card"), button = byId("roll");
/** The book, once a hero of it was rolled. */
let book = null;

/** A chance as so many of a hundred. */
function of100(chance) {
  const rounded = Math.round(100 * chance);
  if (chance > 0 && rounded < 1) return "Fewer than 1 of 100";
  return chance < 1 && rounded > 99 ? "More than 99 of 100" : `${rounded} of 100`;
}

const called = (section) => book.sections.find((own) => own.section === section)?.name ?? String(section);

/** So many sections where heroes die are marked, if as many as this die there. */
const KILLERS = 3, DEADLY = 0.02;

/** Paints the map for another hero, as the server painted it for the first. */
function paint({ win, sections, way, deaths }) {
  const map = byId("picture");
  const visits = new Map(sections.map((visit) => [`s${visit.section}`, visit]));
  const likeliest = new Set(way.slice(1).map((to, place) => `w${way[place]}-${to}`));
  for (const line of map.querySelectorAll("path")) line.classList.toggle("taken", likeliest.has(line.id));
  for (const disc of map.querySelectorAll("[id^=s]")) {
    const visit = visits.get(disc.id);
    disc.setAttribute("r", visit ? Math.round(3.5 + 5.5 * Math.sqrt(visit.visited)) : 3);
    disc.style.fill = visit ? colour(visit.win_if_here, win.decimal) : "var(--paper)";
  }
  const killers = deaths.filter(({ probability }) => probability >= DEADLY).slice(0, KILLERS);
  const at = (section) => ["cx", "cy"].map((name) => Number(byId(`s${section}`)?.getAttribute(name)));
  put(byId("rings"), killers.map(({ section, probability }) => {
    const [cx, cy] = at(section);
    return s("circle", { cx, cy, r: Math.round(10 + 26 * Math.sqrt(probability)) });
  }));
  const marked = new Set([...map.dataset.marks.split(" ").map(Number), ...killers.map(({ section }) => section)]);
  put(byId("marks"), [...marked].map((section) => {
    const [x, y] = at(section);
    return s("text", { x, y: y - 14 }, called(section));
  }));
}

/** The address of a page about a hero. */
function addressOf(page, hero, more) {
  const parts = new URLSearchParams({ book: book.name, "hero.combat_skill": hero.combat_skill, "hero.endurance": hero.endurance, ...more });
  hero.disciplines.forEach((name) => parts.append("hero.disciplines", name));
  return `${page}?${parts}`;
}

async function rollOne() {
  book ??= await ask("gamebook/book", { book: bookCard.dataset.book }, button);
  if (!book) return;
  const hero = roll(book), words = hero.disciplines.map((name) => name.replace("=", " in ").replaceAll("-", " ")).join(", ");
  const who = `combat skill ${hero.combat_skill}, endurance ${hero.endurance}, ${words}`;
  put(byId("roll-progress"), `Solving the book for ${who} …`);
  const answer = await ask("gamebook/solve", { book: book.name, hero }, bookCard, ({ win }) => {
    if (win) put(byId("roll-progress"), `${of100(win.decimal)} win. Following best play …`);
  });
  put(byId("roll-progress"));
  if (!answer) return;
  const worst = answer.deaths[0], wins = of100(answer.win.decimal);
  put(byId("book-title"), worst ? [h("strong", {}, of100(worst.probability)), ` die in section ${called(worst.section)}`] : [h("strong", {}, wins), " win"]);
  put(byId("book-words"), `${wins} win `, h("cite", {}, book.title), ` by best play: ${who}.`);
  byId("to-map").href = addressOf("/gamebook", hero, { solve: true });
  byId("to-walk").href = addressOf("/gamebook/walk", hero, {});
  button.textContent = "Roll another";
  paint(answer);
  announce(byId("book-words").textContent);
}

if (button) {
  button.disabled = false;
  button.addEventListener("click", rollOne);
}

// The walk that is kept.

const KEPT = "bestplay.walk.";

/** The last walk: the book that it goes through, and its address; null where none is kept of a book that is here. */
function lastWalk() {
  const titles = JSON.parse(byId("books").textContent);
  try {
    const walks = Object.keys(titles).flatMap((name) => {
      const { query, steps } = JSON.parse(localStorage.getItem(KEPT + name)) ?? {};
      return steps > 0 ? [{ name, query, steps }] : [];
    });
    const last = localStorage.getItem("bestplay.last-walk");
    const walk = walks.find(({ name }) => name === last) ?? walks.sort((one, other) => other.steps - one.steps)[0];
    if (!walk) return null;
    const parts = new URLSearchParams(walk.query);
    parts.set("book", walk.name);
    return { title: titles[walk.name], address: `/gamebook/walk?${parts}` };
  } catch {
    // It may not be allowed, or be none of ours.
    return null;
  }
}

const walk = lastWalk();
if (walk) {
  const link = byId("go-on").querySelector("a");
  link.href = walk.address;
  put(link, "Go on with your walk through ", h("cite", {}, walk.title));
  byId("go-on").hidden = false;
}
