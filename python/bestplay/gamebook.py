"""Gamebooks: whole books solved from the first section, with every choice."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from . import _engine
from ._numbers import Limits, Value, pairs, run, value, whole

#: The fields in which a hero differs from the book's own hero. In books of Lone Wolf ``combat_skill``, ``endurance``,
#: ``disciplines`` (names, ``weaponskill=sword`` for the discipline that needs a weapon), ``items`` (``{"meal": 2}``, or names),
#: ``lost`` (starting items that the hero has lost) and ``gold``. In books with a system of rules of their own: any stat, counter or item:
#: ``{"skill": 12, "stamina": 24}``.
Hero = Mapping[str, Any]

#: The names of the built-in books.
BUILT_IN: tuple[str, ...] = tuple(_engine.built_in_books())

_LONE_WOLF = ("combat_skill", "endurance", "disciplines", "items", "lost", "gold")


def _names(name: str, given: Any) -> list[str] | None:
    """Names, from a list, a text with commas, or a mapping from names to counts."""
    if given is None:
        return None
    if isinstance(given, str):
        return [own for own in map(str.strip, given.split(",")) if own not in ("", "none")]
    if isinstance(given, Mapping):
        return [f"{own}={whole(f'{name}[{own!r}]', count, 0, 255)}" for own, count in given.items()]
    return [str(own) for own in given]


def _several(name: str, given: int | Iterable[int], least: int, most: int) -> list[int]:
    """One whole number, or several."""
    return [whole(name, own, least, most) for own in (given if isinstance(given, Iterable) else (given,))]


def _hero(hero: Hero | None) -> dict[str, Any]:
    """A hero's fields as the engine takes them."""
    hero = dict(pairs("hero", hero))
    fields: dict[str, Any] = {name: hero.pop(name, None) for name in _LONE_WOLF}
    if fields["combat_skill"] is not None:
        fields["combat_skill"] = whole("combat_skill", fields["combat_skill"], -(2**31), 2**31 - 1)
    for name in ("endurance", "gold"):
        if fields[name] is not None:
            fields[name] = whole(name, fields[name], 0, 255)
    for name in ("disciplines", "items", "lost"):
        fields[name] = _names(name, fields[name])
    fields["values"] = [f"{name}={whole(name, number, -(2**31), 2**31 - 1)}" for name, number in hero.items()]
    return fields


def _sections(given: Any) -> list[str]:
    """Sections by their numbers or names."""
    if isinstance(given, (str, int)):
        return [str(given)]
    return [str(section) for section in given]


def _conduct(
    goals: Any, readings: Mapping[str, object] | None, policy: str | None, exact: bool, without: Iterable[str]
) -> dict[str, Any]:
    """How a book is read and played, as the engine takes it."""
    read = [f"{name}={reading}" for name, reading in pairs("readings", readings)]
    return {"goals": _sections(goals), "readings": read, "policy": policy, "exact": exact, "without": list(without)}


@dataclass(frozen=True, slots=True)
class Advice:
    """An answer to a question of the book, and its value."""

    #: Its label.
    label: str
    #: The section to which it leads at once.
    section: str | None
    #: The probability to win after it; ``None`` if unknown, since another answer is surely as good.
    win: Value | None
    #: How it compares with the answer of best play: ``first`` (it is that answer), ``equal`` (always giving it here wins as
    #: often), ``leads-back`` (no worse, but always giving it here leads back again and again) or ``worse``.
    standing: str

    @property
    def best(self) -> bool:
        """Whether no other answer is better."""
        return self.standing != "worse"


@dataclass(frozen=True, slots=True)
class SectionVisit:
    """How likely best play visits a section, and how likely it wins then."""

    #: The section.
    section: str
    #: The probability of ever visiting it.
    visited: float
    #: The probability to win of the plays that visit it.
    win_if_here: float


@dataclass(frozen=True, slots=True)
class FinalState:
    """A state in which a hero wins."""

    #: The section of the victory.
    section: str
    #: Its probability.
    probability: float
    #: ``endurance``, ``gold``, ``items`` and ``flags``; ``stats`` in place of the first two with other rules.
    state: dict[str, Any]


def _advice(native: Any) -> Advice:
    label, section, win, standing = native
    return Advice(label, section, None if win is None else value(win), standing)


class DraftWarning(UserWarning):
    """The odds are those of an unfinished draft, not of the finished book."""


