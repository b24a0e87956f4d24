"""The perft tables that lie as data beside each game."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grl.board import Position, make_position
from grl.games import Game, factory


@dataclass(frozen=True)
class Table:
    """The counts of one variant for depth 1, 2, …; `spec` is what `grl.games.load` takes.

    They count from `position`, which is as in a position file, or else from the initial one.
    """

    spec: str
    counts: tuple[int, ...]
    provenance: str
    position: Mapping[str, Any] | None = None

    def start(self, game: Game) -> Position:
        if self.position is None:
            return game.initial
        return make_position(game.equipment, **self.position)


def tables(name: str) -> list[Table]:
    """The tables of a registered game; none where its package ships no ``perft.json``."""
    package = factory(name).__module__.rpartition(".")[0]
    file = importlib.resources.files(package).joinpath("perft.json")
    if not file.is_file():
        return []
    found = []
    for table in json.loads(file.read_text(encoding="utf-8"))["tables"]:
        options = ",".join(f"{key}={value}" for key, value in table["options"].items())
        spec = f"{name}:{options}" if options else name
        counts = tuple(table["counts"])
        found.append(Table(spec, counts, table["provenance"], table.get("position")))
    return found
