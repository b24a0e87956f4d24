"""JSON of trace files: typed reading of its values, and the header line both ways.

Every key that the format names must hold a value of the right kind; keys that it doesn't name are
passed over, for the format may be added to. Failures are `TraceError`s whose place names the field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from grl.board import HOLE, Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GrlError, TraceError
from grl.limits import MAX_NAME

FORMAT = "grl-trace/1"
_SHOWN = 80


@dataclass(frozen=True)
class Header:
    """The first line of a file: the game's name, what it is played with and where it starts."""

    game: str
    equipment: Equipment
    initial: Position

    def to_dict(self) -> dict[str, Any]:
        """The header as it stands in a file."""
        return describe(self.game, self.equipment, self.initial)


class Described(Protocol):
    """What a header is made from; reference games are such."""

    equipment: Equipment
    initial: Position

    @property
    def name(self) -> str: ...


def header_dict(game: Described) -> dict[str, Any]:
    """The header of files that hold plays of `game`, as plain data."""
    return describe(game.name, game.equipment, game.initial)


def describe(name: str, equipment: Equipment, initial: Position) -> dict[str, Any]:
    """The header for a game called `name`, as plain data; `read_header` is the inverse."""
    board = equipment.board
    size: dict[str, Any] = {"width": board.width, "height": board.height}
    if board.links is not None:
        both = sorted((a, b) for a, b in board.links if a < b and (b, a) in board.links)
        arcs = sorted((a, b) for a, b in board.links if (b, a) not in board.links)
        if both or not arcs:
            size["links"] = [[board.names[a], board.names[b]] for a, b in both]
        if arcs:
            size["arcs"] = [[board.names[a], board.names[b]] for a, b in arcs]
    return {
        "format": FORMAT,
        "game": name,
        "board": size,
        "players": list(equipment.players),
        "pieces": {
            key: {"player": piece.player, "type": piece.type}
            for key, piece in equipment.pieces.items()
        },
        "initial": position_dict(initial),
    }


def position_dict(position: Position) -> dict[str, Any]:
    """A position as ``initial`` writes it: to_move, rows and, where there is one, the reserve."""
    data: dict[str, Any] = {"to_move": position.to_move, "rows": position.rows}
    if position.stock:
        data["reserve"] = position.reserve
    return data


def shown(value: object) -> str:
    """`value` as JSON, shortened, printable and in one line."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    if not text.isprintable():
        text = ascii(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def wrong(field: str, value: object, expected: str) -> TraceError:
    """The error for a value of the wrong kind."""
    return TraceError("wrong value", found=shown(value), expected=expected).at(field=field)


def parse_object(raw: bytes) -> dict[str, Any]:
    """The JSON object that a line holds; raises `TraceError` without file and line."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TraceError(
            f"not UTF-8 at byte {error.start + 1} of the line",
            found=repr(raw[error.start : error.start + 4]),
            expected="JSON in UTF-8",
        ) from None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        rest = error.doc[error.pos : error.pos + 20].rstrip("\r\n")
        raise TraceError(
            f"not JSON at column {error.pos + 1}: {error.msg}",
            found=shown(rest) if rest else "the end of the line",
            expected="one complete JSON object in a line",
        ) from None
    except (ValueError, RecursionError) as error:
        raise TraceError(
            f"not JSON that can be read: {error}", expected="one JSON object in a line"
        ) from None
    if type(value) is not dict:
        raise TraceError("wrong line", found=shown(value), expected="a JSON object")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise TraceError(
            f"the key {shown(twice)} stands twice in one object", expected="each key once"
        )
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def text_of(value: object, field: str, expected: str = "a string") -> str:
    """`value` when it is a string."""
    if type(value) is not str:
        raise wrong(field, value, expected)
    return value


def name_of(value: object, field: str) -> str:
    """`value` when it is a string of at least one character and not an absurdly long one."""
    if not 0 < len(text_of(value, field)) <= MAX_NAME:
        raise wrong(field, value, f"a string of 1 to {MAX_NAME} characters")
    return str(value)


def whole_of(value: object, field: str, expected: str = "a whole number") -> int:
    """`value` when it is a whole number; true and false are none."""
    if type(value) is not int:
        raise wrong(field, value, expected)
    return value


def list_of(value: object, field: str, expected: str = "a list") -> list[Any]:
    """`value` when it is a list."""
    if type(value) is not list:
        raise wrong(field, value, expected)
    return value


def object_of(value: object, field: str, expected: str = "an object") -> dict[str, Any]:
    """`value` when it is an object."""
    if type(value) is not dict:
        raise wrong(field, value, expected)
    return value


