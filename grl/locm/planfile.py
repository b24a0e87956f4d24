"""Plan files: one ``(action arg …)`` a line, a blank line between plans, ``;`` comments.

What planners print around an action is read over: a time ``3:`` or ``0.001:`` before it and a
duration ``[1.0]`` after it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import IO

from grl.errors import GrlError, Place, PlanError
from grl.locm.table import PlanTable, TableBuilder
from grl.progress import Progress, silent

_ACTION = re.compile(r"(?:\d+(?:\.\d+)?\s*:\s*)?\(([^()]*)\)\s*(?:\[[^\]]*\])?")
_KNOWN = 50_000
"""Lines of one file that are remembered."""
LONGEST = 1 << 20
"""Bytes of a line: no action has more."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

Plan = list[list[str]]


def read_plans(paths: Iterable[str | os.PathLike[str]], progress: Progress = silent) -> PlanTable:
    """The table of all plans in some files. Raises `PlanError` with the file and line."""
    builder = TableBuilder()
    files = list(paths)
    for number, path in enumerate(files):
        progress("plans: read", number, len(files))
        with open(path, "rb") as stream:
            for first, plan in _plans(os.fspath(path), stream):
                try:
                    builder.add(plan)
                except PlanError as error:
                    raise _with_line(error, os.fspath(path), first, plan, builder) from None
    progress("plans: read", len(files), len(files))
    return builder.finish()


def _with_line(
    error: PlanError, path: str, lines: list[int], plan: Plan, builder: TableBuilder
) -> GrlError:
    """`error` at the first action of `plan` that it speaks of."""
    for line, step in zip(lines, plan, strict=True):
        if not builder.fits(step[0], len(step) - 1):
            return error.at(file=path, line=line)
    return error.at(file=path, line=lines[0])


def _plans(path: str, stream: IO[bytes]) -> Iterator[tuple[list[int], Plan]]:
    """Every plan of a file with the line numbers of its actions; equal lines are read once."""
    known: dict[bytes, list[str]] = {}
    plan: Plan = []
    lines: list[int] = []
    for number, raw in enumerate(iter(lambda: stream.readline(LONGEST + 1), b""), 1):
        if len(raw) > LONGEST:
            raise PlanError(
                "the line is too long",
                place=Place(file=path, line=number),
                expected=f"at most {LONGEST:,} bytes",
            )
        step = known.get(raw)
        if step is not None:
            plan.append(step)
            lines.append(number)
            continue
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise PlanError(
                "not a plan file: no UTF-8", place=Place(file=path, line=number)
            ) from None
        if not line:
            if plan:
                yield lines, plan
                plan, lines = [], []
            continue
        text = line.partition(";")[0].strip()
        if text:
            plan.append(_step(text, path, number))
            lines.append(number)
            if len(known) < _KNOWN:
                known[raw] = plan[-1]
    if plan:
        yield lines, plan


def _step(text: str, path: str, number: int) -> list[str]:
    if text[0] == "(" and text[-1] == ")" and text.count("(") == 1 and text.count(")") == 1:
        words = text[1:-1].split()
    else:
        found = _ACTION.fullmatch(text)
        if found is None:
            raise PlanError(
                "not an action",
                place=Place(file=path, line=number),
                expected="(action arg …), one a line",
                found=repr(text[:60]),
            )
        words = found[1].split()
    if not words or not _NAME.fullmatch(words[0]):
        raise PlanError(
            "not the name of an action",
            place=Place(file=path, line=number),
            expected="a letter, then letters, digits, - and _",
            found=repr(words[0][:60]) if words else "()",
        )
    return words
