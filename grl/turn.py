"""Turns: letters, segments, their text, and the one function that carries a turn out.

A turn is a word of micro-moves (GRL paper, sections 2.2 and 3.2: "piece movement pattern"), cut
into segments. Its text is fixed by the trace format; `Turn.parse` and `str` are inverse.
Everything that changes a position goes through `carry_out`, compiled by `compile_turn`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from grl.board import EMPTY, Board, Content, Equipment, Player, Position, Square, Stock, held
from grl.errors import BoardError, IllegalTurn, Place, TurnSyntaxError
from grl.trail import Past
from grl.trail import after as trail_after

CONTENT_WORDS: Mapping[str, str] = {
    "e": "an empty square",
    "w": "a piece of the mover",
    "p": "a piece of an opponent",
    "n": "a neutral piece",
}


class Kind(Enum):
    """What a letter of the alphabet does."""

    STEP = "step"
    """The hand goes to another square: a step or a flight."""
    REMOVE = "remove"
    APPEAR = "appear"
    RESERVE = "reserve"
    """A piece joins the mover's reserve."""
    MARK = "mark"
    """No letter of a turn: a learner's sign for the end of a word or of a segment."""


class Letter(NamedTuple):
    """A letter of the alphabet of micro-moves.

    `on` is e, w, p or n for a step by (dx, dy), or for a flight when `fly` is set; d for a
    removal; a or r, with `piece`, for a piece that appears or joins the reserve.
    """

    dx: int
    dy: int
    on: str
    piece: str = ""
    fly: bool = False

    @property
    def kind(self) -> Kind:
        """What the letter does, whatever the squares and pieces."""
        return _KINDS.get(self.on, Kind.MARK)

    @property
    def order(self) -> tuple[bool, Letter]:
        """Where a letter comes when words are searched: of words that come to the same the first
        is found, so a step goes before a flight."""
        return self.fly, self

    @property
    def moves(self) -> bool:
        """The hand goes to another square: a step or, where `fly` is set, a flight."""
        return self.on in CONTENT_WORDS

    @property
    def steps(self) -> bool:
        """The hand goes to another square by a displacement, which only steps have."""
        return self.dx != 0 or self.dy != 0

    @property
    def onto_piece(self) -> bool:
        """The hand goes to a square that holds a piece, whoever's it is."""
        return self.on != "e" and self.on in CONTENT_WORDS

    @property
    def removes(self) -> bool:
        """What lies under the hand leaves the game."""
        return self.on == "d"

    @property
    def appears(self) -> bool:
        """`piece` appears in the hand; what was held is put down."""
        return self.on == "a"

    @property
    def reserves(self) -> bool:
        """`piece` joins the mover's reserve; nothing on the board changes."""
        return self.on == "r"

    def landings(self, board: Board, square: Square) -> Sequence[Square]:
        """Where the hand may be after the letter, if it was on `square`, whatever lies where."""
        if self.fly:
            return [target for target in board.squares if target != square]
        if not self.steps:
            return [square]
        target = board.step(square, self.dx, self.dy)
        return [] if target is None else [target]

    @property
    def is_mark(self) -> bool:
        """No letter of a turn, but a learner's sign for the end of a word or of a segment."""
        return self.on not in _KINDS

    def __str__(self) -> str:
        if self.fly:
            return f"(@ {self.on})"
        if self.piece:
            return f"({self.dx} {self.dy} {self.on} {self.piece})"
        return f"({self.dx} {self.dy} {self.on})"


_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys("ewpn", Kind.STEP),
    "d": Kind.REMOVE,
    "a": Kind.APPEAR,
    "r": Kind.RESERVE,
}
REMOVE_LETTER = Letter(0, 0, "d")


