"""Best play in the environments comes to the value, within four standard errors."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from bestplay import Chance, Game, Model  # noqa: E402
from bestplay import gym  # noqa: E402
from bestplay.gamebook import Book  # noqa: E402


def mean_of(env, policy, episodes, seed=1):
    """The mean return of a policy, and its standard error."""
    returns = []
    observation, info = env.reset(seed=seed)
    for _ in range(episodes):
        total, over = 0.0, False
        while not over:
            assert info["action_mask"].sum() == info["choices"]
            action = max(int(policy[observation]), 0)
            observation, reward, terminated, truncated, info = env.step(action)
            total += reward
            over = terminated or truncated
        returns.append(total)
        observation, info = env.reset()
    return np.mean(returns), np.std(returns) / np.sqrt(episodes)


class Sale(Game):
    """Offers come one by one; waiting costs, selling earns."""

    def starts(self):
        return [Chance({("offer", offer, 0): 7 - offer for offer in range(1, 7)})]

    def rules(self, state, turn):
        kind, offer, day = state
        if kind == "over":
            return turn.end(-1 if offer == 0 else 0)
        turn.choice("sell").earn(offer).to(("over", offer, day))
        if day < 5:
            turn.choice("wait").uniform([("offer", next, day + 1) for next in range(1, 7)])
        else:
            turn.choice("leave").to(("over", 0, day))


def close(env, policy, value, episodes):
    mean, error = mean_of(env, policy, episodes)
    assert error > 0 and abs(mean - float(value)) < 4 * error, (mean, error, value)


def test_a_game():
    solution = Sale().solve()
    env = gym.of_game(solution.space)
    close(env, solution.policy, solution.value, 4000)
    # Who takes the first choice always fares worse.
    mean, error = mean_of(env, np.zeros(len(solution.space), int), 4000)
    assert mean < float(solution.value) - 4 * error


def test_a_model():
    walk = dict(indptr=[0, 2, 4, 6, 6, 6], indices=[0, 1, 0, 2, 1, 3], data=[0.2, 0.8, 0.5, 0.5, 0.4, 0.6])
    model = Model.from_arrays(**walk, labels={"end": [3]}, state_rewards={"steps": [1, 1, 1, 0, 0]})
    answer = model.solve("end", reward="steps")
    close(gym.of_model(model, "end", reward="steps"), answer.policy, answer.value, 3000)
    lost = Model.from_arrays([0, 2, 2, 2], [1, 2], [0.3, 0.7], labels={"end": [1]})
    answer = lost.solve("end")
    close(gym.of_model(lost, "end"), answer.policy, answer.value, 3000)
    with pytest.raises(ValueError, match="no reward model"):
        gym.of_model(model, "end", reward="gold")


def test_a_book():
    solved = Book.load("flight-from-the-dark").solve({"combat_skill": 12})
    env = gym.of_book(solved)
    observation, info = env.reset(seed=5)
    assert info["state"] in solved.book.sections and len(info["names"]) == info["choices"]
    close(env, solved.policy, solved.win, 1500)


def test_it_is_an_environment():
    class Coins(Game):
        def starts(self):
            return [0]

        def rules(self, state, turn):
            if state == 6:
                return turn.end(6)
            turn.choice("one").uniform([state, state + 1])
            turn.choice("two").chance({state + 1: 3, 0: 1})

    from gymnasium.utils.env_checker import check_env

    env = gym.of_game(Coins().explore(), max_steps=50)
    check_env(env, skip_render_check=True)
    # The same seed plays the same.
    plays = []
    for _ in range(2):
        env.reset(seed=9)
        plays.append([env.step(1)[0] for _ in range(5)])
    assert plays[0] == plays[1]
    with pytest.raises(ValueError, match="there is no choice 7"):
        env.step(7)
    with pytest.raises(ValueError, match="reset"):
        gym.of_game(Coins().explore()).step(0)
    env = gym.of_game(Coins().explore(), max_steps=1)
    env.reset(seed=1)
    assert env.step(0)[3] is True
