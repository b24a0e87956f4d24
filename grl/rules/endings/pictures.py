"""What lies where, as sets of cells that are integers: a bit for a square that holds a content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from grl.board import EMPTY, HOLE, Player
from grl.las.cover import members
from grl.logic.contents import NOTHING
from grl.rules.features.cases import PositionCase, Setting

ANYTHING = "*"
"""What an occupied square holds, whatever that is."""

Kind = Literal["owner", "type", "whole", "occupied"]
Picture = int
Cell = tuple[int, int, str]
"""File and rank with what lies there."""


class View(NamedTuple):
    """Whose pieces are looked at, and whose eyes name the squares: nobody's are the board's."""

    seat: int
    eyes: int | None


class Pictures:
    """The pictures of positions in one setting, each made once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._known: dict[tuple[str, Player, View, str], Picture] = {}
        pieces, players = setting.equipment.pieces, setting.equipment.players
        contents = {setting.content(player, key) for player in players for key in pieces}
        self._contents = sorted({*contents, *setting.owners, NOTHING, ANYTHING})
        seats = range(len(players))
        self._layers = {
            each: self._layers_of(*each) for each in product(players, seats, get_args(Kind))
        }
        self._seen = {player: self._order(player) for player in players}

    def of(self, case: PositionCase, view: View, kind: Kind) -> Picture:
        """What lies where.

        ``owner`` takes the pieces of the player that the view is of, ``type`` those with their
        types, ``whole`` all squares; ``occupied`` all pieces, whatever they are.
        """
        key = case.cells, case.to_move, view, kind
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._pictured(case, view, kind)
        return found

    def cells(self, picture: Picture) -> list[Cell]:
        """The cells of a picture in order."""
        return sorted(self._cell(bit) for bit in members(picture))

    def in_order(self, picture: Picture) -> Iterator[Picture]:
        """The cells of a picture in order, a picture each."""
        bits = sorted(members(picture), key=self._cell)
        return (1 << bit for bit in bits)

    def _cell(self, bit: int) -> Cell:
        content, behind = divmod(bit, self.setting.size)
        y, x = divmod(self.setting.size - 1 - behind, self.setting.board.width)
        return x + 1, y + 1, self._contents[content]

    def _pictured(self, case: PositionCase, view: View, kind: Kind) -> Picture:
        mover = case.to_move
        # The first player sees the board as it is.
        player = self.setting.equipment.players[0]
        if view.eyes is not None:
            player = self.setting.seat(mover, view.seat)
        seen = "".join(self._seen[player](case.cells))
        found = 0
        for shift, layer in self._layers[mover, view.seat, kind]:
            found |= int(seen.translate(layer), 2) << shift
        return found

    def _order(self, player: Player) -> Callable[[str], Iterable[str]]:
        """Takes the cells of a board in the order in which a player sees them."""
        width = self.setting.board.width
        order = [0] * self.setting.size
        for square, (x, y) in enumerate(self.setting.relative[player]):
            order[(y - 1) * width + x - 1] = square
        return itemgetter(*order)

    def _layers_of(self, mover: Player, seat: int, kind: Kind) -> list[tuple[int, dict[int, str]]]:
        """For each content that a picture has its first bit, and a translation of cells: ``1``
        where it lies and ``0`` elsewhere."""
        setting = self.setting
        player = setting.seat(mover, seat)
        keys: dict[str, list[str]] = {NOTHING: [EMPTY]} if kind == "whole" else {}
        for key, piece in setting.equipment.pieces.items():
            if kind == "occupied":
                keys.setdefault(ANYTHING, []).append(key)
            elif kind == "owner" and piece.player == player:
                keys.setdefault(setting.owners[seat], []).append(key)
            elif kind == "whole" or (kind == "type" and piece.player == player):
                keys.setdefault(setting.content(mover, key), []).append(key)
        characters = (EMPTY, HOLE, *setting.equipment.pieces)
        return [
            (
                self._contents.index(content) * setting.size,
                {ord(each): "1" if each in found else "0" for each in characters},
            )
            for content, found in keys.items()
        ]
