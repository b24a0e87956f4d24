"""What several commands share: reading a position, refusing bad output paths, tables, the bar."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grl.errors import BoardError, GrlError, Place
from grl.inputs import read_bounded
from grl.limits import MAX_LINE as LINE_BYTES
from grl.limits import MAX_POSITION
from grl.outputs import check_apart
from grl.progress import Progress, silent
from grl.storage import Remote, is_remote

if TYPE_CHECKING:
    from grl.board import Position
    from grl.commands.stages import Stages
    from grl.rulebook import Rulebook

Command = TypeVar("Command", bound=Callable[..., Any])


class FilePath(click.Path):
    """The name of a file or a folder as a `Path`; an empty one, which would be the current folder,
    is refused."""

    def __init__(self, *, exists: bool = False, file_okay: bool = True, dir_okay: bool = True):
        super().__init__(exists=exists, file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """The path. Raises `click.BadParameter`."""
        if not os.fspath(value):
            self.fail("the name of a file or a folder is empty", param, ctx)
        if self.exists and is_remote(os.fspath(value)):
            return Remote(os.fspath(value))
        return super().convert(value, param, ctx)


MODEL = click.argument("model", metavar="MODEL", type=FilePath(exists=True, dir_okay=False))
AFTER = click.option(
    "--after",
    metavar="TURN",
    multiple=True,
    help="Play this turn first; repeatable. Short, as c3-d4, where that is clear; @FILE: a game.",
)
POSITION = click.option(
    "--position",
    "position_file",
    metavar="FILE",
    type=FilePath(exists=True, dir_okay=False),
    help="JSON with rows and to_move, and reserve and history where they matter.",
)
SEED = click.option(
    "--seed", metavar="S", default=0, show_default=True, help="Same seed, same run."
)
SKIP_BAD = click.option(
    "--skip-bad", is_flag=True, help="Keep a bad game up to its first bad ply; list what was left."
)
MAX_LINE = click.option(
    "--max-line",
    "max_line",
    metavar="MB",
    type=click.IntRange(min=1, max=4096),
    default=LINE_BYTES // 2**20,
    show_default=True,
    callback=lambda _ctx, _option, megabytes: megabytes * 2**20,
    help="Refuse lines that are longer.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FOLDER = click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    required=True,
    type=FilePath(file_okay=False),
    help="The folder to write to; made when there is none.",
)


def files(metavar: str) -> Callable[[Command], Command]:
    """The argument of a command that reads one file or more."""
    return click.argument(
        "files",
        metavar=metavar,
        nargs=-1,
        required=True,
        type=FilePath(exists=True, dir_okay=False),
    )


def output(metavar: str, text: str) -> Callable[[Command], Command]:
    """The option of a command that writes one file; `text` is its help."""
    return click.option(
        "-o",
        "--output",
        metavar=metavar,
        required=True,
        type=FilePath(),
        help=text,
    )


def example(*lines: str) -> str:
    """The epilog of a command: worked examples, a line each."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", head, *(f"  {line}" for line in lines)])


@contextmanager
def bar() -> Iterator[Progress]:
    """A progress hook: a bar where standard error is a terminal, silent anywhere else.

    Nothing is drawn, and no thread runs, before the first report. A stage's clock stops when the
    stage is complete or another one reports.
    """
    if not sys.stderr.isatty():
        yield silent
        return
    with ExitStack() as opened:
        stages: list[Stages] = []

        def hook(stage: str, done: int, total: int | None) -> None:
            if not stages:
                from grl.commands.stages import Stages

                stages.append(opened.enter_context(Stages()))
            stages[0].report(stage, done, total)

        yield hook


def writable_folder(path: Path) -> Path:
    """`path`, if it is a folder or can become one; asked before the work and not after it."""
    if path.exists() and not path.is_dir():
        raise GrlError("not a folder", place=Place(file=str(path)), hint="choose another one")
    return path


def read_line(prompt: str) -> str:
    """A line that a person types; raises `EOFError` where there is nobody."""
    if sys.stdin is None or sys.stdout is None:
        raise EOFError
    try:
        return input(prompt)
    except UnicodeDecodeError as error:
        raise GrlError(
            "the input is no text", found=repr(error.object[error.start : error.end])
        ) from None


def writable_file(path: Path, *, inputs: Iterable[Path | None] = (), device: bool = False) -> Path:
    """`path`, if a file can be written there; asked before the work and not after it.

    None of the `inputs` may be the same file, by whatever name or link. `device` allows what is
    neither a file nor a folder, such as a pipe.
    """
    place = Place(file=str(path))
    if path.is_dir() or (path.exists() and not path.is_file() and not device):
        raise GrlError("not a file", place=place, hint="choose another output")
    check_apart(path, [read for read in inputs if read is not None])
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
    content = read_bounded(path, MAX_POSITION)
    if len(content) > MAX_POSITION:
        raise BoardError(
            "the position file is too large",
            place=Place(file=str(path)),
            expected=f"at most {MAX_POSITION:,} bytes",
        )
    try:
        data = json.loads(content.decode("utf-8-sig"))
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


def position_after(
    rulebook: Rulebook, position_file: Path | None, after: Sequence[str]
) -> Position:
    """The position that a command asks about: a file's or the initial one, and turns from there.

    A turn may be short, as in ``c3-d4``; ``@FILE`` stands for the turns in a file, one a line, or
    those of the first game of a trace file.
    """
    from grl.notation import find_turn

    position = rulebook.initial if position_file is None else read_position(rulebook, position_file)
    listed: list[tuple[str, Place]] = []
    for text in after:
        if text.startswith("@") and "@" not in text[1:]:
            listed += _turns_of(Path(text[1:]))
        else:
            listed.append((text, Place(field="--after")))
    for ply, (text, place) in enumerate(listed, 1):
        try:
            turn = find_turn(position, text, partial(rulebook.legal, position))
            position = rulebook.play(position, turn)
        except GrlError as error:
            raise error.at(file=place.file, line=place.line, ply=ply, field=place.field) from None
    return position


def _turns_of(path: Path) -> list[tuple[str, Place]]:
    """The turns in a file, each with its place; lines that begin with % or # are comments."""
    from grl.traceio import Lines
    from grl.tracejson import parse_object

    lines = Lines(str(path))
    found: list[tuple[str, Place]] = []
    try:
        for raw in lines:
            place = Place(file=str(path), line=lines.number)
            text = raw.decode("utf-8-sig", "replace").strip()
            if text.startswith("{"):
                turns = parse_object(raw).get("turns")
                if isinstance(turns, list):
                    return [
                        (str(item.get("turn")), place) for item in turns if isinstance(item, dict)
                    ]
            elif text and text[0] not in "%#":
                found.append((text, place))
    finally:
        lines.close()
    return found


_SHAPES = {
    "rows": "a list of strings, the highest rank first",
    "to_move": "the name of a player",
    "reserve": "an object like {player: {piece: count}}",
    "history": 'an object like {"moved": [squares], "last": turn or null, "trail": [positions]}',
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
        set(value) <= {"moved", "last", "trail"}
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


def drawn(position: Position) -> str:
    """A position for people: the board, and pieces in hand."""
    from grl.board import board_lines, hand_lines

    return "\n".join([*board_lines(position.rows), *hand_lines(position.reserve)])
