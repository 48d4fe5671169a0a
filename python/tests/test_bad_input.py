"""Whatever is handed over, an exception of Python's comes back, never a panic and never the end of the interpreter."""

import random
from fractions import Fraction

import numpy as np
import pytest

from bestplay import Game, Model
from bestplay.gamebook import Book

JUNK = [
    None, True, 0, -1, 1, 2, 2**31, 2**32 - 1, 2**63, 2**64, -(2**70), 10**40, 0.0, -0.5, 0.5, 1e308, 5e-324,
    float("inf"), float("nan"), Fraction(1, 3), Fraction(-7, 2), "", "x", "init", "!init", "((", "\0", "ü" * 300, b"x", [],
    [0], [1.5], ["a"], [[1]], (), {}, {"a": 1}, object(), print, np.zeros(3), np.array([[1]]), np.array(["a"]),
    np.array([2**63], np.uint64), np.float32(0.1), np.int8(3), range(3), {1, 2},
]  # fmt: skip

#: What a mistake may raise.
MISTAKES = (ValueError, TypeError, MemoryError, TimeoutError, RuntimeError)


def tried(call):
    """Whether a call succeeded. Only exceptions that report a mistake are caught; a panic is not."""
    try:
        call()
    except MISTAKES as error:
        assert "mistake of the program" not in str(error), error
        return False
    return True


def model(**changes):
    arrays = dict(
        indptr=[0, 2, 3, 4], indices=[0, 1, 2, 2], data=[0.5, 0.5, 1.0, 1.0], choices=[0, 1, 2, 3], initial=[0],
        labels={"goal": [2]}, state_rewards={"a": [0, 1, 2.5]}, choice_rewards={"b": [1, 1, 1]}, actions=["x", "", "y"],
    )  # fmt: skip
    return Model.from_arrays(**{**arrays, **changes})


def test_arrays():
    assert tried(model)
    for name in ("indptr", "indices", "data", "choices", "initial", "labels", "state_rewards", "choice_rewards", "actions"):
        for junk in JUNK:
            tried(lambda: model(**{name: junk}).solve([0]))
            if name in ("labels", "state_rewards", "choice_rewards"):
                tried(lambda: model(**{name: {"goal": junk}}))
            else:
                tried(lambda: model(**{name: [junk] * 4}))
    for limit in ("threads", "max_states", "max_memory", "max_time", "progress"):
        for junk in JUNK:
            tried(lambda: model(**{limit: junk}))


def test_arrays_at_random():
    dice = random.Random(7)
    well = 0
    for _ in range(3000):
        numbers = [-1, 0, 0, 1, 1, 2, 2, 3, 4, 2**40]
        several = lambda count, of: [dice.choice(of) for _ in range(count)]  # noqa: E731
        indptr = sorted(several(dice.randint(0, 5), numbers)) if dice.random() < 0.9 else several(4, numbers)
        if indptr and dice.random() < 0.9:
            indptr[0] = 0
        length = indptr[-1] if indptr and 0 <= indptr[-1] < 10 else 2
        data = several(length, [0.5, 0.5, 1.0, 0.0, 1 / 3, Fraction(1, 2), 1, -1.0])
        well += tried(
            lambda: Model.from_arrays(
                indptr, several(length, [0, 1, 1, 2, 0, -1]), data, choices=dice.choice([None, indptr, [0, 1, 2]]),
                labels={"goal": [1]}
            ).solve("goal", exact=dice.random() < 0.5)
        )  # fmt: skip
    assert well > 10


def test_questions():
    own = model()
    for junk in JUNK:
        for question in (
            lambda: own.solve(junk),
            lambda: own.solve("goal", sense=junk),
            lambda: own.solve("goal", reward=junk),
            lambda: own.solve("goal", until=junk),
            lambda: own.solve("goal", steps=junk, max_states=10_000),
            lambda: own.solve("goal", reward_bounds={"a": junk}, max_states=10_000),
            lambda: own.solve("goal", reward_bounds=junk),
            lambda: own.solve("goal", exact=junk),
            lambda: own.solve("goal", precision=junk),
            lambda: own.solve("goal", method=junk),
            lambda: own.verify(junk),
            lambda: own.states_of(junk),
            lambda: own.action(junk, 0),
            lambda: own.outcomes(0, junk),
            lambda: own.solve("goal").value_of(junk),
            lambda: own.solve("goal").advise(junk),
            lambda: Model.from_drn(junk),
            lambda: Model.from_umb(junk),
            lambda: Model.from_prism(junk),
            lambda: Model.from_prism("mdp const int N; module m x : [0..N]; endmodule", {"N": junk}, max_states=10_000),
        ):
            tried(question)
    proof = own.solve("goal", exact=True).certificate()
    dice = random.Random(3)
    for _ in range(500):
        damaged = list(proof)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.choice("0123456789/- xyz\n\0")
        tried(lambda: own.verify("".join(damaged)))


