// The map of a book's sections: drawn once, painted anew for every answer, moved and zoomed by its view box.

import { h, percent, s } from "./dom.js";
import { folded } from "./gamebook-fold.js";
import { colour } from "./odds-colour.js";

const MARGIN = 30, SMALLEST = 400;
/** Pixels: a narrower map has more rows. */
const NARROW = 600;
/** So many sections where most heroes die have their numbers on the whole map. */
const KILLERS = 5;
/** The longest name of a section in the map, in characters; its title for the mouse and for screen readers has all of it. */
const LONGEST_NAME = 8;
/** Percent: 100 is the whole map. */
const FARTHEST = 60, CLOSEST = 2000;
/** Milliseconds for which a hint stands. */
const HINT = 1800;
/** Pixels that a pointer may move in a click. */
const STILL = 5;
/** From how many pixels a unit the numbers, and the chances, can be read. */
const NUMBERS_FROM = 0.62, CHANCES_FROM = 1.3;

const clamp = (number, least, most) => Math.max(least, Math.min(most, number));

/**
 * Draws the sections and ways of a book into `box`. It calls `chosen(number)` after a click, and `moved(view)` when the map moves: its
 * middle { x, y }, seen from the middle of all sections, and its zoom in percent.
 */
export function sectionMap(box, book, { chosen, moved }) {
  const names = new Map(book.sections.map(({ section, name }) => [section, name ?? String(section)])), called = (section) => names.get(section);
  const labels = new Map(book.sections.map(({ section, deaths }) => [section, deaths.length ? ` (${deaths.join("; ")})` : ""]));
  const { sections } = book, { at, lines: ways } = folded(book, box.clientWidth < NARROW ? 0.8 : 1.8);
  const xs = [...at.values()].map(([x]) => x), ys = [...at.values()].map(([, y]) => y);
  // A small book is not blown up to fill the map.
  const wide = Math.max(SMALLEST, Math.max(...xs) - Math.min(...xs)), high = Math.max(SMALLEST / 2, Math.max(...ys) - Math.min(...ys));
  const width = wide + 2 * MARGIN, height = high + 2 * MARGIN;
  const left = (Math.max(...xs) + Math.min(...xs) - width) / 2, top = (Math.max(...ys) + Math.min(...ys) - height) / 2;
  const view = { x: 0, y: 0, zoom: 100 };
  const lines = new Map(), nodes = new Map();
  const svg = s("svg", { class: "sections", role: "group", "aria-label": `A map of ${sections.length} sections` });

  const lineLayer = s("g", {}), nodeLayer = s("g", {});
  for (const { from, to, back, path } of ways) {
    const line = s("path", { class: back ? "edge back" : "edge", d: path });
    lines.set(`${from}-${to}`, line);
    lineLayer.append(line);
  }
  for (const { section, deadly, victory } of sections) {
    const [x, y] = at.get(section);
    const node = s("g", { class: "section", "data-section": section, role: "button", tabindex: -1, transform: `translate(${x} ${y})` },
      s("title"), s("circle", { class: "disc", r: 11 }),
      s("text", { class: "number", y: 3.2 }, called(section).slice(0, LONGEST_NAME)), " ", s("text", { class: "chance", y: 21 }), " ",
      s("text", { class: "sight", y: -14 }, called(section).slice(0, LONGEST_NAME)),
      deadly && s("path", { class: "deadly", d: "M6 -12l7 7m0 -7l-7 7" }),
      victory && s("path", { class: "victory", d: "M8 -4v-11l8 3.5l-8 3.5" }));
    nodes.set(section, node);
    nodeLayer.append(node);
  }
  svg.append(lineLayer, nodeLayer);
  box.replaceChildren(svg);
  nodes.get(sections[0]?.section)?.setAttribute("tabindex", "0");

  /** Pixels of a unit. */
  const scale = () => svg.getScreenCTM()?.a || 1;

  function look(next, reports = true) {
    view.zoom = Math.round(clamp(next.zoom ?? view.zoom, FARTHEST, CLOSEST));
    view.x = Math.round(clamp(next.x ?? view.x, -width / 2, width / 2));
    view.y = Math.round(clamp(next.y ?? view.y, -height / 2, height / 2));
    const across = (width * 100) / view.zoom, down = (height * 100) / view.zoom;
    svg.setAttribute("viewBox", [left + width / 2 + view.x - across / 2, top + height / 2 + view.y - down / 2, across, down].join(" "));
    svg.classList.toggle("with-numbers", scale() > NUMBERS_FROM);
    svg.classList.toggle("with-chances", scale() > CHANCES_FROM);
    if (reports) moved({ ...view });
  }

  /** Where a pointer is, seen from the middle of all sections. */
  function under({ clientX, clientY }) {
    const box = svg.getBoundingClientRect(), unit = scale();
    return [view.x + (clientX - box.x - box.width / 2) / unit, view.y + (clientY - box.y - box.height / 2) / unit];
  }

  /** Zooms so that what is at a point stays there. */
  function zoom(factor, [x, y] = [view.x, view.y]) {
    const next = clamp(view.zoom * factor, FARTHEST, CLOSEST), share = 1 - view.zoom / next;
    look({ zoom: next, x: view.x + (x - view.x) * share, y: view.y + (y - view.y) * share });
  }

  /** Puts a section into the middle, near enough to read it. */
  function goTo(section) {
    const place = at.get(section);
    if (!place) return;
    const near = view.zoom * Math.max(1, (CHANCES_FROM * 1.05) / scale());
    look({ zoom: near, x: place[0] - left - width / 2, y: place[1] - top - height / 2 });
  }

  // The pointer: one drags, two zoom.

  const pointers = new Map();
  let wasDragged = false;
  // One finger, and the wheel alone, scroll the page; a hint then says how to move the map.
  const hint = h("p", { class: "map-hint", "aria-hidden": "true" });
  box.append(hint);
  let fades;
  function tell(words) {
    hint.textContent = words;
    clearTimeout(fades);
    fades = setTimeout(() => { hint.textContent = ""; }, HINT);
  }
  const middle = () => {
    const all = [...pointers.values()];
    return { clientX: all.reduce((sum, { clientX }) => sum + clientX, 0) / all.length, clientY: all.reduce((sum, { clientY }) => sum + clientY, 0) / all.length };
  };
  const spread = () => {
    const [one, two] = [...pointers.values()];
    return Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  };
  svg.addEventListener("pointerdown", (event) => {
    if (pointers.size === 0) wasDragged = false;
    pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY, from: [event.clientX, event.clientY] });
  });
  svg.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    if (event.pointerType === "touch" && pointers.size === 1) return;
    const before = pointers.size === 2 ? spread() : 0, from = middle();
    const dx = event.clientX - pointer.clientX, dy = event.clientY - pointer.clientY;
    const way = Math.hypot(event.clientX - pointer.from[0], event.clientY - pointer.from[1]);
    if (!wasDragged && way < STILL) return;
    wasDragged = true;
    svg.setPointerCapture(event.pointerId);
    Object.assign(pointer, { clientX: event.clientX, clientY: event.clientY });
    if (pointers.size === 2 && before > 0) {
      const to = middle();
      look({ x: view.x - (to.clientX - from.clientX) / scale(), y: view.y - (to.clientY - from.clientY) / scale() });
      zoom(spread() / before, under(to));
    } else look({ x: view.x - dx / scale(), y: view.y - dy / scale() });
  });
  // Two fingers are for the map, so the browser does not scroll by them.
  for (const kind of ["touchstart", "touchmove"]) {
    svg.addEventListener(kind, (event) => {
      if (event.touches.length > 1) event.preventDefault();
      else if (kind === "touchmove") tell("Two fingers move the map");
    }, { passive: false });
  }
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
  }
  svg.addEventListener("click", (event) => {
    const node = event.target.closest("[data-section]");
    if (node && !wasDragged) chosen(Number(node.dataset.section));
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) {
      tell("Press Ctrl and turn the wheel to zoom");
      return;
    }
    event.preventDefault();
    zoom(Math.exp(-clamp(event.deltaY, -200, 200) / 400), under(event));
  }, { passive: false });

  // The keyboard: arrows go to the nearest section in their direction.

  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function beside(section, [dx, dy]) {
    const [x, y] = at.get(section);
    let best = null, least = Infinity;
    for (const [other, [ox, oy]] of at) {
      const along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy - (oy - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }
  function focus(section) {
    for (const [other, node] of nodes) node.setAttribute("tabindex", other === section ? "0" : "-1");
    nodes.get(section)?.focus({ preventScroll: true });
  }
  svg.addEventListener("keydown", (event) => {
    const section = Number(event.target.closest("[data-section]")?.dataset.section);
    if (!section || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = DIRECTIONS[event.key] && beside(section, DIRECTIONS[event.key]);
    if (next) {
      focus(next);
      const [x, y] = at.get(next);
      look({ x: x - left - width / 2, y: y - top - height / 2 });
    } else if (event.key === "Enter" || event.key === " ") chosen(section);
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") look({ x: 0, y: 0, zoom: 100 });
    else if (!DIRECTIONS[event.key]) return;
    event.preventDefault();
  });

  /** Shows which section is looked at. */
  function choose(section) {
    for (const [other, node] of nodes) {
      node.classList.toggle("chosen", other === section);
      node.setAttribute("tabindex", other === section ? "0" : "-1");
    }
    if (!nodes.has(section)) nodes.get(sections[0]?.section)?.setAttribute("tabindex", "0");
    for (const [name, line] of lines) {
      const isOwn = name.split("-").includes(String(section));
      line.classList.toggle("own", isOwn);
      if (isOwn) line.parentNode.append(line);
    }
  }

  /** Paints the chances of an answer: colours, thickness by visits, and where heroes die. */
  function paint({ win, start, goals, sections: visits, edges, deaths }) {
    const visited = new Map(visits.map((visit) => [visit.section, visit]));
    const dying = new Map(deaths.map(({ section, probability }) => [section, probability]));
    const killer = deaths.map(({ probability }) => probability).sort((a, b) => b - a)[KILLERS - 1] ?? 0;
    const taken = new Map(edges.map(({ from, to, probability }) => [`${from}-${to}`, probability]));
    for (const [name, line] of lines) {
      const chance = taken.get(name) ?? 0;
      line.classList.toggle("taken", chance > 0);
      line.style.strokeWidth = chance > 0 ? 1.2 + 6 * chance : "";
    }
    for (const [section, node] of nodes) {
      const visit = visited.get(section), disc = node.querySelector(".disc");
      node.classList.toggle("never", !visit);
      disc.style.fill = visit ? colour(visit.win_if_here, win.decimal) : "";
      disc.style.strokeWidth = visit ? 0.8 + 3.2 * visit.visited : "";
      const die = dying.get(section);
      node.classList.toggle("kills", die > 0);
      // What one looks for first has its number also where the others are too small to be read.
      node.classList.toggle("landmark", section === start || goals.includes(section) || die >= killer);
      node.querySelector(".chance").textContent = visit ? percent(visit.win_if_here) : "";
      const words = visit
        ? `Section ${called(section)}: ${percent(visit.win_if_here)} win, ${percent(visit.visited)} of heroes visit it` + (die ? `; ${percent(die)} die here${labels.get(section)}` : "")
        : `Section ${called(section)}: best play never comes here`;
      node.setAttribute("aria-label", words);
      node.querySelector("title").textContent = words;
    }
  }

  /** What `act` makes of the whole map, with all that can be written on it. */
  function whole(act) {
    const before = svg.getAttribute("viewBox");
    svg.setAttribute("viewBox", [left, top, width, height].join(" "));
    svg.classList.add("with-numbers", "with-chances");
    const made = act(svg);
    svg.setAttribute("viewBox", before);
    look({}, false);
    return made;
  }

  look(view, false);
  new ResizeObserver(() => look({}, false)).observe(svg);
  return { look, zoom, goTo, choose, paint, whole };
}
