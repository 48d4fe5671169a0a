#!/usr/bin/env python3
"""Draws how the time to solve grows with the size of models with large strongly connected components.

    cargo build --release
    python3 benches/growth.py docs/images/loops.svg

Every point is the fastest of several runs of `bestplay mdp solve`, without reading the file.
"""

import argparse
import math
import sys
import tempfile
from pathlib import Path

import families
from storm import REPOSITORY, SOLVE, bestplay

SIZES = {
    "expander": [100, 1000, 10_000, 100_000],
    "grid": [100, 1000, 10_000, 100_000, 1_000_000],
    "haddad": [100, 1000, 10_000],
    "ruin": [100, 1000, 10_000, 100_000],
}
# Where a name stands beside the last point, where it would lie over another line.
LABELS = {"haddad": (0, -10, "middle"), "ruin": (8, 14, "start")}
NAMES = {"haddad": "Haddad and Monmege"}
COLOURS = {"expander": "#1b6ca8", "grid": "#b5521b", "haddad": "#3f7d20", "ruin": "#7d3f8c"}
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 400, 70, 50
LEAST, MOST = (2, -4), (6, 2)


def place(states, seconds):
    """Where a point lies: both axes are logarithmic."""
    x = LEFT + (math.log10(states) - LEAST[0]) / (MOST[0] - LEAST[0]) * (WIDTH - LEFT - 150)
    y = HEIGHT - BOTTOM - (math.log10(seconds) - LEAST[1]) / (MOST[1] - LEAST[1]) * (HEIGHT - BOTTOM - 20)
    return x, y


def measure(program, runs):
    """Points of every shape: states and seconds."""
    points = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drn"
        for shape, sizes in SIZES.items():
            points[shape] = []
            for size in sizes:
                question = families.generated(shape, size)
                question.make(path, program)
                # A large one takes long enough to be measured once.
                times = [bestplay(program, path, question.options())[SOLVE] for _ in range(runs if size < 1_000_000 else 1)]
                points[shape].append((size, min(times)))
                print(f"{shape} {size}: {min(times):.4f} s", flush=True)
    return points


def picture(points):
    """The picture as SVG."""
    text = lambda x, y, words, more="": f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<title>Seconds to solve against states, both logarithmic</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for power in range(LEAST[0], MOST[0] + 1):
        (x, low), (_, high) = place(10**power, 10 ** LEAST[1]), place(10**power, 10 ** MOST[1])
        lines.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{low:.0f}" y2="{high:.0f}" stroke="#ddd"/>')
        lines.append(text(x, low + 18, f"{10**power:,}", 'text-anchor="middle"'))
    for power in range(LEAST[1], MOST[1] + 1):
        (x, y), (right, _) = place(10 ** LEAST[0], 10.0**power), place(10 ** MOST[0], 10.0**power)
        lines.append(f'<line x1="{x:.0f}" x2="{right:.0f}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/>')
        lines.append(text(x - 8, y + 4, f"{10.0**power:g} s", 'text-anchor="end"'))
    lines.append(text((LEFT + WIDTH - 150) / 2, HEIGHT - 10, "states", 'text-anchor="middle"'))
    for shape, known in points.items():
        places = [place(*point) for point in known]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[shape]}" stroke-width="2"/>')
        lines.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[shape]}"/>' for x, y in places)
        (x, y), (right, down, anchor) = places[-1], LABELS.get(shape, (8, 4, "start"))
        more = f'fill="{COLOURS[shape]}" text-anchor="{anchor}"'
        lines.append(text(x + right, y + down, NAMES.get(shape, shape), more))
    return "\n".join([*lines, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("file", type=Path, help="the SVG to write")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the fastest counts (default: 3)")
    parser.add_argument("--bestplay", type=Path, default=REPOSITORY / "target/release/bestplay", help="the program")
    chosen = parser.parse_args()
    chosen.file.write_text(picture(measure(chosen.bestplay, chosen.runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
