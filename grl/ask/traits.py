"""What makes a position rare, in the terms in which rules could speak of it.

A rule that no record shows takes effect where something is so for the first time: a feature of
positions holds that never did, there are so many of a piece, or so many of them have come to where
the others began, or a piece goes to the edge of the board by a word that never led there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grl.board import Player, Position
from grl.model import Feature, Model
from grl.rules.endings.features import position_features
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.features.turn_squares import stop_of
from grl.rules.templates.positions import position_table
from grl.turn import Turn


class Trait(NamedTuple):
    """A feature of positions and whether it holds."""

    feature: Feature
    holds: bool


REMEMBERED = 20_000
"""Positions of which the traits are kept."""


class Traits:
    """The traits of the positions of one game."""

    def __init__(self, model: Model, setting: Setting) -> None:
        self._setting = setting
        start = model.initial
        self._others = {
            player: tuple(
                square
                for square in start.board.squares
                if start.equipment.views[player][start.cells[square]] == "p"
            )
            for player in start.equipment.players
        }
        self._known: dict[object, frozenset[Trait]] = {}
        self._features = [
            feature
            for feature, _ in position_features(setting, model, (), 0)
            if feature[0] not in ("stuck", "passes", "mover")
        ]

    def owned(self, player: Player) -> frozenset[str]:
        """The keys of a player's pieces."""
        return self._setting.keys(player, "own")

    def across(self, cells: str, player: Player) -> int:
        """How many of a player's pieces stand where others' pieces began."""
        mine = self.owned(player)
        return sum(cells[square] in mine for square in self._others[player])

    def behind(self, case: TurnCase) -> tuple[int, int]:
        """How far a turn is from taking the mover's pieces across; less is further."""
        candidate, mover = case.candidate, case.before.to_move
        seen = self._setting.relative[mover]
        fall = seen[candidate.starts[0]][1] - seen[candidate.ends[0]][1]
        return -self.across(candidate.cells, mover), fall

    def of(self, position: Position, turns: Sequence[Turn]) -> frozenset[object]:
        """The traits of a position in which such turns are legal, as a `Trait` or a tuple."""
        mover = position.to_move
        counts = Counter(position.cells)
        found: set[object] = {self._word(position, turn) for turn in turns}
        found |= self._of_board(position)
        for player in position.equipment.players:
            found.add(("across", mover, player, self.across(position.cells, player)))
        for key in position.equipment.pieces:
            found.add(("count", mover, key, counts[key]))
            if counts[key]:
                found.add(("on board", mover, key))
        return frozenset(found)

    def look_at(self, positions: Iterable[Position]) -> None:
        """Find the features of positions, all at once, before their traits are asked for."""
        fresh = {each.outcome: each for each in positions if each.outcome not in self._known}
        if len(self._known) + len(fresh) > REMEMBERED:
            self._known.clear()
        cases = [PositionCase.of(self._setting, position) for position in fresh.values()]
        table = position_table(self._setting, cases, self._features)
        for outcome, values in zip(fresh, table.tolist(), strict=True):
            self._known[outcome] = frozenset(map(Trait, self._features, values))

    def _of_board(self, position: Position) -> frozenset[Trait]:
        """The traits that are features; games come to the same positions again and again."""
        if position.outcome not in self._known:
            self.look_at([position])
        return self._known[position.outcome]

    def _word(self, position: Position, turn: Turn) -> object:
        """What lifts what, what its letters do, and at which edges of the board it stops."""
        if not turn.segments:
            return "word", position.to_move, "pass"
        board = position.board
        first = turn.segments[0]
        y, x = divmod(stop_of(first, board), board.width)
        edges = (x == 0) - (x == board.width - 1), (y == 0) - (y == board.height - 1)
        letters = tuple("".join(x.on + x.piece for x in each.letters) for each in turn.segments)
        holds = position.cells[board.square(first.origin)]
        return "word", position.to_move, holds, letters, edges
