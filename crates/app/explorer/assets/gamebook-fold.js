// A book is laid out in layers downwards, as a long strip. Here the strip is turned to run from left to right, and cut
// into rows, so that the whole of it can be seen at once.

/** Pixels on the map for a pixel of the layout: along the strip, and across it. */
const ALONG = 0.46, ACROSS = 0.85;
/** The space between rows. */
const GAP = 50;
/** A cut is looked for this near to where equal rows would have it, as a share of the whole strip. */
const NEAR = 0.07;

/** Where to cut a strip with layers at `ys` into `count` rows: between layers, through as few lines as may be. */
function cuts(ys, lines, count) {
  const first = ys[0], length = ys.at(-1) - first;
  const between = ys.slice(1).map((y, place) => (y + ys[place]) / 2);
  const cost = (cut) => lines.filter((points) => points.some(([, y], place) => place > 0 && (y > cut) !== (points[place - 1][1] > cut))).length;
  return Array.from({ length: count - 1 }, (_, place) => {
    const wanted = first + (length * (place + 1)) / count;
    const near = between.filter((cut) => Math.abs(cut - wanted) < NEAR * length);
    return near.length ? near.reduce((best, cut) => (cost(cut) < cost(best) ? cut : best)) : wanted;
  });
}

/**
 * The places of sections, as a map from their numbers to [x, y], and the line of each way: { from, to, back, path }.
 * `shape` is the wished width of the whole for its height.
 */
export function folded({ sections, ways }, shape) {
  const ys = [...new Set(sections.map(({ y }) => y))].sort((a, b) => a - b);
  const all = [...sections.map(({ x, y }) => [x, y]), ...ways.flatMap(({ points }) => points)];
  const wide = Math.max(...all.map(([x]) => x)) - Math.min(...all.map(([x]) => x)) + 1;
  const count = Math.max(1, Math.round(Math.sqrt(((ys.at(-1) - ys[0]) * ALONG) / (shape * (wide * ACROSS + GAP)))));
  const ends = [-Infinity, ...cuts(ys, ways.map(({ points }) => points), count), Infinity];
  let top = 0;
  const rows = ends.slice(1).map((end, row) => {
    const own = all.filter(([, y]) => y > ends[row] && y <= end);
    const xs = own.map(([x]) => x), begin = Math.max(ends[row], ys[0]);
    const left = Math.min(...xs), offset = top;
    top += (Math.max(...xs) - left) * ACROSS + GAP;
    return { begin, end: Math.min(end, ys.at(-1)), left, offset };
  });
  const rowOf = (y) => Math.max(0, ends.findIndex((end) => y <= end) - 1);
  const within = (row, [x, y]) => [(y - rows[row].begin) * ALONG, (x - rows[row].left) * ACROSS + rows[row].offset];
  const place = (point) => within(rowOf(point[1]), point);

  const bow = ([x1, y1], [x2, y2]) => `C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
  function path(points) {
    let line = `M${place(points[0]).join(" ")}`;
    points.slice(1).forEach((to, before) => {
      const from = points[before], row = rowOf(from[1]), next = rowOf(to[1]);
      if (row === next) {
        line += bow(place(from), place(to));
        return;
      }
      // Out at the end of the one row, in at the other's.
      const across = (from[0] + to[0]) / 2, onwards = next > row;
      const out = within(row, [across, onwards ? rows[row].end : rows[row].begin]);
      const into = within(next, [across, onwards ? rows[next].begin : rows[next].end]);
      line += `${bow(place(from), out)}M${into.join(" ")}${bow(into, place(to))}`;
    });
    return line;
  }
  return {
    at: new Map(sections.map(({ section, x, y }) => [section, place([x, y])])),
    lines: ways.map(({ from, to, back, points }) => ({ from, to, back, path: path(points) })),
  };
}
