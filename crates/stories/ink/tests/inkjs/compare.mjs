// Compares the report of `bestplay gamebook report` on random stories with plays of inkjs, ending by ending and knot by knot.
//
//     cargo build --release -p bestplay
//     cd crates/stories/ink/tests/inkjs && npm install && node compare.mjs ../../../../../target/release/bestplay [STORIES] [PLAYS] [FIRST_SEED]
//
// Stories of even seeds are given as text, those of odd seeds as compiled by inkjs. A share counts as different where
// chance alone gives plays like these, or more extreme ones, in one comparison of ten million; then the exit code is 1, as it is
// where bestplay cannot read a story that inkjs reads. Where inkjs breaks off, so must bestplay.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Compiler } from "inkjs/compiler/Compiler";
import "./generator.mjs";
import { story } from "./stories.mjs";

/** How rarely a share may be called different that is the same. */
const RARE = 1e-7;
const LONGEST = 200;

/** How often plays of inkjs end where, and come to which knots. */
function plays(text, count) {
  const compiled = new Compiler(text, { countAllVisits: true, errorHandler: (message, kind) => {
    if (kind === 2) throw new Error(message);
  } }).Compile();
  const ends = new Map();
  const knots = new Map();
  const knotNames = [...text.matchAll(/^=== (\w+) ===$/gm)].map((found) => found[1]);
  for (let play = 0; play < count; play += 1) {
    compiled.ResetState();
    compiled.state.storySeed = Math.floor(Math.random() * 2147483646) + 1;
    let end;
    try {
      end = played(compiled);
    } catch (error) {
      end = "breaks off";
    }
    ends.set(end, (ends.get(end) ?? 0) + 1);
    for (const knot of knotNames) {
      if (compiled.state.VisitCountAtPathString(knot) > 0) knots.set(knot, (knots.get(knot) ?? 0) + 1);
    }
  }
  return { ends, knots, knotNames, json: compiled.ToJson() };
}

function played(compiled) {
  for (let turn = 0; turn < LONGEST; turn += 1) {
    let tags = [];
    while (compiled.canContinue) {
      compiled.Continue();
      tags.push(...compiled.currentTags);
    }
    if (compiled.currentErrors?.length) throw new Error(compiled.currentErrors[0]);
    if (compiled.currentChoices.length === 0) {
      const named = tags.map((tag) => tag.match(/^\s*ending\s*:\s*(.*)$/i)).filter(Boolean).at(-1);
      return named ? named[1].trim() : "without a name";
    }
    compiled.ChooseChoiceIndex(Math.floor(Math.random() * compiled.currentChoices.length));
  }
  throw new Error("no end");
}

/** What bestplay says of the same story. */
function report(command, file) {
  const limits = ["--max-time", "60s", "--max-memory", "2GB"];
  return JSON.parse(execFileSync(command, ["gamebook", "report", file, "--format", "json", ...limits], { stdio: ["ignore", "pipe", "pipe"] }));
}

/** Whether so many or more extreme plays of `count` have a probability below [`RARE`] where `share` is the truth. */
function differs(share, seen, count) {
  const mean = share * count;
  const [from, to] = seen > mean ? [seen, count] : [0, seen];
  let tail = 0;
  for (let number = from; number <= to; number += 1) tail += chance(number, count, share);
  return tail < RARE;
}

/** The probability of so many successes. */
function chance(number, count, share) {
  if (share <= 0 || share >= 1) return number === Math.round(share) * count ? 1 : 0;
  const ways = logs[count] - logs[number] - logs[count - number];
  return Math.exp(ways + number * Math.log(share) + (count - number) * Math.log1p(-share));
}

const [command, stories = "100", count = "1000", first = "1"] = process.argv.slice(2);
/** Logarithms of factorials. */
const logs = [0];
for (let number = 1; number <= Number(count); number += 1) logs.push(logs[number - 1] + Math.log(number));
const folder = mkdtempSync(join(tmpdir(), "ink-"));
const counts = { stories: 0, compared: 0, unread: 0, bounds: 0, broken: 0, different: 0 };
for (let seed = Number(first); seed < Number(first) + Number(stories); seed += 1) {
  const text = story(seed);
  const file = join(folder, "story.ink");
  writeFileSync(file, text);
  counts.stories += 1;
  let theirs;
  try {
    theirs = plays(text, Number(count));
  } catch (error) {
    // What inkjs does not compile says nothing of us.
    counts.unread += 1;
    if (process.env.SHOW) console.log(`seed ${seed}: inkjs: ${error.message}`);
    continue;
  }
  if ([...theirs.ends.keys()].some((end) => /Infinity|NaN/.test(end))) {
    // Who divides by zero goes on in JavaScript; ink's own runtime stops there, and so do we.
    counts.unread += 1;
    continue;
  }
  let ours;
  try {
    // Every other story is read as ink's own compiler writes it.
    const json = `${file}.json`;
    writeFileSync(json, theirs.json);
    ours = report(command, seed % 2 === 0 ? file : json);
  } catch (error) {
    if (error.status === 1 && error.stdout?.length > 0) {
      // Not followed everywhere: the answer is bounds.
      counts.bounds += 1;
      continue;
    }
    counts.different += 1;
    console.log(`seed ${seed}: ${String(error.stderr ?? error).split("\n").slice(0, 6).join("\n  ")}`);
    continue;
  }
  const shares = new Map(ours.endings.map((ending) => [ending.name, ending.random]));
  if (ours.breaks_off.random > 0) shares.set("breaks off", ours.breaks_off.random);
  const wrong = [];
  for (const name of new Set([...shares.keys(), ...theirs.ends.keys()])) {
    const [share, seen] = [shares.get(name) ?? 0, theirs.ends.get(name) ?? 0];
    counts.compared += 1;
    if (differs(share, seen, Number(count))) wrong.push(`ending ${name}: ${share}, ${seen} of ${count} plays`);
  }
  for (const { name, random } of ours.knots) {
    if (!theirs.knotNames.includes(name)) continue;
    counts.compared += 1;
    const seen = theirs.knots.get(name) ?? 0;
    if (differs(random, seen, Number(count))) wrong.push(`knot ${name}: ${random}, ${seen} of ${count} plays`);
  }
  if (ours.breaks_off.random > 0) counts.broken += 1;
  if (wrong.length > 0) {
    counts.different += 1;
    console.log(`seed ${seed}:\n  ${wrong.join("\n  ")}`);
  }
}
rmSync(folder, { recursive: true });
console.log(`${counts.stories} stories (${counts.unread} not compiled by inkjs, or with a division by zero, ${counts.bounds} answered by bounds, ${counts.broken} break off somewhere): ${counts.compared} shares compared, ${counts.different} stories differ`);
process.exitCode = counts.different > 0 ? 1 : 0;
