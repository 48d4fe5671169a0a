#!/usr/bin/env python3
"""Compares `bestplay mdp solve` with Storm on the same file: time, memory, and whether the values agree.

    cargo build --release
    pip install stormpy umbi
    python3 benches/storm.py
    python3 benches/storm.py --states 100000 --exact
    python3 benches/storm.py model.drn --goal finished
    python3 benches/storm.py --qvbs
    python3 benches/storm.py --models ../shared/mdp/qvbs

With --qvbs models with large strongly connected components are asked for, generated ones and protocols; with --models
those of a folder, with the questions of its answers.json. Both are a table of solving times. Otherwise both compute the largest probability of reaching the goal. Every run is a process of its own; the runs of
the two programs take turns, so that a slow moment of the machine slows both. The table holds medians.

Exit codes: 0 measured, or skipped because stormpy is missing; 1 the values differ or a run failed; 2 bad input.
"""

import importlib.util
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from pathlib import Path

import families
import programs

REPOSITORY = Path(__file__).resolve().parent.parent

# Exact values may have more digits than Python converts by default; the worker processes come through here too.
sys.set_int_max_str_digits(0)

# The precision that Storm aims for by default.
STORM_PRECISION = 1e-6

READ, SOLVE, MEMORY = "seconds_read", "seconds_solve", "peak_memory_bytes"


class Failed(Exception):
    """A run that gave no answer."""


def arguments():
    parser = programs.parser(__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a DRN file with one initial state; otherwise a layered model is made")
    parser.add_argument("--goal", default="goal", help="the label of the goal states (default: goal)")
    parser.add_argument("--states", type=int, default=1_000_000, help="states of the layered model, a multiple of 50 (default: 1000000)")
    parser.add_argument("--exact", action="store_true", help="also compare exact values; Storm needs long for large models")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the medians are shown (default: 3)")
    parser.add_argument("--bestplay", type=Path, default=programs.BESTPLAY, help="the program (default: target/release/bestplay)")
    parser.add_argument("--qvbs", action="store_true", help="many models with large strongly connected components")
    parser.add_argument("--models", type=Path, metavar="DIR", help="the models of a folder with an answers.json")
    parser.add_argument("--only", default="", metavar="TEXT", help="of these only those with TEXT in their names")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="the longest run of --qvbs and --models (default: 60)")
    chosen = parser.parse_args()
    if chosen.runs < 1:
        parser.error("--runs: at least 1")
    if chosen.states < 50 or chosen.states % 50:
        parser.error(f"--states {chosen.states}: must be a positive multiple of 50")
    if '"' in chosen.goal:
        parser.error("--goal: a label without quotation marks")
    if chosen.models and not (chosen.models / "answers.json").is_file():
        parser.error(f"{chosen.models}: no answers.json there")
    if chosen.file and not chosen.file.is_file():
        parser.error(f"{chosen.file}: no such file")
    if not chosen.bestplay.is_file():
        parser.error(f"{chosen.bestplay} is missing; build it with `cargo build --release`")
    return chosen