class Book:
    """A gamebook.

    >>> book = Book.load("flight-from-the-dark")
    >>> book.title, len(book.sections)
    ('Flight from the Dark', 350)
    """

    def __init__(self, native: _engine.Book) -> None:
        """Made by :meth:`load` and :meth:`parse`."""
        self._native = native

    @classmethod
    def load(cls, name: str | os.PathLike[str], **limits: Unpack[Limits]) -> Book:
        """Reads a built-in book (see :data:`BUILT_IN`) or a file."""
        return cls(_engine.Book.load(os.fspath(name), run(limits)))

    @classmethod
    def parse(cls, text: str, **limits: Unpack[Limits]) -> Book:
        """Reads a text in the book language.

        >>> book = Book.parse('''
        ... book "Bets" format=1 rules="lone-wolf"
        ... start 1
        ... goal 2
        ... hero { combat-skill 15; endurance 25; gold 1; }
        ... section 1 {
        ...     choice "pay" { require "gold >= 2"; goto 2; }
        ...     choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
        ...     choice "beg" { require "gold = 0"; death "hunger"; }
        ... }
        ... section 2 { victory; }
        ... ''')
        >>> book.solve(exact=True).win
        Value(0.4 = 2/5)
        """
        return cls(_engine.Book.parse(text, run(limits)))

    @property
    def title(self) -> str:
        """Its title."""
        return self._native.title()

    @property
    def todos(self) -> int:
        """How many ``todo`` nodes are left in it, unreachable ones included."""
        return self._native.draft()[0]

    @property
    def stubs(self) -> int:
        """How many of its sections are named but not written yet."""
        return self._native.draft()[1]

    @property
    def draft(self) -> str | None:
        """The text to show beside the odds of an unfinished book; ``None`` for a finished one.

        Every call that gives its odds warns with this text, by a :class:`DraftWarning`.
        """
        return self._native.draft()[2]

    def _warn_of_draft(self) -> None:
        if (draft := self.draft) is not None:
            warnings.warn(f"{self.title}: {draft}", DraftWarning, stacklevel=3)

    @property
    def text(self) -> str:
        """The text from which it was read."""
        return self._native.text()

    @property
    def sections(self) -> list[str]:
        """Its sections, by number or name."""
        return self._native.sections()

    @property
    def items(self) -> list[str]:
        """The items of Lone Wolf that can be had in it."""
        return self._native.items()

    @property
    def disciplines(self) -> int:
        """How many disciplines a hero of Lone Wolf knows in it."""
        return self._native.disciplines()

    def heroes(
        self,
        *,
        combat_skill: int | Iterable[int] | None = None,
        endurance: int | Iterable[int] | None = None,
        weaponskill: str | None = None,
    ) -> Iterator[dict[str, Any]]:
        """All heroes of Lone Wolf that the book's rules can make: each set of disciplines with each roll.

        ``combat_skill`` and ``endurance``: only these rolls. ``weaponskill``: the weapon of that discipline, else that of the
        book's hero, or the book's first. Heroes with the same disciplines follow each other.

        >>> book = Book.load("fire-on-the-water")
        >>> sum(1 for _ in book.heroes())
        25200
        """
        sets, skills, points = self._native.every_hero(weaponskill)
        if combat_skill is not None:
            skills = _several("combat_skill", combat_skill, min(skills), max(skills))
        if endurance is not None:
            points = _several("endurance", endurance, min(points), max(points))
        for disciplines, skill, own in product(sets, skills, points):
            yield {"combat_skill": skill, "endurance": own, "disciplines": list(disciplines)}

    def solve(
        self,
        hero: Hero | None = None,
        *,
        start: str | int | None = None,
        goals: str | int | Iterable[str | int] = (),
        readings: Mapping[str, object] | None = None,
        policy: str | None = None,
        exact: bool = False,
        without: Iterable[str] = (),
        **limits: Unpack[Limits],
    ) -> SolvedBook:
        """Solves the book: see ``bestplay gamebook solve``.

        ``hero``: how he differs from the book's hero (:data:`Hero`). ``start`` and ``goals``: sections, in place of the book's. ``readings``:
        the interpretation of disputed rules. ``policy``: the name or the text of a policy that the player follows.
        ``exact``: the probability to win is a fraction. ``without``: reductions to leave out; the value stays the same.

        >>> Book.load("flight-from-the-dark").solve({"combat_skill": 99})
        Traceback (most recent call last):
        ...
        ValueError: a combat skill of 99: a hero has 10 to 19 (say what the rules and the book allow)
        """
        self._warn_of_draft()
        conduct = _conduct(goals, readings, policy, exact, without)
        native = self._native.solve(_hero(hero), None if start is None else str(start), conduct, run(limits))
        return SolvedBook(self, native)

    def odds(
        self,
        heroes: Iterable[Hero],
        *,
        goals: str | int | Iterable[str | int] = (),
        readings: Mapping[str, object] | None = None,
        policy: str | None = None,
        exact: bool = False,
        without: Iterable[str] = (),
        **limits: Unpack[Limits],
    ) -> list[Value]:
        """The probability to win of each hero, in order; for many heroes much faster than one by one.

        Heroes who differ only in COMBAT SKILL and ENDURANCE share one exploration. The options are those of
        :meth:`solve`.

        >>> book = Book.load("flight-from-the-dark")
        >>> heroes = [{"combat_skill": 15, "endurance": points} for points in (20, 29)]
        >>> weak, strong = book.odds(heroes)
        >>> float(weak) < float(strong) and abs(float(weak) - float(book.solve(heroes[0]).win)) < 1e-9
        True
        """
        self._warn_of_draft()
        conduct = _conduct(goals, readings, policy, exact, without)
        return [value(win) for win in self._native.odds([_hero(hero) for hero in heroes], conduct, run(limits))]

    def advise(
        self,
        at: str | int,
        hero: Hero | None = None,
        *,
        max_endurance: int | None = None,
        flags: Iterable[str] = (),
        goals: str | int | Iterable[str | int] = (),
        readings: Mapping[str, object] | None = None,
        policy: str | None = None,
        exact: bool = False,
        without: Iterable[str] = (),
        **limits: Unpack[Limits],
    ) -> Advised:
        """Advice for section ``at`` and the hero as he is now: see ``bestplay gamebook advise``.

        ``endurance`` of the hero is his present ENDURANCE, ``max_endurance`` that of his start. ``flags``: the flags of the book
        that are set.
        """
        if max_endurance is not None:
            max_endurance = whole("max_endurance", max_endurance, 0, 255)
        self._warn_of_draft()
        conduct = _conduct(goals, readings, policy, exact, without)
        native, choices = self._native.advise(
            str(at), _hero(hero), max_endurance, [str(flag) for flag in flags], conduct, run(limits)
        )
        return Advised(SolvedBook(self, native), [_advice(own) for own in choices])

    def __repr__(self) -> str:
        draft = f", {self.draft}" if self.draft else ""
        return f"Book({self.title!r}, {len(self.sections)} sections{draft})"


