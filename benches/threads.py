#!/usr/bin/env python3
"""Measures how much sooner a whole command ends with two threads than with one, how much this machine allows, and the memory.

    cargo build --release -p bestplay -p benches
    python3 benches/threads.py
    python3 benches/threads.py --runs 30 --command "gamebook solve the-chasm-of-doom"
    python3 benches/threads.py --command "fighting-fantasy policy --all"
    python3 benches/threads.py target/release/bestplay ../before/target/release/bestplay

One thread, two threads, and two commands of one thread side by side take turns, and so do several programs. What a command
prints goes to a temporary file. The table holds medians and, in parentheses, the least; how many times as long one thread takes
as two; and how much more work is done in the same time by two commands side by side, which share nothing: no program can gain
more from a second thread on this machine. Memory is the most that a process has held, as the system accounts for it: the median
and the most of all runs.

Where `benches` is built beside the first program, it is asked before and after each round how long a line of the cache takes from
one core to another and back: on a rented machine that changes from minute to minute. Rounds with cores near to each other (less
than 120 ns both times) and with cores far from each other (at least as much both times) are then reported separately.

Exit codes: 0 measured; 1 a command failed; 2 bad input.
"""

import contextlib
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import programs

# Nanoseconds there and back, from which on two cores are far from each other.
FAR = 120


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
    """The figures of runs of one kind."""
    seconds, peaks = zip(*runs)
    megabytes = [peak / 1e6 for peak in peaks]
    return (
        f"{statistics.median(seconds):.3f} s ({min(seconds):.3f}) {statistics.median(megabytes):.0f} MB ({max(megabytes):.0f})"
    )


def round_trip(benches):
    """How many nanoseconds a line of the cache takes from one core to another and back, if it can be measured."""
    if not benches.is_file():
        return None
    output = subprocess.run([benches, "--round-trip"], capture_output=True, text=True, check=True).stdout
    return int(re.fullmatch(r"(\d+) ns\n", output)[1])


def line(program, rounds):
    """The figures of a program in some rounds."""
    kinds = list(zip(*rounds))
    one, two, both = ([seconds for seconds, _ in runs] for runs in kinds)
    figures = ", ".join(f"{name} {row(runs)}" for name, runs in zip(("one thread", "two"), kinds))
    gained, possible = statistics.median(one) / statistics.median(two), 2 * statistics.median(one) / statistics.median(both)
    return f"{program}: {figures}; x {gained:.2f} (least: x {min(one) / min(two):.2f}), of x {possible:.2f} that the machine allows"


def main():
    given = arguments()
    rounds = {program: [] for program in given.programs}
    benches = given.programs[0].with_name("benches")
    try:
        distances = [round_trip(benches)]
        for _ in range(given.runs):
            for program, taken in rounds.items():
                command = [program, *shlex.split(given.command), "--threads"]
                taken.append((measured([*command, "1"]), measured([*command, "2"]), measured([*command, "1"], side_by_side=2)))
            distances.append(round_trip(benches))
    except (OSError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{given.command}, {given.runs} runs: seconds, median (least); memory, median (most)")
    for program, taken in rounds.items():
        print(line(program, taken))
    if None in distances:
        print("how far the cores are from each other was not measured: cargo build --release -p benches")
        return 0
    print(f"from core to core and back: {statistics.median(distances):.0f} ns (least: {min(distances)}, most: {max(distances)})")
    between = list(zip(distances, distances[1:]))
    for name, own in (
        ("near", [max(both) < FAR for both in between]),
        ("far", [min(both) >= FAR for both in between]),
    ):
        if any(own) and not all(own):
            print(f"{sum(own)} of these rounds with cores {name}:")
            for program, taken in rounds.items():
                print(line(program, [one for one, is_own in zip(taken, own) if is_own]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
