"""What several commands share: reading a position, refusing bad output paths, tables, the bar."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grl.errors import BoardError, GrlError, Place
from grl.progress import Progress, silent

if TYPE_CHECKING:
    from grl.board import Position
    from grl.rulebook import Rulebook

Command = TypeVar("Command", bound=Callable[..., Any])

MODEL = click.argument(
    "model", metavar="MODEL", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
POSITION = click.option(
    "--position",
    "position_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON with rows and to_move, and reserve and history where they matter.",
)
SEED = click.option(
    "--seed", metavar="S", default=0, show_default=True, help="Same seed, same run."
)
SKIP_BAD = click.option(
    "--skip-bad", is_flag=True, help="Keep a bad game up to its first bad ply; list what was left."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FOLDER = click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to; made when there is none.",
)


def files(metavar: str) -> Callable[[Command], Command]:
    """The argument of a command that reads one file or more."""
    return click.argument(
        "files",
        metavar=metavar,
        nargs=-1,
        required=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
    )


def output(metavar: str, text: str) -> Callable[[Command], Command]:
    """The option of a command that writes one file; `text` is its help."""
    return click.option(
        "-o",
        "--output",
        metavar=metavar,
        required=True,
        type=click.Path(path_type=Path),
        help=text,
    )


def example(*lines: str) -> str:
    """The epilog of a command: worked examples, a line each."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", head, *(f"  {line}" for line in lines)])


@contextmanager
def bar() -> Iterator[Progress]:
    """A progress hook: a bar where standard error is a terminal, silent anywhere else."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Bar(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def hook(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total)
            shown.update(tasks[stage], completed=done, total=total)

        yield hook


def writable_file(path: Path, *, device: bool = False) -> Path:
    """`path`, if a file can be written there; asked before the work and not after it.

    `device` allows what is neither a file nor a folder, such as a pipe.
    """
    if path.is_dir() or (path.exists() and not path.is_file() and not device):
        raise GrlError("not a file", place=Place(file=str(path)), hint="choose another output")
    folder = path.parent
    if not folder.is_dir():
        raise GrlError("there is no such folder", place=Place(file=str(folder)), hint="make it")
    if not path.exists() and not os.access(folder, os.W_OK | os.X_OK):
        raise GrlError("can't write to this folder", place=Place(file=str(folder)))
    return path


def regular_file(path: Path) -> Path:
    """`path`, if it can be read more than once: a pipe can't."""
    if not path.is_file():
        raise GrlError(
            "this is read twice, and a pipe can be read once",
            place=Place(file=str(path)),
            expected="a regular file",
        )
    return path


def read_position(rulebook: Rulebook, path: Path) -> Position:
    """The position in a position file; errors name the file and the field."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BoardError(
            f"not a position file: {error}",
            place=Place(file=str(path)),
            expected="a JSON object in UTF-8",
        ) from None
    _check_shape(data, path)
    fields: dict[str, Any] = {"to_move": rulebook.initial.to_move}
    for name in ("rows", "to_move", "reserve", "history"):
        if name in data:
            fields[name] = data[name]
            try:
                position = rulebook.position(**fields)
            except GrlError as error:
                raise error.at(file=str(path), field=name) from None
    return position


_SHAPES = {
    "rows": "a list of strings, the highest rank first",
    "to_move": "the name of a player",
    "reserve": "an object like {player: {piece: count}}",
    "history": 'an object like {"moved": [squares], "last": turn or null}',
}


def _check_shape(data: object, path: Path) -> None:
    place = Place(file=str(path))
    if not isinstance(data, dict):
        raise BoardError(
            "not a position", place=place, expected="a JSON object", found=type(data).__name__
        )
    for name, expected in _SHAPES.items():
        if name not in data and name in ("rows", "to_move"):
            raise BoardError(f"field {name} is missing", place=place, expected=expected)
        if name in data and not _fits(name, data[name]):
            raise BoardError(
                "wrong kind of value",
                place=Place(file=str(path), field=name),
                expected=expected,
                found=json.dumps(data[name])[:80],
            )


def _fits(name: str, value: object) -> bool:
    if name == "rows":
        return isinstance(value, list) and all(isinstance(row, str) for row in value)
    if name == "to_move":
        return isinstance(value, str)
    if not isinstance(value, dict):
        return False
    if name == "reserve":
        return all(isinstance(hand, dict) for hand in value.values())
    moved, last = value.get("moved", []), value.get("last")
    return (
        set(value) <= {"moved", "last"}
        and isinstance(moved, list)
        and all(isinstance(square, str) for square in moved)
        and (last is None or isinstance(last, str))
    )


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Aligned columns: numbers to the right, everything else to the left."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    columns = range(len(head))
    numbers = [bool(rows) and all(isinstance(row[i], int) for row in rows) for i in columns]
    widths = [max(len(line[i]) for line in lines) for i in columns]
    return "\n".join(
        "  ".join(
            line[i].rjust(widths[i]) if numbers[i] else line[i].ljust(widths[i]) for i in columns
        ).rstrip()
        for line in lines
    )


def board_lines(rows: Sequence[str]) -> list[str]:
    """A board for people: ranks at the side, files below."""
    from grl.board import file_name

    files = [file_name(x + 1) for x in range(len(rows[0]))]
    wide = max(map(len, files))
    side = len(str(len(rows)))
    lines = [
        f"{len(rows) - i:>{side}}  " + " ".join(cell.ljust(wide) for cell in row).rstrip()
        for i, row in enumerate(rows)
    ]
    return [*lines, " " * (side + 2) + " ".join(name.ljust(wide) for name in files).rstrip()]


def hands(reserve: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Pieces in hand for people, a line each player."""
    return [
        f"{player} holds " + (", ".join(f"{n} {key}" for key, n in hand.items()) or "nothing")
        for player, hand in reserve.items()
    ]


def drawn(position: Position) -> str:
    """A position for people: the board, and pieces in hand."""
    return "\n".join([*board_lines(position.rows), *hands(position.reserve)])


def count(number: int, one: str, many: str = "") -> str:
    """``1 turn``, ``2 turns``; `many` where an s isn't enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