class SolvedBook:
    """A book that has been solved for a hero."""

    def __init__(self, book: Book, native: _engine.SolvedBook) -> None:
        """Made by :meth:`Book.solve`."""
        #: The book.
        self.book = book
        self._native = native

    @property
    def win(self) -> Value:
        """The probability to win."""
        return value(self._native.win())

    @property
    def counts(self) -> dict[str, int]:
        """The size of the solved model: states, choices, outcomes, strongly connected components (``sccs``), levels."""
        return self._native.counts()

    @cached_property
    def _journey(self) -> dict[str, Any]:
        return self._native.journey()

    @property
    def deaths(self) -> dict[str, float]:
        """The sections in which heroes die under best play, with probabilities, the deadliest first."""
        return dict(self._journey["deaths"])

    @property
    def sections(self) -> list[SectionVisit]:
        """The sections that best play can visit, in order."""
        return [SectionVisit(*own) for own in self._journey["sections"]]

    @property
    def final_states(self) -> list[FinalState]:
        """The states in which heroes win, the most likely first."""
        return [FinalState(*own) for own in self._journey["final_states"]]

    @property
    def way(self) -> list[str]:
        """The sections of the most likely play that wins."""
        return list(self._journey["way"])

    @property
    def first_choices(self) -> list[tuple[str, list[Advice]]]:
        """The first questions on the most likely way whose answers differ, with their sections."""
        return [(section, [_advice(own) for own in answers]) for section, answers in self._native.first_choices()]

    @cached_property
    def policy(self) -> NDArray[np.int64]:
        """The choice of best play in each situation of the solved model, as :mod:`bestplay.gym` numbers them; -1 at an end."""
        return self._native.policy()

    def section_of(self, state: int) -> str:
        """The section of a situation of the solved model."""
        return self._native.section(state)

    def names_of(self, state: int) -> list[str | None]:
        """The labels of the answers to the question of a situation of the solved model."""
        return self._native.names(state)

    def __repr__(self) -> str:
        draft = f", {self.book.draft}" if self.book.draft else ""
        return f"SolvedBook({self.book.title!r}, win={self.win}{draft})"


@dataclass(frozen=True)
class Advised:
    """Advice for a section."""

    #: The book solved from there.
    solved: SolvedBook
    #: The answers to the first question, that of best play first; empty if a roll comes before any question.
    choices: list[Advice]

    @property
    def win(self) -> Value:
        """The probability to win from there."""
        return self.solved.win
