"""Effects where contents are numbers: stages, each on the board that those before it leave.

A turn takes up what lies where it starts. That is sown, one on each square of the mover's way;
then, by one effect after the other, what squares hold is moved to another square, where it counts
with what lies there, or leaves the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Equipment, Player, Position, Square
from grl.logic.changes import MOVED, SOWN, Change, effect_term
from grl.logic.grid import Bools, Grid
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import Term
from grl.model import Effect
from grl.moves.candidate import Candidate
from grl.rules.features.cases import Generator
from grl.sowing import Sowing
from grl.turn import Segment, Turn

Counts = NDArray[np.int64]
"""Rows × squares: what contents count."""


class Choice(NamedTuple):
    """Who takes up what from where."""

    mover: Player
    start: Square
    lifted: str

    def row(self) -> Walked:
        """The turn as terms see it."""
        return Walked(self._square, tuple, tuple, lambda: self.lifted)

    def _square(self, role: str) -> Square | None:
        return self.start if role in ("start1", "end1") else None


class Stage(NamedTuple):
    """An effect as terms: what is sown from `where`, moved `to` another square, or removed."""

    where: Term
    becomes: str
    to: Term | None

    @classmethod
    def of(cls, effect: Effect, equipment: Equipment, field: str) -> Stage:
        """Raises `ModelError` for an effect that there is not."""
        where = effect_term(effect.where, effect.becomes, equipment, field)
        to = None
        if effect.becomes == MOVED:
            to = effect_term(effect.to, effect.becomes, equipment, field, "to")
        return cls(where, effect.becomes, to)

    def carried_out(self, rows: Rows, counts: Counts) -> tuple[Counts, Bools]:
        """What squares count after it, and in which rows it can't be carried out."""
        where = rows.squares(self.where)
        if self.becomes == SOWN:
            fallen, _ = rows.fallen()
            starts = np.array([turn.square("start1") for turn in rows.turns or ()])
            sows = where[np.arange(len(rows)), starts]
            return counts + fallen * sows[:, None], np.zeros(len(rows), dtype=np.bool_)
        total = (counts * where).sum(axis=1)
        left = np.where(where, 0, counts)
        if self.to is None:
            return left, np.zeros(len(rows), dtype=np.bool_)
        to = rows.squares(self.to)
        wrong = np.asarray((to.sum(axis=1) != 1) & (total > 0), dtype=np.bool_)
        moved: Counts = left + to * total[:, None]
        return moved, wrong


class Boards:
    """Boards of a game in which contents count, as texts and as numbers."""

    def __init__(self, equipment: Equipment, sowing: Sowing) -> None:
        self.equipment = equipment
        most = max(sowing.values.values())
        self._values = {EMPTY: 0, **sowing.values}
        contents = {0: EMPTY, **sowing.contents}
        self._keys = np.array([contents.get(number, "") for number in range(most + 1)])
        holes = equipment.board.holes
        self._holes = np.array([s in holes for s in range(equipment.board.size)])

    def counts(self, cells: Sequence[str]) -> tuple[Counts, Bools]:
        """What squares count, and on which boards all pieces are numbers."""
        found = np.array([[self._values.get(c, -1) for c in each] for each in cells], np.int64)
        found[:, self._holes] = 0
        known: Bools = np.asarray((found >= 0).all(axis=1), dtype=np.bool_)
        return found.clip(0), known

    def cells(self, counts: Counts) -> list[str | None]:
        """The boards as texts; None where a number has no content."""
        most = len(self._keys) - 1
        keys = self._keys[counts.clip(0, most)]
        keys[:, self._holes] = "#"
        known = ((counts >= 0) & (counts <= most)).all(axis=1) & (keys != "").all(axis=1)
        texts = keys.view(f"<U{keys.shape[1]}")[:, 0].tolist()
        return [text if ok else None for text, ok in zip(texts, known.tolist(), strict=True)]


class StagedGenerator:
    """Generates turns by what they take up, and adds what that brings about.

    Raises `ModelError` for an effect that there is not.
    """

    def __init__(
        self, equipment: Equipment, effects: Sequence[Effect], base: Generator, grid: Grid
    ) -> None:
        assert equipment.sowing is not None
        self._equipment, self._base, self._grid = equipment, base, grid
        self._boards = Boards(equipment, equipment.sowing)
        self._stages = [
            Stage.of(each, equipment, f"effects[{number}]") for number, each in enumerate(effects)
        ]

    def spellings(self, position: Position) -> list[Candidate]:
        """The pseudo-legal turns, each with its effects.

        A turn of which a square would hold a number that has no content is none.
        """
        candidates = self._base(position)
        if not candidates:
            return []
        choices = [
            Choice(position.to_move, each.starts[0], position.cells[each.starts[0]])
            for each in candidates
        ]
        left = after(
            self._equipment, self._grid, self._boards, self._stages, choices,
            [each.cells for each in candidates],
        )  # fmt: skip
        whole = map(partial(_whole, position), candidates, left)
        return [each for each in whole if each is not None]


def after(
    equipment: Equipment,
    grid: Grid,
    boards: Boards,
    stages: Sequence[Stage],
    choices: Sequence[Choice],
    cells: Sequence[str],
) -> list[str | None]:
    """The boards that stages leave of those from which something was taken up."""
    counts, known = boards.counts(cells)
    for stage in stages:
        counts, wrong = stage.carried_out(rows_of(equipment, grid, boards, choices, counts), counts)
        known &= ~wrong
    found = boards.cells(counts)
    return [each if ok else None for each, ok in zip(found, known, strict=True)]


def rows_of(
    equipment: Equipment, grid: Grid, boards: Boards, choices: Sequence[Choice], counts: Counts
) -> Rows:
    """The choices as rows on boards with these numbers; on one without a content for a number
    nothing lies."""
    nothing = EMPTY * grid.size
    cells = [each or nothing for each in boards.cells(counts)]
    grounds = [Ground(c.mover, each) for c, each in zip(choices, cells, strict=True)]
    return Rows(equipment, grid, grounds, [choice.row() for choice in choices])


def _whole(position: Position, candidate: Candidate, cells: str | None) -> Candidate | None:
    """The turn that leaves this board: its start first, then what else changes, by squares."""
    if cells is None:
        return None
    start, before, names = candidate.starts[0], position.cells, position.board.names
    changed = [s for s in position.board.squares if cells[s] != before[s] and s != start]
    squares = (start, *changed)
    segments = tuple(Segment(names[s], Change(cells[s]).letters) for s in squares)
    return Candidate(Turn(segments), squares, squares, cells, candidate.stock, len(changed))
