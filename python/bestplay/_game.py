"""Games written in Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from . import _engine
from ._engine import Turn
from ._numbers import Bounded, Limits, SolveArguments, SolveOptions, Value, run, value, whole

State = TypeVar("State", bound=Hashable)

#: The weight of an outcome, in proportion to the others: an ``int`` or a ``Fraction`` is exact, a ``float`` stands for its
#: shortest decimal.
Weight = int | float | Fraction


class Chance:
    """A start that is left to chance: states with weights, as a mapping or as pairs.

    >>> Chance({"heads": 1, "tails": 1})
    Chance({'heads': 1, 'tails': 1})
    """

    def __init__(self, outcomes: Mapping[Any, Weight] | Iterable[tuple[Any, Weight]]) -> None:
        """States with weights."""
        self.outcomes: Any = outcomes if isinstance(outcomes, Mapping) else list(outcomes)

    def __repr__(self) -> str:
        return f"Chance({self.outcomes!r})"


class Rules(Protocol):
    """The interface of a game: any object with these two functions is a game.

    Both must give the same result whenever they are called with the same state.
    """

    def starts(self) -> Iterable[Any]:
        """Where play begins: states, or a :class:`Chance` of states. Each start has a value of its own."""

    def rules(self, state: Any, turn: Turn, /) -> None:
        """Adds to ``turn`` the payoffs of ``state`` if play is over there, else every choice of the player in a fixed order.

        A turn in which chance moves alone has one choice.
        """


class Game:
    """A game of one player against chance: a subclass defines ``starts`` and ``rules``.

    A state is a hashable object with everything on which the rest of play depends, and nothing else. Pig, for one player: reach
    20 points in 3 turns; a one ends the turn with nothing.

    >>> class Pig(Game):
    ...     def starts(self):
    ...         return [(3, 0, 0)]
    ...
    ...     def rules(self, state, turn):
    ...         turns, points, rolled = state
    ...         if points + rolled >= 20:
    ...             return turn.end(1)
    ...         if turns == 0:
    ...             return turn.end(0)
    ...         lost = [(turns - 1, points, 0)]
    ...         turn.choice("roll").uniform(lost + [(turns, points, rolled + eyes) for eyes in range(2, 7)])
    ...         if rolled > 0:
    ...             turn.choice("hold").to((turns - 1, points + rolled, 0))
    >>> solution = Pig().solve(exact=True)
    >>> solution.value
    Value(0.7733267747612823 = 49468281632369613545/63968148067341828096)
    >>> solution.action((2, 10, 6))
    'roll'
    """

    def starts(self) -> Iterable[Any]:
        """Where play begins: states, or a :class:`Chance` of states. Each start has a value of its own."""
        raise NotImplementedError("a game needs a method for its starts: def starts(self)")

    def rules(self, state: Any, turn: Turn, /) -> None:
        """Adds to ``turn`` the payoffs of ``state`` if play is over there, else every choice of the player in a fixed order."""
        raise NotImplementedError("a game needs a method for its rules: def rules(self, state, turn)")

    def explore(self, **limits: Unpack[Limits]) -> Space[Any]:
        """Explores all states that can be reached: see :func:`explore`."""
        return explore(self, **limits)

    def solve(self, **arguments: Unpack[SolveArguments]) -> Solution[Any]:
        """Explores and solves, with the arguments of :meth:`Space.solve`."""
        limits = {name: own for name, own in arguments.items() if name not in SolveOptions.__annotations__}
        return explore(self, **cast(Limits, limits)).solve(**arguments)


def explore(game: Rules, **limits: Unpack[Limits]) -> Space[Any]:
    """Explores all states of a game that can be reached from its starts.

    >>> class Coin:
    ...     def starts(self):
    ...         return ["throw"]
    ...
    ...     def rules(self, state, turn):
    ...         if state == "throw":
    ...             return turn.chance({"heads": 1, "throw": 2})
    ...         turn.end(7)
    >>> space = explore(Coin())
    >>> len(space), sorted(space)
    (2, ['heads', 'throw'])
    >>> space.solve(exact=True).value.exact
    Fraction(7, 1)
    """
    return Space(_engine.explore(game, run(limits)))


class Space(Generic[State]):
    """All states of a game that can be reached, numbered as the engine numbers them."""

    def __init__(self, native: _engine.Space) -> None:
        """Made by :func:`explore`."""
        self._native = native

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def __contains__(self, state: object) -> bool:
        return state in self._native.index

    @property
    def states(self) -> list[State]:
        """The states, by number."""
        return cast("list[State]", self._native.states)

    def number(self, state: State) -> int:
        """The number of a state."""
        number = self._native.index.get(state)
        if number is None:
            raise ValueError(f"the state {state!r} cannot be reached")
        return number

    @property
    def counts(self) -> dict[str, int]:
        """The size of the model: states, choices, outcomes, strongly connected components (``sccs``), levels."""
        return self._native.counts()

    def name(self, state: State, choice: int) -> Any:
        """The name of a choice of a state, or its number if it has no name."""
        name = self._native.name(self.number(state), choice)
        return choice if name is None else name

    def solve(
        self,
        *,
        sense: str = "max",
        exact: bool = False,
        precision: float = 1e-9,
        method: str = "cheapest",
        **limits: Unpack[Limits],
    ) -> Solution[State]:
        """Finds the value of every state, and all best choices.

        ``sense``: ``"max"`` or ``"min"``. ``exact``: values are fractions, and every tie is proved; without it values
        have bounds that hold, at most ``precision`` apart (a share of the value) where the game has loops. ``method``:
        ``"cheapest"``, ``"sweeps"``, ``"elimination"`` or ``"fractions"``, for loops.
        """
        return Solution(self, self._native.solve(sense, exact, precision, method, run(limits)))


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice, and its value with best play after it."""

    #: Its number within the state.
    choice: int
    #: Its name; its number if it has no name.
    action: Any
    #: Its value.
    value: Value
    #: How it compares with the choice of best play: ``first`` (it is that choice), ``equal`` (always taking it here attains the
    #: value, too), ``leads-back`` (no worse, but always taking it here leads back again and again) or ``worse``.
    standing: str

    @property
    def best(self) -> bool:
        """Whether no other choice is better: proved."""
        return self.standing != "worse"


