"""A compiled model: positions in, turns and boards out."""

from __future__ import annotations

import codecs
import ctypes
import sys
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, HOLE, Player, Position, Square, Stock
from grl.compiler import CompilerFailed, Loaded, load
from grl.engine.source import Facts, Program, program, rules_of
from grl.errors import NotCompiled, SearchError
from grl.model import Model, Rule
from grl.moves.candidate import Candidate
from grl.rules.code.history import Packed, packed_past
from grl.rules.features.cases import Setting
from grl.rules.features.replies import Seen
from grl.rules.play.effects import parted
from grl.turn import PASS, Letter, Segment, Turn, hand_of, stock_with

ORIGIN, TARGET = 0x4000, 0x8000
MOST_HELD = 32_000
"""Pieces of a kind in hand that a state can hold."""
MOST_TURNS = 200_000
"""Turns that are remembered as objects; with more, all are made anew."""
MOST_HANDS = 10_000
"""Reserves that are remembered as arrays."""
FIRST_PRIVATE = 0xE000
"""Contents are bytes; the bytes that mean nothing are these characters and more."""

_new = tuple.__new__
StateRows = NDArray[np.uint8]
"""States as rows of bytes."""


TOO_LARGE = "a turn has more ways to go on than the engine follows"


class TooLarge(SearchError):
    """A position whose turns the engine doesn't list: the reference implementation has to."""


class Spelled(NamedTuple):
    """A turn as an object, with the squares where its segments begin and stop, and how many of them
    are effects."""

    turn: Turn
    starts: tuple[Square, ...]
    ends: tuple[Square, ...]
    added: int


def unsuited() -> str:
    """Why this interpreter can't hold the library's objects; nothing where it can.

    ``objects.h`` rests on how CPython lays objects out on systems with 64 bits and one lock.
    """
    if sys.implementation.name != "cpython":
        return f"states as objects need CPython, not {sys.implementation.name}"
    if "t" in getattr(sys, "abiflags", ""):
        return "states as objects need an interpreter with its global lock"
    if ctypes.sizeof(ctypes.c_void_p) != 8 or ctypes.sizeof(ctypes.c_long) != 8:
        return "states as objects need pointers and long numbers of 64 bits"
    return ""


