// A hero as a book's rules roll him.

const thrown = ({ sides, plus }) => sides.reduce((sum, own) => sum + 1 + Math.floor(Math.random() * own), plus);
const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** A hero of a book, as its endpoint tells it; his disciplines are drawn by lot. Items and gold stay. */
export function roll(book) {
  const free = [...book.disciplines], disciplines = [];
  while (disciplines.length < book.learns && free.length) {
    const [name] = free.splice(Math.floor(Math.random() * free.length), 1);
    const weapons = book.items.filter(({ weapon, kind }) => weapon && kind === "weapon");
    if (name !== "weaponskill") disciplines.push(name);
    else if (weapons.length) disciplines.push(`weaponskill=${pick(weapons).name}`);
  }
  return { combat_skill: thrown(book.rolled.combat_skill), endurance: thrown(book.rolled.endurance), disciplines };
}
