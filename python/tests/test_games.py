"""Games written in Python, against values that are worked out here without the engine."""

import math
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from bestplay import Chance, Game, explore


class Pig(Game):
    """Reach so many points in so many turns; a one loses what was rolled."""

    def __init__(self, points, turns):
        self.points, self.turns = points, turns

    def starts(self):
        return [(self.turns, 0, 0)]

    def rules(self, state, turn):
        turns, points, rolled = state
        if points + rolled >= self.points:
            return turn.end(1)
        if turns == 0:
            return turn.end(0)
        lost = [(turns - 1, points, 0)]
        turn.choice("roll").uniform(lost + [(turns, points, rolled + eyes) for eyes in range(2, 7)])
        if rolled > 0:
            turn.choice("hold").to((turns - 1, points + rolled, 0))


def pig_by_recursion(goal, turns):
    @cache
    def worth(turns, points, rolled):
        if points + rolled >= goal:
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        roll = sum((worth(turns, points, rolled + eyes) for eyes in range(2, 7)), worth(turns - 1, points, 0)) / 6
        return max(roll, worth(turns - 1, points + rolled, 0)) if rolled else roll

    return worth(turns, 0, 0)


def test_pig_is_worth_what_recursion_says():
    game = Pig(30, 4)
    exact = game.solve(exact=True)
    assert exact.is_exact
    assert exact.value.exact == pig_by_recursion(30, 4)
    roughly = game.solve()
    assert not roughly.is_exact and roughly.is_within(1e-9)
    assert roughly.value.lower <= exact.value.exact <= roughly.value.upper
    assert exact.action((4, 0, 0)) == "roll"
    assert exact.best((1, 0, 29)) == ["roll"]
    played = exact.simulate(20_000, seed=3)
    assert played.unfinished == 0
    assert abs(played.mean - float(exact.value)) < 4 * played.standard_error
    visits = exact.visits(exact=True)
    ends = [visit.exact for state, visit in visits.items() if exact.choice(state) is None]
    assert sum(ends) == 1
    won = [visit.exact for state, visit in visits.items() if state[1] + state[2] >= 30]
    assert sum(won) == exact.value.exact
    advice = exact.advise((2, 20, 5))
    assert {own.action for own in advice} == {"roll", "hold"} and advice[0].best


class Random(Game):
    """A game made by a seed: acyclic, with rewards, ties and weights of every kind."""

    def __init__(self, seed, weights):
        dice = random.Random(seed)
        self.recorded = {}
        for state in range(12):
            choices = []
            for _ in range(dice.randint(1, 3)):
                nexts = [dice.randint(state + 1, 14) for _ in range(dice.randint(1, 4))]
                choices.append((dice.choice([0, 0, Fraction(1, 3), 2]), [(next, weights(dice)) for next in nexts]))
            self.recorded[state] = choices

    def starts(self):
        return [Chance({0: 1, 1: Fraction(1, 2)}), 2]

    def rules(self, state, turn):
        if state >= 12:
            return turn.end(Fraction(state, 7))
        for earned, outcomes in self.recorded[state]:
            if sum(weight for _, weight in outcomes) == 0:
                outcomes = [(13, 1)]
            turn.earn(earned).chance(outcomes)

    def worth(self, state, best):
        if state >= 12:
            return Fraction(state, 7)
        values = []
        for earned, outcomes in self.recorded[state]:
            total = sum(Fraction(str(weight)) for _, weight in outcomes)
            if total == 0:
                outcomes, total = [(13, 1)], 1
            mean = sum(Fraction(str(weight)) * self.worth(next, best) for next, weight in outcomes) / total
            values.append(earned + mean)
        return best(values)


@pytest.mark.parametrize(
    "weights",
    [
        lambda dice: dice.randint(0, 5),
        lambda dice: Fraction(dice.randint(1, 9), dice.randint(1, 9)),
        lambda dice: dice.choice([0.1, 0.25, 0.7, 1e-9]),
        lambda dice: dice.choice([10**30, 10**29 + 1, 3]),
        lambda dice: dice.choice([1, Fraction(1, 3), 0.5]),
    ],
)
def test_random_games(weights):
    for seed in range(15):
        game = Random(seed, weights)
        for sense, best in (("max", max), ("min", min)):
            first, second = game.solve(sense=sense, exact=True).values
            assert first.exact == (2 * game.worth(0, best) + game.worth(1, best)) / 3
            assert second.exact == game.worth(2, best)
            for roughly, exact in zip(game.solve(sense=sense).values, (first, second)):
                assert roughly.lower <= exact.exact <= roughly.upper


