"""Limits, progress, Ctrl-C and the interpreter's lock."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from bestplay import Game, Model
from bestplay.gamebook import Book


class Endless(Game):
    """A game of as many states as one likes."""

    def starts(self):
        return [0]

    def rules(self, state, turn):
        turn.uniform([state + 1, state + 2])


def long_model(states=2_000_000):
    """One large loop."""
    state = np.arange(states)
    indices = np.stack([np.minimum(state + 1, states - 1), np.maximum(state - 1, 0)], 1).ravel()
    data = np.tile([0.5, 0.5], states)
    return Model.from_arrays(np.arange(0, 2 * states + 1, 2), indices, data, labels={"end": [states - 1]})


def test_limits():
    with pytest.raises(ValueError, match="max_states"):
        Endless().solve(max_states=1000)
    with pytest.raises(MemoryError, match="max_memory"):
        Endless().solve(max_memory=10_000_000)
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="max_time"):
        Endless().solve(max_time=0.2)
    assert time.monotonic() - began < 5
    book = Book.load("fire-on-the-water")
    with pytest.raises(ValueError, match="max_states"):
        book.solve(max_states=10_000)
    with pytest.raises(TimeoutError, match="max_time"):
        book.solve(max_time=0.01)
    with pytest.raises(MemoryError, match="max_memory"):
        book.solve(max_memory=1_000_000)
    with pytest.raises(MemoryError):
        Model.from_arrays([0, 1], [0], [1.0], max_memory=0)
    with pytest.raises(ValueError, match="max_states"):
        Model.from_arrays([0, 1, 1], [1], [1.0], max_states=1)
    for wrong in ({"threads": 0}, {"max_states": -1}, {"max_time": -1}, {"max_time": float("nan")}, {"max_memory": 2**70}):
        with pytest.raises(ValueError):
            Endless().solve(**wrong)


def test_progress_is_reported():
    reports = []
    with pytest.raises(TimeoutError):
        long_model().solve("end", exact=True, method="fractions", max_time=2.0, progress=lambda *progress: reports.append(progress))
    assert reports and all(stage in ("compiling", "checking", "exploring", "ordering", "solving") for stage, *_ in reports)
    # In the thread that asked.
    threads = set()
    with pytest.raises(TimeoutError):
        Endless().solve(max_time=0.5, progress=lambda *progress: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


def test_what_progress_raises_ends_the_run():
    def stop(*progress):
        raise ZeroDivisionError("enough")

    began = time.monotonic()
    with pytest.raises(ZeroDivisionError, match="enough"):
        Book.load("fire-on-the-water").solve(progress=stop)
    with pytest.raises(ZeroDivisionError, match="enough"):
        Endless().solve(progress=stop)
    assert time.monotonic() - began < 20


def test_the_lock_is_released():
    counted, over, model = 0, threading.Event(), long_model()

    def count():
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        with pytest.raises(TimeoutError):
            model.solve("end", exact=True, method="fractions", max_time=1.0)
    finally:
        over.set()
        thread.join()
    assert counted > 20


def test_several_threads_solve_at_once():
    book, wins = Book.load("flight-from-the-dark"), []
    threads = [threading.Thread(target=lambda: wins.append(book.solve(exact=True).win.exact)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wins) == 4 and len(set(wins)) == 1


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "run",
    [
        "while True: Book.load('fire-on-the-water').solve(exact=True)",
        "Endless().solve()",
        "long_model().solve('end', exact=True, method='fractions')",
    ],
)
def test_ctrl_c(run, bets):
    program = f"""
        import sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from bestplay.gamebook import Book
        from test_runs import Endless, long_model
        print("ready", flush=True)
        try:
            {run}
        except KeyboardInterrupt:
            print("stopped", flush=True)
        print(Book.parse({bets!r}).solve(exact=True).win.exact)
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    began = time.monotonic()
    rest = child.communicate(timeout=60)[0]
    # What it went on with after it shows that nothing is broken.
    assert rest == "stopped\n2/5\n" and child.returncode == 0
    assert time.monotonic() - began < 30
