// Plays of a published story in a page of Chromium: a reader who follows any link, each as likely.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { published } from "./engine.mjs";

/** After so many links a play is broken off. */
const LONGEST = 200;

/** What the page does itself: it reaches into the format for its state, and pumps what was put off to later. */
async function playsInPage({ kind, start, count, longest }) {
  const later = [];
  const pump = () => {
    for (let turn = 0; later.length > 0 && turn < 1000; turn += 1) later.shift()();
  };
  window.setTimeout = (done, _, ...more) => later.push(() => done(...more));
  window.requestAnimationFrame = (done) => later.push(() => done(0));
  const harlowe = kind === "Harlowe" && window.formatRequire;
  const [state, engine] = harlowe ? [harlowe("state"), harlowe("engine")] : [];
  const sugar = window.SugarCube;
  const chapbook = kind === "Chapbook" && window.engine.state;
  /** Chapbook answers a click by promises, and shows a page in the next turn of the browser. */
  const converged = async () => {
    pump();
    for (let turn = 0; chapbook && turn < 3; turn += 1) {
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
      });
      pump();
    }
  };
  let entered = new Set();
  if (sugar) window.jQuery(document).on(":passagestart", () => entered.add(sugar.State.passage));
  const begin = () => {
    entered = new Set();
    if (chapbook) {
      chapbook.reset();
      chapbook.set("config.body.transition.name", "none");
      chapbook.set("trail", [start]);
    } else if (harlowe) {
      state.reset();
      engine.goToPassage(start);
    } else {
      sugar.State.reset();
      for (const name of Object.keys(sugar.State.temporary)) delete sugar.State.temporary[name];
      for (const passage of sugar.Story.filter((own) => own.tags.includes("init") || own.tags.includes("script-init"))) new sugar.Wikifier(null, passage.text);
      if (sugar.Story.has("StoryInit")) new sugar.Wikifier(null, sugar.Story.get("StoryInit").text);
      sugar.Engine.play(start);
    }
    return converged();
  };
  const WHERE = {
    harlowe: "tw-story > tw-passage tw-link",
    sugar: "#passages a:not(.link-external), #passages button, #passages [data-passage]:not(.passage):not(a):not(button):not(img)",
    chapbook: "#page a[data-cb-go], #page a[data-cb-reveal-text], #page a[data-cb-reveal-passage], #page passage-link, #page reveal-link",
  };
  const links = () => {
    return [...document.querySelectorAll(WHERE[chapbook ? "chapbook" : harlowe ? "harlowe" : "sugar"])].filter((own) => !own.closest(".transition-out") && !own.classList.contains("link-disabled"));
  };
  const seen = {};
  const ends = {};
  for (let play = 0; play < count; play += 1) {
    await begin();
    let turn = 0;
    for (; turn < longest; turn += 1) {
      const all = links();
      if (all.length === 0) break;
      const link = all[Math.floor(Math.random() * all.length)];
      (link.querySelector("button") ?? link).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      await converged();
    }
    if (harlowe) {
      for (const moment of state.timeline) {
        for (const name of [moment.passage, ...(moment.visits ?? []).flat(), ...(moment.pastVisits ?? []).flat()]) if (name) entered.add(name);
      }
    }
    if (chapbook) entered = new Set(chapbook.get("trail"));
    for (const name of entered) seen[name] = (seen[name] ?? 0) + 1;
    const end = turn === longest ? "no end" : chapbook ? chapbook.get("trail").at(-1) : harlowe ? state.passage : sugar.State.passage;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  const errors = document.querySelectorAll("tw-error, .error").length;
  return { seen, ends, errors };
}

/** How often plays come to which passage, and where they end. */
export async function plays(browser, twee, format, count, folder) {
  const data = JSON.parse(twee.match(/^:: StoryData\s*\n([\s\S]*?)(?=^::)/m)[1]);
  const file = join(folder, "story.html");
  // The format's modules are reached by the function that loads them.
  writeFileSync(file, published(twee, format).replace('define("state",', '(window.formatRequire=require),define("state",'));
  const page = await browser.newPage();
  page.on("dialog", (dialog) => dialog.dismiss());
  try {
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.querySelector("tw-story > tw-passage, #passages > .passage, #page article *") !== null);
    return await page.evaluate(playsInPage, { kind: data.format, start: data.start ?? "Start", count, longest: LONGEST });
  } finally {
    await page.close();
  }
}
