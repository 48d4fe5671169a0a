#!/usr/bin/env python3
"""Measures how long the Explorer takes to tell of another hero, who differs in COMBAT SKILL or ENDURANCE.

    cargo build --release
    python3 benches/explorer.py
    python3 benches/explorer.py --book the-caverns-of-kalte --runs 3
    python3 benches/explorer.py target/release/bestplay ../before/target/release/bestplay

Each program serves its pages on a port of its own and is asked for the book's own hero first; he is not measured. Then for
others, each for the first time; several programs take turns. The table holds medians and, in parentheses, the least: to the
chance to win, to the whole answer, and these as multiples of the first program's, hero by hero. At the end the most memory that
each server has held (Linux only).

Exit codes: 0 measured; 1 a server gave no answer; 2 bad input.
"""

import json
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import programs


def arguments():
    parser = programs.parser(__doc__)
    parser.add_argument("--book", default="fire-on-the-water", help="a book with the rules of Lone Wolf (default: fire-on-the-water)")
    parser.add_argument("--runs", type=int, default=2, help="times ten heroes, each run with another ENDURANCE (default: 2)")
    given = programs.given(parser)
    if not 1 <= given.runs <= 10:
        parser.error("--runs is 1 to 10: heroes have an ENDURANCE of 20 to 29")
    return given


class Server:
    """A program that serves the Explorer's pages."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.address = f"http://127.0.0.1:{found[1]}/api/1/gamebook/solve"
                return
        raise OSError(f"{program} printed no address")

    def ask(self, question):
        """Seconds to the chance to win, and to the whole answer."""
        headers = {"content-type": "application/json", "accept": "application/x-ndjson"}
        request = urllib.request.Request(self.address, data=json.dumps(question).encode(), headers=headers)
        began, odds, last = time.perf_counter(), None, b""
        for last in urllib.request.urlopen(request):
            if odds is None and b'"win":{' in last:
                odds = time.perf_counter() - began
        whole = time.perf_counter() - began
        if b'"answer":' not in last[:40]:
            raise OSError(f"no answer: {last[:200]}")
        return odds or whole, whole

    def memory(self):
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return "unknown"
        kilobytes = re.search(r"VmHWM:\s*(\d+)", status)
        return f"{int(kilobytes[1]) // 1024} MiB"


def main():
    given = arguments()
    servers = []
    try:
        servers = [Server(program) for program in given.programs]
        for server in servers:
            server.ask({"book": given.book})
        taken = [[] for _ in servers]
        for endurance in range(29, 29 - given.runs, -1):
            for skill in range(10, 20):
                question = {"book": given.book, "hero": {"combat_skill": skill, "endurance": endurance}}
                for server, own in zip(servers, taken):
                    own.append(server.ask(question))
        print(f"{given.book}, {len(taken[0])} heroes, seconds: median (least); times the first program's")
        for program, server, own in zip(given.programs, servers, taken):
            columns = []
            for what, which in (("odds", 0), ("whole", 1)):
                seconds = [times[which] for times in own]
                ratio = statistics.median(mine[which] / first[which] for mine, first in zip(own, taken[0]))
                columns.append(f"{what} {statistics.median(seconds):.3f} ({min(seconds):.3f}) x {ratio:.2f}")
            print(f"{program}: {'; '.join(columns)}; {server.memory()}")
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        for server in servers:
            server.process.terminate()
            server.process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
