"""A reference game out of somebody's own Python file: the file run, and its errors in one line.

The game is written as ``FILE.py:Class``, with options as ``FILE.py:Class:width=5``. Running the
file is what its owner asks for by naming it. Whatever it raises, at once or later in a method,
comes back as a `GameError` that names the file and the line in it.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from grl.errors import GameError, GrlError, Place

_SPEC = re.compile(r"(?P<file>.+?\.py)(?::(?P<name>[^\W\d]\w*)(?=:|$))?(?::(?P<options>.*))?")
_SHOWN = 120


class FileSpec(NamedTuple):
    """``FILE.py:NAME:OPTIONS`` in its parts; `name` and `options` may be empty."""

    file: str
    name: str
    options: str


def parse_spec(spec: str) -> FileSpec | None:
    """The parts of a specification that names a Python file; None for any other."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        return None
    return FileSpec(match["file"], match["name"] or "", match["options"] or "")


def run_file(path: str) -> ModuleType:
    """The module that the file at `path` makes; raises `GameError`.

    Modules beside the file can be imported by it, as when Python runs it.
    """
    if not os.path.isfile(path):
        raise GameError(
            "there is no such file", place=Place(file=path), expected="FILE.py:Class of a game"
        )
    module = ModuleType(f"_own_game_{os.path.basename(path).removesuffix('.py')}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    try:
        with blamed(path, "can't be run"):
            # Compiled anew each time: a cache beside the file might be older than an edit.
            exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))
    finally:
        sys.path.remove(folder)
    return module


@contextmanager
def blamed(path: str, what: str) -> Iterator[None]:
    """Whatever is raised within becomes a `GrlError` at the line of `path` that raised it."""
    try:
        yield
    except GrlError as error:
        if error.place.file is None:
            error.at(file=path, line=_line(error, path))
        raise
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())[:_SHOWN]
        raise GameError(
            f"{what}: {type(error).__name__}" + (f": {text}" if text else ""),
            place=Place(file=path, line=_line(error, path)),
        ) from error


def _line(error: BaseException, path: str) -> int | None:
    """The last line of the file at `path` on the way to `error`."""
    here = os.path.abspath(path)
    if isinstance(error, SyntaxError) and os.path.abspath(error.filename or "") == here:
        return error.lineno
    line = None
    trace = error.__traceback__
    while trace is not None:
        if os.path.abspath(trace.tb_frame.f_code.co_filename) == here:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def guard(game: object, path: str, methods: dict[str, Callable[[Any], str | None]]) -> None:
    """Wraps `methods` of `game`: what they raise is blamed on `path`, what they give is checked.

    A check says what was expected where a value is wrong, and None where it is right.
    """
    for name, check in methods.items():
        object.__setattr__(game, name, _guarded(getattr(game, name), path, name, check))


def _guarded(
    method: Callable[..., Any], path: str, name: str, check: Callable[[Any], str | None]
) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **options: Any) -> Any:
        with blamed(path, f"{name}() failed"):
            value = method(*args, **options)
        expected = check(value)
        if expected is not None:
            rows = getattr(args[0], "rows", None) if args else None
            raise GameError(
                f"{name}() gave a wrong value",
                place=Place(file=path, rows=tuple(rows) if rows else None),
                expected=expected,
                found=repr(value)[:_SHOWN],
            )
        return value

    return call
