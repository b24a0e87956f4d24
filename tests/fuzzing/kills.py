"""``kill -9`` of whatever writes, at random moments: all is whole, nobody is left.

A kill hits the first process of a command only; what it started has to notice by itself. Some
moments are drawn from the whole of an undisturbed run, some are the appearance of a new file.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from fuzzing.corpus import seeds
from fuzzing.sandbox import Start, finished, start

OLD = b"what was there before\n"
COUNTED = "".join(
    (
        "atoms:\n",
        *(f"\tnext_value({n})\n" for n in range(9)),
        "---\n\nstatics:\n",
        *(f"\tsucc({n}, {n + 1})\n" for n in range(8)),
        *(
            f"---\n\nbackground:\n\ttrue_value({n})\n---\n\npositives:\n\tnext_value({n + 1})\n"
            for n in range(8)
        ),
    )
).encode()
"""States of a counter."""


@dataclass(frozen=True)
class Writer:
    """A command that writes: its files, and the files or folders that it writes.

    `grows` are files whose content may be that of any moment between two of its lines.
    """

    argv: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    written: tuple[str, ...]
    grows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Killed:
    """A kill: of what, when, whether it came in time, hidden files left, and what was wrong."""

    number: int
    name: str
    after: float
    in_time: bool
    hidden: int
    wrong: tuple[str, ...]


@cache
def writers() -> dict[str, Writer]:
    """Commands that write, each with work for a moment."""
    s = seeds()
    tic, breakthrough, puzzle = s.traces[0].content, s.traces[2].content, s.traces[4]
    return {
        "learn": Writer(
            ("learn", "a.jsonl", "-o", "out.grl.json"),
            (("a.jsonl", breakthrough),),
            ("out.grl.json",),
        ),
        "learn --jobs 2": Writer(
            ("learn", "a.jsonl", "b.jsonl", "-o", "out.grl.json", "--jobs", "2"),
            (("a.jsonl", breakthrough), ("b.jsonl", breakthrough)),
            ("out.grl.json",),
        ),
        "import": Writer(
            ("import", "pdn", "games.pdn", "-o", "out.jsonl.gz"),
            (("games.pdn", s.pdn[0] * 20),),
            ("out.jsonl.gz",),
        ),
        "traces generate": Writer(
            ("traces", "generate", "breakthrough", "-n", "4", "--all-moves", "-o", "out.jsonl.zst"),
            (),
            ("out.jsonl.zst",),
        ),
        "ask": Writer(
            (
                *("ask", "model.grl.json", "a.jsonl", "--game", puzzle.game),
                *("--questions", "3", "--answers", "answers.jsonl", "-o", "out.grl.json"),
            ),
            (("model.grl.json", s.models[4]), ("a.jsonl", puzzle.content)),
            ("out.grl.json", "answers.jsonl"),
            ("answers.jsonl",),
        ),
        "locm": Writer(
            ("locm", "plans.txt", "-o", "out.pddl", "--machines", "pictures", "--format", "dot"),
            (("plans.txt", s.plans[1]),),
            ("out.pddl", "pictures"),
        ),
        "iggp": Writer(
            ("iggp", "train.dat", "-o", "out.lp"), (("train.dat", COUNTED),), ("out.lp",)
        ),
        "las from-traces": Writer(
            (
                "las",
                "from-traces",
                "a.jsonl",
                "--target",
                "control",
                "--positions",
                "6",
                "-o",
                "out.las",
            ),
            (("a.jsonl", tic),),
            ("out.las",),
        ),
        "export": Writer(
            ("export", "model.grl.json", "--to", "asp", "-o", "out"),
            (("model.grl.json", s.models[2]),),
            ("out",),
        ),
        "export --to pddl": Writer(
            ("export", "model.grl.json", "--to", "pddl", "-o", "out"),
            (("model.grl.json", s.models[2]),),
            ("out",),
        ),
        "render": Writer(
            ("render", "model.grl.json", "-o", "out", "--format", "svg"),
            (("model.grl.json", s.models[0]),),
            ("out",),
        ),
    }


@dataclass(frozen=True)
class Undisturbed:
    """What a writer leaves, and how long it takes, in seconds on the clock."""

    seconds: float
    left: dict[str, bytes]


def writer_of(number: int) -> str:
    """The name of the writer that the kill with this number hits."""
    return list(writers())[number % len(writers())]


def undisturbed(folder: Path, names: Iterable[str]) -> dict[str, Undisturbed]:
    """These writers run to their ends; raises where one fails."""
    found = {}
    for name in names:
        writer = writers()[name]
        place, streams = _laid(writer, folder, old=False)
        began = time.monotonic()
        run = finished(start(Start(writer.argv), place, streams), streams)
        seconds = time.monotonic() - began
        if run.status or run.left:
            raise RuntimeError(f"{name} failed undisturbed: {run}")
        found[name] = Undisturbed(seconds, _contents(place))
    return found


def kill(
    seed: int,
    number: int,
    folder: Path,
    known: dict[str, Undisturbed],
    *,
    fresh: bool = True,
) -> Killed:
    """The kill with this number; some with `fresh` hit a process that is still starting."""
    rng = Random(f"kill {seed} {number}")
    name = writer_of(number)
    writer, whole = writers()[name], known[name]
    old, new = rng.random() < 0.5, fresh and rng.random() < 0.2
    place, streams = _laid(writer, folder, old=old)
    after = rng.uniform(0, whole.seconds * 1.1) + (rng.uniform(0, 0.6) if new else 0)
    stop = _appeared(place) if rng.random() < 0.4 else _later(after)
    began = time.monotonic()
    run = finished(start(Start(writer.argv, fresh=new), place, streams), streams, stop=stop)
    seconds = time.monotonic() - began
    there = _contents(place)
    wrong = list(_wrong(writer, there, whole.left, old=old))
    if run.status not in (0, -9) or run.stopped:
        wrong.append(f"ended with {run.status} {run.stopped}")
    if run.left:
        wrong.append(f"{run.left} processes left")
    hidden = sum(Path(path).name.startswith(".") for path in there)
    shutil.rmtree(folder, ignore_errors=True)
    return Killed(number, name, seconds, run.status == -9, hidden, tuple(wrong))


def _begins(content: bytes, whole: bytes) -> bool:
    """Whether a trace file holds the first plays of another; keys of headers have no order."""
    (one, *plays), (other, *more) = content.split(b"\n"), whole.split(b"\n")
    return json.loads(one) == json.loads(other) and [*more[: len(plays) - 1], b""] == plays


def _laid(writer: Writer, folder: Path, *, old: bool) -> tuple[Path, Path]:
    shutil.rmtree(folder, ignore_errors=True)
    place, streams = folder / "place", folder / "streams"
    place.mkdir(parents=True)
    streams.mkdir()
    for name, content in writer.files:
        (place / name).write_bytes(content)
    for name in writer.written:
        if old and "." in name and name not in writer.grows:
            (place / name).write_bytes(OLD)
    return place, streams


def _contents(place: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file()
    }


def _later(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def _appeared(place: Path) -> Callable[[], bool]:
    before = set(os.listdir(place))
    return lambda: set(os.listdir(place)) != before


def _wrong(
    writer: Writer, there: dict[str, bytes], whole: dict[str, bytes], *, old: bool
) -> Iterator[str]:
    inputs = dict(writer.files)
    for name, content in inputs.items():
        if there.get(name) != content:
            yield f"the input {name} is not what it was"
    for name, content in there.items():
        if name in inputs or Path(name).name.startswith("."):
            continue
        if name not in whole:
            yield f"a stray file {name}"
        elif name in writer.grows:
            if not _begins(content, whole[name]):
                yield f"{name} is not whole"
        elif content != whole[name] and not (old and content == OLD):
            yield f"{name} is not whole"
    for name in writer.written:
        if old and "." in name and name not in writer.grows and name not in there:
            yield f"{name}, there before, is gone"
