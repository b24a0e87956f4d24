"""Trace files written game by game by whoever has records of their own, each checked at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Self

from grl.errors import GrlError, Place, TraceError
from grl.replay import Replayer
from grl.traceio import write_lines
from grl.tracejson import FORMAT, parse_object, read_header
from grl.turn import Turn

Turns = Iterable[str | Turn | Mapping[str, Any]]


class TraceWriter:
    """Writes a trace file; use it in a ``with`` block.

    `rows` is the board where games begin, the highest rank first: ``.`` an empty square, ``#`` no
    square, anything else a piece. `pieces` gives for each piece the player it belongs to (None:
    nobody's), or player and type. `players` are in turn order; the first moves first unless
    `to_move` says otherwise. `reserve`, `links` and `arcs` are as in the trace format. The file
    appears when the block is left without an error, and not at all otherwise.

    Raises `TraceError` or `BoardError` for a header that contradicts itself, naming the field.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        game: str,
        players: Sequence[str],
        pieces: Mapping[str, str | Sequence[str | None] | None],
        rows: Sequence[str],
        to_move: str | None = None,
        reserve: Mapping[str, Mapping[str, int]] | None = None,
        links: Iterable[Sequence[str]] | None = None,
        arcs: Iterable[Sequence[str]] | None = None,
        lifts_others: bool = False,
    ) -> None:
        self.path = os.fspath(path)
        self.games = 0
        self._lifts_others = lifts_others
        board: dict[str, Any] = {"width": len(rows[0]) if rows else 0, "height": len(rows)}
        if links is not None:
            board["links"] = [list(pair) for pair in links]
        if arcs is not None:
            board["arcs"] = [list(pair) for pair in arcs]
        initial: dict[str, Any] = {
            "to_move": to_move if to_move is not None else next(iter(players), ""),
            "rows": list(rows),
        }
        if reserve is not None:
            initial["reserve"] = {player: dict(hand) for player, hand in reserve.items()}
        header = {
            "format": FORMAT,
            "game": game,
            "board": board,
            "players": list(players),
            "pieces": {key: piece_dict(key, value) for key, value in pieces.items()},
            "initial": initial,
        }
        try:
            self._replayer = Replayer(read_header(_plain(header)))
        except GrlError as error:
            raise error.at(file=self.path, line=1) from None
        self._lines = TemporaryFile()  # noqa: SIM115
        self._put(header)

    def add(
        self,
        turns: Turns,
        *,
        goals: Mapping[str, int] | None = None,
        name: str | None = None,
        rows: Sequence[str] | None = None,
        to_move: str | None = None,
        reserve: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        """Add a played game.

        Each turn is its text, a `Turn`, or an object with ``turn`` and perhaps ``legal`` and
        ``by``. With `goals`, 0 to 100 for each player, the rules ended the game; without them the
        record breaks off. `rows`, `to_move` and `reserve` say where it began if elsewhere than the
        others. Raises `GrlError` with line, game, ply and field for a game that doesn't fit the
        board.
        """
        play: dict[str, Any] = {"id": f"g{self.games + 1}" if name is None else name}
        if rows is not None:
            first = self._replayer.header.initial.to_move
            play["initial"] = {"to_move": first if to_move is None else to_move, "rows": list(rows)}
            if reserve is not None:
                play["initial"]["reserve"] = {who: dict(hand) for who, hand in reserve.items()}
        elif to_move is not None or reserve is not None:
            raise TraceError(
                "to_move and reserve need rows", expected="rows=: the board where the game began"
            ).at(file=self.path, game=str(play["id"]))
        play["turns"] = [
            dict(turn) if isinstance(turn, Mapping) else {"turn": str(turn)} for turn in turns
        ]
        play |= {"end": "stopped"} if goals is None else {"end": "terminal", "goals": dict(goals)}
        _, flaw = self._replayer.replay(_plain(play), self.games + 2, lambda: self._lifts_others)
        if flaw is not None:
            raise flaw.at(file=self.path)
        self.games += 1
        self._put(play)

    def close(self) -> None:
        """Write the file; leaving the block does so."""
        self._lines.seek(0)
        write_lines(self.path, self._lines)
        self._lines.close()

    def _put(self, data: Mapping[str, Any]) -> None:
        self._lines.write(json.dumps(data, ensure_ascii=False).encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._lines.close()


def piece_dict(key: str, value: str | Sequence[str | None] | None) -> dict[str, Any]:
    """A piece of the header from its player, or its player and type."""
    if value is None or isinstance(value, str):
        return {"player": value, "type": key}
    player, kind = value
    return {"player": player, "type": kind}


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """`data` as it will be read back; raises `TraceError` for what JSON doesn't have."""
    try:
        return parse_object(json.dumps(data).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise TraceError(
            f"not plain data: {error}", place=Place(), expected="texts, numbers, lists and dicts"
        ) from None
