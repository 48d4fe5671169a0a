"""Sweeps over heroes on several processes or machines, by Dask's ``distributed``.

Needs ``distributed`` (``pip install bestplay[cluster]``). On this machine, with two worker processes::

    python -m bestplay.cluster flight-from-the-dark --state heroes.sqlite --csv heroes.csv

On ten machines: ``dask scheduler`` on one, ``dask worker tcp://ADDRESS:8786 --nthreads 1`` on each (with this package
installed), and ``--scheduler tcp://ADDRESS:8786`` here; nothing else changes.

Results land in an SQLite file as they come, a set of disciplines at a time. It is the file of ``bestplay gamebook heroes
--state``: either goes on with what the other has begun. What a worker had under way when it died is done again by another;
what is in the file is not done again. Only this process writes, so nothing is there twice.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import dask
from distributed import Client, LocalCluster, as_completed

from . import _cluster_task, _engine
from .gamebook import BUILT_IN, Book, Hero, _hero

#: The most heroes that one task solves.
_GROUP = 100

#: So many workers may die with the same task before it is to blame.
_DEATHS = 10


def _groups(heroes: list[tuple[int, Hero]]) -> Iterator[list[tuple[int, Hero]]]:
    """Heroes with the same disciplines together."""
    group: list[tuple[int, Hero]] = []
    for number, hero in heroes:
        if group and (hero.get("disciplines") != group[0][1].get("disciplines") or len(group) == _GROUP):
            yield group
            group = []
        group.append((number, dict(hero)))
    if group:
        yield group


def heroes(
    client: Client,
    book: Book | str,
    heroes: Iterable[Hero] | None = None,
    *,
    state: str | os.PathLike[str] = "heroes.sqlite",
    exact: bool = False,
    csv: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[dict[str, Any]]:
    """The probability to win of many heroes, as a table with the columns of ``bestplay gamebook heroes``, best first.

    ``client``: of Dask. ``book``: a built-in one by its name, or one that has been read and names no file beside it.
    ``heroes``: which ones, those with the same disciplines after one another; without it all of :meth:`Book.heroes`. ``state``:
    the SQLite file in which results land as they come, that of ``bestplay gamebook heroes --state``; started again, only what is
    missing is done. ``csv``: also writes the table there. ``progress``: told how many heroes are done, and of how many.
    """
    source = book if isinstance(book, str) else book.text
    read = _cluster_task.book(source)
    read._warn_of_draft()
    wanted = list(read.heroes() if heroes is None else heroes)
    with closing(_engine.HeroTable.open(os.fspath(state), read._native, [_hero(hero) for hero in wanted], exact)) as table:
        missing = [(number, wanted[number]) for number in table.missing()]
        each = table.each()
        count = len(each) - len(missing)
        tasks = [client.submit(_cluster_task.solve, source, group, exact, pure=False) for group in _groups(missing)]
        try:
            for task in as_completed(tasks):
                solved = task.result()
                table.add(solved)
                count += len(solved)
                task.release()
                if progress is not None:
                    progress(count, len(each))
        finally:
            client.cancel([task for task in tasks if not task.done()])
        columns = table.columns()
        rows = [(number, row) for number in each if (row := table.row(number)) is not None]
        best = columns.index("win")
        rows.sort(key=lambda own: -own[1][best])
        if csv is not None:
            table.write_csv(os.fspath(csv), [number for number, _ in rows])
        return [dict(zip(columns, row)) for _, row in rows]


def main(arguments: list[str] | None = None) -> int:
    """The command: ``python -m bestplay.cluster --help``."""
    parser = argparse.ArgumentParser(prog="python -m bestplay.cluster", description="Tables of heroes by Dask.")
    parser.add_argument("book", help=f"a built-in book ({', '.join(BUILT_IN)}), or a file")
    parser.add_argument("--state", default="heroes.sqlite", help="the file in which results land [%(default)s]")
    parser.add_argument("--csv", help="also write the table there")
    parser.add_argument("--combat-skill", type=int, nargs="+", metavar="N", help="only these rolls")
    parser.add_argument("--endurance", type=int, nargs="+", metavar="N", help="only these rolls")
    parser.add_argument("--weaponskill", metavar="WEAPON", help="the weapon of weaponskill [the book's]")
    parser.add_argument("--exact", action="store_true", help="fractions")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a cluster that runs; else this machine alone")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="worker processes of this machine [%(default)s]")
    asked = parser.parse_args(arguments)

    def told(done: int, of: int) -> None:
        print(f"\r{done} of {of} heroes", end="", file=sys.stderr, flush=True)

    try:
        book: Book | str = asked.book if asked.book in BUILT_IN else Book.load(asked.book)
        chosen = (Book.load(book) if isinstance(book, str) else book).heroes(
            combat_skill=asked.combat_skill, endurance=asked.endurance, weaponskill=asked.weaponskill
        )
        if asked.scheduler:
            client = Client(asked.scheduler)
        else:
            dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS})
            cluster = LocalCluster(n_workers=max(asked.workers, 1), threads_per_worker=1, dashboard_address=None)
            client = Client(cluster)
        with client:
            rows = heroes(client, book, chosen, state=asked.state, exact=asked.exact, csv=asked.csv, progress=told)
        if not asked.scheduler:
            cluster.close()
        print(file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for row in rows[:20]:
        print(f"{100 * row['win']:8.3f} %  {row['combat_skill']}/{row['endurance']}  {row['disciplines']}")
    if len(rows) > 20:
        print(f"and {len(rows) - 20} more, in {asked.state}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
