"""Values, and the limits of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

#: Called with a run's progress some twenty times a second: the stage (``"solving"``), the work done, the work left (0 if
#: unknown), and the bytes in use. An exception that it raises ends the run.
Progress = Callable[[str, int, int, int], object]


class Limits(TypedDict, total=False):
    """The limits of a run and its progress function: keyword arguments of every call that can take long.

    ``threads``: how many (one for each core if left out). ``max_states``: ``ValueError`` beyond. ``max_memory``: bytes that the run counts
    itself (4 GiB), ``MemoryError`` beyond. ``max_time``: seconds, ``TimeoutError`` beyond. ``progress``: a function, see
    :data:`Progress`.
    """

    threads: int | None
    max_states: int | None
    max_memory: int | None
    max_time: float | None
    progress: Progress | None


class SolveOptions(TypedDict, total=False):
    """How a game is solved: keyword arguments of :meth:`bestplay.Space.solve`, which explains them."""

    sense: str
    exact: bool
    precision: float
    method: str


class SolveArguments(SolveOptions, Limits, total=False):
    """How a game is solved, and the limits of the run."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value: bounds that hold, and the exact fraction if it was asked for.

    >>> Value(0.25, 0.25, Fraction(1, 4))
    Value(0.25 = 1/4)
    >>> float(Value(0.5, 0.75))
    0.625
    """

    #: Not above the value.
    lower: float
    #: Not below the value.
    upper: float
    #: The value itself; ``None`` unless it was asked for, and where it is infinite.
    exact: Fraction | None = None

    @property
    def decimal(self) -> float:
        """The number nearest to the exact value, or the middle of the bounds."""
        if self.exact is None:
            return self.lower if self.lower == self.upper else (self.lower + self.upper) / 2
        try:
            return float(self.exact)
        except OverflowError:
            return self.lower if self.exact < 0 else self.upper

    def __float__(self) -> float:
        return self.decimal

    def __repr__(self) -> str:
        if self.exact is not None:
            return f"Value({self.decimal} = {self.exact})"
        if self.lower == self.upper:
            return f"Value({self.lower})"
        return f"Value({self.decimal}, lower={self.lower}, upper={self.upper})"


_Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]


class _HasBounds(Protocol):
    def bounds(self) -> _Bounds: ...


class Bounded:
    """Has bounds for every state, by number."""

    _native: _HasBounds

    @cached_property
    def _bounds(self) -> _Bounds:
        return self._native.bounds()

    @property
    def lower(self) -> NDArray[np.float64]:
        """Lower bounds of all states, by number; infinite for an infinite value, NaN for a state that was not asked for."""
        return self._bounds[0]

    @property
    def upper(self) -> NDArray[np.float64]:
        """Upper bounds of all states, by number; infinite for an infinite value, NaN for a state that was not asked for."""
        return self._bounds[1]


def value(native: tuple[float, float, tuple[int, int] | None]) -> Value:
    """A value from the tuple of the engine."""
    lower, upper, exact = native
    return Value(lower, upper, None if exact is None else Fraction(*exact))


def whole(name: str, given: Any, least: int, most: int) -> int:
    """A whole number within a range."""
    try:
        number = int(given.__index__())
    except AttributeError:
        raise ValueError(f"{name}={given!r} (a whole number)") from None
    if not least <= number <= most:
        raise ValueError(f"{name}={number} (a whole number from {least} to {most})")
    return number


def pairs(name: str, given: Any) -> list[tuple[str, Any]]:
    """Names and their values, from a mapping or ``None``."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ValueError(f"{name}={given!r} (a mapping of names is needed)")
    return [(str(key), own) for key, own in given.items()]


def run(limits: Limits) -> dict[str, Any] | None:
    """Limits as the engine takes them."""
    return dict(limits) if limits else None