class Segment(NamedTuple):
    """A square and the letters from there; `targets` names the squares of its flights, in order."""

    origin: str
    letters: tuple[Letter, ...]
    targets: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.origin, *self.spelled()))

    @property
    def lifts(self) -> bool:
        """Whether the hand takes up what lies on the origin, which a removal there rules out."""
        return not self.letters[0].removes

    @property
    def flights(self) -> tuple[str, ...]:
        """For each letter the name of the square that it flies to, empty where it doesn't fly."""
        targets = iter(self.targets)
        return tuple(next(targets) if letter.fly else "" for letter in self.letters)

    def spelled(self) -> tuple[str, ...]:
        """The text of each letter; unlike in the alphabet flights name their squares."""
        if not self.targets:
            return tuple(map(str, self.letters))
        return tuple(
            f"(@{target} {letter.on})" if letter.fly else str(letter)
            for letter, target in zip(self.letters, self.flights, strict=True)
        )

    def prefix(self, length: int) -> Segment:
        """The first `length` letters."""
        letters = self.letters[:length]
        flights = sum(letter.fly for letter in letters)
        return Segment(self.origin, letters, self.targets[:flights])

    def path(self, board: Board) -> tuple[Square, ...]:
        """The squares that the hand visits, the origin first, then one for each letter.

        Raises `BoardError` for a square that the board lacks and `IllegalTurn` for a step that
        leads off it.
        """
        square = board.square(self.origin)
        path = [square]
        targets = iter(self.targets)
        for letter in self.letters:
            if letter.fly:
                square = board.square(next(targets))
            elif letter.moves:
                target = board.step(square, letter.dx, letter.dy)
                if target is None:
                    raise IllegalTurn(
                        f"turn '{self}': {letter} leads nowhere from {board.names[square]}",
                        expected="a square of the board"
                        + ("" if board.links is None else " along a link"),
                    )
                square = target
            path.append(square)
        return tuple(path)


class Turn(NamedTuple):
    """All that happens between two choices; no segments at all is a pass."""

    segments: tuple[Segment, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.segments)) or "pass"

    @property
    def origin(self) -> str:
        """The square on which the first segment begins, or ``pass``."""
        return self.segments[0].origin if self.segments else "pass"

    def start(self, board: Board) -> Square | None:
        """The square on which the first segment begins; None for a pass."""
        return board.square(self.origin) if self.segments else None

    def effect(self, position: Position) -> Effect:
        """What makes two turns of a player one turn (trace format, end of section 1).

        The square of the first origin, and the board and the pieces in hand that are left. Raises
        `IllegalTurn` where the turn doesn't fit.
        """
        after = play(position, self)
        return effect_of(self.start(position.board), after.cells, after.stock)

    @staticmethod
    def parse(text: str) -> Turn:
        """The turn that `text` spells; raises `TurnSyntaxError` with the place in the text."""
        return _parsed(text)


Effect = tuple[Square | None, str, Stock]
"""A first origin, None for a pass, with the board and the pieces in hand that a turn leaves."""


def effect_of(origin: Square | None, cells: str, stock: Stock) -> Effect:
    """See `Turn.effect`; for those who have carried the turn out already."""
    return origin, cells, held(stock)


PASS = Turn(())

_REMEMBERED = 16_384
"""So many turns, of those met last, are not read again: games repeat them."""


@lru_cache(maxsize=65_536)
def text_of(turn: Turn) -> str:
    """`str(turn)`, for those who ask it of the same turns again and again."""
    return str(turn)


@lru_cache(maxsize=_REMEMBERED)
def _parsed(text: str) -> Turn:
    if text == "pass":
        return PASS
    segments = []
    start = 0
    for part in text.split("; "):
        segments.append(_parse_segment(part, text, start))
        start += len(part) + 2
    return Turn(tuple(segments))


_NUMBER = r"(?:0|-?[1-9][0-9]{0,4})"
_LETTER = re.compile(
    rf" \((?:({_NUMBER}) ({_NUMBER}) (?:([ewpnd])|([ar]) ([^.#@(); ]))"
    r"|@([a-z]+[1-9][0-9]*) ([ewpn]))\)"
)
_ORIGIN = re.compile(r"[a-z]+[1-9][0-9]*")


def _parse_segment(part: str, text: str, start: int) -> Segment:
    origin = _ORIGIN.match(part)
    if origin is None:
        raise _syntax_error(text, start, "a square such as c3, or 'pass'")
    letters, targets = _parse_letters(part[origin.end() :], text, start + origin.end())
    return Segment(origin[0], letters, targets)


def _parse_letters(part: str, text: str, start: int) -> tuple[tuple[Letter, ...], tuple[str, ...]]:
    known = _known_letters(part)
    if known is not None:
        return known
    end = 0
    while (match := _LETTER.match(part, end)) is not None and _is_letter(match):
        end = match.end()
    raise _syntax_error(
        text,
        start + end,
        "a letter such as ' (1 1 e)', ' (0 0 d)', ' (0 0 a Q)' or ' (@d7 e)'"
        + ("" if end == 0 else ", '; ' or the end of the turn"),
    )


