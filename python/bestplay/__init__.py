"""Exact best play for single-player games of chance.

Gamebooks: :class:`bestplay.gamebook.Book`. Models from files and arrays: :class:`Model`. Your own games: :class:`Game`.
Values are exact fractions, or floating point within bounds that provably hold.
"""

from ._game import Advice, Chance, Game, Rules, Simulation, Solution, Space, Visit, explore
from ._engine import Turn
from ._numbers import Limits, Progress, Value
from .model import Answer, ChoiceValue, Model, Verdict

__all__ = [
    "Advice",
    "Answer",
    "Chance",
    "ChoiceValue",
    "Game",
    "Limits",
    "Model",
    "Progress",
    "Rules",
    "Simulation",
    "Solution",
    "Space",
    "Turn",
    "Value",
    "Verdict",
    "Visit",
    "explore",
]