@dataclass(frozen=True, slots=True)
class Visit:
    """How likely and how often best play visits a state."""

    #: The probability of ever visiting it.
    probability: float
    #: The exact probability, if it was asked for.
    exact: Fraction | None
    #: The expected number of visits.
    times: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of simulated plays."""

    #: Plays that ended.
    finished: int
    #: Plays that were abandoned after too many steps; they count as paying 0.
    unfinished: int
    #: The mean payoff.
    mean: float
    #: The standard error of the mean.
    standard_error: float


class Solution(Bounded, Generic[State]):
    """A solved game: the value of every state, and the best choices."""

    def __init__(self, space: Space[State], native: _engine.Solution) -> None:
        """Made by :meth:`Space.solve`."""
        #: The states.
        self.space = space
        self._native: _engine.Solution = native

    @property
    def value(self) -> Value:
        """The value of the only start."""
        values = self.values
        if len(values) != 1:
            raise ValueError(f"the game has {len(values)} starts (see values)")
        return values[0]

    @property
    def values(self) -> list[Value]:
        """The values of all starts."""
        return [value(self._native.value(start, 0)) for start in range(self._native.starts())]

    def value_of(self, state: State, objective: int = 0) -> Value:
        """The value of a state, in one of several ordered payoffs."""
        return value(self._native.value_of(self.space.number(state), objective))

    @property
    def is_exact(self) -> bool:
        """Whether all values are exact and every tie is proved."""
        return self._native.is_exact()

    def is_within(self, share: float) -> bool:
        """Whether the bounds of all states are no further apart than this share of each value."""
        return self._native.is_within(share)

    @cached_property
    def policy(self) -> NDArray[np.int64]:
        """The choice that best play takes in each state, by number; -1 where play is over."""
        return self._native.policy()

    def choice(self, state: State) -> int | None:
        """The choice that best play takes in a state, by its number; ``None`` where play is over."""
        return self._native.choice(self.space.number(state))

    def action(self, state: State) -> Any:
        """The choice that best play takes in a state, by its name; ``None`` where play is over."""
        choice = self.choice(state)
        return None if choice is None else self.space.name(state, choice)

    def best(self, state: State) -> list[Any]:
        """All best choices of a state, by their names, the one that best play takes first.

        Unless :attr:`is_exact`, the choices that the bounds cannot tell apart.
        """
        return [self.space.name(state, choice) for choice in self._native.best(self.space.number(state))]

    def advise(self, state: State, **limits: Unpack[Limits]) -> list[Advice]:
        """Every choice of a state with its value, that of best play first; choices called best are proved to be."""
        advice = self._native.advise(self.space.number(state), run(limits))
        return [Advice(choice, self.space.name(state, choice), value(own), standing) for choice, own, standing in advice]

    def visits(self, start: int = 0, *, exact: bool = False, **limits: Unpack[Limits]) -> dict[State, Visit]:
        """The states that best play visits from a start, with how likely and how often."""
        states, probabilities, fractions, times = self._native.visits(start, exact, run(limits))
        exacts = [None] * len(states) if fractions is None else [Fraction(*own) for own in fractions]
        names = self.space.states
        return {
            names[state]: Visit(probability, exact, often)
            for state, probability, exact, often in zip(states, probabilities.tolist(), exacts, times.tolist())
        }

    def simulate(
        self,
        plays: int = 100_000,
        *,
        start: int = 0,
        seed: int = 1,
        max_steps: int = 1_000_000,
        **limits: Unpack[Limits],
    ) -> Simulation:
        """Simulates best play, an independent estimate of the value. Refused where choices earn rewards."""
        plays = whole("plays", plays, 1, 2**32 - 1)
        seed, max_steps = whole("seed", seed, 0, 2**64 - 1), whole("max_steps", max_steps, 0, 2**64 - 1)
        return Simulation(*self._native.simulate(start, plays, seed, max_steps, run(limits)))
