"""States as arrays: planes of the board, as networks take them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.environments.nodes import ActionGame, Node

Array = NDArray[np.float32]


class Planes:
    """Which planes the arrays of a game have.

    `names` lists them: for each piece where it lies, for each player whether they are to move, for
    each kind of piece that was in hand at first, or comes there, how many there are, n pieces as
    n/(n+1); what changed with the last turn; where rules ask for it, what has moved; and where
    turns may be several actions, on which squares those chosen so far begin and end. Rows are as
    in `grl.board.Position.rows`, from the highest rank down; all values lie between 0 and 1. The
    game before the last turn isn't there, though rules may ask for it.
    """

    def __init__(self, game: ActionGame) -> None:
        model = game.rulebook.model
        equipment = model.equipment
        self.board = equipment.board
        self.keys = tuple(equipment.pieces)
        self._codes = np.array([ord(key) for key in self.keys], dtype=np.uint32)[:, None]
        joining = {letter.piece for dfa in model.automata for _, letter, _ in dfa.transitions
                   if letter.reserves}  # fmt: skip
        joining |= {effect.becomes for effect in model.effects} & set(self.keys)
        hands = equipment.stocked | {(who, key) for who in equipment.players for key in joining}
        self.hands = tuple(sorted(hands))
        self.asks_moved = model.rules is not None and any(
            "moved" in _words(literal.feature)
            for part in (model.rules.restrictions, model.rules.endings, model.rules.control,
                         model.rules.passing)
            for rule in part
            for literal in rule.body
        )  # fmt: skip
        self.names = (
            *(f"piece {key}" for key in self.keys),
            *(f"{player} to move" for player in game.players),
            *(f"{player} holds {key}" for player, key in self.hands),
            "changed",
            *(["moved"] if self.asks_moved else []),
            "begun from",
            "begun to",
        )
        self.shape = (len(self.names), self.board.height, self.board.width)

    def of(self, node: Node) -> Array:
        """The array of a node, of shape `shape`."""
        size = self.board.size
        found = np.zeros((len(self.names), size), dtype=np.float32)
        state = node.state
        cells = _cells(state.cells)
        pieces = len(self.keys)
        found[:pieces] = cells == self._codes
        found[pieces + node.mover] = 1
        at = pieces + len(node.game.players)
        if self.hands or self.asks_moved:
            position = state.position()
            for player, key in self.hands:
                count = position.reserve.get(player, {}).get(key, 0)
                found[at] = count / (count + 1)
                at += 1
            if self.asks_moved:
                found[at + 1, list(position.moved)] = 1
        if node.before is not None:
            found[at] = cells != _cells(node.before)
        for action in node.begun:
            squares = node.game.actions.squares(action)
            if squares is not None:
                found[-2, squares[0]] = found[-1, squares[1]] = 1
        return np.ascontiguousarray(found.reshape(self.shape)[:, ::-1])


def _cells(cells: str) -> NDArray[np.uint32]:
    return np.frombuffer(cells.encode("utf-32-le"), dtype=np.uint32)


def _words(feature: Iterable[Any]) -> set[Any]:
    """All words in a feature, however deep."""
    found: set[Any] = set()
    for part in feature:
        found |= _words(part) if isinstance(part, tuple) else {part}
    return found
