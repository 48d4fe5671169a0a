#!/usr/bin/env python3
"""Measures how much sooner a whole command ends with two threads than with one, and how much this machine allows.

    cargo build --release
    python3 benches/threads.py
    python3 benches/threads.py --runs 30 --command "gamebook solve the-chasm-of-doom"
    python3 benches/threads.py target/release/bestplay ../before/target/release/bestplay

One thread, two threads, and two commands of one thread side by side take turns, and so do several programs. The table holds
medians and, in parentheses, the least; how many times as long one thread takes as two; and how much more work is done in the
same time by two commands side by side, which share nothing: no program can gain more from a second thread on this machine.

Exit codes: 0 measured; 1 a command failed; 2 bad input.
"""

import shlex
import statistics
import subprocess
import sys
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


def seconds(command, side_by_side=1):
    """How long so many of these commands take, begun at once."""
    began = time.perf_counter()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(side_by_side)]
    codes = [one.wait() for one in running]
    if any(codes):
        raise OSError(f"{shlex.join(map(str, command))} ends with {max(codes)}")
    return time.perf_counter() - began


def main():
    given = arguments()
    taken = [([], [], []) for _ in given.programs]
    try:
        for _ in range(given.runs):
            for program, (one, two, both) in zip(given.programs, taken):
                command = [program, *shlex.split(given.command), "--threads"]
                one.append(seconds([*command, "1"]))
                two.append(seconds([*command, "2"]))
                both.append(seconds([*command, "1"], side_by_side=2))
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{given.command}, {given.runs} runs, seconds: median (least)")
    for program, (one, two, both) in zip(given.programs, taken):
        told = [f"{name} {statistics.median(own):.3f} ({min(own):.3f})" for name, own in (("one thread", one), ("two", two))]
        gained, possible = statistics.median(one) / statistics.median(two), 2 * statistics.median(one) / statistics.median(both)
        print(f"{program}: {', '.join(told)}; x {gained:.2f} (least: x {min(one) / min(two):.2f}), of x {possible:.2f} that the machine allows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
