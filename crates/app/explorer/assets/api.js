// Questions to the server. A question that is asked again before its answer stops the one before.

import { old } from "./wrong.js";

const running = new Map();
/** The answers as they came. */
const texts = new WeakMap();
/** The text of an answer, with every digit that the server wrote. */
export const textOf = (answer) => texts.get(answer);
const page = document.getElementById("problem");

/** Where problems of `where` are told: in the same card, if it has a place for them. */
const placeOf = (where) => where?.closest(".card")?.querySelector(".problem") ?? page;

/** Who is told of at the page's own place, which all share that have none of their own. */
let teller = null;
/** What went wrong with the last questions, by who waited for them. */
const failures = new Map();
/** What went wrong with the last question for which an element waited, if something did. */
export const failure = (where) => failures.get(where);

/** Shows what went wrong, or that nothing does any more: what another question was told stays. */
export function problem(error, where = null) {
  const box = placeOf(where);
  if (box === page) {
    if (!error && teller !== where) return;
    teller = error ? where : null;
  }
  box.hidden = !error;
  if (error) {
    const strong = document.createElement("strong"), span = document.createElement("span");
    strong.textContent = error.message;
    span.textContent = error.help ?? "";
    box.replaceChildren(strong, " ", span);
    box.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Asks an endpoint of version 1. `where` is the element that waits: it is marked busy. `told` is called with the
 * progress of long solves. Answers null when a newer question took this one's place, or when the problem is shown.
 */
export async function ask(path, question, where = null, told = undefined) {
  running.get(where)?.abort();
  const controller = new AbortController();
  running.set(where, controller);
  failures.delete(where);
  where?.classList.add("busy");
  try {
    const response = await fetch("/api/1/" + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: told ? "application/x-ndjson" : "application/json" },
      body: JSON.stringify(question),
      signal: controller.signal,
    });
    const lines = response.headers.get("Content-Type") === "application/x-ndjson";
    const answer = lines ? await follow(response, told) : kept(await response.text());
    if (answer.error) throw answer.error;
    problem(null, where);
    if (where) old(where, false);
    return answer;
  } catch (error) {
    if (controller.signal.aborted) return null;
    if (where) old(where, true);
    const known = error.help === undefined ? { message: "The server does not answer.", help: "Is it still running?" } : error;
    failures.set(where, known);
    problem(known, where);
    return null;
  } finally {
    if (running.get(where) === controller) {
      running.delete(where);
      where?.classList.remove("busy");
    }
  }
}

/** Stops the question that `where` waits for. */
export const cancel = (where) => running.get(where)?.abort();

/** An answer, of which the text is kept as well. */
function kept(text) {
  const answer = JSON.parse(text);
  texts.set(answer, text);
  return answer;
}

/** Reads lines until the one with the answer. */
async function follow(response, told) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the answer ended early");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      if (line.progress) told(line.progress);
      // The answer stands at the end of its line.
      else return line.answer ? kept(text.slice(text.indexOf('"answer":') + 9, text.lastIndexOf("}"))) : line;
    }
  }
}

/** Waits until nothing has changed for a moment. */
export function soon(work, milliseconds = 60) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
