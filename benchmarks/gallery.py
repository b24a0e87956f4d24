"""Pages of learned games for the site: board, rules in English, automata, and how exact they are.

    make gallery
    make gallery GAMES=all
    make gallery GAMES="go kalah"

They are made from what `make demo` leaves, which is run first where something of it is missing, and
go to docs/gallery, which is no part of the repository. Other reference games, or `all`, are learned
as well, from random games that are kept in build/gallery; games that draw rare positions
come with short records from there. What was learned once is not learned again.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

import demo

import grl
from grl.games import available, load
from grl.generate import generate
from grl.outputs import write_whole
from grl.showing import svg_of
from grl.traces import header_dict, write_traces

GALLERY = demo.ROOT / "docs" / "gallery"
SHOWN = ("games", "plies", "seconds", "missing", "surplus", "endings", "goals")


RECORDS = demo.ROOT / "build" / "gallery"
RANDOM_GAMES = 200
LONG_GAMES, LONGEST, RARE = 20, 120, 2_500
"""Of games that draw rare positions: long games, of how many plies at most, and short records."""


def main(arguments: Sequence[str]) -> int:
    """Write the pages; the exit status is that of `make demo` where that was needed."""
    status = demo.main() if not all(map(_done, demo.TASKS)) else 0
    for task in _others():
        if not _done(task) and not {"all", task.name}.isdisjoint(arguments):
            print(f"{task.name} ...", flush=True)
            _learn(task)
    tasks = [*demo.TASKS, *filter(_done, _others())]
    shutil.rmtree(GALLERY, ignore_errors=True)
    GALLERY.mkdir()
    for task in tasks:
        _write(f"{task.name}.md", "\n".join(_page(task)))
    _write("index.md", "\n".join(_index(tasks)))
    return status


def _done(task: demo.Task) -> bool:
    return (demo.OUTPUT / task.name / demo.FIGURES).exists()


def _others() -> list[demo.Task]:
    """The reference games that `make demo` does not learn."""
    shown = {task.game.partition(":")[0] for task in demo.TASKS}
    return [
        demo.Task(name, name, f"{name}.jsonl.gz", records=RECORDS)
        for name in sorted(available())
        if name not in shown
    ]


def _learn(task: demo.Task) -> None:
    """Generate the records of a game, if they are not there, and learn it."""
    game = load(task.game)
    if not task.path.exists():
        RECORDS.mkdir(parents=True, exist_ok=True)
        rare = game.rare(Random(0)) is not None
        number, longest = (LONG_GAMES, LONGEST) if rare else (RANDOM_GAMES, None)
        plays = generate(game, number, all_moves=True, seed=1, max_plies=longest)
        short = generate(game, RARE if rare else 0, all_moves=True, seed=1, rare=1.0)
        renamed = ({**play, "id": f"s{number}"} for number, play in enumerate(short))
        write_traces(task.path, header_dict(game), chain(plays, renamed))
    shutil.rmtree(demo.OUTPUT / task.name, ignore_errors=True)
    demo.run(task)


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


def _index(tasks: Sequence[demo.Task]) -> Iterator[str]:
    yield "# Games that were learned\n"
    yield (
        "From the records in `traces/`, by `make demo`, and what `make gallery GAMES=all` learns "
        "beside these; a page each. Turns missing and surplus are counted on "
        f"{demo.POSITIONS:,} fresh positions or fewer.\n"
    )
    yield "```{toctree}\n:hidden:\n"
    yield from (task.name for task in tasks)
    yield "```\n"
    yield f"| game | {' | '.join(SHOWN)} |"
    yield f"| --- |{' ---: |' * len(SHOWN)}"
    for task in tasks:
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
    sys.exit(main(sys.argv[1:]))
