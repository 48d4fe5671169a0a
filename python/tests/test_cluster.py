"""Sweeps over heroes on two worker processes, one of which is killed on the way."""

import csv
import os
import signal
import sqlite3
import subprocess
import sys

import pytest

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

from bestplay import cluster  # noqa: E402
from bestplay.gamebook import Book  # noqa: E402

BOOK = "flight-from-the-dark"


@pytest.fixture(scope="module")
def wanted():
    """Heroes of a few sets of disciplines, with two rolls each."""
    heroes = list(Book.load(BOOK).heroes(combat_skill=[12, 17], endurance=25, weaponskill="sword"))
    return heroes[:: len(heroes) // 40]


@pytest.fixture(scope="module")
def alone(wanted):
    """What they are worth, without a cluster."""
    book = Book.load(BOOK)
    return {cluster._key(hero): book.solve(hero, threads=1).win for hero in wanted}


def same(rows, wanted, alone):
    keys = {cluster._key(hero): hero for hero in wanted}
    assert len(rows) == len(keys) == len(wanted)
    found = {(row["combat_skill"], row["endurance"], row["disciplines"]): row for row in rows}
    assert len(found) == len(rows), "a hero is there twice"
    for key, hero in keys.items():
        names = " ".join(name.partition("=")[0] for name in hero["disciplines"])
        row = found[hero["combat_skill"], hero["endurance"], names]
        assert (row["lower"], row["upper"]) == (alone[key].lower, alone[key].upper)
    assert [row["win"] for row in rows] == sorted((row["win"] for row in rows), reverse=True)


def test_a_worker_is_killed(wanted, alone, tmp_path):
    state = tmp_path / "heroes.sqlite"
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        with distributed.Client(local) as client:

            def kill(done, of):
                if not killed and done >= of // 4:
                    own = next(iter(client.run(os.getpid).values()))
                    os.kill(own, signal.SIGKILL)
                    killed.append(own)

            rows = cluster.heroes(client, BOOK, wanted, state=state, progress=kill)
            assert killed
            same(rows, wanted, alone)
            # Again: everything is there, and nothing is done.
            told = []
            again = cluster.heroes(client, BOOK, wanted, state=state, progress=lambda *own: told.append(own))
            assert again == rows and not told
            with pytest.raises(ValueError, match="another question"):
                cluster.heroes(client, BOOK, wanted, state=state, exact=True)
            (tmp_path / "text.sqlite").write_text("no table" * 100)
            with pytest.raises(ValueError, match="no table of heroes"):
                cluster.heroes(client, BOOK, wanted, state=tmp_path / "text.sqlite")
            with pytest.raises(ValueError, match="a hero has 10 to 19"):
                cluster.heroes(client, BOOK, [{"combat_skill": 99}], state=tmp_path / "other.sqlite")


def test_who_asks_is_killed(wanted, alone, tmp_path):
    """What was written stays, and the rest is done when it is started again."""
    state = tmp_path / "heroes.sqlite"
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        with distributed.Client(local) as client:

            class Enough(Exception):
                pass

            def stop(done, of):
                if done >= of // 2:
                    raise Enough

            with pytest.raises(Enough):
                cluster.heroes(client, BOOK, wanted, state=state, progress=stop)
            with sqlite3.connect(state) as table:
                first = table.execute("select count(*) from heroes").fetchone()[0]
            assert len(wanted) // 2 <= first < len(wanted)
            told = []
            rows = cluster.heroes(client, BOOK, wanted, state=state, progress=lambda done, of: told.append(done))
            assert told[0] > first and told[-1] == len(wanted)
            same(rows, wanted, alone)


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "bestplay.cluster", BOOK, "--combat-skill", "19", "--endurance", "29"]
    ran = subprocess.run(
        [*command, "--csv", "heroes.csv", "--workers", "2"], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    with open(tmp_path / "heroes.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    # Five of ten disciplines.
    assert len(rows) == 252 and float(rows[0]["win"]) >= float(rows[-1]["win"])
    wrong = subprocess.run([*command[:3], "none"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and "there is no book `none`" in wrong.stderr
