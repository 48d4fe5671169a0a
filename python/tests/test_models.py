"""Models from arrays and files, against value iteration in fractions and in NumPy."""

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bestplay import Model

DATA = Path(__file__).resolve().parents[2] / "crates" / "engine" / "model-files" / "tests" / "data"


def randomly(seed, states=8):
    """Choices of states, acyclic so that recursion ends: [[(reward, {target: probability})]]."""
    dice = random.Random(seed)
    model = []
    for state in range(states):
        choices = []
        if state < states - 2:
            for _ in range(dice.randint(1, 3)):
                targets = dice.sample(range(state + 1, states), dice.randint(1, min(3, states - state - 1)))
                weights = [dice.randint(1, 9) for _ in targets]
                shares = {to: Fraction(weight, sum(weights)) for to, weight in zip(targets, weights)}
                choices.append((Fraction(dice.randint(0, 4), 3), shares))
        model.append(choices)
    return model


def arrays(model):
    indptr, indices, data, choices, rewards = [0], [], [], [0], []
    for own in model:
        for reward, shares in own:
            indices += list(shares)
            data += list(shares.values())
            indptr.append(len(indices))
            rewards.append(reward)
        choices.append(len(indptr) - 1)
    return indptr, indices, data, choices, rewards


def reach(model, state, goal, best):
    if state == goal:
        return Fraction(1)
    values = [sum(share * reach(model, to, goal, best) for to, share in shares.items()) for _, shares in model[state]]
    return best(values, default=Fraction(0))


def total(model, state, goals, best):
    if state in goals:
        return Fraction(0)
    values = [
        reward + sum(share * total(model, to, goals, best) for to, share in shares.items())
        for reward, shares in model[state]
    ]
    return best(values)


def test_a_choice_that_only_leads_back_and_infinite_totals():
    # Wait, or jump: 0 -> 0, 0 -> {1: 2/3, 2: 1/3}; and the ends.
    data = [1, Fraction(2, 3), Fraction(1, 3), 1, 1]
    model = Model.from_arrays(
        [0, 1, 3, 4, 5], [0, 1, 2, 1, 2], data, choices=[0, 2, 3, 4],
        labels={"good": [1], "over": [1, 2]}, choice_rewards={"r": [1, 1, 0, 0]},
    )
    advice = model.solve("good").advise(0)
    assert [(own.choice, own.standing, own.best) for own in advice] == [(1, "first", True), (0, "leads-back", True)]
    # Waiting for ever earns without end.
    endless = model.solve("over", reward="r")
    assert list(endless.policy[:1]) == [0] and endless.value_of(0).lower == float("inf")
    assert [(own.choice, own.standing) for own in endless.advise(0)] == [(0, "first"), (1, "worse")]


@pytest.mark.parametrize("sense", ["max", "min"])
def test_random_models(sense):
    best = {"max": max, "min": min}[sense]
    for seed in range(25):
        own = randomly(seed)
        indptr, indices, data, choices, rewards = arrays(own)
        goal = len(own) - 1
        model = Model.from_arrays(
            indptr, indices, data, choices=choices, labels={"goal": [goal], "over": [goal - 1, goal]},
            choice_rewards={"cost": rewards},
        )
        exact = model.solve("goal", sense=sense, exact=True)
        assert exact.exact == [reach(own, state, goal, best) for state in range(len(own))]
        costs = model.solve("over", sense=sense, reward="cost", exact=True)
        assert costs.exact == [total(own, state, (goal - 1, goal), best) for state in range(len(own))]
        for answer, text in ((exact, "goal"), (costs, "over")):
            verdict = model.verify(answer.certificate())
            assert verdict and (verdict.goal, verdict.sense) == (text, sense)
            # What the policy takes attains the value.
            for state, choice in enumerate(answer.policy):
                if choice >= 0:
                    attained = answer.advise(state)
                    assert (attained[0].choice, attained[0].standing) == (choice, "first")
                    assert attained[0].value.exact == answer.exact[state]
        roughly = model.solve("goal", sense=sense)
        for lower, value, upper in zip(roughly.lower, exact.exact, roughly.upper):
            assert lower <= value <= upper
        assert roughly.within_precision
        # By numbers, by truth values, and by an expression.
        for goals in ([goal], np.arange(len(own)) == goal, "!(!goal)"):
            assert model.solve(goals, sense=sense, exact=True).value == exact.value


