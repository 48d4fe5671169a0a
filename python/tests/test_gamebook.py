"""Gamebooks from Python, against the figures of the documentation and against a book worked out by hand."""

import warnings
from fractions import Fraction

import pytest

from bestplay.gamebook import BUILT_IN, Book, DraftWarning

def test_a_book_worked_out_by_hand(bets):
    solved = Book.parse(bets).solve(exact=True)
    assert solved.win.exact == Fraction(2, 5)
    assert solved.deaths == {"1": pytest.approx(0.6)}
    assert [(end.section, end.state["gold"]) for end in solved.final_states] == [("2", 2)]
    assert solved.way == ["1", "1", "2"] or solved.way[-1] == "2"
    # Two crowns pay at once.
    assert Book.parse(bets).solve({"gold": 2}, exact=True).win.exact == 1


@pytest.fixture(scope="module")
def flight():
    return Book.load("flight-from-the-dark")


def test_a_book_that_is_built_in(flight):
    assert "flight-from-the-dark" in BUILT_IN and flight.disciplines == 5
    solved = flight.solve()
    exact = flight.solve(exact=True)
    assert solved.win.lower <= exact.win.exact <= solved.win.upper
    # How best play fares is worked out anew without the reductions of the book.
    assert sum(solved.deaths.values()) + float(solved.win) == pytest.approx(1)
    assert sum(end.probability for end in solved.final_states) == pytest.approx(float(solved.win))
    visits = {visit.section: visit for visit in solved.sections}
    assert visits["1"].visited == 1 and visits["1"].win_if_here == pytest.approx(float(solved.win))
    assert solved.way[0] == "1" and solved.way[-1] == "350"
    assert solved.first_choices and all(answer.label for _, answers in solved.first_choices for answer in answers)
    assert solved.counts["states"] == len(solved.policy) > 1000
    for reduction in ("sure", "hopeless"):
        assert flight.solve(exact=True, without=[reduction], max_states=4_000_000).win.exact == exact.win.exact


def test_better_heroes_fare_better(flight):
    wins = [float(flight.solve({"combat_skill": skill}).win) for skill in (10, 13, 16, 19)]
    assert wins == sorted(wins) and wins[0] < wins[-1]
    same = [
        {"disciplines": ["hunting", "weaponskill=sword"], "items": {"sword": 1, "meal": 2}, "gold": 7},
        {"disciplines": "hunting,weaponskill=sword", "items": "sword,meal=2", "gold": 7},
        {"disciplines": ("hunting", "weaponskill=sword"), "items": ["sword", "meal", "meal"], "gold": 7},
    ]
    assert len({flight.solve(hero, exact=True).win.exact for hero in same}) == 1


def test_advice(flight):
    advised = flight.advise(1, {"endurance": 14, "gold": 3}, max_endurance=22)
    best = [answer for answer in advised.choices if answer.best]
    assert best and best[0] is advised.choices[0]
    for answer in advised.choices:
        if answer.win is not None:
            assert answer.win.lower <= advised.win.upper
    assert float(best[0].win) == pytest.approx(float(advised.win))


def test_a_book_with_a_system_of_its_own():
    warlock = Book.load("warlock-of-firetop-mountain")
    strong = warlock.solve({"skill": 12, "stamina": 24, "luck": 12})
    weak = warlock.solve({"skill": 7, "stamina": 14, "luck": 7})
    assert float(strong.win) > float(weak.win)
    with pytest.raises(ValueError, match="no heroes of Lone Wolf"):
        warlock.solve({"combat_skill": 15})
    with pytest.raises(ValueError, match="strength"):
        warlock.solve({"strength": 15})


