"""Where squares lie: grids, hexagons, and points with lines."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from grl import games
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.serve.geometry import board_data
from grl.turn import Letter

SIX = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))


def model(name: str, steps: Iterable[tuple[int, int]]) -> Model:
    """A model with the board of a game, whose first piece takes these steps."""
    game = games.load(name)
    player = game.equipment.players[0]
    key = AutomatonKey(player, next(iter(game.equipment.pieces)), Role.FIRST)
    one, other = StateId(0), StateId(1)
    transitions = tuple((one, Letter(dx, dy, "e"), other) for dx, dy in sorted(steps))
    dfa = Dfa(key, 2, transitions, frozenset({other}))
    return Model(name, game.equipment, game.initial, (dfa,))


def test_six_ways_of_eight_make_hexagons() -> None:
    """Neighbours of a hexagon are equally far, and nothing else is as near."""
    data = board_data(model("abalone", SIX))
    assert data["shape"] == "hexagons"
    at = {each["name"]: (each["x"], each["y"]) for each in data["squares"]}
    assert len(at) == 19
    x, y = at["c3"]
    near = {name for name, (u, v) in at.items() if 0 < math.hypot(u - x, v - y) < 1.1}
    assert near == {"d3", "d4", "c4", "b3", "b2", "c2"}
    assert all(abs(math.hypot(at[n][0] - x, at[n][1] - y) - 1) < 0.01 for n in near)


@pytest.mark.parametrize(("name", "shape"), [("abalone", "grid"), ("checkers", "grid")])
def test_other_boards_are_grids(name: str, shape: str) -> None:
    data = board_data(model(name, [*SIX, (1, -1), (-1, 1)]))
    assert data["shape"] == shape
    assert data["squares"][0]["y"] > data["squares"][-1]["y"]


def test_links_are_lines_each_once() -> None:
    data = board_data(model("nine-mens-morris", [(1, 0)]))
    assert data["shape"] == "lines"
    assert len(data["squares"]) == 24
    assert len(data["lines"]) == 32
    assert all(both for _, _, both in data["lines"])