def test_loops_until_steps_and_bounds():
    # A walk on 0..5 that ends at both ends.
    size = 6
    indptr, indices, data = [0], [], []
    for state in range(size):
        if 0 < state < size - 1:
            indices += [state - 1, state + 1]
            data += [0.4, 0.6]
        indptr.append(len(indices))
    model = Model.from_arrays(
        indptr, indices, data, initial=[2], labels={"top": [5], "low": [1, 2]}, state_rewards={"steps": [0, 1, 1, 1, 1, 0]}
    )
    assert model.is_chain
    ratio = Fraction(2, 3)
    assert model.solve("top", exact=True).value.exact == (1 - ratio**2) / (1 - ratio**5)
    steps = np.zeros(size)
    steps[5] = 1
    matrix = np.zeros((size, size))
    for state in range(1, size - 1):
        matrix[state, state - 1], matrix[state, state + 1] = 0.4, 0.6
    matrix[5, 5] = 1
    for count in range(6):
        answer = model.solve("top", steps=count, all_states=True)
        assert np.allclose(answer.lower, np.linalg.matrix_power(matrix, count) @ steps)
        bounded = model.solve("top", reward_bounds={"steps": count})
        assert bounded.value.lower == pytest.approx(answer.value_of(2).lower)
    with pytest.raises(ValueError, match="was not asked for"):
        bounded.value_of(0)
    assert np.isnan(bounded.lower[0])
    with pytest.raises(ValueError, match="leave them out"):
        bounded.policy
    assert model.solve("top", until="low").value.upper == 0
    # From 2 the walk may miss the top: then the expected number of steps to it is infinite.
    assert model.solve("top", reward="steps").value.lower == float("inf")
    assert model.solve("top", reward="steps", exact=True).exact[2] is None
    assert model.solve("top | !low & !top", reward="steps", exact=True).value.exact is not None


def test_numbers_are_what_they_say():
    def coin(data):
        return Model.from_arrays([0, 2, 2, 2], [1, 2], data, labels={"heads": [1]}).solve("heads", exact=True).value.exact

    assert coin([0.3, 0.7]) == Fraction(3, 10)
    assert coin(np.array([0.3, 0.7])) == Fraction(3, 10)
    assert coin([Fraction(1, 3), Fraction(2, 3)]) == Fraction(1, 3)
    assert coin([1, 0]) == 1
    nearly = Model.from_arrays([0, 3, 3], [0, 1, 1], [1 / 3, 1 / 3, 1 / 3], labels={"end": [1]})
    assert nearly.normalised_choices == 1


def test_files(tmp_path):
    found = sorted(DATA.glob("*.drn"))
    assert found, f"{DATA} has no models"
    model = Model.from_drn(found[0])
    copy = tmp_path / "copy.drn"
    model.write_drn(copy)
    again = Model.from_drn(copy)
    assert repr(again) == repr(model) and again.labels == model.labels
    for path in DATA.glob("*.umb"):
        if path.stem != "one-bit":
            assert Model.from_umb(path).states > 0
    with pytest.raises(ValueError, match="checksum"):
        Model.from_umb(DATA / "one-bit.umb")
    with pytest.raises(ValueError, match="cannot be read"):
        Model.from_drn(tmp_path / "none.drn")
    copy.write_text("@type: nonsense\n")
    with pytest.raises(ValueError, match="line 1"):
        Model.from_drn(copy)
    with pytest.raises(RuntimeError, match="cannot write"):
        model.write_drn(tmp_path / "none" / "copy.drn")


class StormMatrix:
    """As stormpy's sparse matrix is asked."""

    def __init__(self, groups, entry):
        self._entry = entry
        self._rows = [row for group in groups for row in group]
        self._starts = [0]
        for group in groups:
            self._starts.append(self._starts[-1] + len(group))

    def get_row_group_start(self, state):
        return self._starts[state]

    def get_row_group_end(self, state):
        return self._starts[state + 1]

    def get_row(self, row):
        return [self._entry(*entry) for entry in self._rows[row]]


class StormEntry:
    """An entry as stormpy 1 has it: its value is asked for."""

    def __init__(self, column, number):
        self.column, self._number = column, number

    def value(self):
        return self._number


class StormEntryOf2:
    """An entry as stormpy 2 has it: its value is an attribute."""

    def __init__(self, column, number):
        self.column, self.value = column, number


class StormLabels:
    def __init__(self, labels):
        self._labels = labels

    def get_labels(self):
        return set(self._labels)

    def get_states(self, name):
        return iter(self._labels[name])

    def get_labels_of_choice(self, choice):
        return {name for name, choices in self._labels.items() if choice in choices}