def layered(states, path):
    """Writes the layered model that the other benchmarks measure too."""
    command = ["cargo", "run", "--release", "--quiet", "-p", "bestplay-model-files", "--example", "layered", "--"]
    made = subprocess.run([*command, str(states), "1", str(path)], cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    if made.returncode != 0:
        raise Failed("the layered model could not be made")


def peak_memory():
    """The most memory this process has held, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def storm_here(path, formula, mode):
    """Storm in this process; `mode` is `sound`, `plain` or `exact`."""
    import stormpy

    # The interface below, and sound computation as the default, came with stormpy 2.
    if int(stormpy.__version__.partition(".")[0]) < 2:
        raise Failed(f"stormpy {stormpy.__version__} is too old: at least 2.0 is needed")
    begin = time.perf_counter()
    build = stormpy.build_model_from_drn[stormpy.Rational] if mode == "exact" else stormpy.build_model_from_drn
    model = build(path)
    read = time.perf_counter()
    if len(model.initial_states) != 1:
        raise Failed(f"{len(model.initial_states)} initial states; this comparison is for models with one")
    formula = stormpy.parse_properties(formula)[0]
    environment = stormpy.Environment() if mode == "plain" else None
    begin_solve = time.perf_counter()
    result = stormpy.model_checking(model, formula, environment=environment)
    end = time.perf_counter()
    value = result[model.initial_states[0]].value
    infinite = str(value) in ("inf", "infinity")
    value = Fraction(str(value)) if mode == "exact" and not infinite else float(value)
    return {"value": value, READ: read - begin, SOLVE: end - begin_solve, MEMORY: peak_memory()}


def storm(path, formula, mode, limit=None):
    """Storm in a new process, so that its peak memory is that of one run. Nothing where it takes too long."""
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    try:
        with pool:
            run = pool.submit(storm_here, str(path), formula, mode)
            try:
                return run.result(timeout=limit)
            except TimeoutError:
                for process in pool._processes.values():
                    process.terminate()
                return None
    except BrokenProcessPool as error:
        raise Failed("Storm ended early; too little memory?") from error
    except RuntimeError as error:
        raise Failed(f"Storm: {error}") from error


def bestplay(program, path, options, limit=None):
    """An answer of bestplay. Nothing where it takes too long."""
    command = [str(program), "mdp", "solve", str(path), "--format", "json", *options]
    try:
        ran = subprocess.run(command, stdout=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if ran.returncode != 0:
        raise Failed(f"bestplay ended with exit code {ran.returncode}")
    answer = json.loads(ran.stdout)
    exact = answer["value"]["exact"]
    bounds = (answer["value"]["lower"], answer["value"]["upper"])
    value = float("inf") if answer["value"]["infinite"] else exact and Fraction(exact)
    return {"value": value, "bounds": bounds, "within": answer["within_precision"], **{key: answer[key] for key in (READ, SOLVE, MEMORY)}}


def medians(runs):
    """The medians of several runs, and the value, which is the same in all of them."""
    middle = {key: statistics.median(run[key] for run in runs) for key in (READ, SOLVE, MEMORY)}
    middle["total"] = statistics.median(run[READ] + run[SOLVE] for run in runs)
    return runs[0] | middle


def measure(title, programs, runs):
    """Lets the programs take turns and prints a table; the first of them is what the others are compared with."""
    taken = {name: [] for name in programs}
    for _ in range(runs):
        for name, run in programs.items():
            taken[name].append(run())
    results = {name: medians(of_one) for name, of_one in taken.items()}
    first = next(iter(results.values()))
    print(f"\n{title}")
    print(f"{'':<30}{'read s':>9}{'':>9}{'solve s':>10}{'':>9}{'total s':>10}{'':>9}{'peak MB':>9}{'':>8}")
    for name, result in results.items():
        line = f"{name:<30}"
        for key, width, scale, digits in ((READ, 9, 1, 3), (SOLVE, 10, 1, 4), ("total", 10, 1, 3), (MEMORY, 9, 1e-6, 0)):
            ratio = f"({first[key] / result[key]:.1f}x)" if result[key] > 0 else ""
            line += f"{result[key] * scale:>{width}.{digits}f}{ratio:>9}"
        print(line)
    return results


def agree(what, good, *values):
    print(f"{'agree' if good else 'DIFFER'}: {what}: " + ", ".join(str(value) for value in values))
    return good


def compare(chosen, path):
    """Whether all values agree."""
    goal = ["--goal", f'"{chosen.goal}"']
    mine = lambda *options: lambda: bestplay(chosen.bestplay, path, [*goal, *options])
    theirs = lambda mode: lambda: storm(path, f'Pmax=? [F "{chosen.goal}"]', mode)

    programs = {
        "Storm, sound (default)": theirs("sound"),
        "Storm, soundness not asked": theirs("plain"),
        "bestplay, bounds, one thread": mine("--threads", "1"),
        "bestplay, bounds, all threads": mine(),
    }
    bounded = measure("values in floating point", programs, chosen.runs)
    low, high = bounded["bestplay, bounds, all threads"]["bounds"]
    values = [bounded["Storm, sound (default)"]["value"], bounded["Storm, soundness not asked"]["value"]]
    near = all(low - STORM_PRECISION <= value <= high + STORM_PRECISION for value in values)
    good = agree(f"Storm's values within {STORM_PRECISION} of bestplay's bounds", near, *values, f"[{low}, {high}]")

    if chosen.exact:
        programs = {
            "Storm, exact": theirs("exact"),
            "bestplay, exact, one thread": mine("--exact", "--threads", "1"),
            "bestplay, exact, all threads": mine("--exact"),
        }
        exact = measure("exact values", programs, chosen.runs)
        value = exact["Storm, exact"]["value"]
        same = all(result["value"] == value for result in exact.values())
        good &= agree("the fractions are equal", same, *(float(result["value"]) for result in exact.values()))
        good &= agree("Storm's fraction lies within bestplay's bounds", low <= value <= high, float(value), f"[{low}, {high}]")
    return good


def taking_turns(runs, first, second):
    """The medians of both, which take turns; nothing for one that takes too long."""
    pairs = []
    for _ in range(runs):
        pairs.append((first(), second()))
        if None in pairs[0]:
            break
    return tuple(None if one[0] is None else medians(one) for one in zip(*pairs))


def near(theirs, mine):
    """Whether Storm's value is as near to the bounds as it aims for."""
    low, high = mine["bounds"]
    room = STORM_PRECISION * max(1.0, high)
    return mine["value"] == float("inf") or low - room <= theirs["value"] <= high + room


def seconds(result, limit):
    return limit if result is None else result[SOLVE]


def many(chosen, questions):
    """A table of solving times; whether all values agree."""
    print(f"{'seconds to solve':<44}{'Storm sound':>12}{'bounds':>10}{'ratio':>9}{'Storm exact':>13}{'exact':>10}{'ratio':>9}")
    ratios = {"bounds": [], "exact": []}
    slower, good = [], True
    with tempfile.TemporaryDirectory() as folder:
        for question in questions:
            if chosen.only not in question.name:
                continue
            path = Path(folder) / "model.drn"
            question.make(path, chosen.bestplay)
            line = f"{question.name[:43]:<44}"
            known = {}
            for kind, mode, options, width in (("bounds", "sound", [], 12), ("exact", "exact", ["--exact"], 13)):
                if kind == "exact" and not question.exact:
                    continue
                theirs = lambda: storm(path, question.formula(), mode, chosen.limit)
                mine = lambda: bestplay(chosen.bestplay, path, [*question.options(), *options], chosen.limit)
                try:
                    known[kind] = result = taking_turns(chosen.runs, theirs, mine)
                except Failed as failure:
                    # Labels that one of them cannot read, for example.
                    line += f" not compared: {str(failure).splitlines()[0]}"
                    break
                times = [seconds(one, chosen.limit) for one in result]
                columns = [f"{'>' if one is None else ''}{time:.4f}" for one, time in zip(result, times)]
                ratio = times[0] / max(times[1], 1e-6)
                right = kind == "exact" or None in result or near(*result)
                # Below this both are instant.
                if max(times) > 0.05 and right:
                    ratios[kind].append(ratio)
                    if ratio < 1:
                        slower.append(f"{question.name}, {kind}")
                line += f"{columns[0]:>{width}}{columns[1]:>10}{ratio:>8.1f}x"
            print(line, flush=True)
            good &= same(question.name, known)
        path.unlink(missing_ok=True)
    for kind, of_kind in ratios.items():
        if of_kind:
            print(f"{kind}: median {statistics.median(of_kind):.1f}x, least {min(of_kind):.1f}x, of {len(of_kind)} that take either more than 0.05 s")
    print("slower than Storm: " + (", ".join(slower) or "none"))
    return good


def same(name, known):
    """Whether what both say of a question goes together."""
    theirs, mine = known.get("bounds", (None, None))
    if mine is None:
        return True
    good = True
    low, high = mine["bounds"]
    if not mine["within"]:
        good = agree(f"{name}: within the precision", False, low, high)
    exact, own = known.get("exact", (None, None))
    if exact and own:
        good &= exact["value"] == own["value"] or agree(f"{name}: Storm's fraction", False, exact["value"], own["value"])
    if theirs and mine["value"] != float("inf"):
        if not near(theirs, mine):
            print(f"{name}: Storm's sound engine says {theirs['value']}, bestplay [{low}, {high}]")
            # Its rational engine decides who is right.
            good &= bool(exact) and low <= exact["value"] <= high
    return good


def main():
    chosen = arguments()
    if importlib.util.find_spec("stormpy") is None:
        print("skipped: stormpy is not installed (pip install stormpy umbi)")
        return 0
    print(f"medians of {chosen.runs} run(s); in parentheses: how many times as much the first line takes")
    try:
        if chosen.qvbs or chosen.models:
            questions = families.in_folder(chosen.models) if chosen.models else families.built_in()
            return 0 if many(chosen, questions) else 1
        if chosen.file:
            return 0 if compare(chosen, chosen.file) else 1
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "layered.drn"
            layered(chosen.states, path)
            print(f"layered model, {chosen.states} states, {path.stat().st_size / 1e6:.0f} MB of DRN")
            return 0 if compare(chosen, path) else 1
    except Failed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
