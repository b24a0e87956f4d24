"""Boards in the manner of FEN, as many libraries show them: ``rnb1k/ppp2/… w`` and hands.

Ranks from the highest down, numbers for empty squares, upper case for who moves first, ``*`` for
what is nobody's. A promoted piece, ``+P`` or ``P~``, gets a letter of its own, the next one free in
the alphabet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from string import ascii_uppercase

from grl.board import EMPTY
from grl.errors import GrlError
from grl.importers.differences import Hands, Shown

_CELLS = re.compile(r"(?P<gap>[0-9]+)|(?P<wall>\*)|(?P<up>\+?)(?P<key>[A-Za-z])(?P<was>~?)")
_HELD = re.compile(r"([0-9]*)([A-Za-z])")
_BOARD = re.compile(r"[A-Za-z0-9+~*]+(?:/[A-Za-z0-9+~*]+)+(?:\[[A-Za-z]*\]|/[A-Za-z]*)?")


def is_placement(text: str) -> bool:
    """Whether a text begins like a board in this manner."""
    return _BOARD.match(text) is not None


@dataclass(frozen=True)
class Alphabet:
    """The letters of a game's pieces, and those that stand for its promoted ones."""

    promoted: dict[str, str]
    _known: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, letters: Iterable[str]) -> Alphabet:
        """That of a game with these letters in upper case."""
        taken = set(letters)
        promoted = {}
        for letter in sorted(taken):
            at = ascii_uppercase.index(letter)
            free = [
                other
                for other in ascii_uppercase[at + 1 :] + ascii_uppercase[:at]
                if other not in taken
            ]
            if free:
                promoted[letter] = free[0]
                taken.add(free[0])
        return cls(promoted)

    def plain(self, key: str) -> str:
        """The key of a piece before it was promoted."""
        for old, new in self.promoted.items():
            if key.upper() == new:
                return old if key.isupper() else old.lower()
        return key

    def types(self, names: dict[str, str]) -> dict[str, str]:
        """What the pieces are called, by upper case key, from the `names` of the plain ones."""
        return names | {
            new: f"promoted {names[old]}" for old, new in self.promoted.items() if old in names
        }

    def rows(self, placement: str) -> tuple[str, ...]:
        """The rows of a board; raises `GrlError`."""
        rows = tuple(self._row(row) for row in placement.split("/"))
        if len(set(map(len, rows))) != 1:
            raise GrlError("a board with rows of different lengths", found=placement)
        return rows

    def _row(self, text: str) -> str:
        row = self._known.get(text)
        if row is None:
            row = self._known[text] = self._read_row(text)
        return row

    def _read_row(self, text: str) -> str:
        row, at = "", 0
        while at < len(text):
            match = _CELLS.match(text, at)
            if match is None:
                raise GrlError("text that is not of a board", found=repr(text))
            at = match.end()
            if match["gap"]:
                row += EMPTY * int(match["gap"])
            elif match["wall"]:
                row += match["wall"]
            else:
                row += self._key(match["key"], risen=bool(match["up"] or match["was"]))
        return row

    def _key(self, letter: str, *, risen: bool) -> str:
        if not risen:
            return letter
        new = self.promoted.get(letter.upper())
        if new is None:
            raise GrlError(f"there is no letter left for the promoted {letter}")
        return new if letter.isupper() else new.lower()


def hands_of(text: str, players: tuple[str, str]) -> Hands:
    """What the players hold, from ``PPp`` or ``2Pp``; upper case is the first player's."""
    held: dict[str, Counter[str]] = {player: Counter() for player in players}
    for number, key in _HELD.findall(text):
        held[players[key.islower()]][key] += int(number or 1)
    return held


def shown(alphabet: Alphabet, fen: str, players: tuple[str, str], first: str = "w") -> Shown:
    """The position of a FEN with hands in brackets; `first` is the letter of who moves first."""
    placement, mover, *_ = fen.split()
    placement, _, hands = placement.partition("[")
    return Shown(
        alphabet.rows(placement),
        players[mover != first],
        hands_of(hands.rstrip("]"), players) if hands else {},
    )


def shown_sfen(alphabet: Alphabet, sfen: str, players: tuple[str, str]) -> Shown:
    """The position of a SFEN, whose third word holds the hands and whose first player is ``b``."""
    placement, mover, hands, *_ = sfen.split()
    return Shown(alphabet.rows(placement), players[mover != "b"], hands_of(hands, players))
