// Questions to the server. A new question for the same element stops the one before.

import { old } from "./wrong.js";

const running = new Map();
/** The answers as they came. */
const texts = new WeakMap();
/** The text of an answer, with every digit that the server wrote. */
export const textOf = (answer) => texts.get(answer);
const page = document.getElementById("problem");

/** The element for problems of `where`: that of its card, or otherwise that of the page. */
const placeOf = (where) => where?.closest(".card")?.querySelector(".problem") ?? page;

/** The element whose problem the page's own element shows, which several cards share. */
let shownFor = null;
/** The problems of the last questions, by the element that waited for each. */
const failures = new Map();
/** The problem of the last question for an element, if it failed. */
export const failure = (where) => failures.get(where);

/** Shows a problem of `where`, or removes it; problems of other questions stay. */
export function problem(error, where = null) {
  const box = placeOf(where);
  if (box === page) {
    if (!error && shownFor !== where) return;
    shownFor = error ? where : null;
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
 * Asks an endpoint of version 1. `where` is the element that waits: it is marked busy. It calls `onProgress` with the
 * progress of long solves. Answers null when a newer question took this one's place, or when the problem is shown.
 */
export async function ask(path, question, where = null, onProgress = undefined) {
  running.get(where)?.abort();
  const controller = new AbortController();
  running.set(where, controller);
  failures.delete(where);
  where?.classList.add("busy");
  try {
    const response = await fetch("/api/1/" + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: onProgress ? "application/x-ndjson" : "application/json" },
      body: JSON.stringify(question),
      signal: controller.signal,
    });
    const lines = response.headers.get("Content-Type") === "application/x-ndjson";
    const answer = lines ? await follow(response, onProgress) : kept(await response.text());
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
async function follow(response, onProgress) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the answer ended early");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) {
      const line = JSON.parse(text);
      if (line.progress) onProgress(line.progress);
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
