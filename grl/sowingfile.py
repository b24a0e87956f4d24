"""What contents count in a model file: plain data, checked as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct

from grl.board import Board, Equipment, Player
from grl.formats import typed, wrong
from grl.sowing import NOWHERE, Sowing

MOST = 10_000
"""No content stands for a larger number."""


class _Sowing(Struct):
    values: dict[str, Annotated[int, Meta(ge=1, le=MOST)]]
    ways: dict[Player, list[tuple[str, str]]]
    homes: dict[Player, list[str]]
    stores: dict[Player, list[str]]
    keeps: bool
    skips: bool
    goes_on: bool = False


def sowing_data(sowing: Sowing, board: Board) -> dict[str, Any]:
    """`sowing` as plain data, squares by their names."""

    def named(fields: Mapping[str, tuple[int, ...]]) -> dict[str, list[str]]:
        return {player: [board.names[s] for s in squares] for player, squares in fields.items()}

    found: dict[str, Any] = {
        "values": dict(sowing.values),
        "ways": {
            player: [
                [board.names[square], board.names[after]]
                for square, after in enumerate(way)
                if after != NOWHERE
            ]
            for player, way in sowing.ways.items()
        },
        "homes": named(sowing.homes),
        "stores": named(sowing.stores),
        "keeps": sowing.keeps,
        "skips": sowing.skips,
    }
    return found | ({"goes_on": True} if sowing.goes_on else {})


def counting(equipment: Equipment, data: object) -> Equipment:
    """The equipment with what plain data say of its contents.

    Raises `ModelError` where they hold something else, and `BoardError` for squares that there are
    not.
    """
    form = typed(data, _Sowing, "sowing")
    board, players = equipment.board, set(equipment.players)
    if not form.values or not form.values.keys() <= equipment.pieces.keys():
        raise wrong("sowing.values", "numbers of known pieces", form.values)
    if len(set(form.values.values())) != len(form.values):
        raise wrong("sowing.values", "another number for each piece", form.values)
    if set(form.ways) != players:
        raise wrong("sowing.ways", "a way for each player", form.ways)
    for name in ("homes", "stores"):
        if not getattr(form, name).keys() <= players:
            raise wrong(f"sowing.{name}", "squares of players", getattr(form, name))
    ways: dict[str, tuple[int, ...]] = {}
    for player, pairs in form.ways.items():
        way = [NOWHERE] * board.size
        for square, after in pairs:
            way[board.square(square)] = board.square(after)
        ways[player] = tuple(way)

    def squares(fields: Mapping[Player, list[str]]) -> dict[str, tuple[int, ...]]:
        return {player: tuple(map(board.square, names)) for player, names in fields.items()}

    homes, stores = squares(form.homes), squares(form.stores)
    sowing = Sowing(form.values, ways, homes, stores, form.keeps, form.skips, form.goes_on)
    return replace(equipment, sowing=sowing)
