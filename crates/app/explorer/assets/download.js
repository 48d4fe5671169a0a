// What leaves a page: its address, and what it shows as files. They are made here, of what is on the page.

import { textOf } from "./api.js";
import { announce, h } from "./dom.js";

/** A name for a file that says what is in it: "Two Ways, deaths" is two-ways-deaths. */
const named = (words) => words.toLowerCase().replaceAll(/[^a-z0-9+.]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 120);

const TYPES = { json: "application/json", csv: "text/csv", svg: "image/svg+xml" };

/** Gives a file to who looks at the page. */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: `${TYPES[name.split(".").at(-1)]};charset=utf-8` }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  announce(`Saved as ${name}`);
}

/**
 * Buttons that save files: [[label, kind, words for its name, make], ...]. The kind is json, csv or svg; `make` returns the answer
 * (for json, or its text), the rows (for csv, the names of the columns first) or the drawing (for svg, or its text), when the button is pressed;
 * nothing where there is none.
 */
export function downloads(files) {
  const made = { json: (answer) => `${typeof answer === "string" ? answer : textOf(answer)}\n`, csv, svg: (drawing) => (typeof drawing === "string" ? drawing : standalone(drawing)) };
  return h("div", { class: "row downloads", role: "group", "aria-label": "Download" }, h("span", { class: "hint" }, "Download"),
    files.filter(Boolean).map(([label, kind, words, make]) => h("button", {
      type: "button", "data-download": named(words) + "." + kind,
      onclick: async () => {
        const found = await make();
        if (found) save(`${named(words)}.${kind}`, made[kind](found));
      },
    }, label)));
}

/** A button that copies the page's address. */
function copyAddress() {
  const button = h("button", { type: "button", class: "copy", onclick: async () => {
    let message = "Copied";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      // Browsers copy for pages of this machine, and by https.
      message = "The address is in the bar above";
    }
    button.textContent = message;
    announce(message);
    setTimeout(() => { button.textContent = COPY; }, 4000);
  } }, COPY);
  return button;
}
const COPY = "Copy the address";

// Every page that can be kept has it in the same place.
document.querySelector(".title")?.append(copyAddress());

/** Rows as a table (RFC 4180, with plain ends of lines). */
function csv(rows) {
  const field = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",") + "\n").join("");
}

// Drawings that stand alone.

/** What of a style says how something is drawn. */
const DRAWN = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "paint-order", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline",
];
const USUAL = {
  "fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt",
  "stroke-linejoin": "miter", opacity: "1", "paint-order": "normal", "text-anchor": "start", "dominant-baseline": "auto", stroke: "none",
};
const OF_TEXT = new Set(["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order"]);

/** What says any colour of a style as every program reads it. */
function plainly() {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), known = new Map();
  return (colour) => {
    if (!/^[a-z-]+\(/.test(colour) || colour.startsWith("url(")) return colour;
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, alpha === 0 ? "none" : `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`);
    }
    return known.get(colour);
  };
}

/** The same element for a file: what is seen of it, with its style as attributes. */
function copied(element, colour) {
  const style = getComputedStyle(element), name = element.localName;
  if (style.display === "none" || style.visibility === "hidden") return null;
  const copy = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const { name, value } of element.attributes) {
    if (!/^(class|style|id|role|tabindex|aria-|data-|on)/.test(name)) copy.setAttribute(name, value);
  }
  if (name === "title") {
    copy.textContent = element.textContent;
    return copy;
  }
  const isText = name === "text" || name === "tspan";
  if (name !== "svg" && name !== "g") {
    for (const property of DRAWN) {
      if (OF_TEXT.has(property) && !isText) continue;
      const value = property === "fill" || property === "stroke" ? colour(style.getPropertyValue(property)) : style.getPropertyValue(property);
      if (value && value !== USUAL[property]) copy.setAttribute(property, value);
    }
  } else if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE) {
      const own = copied(child, colour);
      if (own) copy.append(own);
    }
  }
  return copy;
}

/** A drawing of the page as a file of its own: nothing of the page is needed to see it. */
export function standalone(svg) {
  const colour = plainly(), copy = copied(svg, colour);
  const [x, y, width, height] = svg.getAttribute("viewBox").split(/[\s,]+/).map(Number);
  for (const [name, value] of [["width", width], ["height", height]]) copy.setAttribute(name, value.toFixed(0));
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const ground = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width, height, fill: colour(ground) })) rect.setAttribute(name, value);
  copy.prepend(rect);
  const label = svg.getAttribute("aria-label");
  if (label) {
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = label;
    copy.prepend(title);
  }
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}
