// Who plays: the form of a hero, and what he carries.

import { h, put } from "./dom.js";
import { roll } from "./gamebook-roll.js";

const KINDS = { weapon: "Weapons", "backpack-item": "Backpack items", special: "Special items", permanent: "Permanent", container: "Containers" };

const number = (part) => {
  const [name, count = "1"] = part.split("=");
  return [name, Number(count)];
};
const written = ([name, count]) => (count === 1 ? name : `${name}=${count}`);

/** Everything that a hero carries: what the book gives every hero, without what he lost, and his own items. */
export function carried(hero, book) {
  const counts = new Map();
  const add = ([name, count]) => counts.set(name, (counts.get(name) ?? 0) + count);
  book.fixed.map(number).forEach(add);
  hero.items.map(number).forEach(add);
  for (const name of hero.lost) counts.delete(name);
  const most = new Map(book.items.map(({ name, most }) => [name, most]));
  return [...counts].map(([name, count]) => written([name, Math.min(count, most.get(name) ?? count)]));
}

/** The same apart: his own items, and what he lost of what every hero has. */
function apart(all, book) {
  const counts = new Map(all.map(number)), fixed = book.fixed.map(number);
  const lost = fixed.filter(([name]) => !counts.has(name)).map(([name]) => name);
  for (const [name, count] of fixed) {
    if (counts.has(name)) counts.set(name, counts.get(name) - count);
  }
  return { items: [...counts].filter(([, count]) => count > 0).map(written), lost };
}

/** What somebody carries, to be changed: `all` as in the address, such as ["sword", "meal=2"]. */
export function belongings(box, book, all, changed) {
  const counts = new Map(all.map(number));
  const focus = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const set = (name, count) => {
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
    const next = [...counts].map(written);
    changed(next);
    belongings(box, book, next, changed);
  };
  const fixed = new Map(book.fixed.map(number));
  const chip = ({ name, most }) => {
    const count = counts.get(name);
    // Of what every hero has, all is there or nothing.
    const less = count <= (fixed.get(name) ?? 0) ? 0 : count - 1;
    return h("span", { class: "counter" }, name,
      most > 1 && h("output", {}, String(count)),
      h("button", { type: "button", "data-key": `less-${name}`, "aria-label": `One ${name} less`, onclick: () => set(name, less) }, "−"),
      most > 1 && h("button", { type: "button", "data-key": `more-${name}`, "aria-label": `One ${name} more`, disabled: count >= most, onclick: () => set(name, count + 1) }, "+"));
  };
  const missing = (kind) => book.items.filter((item) => item.kind === kind && !counts.has(item.name));
  const add = h("select", { "aria-label": "Add an item", "data-key": "add", onchange: ({ target }) => set(target.value, 1) },
    h("option", { value: "" }, "Add an item …"),
    Object.entries(KINDS).filter(([kind]) => missing(kind).length).map(([kind, title]) =>
      h("optgroup", { label: title }, missing(kind).map(({ name }) => h("option", { value: name }, name)))));
  put(box, h("div", { class: "cards" }, book.items.filter(({ name }) => counts.has(name)).map(chip), add));
  if (focus) (box.querySelector(`[data-key="${focus}"]:enabled`) ?? add).focus();
}

/**
 * Fields for the values of a hero of a system of rules: `list` as in the address, such as ["skill=12"]. Calls `changed` with the
 * name and the number, or without them if the input is invalid.
 */
export function valueFields(id, book, list, kinds, changed) {
  const values = new Map(list.map(number));
  const field = ({ name, least, most, start }) => h("div", { class: "field" },
    h("label", { for: `${id}-${name}` }, name.replace(".", ", ").replaceAll("-", " ")),
    h("input", {
      id: `${id}-${name}`, "data-value": name, type: "number", inputmode: "numeric", min: least, max: most, value: values.get(name) ?? start, required: true,
      oninput: ({ target }) => (target.checkValidity() ? changed(name, Number(target.value)) : changed()),
    }));
  return h("div", { class: "fields" }, book.values.filter(({ kind }) => kinds.includes(kind)).map(field));
}

/** A list with another number for this name. */
export function withValue(list, name, count) {
  const values = new Map(list.map(number));
  return [...values.set(name, count)].map(([name, count]) => `${name}=${count}`);
}

