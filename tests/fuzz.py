"""Mutated inputs for every command: no traceback, nothing over 10 s or 1 GB, nothing half written.

    .venv/bin/python tests/fuzz.py --seed 1 -n 10000 --jobs 2
    .venv/bin/python tests/fuzz.py --seed 1 --only 4711 --keep /tmp/failed

    .venv/bin/python tests/fuzz.py --seed 1 --kill 200

A case is what its seed and number say, in every run. Failing cases are kept with their words, files
and output. The exit status is 1 where anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from itertools import count, islice
from pathlib import Path

from fuzzing.calls import COMMANDS
from fuzzing.cases import command_of
from fuzzing.kills import Killed
from fuzzing.many import killed, results
from fuzzing.verdict import Result


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", type=int, default=1000, help="how many cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--only", type=int, action="append", help="this case alone; repeatable")
    parser.add_argument("--command", choices=COMMANDS, help="cases of one command only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for failing cases")
    parser.add_argument("--kill", type=int, metavar="N", help="kill writers at N random moments")
    asked = parser.parse_args()
    if asked.kill:
        return _killing(asked.seed, asked.kill, asked.jobs)
    numbers = asked.only or list(islice(_numbers(asked), asked.n))
    done: list[Result] = []
    for result in results(asked.seed, numbers, asked.jobs, asked.keep):
        done.append(result)
        if result.wrong or asked.only:
            _report(result)
        if len(done) % 500 == 0:
            print(f"{len(done):,} of {len(numbers):,}", file=sys.stderr)
    _summary(done)
    return int(any(result.wrong for result in done))


def _killing(seed: int, number: int, jobs: int) -> int:
    done: dict[str, list[Killed]] = defaultdict(list)
    for one in killed(seed, range(number), jobs):
        done[one.name].append(one)
        if one.wrong:
            print(f"kill {one.number} of {one.name} at {one.after:.3f} s: {'; '.join(one.wrong)}")
    row = "{:18}" + "{:>12}" * 4
    print(row.format("command", "runs", "killed", "hidden left", "wrong"))
    every = [one for some in done.values() for one in some]
    for name, some in (*sorted(done.items()), ("all", every)):
        killed_in_time, hidden = sum(one.in_time for one in some), sum(one.hidden for one in some)
        print(row.format(name, len(some), killed_in_time, hidden, sum(bool(x.wrong) for x in some)))
    return int(any(one.wrong for one in every))


def _numbers(asked: argparse.Namespace) -> count[int] | filter[int]:
    every = count(asked.first)
    if asked.command is None:
        return every
    return filter(lambda number: command_of(asked.seed, number) == asked.command, every)


def _report(result: Result) -> None:
    wrong = "; ".join(result.wrong) or f"well, status {result.run.status}"
    words = " ".join(word if word.isprintable() else ascii(word) for word in result.case.argv)
    print(f"case {result.number}: {wrong}: grl {words[:200]}", flush=True)
    lines = result.run.err.decode("utf-8", "backslashreplace").splitlines()
    if lines:
        print(f"    {lines[-1][:300]!a}", flush=True)


def _summary(done: list[Result]) -> None:
    by: dict[str, list[Result]] = defaultdict(list)
    for result in done:
        by[result.case.command].append(result)
    head = ("command", "cases", "status 0", "1", "2", "wrong", "s at most", "MiB at most")
    print(("{:18}" + "{:>12}" * 7).format(*head))
    for name in (*sorted(by), "all"):
        some = by.get(name, done)
        by_status = Counter(result.run.status for result in some)
        cells = (
            *(len(some), by_status[0], by_status[1], by_status[2]),
            sum(bool(result.wrong) for result in some),
            f"{max(result.run.seconds for result in some):.1f}",
            max(result.run.memory for result in some) >> 20,
        )
        print(("{:18}" + "{:>12}" * 7).format(name, *cells))


if __name__ == "__main__":
    sys.exit(main())
