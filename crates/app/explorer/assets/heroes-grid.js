// The best with each pair of numbers, as a picture: a cell is a link to the book's page as that hero.

import { percent, s } from "./dom.js";

const WIDE = 58, HIGH = 30, LEFT = 90, TOP = 46;

/** The picture, or nothing where fewer than two numbers vary. `worth` writes what a hero is worth. */
export function heroGrid(grid, isChance, worth) {
  if (!grid) return null;
  const { down, across, cells } = grid;
  const width = LEFT + WIDE * across.values.length + 10, height = TOP + HIGH * down.values.length + 10;
  const most = Math.max(...cells.map((cell) => cell?.win ?? 0), Number.MIN_VALUE);
  const label = `What the best are worth with each ${down.name} and ${across.name}`;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "hero-grid", role: "group", "aria-label": label });
  svg.append(s("text", { class: "axis", x: LEFT, y: 16 }, `${across.name.replaceAll("_", " ")} across, ${down.name.replaceAll("_", " ")} down${isChance ? ", in percent" : ""}`));
  across.values.forEach((value, place) =>
    svg.append(s("text", { class: "axis", x: LEFT + WIDE * (place + 0.5), y: TOP - 8, "text-anchor": "middle" }, String(value))));
  down.values.forEach((value, place) =>
    svg.append(s("text", { class: "axis", x: LEFT - 8, y: TOP + HIGH * (place + 0.5) + 4, "text-anchor": "end" }, String(value))));
  cells.forEach((cell, place) => {
    if (!cell) return;
    const row = Math.floor(place / across.values.length), column = place % across.values.length;
    const x = LEFT + WIDE * column, y = TOP + HIGH * row, share = cell.win / most;
    const words = `${down.name} ${down.values[row]}, ${across.name} ${across.values[column]}: ${worth(cell.win)}${cell.group ? `, ${cell.group}` : ""}`;
    const box = s("rect", { x, y, width: WIDE - 2, height: HIGH - 2 });
    box.style.fillOpacity = String(share);
    const drawing = [
      s("title", {}, words.replaceAll("_", " ")), box,
      s("text", { class: "digit", x: x + WIDE / 2 - 1, y: y + HIGH / 2 + 3 }, isChance ? (100 * cell.win).toFixed(2) : cell.win.toFixed(2)),
    ];
    svg.append(cell.address ? s("a", { href: cell.address, "aria-label": words.replaceAll("_", " ") }, drawing) : s("g", {}, drawing));
  });
  return svg;
}

/** What a hero is worth, in words. */
export const worthOf = (isChance) => (isChance ? percent : (value) => value.toFixed(3));
