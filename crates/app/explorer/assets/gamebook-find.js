// The search for sections: by number, by name, or by what they mention.

import { query, state } from "./address.js";
import { ask, soon } from "./api.js";
import { announce, byId, h, plural, put } from "./dom.js";

const KINDS = {
  enemy: "fight", choice: "choice", gain: "can be had", loss: "can be lost", demand: "asked for", note: "noted", death: "death",
};

/** A reason in words: "fight: Wolf". */
const reason = ({ kind, text }) => `${KINDS[kind]}: ${kind === "choice" || kind === "death" ? text : text.replaceAll("-", " ")}`;

/**
 * Makes the field look for sections. `numbered(text)` is the section that is called so, if there is one; `open(section)` shows one.
 */
export function finder(book, { numbered, called, open }) {
  const field = byId("find"), list = byId("found");
  const links = () => [...list.querySelectorAll("a")];
  const link = (section, name) => h("a", {
    href: `?${query({ ...state, section })}`, "data-found": section,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(section);
    },
  }, `Section ${name ?? called(section)}`);
  /** The text to which the list belongs. */
  let listedFor = "";

  async function look() {
    const text = field.value.trim();
    if (!text) {
      listedFor = "";
      put(list);
      return;
    }
    const answer = await ask("gamebook/find", { book: state.book, text }, list);
    if (!answer || field.value.trim() !== text) return;
    listedFor = text;
    const { found, left_out } = answer;
    const many = found.length + left_out;
    announce(many === 0 ? `Nothing is called ${text}` : plural(many, "section"));
    put(list, found.length === 0
      ? h("p", { class: "hint" }, `No section is called ${text}, and none has it in a fight, a choice, an item or a note.`)
      : h("ul", { class: "found", "aria-label": "Sections that were found" }, found.map(({ section, name, why }) =>
        h("li", {}, link(section, name), why.length > 0 && h("span", { class: "hint" }, ` ${why.map(reason).join("; ")}`)))),
    left_out > 0 && h("p", { class: "hint" }, `and ${left_out} more: type more of the text`));
  }

  const lookSoon = soon(look, 150);
  field.addEventListener("input", lookSoon);
  field.addEventListener("focus", () => field.select());
  byId("search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim(), section = numbered(text);
    if (book.sections.some((own) => own.section === section)) {
      open(section);
      return;
    }
    if (listedFor !== text) await look();
    links()[0]?.focus();
  });
  byId("search").addEventListener("keydown", (event) => {
    const all = [field, ...links()], place = all.indexOf(document.activeElement);
    const next = { ArrowDown: all[place + 1], ArrowUp: all[place - 1] }[event.key];
    if (event.key === "Escape" && field.value) {
      field.value = "";
      look();
      field.focus();
    } else if (next && place >= 0) next.focus();
    else return;
    event.preventDefault();
  });
}
