"""Questions about models with large strongly connected components: generated ones, and protocols."""

import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import shapes

PROTOCOLS = Path(__file__).resolve().parent / "protocols"


@dataclass(frozen=True)
class Question:
    """The best probability of a goal, or the best expected total of a reward model until then."""

    name: str
    # Writes the model, by the program that is to be measured where it comes from PRISM.
    make: Callable[[Path, Path], None]
    sense: str = "max"
    reward: str | None = None
    goal: str = "goal"
    # Whether exact values are to be had within minutes.
    exact: bool = True

    def options(self) -> list[str]:
        """As `bestplay mdp solve` takes it."""
        return ["--goal", self.goal, "--sense", self.sense, *(["--reward", self.reward] if self.reward else [])]

    def formula(self) -> str:
        """As Storm takes it. Labels stand in quotation marks there."""
        measure = f'R{{"{self.reward}"}}' if self.reward else "P"
        goal = self.goal if '"' in self.goal or any(sign in self.goal for sign in "&|!") else f'"{self.goal}"'
        return f"{measure}{self.sense}=? [F {goal}]"


def generated(shape: str, size: int, sense: str = "max", exact: bool = True) -> Question:
    costs = shapes.SHAPES[shape].costs
    make = lambda path, _: shapes.write(shape, size, path)
    return Question(f"{shape} {size}", make, "min" if costs else sense, "cost" if costs else None, exact=exact)


def protocol(name: str, constants: str, sense: str, costs: bool, exact: bool = True) -> Question:
    def make(path: Path, bestplay: Path) -> None:
        source = PROTOCOLS / f"{name}.prism"
        command = [str(bestplay), "mdp", "solve", str(source), "--goal", "goal", "--export-model", str(path)]
        # The cheapest question that there is: only the model is wanted.
        command += ["--steps", "0", *(["--const", constants] if constants else [])]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    return Question(f"{name} {constants}".strip(), make, sense, "cost" if costs else None, exact=exact)


def built_in() -> list[Question]:
    """Generated models, and protocols in our own words."""
    return [
        generated("expander", 100),
        generated("expander", 1000),
        generated("expander", 10_000, exact=False),
        generated("grid", 100),
        generated("grid", 1000),
        generated("grid", 10_000, exact=False),
        generated("haddad", 1000),
        generated("haddad", 10_000),
        generated("ruin", 100),
        generated("ruin", 1000),
        generated("ruin", 10_000),
        generated("roulette", 1000),
        generated("walls", 10_000, exact=False),
        generated("cycle", 10_000),
        generated("prison", 10_000, exact=False),
        generated("nested", 10_000),
        generated("clique", 400, exact=False),
        generated("two", 20_000, "min", exact=False),
        generated("gambler", 600),
        generated("strides", 10_000, exact=False),
        protocol("consensus", "K=2", "max", False),
        protocol("consensus", "K=4", "max", False, exact=False),
        protocol("csma", "K=2", "max", True),
        protocol("csma", "K=3", "max", True),
        protocol("firewire", "delay=36", "max", True, exact=False),
        protocol("zeroconf", "N=1000,K=4", "max", False),
        protocol("ij", "", "max", True),
        protocol("herman", "", "max", True),
    ]


def in_folder(folder: Path) -> list[Question]:
    """The models of a folder with the questions of its `answers.json`: `{file: {options: answer}}`, options as `bestplay mdp solve`
    takes them."""
    questions = []
    for file, answers in json.loads((folder / "answers.json").read_text()).items():
        for options in answers:
            words = shlex.split(options.replace("--objective", "--sense"))
            given = dict(zip(words, words[1:]))
            if any(word.startswith("--") and word not in ("--goal", "--sense", "--reward") for word in words):
                continue
            make = lambda path, _, file=file: path.write_bytes((folder / file).read_bytes())
            question = Question(f"{file} {options}", make, given.get("--sense", "max"), given.get("--reward"), quoted(given["--goal"]))
            questions.append(question)
    return questions


def quoted(goal: str) -> str:
    """A goal with every label in quotation marks, which both programs understand."""
    return re.sub(r'"[^"]*"|[A-Za-z_][A-Za-z_0-9.]*', lambda label: label[0] if label[0][0] == '"' else f'"{label[0]}"', goal)
