"""What was read so far, as bytes: a shard in a file, from which reading goes on after a break.

Plain data in MessagePack, compressed; it holds nothing that is run when it is read. Games stand
there as their turns.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgspec
import zstandard

from grl import errors
from grl.board import Board, Equipment, Player, Position, make_position
from grl.errors import GrlError, Place, TraceError
from grl.fingerprints import ALL
from grl.records import Ended, Line, Records, Seen, Spot
from grl.sgrl.evidence import Decision, Evidence, Witness
from grl.shards import Shard

FORMAT = 1
_LEVEL = 3


def to_bytes(shard: Shard, done: list[str]) -> bytes:
    """A shard, with the names of the parts of files that it holds."""
    data = {
        "format": FORMAT,
        "done": done,
        "games": shard.games,
        "turns": shard.turns,
        "bad": [_error(error) for error in shard.bad],
        "evidence": _evidence(shard.evidence),
        "records": _records(shard.records),
    }
    return zstandard.ZstdCompressor(level=_LEVEL).compress(msgspec.msgpack.encode(data))


def from_bytes(raw: bytes, equipment: Equipment, path: str = "") -> tuple[Shard, list[str]]:
    """The inverse of `to_bytes`; raises `TraceError` for other bytes."""
    try:
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        data = msgspec.msgpack.decode(plain)
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}")
        shard = Shard(
            _read_evidence(data["evidence"], equipment.board),
            _read_records(data["records"], equipment),
            data["games"],
            data["turns"],
            [_read_error(each) for each in data["bad"]],
        )
        return shard, [str(name) for name in data["done"]]
    except (
        GrlError, zstandard.ZstdError, msgspec.DecodeError,
        ValueError, TypeError, KeyError, IndexError, AttributeError,
    ) as error:  # fmt: skip
        raise TraceError(
            "no intermediate result of these records",
            found=str(error)[:80],
            expected="a file that an earlier run with the same records left here",
            hint="remove it to read the records from the beginning",
        ).at(file=path) from None


def _finite(bound: int) -> int | None:
    return None if bound == ALL else bound


def _bound(value: int | None) -> int:
    return ALL if value is None else value


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "limit": evidence.limit,
        "bound": _finite(evidence.bound),
        "kind_bound": _finite(evidence.kind_bound),
        "decisions": [
            [*key, turns, evidence.games.get(key)] for key, turns in evidence.decisions.items()
        ],
        "witnesses": [
            [kind, [[*key, each.rank, each.turns, each.game] for key, each in kept.items()]]
            for kind, kept in evidence.witnesses.items()
        ],
        "depths": [[kind, depth] for kind, depth in evidence.depths.items()],
    }


def _decision(mover: str, cells: str, stock: list[Any], complete: bool) -> Decision:
    held = tuple((Player(player), key, count) for player, key, count in stock)
    return Decision(Player(mover), cells, held, complete)


def _kind(parts: list[str]) -> tuple[Player, str, str]:
    mover, holds, rest = parts
    return Player(mover), holds, rest


def _read_evidence(data: dict[str, Any], board: Board) -> Evidence:
    found = Evidence(limit=data["limit"], bound=_bound(data["bound"]), board=board)
    found.kind_bound = _bound(data["kind_bound"])
    for mover, cells, stock, complete, turns, game in data["decisions"]:
        key = _decision(mover, cells, stock, complete)
        found.decisions[key] = turns
        if game is not None:
            found.games[key] = game
    for kind, kept in data["witnesses"]:
        found.witnesses[_kind(kind)] = {
            _decision(mover, cells, stock, complete): Witness(rank, turns, game)
            for mover, cells, stock, complete, rank, turns, game in kept
        }
    found.depths = {_kind(kind): depth for kind, depth in data["depths"]}
    return found


def _records(records: Records) -> dict[str, Any]:
    texts: dict[str, int] = {}
    starts: dict[int, int] = {}
    initials: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    lines: list[list[Any]] = []

    def line(each: Line) -> int:
        number = numbers.get(id(each))
        if number is None:
            number = numbers[id(each)] = len(lines)
            start = starts.setdefault(id(each.initial), len(initials))
            if start == len(initials):
                initials.append(each.initial.to_dict(trail=True))
            turns = [texts.setdefault(text, len(texts)) for text in each.turns]
            lines.append([start, turns, each.movers])
        return number

    data: dict[str, Any] = {
        "limits": [records.limit, records.end_limit],
        "bounds": list(records.bounds.items()),
        "end_bound": _finite(records.end_bound),
        "moments": [
            [
                *key, seen.spot.way, line(seen.spot.line), seen.spot.ply, seen.complete,
                sorted(seen.turns), sorted(seen.followers),
            ]
            for key, seen in records.moments.items()
        ],
        "ends": [
            [key, e.spot.way, line(e.spot.line), e.spot.ply, list(e.goals.items())]
            for key, e in records.ends.items()
        ],
    }  # fmt: skip
    return {**data, "texts": list(texts), "initials": initials, "lines": lines}


def _read_records(data: dict[str, Any], equipment: Equipment) -> Records:
    initials: list[Position] = [
        make_position(
            equipment, each["rows"], each["to_move"], each["reserve"], each["history"]
        )
        for each in data["initials"]
    ]  # fmt: skip
    texts: list[str] = data["texts"]
    lines = [Line(initials[start], turns, movers, texts) for start, turns, movers in data["lines"]]
    moment_limit, end_limit = data["limits"]
    found = Records(moment_limit, end_limit, bounds=dict(data["bounds"]))
    found.end_bound = _bound(data["end_bound"])
    for span, key, listed, way, line, ply, complete, turns, followers in data["moments"]:
        found.moments[span, key, listed] = Seen(
            Spot(tuple(way), lines[line], ply),
            complete,
            set(turns),
            {(text, Player(player)) for text, player in followers},
        )
    for key, way, line, ply, goals in data["ends"]:
        counts = {tuple((Player(p), goal) for p, goal in each): count for each, count in goals}
        found.ends[key] = Ended(Spot(tuple(way), lines[line], ply), counts)
    return found


_PLACE = [each.name for each in fields(Place)]


def _error(error: GrlError) -> list[Any]:
    place = {name: getattr(error.place, name) for name in _PLACE}
    return [
        type(error).__name__, error.message, place, error.found, error.expected, error.hint
    ]  # fmt: skip


def _read_error(data: list[Any]) -> GrlError:
    name, message, place, found, expected, hint = data
    kind = getattr(errors, name, GrlError)
    if place.get("rows") is not None:
        place["rows"] = tuple(place["rows"])
    made: GrlError = kind(message, place=Place(**place), found=found, expected=expected, hint=hint)
    return made
