"""Pages of learned games for the site: board, rules in English, automata, and how exact they are.

    make gallery

They are made from what `make demo` leaves, which is run first where something of it is missing, and
go to docs/gallery, which is no part of the repository.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator

import demo

import grl
from grl.outputs import write_whole
from grl.showing import svg_of

GALLERY = demo.ROOT / "docs" / "gallery"
SHOWN = ("games", "plies", "seconds", "missing", "surplus", "endings", "goals")


def main() -> int:
    """Write the pages; the exit status is that of `make demo` where that was needed."""
    lacking = [task for task in demo.TASKS if not (demo.OUTPUT / task.name / demo.FIGURES).exists()]
    status = demo.main() if lacking else 0
    shutil.rmtree(GALLERY, ignore_errors=True)
    GALLERY.mkdir()
    for task in demo.TASKS:
        _write(f"{task.name}.md", "\n".join(_page(task)))
    _write("index.md", "\n".join(_index()))
    return status


def _page(task: demo.Task) -> Iterator[str]:
    """A page of one game; its pictures go beside it."""
    folder = demo.OUTPUT / task.name
    rulebook = grl.load(folder / "model.grl.json")
    figures = _figures(task)
    yield f"# {task.name}\n"
    board = svg_of(rulebook.initial)
    if board is not None:
        _write(f"{task.name}-board.svg", board)
        yield f"![The initial position of {task.name}]({task.name}-board.svg)\n"
    yield (
        f"Learned from {figures['games']} recorded games ({figures['plies']} turns, all legal "
        f"ones known) in {figures['seconds']} s of processor time, and held to a hand-written "
        f"reference: "
        f"{figures['missing']} legal turns missing, {figures['surplus']} too many; "
        f"{figures['goals']} of {figures['endings']} endings with the right goals.\n"
    )
    yield "## The rules, as they were learned\n\n```text"
    yield (folder / "rules.txt").read_text(encoding="utf-8").rstrip()
    yield "```\n"
    pictures = sorted(folder.glob("*.svg"))
    if pictures:
        yield "## The automata\n"
    for picture in pictures:
        name = f"{task.name}-{picture.name}"
        shutil.copyfile(picture, GALLERY / name)
        yield f"![{picture.stem}]({name})\n"


def _index() -> Iterator[str]:
    yield "# Games that were learned\n"
    yield (
        "From the records in `traces/`, by `make demo`; a page each. Turns missing and surplus are "
        f"counted on {demo.POSITIONS:,} fresh positions or fewer.\n"
    )
    yield "```{toctree}\n:hidden:\n"
    yield from (task.name for task in demo.TASKS)
    yield "```\n"
    yield f"| game | {' | '.join(SHOWN)} |"
    yield f"| --- |{' ---: |' * len(SHOWN)}"
    for task in demo.TASKS:
        figures = _figures(task)
        cells = " | ".join(figures[each] for each in SHOWN)
        yield f"| [{task.name}]({task.name}.md) | {cells} |"
    yield "\nendings: terminal positions met; goals: those of which the goals are right."


def _figures(task: demo.Task) -> dict[str, str]:
    text = (demo.OUTPUT / task.name / demo.FIGURES).read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def _write(name: str, text: str) -> None:
    write_whole(GALLERY / name, text.rstrip("\n") + "\n")


if __name__ == "__main__":
    sys.exit(main())
