#!/usr/bin/env python3
"""Writes models with large strongly connected components as DRN files, for comparisons of solvers.

    python3 benches/shapes.py grid 10000 grid.drn
    python3 benches/shapes.py --list

Every model has the labels `init` and `goal`. Where it has a reward model (`cost`), the least expected total until the
goal is the question, otherwise the largest probability of reaching it. The same shape of the same size is the same
file, byte by byte.
"""

import argparse
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator

# A choice: weights of the states to which it leads.
Choice = dict[int, int]
# What a state costs, its labels, its choices.
State = tuple[int, list[str], list[Choice]]


def add(choice: Choice, target: int, weight: int) -> None:
    choice[target] = choice.get(target, 0) + weight


def end(number: int, *labels: str) -> State:
    """A state in which play stays."""
    return 0, list(labels), [{number: 1}]


def expander(size: int) -> Iterator[State]:
    """Two choices a state, each to three or four others at random, two in a hundred also to the goal and to an end."""
    numbers = random.Random(1)
    for state in range(size):
        choices = []
        for action in range(2):
            choice: Choice = {}
            if action == 0:
                add(choice, (state + 1) % size, numbers.randint(1, 9))
            for _ in range(3):
                add(choice, numbers.randrange(size), numbers.randint(1, 9))
            if numbers.random() < 0.02:
                # Also an end: what it costs is finite, as the end leads on to the goal.
                add(choice, size, 1)
                add(choice, size + 1, 1)
            choices.append(choice)
        yield 1, ["init"] if state == 0 else [], choices
    yield end(size, "goal")
    yield 1, [], [{size: 1}]


def moves(side: int, state: int, blocked: Callable[[int, int], bool]) -> list[Choice]:
    """Steps in four directions, which go astray to either side one time in ten each."""
    x, y = state % side, state // side

    def at(dx: int, dy: int) -> int:
        to = min(max(x + dx, 0), side - 1), min(max(y + dy, 0), side - 1)
        return state if blocked(*to) else to[0] + side * to[1]

    choices = []
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        choice: Choice = {}
        add(choice, at(dx, dy), 8)
        add(choice, at(dy, dx), 1)
        add(choice, at(-dy, -dx), 1)
        choices.append(choice)
    return choices


def grid(size: int) -> Iterator[State]:
    """A square of places: the fewest steps from one corner to the other."""
    side = math.isqrt(size)
    for state in range(side * side - 1):
        yield 1, ["init"] if state == 0 else [], moves(side, state, lambda x, y: False)
    yield end(side * side - 1, "goal")


def walls(size: int) -> Iterator[State]:
    """The same with walls that make one winding way of it."""
    side = math.isqrt(size)

    def blocked(x: int, y: int) -> bool:
        gap = side - 1 if y // 4 % 2 == 0 else 0
        return y % 4 == 3 and x != gap and y != side - 1

    for state in range(side * side - 1):
        yield 1, ["init"] if state == 0 else [], moves(side, state, blocked)
    yield end(side * side - 1, "goal")


def haddad(size: int) -> Iterator[State]:
    """A coin sends play back to the beginning at every step of a long way (Haddad and Monmege 2014): 7/10."""
    length = size // 2
    yield 0, ["init"], [{1: 7, 2: 3}]
    for state in range(1, 2 * length - 1):
        yield 0, [], [{0: 1, state + 2: 1}]
    yield end(2 * length - 1, "goal")
    yield end(2 * length)


def ruin(size: int) -> Iterator[State]:
    """Gambling for one or two at a time until nothing or everything is there."""
    yield end(0)
    for state in range(1, size):
        choices = [{state - 1: 1, state + 1: 1}]
        if 2 <= state <= size - 2:
            choices.append({state - 2: 1, state + 2: 1})
        yield 0, ["init"] if state == size // 2 else [], choices
    yield end(size, "goal")


def roulette(size: int) -> Iterator[State]:
    """One at a time, at 9 to 10 against the player: values down to far below the smallest floating-point number."""
    yield end(0)
    for state in range(1, size):
        yield 0, ["init"] if state == size // 2 else [], [{state - 1: 10, state + 1: 9}]
    yield end(size, "goal")


def cycle(size: int) -> Iterator[State]:
    """A ring with one door, which opens one time in a thousand: two ways around, one a little longer."""
    yield 1, ["init"], [{1: 999, size: 1}, {1: 1998, 2: 1, size: 1}]
    for state in range(1, size):
        yield 1, [], [{(state + 1) % size: 1}, {(state + 1) % size: 1, (state + 7) % size: 1}]
    yield end(size, "goal")


def prison(size: int) -> Iterator[State]:
    """A random walk on a ring that is left one time in a billion, to the goal or not."""
    for state in range(size):
        choice = {(state - 1) % size: 499_999_999, (state + 1) % size: 500_000_000}
        add(choice, size + state % 3 % 2, 1)
        other = {(state - 3) % size: 500_000_000, (state + 2) % size: 499_999_999}
        add(other, size + state % 7 % 2, 1)
        yield 0, ["init"] if state == 0 else [], [choice, other]
    yield end(size, "goal")
    yield end(size + 1)


def nested(size: int) -> Iterator[State]:
    """Loops within loops: from every state a step on, or back to where its loop began, each twice as long as the last."""
    for state in range(size):
        back = state & (state + 1)
        choices = [{state + 1: 1, back: 1}, {state + 1: 2, back: 1, state: 1}]
        yield 1, ["init"] if state == 0 else [], choices
    yield end(size, "goal")