def test_loops_are_solved():
    class Gambler:
        def starts(self):
            return ["two"]

        def rules(self, state, turn):
            if state in ("none", "four"):
                return turn.end(int(state == "four"))
            names = ["none", "one", "two", "three", "four"]
            place = names.index(state)
            turn.chance({names[place + 1]: 2, names[place - 1]: 3})
            turn.choice("wait").to(state)

    # (1 - (3/2)^2) / (1 - (3/2)^4)
    solution = explore(Gambler()).solve(exact=True)
    assert solution.value.exact == Fraction(4, 13)
    assert solution.space.counts["sccs"] == 1
    assert solution.policy[solution.space.number("four")] == -1
    assert np.all(solution.lower <= solution.upper)


def test_ordered_payoffs_ties_and_names():
    class Doors:
        def starts(self):
            return [()]

        def rules(self, state, turn):
            if state:
                return turn.end(*state)
            turn.to((1, 0))
            turn.choice(("a", "name")).to((1, 5))
            turn.choice(None).to((0, 9))

    solution = explore(Doors()).solve()
    assert solution.best(()) == [("a", "name")]
    assert solution.value_of((), 1).exact == 5
    assert [own.action for own in solution.advise(())][0] == ("a", "name")


def test_what_a_game_may_not_say():
    class Fixed(Game):
        def __init__(self, say, starts=("start",)):
            self.say, self._starts = say, starts

        def starts(self):
            return self._starts

        def rules(self, state, turn):
            if state == "end":
                return turn.end(1)
            return self.say(turn)

    def both(turn):
        turn.end(1)
        turn.to("end")

    for say, error, words in [
        (lambda turn: None, ValueError, r"neither a payoff nor a choice \('start'\)"),
        (both, ValueError, "both a payoff and choices"),
        (lambda turn: turn.uniform([]), ValueError, "a chance of no outcomes"),
        (lambda turn: turn.chance({"end": 0}), ValueError, "a chance of no outcomes"),
        (lambda turn: turn.chance({"end": -1}), ValueError, "0 or more"),
        (lambda turn: turn.chance({"end": -0.5}), ValueError, "0 or more"),
        (lambda turn: turn.chance({"end": float("nan")}), ValueError, "not a finite number"),
        (lambda turn: turn.chance({"end": "much"}), TypeError, "is not a number"),
        (lambda turn: turn.chance([1, 2]), TypeError, "pairs"),
        (lambda turn: turn.chance(5), TypeError, "iter"),
        (lambda turn: turn.earn(-1).to("end"), ValueError, "less than nothing"),
        (lambda turn: turn.end(), TypeError, "what play pays"),
        (lambda turn: turn.end("all"), TypeError, "is not a number"),
        (lambda turn: turn.end(float("inf")), ValueError, "not a finite number"),
        (lambda turn: turn.to([]), TypeError, "unhashable"),
        (lambda turn: turn.to("end") or 5, TypeError, "returns nothing"),
        (lambda turn: 1 / 0, ZeroDivisionError, "division"),
        (lambda turn: turn.choice("a").earn(1).end(1, 2) or turn.to("end"), ValueError, "both"),
    ]:
        with pytest.raises(error, match=words):
            Fixed(say).solve()
    with pytest.raises(ValueError, match="no start"):
        Fixed(None, []).solve()
    with pytest.raises(ValueError, match="at least one outcome"):
        Fixed(None, [Chance({})]).solve()
    with pytest.raises(NotImplementedError):
        Game().solve()
    with pytest.raises(AttributeError):
        explore(5)
    with pytest.raises(ValueError, match="pays 2 payoffs where 1"):
        explore(Fixed(lambda turn: turn.end(1, 2), ["end", "start"]))


def test_earning_for_ever_is_worth_more_than_any_number():
    class Mint:
        def starts(self):
            return [0]

        def rules(self, state, turn):
            turn.earn(1).to(0)

    for exact in (False, True):
        value = explore(Mint()).solve(exact=exact).value
        assert (value.lower, value.upper, value.exact) == (math.inf, math.inf, None)


def test_states_are_asked_for_by_what_they_are():
    solution = Pig(10, 2).solve()
    for wrong in ((9, 9, 9), None, 17):
        with pytest.raises(ValueError, match="cannot be reached"):
            solution.value_of(wrong)
    with pytest.raises(ValueError):
        solution.value_of((2, 0, 0), 1)
    with pytest.raises(ValueError, match="exact=True"):
        solution.visits(exact=True)
    for wrong in ({"sense": "most"}, {"method": "luck"}, {"precision": 0.0}, {"precision": float("nan")}):
        with pytest.raises(ValueError):
            Pig(10, 2).solve(**wrong)
    with pytest.raises(TypeError):
        Pig(10, 2).solve(colour="red")


def test_large_states_and_many_outcomes():
    class Wide:
        def starts(self):
            return [frozenset()]

        def rules(self, state, turn):
            if len(state) == 2:
                return turn.end(sum(state))
            turn.uniform([state | {number} for number in range(40)] * 2)

    # Two different numbers: those that stay come again.
    solution = explore(Wide()).solve(exact=True)
    assert solution.value.exact == Fraction(39)
