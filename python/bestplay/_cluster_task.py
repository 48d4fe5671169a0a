"""The tasks of the workers of a cluster.

They have a module of their own because a worker imports a task by its module's name, and the module of a command is named
``__main__``, which is another module in the worker.
"""

from __future__ import annotations

from functools import lru_cache

from .gamebook import BUILT_IN, Book, Hero

#: A hero by his number, the probability to win, its bounds, and the fraction.
Solved = tuple[int, float, float, float, str | None]


@lru_cache(maxsize=2)
def book(source: str) -> Book:
    """A book, read once in each worker: a built-in one by its name, or its text."""
    return Book.load(source) if source in BUILT_IN else Book.parse(source)


def solve(source: str, heroes: list[tuple[int, Hero]], exact: bool) -> list[Solved]:
    """Solves some heroes of a book on one thread."""
    read = book(source)
    solved = []
    wins = read.odds([hero for _, hero in heroes], exact=exact, threads=1)
    for (number, _), win in zip(heroes, wins):
        fraction = None if win.exact is None else f"{win.exact.numerator}/{win.exact.denominator}"
        solved.append((number, float(win), win.lower, win.upper, fraction))
    return solved
