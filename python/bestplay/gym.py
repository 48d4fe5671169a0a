"""Every game as a gymnasium environment, to compare learners with the truth.

Needs ``gymnasium`` (``pip install bestplay[gym]``). An observation is the number of a state, an action the number of a choice
within it; ``info`` holds ``choices`` (how many there are), ``action_mask``, the ``state`` itself and the ``names`` of its
choices. The ``policy`` of the solution has the choices of best play, by the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from . import _engine
from ._game import Space
from .gamebook import SolvedBook
from .model import Model, States


class _Moves(ABC):
    """The game of an environment: its states, choices and outcomes."""

    #: How many states there are.
    states: int
    #: The most choices that a state has.
    most_choices: int

    @abstractmethod
    def start(self) -> tuple[list[int], list[float]]:
        """Where play begins, with probabilities."""

    @abstractmethod
    def choices(self, state: int) -> int:
        """How many choices a state has; 0 where play is over."""

    @abstractmethod
    def outcomes(self, state: int, choice: int) -> tuple[list[int], list[float]]:
        """Where a choice leads, with probabilities."""

    @abstractmethod
    def reward(self, state: int, choice: int) -> float:
        """The reward of a choice."""

    @abstractmethod
    def payoff(self, state: int) -> float:
        """The payoff of an end."""

    @abstractmethod
    def describe(self, state: int) -> tuple[Any, list[Any]]:
        """The state of the game, and the names of its choices."""


class _OfGraph(_Moves):
    """Moves of the engine's model."""

    def __init__(self, graph: _engine.Graph, start: int) -> None:
        self._graph, self._start = graph, start
        self.states, self.most_choices = graph.states(), graph.most_choices()

    def start(self) -> tuple[list[int], list[float]]:
        return self._graph.start(self._start)

    def choices(self, state: int) -> int:
        return self._graph.choices(state)

    def outcomes(self, state: int, choice: int) -> tuple[list[int], list[float]]:
        return self._graph.outcomes(state, choice)

    def reward(self, state: int, choice: int) -> float:
        return self._graph.reward(state, choice)

    def payoff(self, state: int) -> float:
        return self._graph.payoff(state)


class _OfGame(_OfGraph):
    """Moves of a game written in Python."""

    def __init__(self, space: Space[Any], start: int) -> None:
        super().__init__(space._native.graph(), start)
        self._space = space

    def describe(self, state: int) -> tuple[Any, list[Any]]:
        own = self._space.states[state]
        return own, [self._space.name(own, choice) for choice in range(self.choices(state))]


class _OfBook(_OfGraph):
    """Moves of a gamebook."""

    def __init__(self, book: SolvedBook) -> None:
        super().__init__(book._native.graph(), 0)
        self._book = book

    def describe(self, state: int) -> tuple[Any, list[Any]]:
        return self._book.section_of(state), self._book.names_of(state)


class _OfModel(_Moves):
    """Moves of a model until its goal."""

    def __init__(self, model: Model, goal: States, reward: str | None) -> None:
        self._model, self._reward = model, reward
        if reward is not None and reward not in model.rewards:
            raise ValueError(f"the model has no reward model `{reward}` (it has: {', '.join(model.rewards) or 'none'})")
        self._goal = np.zeros(model.states, bool)
        self._goal[model.states_of(goal)] = True
        self.states, self.most_choices = model.states, model._native.most_choices()

    def start(self) -> tuple[list[int], list[float]]:
        initial = self._model.initial
        if not initial:
            raise ValueError("the model has no initial state (give `initial`)")
        return initial, [1 / len(initial)] * len(initial)

    def choices(self, state: int) -> int:
        count = 0 if self._goal[state] else self._model.choices_of(state)
        # A state that no choice leaves counts as an end.
        stays = all(set(self._model.outcomes(state, choice)[0]) == {state} for choice in range(count))
        return 0 if stays else count

    def outcomes(self, state: int, choice: int) -> tuple[list[int], list[float]]:
        return self._model.outcomes(state, choice)

    def reward(self, state: int, choice: int) -> float:
        return 0.0 if self._reward is None else self._model._native.earned(self._reward, state, choice)

    def payoff(self, state: int) -> float:
        return float(self._reward is None and self._goal[state])

    def describe(self, state: int) -> tuple[Any, list[Any]]:
        return state, [self._model.action(state, choice) for choice in range(self.choices(state))]