@lru_cache(maxsize=65_536)
def _known_letters(part: str) -> tuple[tuple[Letter, ...], tuple[str, ...]] | None:
    """The letters that `part` spells, or None; cached, for records repeat the same words."""
    letters = []
    targets = []
    end = 0
    while end < len(part):
        match = _LETTER.match(part, end)
        if match is None or not _is_letter(match):
            return None
        dx, dy, plain, special, piece, target, content = match.groups()
        if target is not None:
            letters.append(Letter(0, 0, content, fly=True))
            targets.append(target)
        else:
            letters.append(Letter(int(dx), int(dy), plain or special, piece or ""))
        end = match.end()
    return (tuple(letters), tuple(targets)) if letters else None


_SYMBOL = re.compile(r"\(@ ([ewpn])\)")


def parse_letter(text: str) -> Letter:
    """A letter of the alphabet from its text; the inverse of ``str(letter)``.

    Unlike in a turn a flight names no square: ``(@ e)``. Raises `TurnSyntaxError`.
    """
    flight = _SYMBOL.fullmatch(text)
    if flight is not None:
        return Letter(0, 0, flight[1], fly=True)
    known = _known_letters(f" {text}")
    if known is None or len(known[0]) != 1 or known[1]:
        raise TurnSyntaxError(
            "not a letter", found=repr(text[:40]), expected="a letter such as (1 1 e) or (@ e)"
        )
    return known[0][0]


def _is_letter(match: re.Match[str]) -> bool:
    """Steps move, and d, a and r stay where they are."""
    dx, dy, plain, _, _, target, _ = match.groups()
    if target is not None:
        return True
    stays = dx == "0" and dy == "0"
    return stays if plain == "d" or plain is None else not stays


def _syntax_error(text: str, at: int, expected: str) -> TurnSyntaxError:
    rest = text[at : at + 20]
    return TurnSyntaxError(
        f"turn {text[:200]!r} can't be read at character {at + 1}",
        expected=expected,
        found=repr(rest) if rest else "the end of the text",
    )


LIFT: Final = 0
STEP: Final = 1
REMOVE: Final = 2
APPEAR: Final = 3
RESERVE: Final = 4
PUT: Final = 5


_CODES: Final = {
    **dict.fromkeys(CONTENT_WORDS, STEP),
    "d": REMOVE,
    "a": APPEAR,
    "r": RESERVE,
}
"""The code of a letter by its `on`: asked of every letter of every turn that is carried out."""


class Op(NamedTuple):
    """What a compiled turn does at a square.

    `code` is one of LIFT, STEP, REMOVE, APPEAR, RESERVE, PUT; `arg` is the content that a STEP
    expects or the piece of an APPEAR or RESERVE, and means nothing for the others.
    """

    code: int
    square: Square
    arg: str


Program = tuple[Op, ...]


def compile_turn(turn: Turn, board: Board) -> Program:
    """The operations of `turn` on `board`; raises `IllegalTurn` where it leaves the board."""
    ops: list[Op] = []
    for segment in turn.segments:
        try:
            path = segment.path(board)
        except BoardError as error:
            raise IllegalTurn(
                f"turn '{turn}': {error.message}", expected=error.expected, place=error.place
            ) from None
        if segment.lifts:
            ops.append(Op(LIFT, path[0], ""))
        ops += [
            Op(_CODES[letter.on], square, letter.piece or letter.on)
            for letter, square in zip(segment.letters, path[1:], strict=True)
        ]
        ops.append(Op(PUT, path[-1], ""))
    return tuple(ops)


def compile_until(turn: Turn, segment: int, letters: int, board: Board) -> Program:
    """The operations of `turn` before letter number `letters` (from 0) of segment number `segment`.

    The last of them is at the square of the hand, which still holds what it holds.
    """
    ops = compile_turn(Turn(turn.segments[: segment + 1]), board)
    return ops[: len(ops) - 1 - (len(turn.segments[segment].letters) - letters)]


class Mismatch(Exception):
    """Why `carry_out` stopped: the square, what was expected there and what was found."""

    def __init__(self, square: Square, expected: str, found: str) -> None:
        super().__init__(square, expected, found)
        self.square = square
        self.expected = expected
        self.found = found


