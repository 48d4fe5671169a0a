"use strict";
// The page around a play: what is read, what is asked, the sheet.

const script = JSON.parse(document.getElementById("script").textContent);
const play = new Play(script, unforeseen);
/** Moments before each answer or roll, with what the page showed. */
const before = [];

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; texts mean nothing but themselves. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, own] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), own);
    else made.setAttribute(key, own);
  }
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

const sectionName = (section) => script.sections[section]?.name ?? String(section);
const signed = (number) => (number > 0 ? `+${number}` : `−${-number}`);

/** What is more or less than before. */
function changes(old, now) {
  const found = [];
  now.stats.forEach(([name, number], place) => {
    const less = number - old.stats[place][1];
    if (less !== 0) found.push(`${name} ${signed(less)}`);
  });
  const count = (items, name) => items.find(([own]) => own === name)?.[1] ?? 0;
  for (const name of new Set([...old.items, ...now.items].map(([own]) => own))) {
    const more = count(now.items, name) - count(old.items, name);
    if (more !== 0) found.push(`${name} ${signed(more)}`);
  }
  for (const flag of now.flags) if (!old.flags.includes(flag)) found.push(flag);
  for (const flag of old.flags) if (!now.flags.includes(flag)) found.push(`no longer ${flag}`);
  return found;
}

/** What was rolled, in words. */
function rolled({ kind, sums, drawn }) {
  if (drawn !== null) return `Drawn: ${drawn}`;
  if (sums.length === 0) return null;
  return sums.map(({ name, faces, plus, total }) => {
    const what = name ? `${name}: ` : "";
    const added = plus === 0 ? "" : ` ${signed(plus)}`;
    const alone = faces.length === 1 && plus === 0 && String(total) === String(faces[0]);
    return `${what}${faces.join(" + ")}${added}${alone ? "" : ` = ${total}`}`;
  }).join(", ").replace(/^/, kind === "dice" ? "Rolled " : "Picked ");
}

/** Does something, and tells what came of it. */
function go(act) {
  before.push({ moment: play.moment(), log: [...byId("log").childNodes], sheet: play.sheet(), where: byId("where").textContent });
  const old = play.sheet();
  const came = act();
  tell(old, came ? rolled(came) : null);
}

function tell(old, came) {
  const log = byId("log");
  const entered = play.entered;
  const lines = [];
  if (came) lines.push(element("p", { class: "roll" }, came));
  const different = changes(old, play.sheet());
  if (different.length > 0) lines.push(element("p", { class: "change" }, different.join(", ")));
  if (entered.length > 0) log.replaceChildren();
  log.append(...lines);
  for (const section of entered) {
    const text = script.sections[section]?.text ?? "";
    byId("where").textContent = sectionName(section);
    log.append(...text.split("\n\n").filter((own) => own.trim() !== "").map((own) => element("p", {}, own)));
  }
  ask();
  if (entered.length > 0) byId("where").focus();
  else byId("answers").querySelector("button")?.focus();
}

/** The question at hand, the sheet, and who is fought. */
function ask() {
  const waits = play.waits;
  const button = (label, act) => element("li", {}, element("button", { type: "button", onclick: act }, label));
  const answers = byId("answers");
  byId("end").textContent = "";
  if (waits === "ask") {
    const about = play.step[1].about;
    byId("about").textContent = about === null ? "" : script.labels[about];
    answers.replaceChildren(...play.moves().map((move) => button(move.label || "Go on", () => go(() => play.answer(move)))));
  } else if (waits === "chance") {
    const { roll, drawn, duel } = play.note;
    byId("about").textContent = "";
    const label = duel ? "Fight a round" : drawn ? "Draw" : !roll ? "Go on" : roll.kind === "dice" ? "Roll the dice" : "Pick a number";
    answers.replaceChildren(button(label, () => go(() => play.roll())));
  } else {
    const ends = {
      victory: "You have won.",
      death: "You are dead, or have failed.",
      stuck: "There is no way on: you have failed.",
      endless: "The book never ends from here.",
    };
    byId("about").textContent = "";
    byId("end").textContent = ends[waits];
    answers.replaceChildren();
  }
  byId("undo").disabled = before.length === 0;
  const enemies = play.enemies().map(({ name, stats }) => element("p", {},
    element("strong", {}, name), `: ${stats.map(([stat, number]) => `${stat} ${number}`).join(", ")}`));
  byId("enemies").replaceChildren(...(waits === "ask" || waits === "chance" ? enemies : []));
  showSheet();
}

function showSheet() {
  const { stats, items, flags } = play.sheet();
  const row = (name, number) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, number));
  byId("stats").replaceChildren(...stats.map(([name, now, of]) => row(name, of === null || of === now ? String(now) : `${now} of ${of}`)));
  const named = [...items.map(([name, count]) => (count === 1 ? name : `${name} × ${count}`)), ...flags.map((flag) => `(${flag})`)];
  byId("items").replaceChildren(...named.map((own) => element("li", {}, own)));
}

byId("undo").addEventListener("click", () => {
  const last = before.pop();
  if (!last) return;
  play.comeBack(last.moment);
  byId("log").replaceChildren(...last.log);
  byId("where").textContent = last.where;
  ask();
});

function begin() {
  before.length = 0;
  byId("log").replaceChildren();
  play.restart();
  tell(play.sheet(), null);
}

byId("restart").addEventListener("click", begin);

// The number of an answer gives it.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
  byId("answers").querySelectorAll("button")[Number(event.key) - 1]?.click();
});

begin();
