"""The models that are served: found in files and folders, read once, known by what they hold."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from grl.errors import GrlError
from grl.explain.answer import Explainer
from grl.moves.search import Searcher
from grl.render.words import plain, player_colour
from grl.rulebook import Rulebook, load
from grl.serve.geometry import board_data
from grl.serve.refusals import Refused

ENDING = ".grl.json"
MOST_FILES = 500
MOST_DEPTH = 3
"""Folders below one that is named in which models are looked for."""


@dataclass
class Served:
    """A model, ready to be asked: what is made from it is made when it is first asked for."""

    id: str
    name: str
    path: Path
    rulebook: Rulebook
    using: threading.RLock = field(default_factory=threading.RLock, repr=False)
    """Held by whoever asks the rulebook or the explainer: their memory is not for two at once."""
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    """What is computed once, by name, such as examples for rules."""

    @cached_property
    def explainer(self) -> Explainer:
        """Who says why."""
        return Explainer(self.rulebook)

    @cached_property
    def searcher(self) -> Searcher:
        """What reads turns letter by letter."""
        return Searcher(self.rulebook.model)

    @property
    def line(self) -> dict[str, Any]:
        """The model in a list."""
        model = self.rulebook.model
        return {
            "id": self.id,
            "name": self.name,
            "game": plain(model.game),
            "players": list(model.equipment.players),
            "squares": len(model.equipment.board.squares),
            "pieces": len(model.equipment.pieces),
            "games": _whole(model.report.get("games")),
        }

    @property
    def data(self) -> dict[str, Any]:
        """All that a page needs to draw positions of the model."""
        equipment, initial = self.rulebook.model.equipment, self.rulebook.initial
        return self.line | {
            "board": board_data(self.rulebook.model),
            "types": {
                key: {"player": piece.player, "type": plain(piece.type)}
                for key, piece in equipment.pieces.items()
            },
            "colours": {player: player_colour(equipment, player) for player in equipment.players},
            "initial": {
                "cells": initial.cells,
                "rows": initial.rows,
                "to_move": initial.to_move,
                "reserve": initial.reserve,
            },
        }


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


class Shelf:
    """All models, in the order in which they were found."""

    def __init__(self, sources: Iterable[Path], own: Path) -> None:
        self._sources, self.own = [*sources], own
        self._lock = threading.Lock()
        self._found: dict[str, Served] = {}
        self._read: dict[Path, tuple[float, int]] = {}
        self.broken: dict[str, str] = {}

    def all(self) -> list[Served]:
        """The models, those of files that have come since included."""
        with self._lock:
            self._look()
            return list(self._found.values())

    def get(self, key: str) -> Served:
        """The model of an id; raises `Refused` where there is none."""
        found = self._found.get(key)
        if found is None:
            self.all()
            found = self._found.get(key)
        if found is None:
            raise Refused(404, f"there is no model {key!r}")
        return found

    def add(self, rulebook: Rulebook, name: str) -> Served:
        """A model that was learned here, kept as a file of its own."""
        with self._lock:
            stem = slug(name)
            number = 1
            while (self.own / f"{stem}-{number}{ENDING}").exists():
                number += 1
            path = self.own / f"{stem}-{number}{ENDING}"
            rulebook.save(path)
            self._open(path)
            return next(each for each in self._found.values() if each.path == path)

    def _look(self) -> None:
        for path in (*self._files(), *sorted(self.own.glob(f"*{ENDING}"))):
            try:
                state = path.stat()
            except OSError:
                continue
            mark = (state.st_mtime, state.st_size)
            if self._read.get(path) == mark:
                continue
            try:
                self._open(path)
                self.broken.pop(str(path), None)
            except (GrlError, OSError) as error:
                self.broken[str(path)] = str(error)
            self._read[path] = mark

    def _open(self, path: Path) -> None:
        """Read a model file; the model of the same file before stays for the games that have it."""
        rulebook = load(path)
        digest = hashlib.sha256(path.read_bytes() + str(path).encode()).hexdigest()[:8]
        key = f"{slug(rulebook.model.game)}-{digest}"
        state = path.stat()
        self._read[path] = (state.st_mtime, state.st_size)
        if key in self._found:
            return
        self._found[key] = Served(key, self._named(path, rulebook), path, rulebook)

    def _named(self, path: Path, rulebook: Rulebook) -> str:
        """The game, and where others are of the same game the file too."""
        stem = path.name.removesuffix(ENDING)
        shown = path.parent.name if stem == "model" else stem
        taken = {each.name for each in self._found.values()}
        name = plain(rulebook.model.game)
        if name not in taken:
            return name
        name = f"{name} ({plain(shown)})"
        number = 2
        while name in taken:
            name = f"{plain(rulebook.model.game)} ({plain(shown)} {number})"
            number += 1
        return name

    def _files(self) -> Iterator[Path]:
        left = MOST_FILES
        for source in self._sources:
            for path in [source] if source.is_file() else _below(source, MOST_DEPTH):
                if not left:
                    return
                left -= 1
                yield path


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """The model files in a folder and in those below it, hidden ones left out."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.name.endswith(ENDING) and entry.is_file():
            yield entry
        elif depth and entry.is_dir() and not entry.is_symlink():
            yield from _below(entry, depth - 1)


def slug(text: str) -> str:
    """A text as part of an address or a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "game"