class Play(gymnasium.Env[np.int64, np.int64]):
    """A game, played move by move: made by :func:`of_game`, :func:`of_model` and :func:`of_book`.

    The undiscounted return of an episode is the payoff of the play; its mean under best play is the value.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, moves: _Moves, max_steps: int | None) -> None:
        """An environment of these moves; an episode is truncated after ``max_steps``."""
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"max_steps={max_steps} (at least 1)")
        self._moves, self._max_steps = moves, max_steps
        self.observation_space = spaces.Discrete(moves.states)
        self.action_space = spaces.Discrete(max(moves.most_choices, 1))
        self._state, self._steps = -1, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.int64, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        self._state, self._steps = self._drawn(self._moves.start()), 0
        return np.int64(self._state), self._info()

    def step(self, action: np.int64 | int) -> tuple[np.int64, SupportsFloat, bool, bool, dict[str, Any]]:
        """Takes a choice. In a state where play is over, as a start may be, any action receives the payoff."""
        if self._state < 0:
            raise ValueError("an environment begins with reset()")
        earned, choices = 0.0, self._moves.choices(self._state)
        if choices:
            choice = int(action)
            if not 0 <= choice < choices:
                raise ValueError(f"there is no choice {choice} (this state has {choices}, see info['action_mask'])")
            earned = self._moves.reward(self._state, choice)
            self._state = self._drawn(self._moves.outcomes(self._state, choice))
        self._steps += 1
        terminated = self._moves.choices(self._state) == 0
        if terminated:
            earned += self._moves.payoff(self._state)
        truncated = not terminated and self._max_steps is not None and self._steps >= self._max_steps
        return np.int64(self._state), earned, terminated, truncated, self._info()

    def _drawn(self, outcomes: tuple[list[int], list[float]]) -> int:
        """One of these states."""
        states, probabilities = outcomes
        if len(states) == 1:
            return states[0]
        place = int(np.searchsorted(np.cumsum(probabilities), self.np_random.random() * sum(probabilities), side="right"))
        return states[min(place, len(states) - 1)]

    def _info(self) -> dict[str, Any]:
        choices = self._moves.choices(self._state)
        mask: NDArray[np.int8] = np.zeros(int(self.action_space.n), np.int8)  # type: ignore[attr-defined]
        mask[:choices] = 1
        state, names = self._moves.describe(self._state)
        return {"choices": choices, "action_mask": mask, "state": state, "names": names}


def of_game(space: Space[Any], *, start: int = 0, max_steps: int | None = None) -> Play:
    """A game written in Python, explored: observations are the numbers of ``space.states``.

    >>> from bestplay import explore
    >>> class Stairs:
    ...     def starts(self):
    ...         return [0]
    ...
    ...     def rules(self, step, turn):
    ...         turn.end(7) if step == 3 else turn.choice("climb").uniform([step, step + 1])
    >>> env = of_game(explore(Stairs()))
    >>> observation, info = env.reset(seed=1)
    >>> info["state"], info["names"]
    (0, ['climb'])
    >>> over = False
    >>> while not over:
    ...     observation, reward, over, truncated, info = env.step(0)
    >>> reward, info["state"]
    (7.0, 3)
    """
    return Play(_OfGame(space, start), max_steps)


def of_model(model: Model, goal: States, *, reward: str | None = None, max_steps: int | None = None) -> Play:
    """A model, until its goal: reaching it pays 1; with ``reward``, choices earn that reward model instead.

    Several initial states are equally likely to begin.
    """
    return Play(_OfModel(model, goal, reward), max_steps)


def of_book(book: SolvedBook, *, max_steps: int | None = None) -> Play:
    """A gamebook for a hero: winning pays 1. ``info["state"]`` is the section, ``info["names"]`` the labels of the answers.

    It is the solved model, which leaves out everything that can no longer matter.
    """
    return Play(_OfBook(book), max_steps)
