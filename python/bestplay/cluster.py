"""Sweeps over heroes on several processes or machines, by Dask's ``distributed``.

Needs ``distributed`` (``pip install bestplay[cluster]``). On this machine, with two worker processes::

    python -m bestplay.cluster flight-from-the-dark --state heroes.sqlite --csv heroes.csv

On ten machines: ``dask scheduler`` on one, ``dask worker tcp://ADDRESS:8786 --nthreads 1`` on each (with this package
installed), and ``--scheduler tcp://ADDRESS:8786`` here; nothing else changes.

Results are written to an SQLite file as they arrive, a set of disciplines at a time. It is the file of ``bestplay gamebook
heroes --state``: either command continues the work of the other. The task of a worker that died is done again by another
worker; heroes in the file are not solved again. Only this process writes, so no result is stored twice.
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

#: After so many workers have died with the same task, the task counts as faulty.
_DEATHS = 10


def _groups(heroes: list[tuple[int, Hero]]) -> Iterator[list[tuple[int, Hero]]]:
    """Groups neighbours with the same disciplines."""
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

    ``client``: a client of Dask. ``book``: the name of a built-in book, or a book that refers to no other file. ``heroes``: the
    heroes, ordered by disciplines; all of :meth:`Book.heroes` without it. ``state``: the SQLite file of results, as for
    ``bestplay gamebook heroes --state``; a new run solves only the heroes that are missing there. ``csv``: a file to which the
    table is written, too. ``progress``: called with the number of heroes done and the number of all heroes.
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
    parser.add_argument("--state", default="heroes.sqlite", help="the file of results, which a new run continues [%(default)s]")
    parser.add_argument("--csv", help="also write the table to this file")
    parser.add_argument("--combat-skill", type=int, nargs="+", metavar="N", help="only heroes with these COMBAT SKILLs")
    parser.add_argument("--endurance", type=int, nargs="+", metavar="N", help="only heroes with these ENDURANCEs")
    parser.add_argument("--weaponskill", metavar="WEAPON", help="the weapon of the discipline weaponskill [the book's]")
    parser.add_argument("--exact", action="store_true", help="also compute exact fractions")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler of a running cluster [this machine alone]")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="the number of worker processes on this machine [%(default)s]")
    options = parser.parse_args(arguments)

    def report(done: int, of: int) -> None:
        print(f"\r{done} of {of} heroes", end="", file=sys.stderr, flush=True)

    try:
        book: Book | str = options.book if options.book in BUILT_IN else Book.load(options.book)
        chosen = (Book.load(book) if isinstance(book, str) else book).heroes(
            combat_skill=options.combat_skill, endurance=options.endurance, weaponskill=options.weaponskill
        )
        if options.scheduler:
            client = Client(options.scheduler)
        else:
            dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS})
            cluster = LocalCluster(n_workers=max(options.workers, 1), threads_per_worker=1, dashboard_address=None)
            client = Client(cluster)
        with client:
            rows = heroes(client, book, chosen, state=options.state, exact=options.exact, csv=options.csv, progress=report)
        if not options.scheduler:
            cluster.close()
        print(file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for row in rows[:20]:
        print(f"{100 * row['win']:8.3f} %  {row['combat_skill']}/{row['endurance']}  {row['disciplines']}")
    if len(rows) > 20:
        print(f"and {len(rows) - 20} more, in {options.state}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
