"""Sweeps over heroes on several processes or machines, by Dask's ``distributed``.

Needs ``distributed`` (``pip install bestplay[cluster]``). On this machine, with two worker processes::

    python -m bestplay.cluster flight-from-the-dark --state heroes.sqlite --csv heroes.csv

On ten machines: ``dask scheduler`` on one, ``dask worker tcp://ADDRESS:8786 --nthreads 1`` on each (with this package
installed), and ``--scheduler tcp://ADDRESS:8786`` here; nothing else changes.

Results land in an SQLite file as they come, a set of disciplines at a time. What a worker had under way when it died is
done again by another; what is in the file is not done again. Only this process writes, so nothing is there twice.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster, as_completed

from .gamebook import BUILT_IN, Book, Hero, _names

#: The columns of the table, after the key of a hero: ``disciplines`` and ``items`` are separated by blanks; ``exact`` is a
#: fraction, or empty.
COLUMNS = ("combat_skill", "endurance", "disciplines", "weaponskill", "gold", "items", "win", "lower", "upper", "exact")

_TABLES = f"""
create table if not exists asked (name text primary key, value text not null) without rowid;
create table if not exists heroes (hero text primary key, {', '.join(COLUMNS)}) without rowid;
"""

#: The most heroes that one task solves.
_GROUP = 100

#: So many workers may die with the same task before it is to blame.
_DEATHS = 10

_Row = tuple[Any, ...]


@lru_cache(maxsize=2)
def _book(source: str) -> Book:
    """A book, read once in each worker: a built-in one by its name, or its text."""
    return Book.load(source) if source in BUILT_IN else Book.parse(source)


def _key(hero: Hero) -> str:
    """A hero as a text that is the same for the same hero."""
    said = {name: own for name, own in hero.items() if own is not None}
    for name in ("disciplines", "items", "lost"):
        if name in said:
            said[name] = sorted(_names(name, said[name]) or [])
    return json.dumps(said, sort_keys=True, default=int)


def _row(hero: Hero, win: Any) -> _Row:
    """A line of the table."""
    disciplines = _names("disciplines", hero.get("disciplines"))
    weapons = [own.partition("=")[2] for own in disciplines or [] if own.startswith("weaponskill=")]
    items = _names("items", hero.get("items"))
    exact = "" if win.exact is None else str(win.exact)
    return (
        _key(hero),
        hero.get("combat_skill"),
        hero.get("endurance"),
        None if disciplines is None else " ".join(own.partition("=")[0] for own in disciplines),
        weapons[0] if weapons else None,
        hero.get("gold"),
        None if items is None else " ".join(items),
        float(win),
        win.lower,
        win.upper,
        exact,
    )


def _solve(source: str, heroes: list[dict[str, Any]], exact: bool) -> list[_Row]:
    """What a task does: so many heroes of a book, on one thread."""
    book = _book(source)
    return [_row(hero, book.solve(hero, exact=exact, threads=1).win) for hero in heroes]


def _groups(heroes: Iterable[Hero], done: set[str]) -> Iterator[list[dict[str, Any]]]:
    """Heroes who are not done, those with the same disciplines together."""
    group: list[dict[str, Any]] = []
    shared = None
    for hero in heroes:
        key = _key(hero)
        if key in done:
            continue
        done.add(key)
        own = _names("disciplines", hero.get("disciplines"))
        if group and (own != shared or len(group) == _GROUP):
            yield group
            group = []
        shared = own
        group.append(dict(hero))
    if group:
        yield group


def _opened(path: str | os.PathLike[str], asked: Mapping[str, str]) -> sqlite3.Connection:
    """The file with the table; one about another question is refused."""
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_TABLES)
        known = dict(connection.execute("select name, value from asked"))
        if known and known != dict(asked):
            differ = ", ".join(name for name in asked if known.get(name) != asked[name])
            raise ValueError(f"{path} is about another question (its {differ} differs; name another file)")
        with connection:
            connection.executemany("insert or replace into asked values (?, ?)", asked.items())
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ValueError(f"{path} holds no table of heroes ({error}; name another file)") from None
    except BaseException:
        connection.close()
        raise
    return connection


def heroes(
    client: Client,
    book: Book | str,
    heroes: Iterable[Hero] | None = None,
    *,
    state: str | os.PathLike[str] = "heroes.sqlite",
    exact: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> list[dict[str, Any]]:
    """The probability to win of many heroes, as a table (:data:`COLUMNS`), best first.

    ``client``: of Dask. ``book``: a built-in one by its name, or one that has been read and names no file beside it.
    ``heroes``: which ones, those with the same disciplines after one another; without it all of :meth:`Book.heroes`. ``state``:
    the SQLite file in which results land as they come; started again, only what is missing is done. ``progress``: told how
    many heroes are done, and of how many.
    """
    source = book if isinstance(book, str) else book.text
    read = _book(source)
    wanted = list(read.heroes() if heroes is None else heroes)
    keys = {_key(hero) for hero in wanted}
    digest = hashlib.sha256(read.text.encode()).hexdigest()
    with closing(_opened(state, {"format": "1", "book": digest, "exact": str(exact)})) as table:
        done = {key for (key,) in table.execute("select hero from heroes")}
        count = len(done & keys)
        tasks = [
            client.submit(_solve, source, group, exact, pure=False) for group in _groups(wanted, set(done))
        ]
        try:
            for task in as_completed(tasks):
                rows = task.result()
                with table:
                    table.executemany(f"insert or replace into heroes values ({', '.join('?' * (len(COLUMNS) + 1))})", rows)
                count += len(rows)
                task.release()
                if progress is not None:
                    progress(count, len(keys))
        finally:
            client.cancel([task for task in tasks if not task.done()])
        found = table.execute(f"select hero, {', '.join(COLUMNS)} from heroes order by win desc, hero")
        return [dict(zip(COLUMNS, row[1:])) for row in found if row[0] in keys]


def _write_csv(path: str, rows: list[dict[str, Any]]) -> None:
    """The table as a file, whole or not at all."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(partial, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


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
            rows = heroes(client, book, chosen, state=asked.state, exact=asked.exact, progress=told)
        if not asked.scheduler:
            cluster.close()
        print(file=sys.stderr)
        if asked.csv:
            _write_csv(asked.csv, rows)
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
