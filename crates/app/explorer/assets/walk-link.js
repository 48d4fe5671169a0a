// Links into a walk: the address of a walk that begins with a page's hero in a section, and the question about it.

import { query, state, template } from "./address.js";
import { h } from "./dom.js";

const conducted = ({ readings, policy }) => ({ readings, policy: policy || null });
const written = ([name, count]) => (count === 1 ? name : `${name}=${count}`);

/** In an address a single element is a word, and an empty one stands for none. */
const list = (part) => (Array.isArray(part) ? part : part === "" ? [] : [part]);

/** The question about the hero in the section of `here`, or at the beginning without a section. The defaults are those of the
    hero. */
export function hereQuestion({ hero, here, goals, conduct }) {
  const question = { book: state.book, goals, conduct: conducted(conduct) };
  if (here.section === null) return { ...question, hero };
  const { section, endurance, gold, flags, items, values } = here;
  const { items: own, lost, ...rest } = hero;
  const who = items === null ? { ...hero } : { ...rest, has: list(items) };
  if (gold !== null) who.gold = gold;
  if (values !== null) who.values = list(values);
  return { ...question, section, flags, endurance: hero.values ? null : endurance, hero: who };
}

/** The part of a state for a hero who has this in a section. */
export function standing(section, hero, book, { endurance, gold, items, flags, stats }) {
  if (!hero.values) return { section, endurance: endurance || hero.endurance, gold, flags, items: items.map(written) };
  const own = new Map([...(stats ?? []), ...items]);
  const kept = (part) => {
    const [name] = part.split("=");
    const isItem = book.values.some((value) => value.name === name && value.kind === "item");
    return own.has(name) ? `${name}=${own.get(name)}` : isItem ? `${name}=0` : part;
  };
  return { section, flags, values: hero.values.map(kept) };
}

/** The address of a walk through a single book by a hero in one of its sections. It has every part, since the defaults of that
    book are not known here. */
export function aloneAddress({ book, section, hero, endurance, flags }) {
  const parts = new URLSearchParams({ book, "hero.combat_skill": hero.combat_skill, "hero.endurance": hero.endurance, "here.section": section, "here.endurance": endurance, "here.gold": hero.gold });
  const all = (name, list) => (list.length ? list : [""]).forEach((part) => parts.append(name, part));
  all("hero.disciplines", hero.disciplines);
  all("here.items", hero.has);
  if (flags.length) all("here.flags", flags);
  return `/gamebook/walk?${parts}`;
}

/** In which book of a series a section is, counted from 0. */
export const volumeOf = (book, section) => book.series.findLastIndex(({ before }) => before < section);

/** A series with what can be had and known in one of its books. */
export const inVolume = (book, place) => ({ ...book, ...book.series[place] });

/** A link into a walk of this player, from the beginning or from `here`; `more` has further parts of the address. */
export function walkLink(label, { hero, conduct }, here = template.here, attributes = {}, more = {}) {
  const { book, goals, start } = state;
  // A hero who begins elsewhere has all that he has at the beginning.
  if (here.section === null && start) here = { ...template.here, section: start };
  const text = query({ book, hero, goals, conduct, here, ...more });
  return h("a", { class: "walk-link", href: `/gamebook/walk${text && "?" + text}`, ...attributes }, label);
}