def test_games():
    class Junk(Game):
        def __init__(self, starts, say):
            self._starts, self.say = starts, say

        def starts(self):
            return self._starts

        def rules(self, state, turn):
            return self.say(turn)

    for junk in JUNK:
        for say in (
            lambda turn: turn.end(junk),
            lambda turn: turn.to(junk),
            lambda turn: turn.uniform(junk),
            lambda turn: turn.chance(junk),
            lambda turn: turn.chance([(0, junk), (1, junk)]),
            lambda turn: turn.choice(junk).earn(junk).to(1),
            lambda turn: junk,
        ):
            tried(lambda: Junk([0], say).solve(max_states=100, max_time=5))
        tried(lambda: Junk(junk, lambda turn: turn.end(1)).solve(max_states=100))
        tried(lambda: Junk([junk], lambda turn: turn.end(1)).solve())
    solution = Junk([0], lambda turn: turn.end(1)).solve()
    for junk in JUNK:
        tried(lambda: solution.value_of(junk))
        tried(lambda: solution.value_of(0, junk))
        tried(lambda: solution.visits(junk))
        tried(lambda: solution.simulate(junk if junk != 2**31 and junk != 2**32 - 1 else 5))
        tried(lambda: solution.simulate(10, start=junk, seed=junk, max_steps=junk))


def test_states_that_play_tricks():
    class Trick:
        def __init__(self, mode):
            self.mode = mode

        def __hash__(self):
            if self.mode == "hash":
                raise ZeroDivisionError
            return 5

        def __eq__(self, other):
            if self.mode == "equal":
                raise ZeroDivisionError
            return NotImplemented

        def __repr__(self):
            if self.mode == "repr":
                raise ZeroDivisionError
            return "trick"

    class Tricks(Game):
        def __init__(self, mode):
            self.mode = mode

        def starts(self):
            return [Trick(self.mode), Trick(self.mode)]

        def rules(self, state, turn):
            if self.mode == "again":
                self.mode = None
                self.solve()
            if self.mode == "turn":
                self.kept = turn
                turn.end(1)
                turn.__init__()

    for mode in ("hash", "equal"):
        with pytest.raises(ZeroDivisionError):
            Tricks(mode).solve()
    for mode in ("repr", "again", None):
        with pytest.raises(ValueError, match="neither"):
            Tricks(mode).solve()
    Tricks("turn").solve()


def test_books():
    own = Book.load("flight-from-the-dark")
    for junk in JUNK:
        for call in (
            lambda: Book.load(junk),
            lambda: Book.parse(junk),
            lambda: own.solve(junk, max_states=100),
            lambda: own.solve({junk: 1}, max_states=100),
            lambda: own.solve(start=junk, max_states=100),
            lambda: own.solve(goals=junk, max_states=100),
            lambda: own.solve(readings=junk, max_states=100),
            lambda: own.solve(readings={"a": junk}, max_states=100),
            lambda: own.solve(policy=junk, max_states=100),
            lambda: own.solve(without=junk, max_states=100),
            lambda: own.solve(exact=junk, max_states=100),
            lambda: own.advise(junk, max_states=100),
            lambda: own.advise(1, max_endurance=junk, max_states=100),
            lambda: own.advise(1, flags=junk, max_states=100),
        ):
            tried(call)
        for name in ("combat_skill", "endurance", "disciplines", "items", "lost", "gold", "meal"):
            tried(lambda: own.solve({name: junk}, max_states=100))


def test_damaged_books(bets):
    dice = random.Random(11)
    for _ in range(400):
        damaged = list(bets)
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(damaged))
            damaged[place] = dice.choice([*'{};"0123456789 -=\n', damaged[place] * 3, ""])
        tried(lambda: Book.parse("".join(damaged)).solve(max_states=10_000, max_time=10))
    deep = "{ choice \"a\" " * 20_000
    tried(lambda: Book.parse(bets + "section 3 " + deep))
