"""Games that libraries play at random and write, for the importers to read back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from random_records import Kind

from grl.importers.formats import NOTATIONS, Wishes
from grl.importers.records import FileImports
from grl.progress import silent
from grl.traces import Traces, write_traces

Plays = list[dict[str, Any]]
EXTRAS = {
    "chess": "pgn",
    "pyffish": "uci",
    "cshogi": "shogi",
    "sgfmill": "sgf",
    "pyspiel": "openspiel",
}


def needs(*modules: str) -> None:
    for module in modules:
        pytest.importorskip(module, reason=f"the extra {EXTRAS[module]} is not installed")


def imported(
    form: str, path: Path | None, *, keep_beginnings: bool = False, **wished: Any
) -> tuple[Plays, FileImports]:
    """The plays of a file and who read them; the turns, legal ones too, replay as traces."""
    files = [] if path is None else [path]
    common = {"keep_beginnings": keep_beginnings, "strict": False, "progress": silent}
    source = NOTATIONS[form].make(files, Wishes(**wished), common)
    plays = list(source.imports)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "plays.jsonl"
        write_traces(target, source.header(), plays)
        assert sum(len(play.plies) for play in Traces.open(target)) == source.imports.plies
    return plays, source.imports


def written(folder: Path, kind: Kind, games: Sequence[list[str]]) -> Path:
    """A file of games."""
    path = folder / f"games-{kind.form}{kind.ending}"
    path.write_bytes(kind.file([kind.text(words, i) for i, words in enumerate(games)]))
    return path


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def turns_of(play: dict[str, Any]) -> list[str]:
    return [turn["turn"] for turn in play["turns"]]