def test_errors_have_the_words_of_the_command(bets, flight, tmp_path):
    for hero, words in [
        ({"combat_skill": 9}, "a combat skill of 9: a hero has 10 to 19"),
        ({"combat_skill": 10**30}, "combat_skill=1000"),
        ({"combat_skill": "many"}, "a whole number"),
        ({"endurance": 300}, "endurance=300"),
        ({"gold": -1}, "gold=-1"),
        ({"gold": 51}, "51 gold: a belt pouch holds 0 to 50"),
        ({"disciplines": ["juggling"]}, "there is no discipline `juggling`"),
        ({"disciplines": ["hunting"] * 2}, "the discipline of hunting twice"),
        ({"disciplines": ["weaponskill"]}, "weaponskill in no weapon"),
        ({"items": {"mael": 1}}, "there is no item `mael` in this book .*meal"),
        ({"items": {"meal": 10**9}}, "items"),
        ({"items": {"meal": 200}}, "at most"),
        ({"lost": ["everything"]}, "there is no item"),
        ({"wings": 2}, "there is no item `wings`"),
    ]:
        with pytest.raises(ValueError, match=words):
            flight.solve(hero)
    with pytest.raises(ValueError, match="there is no section 999"):
        flight.solve(start=999)
    with pytest.raises(ValueError, match="there is no section zzz"):
        flight.solve(goals=["zzz"])
    with pytest.raises(ValueError, match="there is no section"):
        flight.advise("\0")
    with pytest.raises(ValueError, match="an endurance of"):
        flight.advise(1, {"endurance": 29}, max_endurance=20)
    with pytest.raises(ValueError, match="flag"):
        flight.advise(1, flags=["raised"])
    with pytest.raises(ValueError, match="no reduction"):
        flight.solve(without=["all"])
    with pytest.raises(ValueError, match="no reading"):
        flight.solve(readings={"no": 1})
    with pytest.raises(ValueError, match="no policy"):
        flight.solve(policy="brave")
    with pytest.raises(ValueError, match="there is no book `none`.*flight-from-the-dark"):
        Book.load("none")
    with pytest.raises(ValueError, match="cannot read"):
        Book.load(tmp_path)
    with pytest.raises(ValueError, match=r"line \d+, column \d+"):
        Book.parse(bets.replace("goto 2", "goto 77"))
    with pytest.raises(ValueError):
        Book.parse("")
    with pytest.raises(ValueError, match="series"):
        Book.parse('series "A" format=1 { book "x"; }')
    book = tmp_path / "bets.kdl"
    book.write_text(bets)
    assert Book.load(book).title == "Bets"


def test_a_draft_says_that_it_is_one(bets):
    draft = Book.parse(bets.replace("section 2 {", 'stub 3\nsection 4 { todo "what the guard wants"; goto 2; }\nsection 2 {'))
    assert (draft.todos, draft.stubs) == (1, 1)
    warning = "draft: 1 todo, 1 section not written yet; these odds are not the book's"
    assert draft.draft == warning and warning in repr(draft)
    for ask in (draft.solve, lambda: draft.odds([{}]), lambda: draft.advise(1)):
        with pytest.warns(DraftWarning, match="these odds are not the book's"):
            ask()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        finished = Book.parse(bets)
        assert (finished.draft, finished.todos, finished.stubs) == (None, 0, 0)
        finished.solve()


# A random draw from any number of things is not a round of a fight; only rounds are explored together for heroes of different
# COMBAT SKILL.
@pytest.mark.parametrize("things", range(2, 16))
def test_the_odds_of_many_heroes_are_those_of_each_alone(things):
    book = Book.parse(f"""
book "Things" format=1 rules="lone-wolf"
start 1
goal 2
hero {{ combat-skill 15; endurance 25; items sword pack rope=1 {f"meal={things - 1}"}; }}
items {{ weapon sword; backpack-item rope; backpack-item meal food=#true; container pack holds=15; }}
section 1 {{ give-up backpack-items 1 by=chance; if "has rope" {{ goto 3; }}; death "no rope"; }}
section 3 {{ choice {{ goto 4; }}; choice {{ goto 5; }}; }}
section 4 {{ fight "guard" skill=18 endurance=20; goto 2; }}
section 5 {{ fight "wolf" skill=17 endurance=26 {{ evade {{ goto 3; }}; }}; goto 2; }}
section 2 {{ victory; }}
""")
    heroes = [
        {"combat_skill": skill, "endurance": points, "disciplines": ["hunting", "healing"]}
        for skill in range(10, 12 + things % 8)
        for points in (20, 27)
    ]
    for hero, win in zip(heroes, book.odds(heroes), strict=True):
        exact = book.solve(hero, exact=True).win.exact
        assert win.lower <= exact <= win.upper and win.upper - win.lower < 1e-9