def carry_out(
    program: Program,
    cells: list[str],
    view: Mapping[str, Content],
    moved: set[Square],
    hand: dict[str, int],
    pieces: Mapping[str, object],
) -> None:
    """Carry a compiled turn out, in place; the single semantics of turns (trace format, section 1).

    `cells` and `moved` are as in `Position`; `view` says what a cell is to the mover; `hand` is
    the mover's reserve, where a piece that it lists (even with 0 left) is taken from when it
    appears; `pieces` holds the known keys. Raises `Mismatch` where the turn doesn't fit; `cells`
    is then left half changed and must be thrown away.
    """
    hand_holds = ""
    was_moved = stepped = changed = False
    for code, square, arg in program:
        if code == STEP:
            if view[cells[square]] != arg:
                raise Mismatch(square, CONTENT_WORDS[arg], repr(cells[square]))
            stepped = True
        elif code == LIFT:
            hand_holds = cells[square]
            changed = stepped = False
            if hand_holds == EMPTY:
                hand_holds = ""
            else:
                changed = True
                cells[square] = EMPTY
                was_moved = square in moved
                moved.discard(square)
        elif code == PUT:
            if hand_holds:
                cells[square] = hand_holds
                if stepped or was_moved:
                    moved.add(square)
                else:
                    moved.discard(square)
                hand_holds = ""
            if not changed:
                raise Mismatch(square, "a segment that changes something", "nothing in the hand")
            stepped = was_moved = changed = False
        elif code == REMOVE:
            if cells[square] == EMPTY:
                raise Mismatch(square, "a piece to remove", "an empty square")
            cells[square] = EMPTY
            moved.discard(square)
            changed = True
        else:
            if arg not in pieces:
                raise Mismatch(square, f"one of the pieces {' '.join(pieces)}", repr(arg))
            changed = True
            if code == RESERVE:
                hand[arg] = hand.get(arg, 0) + 1
                continue
            if hand_holds:
                cells[square] = hand_holds
                if stepped or was_moved:
                    moved.add(square)
                else:
                    moved.discard(square)
            if arg in hand:
                if hand[arg] == 0:
                    raise Mismatch(square, f"a {arg!r} in the mover's reserve", "none left")
                hand[arg] -= 1
            hand_holds = arg
            stepped = was_moved = False


def hand_of(stock: Stock, player: Player) -> dict[str, int]:
    """The part of `stock` that belongs to `player`, as a fresh dict."""
    return {key: count for owner, key, count in stock if owner == player}


def stock_with(stock: Stock, player: Player, hand: Mapping[str, int]) -> Stock:
    """`stock` with `player`'s part replaced by `hand`."""
    others = [item for item in stock if item[0] != player]
    return tuple(sorted(others + [(player, key, count) for key, count in hand.items()]))


def play(position: Position, turn: Turn, by: Player | None = None) -> Position:
    """The position after `turn`, played by `by` (default: the player to move).

    The next player in turn order is to move then. Raises `IllegalTurn` when the turn doesn't fit
    the position; whether a game allows it is not asked here.
    """
    equipment = position.equipment
    mover = position.to_move if by is None else by
    cells = list(position.cells)
    moved = set(position.moved)
    hand = hand_of(position.stock, mover)
    program, text = _carried(turn, equipment.board)
    try:
        carry_out(program, cells, equipment.views[mover], moved, hand, equipment.pieces)
    except Mismatch as mismatch:
        raise misfit(turn, equipment, mismatch, position.cells) from None
    return Position(
        equipment,
        cells="".join(cells),
        to_move=equipment.next_player(mover),
        stock=stock_with(position.stock, mover, hand) if hand else position.stock,
        moved=frozenset(moved),
        last=text,
        trail=trail_after(position.trail, Past(position.cells, mover, position.stock, text)),
    )


@lru_cache(maxsize=_REMEMBERED)
def _carried(turn: Turn, board: Board) -> tuple[Program, str]:
    """A turn compiled, and its text."""
    return compile_turn(turn, board), str(turn)


def misfit(turn: object, equipment: Equipment, mismatch: Mismatch, cells: str) -> IllegalTurn:
    """The error for a `Mismatch` of `turn` on a position with these `cells`."""
    board = equipment.board
    return IllegalTurn(
        f"turn '{turn}' doesn't fit at {board.names[mismatch.square]}",
        expected=mismatch.expected,
        found=mismatch.found,
        place=Place(rows=tuple(board.rows(cells))),
    )
