"""The words for players, pieces and numbers of which phrases are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grl.board import EMPTY, HOLE, Equipment
from grl.errors import ModelError
from grl.logic.english import article, counted, plural, seat_name
from grl.model import Feature

Phrases = tuple[str, str]
"""A clause, and the clause that says the opposite."""

Phrasebook = Mapping[str, Callable[..., "Phrases"]]
"""By template, from a speaker and the template's arguments to the clauses."""


class Speaker:
    """The phrases for one game's equipment."""

    def __init__(self, equipment: Equipment, positions: Phrasebook, turns: Phrasebook) -> None:
        self.equipment = equipment
        self.positions, self.turns = positions, turns
        self.players = len(equipment.players)
        self.view = "position"
        types = [(p.player, p.type) for p in equipment.pieces.values()]
        self._doubtful = {pair for pair in types if types.count(pair) > 1}

    def position(self, feature: Feature, holds: bool) -> str:
        """A clause on a position; the player to move looks at it."""
        return self._said(self.positions, feature, holds, "position")

    def turn(self, feature: Feature, holds: bool) -> str:
        """A clause on a turn; the mover looks at it."""
        return self._said(self.turns, feature, holds, "turn")

    def _said(
        self,
        phrases: Phrasebook,
        feature: Feature,
        holds: bool,
        view: str,
    ) -> str:
        if feature[0] not in phrases:
            raise ModelError(f"no phrase for the feature {feature[0]!r}")
        outer, self.view = self.view, view
        try:
            return phrases[feature[0]](self, *feature[1:])[0 if holds else 1]
        finally:
            self.view = outer

    def within(self, view: str, feature: Feature, holds: bool) -> str:
        """A clause on a position as part of a clause on a turn."""
        return self._said(self.positions, feature, holds, view)

    def seat(self, number: int) -> str:
        """The player so many places after the one who looks."""
        return seat_name(number, self.players, self.view)

    def some(self, what: str) -> str:
        """One thing of a content, with its article."""
        if what in (EMPTY, HOLE):
            return "an empty square" if what == EMPTY else "no square"
        noun, owner = self._noun(what)
        return f"{article(noun)} {noun}{owner}"

    def many(self, what: str, number: int | None = None) -> str:
        """Several of a content."""
        count = "" if number is None else f"{counted(number)} "
        if what == EMPTY:
            return f"{count}empty squares" if number != 1 else f"{count}empty square"
        noun, owner = self._noun(what)
        return f"{count}{noun if number == 1 else plural(noun)}{owner}"

    def _noun(self, what: str) -> tuple[str, str]:
        if what[0] == "=":
            piece = self.equipment.pieces[what[1]]
            key = f" ({what[1]})" if (piece.player, piece.type) in self._doubtful else ""
            if piece.player is None:
                return f"neutral {piece.type}{key}", ""
            return piece.type, f" of {piece.player}{key}"
        kind = what[2:] or "piece"
        if what[0] == "n":
            return f"neutral {kind}", ""
        return kind, f" of {self.seat(int(what[0]))}"

    def holding(self, what: str) -> Phrases:
        """What a square does: it is empty, or holds something."""
        if what == EMPTY:
            return "is empty", "is not empty"
        return f"holds {self.some(what)}", f"does not hold {self.some(what)}"


def joined(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def amounts(op: str, number: int) -> Phrases:
    """How many: as many as that, or fewer; and the opposite."""
    if op == "=":
        return counted(number), f"not {counted(number) if number else 'none of the'}"
    return f"fewer than {counted(number)}", f"{counted(number)} or more"
