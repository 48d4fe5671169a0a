// Twee stories as pages of their story format, and plays of them in headless Chromium.

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

/** The flags with which Chromium starts quietly and needs no network. */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** The template of a story format, by its `format.js`. */
export function template(file) {
  let found;
  new Function("window", readFileSync(file, "utf8"))({ storyFormat: (format) => { found = format; } });
  return found;
}

/** The passages of a text in Twee 3. */
export function passages(text) {
  const found = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    const header = line.match(/^::\s*((?:\\.|[^[{\\])*?)\s*(?:\[([^\]]*)\])?\s*(?:\{.*\})?\s*$/);
    if (line.startsWith("::") && header) {
      found.push({ name: header[1].replace(/\\(.)/g, "$1"), tags: (header[2] ?? "").trim(), lines: [] });
    } else {
      found.at(-1)?.lines.push(line);
    }
  }
  return found.map(({ name, tags, lines }) => ({ name, tags, text: lines.join("\n").trim() }));
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** The published page of a story. */
export function published(twee, format) {
  const all = passages(twee);
  const data = JSON.parse(all.find((own) => own.name === "StoryData").text);
  const title = all.find((own) => own.name === "StoryTitle")?.text ?? "Story";
  const story = all.filter((own) => !["StoryData", "StoryTitle"].includes(own.name) && !/\b(script|stylesheet)\b/.test(own.tags));
  const start = story.findIndex((own) => own.name === (data.start ?? "Start")) + 1;
  const written = story.map((own, place) => `<tw-passagedata pid="${place + 1}" name="${escaped(own.name)}" tags="${escaped(own.tags)}">${escaped(own.text)}</tw-passagedata>`);
  const scripts = all.filter((own) => /\bscript\b/.test(own.tags)).map((own) => own.text).join("\n");
  const html = `<tw-storydata name="${escaped(title)}" startnode="${start}" creator="Twine" creator-version="2.10.0" format="${data.format}" format-version="${data["format-version"] ?? ""}" ifid="22F25A58-7062-4927-95B6-F424DDB2EC65" options="" hidden><style role="stylesheet" id="twine-user-stylesheet" type="text/twine-css"></style><script role="script" id="twine-user-script" type="text/twine-javascript">${scripts}</script>${written.join("")}</tw-storydata>`;
  return format.source.replaceAll("{{STORY_NAME}}", () => escaped(title)).replaceAll("{{STORY_DATA}}", () => html);
}

export async function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}
