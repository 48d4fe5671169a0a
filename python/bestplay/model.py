"""Markov decision processes and Markov chains: from arrays, from files, from other solvers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _engine
from ._numbers import Bounded, Limits, Value, pairs, run, value, whole

#: States: an expression over labels (``"heads & !lost"``), their numbers, or a truth value for each.
States = str | ArrayLike


def _integers(name: str, given: Any) -> NDArray[np.int64]:
    """Whole numbers as the engine takes them."""
    array = np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions (1 is needed)")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} holds {array.dtype} (whole numbers are needed)")
    if array.dtype.kind == "u" and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds a number beyond 64 bits")
    return np.ascontiguousarray(array, np.int64)


def _column(name: str, given: Any) -> NDArray[np.float64] | list[Any]:
    """Numbers as the engine takes them: doubles, or anything exact one by one."""
    array = given if isinstance(given, np.ndarray) else np.asarray(given, dtype=None if _is_plain(given) else object)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions (1 is needed)")
    if array.size == 0:
        return np.zeros(0, np.float64)
    if array.dtype.kind == "f":
        if array.dtype.itemsize != 8:
            raise ValueError(f"{name} holds {array.dtype} (float64 is needed, or fractions)")
        return np.ascontiguousarray(array, np.float64)
    if array.dtype.kind in "iub":
        return [int(own) for own in array]
    if array.dtype.kind == "O":
        return list(array)
    raise ValueError(f"{name} holds {array.dtype} (numbers are needed)")


def _is_plain(given: Any) -> bool:
    """Whether NumPy makes an array of floats of it without a loss."""
    return not isinstance(given, (list, tuple)) or all(type(own) is float for own in given)


def _states(name: str, given: Any, count: int) -> NDArray[np.int64]:
    """The numbers of states."""
    array = np.asarray(given)
    if array.dtype.kind == "b":
        if array.shape != (count,):
            raise ValueError(f"{name} has {array.size} truth values ({count} are needed)")
        return np.flatnonzero(array).astype(np.int64)
    return _integers(name, given)


class Model:
    """A model: states, their choices, and the outcomes of each choice with their probabilities.

    Made by :meth:`from_arrays`, :meth:`from_drn`, :meth:`from_umb`, :meth:`from_prism` or :meth:`from_stormpy`.

    Nothing is rounded: a ``Fraction`` is itself, a ``float`` the shortest decimal that stands for it (0.3 is 3/10). The
    probabilities of a choice must sum to exactly 1; floats may miss it by 1e-9, and are then divided by their sum.

    Throw a coin until it shows heads, which costs a penny each time, or take it as it lies:

    >>> model = Model.from_arrays(
    ...     indptr=[0, 2, 3, 4], indices=[0, 1, 1, 2], data=[0.5, 0.5, 1.0, 1.0], choices=[0, 1, 2, 3],
    ...     labels={"heads": [1]}, choice_rewards={"pennies": [1, 0, 0]},
    ... )
    >>> model
    Model(3 states, 3 choices, 4 transitions, rewards: pennies)
    >>> model.solve("heads", exact=True).value
    Value(1.0 = 1)
    >>> model.solve("heads", reward="pennies", sense="min", exact=True).value
    Value(2.0 = 2)
    """

    def __init__(self, native: _engine.Model) -> None:
        """Made by the functions ``from_...``."""
        self._native = native

    @classmethod
    def from_arrays(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        data: Any,
        *,
        choices: ArrayLike | None = None,
        initial: ArrayLike = (0,),
        labels: Mapping[str, ArrayLike] | None = None,
        state_rewards: Mapping[str, Any] | None = None,
        choice_rewards: Mapping[str, Any] | None = None,
        actions: Sequence[str] | None = None,
        **limits: Unpack[Limits],
    ) -> Model:
        """A model from compressed sparse rows, one row for each choice, as in SciPy.

        ``indices[indptr[row]:indptr[row + 1]]`` are the states to which a choice may lead, and ``data`` there their
        probabilities: an array of doubles, or a sequence of ``Fraction`` and ``int``. ``choices[s]:choices[s + 1]`` are the
        rows of state ``s``, none where play ends; without ``choices`` each state has one row, an empty one ends play, and the
        model is a Markov chain. ``labels`` names states, by their numbers or by a truth value for each. Rewards are
        earned by being in a state or by taking a choice there, each time. ``actions`` names all choices, ``""`` for none.
        """
        rows = _integers("indptr", indptr)
        groups = None if choices is None else _integers("choices", choices)
        count = max(len(rows if groups is None else groups) - 1, 0)
        of_states, of_choices = dict(pairs("state_rewards", state_rewards)), dict(pairs("choice_rewards", choice_rewards))
        rewards = []
        for name in {**of_states, **of_choices}:
            own = _column(f"state_rewards[{name!r}]", of_states[name]) if name in of_states else None
            taken = _column(f"choice_rewards[{name!r}]", of_choices[name]) if name in of_choices else None
            rewards.append((name, own, taken))
        named = [(name, _states(f"labels[{name!r}]", own, count)) for name, own in pairs("labels", labels)]
        native = _engine.Model.from_arrays(
            groups,
            rows,
            _integers("indices", indices),
            _column("data", data),
            _states("initial", initial, count),
            named,
            rewards,
            None if actions is None else list(actions),
            run(limits),
        )
        return cls(native)

    @classmethod
    def from_drn(cls, path: str | os.PathLike[str], **limits: Unpack[Limits]) -> Model:
        """A model from a DRN file (Storm's ``--exportexplicit``), plain or packed with gzip or xz."""
        return cls(_engine.Model.read(os.fspath(path), run(limits)))

    @classmethod
    def from_umb(cls, path: str | os.PathLike[str], **limits: Unpack[Limits]) -> Model:
        """A model from a UMB file (of Storm, PRISM or Modest), plain or packed with gzip or xz."""
        return cls(_engine.Model.read(os.fspath(path), run(limits)))

    @classmethod
    def from_prism(
        cls,
        text: str,
        constants: Mapping[str, object] | None = None,
        labels: Iterable[str] = (),
        **limits: Unpack[Limits],
    ) -> Model:
        """A model from a text in the PRISM language, explored.

        ``constants`` gives values to those that have none. Each of ``labels``, an expression over the model's variables,
        becomes a label of that text, which a goal names in quotation marks.

        >>> walk = '''mdp const int N;
        ... module walk x : [0..N] init 1;
        ...   [] 0 < x & x < N -> 1/3 : (x' = x + 1) + 2/3 : (x' = x - 1);
        ... endmodule'''
        >>> Model.from_prism(walk, {"N": 3}, ["x = 3"]).solve('"x = 3"', exact=True).value.exact
        Fraction(1, 7)
        """
        given = [(name, str(own)) for name, own in pairs("constants", constants)]
        return cls(_engine.Model.from_prism(text, given, list(labels), run(limits)))

    @classmethod
    def from_stormpy(cls, model: Any, **limits: Unpack[Limits]) -> Model:
        """A sparse model of stormpy (``stormpy.build_model``): MDP or DTMC, with doubles or exact numbers.

        Its matrix, labels, rewards of states and of choices, and names of choices are read through stormpy's own interface.
        """
        matrix = model.transition_matrix
        states = int(_stormpy_attribute(model, "nr_states"))
        indptr, indices, data, choices = [0], [], [], [0]
        for state in range(states):
            for row in range(matrix.get_row_group_start(state), matrix.get_row_group_end(state)):
                for entry in matrix.get_row(row):
                    indices.append(int(_stormpy_attribute(entry, "column")))
                    data.append(_stormpy_number(_stormpy_attribute(entry, "value")))
                indptr.append(len(indices))
            choices.append(len(indptr) - 1)
        labels = {str(name): sorted(map(int, model.labeling.get_states(name))) for name in model.labeling.get_labels()}
        initial = labels.pop("init", None)
        labels.pop("deadlock", None)
        of_states, of_choices = {}, {}
        for name, reward in model.reward_models.items():
            name = str(name) or "default"
            if _stormpy_attribute(reward, "has_transition_rewards"):
                raise ValueError(f"the reward model `{name}` has rewards of transitions (only states and choices may have rewards)")
            if _stormpy_attribute(reward, "has_state_rewards"):
                of_states[name] = [_stormpy_number(own) for own in reward.state_rewards]
            if _stormpy_attribute(reward, "has_state_action_rewards"):
                of_choices[name] = [_stormpy_number(own) for own in reward.state_action_rewards]
        actions = None
        if _stormpy_attribute(model, "has_choice_labeling"):
            named = [sorted(model.choice_labeling.get_labels_of_choice(choice)) for choice in range(len(indptr) - 1)]
            actions = [" ".join(names) for names in named]
        return cls.from_arrays(
            indptr,
            indices,
            data,
            choices=choices,
            initial=list(map(int, model.initial_states)) if initial is None else initial,
            labels=labels,
            state_rewards=of_states,
            choice_rewards=of_choices,
            actions=actions,
            **limits,
        )

    def write_drn(self, path: str | os.PathLike[str], **limits: Unpack[Limits]) -> None:
        """Writes it as a DRN file, whole or not at all."""
        self._native.write_drn(os.fspath(path), run(limits))

    @property
    def states(self) -> int:
        """How many states there are, numbered from 0."""
        return self._native.states()

    @property
    def choices(self) -> int:
        """How many choices all states have together."""
        return self._native.choices()

    @property
    def transitions(self) -> int:
        """How many transitions all choices have together."""
        return self._native.transitions()

    @property
    def is_chain(self) -> bool:
        """Whether it is a Markov chain: no state has more than one choice."""
        return self._native.is_chain()

    @property
    def normalised_choices(self) -> int:
        """The number of choices whose probabilities missed 1 a little, and were divided by their sum."""
        return self._native.normalised_choices()

    @property
    def initial(self) -> list[int]:
        """Where play begins."""
        return self._native.initial()

    @property
    def labels(self) -> list[str]:
        """The names of the labels; ``init`` and ``deadlock`` can be named as well."""
        return self._native.labels()

    @property
    def rewards(self) -> list[str]:
        """The names of the reward models."""
        return self._native.rewards()

    def states_of(self, states: States) -> NDArray[np.int64]:
        """The states that an expression over labels describes."""
        return self._native.states_of(states if isinstance(states, str) else _states("states", states, self.states))

    def action(self, state: int, choice: int) -> str | None:
        """The name of a choice of a state; ``None`` if it has no name."""
        return self._native.action(state, choice)

    def choices_of(self, state: int) -> int:
        """How many choices a state has; 0 where play is over."""
        return self._native.choices_of(state)

    def outcomes(self, state: int, choice: int) -> tuple[list[int], list[float]]:
        """Where a choice of a state leads, with probabilities."""
        return self._native.outcomes(state, choice)

    def solve(
        self,
        goal: States,
        *,
        sense: str = "max",
        reward: str | None = None,
        until: States | None = None,
        steps: int | None = None,
        reward_bounds: Mapping[str, int | float | Fraction] | None = None,
        all_states: bool = False,
        exact: bool = False,
        precision: float = 1e-9,
        method: str = "cheapest",
        **limits: Unpack[Limits],
    ) -> Answer:
        """The best probability of ever reaching ``goal``; with ``reward``, the best expected total of it until then.

        ``sense``: the largest (``"max"``) or the smallest (``"min"``). ``until``: play may pass only these states before the goal.
        ``steps``: within so many choices. ``reward_bounds``: with at most so much of each reward model earned on the way.
        With bounds on steps or rewards the initial states have a value, all of them with ``all_states``. A policy that
        misses the goal with positive probability earns infinitely much, as in PRISM and Storm.

        ``exact``: values are fractions. Without it they have bounds that hold; those of the initial states (with
        ``all_states``: of all) are at most ``precision`` apart (a share of the value), else :attr:`Answer.within_precision` is false.
        ``method``: ``"cheapest"``, ``"sweeps"``, ``"elimination"`` or ``"fractions"``, for loops.
        """
        if steps is not None:
            steps = whole("steps", steps, 0, 2**64 - 1)
        native = self._native.solve(
            goal if isinstance(goal, str) else _states("goal", goal, self.states),
            sense,
            reward,
            until if until is None or isinstance(until, str) else _states("until", until, self.states),
            steps,
            pairs("reward_bounds", reward_bounds),
            all_states,
            exact,
            precision,
            method,
            run(limits),
        )
        return Answer(self, native)

    def verify(self, certificate: str, **limits: Unpack[Limits]) -> Verdict:
        """Checks the proof of an answer (:meth:`Answer.certificate`), without solving anything.

        >>> coin = Model.from_arrays([0, 2, 2, 2], [1, 2], [0.5, 0.5], labels={"heads": [1]})
        >>> coin.verify(coin.solve("heads", exact=True).certificate())
        Verdict(accepted=True, state=None, reason=None, goal='heads', until=None, sense='max', reward=None)
        """
        return Verdict(*_engine.check_proof(self._native, certificate, run(limits)))

    def __repr__(self) -> str:
        return repr(self._native)


def _stormpy_attribute(thing: Any, name: str) -> Any:
    """A property of an object of stormpy: an attribute in some of its versions, a function in others."""
    own = getattr(thing, name)
    return own() if callable(own) else own


def _stormpy_number(number: Any) -> float | Fraction:
    """A number of stormpy: a double, or a fraction that prints as one."""
    return number if isinstance(number, float) else Fraction(str(number))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a certificate, and the question that the certificate answers."""

    #: Whether it proves its values.
    accepted: bool
    #: The state in which it fails, if it fails in one.
    state: int | None
    #: Why it fails.
    reason: str | None
    #: The goal.
    goal: str
    #: The states that play may pass before the goal.
    until: str | None
    #: ``"max"`` or ``"min"``.
    sense: str
    #: The reward model; ``None`` for a probability.
    reward: str | None

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(frozen=True, slots=True)
class ChoiceValue:
    """A choice of a state, and its value with best play after it."""

    #: Its number within the state.
    choice: int
    #: Its name.
    action: str | None
    #: Its value.
    value: Value
    #: How it compares with the choice of best play: ``first`` (it is that choice), ``equal`` (always taking it here attains the
    #: value, too), ``leads-back`` (no worse, but always taking it here leads back again and again) or ``worse``.
    standing: str

    @property
    def best(self) -> bool:
        """Whether no other choice is better: proved."""
        return self.standing != "worse"


class Answer(Bounded):
    """The values of all states of a model, and the best choices."""

    def __init__(self, model: Model, native: _engine.Answer) -> None:
        """Made by :meth:`Model.solve`."""
        #: The model.
        self.model = model
        self._native: _engine.Answer = native

    @property
    def value(self) -> Value:
        """The value of the only initial state."""
        initial = self.model.initial
        if len(initial) != 1:
            raise ValueError(f"the model has {len(initial)} initial states (see value_of)")
        return self.value_of(initial[0])

    def value_of(self, state: int) -> Value:
        """The value of a state. Where it is infinite, so are both bounds."""
        return value(self._native.value(state))

    @property
    def seconds(self) -> float:
        """How long the engine took."""
        return self._native.seconds()

    @property
    def within_precision(self) -> bool:
        """Whether the bounds are as close as ``precision`` asked."""
        return self._native.within_precision()

    @cached_property
    def exact(self) -> list[Fraction | None]:
        """The values of all states as fractions; ``None`` for an infinite value and for a state that was not asked for."""
        exact = self._native.exact()
        if exact is None:
            raise ValueError("the values are not exact (solve with exact=True)")
        return [None if own is None else Fraction(*own) for own in exact]

    @cached_property
    def policy(self) -> NDArray[np.int64]:
        """The choice to take in every state, counted within it; -1 where play is over or nothing helps.

        Following it attains the value, also an infinite one.
        """
        return self._native.policy()

    def advise(self, state: int, **limits: Unpack[Limits]) -> list[ChoiceValue]:
        """Every choice of a state with its value, that of best play first; choices called best are proved to be."""
        advice = self._native.advise(state, run(limits))
        return [ChoiceValue(own, self.model.action(state, own), value(worth), standing) for own, worth, standing in advice]

    def certificate(self, **limits: Unpack[Limits]) -> str:
        """The proof of all values, as a text that :meth:`Model.verify` and ``bestplay mdp verify`` check.

        For exact answers whose goal was given as an expression over labels, without bounds on steps or rewards.
        """
        return self._native.certificate(run(limits))
