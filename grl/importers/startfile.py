"""Where games begin that are recorded without a header: read from a small file of JSON.

It holds the header of a trace file, or only ``rows``, with ``to_move``, ``players``, ``pieces`` and
the like where the usual ones won't do: white moves first and owns the pieces whose keys are upper
case, black those in lower case, and other keys are nobody's.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from typing import Any

from grl.board import EMPTY, HOLE
from grl.errors import GrlError
from grl.traceio import Lines
from grl.tracejson import (
    FORMAT,
    Header,
    list_of,
    need,
    object_of,
    parse_object,
    read_header,
    text_of,
)

_MOST = 1 << 20
_USUAL = ("white", "black")
_INITIAL = ("rows", "to_move", "reserve")


def read_start(path: str | os.PathLike[str]) -> Header:
    """The header that the file at `path` describes; raises `GrlError` with file and field."""
    name = os.fspath(path)
    try:
        return read_header(_header(_object(Lines(name))))
    except GrlError as error:
        raise error.at(file=name) from None


def header_of(data: Mapping[str, Any], keys: Iterable[str] = ()) -> Header:
    """The header that `data` stands for, as in a start file, with pieces of these `keys` besides.

    Raises `GrlError`.
    """
    full = _header(data)
    missing = sorted(set(keys) - full["pieces"].keys())
    return read_header(full | {"pieces": full["pieces"] | _pieces(missing, full["players"])})


def _object(lines: Lines) -> dict[str, Any]:
    """The object that the first line holds, as in a trace file, or else the file."""
    try:
        first = next(iter(lines), b"").removeprefix(BOM_UTF8)
        if first.rstrip().endswith(b"}") and first.count(b"{") == first.count(b"}"):
            return parse_object(first)
        text, rest = first, iter(lines)
        while len(text) <= _MOST and (line := next(rest, None)) is not None:
            text += line
        return parse_object(text)
    finally:
        lines.close()


def _header(data: Mapping[str, Any]) -> dict[str, Any]:
    """The full header that `data` stands for."""
    initial = object_of(data.get("initial", {}), "initial")
    initial = {key: data[key] for key in _INITIAL if key in data} | initial
    rows = list_of(need(initial, "rows", "a list of rows"), "rows")
    texts = [text_of(row, f"rows[{i}]") for i, row in enumerate(rows)]
    players = list_of(data.get("players", list(_USUAL)), "players")
    board = {"width": len(texts[0]) if texts else 0, "height": len(texts)}
    reserve = object_of(initial.get("reserve", {}), "reserve")
    keys = {key for row in texts for key in row} - {EMPTY, HOLE}
    keys |= {key for hand in reserve.values() if isinstance(hand, dict) for key in hand}
    return {
        "game": "game",
        "players": players,
        "pieces": _pieces(sorted(keys), players),
        **{key: value for key, value in data.items() if key not in _INITIAL},
        "format": data.get("format", FORMAT),
        "board": board | object_of(data.get("board", {}), "board"),
        "initial": {"to_move": players[0] if players else "", **initial},
    }


def _pieces(keys: Iterable[str], players: list[Any]) -> dict[str, Any]:
    return {key: {"player": _owner(key, players), "type": key.lower()} for key in keys}


def _owner(key: str, players: list[Any]) -> Any:
    """Upper case is the first player's, lower case the second's, or the only one's."""
    if key.upper() == key.lower() or not players:
        return None
    return players[0] if key.isupper() or len(players) == 1 else players[1]
