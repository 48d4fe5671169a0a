// Compares what `bestplay gamebook report` says of stories in folders with plays of inkjs, knot by knot.
//
//     cargo build --release -p bestplay
//     cd crates/stories/ink/tests/inkjs && npm install && node public.mjs ../../../../../target/release/bestplay FOLDER... [PLAYS]
//
// Every file `.ink` that inkjs compiles and that no other file includes is a story. bestplay reads each as text and as
// inkjs compiles it: both must give the same report. Then inkjs plays it: each share may be four standard errors from
// the report's, or from its bounds. TIME=20s changes the time for each report. The exit code is 1 where a story differs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { Compiler } from "inkjs/compiler/Compiler";
import "./generator.mjs";

const LONGEST_PLAY = 500;
const LONGEST_PLAYS = 60_000;
const LIMITS = ["--max-time", process.env.TIME ?? "300s", "--max-memory", "4GB"];

/** All files `.ink` of a folder. */
function stories(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? stories(path) : entry.name.endsWith(".ink") ? [path] : [];
  });
}

/** A story compiled by inkjs; throws what inkjs says of it. */
function compiled(path, included) {
  const texts = [];
  const files = {
    ResolveInkFilename: (name) => resolve(dirname(path), name),
    LoadInkFileContents: (name) => {
      texts.push(readFileSync(name, "utf8").replace(/^\uFEFF/, ""));
      included.add(name);
      return texts.at(-1);
    },
  };
  const errors = [];
  const errorHandler = (message, kind) => {
    if (kind === 2) errors.push(message);
  };
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  const story = new Compiler(text, { countAllVisits: true, errorHandler, fileHandler: files }).Compile();
  if (errors.length > 0) throw new Error(errors[0]);
  story.allowExternalFunctionFallbacks = true;
  // Functions of the host do nothing.
  for (const [, name] of [text, ...texts].join("\n").matchAll(/^\s*EXTERNAL\s+(\w+)/gm)) {
    const known = story.mainContentContainer.namedContent.has(name) || story.TryGetExternalFunction?.(name);
    if (!known) story.BindExternalFunction(name, () => 0);
  }
  story.onError = (message, kind) => {
    if (kind === 2) throw new Error(message);
  };
  return story;
}

/** The names of knots and their stitches, without functions. */
function knots(story) {
  const names = [];
  for (const [name, knot] of story.mainContentContainer.namedContent) {
    if (name === "global decl") continue;
    names.push(name);
    for (const [stitch, own] of knot.namedContent ?? []) {
      if (!/^[cg]-\d+$/.test(stitch) && knot.namedOnlyContent?.has(stitch) && own.visitsShouldBeCounted) names.push(`${name}.${stitch}`);
    }
  }
  return names;
}

/** How often plays come to which knots, break off, and do not end. */
function plays(story, count) {
  const names = knots(story);
  const seen = new Map(names.map((name) => [name, 0]));
  const open = new Map(names.map((name) => [name, 0]));
  let [broken, endless, done] = [0, 0, 0];
  const messages = new Map();
  const begin = Date.now();
  for (; done < count && Date.now() - begin < LONGEST_PLAYS; done += 1) {
    let ended = "yes";
    try {
      story.ResetState();
      story.state.storySeed = Math.floor(Math.random() * 2147483646) + 1;
      ended = played(story);
    } catch (error) {
      ended = "breaks off";
      messages.set(error.message, (messages.get(error.message) ?? 0) + 1);
    }
    if (ended === "breaks off") broken += 1;
    if (ended === "endless") endless += 1;
    for (const name of names) {
      if (story.state.VisitCountAtPathString(name) > 0) seen.set(name, seen.get(name) + 1);
      else if (ended === "endless") open.set(name, open.get(name) + 1);
    }
  }
  return { seen, open, broken, endless, done, messages };
}

function played(story) {
  for (let turn = 0; turn < LONGEST_PLAY; turn += 1) {
    while (story.canContinue) story.Continue();
    if (story.currentErrors?.length) throw new Error(story.currentErrors[0]);
    if (story.currentChoices.length === 0) return "ended";
    story.ChooseChoiceIndex(Math.floor(Math.random() * story.currentChoices.length));
  }
  return "endless";
}

