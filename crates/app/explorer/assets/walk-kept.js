// The walk through each book that the browser keeps. Its continuation replaces it; any other walk replaces it only on request.

import { query, state } from "./address.js";

const place = () => `bestplay.walk.${state.book}`;
/** The parts of an address that do not belong to the beginning of a walk. */
const LATER = ["steps", "mark", "odds", "typed"];

/** The text that is kept. */
function text() {
  try {
    return localStorage.getItem(place());
  } catch {
    // It may not be allowed: the address holds the walk all the same.
    return null;
  }
}

/** The walk of an address: its beginning, and its steps. */
function parsed(of) {
  const parts = new URLSearchParams(of), steps = (parts.get("steps") ?? "").split(",").filter(Boolean);
  LATER.forEach((name) => parts.delete(name));
  return { query: of, began: parts.toString(), steps };
}

function walkOf(text) {
  try {
    const found = JSON.parse(text);
    return typeof found?.query === "string" && found.steps > 0 ? parsed(found.query) : null;
  } catch {
    return null;
  }
}

/** The walk that is kept, with its `query` and its `steps`; null where there is none. */
export const kept = () => walkOf(text());

/** Whether one walk is the other, or was it some steps ago. */
const isBefore = (one, other) => one.began === other.began && one.steps.length <= other.steps.length && one.steps.every((step, place) => step === other.steps[place]);

/** The text as this page left it, or found it of this same walk: then what is kept is the page's own. */
let own = ownAtFirst();

/** A page that is loaded in the midst of the walk that is kept goes on with it. */
function ownAtFirst() {
  const before = text(), was = walkOf(before), now = parsed(query(state));
  return was && now.steps.length > 0 && isBefore(now, was) ? before : null;
}

/** Keeps the walk on this page, where it goes on from the one that is kept, or has become as long as it was on this page. */
export function keep() {
  const before = text(), was = walkOf(before), now = parsed(query(state));
  if (now.steps.length === 0) return;
  const goesOn = !was || isBefore(was, now);
  if (!goesOn && isBefore(now, was)) own = before;
  else if (goesOn || (before === own && now.steps.length >= was.steps.length)) replace();
}

/** Keeps the walk on this page whatever is kept. */
export function replace() {
  const address = query(state);
  own = JSON.stringify({ query: address, steps: parsed(address).steps.length });
  try {
    localStorage.setItem(place(), own);
    // The first page offers to go on with the last one.
    localStorage.setItem("bestplay.last-walk", state.book);
  } catch {
    // As above.
  }
}

/** The walk that is kept, where it is another than that on this page. */
export function another() {
  const was = kept(), now = parsed(query(state));
  return was && !isBefore(was, now) && !isBefore(now, was) ? was : null;
}

/** Forgets the walk that is kept, if it is that on this page. */
export function forget() {
  const was = kept();
  if (!was || another()) return;
  own = null;
  try {
    localStorage.removeItem(place());
  } catch {
    // As above.
  }
}