/** The form of a hero: `of` is { hero, insist }, a part of the page's state; `more` stands below his fields. */
export function heroForm(form, book, of, changed, more) {
  const title = form.getAttribute("aria-label"), id = (name) => `${form.id}-${name}`;
  const { hero, insist } = of;
  const again = () => {
    heroForm(form, book, of, changed, more);
    changed();
  };
  const field = (name, label, least, most, object = hero, key = name) => h("div", { class: "field" },
    h("label", { for: id(name) }, label),
    h("input", {
      id: id(name), type: "number", inputmode: "numeric", min: least, max: most, value: object[key] || object === hero ? object[key] : "", required: object === hero,
      oninput: ({ target }) => {
        if (target.checkValidity()) object[key] = Number(target.value);
        changed();
      },
    }));
  const skill = hero.disciplines?.find((name) => name.startsWith("weaponskill"));
  const weapon = skill?.split("=")[1] ?? "";
  const weapons = book.items.filter((item) => item.weapon);
  const learn = (name, is) => {
    hero.disciplines = hero.disciplines.filter((known) => known.split("=")[0] !== name);
    if (is) hero.disciplines.push(name === "weaponskill" ? `weaponskill=${weapons[0]?.name ?? ""}` : name);
    again();
    form.querySelector(`[data-discipline="${name}"]`)?.focus();
  };
  const knows = (name) => hero.disciplines.some((known) => known.split("=")[0] === name);
  const things = h("div", {});
  const insisting = book.sections.some(({ name }) => name) ? [] : h("div", { class: "fields" },
    field("insist-section", "Always goes from section", 1, 65535, insist, "section"), field("insist-to", "to section", 1, 65535, insist, "to"));
  const best = insist.section > 0 && h("button", { type: "button", onclick: () => { Object.assign(insist, { section: 0, to: 0 }); again(); } }, "Best play instead");
  if (book.values) {
    put(form,
      h("h2", {}, title),
      valueFields(form.id, book, hero.values, ["stat", "counter", "item"], (name, count) => {
        if (name) hero.values = withValue(hero.values, name, count);
        // Who sets out with it has it as his initial value.
        if (book.values.some((own) => own.name === `${name}.initial`)) hero.values = withValue(hero.values, `${name}.initial`, count);
        changed();
      }),
      insisting,
      more,
      h("div", { class: "row" }, best));
    return;
  }
  put(form,
    h("h2", {}, title),
    h("div", { class: "fields" }, field("combat_skill", "Combat skill", book.rolled.combat_skill.least, book.rolled.combat_skill.most), field("endurance", "Endurance", book.rolled.endurance.least, book.rolled.endurance.most),
      field("gold", "Gold", 0, book.rolled.most_gold)),
    h("fieldset", {}, h("legend", {}, `Disciplines (${hero.disciplines.length} of ${book.learns})`),
      h("div", { class: "disciplines" }, book.disciplines.map((name) => h("label", { class: "switch" },
        h("input", {
          type: "checkbox", "data-discipline": name, checked: knows(name), disabled: !knows(name) && hero.disciplines.length >= book.learns,
          onchange: ({ target }) => learn(name, target.checked),
        }), ` ${name.replaceAll("-", " ")}`))),
      skill && h("div", { class: "row" }, h("label", { for: id("weapon") }, "Weaponskill in"),
        h("select", { id: id("weapon"), onchange: ({ target }) => {
          hero.disciplines = hero.disciplines.map((name) => (name === skill ? `weaponskill=${target.value}` : name));
          again();
        } }, weapons.map(({ name }) => h("option", { value: name, selected: name === weapon }, name))))),
    h("fieldset", {}, h("legend", {}, "Carries"), things),
    insisting,
    more,
    h("div", { class: "row" },
      h("button", { type: "button", "data-key": "roll", onclick: () => { Object.assign(hero, roll(book)); again(); } }, "Roll one"),
      best));
  belongings(things, book, carried(hero, book), (all) => {
    Object.assign(hero, apart(all, book));
    changed();
  });
}

/** What the book has noted of who stands somewhere: `here` has the `flags` that are set. */
export function flagsForm(box, book, here, changed) {
  put(box, book.flags.length > 0 && h("fieldset", {}, h("legend", {}, "The book has noted"),
    h("div", { class: "disciplines" }, book.flags.map((flag) => h("label", { class: "switch" },
      h("input", {
        type: "checkbox", "data-flag": flag, checked: here.flags.includes(flag),
        onchange: ({ target }) => {
          here.flags = book.flags.filter((other) => (other === flag ? target.checked : here.flags.includes(other)));
          changed();
        },
      }), ` ${flag.replaceAll("-", " ")}`)))));
}

/** A hero in a line. */
export function described(hero, book) {
  if (book.values) {
    const isShown = (part) => book.values.some(({ name, kind }) => name === part.split("=")[0] && kind !== "initial");
    return hero.values.filter(isShown).map((part) => part.replace("=", " ")).join(", ");
  }
  const gold = `${hero.gold} gold`;
  return [`combat skill ${hero.combat_skill}`, `endurance ${hero.endurance}`, gold, ...hero.disciplines, ...carried(hero, book)]
    .map((part) => part.replace("=", " ")).join(", ");
}
