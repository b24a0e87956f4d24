"""Features of turns that speak of their squares and of more than terms can say so far.

Squares play roles, see `grl.rules.features.cases.role_of`.
"""

# Every maker takes the setting, whether its template needs it or not.

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grl.board import Player
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.positions import laid
from grl.rules.features.terms import TurnTest


def _exposed(setting: Setting, role: str) -> TurnTest:
    """Whether a pseudo-legal turn of the next player would change a square of the turn."""

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        return bool(setting.threats(case.after.position()) & setting.mask((square,)))

    return test


def _formed(setting: Setting, role: str, cells: tuple[tuple[int, int, str], ...]) -> TurnTest:
    """Whether a square of the turn is in a pattern that lies there after it.

    The pattern is what is (dx, dy) from one and the same square; displacements are the board's.
    """
    whats = sorted({what for _, _, what in cells})
    through: dict[int, list[list[tuple[str, int]]]] = {}
    for squares, held in laid(setting, cells):
        for square in squares:
            through.setdefault(square, []).append(held)

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None or square not in through:
            return False
        bits = {what: _bits(case, what, "after") for what in whats}
        return any(
            all(bits[what] & mask == mask for what, mask in held) for held in through[square]
        )

    return test


def _bits(case: TurnCase, what: str, when: str) -> int:
    before = case.before
    if when == "before":
        return before.bits(what)
    return int(case.candidate.cells.translate(before.setting.table(before.to_move, what)), 2)


def keys_by_player(setting: Setting, what: str) -> dict[Player, frozenset[str]]:
    return {player: setting.keys(player, what) for player in setting.equipment.players}


SQUARE_TEMPLATES: Final[dict[str, Callable[..., TurnTest]]] = {
    "exposed": _exposed,
    "formed": _formed,
}