def need(data: Mapping[str, Any], key: str, expected: str, within: str = "") -> Any:
    """The value of a key that must be there."""
    if key not in data:
        raise TraceError("missing key", expected=expected).at(
            field=f"{within}.{key}" if within else key
        )
    return data[key]


def read_header(data: Mapping[str, Any]) -> Header:
    """The header that a line's object holds; raises `TraceError` or `BoardError`."""
    if "format" not in data:
        raise TraceError(
            "missing header",
            found=f"a line with the keys {shown(list(data))}",
            expected=f'"format": "{FORMAT}" in the first line',
        ).at(field="format")
    version = text_of(data["format"], "format", f'"{FORMAT}"')
    if version != FORMAT:
        raise TraceError("unknown format", found=shown(version), expected=f'"{FORMAT}"').at(
            field="format"
        )
    game = name_of(need(data, "game", "the name of the game"), "game")
    size = object_of(need(data, "board", "an object with width and height"), "board")
    width = whole_of(need(size, "width", "a whole number", "board"), "board.width")
    height = whole_of(need(size, "height", "a whole number", "board"), "board.height")
    with _within("board"):
        plain = Board(width, height)
    players = [
        name_of(player, f"players[{i}]")
        for i, player in enumerate(list_of(need(data, "players", "a list of names"), "players"))
    ]
    pieces = _read_pieces(object_of(need(data, "pieces", "an object of pieces"), "pieces"))
    initial = object_of(need(data, "initial", "an object with to_move and rows"), "initial")
    rows = _read_rows(initial)
    board = Board(
        width,
        height,
        frozenset(Square(i) for i, c in enumerate("".join(reversed(rows))) if c == HOLE),
    )
    with _within("initial"):
        board.cells(rows)
    board = Board(width, height, board.holes, _read_links(size, board))
    names = tuple(Player(player) for player in players)
    with _within("players"):
        Equipment(plain, names, {})
    with _within("pieces"):
        equipment = Equipment(board, names, pieces)
    start = read_position(initial, equipment)
    stocked = frozenset((player, key) for player, key, _ in start.stock)
    equipment = Equipment(board, names, pieces, stocked)
    return Header(game, equipment, read_position(initial, equipment))


def read_position(data: Mapping[str, Any], equipment: Equipment) -> Position:
    """The position that an ``initial`` holds; raises `TraceError` or `BoardError`."""
    mover = text_of(need(data, "to_move", "a player", "initial"), "initial.to_move")
    reserve = object_of(data.get("reserve", {}), "initial.reserve")
    for player, pieces in reserve.items():
        object_of(pieces, f"initial.reserve.{player}", "an object of counts by piece")
    with _within("initial"):
        return make_position(equipment, _read_rows(data), mover, reserve)


def _read_rows(initial: Mapping[str, Any]) -> list[str]:
    rows = list_of(need(initial, "rows", "a list of rows", "initial"), "initial.rows")
    return [text_of(row, f"initial.rows[{i}]") for i, row in enumerate(rows)]


def _read_pieces(data: Mapping[str, Any]) -> dict[str, Piece]:
    pieces = {}
    for key, value in data.items():
        field = f"pieces.{key if key.isprintable() else ascii(key)}"
        item = object_of(value, field, "an object with player and type")
        player = need(item, "player", "a player or null", field)
        if player is not None:
            player = Player(text_of(player, f"{field}.player", "a player or null"))
        kind = name_of(need(item, "type", "the type of the piece", field), f"{field}.type")
        pieces[key] = Piece(key, player, kind)
    return pieces


def _read_links(size: Mapping[str, Any], board: Board) -> frozenset[tuple[Square, Square]] | None:
    """Ordered pairs: a link gives both orders, an arc one; None where the board has neither."""
    if "links" not in size and "arcs" not in size:
        return None
    found = set()
    for key in ("links", "arcs"):
        for i, pair in enumerate(list_of(size.get(key, []), f"board.{key}")):
            field = f"board.{key}[{i}]"
            ends = list_of(pair, field, "a pair of squares")
            if len(ends) != 2 or ends[0] == ends[1]:
                raise wrong(field, pair, "a pair of different squares")
            with _within(field):
                a, b = (board.square(text_of(end, field, "a pair of squares")) for end in ends)
            found.add((a, b))
            if key == "links":
                found.add((b, a))
    return frozenset(found)


@contextmanager
def _within(field: str) -> Iterator[None]:
    """Adds the field's name to errors raised within it."""
    try:
        yield
    except GrlError as error:
        raise error.at(field=field) from None