class StormRewards:
    has_transition_rewards = False

    def __init__(self, state_rewards=None, state_action_rewards=None):
        self.has_state_rewards = state_rewards is not None
        self.has_state_action_rewards = state_action_rewards is not None
        self.state_rewards, self.state_action_rewards = state_rewards, state_action_rewards


class StormModel:
    def __init__(self, number, entry=StormEntry):
        half, one = number("1/2"), number("1")
        self.nr_states = 3
        self.transition_matrix = StormMatrix([[[(0, half), (1, half)], [(1, one)]], [[(2, one)]], [[(2, one)]]], entry)
        self.labeling = StormLabels({"init": [0], "done": [2], "deadlock": []})
        self.initial_states = [0]
        self.reward_models = {"": StormRewards([one, number("0"), number("0")], [number("0"), one, one, number("0")])}
        self.choice_labeling = StormLabels({"wait": [0], "go": [1]})

    def has_choice_labeling(self):
        return True


class StormRational:
    """A number that tells itself as a text only."""

    def __init__(self, text):
        self._text = text

    def __str__(self):
        return self._text


@pytest.mark.parametrize("entry", [StormEntry, StormEntryOf2])
@pytest.mark.parametrize("number", [lambda text: float(Fraction(text)), StormRational])
def test_from_stormpy(number, entry):
    model = Model.from_stormpy(StormModel(number, entry))
    assert (model.states, model.choices, model.labels, model.rewards) == (3, 4, ["done"], ["default"])
    assert [model.action(0, choice) for choice in range(2)] == ["wait", "go"]
    answer = model.solve("done", reward="default", sense="min", exact=True)
    # Waiting costs 1 each time, twice on the average; going 2; then 1 more.
    assert answer.value.exact == 3
    assert model.solve("done", reward="default", exact=True).value.exact == 3
    assert {own.value.exact for own in answer.advise(0)} == {3}
    transitions = StormModel(number)
    transitions.reward_models[""].has_transition_rewards = True
    with pytest.raises(ValueError, match="rewards of transitions"):
        Model.from_stormpy(transitions)


STORM = """
mdp
module coin
    s : [0..2] init 0;
    [wait] s=0 -> 3/10 : (s'=1) + 7/10 : (s'=0);
    [go] s=0 -> 1 : (s'=2);
    [] s=1 -> true;
    [] s=2 -> 1/3 : (s'=1) + 2/3 : (s'=2);
endmodule
rewards "cost" s=0 : 2; [go] true : 1; s=2 : 3; endrewards
label "done" = s=1;
"""


@pytest.mark.parametrize("exact", [False, True])
def test_from_stormpy_itself(exact, tmp_path):
    stormpy = pytest.importorskip("stormpy", reason="stormpy is not installed")
    file = tmp_path / "coin.prism"
    file.write_text(STORM)
    program = stormpy.parse_prism_program(str(file))
    options = stormpy.BuilderOptions()
    options.set_build_all_labels()
    options.set_build_all_reward_models()
    options.set_build_choice_labels()
    build = stormpy.build_model[stormpy.Rational] if exact else stormpy.build_model
    read = Model.from_stormpy(build(program, options=options))
    own = Model.from_prism(STORM, labels=["done"])  # A label of its own may be named, too.
    assert (read.states, read.choices, read.transitions) == (own.states, own.choices, own.transitions)
    assert [read.action(0, choice) for choice in range(2)] == ["wait", "go"]
    for sense in ("min", "max"):
        found = read.solve("done", reward="cost", sense=sense, exact=True).value.exact
        wanted = own.solve("done", reward="cost", sense=sense, exact=True).value.exact
        # A double is the shortest decimal that stands for it: 1/3 is not.
        assert found == wanted if exact else abs(found - wanted) < Fraction(1, 10**9)


def test_certificates_are_checked():
    model = Model.from_arrays([0, 2, 2, 2], [1, 2], [0.5, 0.5], labels={"heads": [1]})
    other = Model.from_arrays([0, 2, 2, 2], [1, 2], [0.4, 0.6], labels={"heads": [1]})
    proof = model.solve("heads", exact=True).certificate()
    assert model.verify(proof).accepted
    refused = other.verify(proof)
    assert not refused and refused.reason
    wrong = proof.replace("1/2", "2/3")
    assert wrong != proof and not model.verify(wrong)
    with pytest.raises(ValueError):
        model.verify("no certificate")
    with pytest.raises(ValueError, match="exact=True"):
        model.solve("heads").certificate()
    with pytest.raises(ValueError, match="without names"):
        model.solve([1], exact=True).certificate()
