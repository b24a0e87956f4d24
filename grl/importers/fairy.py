"""Chess-like variants and others that the package pyffish plays, moves as it writes them: ``e2e4``.

A call of the package takes some milliseconds, whatever it is asked. So what a legal move does is
asked of it only until moves of the same kind have done the same many times: what they say and no
more, or also that pieces of the other player next to where they end change sides. Of a kind is the
same piece, by the same displacement, onto the same piece, next to one of the other player or not.
Every move that is played is asked for, and so is a legal move now and then; where a kind does
something else after all, the import stops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from grl.board import EMPTY
from grl.errors import GrlError
from grl.importers.differences import Shown, Way, square_at
from grl.importers.placements import Alphabet, shown
from grl.importers.records import RecordError
from grl.importers.referee import Referee, library, misfit

MOVE = re.compile(r"(?:(?P<drop>\+?[A-Z])@|(?P<start>[a-z][0-9]+))(?P<end>[a-z][0-9]+)(?P<rest>.*)")
_WALL = re.compile(r",(?:[a-z][0-9]+)?(?P<square>[a-z][0-9]+)")
_PLAYERS = ("white", "black")
_ROYAL = "K"
_BLOCK = "*"
"""What is thrown onto a square with some moves, and bars it."""
_KNOWN = 20
_CHECKED = 16
_REMEMBERED = 1 << 16


class Variant(Referee[str]):
    """A variant of the package; a position is its FEN.

    With `exact` the package is asked what every legal move does. Raises `GrlError` for a variant
    that the package doesn't know, and `MissingExtra` without it.
    """

    players = _PLAYERS

    def __init__(self, variant: str, *, exact: bool = False) -> None:
        self._package = library("pyffish", "uci")
        known = self._package.variants()
        if variant not in known:
            raise GrlError(f"there is no variant {variant!r}", expected=f"one of {' '.join(known)}")
        self.name, self.exact = variant, exact
        self._first: str = self._package.start_fen(variant)
        placement, _, rest = self._first.partition(" ")[0].partition("[")
        letters = sorted({c.upper() for c in placement + rest if c.isalpha()})
        self._alphabet = Alphabet.of(letters)
        self.types = self._alphabet.types({key: key.lower() for key in letters})
        self._right: Counter[tuple[object, int]] = Counter()
        """How often each guess of a kind of moves was right; -1 where it was wrong."""
        self._asked = 0
        board = self._alphabet.rows(placement)
        self.width = len(board[0])
        # A hand with a piece for every empty square limits nothing.
        self._held = bool(rest) and len(rest) // 2 < "".join(board).count(EMPTY)
        self._captures = self._package.captures_to_hand(variant)
        if self._held or self._captures:
            self._held = True
            kept = sorted({c.upper() for c in rest if c.isalpha()})
            if self._captures:
                kept = [key for key in letters if key != _ROYAL]
            self.stock = {
                player: [case(key) for key in kept]
                for player, case in zip(_PLAYERS, (str.upper, str.lower), strict=True)
            }
        self._moves = lru_cache(_REMEMBERED)(self._ask_moves)
        self._after = lru_cache(_REMEMBERED)(self._ask_after)

    def start(self, setup: str | None) -> str:
        if setup is None:
            return self._first
        # The package says what it finds wrong on standard error, so the shape is looked at here.
        size = self._first.count("/"), self.width
        try:
            rows = self._alphabet.rows(setup.partition(" ")[0].partition("[")[0])
        except GrlError:
            rows = ()
        same = (len(rows) - 1, len(rows[0]) if rows else 0) == size
        if not same or self._package.validate_fen(setup, self.name) != self._package.FEN_OK:
            raise RecordError("position", found=setup, expected=f"a FEN of {self.name}")
        return setup

    def shown(self, state: str) -> Shown:
        found = shown(self._alphabet, state, _PLAYERS)
        return found if self._held else Shown(found.rows, found.mover, {})

    def moves(self, state: str) -> Sequence[str]:
        return self._moves(state)

    def after(self, state: str, move: str) -> str:
        return self._after(state, move)

    def foreseen(self, state: str, move: str) -> Shown:
        here = self.shown(state)
        kind, guesses = self._guessed(here, move)
        if not guesses or self.exact:
            return self.shown(self.after(state, move))
        self._asked += 1
        trusted = next((n for n in range(len(guesses)) if self._right[kind, n] >= _KNOWN), None)
        if trusted is not None and self._asked % _CHECKED:
            return guesses[trusted]
        there = self.shown(self.after(state, move))
        if trusted is not None and there != guesses[trusted]:
            raise GrlError(
                f"moves such as {move} do something else than {_KNOWN} of them did",
                hint="--exact asks what every legal move does",
            )
        for number, guess in enumerate(guesses):
            if there != guess:
                self._right[kind, number] = -1
            elif self._right[kind, number] >= 0:
                self._right[kind, number] += 1
        return there

    def _guessed(self, here: Shown, move: str) -> tuple[object, Sequence[Shown]]:
        """The kind of a move, and the positions after it if it does what it says and no more, and
        if the other player's pieces next to its end change sides."""
        found = MOVE.fullmatch(move)
        rest = "" if found is None else found["rest"]
        wall = _WALL.fullmatch(rest)
        if found is None or (len(rest) > 1 and wall is None) or rest == "-":
            return move, ()
        case = str.lower if here.mover == _PLAYERS[1] else str.upper
        cells, hand = list(here.cells), dict(here.hands.get(here.mover, {}))
        end = square_at(found["end"], self.width)
        taken = cells[end]
        if found["drop"]:
            key = case(found["drop"])
            if len(key) > 1:
                return move, ()
            kind: tuple[object, ...] = (key, taken)
            if self._held:
                hand[key] = hand.get(key, 0) - 1
        else:
            start = square_at(found["start"], self.width)
            key = cells[start]
            way = start % self.width - end % self.width, start - end
            kind = (key, *way, taken, rest if wall is None else "," + _BLOCK * (_BLOCK in cells))
            cells[start] = EMPTY
            if rest and wall is None:
                key = self._alphabet.promoted.get(key.upper(), "") if rest == "+" else rest
                key = case(key)
            if taken != EMPTY and self._captures:
                plain = self._alphabet.plain(taken).swapcase()
                hand[plain] = hand.get(plain, 0) + 1
        met = self._met(cells, end, upper=here.mover == _PLAYERS[0])
        cells[end] = key
        if wall is not None:
            cells[square_at(wall["square"], self.width)] = _BLOCK
        over = [key.swapcase() if s in met else key for s, key in enumerate(cells)]
        other = _PLAYERS[here.mover == _PLAYERS[0]]
        hands = {**here.hands, here.mover: Counter(hand)} if self._held else {}
        guesses = [
            Shown(self._rows(board), other, hands) for board in (cells, over)[: 1 + bool(met)]
        ]
        return (*kind, bool(met)), guesses

    def _rows(self, cells: Sequence[str]) -> tuple[str, ...]:
        rows = ["".join(cells[i : i + self.width]) for i in range(0, len(cells), self.width)]
        return tuple(reversed(rows))

    def _met(self, cells: Sequence[str], square: int, *, upper: bool) -> frozenset[int]:
        """Where pieces of the other player lie next to a square; `upper` is the mover's."""
        file = square % self.width
        return frozenset(
            near
            for up in (-self.width, 0, self.width)
            for right in (-1, 0, 1)
            if 0 <= file + right < self.width
            and 0 <= (near := square + up + right) < len(cells)
            and near != square
            and cells[near].isalpha()
            and cells[near].isupper() != upper
        )

    def find(self, state: str, text: str) -> str:
        found = MOVE.fullmatch(text.replace("=", ""))
        if found is None:
            raise RecordError(
                "unreadable", found=repr(text), expected="a move such as e2e4, e7e8q or P@e4"
            )
        move = found[0] if found["drop"] else found[0].lower()
        try:
            self._after(state, move)
        except (SystemError, ValueError):
            raise misfit(self._moves(state), text) from None
        return move

    def goals(self, state: str) -> Mapping[str, int] | None:
        if self._moves(state):
            return None
        over, value = self._package.is_immediate_game_end(self.name, state, [])
        if not over:
            value = self._package.game_result(self.name, state, [])
        mover = self.shown(state).mover
        mine = 100 if value > 0 else 0 if value < 0 else 50
        return {player: mine if player == mover else 100 - mine for player in _PLAYERS}

    def way(self, move: str) -> Way | None:
        found = MOVE.fullmatch(move)
        if found is None:
            return None
        start = None if found["start"] is None else square_at(found["start"], self.width)
        return Way(start, square_at(found["end"], self.width))

    def _ask_moves(self, fen: str) -> Sequence[str]:
        return tuple(self._package.legal_moves(self.name, fen, []))

    def _ask_after(self, fen: str, move: str) -> str:
        found: str = self._package.get_fen(self.name, fen, [move])
        return found
