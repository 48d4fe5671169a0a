#!/usr/bin/env python3
"""Measures how much sooner a whole command ends with two threads than with one, how much this machine allows, and the memory.

    cargo build --release
    python3 benches/threads.py
    python3 benches/threads.py --runs 30 --command "gamebook solve the-chasm-of-doom"
    python3 benches/threads.py --command "fighting-fantasy policy --all"
    python3 benches/threads.py target/release/bestplay ../before/target/release/bestplay

One thread, two threads, and two commands of one thread side by side take turns, and so do several programs. What a command
prints goes to a temporary file. The table holds medians and, in parentheses, the least; how many times as long one thread takes
as two; and how much more work is done in the same time by two commands side by side, which share nothing: no program can gain
more from a second thread on this machine. Memory is the most that a process has held, as the system accounts for it: the median
and the most of all runs.

Exit codes: 0 measured; 1 a command failed; 2 bad input.
"""

import contextlib
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import programs


def arguments():
    parser = programs.parser(__doc__)
    parser.add_argument("--command", default="gamebook solve fire-on-the-water", help="what is run (default: gamebook solve fire-on-the-water)")
    parser.add_argument("--runs", type=int, default=15, help="times that each is run (default: 15)")
    given = programs.given(parser)
    if given.runs < 1:
        parser.error("--runs: at least 1")
    return given


# The unit of the system's account in bytes.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


def measured(command, side_by_side=1):
    """How many seconds so many of these commands take, begun at once, and the most bytes that one of them has held."""
    with contextlib.ExitStack() as files:
        outputs = [files.enter_context(tempfile.TemporaryFile()) for _ in range(side_by_side)]
        began = time.perf_counter()
        running = [subprocess.Popen(command, stdout=output) for output in outputs]
        ended = [os.wait4(one.pid, 0) for one in running]
        seconds = time.perf_counter() - began
    for one, (_, status, _) in zip(running, ended):
        one.returncode = os.waitstatus_to_exitcode(status)
        if one.returncode:
            raise OSError(f"{shlex.join(map(str, command))} ends with {one.returncode}")
    return seconds, max(usage.ru_maxrss for _, _, usage in ended) * PEAK_UNIT


def row(runs):
    """What is told of runs of one kind."""
    seconds, peaks = zip(*runs)
    megabytes = [peak / 1e6 for peak in peaks]
    return (
        f"{statistics.median(seconds):.3f} s ({min(seconds):.3f}) {statistics.median(megabytes):.0f} MB ({max(megabytes):.0f})"
    )


def main():
    given = arguments()
    taken = [([], [], []) for _ in given.programs]
    try:
        for _ in range(given.runs):
            for program, (one, two, both) in zip(given.programs, taken):
                command = [program, *shlex.split(given.command), "--threads"]
                one.append(measured([*command, "1"]))
                two.append(measured([*command, "2"]))
                both.append(measured([*command, "1"], side_by_side=2))
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{given.command}, {given.runs} runs: seconds, median (least); memory, median (most)")
    for program, all_runs in zip(given.programs, taken):
        one, two, both = ([seconds for seconds, _ in runs] for runs in all_runs)
        told = ", ".join(f"{name} {row(runs)}" for name, runs in zip(("one thread", "two"), all_runs))
        gained, possible = statistics.median(one) / statistics.median(two), 2 * statistics.median(one) / statistics.median(both)
        print(f"{program}: {told}; x {gained:.2f} (least: x {min(one) / min(two):.2f}), of x {possible:.2f} that the machine allows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
