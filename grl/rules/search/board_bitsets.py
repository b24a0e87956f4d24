"""Many boards at once, as sets of boards that are integers: bit i stands for the i-th board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

import numpy as np

from grl.board import Player
from grl.logic.terms import Cells
from grl.rules.features.cases import Setting
from grl.rules.search.packed import column_words


class BoardBitsets:
    """For every square and content the boards that hold it there.

    `boards` are strings of cells, each with the player as whom contents are named.
    """

    def __init__(self, setting: Setting, boards: Sequence[tuple[str, Player]]) -> None:
        self.setting = setting
        self.boards = boards
        self._layers: dict[str, list[int]] = {}
        text = "".join(cells for cells, _ in boards).encode("utf-32-le")
        self._characters = np.frombuffer(text, dtype=np.uint32).reshape(-1, setting.size)
        self._rows: dict[Player, list[int]] = {}
        for row, (_, player) in enumerate(boards):
            self._rows.setdefault(player, []).append(row)

    def having(self, pattern: Cells, through: Sequence[int] | None = None) -> int:
        """The boards on which the pattern lies somewhere.

        With `through`, a set of boards for every square, only where it goes through a square that
        is given for the board.
        """
        return reduce(or_, self._lying(pattern, through), 0)

    def any_has(self, pattern: Cells) -> bool:
        """Whether the pattern lies somewhere on any board."""
        return any(self._lying(pattern, None))

    def _lying(self, pattern: Cells, through: Sequence[int] | None) -> Iterator[int]:
        """For each place of the pattern the boards on which it lies there."""
        layers = [self._layer(what) for _, _, what in pattern]
        for squares in self.setting.places([(dx, dy) for dx, dy, _ in pattern]):
            here = -1
            if through is not None:
                here = 0
                for square in squares:
                    here |= through[square]
            for layer, square in zip(layers, squares, strict=True):
                here &= layer[square]
                if not here:
                    break
            yield here

    def _layer(self, what: str) -> list[int]:
        found = self._layers.get(what)
        if found is None:
            held = np.zeros(self._characters.shape, dtype=np.bool_)
            for player, rows in self._rows.items():
                keys = [*map(ord, self.setting.keys(player, what))]
                held[rows] = np.isin(self._characters[rows], keys)
            words = column_words(held)
            found = [int.from_bytes(each.tobytes(), "little") for each in words]
            self._layers[what] = found
        return found
