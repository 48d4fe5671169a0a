"""Makes the models in this folder and the answers to questions about them.

Needs Python 3.11 with the packages umbi 0.2.5 (the reference implementation of UMB) and stormpy 2.0.0
(Storm, which solves them in exact arithmetic). Run it in this folder: python make.py
"""

import json
import random
from fractions import Fraction

import stormpy
import umbi
import umbi.ats
import umbi.tar
from umbi.ats.annotations import AtomicPropositionAnnotation, RewardAnnotation
from umbi.ats.entity_class import EntityClass


def random_model(seed):
    """States as (state reward, is goal, [(choice reward, {target: probability})])."""
    draw = random.Random(seed)
    count = draw.randint(3, 10)
    goal = set(draw.sample(range(1, count), draw.choice([1, 1, 2])))
    forwards = draw.random() < 0.5
    states = []
    for state in range(count):
        reward = draw.choice([0, 0, 0, 1, 2])
        choices = []
        for _ in range(draw.choice([1, 1, 2, 3])):
            earned = draw.choice([0, 0, 1, 3])
            pool = range(state, count) if forwards and draw.random() < 0.7 else range(count)
            targets = sorted({draw.choice(list(pool)) for _ in range(draw.choice([1, 1, 2, 3]))})
            weights = [draw.randint(1, 5) for _ in targets]
            choices.append((earned, {t: Fraction(w, sum(weights)) for t, w in zip(targets, weights)}))
        states.append((reward, state in goal, choices))
    return states


def write_drn(name, states):
    lines = ["@type: MDP", "@value_type: rational", "@parameters", "", "@reward_models", "cost"]
    lines += ["@nr_states", str(len(states)), "@nr_choices", str(sum(len(c) for _, _, c in states)), "@model"]
    for number, (reward, is_goal, choices) in enumerate(states):
        lines.append(f"state {number} [{reward}]{' init' if number == 0 else ''}{' goal' if is_goal else ''}")
        for place, (earned, outcomes) in enumerate(choices):
            lines.append(f"\taction {place} [{earned}]")
            lines += [f"\t\t{target} : {probability}" for target, probability in outcomes.items()]
    with open(name, "w") as file:
        file.write("\n".join(lines) + "\n")


def umb_of(states, number):
    ats = umbi.ats.ExplicitAts()
    ats.num_players = 1
    for _ in states:
        ats.add_state()
    ats.set_initial_states([0])
    choice_rewards = []
    for state, (_, _, choices) in enumerate(states):
        for earned, outcomes in choices:
            choice = ats.add_state_choice(state=state)
            choice_rewards.append(number(earned))
            for target, probability in outcomes.items():
                choice.add_branch(target=target, prob=number(probability))
    goal = AtomicPropositionAnnotation(name="goal", alias="goal")
    goal.set_values_for(EntityClass.STATES, [is_goal for _, is_goal, _ in states])
    cost = RewardAnnotation(name="cost", alias="cost")
    cost.set_values_for(EntityClass.STATES, [number(reward) for reward, _, _ in states])
    cost.set_values_for(EntityClass.CHOICES, choice_rewards)
    ats.annotations = {"aps": {"goal": goal}, "rewards": {"cost": cost}}
    return umbi.ats.ats_to_umb.explicit_ats_to_explicit_umb(ats)


def write_umb(name, states, number, compression):
    encoder = umbi.umb.umb_to_tar.UmbEncoder()
    umb = umb_of(states, number)
    umb.index.file_data = None
    encoder.encode(umb)
    umbi.tar.tar_file.write(name, encoder, compression)


def answers(name):
    model = stormpy.build_model_from_drn[stormpy.Rational](name)
    found = {}
    for kind, measure in [("probability", "P"), ("reward", 'R{"cost"}')]:
        for objective in ["max", "min"]:
            formula = stormpy.parse_properties(f'{measure}{objective}=? [F "goal"]')[0]
            found[f"{kind} {objective}"] = str(stormpy.model_checking(model, formula).get_value(0))
    return found


def main():
    every = {}
    for seed in [2, 3, 5, 8, 11, 13, 19, 26, 31, 34, 41, 226]:
        name = f"random-{seed}.drn"
        states = random_model(seed)
        write_drn(name, states)
        every[name] = answers(name)
    states = random_model(41)
    write_umb("fractions.umb", states, Fraction, "gz")
    write_umb("fractions-xz.umb", states, Fraction, "xz")
    write_umb("fractions-plain.umb", states, Fraction, None)
    # The same chances as doubles: sums miss 1 in the last digits.
    write_umb("doubles.umb", states, float, "gz")
    with open("answers.json", "w") as file:
        json.dump(every, file, indent=1)
        file.write("\n")


main()