class Native:
    """The library of a model. Calls from several threads use a memory each."""

    def __init__(
        self,
        model: Model,
        facts: Facts,
        loaded: Loaded,
        second: Callable[[], ctypes.CDLL],
        *,
        locm: bool = True,
    ) -> None:
        self.model, self.facts, self._locm = model, facts, locm
        self.equipment = model.equipment
        self.endings: tuple[Rule, ...] = model.rules.endings if model.rules else ()
        self.board = self.equipment.board
        self.players = self.equipment.players
        self.keys = sorted(self.equipment.pieces)
        self.library, self.kind, self.kept = loaded.library, loaded.kind, loaded.kept
        self._second = second
        self._declare()
        self.state_size: int = self.library.state_size()
        contents = [EMPTY, *self.keys, HOLE]
        unused = map(chr, range(FIRST_PRIVATE, FIRST_PRIVATE + 256 - len(contents)))
        self._decoding = "".join(contents) + "".join(unused)
        self._encoding: Any = codecs.charmap_build(self._decoding)
        self._seats = {player: seat for seat, player in enumerate(self.players)}
        self._local = threading.local()
        self._turns: dict[bytes, Spelled] = {}
        self._hand_key = {key: place for place, key in enumerate(self.keys)}
        self._known_hands: dict[Stock, Any] = {}
        self._no_hands = (ctypes.c_int16 * (len(self.players) * max(len(self.keys), 1)))(
            *[-1] * (len(self.players) * len(self.keys))
        )
        self._looks_back = bool(facts.back or facts.own or facts.events)
        self._initial = _Known(model.initial, self.line(model.initial))

    @classmethod
    def of(cls, model: Model, written: Program) -> Native:
        """The library of a program; raises `CompilerFailed`."""
        return cls(model, written.facts, load(written.text), lambda: load(written.many).library)

    @cached_property
    def program(self) -> Program:
        """The program, written anew where the library was found without it."""
        return program(self.model, locm=self._locm)

    @cached_property
    def beside(self) -> ctypes.CDLL:
        """The library of what works on many positions or games, made when it is first asked for.

        Raises `NotCompiled`.
        """
        pointer, count = ctypes.c_void_p, ctypes.c_long
        many: Sequence[Any] = (pointer, pointer, count, pointer)
        takes: Mapping[str, Sequence[Any]] = {
            "bulk_counts": many,
            "bulk_play": (*many, pointer),
            "bulk_goals": many,
            "bulk_masks": many,
            "recorded_games": (
                *(pointer, pointer, ctypes.c_int),
                *[ctypes.c_uint64] * 3,
                ctypes.c_int,
                *[pointer] * 3,
                *(ctypes.c_uint64, pointer),
            ),
        }
        try:
            library = self._second()
        except CompilerFailed as failed:
            raise NotCompiled("there is no library for many positions", found=str(failed)) from None
        for name, arguments in takes.items():
            function = getattr(library, name)
            function.restype, function.argtypes = count, arguments
        return library

    def _declare(self) -> None:
        """What the library's functions take and give."""
        library, number = self.library, ctypes.c_int
        pointer: Any = ctypes.c_void_p
        plain: tuple[tuple[str, Any, list[Any]], ...] = (
            ("space_new", pointer, []),
            ("space_free", None, [pointer]),
            ("state_size", ctypes.c_uint32, []),
            (
                "state_load",
                None,
                [pointer, pointer, number, pointer, pointer, pointer, pointer, number, number],
            ),
            ("state_cells", None, [pointer, pointer]),
            ("turns_of", number, [pointer, pointer, number, number]),
            ("codes_at", pointer, [pointer, pointer]),
            ("boards_after", None, [pointer, pointer, pointer]),
            (
                "squares_touched",
                ctypes.c_long,
                [pointer, pointer, pointer, pointer, ctypes.c_long, pointer],
            ),
            ("turns_found", number, [pointer]),
            ("pass_found", number, [pointer]),
            ("number_of", number, [pointer, pointer, number]),
            ("seat_after", number, [pointer, number]),
            ("ending_found", number, [pointer]),
            ("goal_found", number, [pointer, pointer, number, number]),
            ("ending_of_state", number, [pointer, pointer, number]),
            ("perft", ctypes.c_uint64, [pointer, pointer, number, number, pointer]),
            (
                "playouts",
                ctypes.c_uint64,
                [pointer, pointer, number, *[ctypes.c_uint64] * 3, number, pointer, pointer],
            ),
        )
        # The same library, for functions that make objects: they keep the interpreter's lock.
        objects = ctypes.PyDLL(library._name, handle=library._handle)
        thing: Any = ctypes.py_object
        making: tuple[tuple[str, Any, list[Any]], ...] = (
            ("state_type", thing, []),
            ("state_object", thing, [thing, thing, pointer, thing, thing]),
            ("space_listing", pointer, [thing]),
            ("state_inside", pointer, [thing]),
        )
        for of, functions in ((library, plain), (objects, making)):
            for name, result, takes in functions:
                function = getattr(of, name)
                function.restype, function.argtypes = result, takes
        self.objects = objects
        self.state_type = objects.state_type()

    @property
    def space(self) -> int:
        """The memory of this thread."""
        found: _Space | None = getattr(self._local, "space", None)
        if found is None:
            found = self._local.space = _Space(self.library)
        return found.address

    def state(self, position: Position) -> ctypes.Array[ctypes.c_char]:
        """A position as the library has it; positions before it are not looked at."""
        past = self._past(position)
        return self._state(position.cells, position.to_move, position.stock, position.moved, past)

    def _state(
        self,
        cells: str,
        to_move: Player,
        stock: Stock,
        moved: Collection[int] = (),
        past: Packed | None = None,
    ) -> ctypes.Array[ctypes.c_char]:
        out = ctypes.create_string_buffer(self.state_size)
        contents = self._contents(cells)
        went = None
        if moved:
            marks = bytearray(self.board.size)
            for square in moved:
                marks[square] = 1
            went = bytes(marks)
        last: Any = None
        since: Any = None
        passes, only = 0, False
        if past is not None:
            last = (ctypes.c_int16 * len(past.last))(*past.last)
            since = (ctypes.c_uint16 * len(past.since))(*past.since)
            passes, only = past.passes, past.last_only
        self.library.state_load(
            out, contents, self._seats[to_move], self._hands(stock),
            went, last, since, passes, int(only),
        )  # fmt: skip
        return out

    def _contents(self, cells: str) -> bytes:
        return codecs.charmap_encode(cells, "strict", self._encoding)[0]

    def takes(self, stock: Stock) -> bool:
        """Whether the library can hold what is in hand; hands from outside may list anything."""
        return not stock or (self.facts.hands and all(item[2] <= MOST_HELD for item in stock))

    # Positions --------------------------------------------------------------------------------

    def legal(self, position: Position) -> list[Turn]:
        """The legal turns of a position; raises `TooLarge`."""
        space = self.space
        line = self._joined(position)
        count = self._listed(space, line)
        if count == 0:
            return []
        passing = self.library.pass_found(space)
        turns = [each.turn for each in self._spelled(space, count - passing)]
        return [*turns, PASS] if passing else turns

    def count(self, position: Position) -> int:
        """The number of legal turns; raises `TooLarge`."""
        line = self._joined(position)
        return self._listed(self.space, line)

    def ending(self, position: Position) -> Rule | None:
        """The first rule of endings that covers a position; raises `TooLarge`."""
        line = self._joined(position)
        found = self.library.ending_of_state(self.space, line, len(line) // self.state_size)
        if found < -1:
            raise TooLarge(TOO_LARGE)
        return None if found < 0 else self.endings[found]

    def follower(self, position: Position, origin: Square | None, after: Position) -> Player | None:
        """Who moves after the legal turn from `origin` (None: a pass) that leaves `after`.

        None where no turn does. Raises `TooLarge`.
        """
        space, line = self.space, self._joined(position)
        left = self._state(after.cells, after.to_move, after.stock)
        self._listed(space, line)
        number: int = self.library.number_of(space, left, -1 if origin is None else origin)
        return None if number < 0 else self.players[self.library.seat_after(space, number)]

    def _listed(self, space: int, line: ctypes.Array[ctypes.c_char]) -> int:
        count: int = self.library.turns_of(space, line, len(line) // self.state_size, 0)
        if count < 0:
            raise TooLarge(TOO_LARGE)
        return count

    def _joined(self, position: Position) -> ctypes.Array[ctypes.c_char]:
        """The states of a game up to a position, one after the other."""
        line = self.line(position)
        if len(line) == 1:
            return line[0]
        states = b"".join(each.raw for each in line)
        return ctypes.create_string_buffer(states, len(states))

    def _past(self, position: Position) -> Packed | None:
        """What the library keeps of the game before a position; None where there was none."""
        if position.last is None and position.trail is None and not self._looks_back:
            return None
        facts = self.facts
        return packed_past(self._setting, position, facts.back, facts.events, own=facts.own)

    @cached_property
    def _setting(self) -> Setting:
        """What the past of a position is read by."""
        return Setting(self.equipment, rules_of(self.model).frames, lambda _: ())

    # States as objects ------------------------------------------------------------------------

    def first_state(self, engine: object, position: Position) -> Any:
        """The state of a position, which asks `engine` for what needs Python."""
        first = position is self._initial.position
        *before, last = self._initial.line if first else self.line(position)
        state = None
        for each in before:
            state = self.objects.state_object(self.state_type, engine, each, state, None)
        return self.objects.state_object(self.state_type, engine, last, state, position)

    def line(self, position: Position) -> list[ctypes.Array[ctypes.c_char]]:
        """The states of a game up to a position; earlier ones where rules look at them."""
        line = []
        if self.facts.trail:
            for each in position.trail or ():
                line.append(self._state(each.cells, Player(each.to_move), each.stock))
        return [*line, self.state(position)]

    def turns(self, state: Any) -> list[Turn]:
        """The legal turns of a state."""
        space = self.objects.space_listing(state)
        turns = [each.turn for each in self._spelled(space, self.library.turns_found(space))]
        return [*turns, PASS] if self.library.pass_found(space) else turns

    def goals(self, state: Any) -> dict[Player, int]:
        """The goals of a state in which the game is over; nothing where no rule says."""
        ending = self.library.ending_found(self.objects.space_listing(state))
        if ending < 0:
            return {}
        seats, mover = len(self.players), state.mover
        inside = self.objects.state_inside(state)
        return {
            player: self.library.goal_found(self.space, inside, ending, (seat - mover) % seats)
            for seat, player in enumerate(self.players)
        }

    def cells(self, state: Any) -> str:
        """What lies on each square of a state."""
        cells = ctypes.create_string_buffer(self.board.size)
        self.library.state_cells(self.objects.state_inside(state), cells)
        return codecs.charmap_decode(cells.raw, "strict", self._decoding)[0]

    def perft(self, state: Any, depth: int) -> int:
        """The number of sequences of turns from a state; raises `TooLarge`."""
        return self._counted(self.objects.state_inside(state), 0, depth)

    def perft_of(self, position: Position, depth: int) -> int:
        """The number of sequences of turns from a position; raises `TooLarge`."""
        line = self._joined(position)
        return self._counted(line, len(line) // self.state_size, depth)

    def _counted(self, line: Any, size: int, depth: int) -> int:
        failed = ctypes.c_int()
        found: int = self.library.perft(self.space, line, size, depth, ctypes.byref(failed))
        if failed.value:
            raise TooLarge(TOO_LARGE)
        return found

    def many(self, name: str, states: StateRows, *arrays: NDArray[Any]) -> int:
        """Ask a function of many states at once; how many of them are done."""
        call = getattr(self.beside, f"bulk_{name}")
        done: int = call(
            self.space, states.ctypes.data, len(states), *(each.ctypes.data for each in arrays)
        )
        return done

    def playouts(
        self, state: Any, seed: int, begin: int, end: int, most: int
    ) -> tuple[int, NDArray[np.int8]]:
        """Random games by number: their plies in all, and goals by game and player."""
        failed = ctypes.c_int()
        goals = np.full((end - begin, len(self.players)), -1, dtype=np.int8)
        inside = self.objects.state_inside(state)
        plies: int = self.library.playouts(
            self.space, inside, 0, seed & (2**64 - 1), begin, end, most,
            goals.ctypes.data, ctypes.byref(failed),
        )  # fmt: skip
        if failed.value:
            raise TooLarge(TOO_LARGE)
        return plies, goals

    def _hands(self, stock: Stock) -> Any:
        if not stock:
            return self._no_hands
        found = self._known_hands.get(stock)
        if found is None:
            kinds = len(self.keys)
            counts = list(self._no_hands)
            for player, key, count in stock:
                counts[self._seats[player] * kinds + self._hand_key[key]] = min(count, 32_767)
            found = (ctypes.c_int16 * len(counts))(*counts)
            if len(self._known_hands) == MOST_HANDS:
                self._known_hands.clear()
            self._known_hands[stock] = found
        return found

    def touched(self, boards: Sequence[Seen]) -> NDArray[np.bool_]:
        """The squares that pseudo-legal turns change on boards, and where their first segments end.

        Boards × 2 × squares. Raises `TooLarge`.
        """
        cells = self._contents("".join(cells for cells, _, _ in boards))
        movers = bytes(self._seats[mover] for _, _, mover in boards)
        hands = None
        if self.facts.hands:
            hands = b"".join(bytes(self._hands(stock)) for _, stock, _ in boards)
        found = np.zeros((len(boards), 2, self.board.size), dtype=np.bool_)
        done: int = self.library.squares_touched(
            self.space, cells, movers, hands, len(boards), found.ctypes.data
        )
        if done < len(boards):
            raise TooLarge(TOO_LARGE)
        return found

    def _pseudo_legal(self, space: int, state: ctypes.Array[ctypes.c_char]) -> int:
        """How many there are; the state has to stay while they are asked for."""
        count: int = self.library.turns_of(space, state, 1, 1)
        if count < 0:
            raise TooLarge(TOO_LARGE)
        return count

    def _boards(self, space: int, count: int) -> tuple[Any, Any]:
        """The boards after the turns that were found, and the hands of their player."""
        cells = ctypes.create_string_buffer(count * self.board.size)
        hands = (ctypes.c_int16 * (count * max(len(self.keys), 1)))()
        self.library.boards_after(space, cells, hands)
        return cells, hands

    def spellings(self, position: Position) -> list[Candidate]:
        """The pseudo-legal turns of a position, in every spelling; raises `TooLarge`."""
        space, state = self.space, self.state(position)
        count = self._pseudo_legal(space, state)
        if count == 0:
            return []
        size = self.board.size
        cells, hands = self._boards(space, count)
        boards = codecs.charmap_decode(cells.raw, "strict", self._decoding)[0]
        stocks = self._stocks(position, hands, count)
        found = []
        for number, (turn, starts, ends, added) in enumerate(self._spelled(space, count)):
            board = boards[number * size : (number + 1) * size]
            found.append(_new(Candidate, (turn, starts, ends, board, stocks[number], added)))
        return found

    def _stocks(self, position: Position, hands: Any, count: int) -> Sequence[Stock]:
        if not self.facts.hands:
            return [position.stock] * count
        kinds = len(self.keys)
        known: dict[tuple[int, ...], Stock] = {}
        found = []
        for begin in range(0, count * kinds, kinds):
            counts = tuple(hands[begin : begin + kinds])
            if counts not in known:
                known[counts] = self._stock(position.stock, position.to_move, counts)
            found.append(known[counts])
        return found

    def _stock(self, stock: Stock, mover: Player, counts: tuple[int, ...]) -> Stock:
        hand = hand_of(stock, mover)
        after = {
            key: hand[key] if key in hand and min(hand[key], 32_767) == count else count
            for key, count in zip(self.keys, counts, strict=True)
            if count >= 0
        }
        return stock_with(stock, mover, after) if after else stock

    def _spelled(self, space: int, count: int) -> list[Spelled]:
        """The turns that were found, a pass apart, as objects."""
        codes = ctypes.c_void_p()
        address = self.library.codes_at(space, ctypes.byref(codes))
        if not address:
            raise MemoryError
        at = (ctypes.c_uint32 * (count + 1)).from_address(address)
        bounds = list(at)
        raw = ctypes.string_at(codes.value or 0, 2 * bounds[-1]) if bounds[-1] else b""
        known = self._turns
        if len(known) > MOST_TURNS:
            known.clear()
        found = []
        for begin, end in pairwise(bounds):
            spelling = raw[2 * begin : 2 * end]
            turn = known.get(spelling)
            if turn is None:
                turn = known[spelling] = self.read(spelling)
            found.append(turn)
        return found

    def read(self, spelling: bytes) -> Spelled:
        """The turn that codes stand for."""
        letters = self.facts.letters
        names = self.board.names
        codes = memoryview(spelling).cast("H").tolist()
        segments: list[tuple[int, list[Letter], list[int]]] = []
        for code in codes:
            if code & TARGET:
                segments[-1][2].append(code & ~TARGET)
            elif code & ORIGIN:
                segments.append((code & ~ORIGIN, [], []))
            else:
                segments[-1][1].append(letters[code])
        turn = Turn(
            tuple(
                Segment(names[origin], tuple(word), tuple(names[t] for t in targets))
                for origin, word, targets in segments
            )
        )
        starts = tuple(Square(origin) for origin, _, _ in segments)
        ends = tuple(segment.path(self.board)[-1] for segment in turn.segments)
        added = len(parted(turn)[1]) if self.model.effects else 0
        return Spelled(turn, starts, ends, added)


class _Known(NamedTuple):
    """A position with its states, which don't change."""

    position: Position
    line: list[ctypes.Array[ctypes.c_char]]


class _Space:
    """The library's memory of one thread, given back with it."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._free = library.space_free
        self.address: int = library.space_new() or 0
        if not self.address:
            raise MemoryError

    def __del__(self) -> None:
        if self.address:
            self._free(self.address)
