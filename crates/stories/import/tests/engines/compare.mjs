// Compares what bestplay says of stories made with Twine with plays of their story formats in headless Chromium, passage by
// passage and ending by ending.
//
//     cargo build -p bestplay
//     cd crates/stories/import/tests/engines && npm install
//     node compare.mjs ../../../../../target/debug/bestplay FOLDER_OF_FORMATS [PLAYS] [STORY.twee ...]
//
// The folder has files `harlowe-VERSION-format.js`, `sugarcube-VERSION-format.js` and `chapbook-VERSION-format.js`: the
// `format.js` that Twine brings or that is offered where the formats are published; none is kept here. Without names, all
// stories of the folder `stories` are played. A share is different where it is more than four standard errors away; then the exit code is 1. `CHROMIUM` names
// the browser, where it is not /usr/bin/chromium.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { browser as launched, passages, template } from "./engine.mjs";
import { plays } from "./plays.mjs";

const ERRORS = 4;

/** What bestplay says: the share of every passage and every ending for a reader who follows any link. */
function report(command, file, folder) {
  const book = join(folder, "story.kdl");
  const run = (...more) => JSON.parse(execFileSync(command, ["gamebook", ...more], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
  const imported = run("import", "twee", file, "--draft", "-o", book, "--format", "json");
  const passages = {};
  for (const own of run("readers", book, "--reader", "random", "--format", "json").sections) passages[own.section] = own.visited;
  const left = imported.todos.map(({ line, what }) => `${line}: ${what}`);
  return { trust: imported.odds === "not-the-story's" ? `left out: ${left}` : imported.odds, passages };
}

const [command, formats, count = "500", ...named] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "twine-"));
const own = new URL("stories", import.meta.url).pathname;
const stories = named.length > 0 ? named : readdirSync(own).filter((name) => name.endsWith(".twee")).sort().map((name) => join(own, name));
const templates = new Map(readdirSync(formats).map((name) => [name.match(/^(\w+)-.*format\.js$/)?.[1], name]).filter(([kind]) => kind).map(([kind, name]) => [kind, template(join(formats, name))]));
const total = { stories: 0, compared: 0, different: 0, refused: 0 };
const browser = await launched();
for (const story of stories) {
  const twee = readFileSync(story, "utf8");
  const kind = JSON.parse(twee.match(/^:: StoryData\s*\n([\s\S]*?)(?=^::)/m)[1]).format.toLowerCase();
  total.stories += 1;
  const ours = report(command, story, folder);
  if (ours.trust.startsWith("left out")) {
    total.refused += 1;
    console.log(`${basename(story)}: ${ours.trust}`);
    continue;
  }
  const theirs = await plays(browser, twee, templates.get(kind), Number(count), folder);
  const before = new Set(passages(twee).filter((own) => own.name === "StoryInit" || /\b(init|startup)\b/.test(own.tags)).map((own) => own.name));
  const wrong = [];
  for (const name of new Set([...Object.keys(ours.passages), ...Object.keys(theirs.seen)])) {
    // What is done before a story begins is no passage that is entered.
    if (before.has(name)) continue;
    const [share, seen] = [ours.passages[name] ?? 0, theirs.seen[name] ?? 0];
    total.compared += 1;
    const error = Math.sqrt((share * (1 - share)) / Number(count));
    if (Math.abs(seen / Number(count) - share) > ERRORS * error + 1e-9) wrong.push(`${name}: ${share}, ${seen} of ${count} plays`);
  }
  if (theirs.errors > 0) wrong.push(`${theirs.errors} errors on the last page`);
  if (theirs.ends["no end"] > 0) console.log(`${basename(story)}: ${theirs.ends["no end"]} plays without an end`);
  if (wrong.length > 0) {
    total.different += 1;
    console.log(`${basename(story)}:\n  ${wrong.join("\n  ")}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${total.stories} stories (${total.refused} with something left out): ${total.compared} shares compared, ${total.different} stories differ`);
process.exitCode = total.different + total.refused > 0 ? 1 : 0;
