"""Sweeps over heroes on two worker processes, one of which is killed on the way."""

import csv
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

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
    """Their values, computed without a cluster."""
    book = Book.load(BOOK)
    return {key(hero): book.solve(hero, threads=1).win for hero in wanted}


def key(hero):
    names = hero["disciplines"]
    return hero["combat_skill"], hero["endurance"], names if isinstance(names, str) else " ".join(names)


def same(rows, wanted, alone):
    found = {key(row): row for row in rows}
    assert len(found) == len(rows) == len(wanted), "a hero is there twice, or missing"
    for hero in wanted:
        row, win = found[key(hero)], alone[key(hero)]
        assert (row["lower"], row["upper"]) == (win.lower, win.upper)
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
            reports = []
            again = cluster.heroes(client, BOOK, wanted, state=state, progress=lambda *own: reports.append(own))
            assert again == rows and not reports
            with pytest.raises(ValueError, match="another question"):
                cluster.heroes(client, BOOK, wanted, state=state, exact=True)
            (tmp_path / "text.sqlite").write_text("no table" * 100)
            with pytest.raises(ValueError, match="no SQLite file"):
                cluster.heroes(client, BOOK, wanted, state=tmp_path / "text.sqlite")
            with pytest.raises(ValueError, match="do not fit into one table"):
                cluster.heroes(client, BOOK, [{}, {"lost": "map"}], state=tmp_path / "other.sqlite")
            with pytest.raises(ValueError, match="a hero has 10 to 19"):
                cluster.heroes(client, BOOK, [{"combat_skill": 99}], state=tmp_path / "other.sqlite")


def test_as_it_is_documented(tmp_path):
    """A scheduler, two workers and the command, each a process of its own; a worker is killed, and another one joins."""
    ran, port = [], free_port()
    address = f"tcp://127.0.0.1:{port}"

    def dask(name, *words):
        with open(tmp_path / f"{name}.log", "wb") as log:
            command = [sys.executable, "-m", "dask", *words]
            ran.append(subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log))
        return ran[-1]

    def worker(name):
        return dask(name, "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")

    try:
        dask("scheduler", "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        first = worker("first")
        worker("second")
        command = [sys.executable, "-m", "bestplay.cluster", BOOK, "--endurance", "25", "--combat-skill", "12", "17"]
        asked = subprocess.Popen(
            [*command, "--csv", "heroes.csv", "--scheduler", address],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        ran.append(asked)
        until(lambda: asked.poll() is not None or written(tmp_path / "heroes.sqlite") > 0)
        assert asked.poll() is None, asked.communicate()
        first.send_signal(signal.SIGKILL)
        worker("third")
        out, err = asked.communicate(timeout=600)
        assert asked.returncode == 0, err
    finally:
        for process in ran:
            process.kill()
            process.wait()
    with open(tmp_path / "heroes.csv", newline="") as file:
        rows = {key_of(row): row for row in csv.DictReader(file)}
    # Five of ten disciplines, with two rolls.
    assert len(rows) == 504 and len(out.splitlines()) == 21
    book = Book.load(BOOK)
    heroes = list(book.heroes(combat_skill=[12, 17], endurance=25))
    for hero in heroes[:: len(heroes) // 12]:
        win, row = book.solve(hero, threads=1).win, rows[key(hero)]
        # Many heroes at once have other bounds of the same value than one alone.
        lower, upper = float(row["lower"]), float(row["upper"])
        assert lower <= win.upper and win.lower <= upper and upper - lower < 1e-9, (lower, upper, win)


def free_port():
    """A port on which no process listens."""
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def until(holds):
    """Waits until something holds."""
    end = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.2)


def written(state):
    """How many heroes are in a table."""
    try:
        with sqlite3.connect(f"file:{state}?mode=ro", uri=True) as table:
            return table.execute("select count(*) from heroes").fetchone()[0]
    except sqlite3.Error:
        return 0


def key_of(row):
    return int(row["combat_skill"]), int(row["endurance"]), row["disciplines"]


def test_the_calling_process_is_killed(wanted, alone, tmp_path):
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
            reports = []
            rows = cluster.heroes(client, BOOK, wanted, state=state, progress=lambda done, of: reports.append(done))
            assert reports[0] > first and reports[-1] == len(wanted)
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


def test_the_table_is_that_of_the_command(bets, tmp_path):
    """Each continues the table that the other has begun."""
    program = os.environ.get("BESTPLAY")
    if program is None:
        pytest.skip("the command is not built (BESTPLAY names it)")
    armed = bets.replace("gold 1;", "gold 1; learns 2;", 1).replace("section 1", "items { weapon axe; }\nsection 1", 1)
    (tmp_path / "bets.kdl").write_text(armed)
    book = Book.load(tmp_path / "bets.kdl")
    wanted = list(book.heroes(combat_skill=[12, 17], endurance=[20, 29]))

    def heroes_of_the_command(state, out, skills):
        asked = ["--vary", f"combat-skill={skills}", "--vary", "endurance=20,29", "--state", state, "--csv", out]
        ran = subprocess.run(
            [program, "gamebook", "heroes", "bets.kdl", *asked], cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert ran.returncode == 0, ran.stderr
        with open(tmp_path / out, newline="") as file:
            return {tuple(row.items()) for row in csv.DictReader(file)}

    def heroes_of_the_cluster(client, state, out, heroes):
        reports = []
        cluster.heroes(client, book, heroes, state=tmp_path / state, csv=tmp_path / out, progress=lambda *own: reports.append(own))
        with open(tmp_path / out, newline="") as file:
            return {tuple(row.items()) for row in csv.DictReader(file)}, reports

    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local:
        with distributed.Client(local) as client:
            half = [hero for hero in wanted if hero["combat_skill"] == 12]
            # Begun by the command.
            heroes_of_the_command("a.sqlite", "a.csv", "12")
            again, reports = heroes_of_the_cluster(client, "a.sqlite", "a.csv", half)
            assert not reports
            every, reports = heroes_of_the_cluster(client, "a.sqlite", "a.csv", wanted)
            assert again < every and len(every) == len(wanted) and reports[0][0] > len(half)
            # Begun by the cluster.
            heroes_of_the_cluster(client, "b.sqlite", "b.csv", half)
            assert heroes_of_the_command("b.sqlite", "b.csv", "12,17") == every
    with sqlite3.connect(tmp_path / "a.sqlite") as a, sqlite3.connect(tmp_path / "b.sqlite") as b:
        for table in ("about", "heroes"):
            ask = f"select * from {table} order by 1, 2, 3, 4" if table == "heroes" else f"select * from {table} order by 1"
            assert a.execute(ask).fetchall() == b.execute(ask).fetchall()
