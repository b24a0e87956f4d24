"""The perft tables that lie as data beside each game."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass

from grl.games import factory


@dataclass(frozen=True)
class Table:
    """The counts of one variant for depth 1, 2, …; `spec` is what `grl.games.load` takes."""

    spec: str
    counts: tuple[int, ...]
    provenance: str


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
        found.append(Table(spec, tuple(table["counts"]), table["provenance"]))
    return found