/** What bestplay says of a story, or its refusal. */
function report(command, file) {
  try {
    return JSON.parse(execFileSync(command, ["gamebook", "report", file, "--format", "json", ...LIMITS], { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 }));
  } catch (error) {
    if (error.status === 1 && error.stdout?.length) return JSON.parse(error.stdout);
    return { refused: String(error.stderr ?? error).trim().split("\n")[0] };
  }
}

/** The lowest and the highest value of a share that is a number or bounds. */
function bounds(share) {
  if (typeof share === "number") return [share, share];
  return [share.low ?? share.from ?? share[0], share.high ?? share.to ?? share[1]];
}

/** Whether a share within bounds is more than four standard errors from so many plays, of which `open` are undecided. */
function differs(share, seen, open, count) {
  const [low, high] = share;
  const error = (truth) => 4 * Math.sqrt((truth * (1 - truth)) / count) + 1e-9;
  return seen / count > high + error(high) + (high === 0 ? 0 : 1 / count) || (seen + open) / count < low - error(low) - (low === 1 ? 0 : 1 / count);
}

const args = process.argv.slice(2);
const command = args.shift();
const count = Number.isNaN(Number(args.at(-1))) ? 10_000 : Number(args.pop());
const found = args.flatMap((path) => (statSync(path).isDirectory() ? stories(path) : [path]));
const own = new Map();
const included = new Set();
for (const path of found) {
  try {
    own.set(path, compiled(path, included));
  } catch (error) {
    if (process.env.SHOW) console.log(`${path}: inkjs: ${error.message.split("\n")[0]}`);
  }
}
const folder = mkdtempSync(join(tmpdir(), "ink-"));
const counts = { compiled: 0, agree: 0, refused: 0, stopped: 0, differ: 0 };
for (const [path, story] of own) {
  if (included.has(resolve(path))) continue;
  counts.compiled += 1;
  const tell = (kind, what = "") => {
    counts[kind] += 1;
    console.log(`${kind}: ${relative(process.cwd(), path)} ${what}`);
  };
  const json = join(folder, "story.ink.json");
  writeFileSync(json, story.ToJson());
  const text = report(command, path);
  const whole = report(command, json);
  if (text.refused || whole.refused) {
    tell("refused", text.refused ?? `as JSON: ${whole.refused}`);
    continue;
  }
  const wrong = [];
  const shares = (answer) => new Map([
    ...answer.knots.map((knot) => [knot.name, knot.random]),
    ...answer.endings.map((ending) => [`ending ${ending.name}`, ending.random]),
    ["breaks off", answer.breaks_off.random],
    ["not explored", answer.not_explored.random],
  ]);
  const [ours, theirs] = [shares(text), shares(whole)];
  const stopped = text.stopped || whole.stopped;
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [one, other] = [ours.get(name) ?? 0, theirs.get(name) ?? 0];
    if (!stopped && JSON.stringify(one) !== JSON.stringify(other) && !(Math.abs(one - other) < 1e-9)) wrong.push(`${name}: ${JSON.stringify(one)} as text, ${JSON.stringify(other)} as JSON`);
  }
  const { seen, open, broken, endless, done, messages } = plays(story, count);
  for (const [name, times] of seen) {
    if (!ours.has(name)) continue;
    const rest = text.not_explored.random;
    const [low, high] = bounds(ours.get(name));
    if (differs([low, Math.min(1, high + rest)], times, open.get(name), done)) wrong.push(`${name}: ${JSON.stringify(ours.get(name))}, ${times} of ${done} plays`);
  }
  const breaks = text.breaks_off.random;
  if (differs([breaks, Math.min(1, breaks + text.not_explored.random + (text.for_ever?.random ?? 0))], broken, endless, done)) wrong.push(`breaks off: ${breaks}, ${broken} of ${done} plays (${[...messages.keys()].slice(0, 2).join("; ").slice(0, 300)})`);
  if (wrong.length > 0) tell("differ", `\n  ${wrong.slice(0, 8).join("\n  ")}`);
  else if (stopped) tell("stopped", `${stopped}, not explored ${text.not_explored.random}`);
  else tell("agree", `${text.situations} situations, ${done} plays`);
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify(counts));
process.exitCode = counts.differ > 0 ? 1 : 0;
