// How a book is read and played: its disputed passages, and what the player has made up his mind to do.

import { h, put } from "./dom.js";

const spaced = (name) => name.replaceAll("-", " ");
const chosen = (conduct, { name, values }) =>
  conduct.readings.map((part) => part.split("=")).find(([own]) => own === name)?.[1] ?? values[0];

/** A choice for each reading and one of a policy; nothing where the book has neither. Ids begin with `before`. */
export function conductForm(box, before, book, conduct, changed) {
  const choice = (name, label, options, value, onchange) => h("div", { class: "field" },
    h("label", { for: before + name }, label),
    h("select", { id: before + name, onchange: ({ target }) => { onchange(target.value); changed(); } },
      options.map(([own, text]) => h("option", { value: own, selected: own === value }, text))));
  const fields = [];
  if (book.policies.length) {
    const own = book.policies.find((policy) => policy.default);
    const others = book.policies.filter((policy) => policy !== own).map(({ name }) => [name, spaced(name)]);
    fields.push(choice("policy", "Policy", [["", own ? spaced(own.name) : "best play"], ...others], conduct.policy, (name) => { conduct.policy = name; }));
  }
  for (const reading of book.readings) {
    fields.push(choice(`reading-${reading.name}`, spaced(reading.name), reading.values.map((value) => [value, spaced(value)]), chosen(conduct, reading), (value) => {
      const others = conduct.readings.filter((part) => part.split("=")[0] !== reading.name);
      conduct.readings = value === reading.values[0] ? others : [...others, `${reading.name}=${value}`];
    }));
  }
  put(box, fields.length > 0 && h("details", { open: conduct.policy !== "" || conduct.readings.length > 0 },
    h("summary", {}, "How the book is read and played"), h("div", { class: "fields" }, fields)));
}

/** The same in words, where it is not as the book has it. */
export function conductWords({ readings, policy }) {
  return [policy && `policy ${spaced(policy)}`, ...readings.map((part) => spaced(part).replace("=", ": "))].filter(Boolean);
}
