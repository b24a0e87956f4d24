"""Constants of programs for squares, players, pieces and contents: lower case, one for each thing.

A content (`grl.logic.contents`) is called as its owner, with the type, or as the piece alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from grl.board import EMPTY, Equipment, Player
from grl.logic.contents import owner_in, type_in

NOBODY = "nobody"
FUNCTIONS = (
    "after",
    "and",
    "appear",
    "fly",
    "from",
    "keep",
    "midway",
    "put",
    "seat",
    "step",
    "then",
)
CONSTANTS = ("bare", "board", "empty", NOBODY, "noop", "not", "nothing", "now", "pass", "remove")
RESERVED = frozenset((*FUNCTIONS, *CONSTANTS))
"""Constants and functions of the programs; nothing else is called so."""


def constant(text: str) -> str:
    """`text` as a constant of answer set programs and of GDL."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return plain if plain[:1].isalpha() else f"p{plain}"


def distinct(texts: Iterable[str], taken: Iterable[str] = RESERVED) -> list[str]:
    """A constant for each text, no two the same: a number is added where they would be."""
    used = set(taken)
    found = []
    for text in texts:
        name = plain = constant(text)
        number = 1
        while name in used:
            number += 1
            name = f"{plain}_{number}"
        used.add(name)
        found.append(name)
    return found


class Names:
    """The constants of one game."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment
        self.squares = equipment.board.names
        players = equipment.players
        self.player: Mapping[Player, str] = dict(zip(players, distinct(players), strict=True))
        keys = sorted(equipment.pieces)
        described = []
        for key in keys:
            piece = equipment.pieces[key]
            described.append(f"{piece.player} {piece.type}" if piece.player else piece.type)
        taken = {*RESERVED, *self.player.values()}
        self.piece: Mapping[str, str] = dict(zip(keys, distinct(described, taken), strict=True))
        types = sorted({piece.type for piece in equipment.pieces.values()})
        self.type: Mapping[str, str] = dict(zip(types, distinct(types, ()), strict=True))

    def cell(self, content: str) -> str:
        """The constant of a cell's character."""
        return "empty" if content == EMPTY else self.piece[content]

    def content(self, content: str) -> str:
        """The name of a content as features give it."""
        if content[0] == "=":
            return self.piece[content[1]]
        owner, kind = owner_in(content), type_in(content)
        return f"{owner}_{self.kind(kind)}" if kind else owner

    def kind(self, kind: str) -> str:
        """The constant of a type of pieces; that of any where none is named."""
        return self.type.get(kind, constant(kind)) if kind else "_"