def clique(size: int) -> Iterator[State]:
    """Two choices a state, each of which can lead anywhere."""
    numbers = random.Random(2)
    for state in range(size):
        choices = []
        for _ in range(2):
            choice = {to: numbers.randint(1, 9) for to in range(size)}
            choice[size] = numbers.randint(1, 9)
            choice[size + 1] = numbers.randint(1, 9)
            choices.append(choice)
        yield 0, ["init"] if state == 0 else [], choices
    yield end(size, "goal")
    yield end(size + 1)


def beads(size: int, each: int = 1000) -> Iterator[State]:
    """Components in a row, each an expander that leads on to the next, or to an end, now and then."""
    numbers = random.Random(3)
    count = max(size // each, 1)
    last = count * each
    for state in range(last):
        first = state // each * each
        choices = []
        for _ in range(2):
            choice: Choice = {}
            add(choice, first + (state + 1) % each, numbers.randint(1, 9))
            for _ in range(2):
                add(choice, first + numbers.randrange(each), numbers.randint(1, 9))
            if numbers.random() < 0.03:
                add(choice, min(first + each, last), 3)
                if numbers.random() < 0.02:
                    add(choice, last + 1, 1)
            choices.append(choice)
        # There is a way on from every component.
        add(choices[0], min(first + each, last), 1) if state % each == 0 else None
        yield 0, ["init"] if state == 0 else [], choices
    yield end(last, "goal")
    yield end(last + 1)


def small_beads(size: int) -> Iterator[State]:
    """The same with components of a hundred states."""
    return beads(size, 100)


def two(size: int) -> Iterator[State]:
    """The same with two components."""
    return beads(size, size // 2)


def gambler(size: int) -> Iterator[State]:
    """Any stake up to what is there, at 9 to 11: many choices a state, and ties."""
    yield end(0)
    for state in range(1, size):
        stakes = range(1, min(state, size - state) + 1)
        yield 0, ["init"] if state == size // 2 else [], [{state - stake: 11, state + stake: 9} for stake in stakes]
    yield end(size, "goal")


def strides(size: int) -> Iterator[State]:
    """A line along which strides of several lengths can be tried, the longer the riskier, each place in its own way."""
    numbers = random.Random(4)
    for state in range(size):
        choices = []
        for stride in (1, 2, 3, 5, 8):
            choice: Choice = {}
            add(choice, min(state + stride, size), numbers.randint(20, 40))
            add(choice, max(state - 2 * stride, 0), stride + numbers.randint(0, 9))
            choices.append(choice)
        yield 1, ["init"] if state == 0 else [], choices
    yield end(size, "goal")


@dataclass(frozen=True)
class Shape:
    """A family of models."""

    states: Callable[[int], Iterator[State]]
    # Expected costs are asked, not a probability.
    costs: bool
    # Whether there is nothing to choose.
    chain: bool = False


SHAPES = {
    "expander": Shape(expander, True),
    "grid": Shape(grid, True),
    "walls": Shape(walls, True),
    "haddad": Shape(haddad, False, chain=True),
    "ruin": Shape(ruin, False),
    "roulette": Shape(roulette, False),
    "cycle": Shape(cycle, True),
    "prison": Shape(prison, False),
    "nested": Shape(nested, True),
    "clique": Shape(clique, False),
    "beads": Shape(beads, False),
    "small-beads": Shape(small_beads, False),
    "two": Shape(two, False),
    "gambler": Shape(gambler, False),
    "strides": Shape(strides, True),
}


def write(name: str, size: int, path: Path) -> None:
    """Writes a model of about so many states."""
    shape = SHAPES[name]
    states = choices = 0
    body = path.with_name(path.name + ".part")
    with body.open("w") as out:
        for state, (cost, labels, options) in enumerate(shape.states(size)):
            states += 1
            choices += len(options)
            out.write(" ".join([f"state {state}", *([f"[{cost}]"] if shape.costs else []), *labels]) + "\n")
            for number, choice in enumerate(options):
                out.write(f"\taction a{number}{' [0]' if shape.costs else ''}\n")
                total = sum(choice.values())
                out.writelines(f"\t\t{to} : {weight}/{total}\n" for to, weight in sorted(choice.items()))
    with path.open("w") as out, body.open() as states_of:
        out.write(f"@type: {'DTMC' if shape.chain else 'MDP'}\n@value_type: rational\n@parameters\n\n")
        out.write(f"@reward_models\n{'cost' if shape.costs else ''}\n@nr_states\n{states}\n@nr_choices\n{choices}\n@model\n")
        while block := states_of.read(1 << 20):
            out.write(block)
    body.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n\n")[0],
        epilog=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shape", nargs="?", choices=SHAPES)
    parser.add_argument("size", nargs="?", type=int, help="about how many states")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--list", action="store_true", help="tell what there is")
    chosen = parser.parse_args()
    if chosen.list:
        for name, shape in SHAPES.items():
            print(f"{name:<12} {' '.join((shape.states.__doc__ or '').split())}")
        return 0
    if chosen.file is None or chosen.size < 16:
        parser.error("a shape, a size of at least 16, a file")
    write(chosen.shape, chosen.size, chosen.file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
