"""Positions to compare on reach every kind of ending, with every result, often enough."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from race import Race

from grl import fresh
from grl.board import EMPTY, Player, Position, make_position
from grl.errors import GameError
from grl.fresh import ENDINGS, fresh_positions
from grl.games import Game, available, load

WANTED = 10
"""Of each kind, where this is all the same to the test; more games only repeat what these show."""
IDLE = {"abalone": 120}
"""Games in a row that bring no other ending, where it takes long to see that there are so few."""

WON, LOST, DRAWN = (100, 0), (0, 100), (50, 50)
BOTH = (WON, LOST)

KINDS: dict[str, dict[tuple[str, tuple[int, ...]], int]] = {
    "tic-tac-toe": {("line", WON): 50, ("line", LOST): 50, ("board full", DRAWN): 8},
    **{
        spec: {("line", WON): 50, ("line", LOST): 50, ("board full", DRAWN): 50}
        for spec in (
            "connect-four",
            "connect-four:width=5,height=4",
            "connect-four:width=9,height=7,line=5",
        )
    },
    **{
        spec: dict.fromkeys(product(("far rank", "no pawn left"), BOTH), 50)
        for spec in ("breakthrough", "breakthrough:width=6,height=6")
    },
    "checker-bt": dict.fromkeys(product(("far rank", "no turn"), BOTH), 50),
    "checker-bt:capturing=1": dict.fromkeys(
        product(("far rank", "no man left", "no turn"), BOTH), 50
    ),
    "chess-bt": dict.fromkeys(product(("far rank", "no piece left", "no turn"), BOTH), 50),
    **{
        spec: dict.fromkeys(product(("no piece left", "no turn"), BOTH), 50)
        for spec in ("checkers", "checkers:continuing=1")
    },
    **{
        spec: {("no turn", goals): 50 for goals in BOTH}
        for spec in ("amazons", "amazons:width=6,height=6")
    },
    "peg-solitaire": {("no jump", (0,)): 50, ("one peg left", (100,)): 26},
    "five-field-kono": {
        ("all at the goal", WON): 50,
        ("all at the goal", LOST): 50,
        ("no turn", DRAWN): 50,
    },
    **{
        spec: dict.fromkeys(product(("two men left", "no turn"), BOTH), 50)
        for spec in ("nine-mens-morris", "nine-mens-morris:flying=1")
    },
    "asalto": {
        ("fortress full", WON): 50,
        ("few soldiers", LOST): 50,
        ("no turn", WON): 50,
        ("no turn", LOST): 50,
    },
    "fifteen-puzzle": {("in order", (100,)): 1},
    "eight-puzzle": {("in order", (100,)): 1},
    "buttons-and-lights": {("all burn", (100,)): 1, ("some dark", (0,)): 7},
    "graph-game": {("hole", (0,)): 1, ("victory", (100,)): 1},
    "go": {
        ("more area for black", WON): 50,
        ("more area for white", LOST): 50,
        ("equal area", DRAWN): 50,
    },
    "brazilian-draughts": dict.fromkeys(product(("no piece left", "no turn"), BOTH), 50),
    **{
        spec: dict.fromkeys(product(("mate", "no turn"), BOTH), 50)
        for spec in ("gorogoro", "small-xiangqi")
    },
    "chess": {("mate", WON): 50, ("mate", LOST): 50, ("stalemate", DRAWN): 50},
    "kalah": {
        ("more seeds", WON): 10,
        ("more seeds", LOST): 10,
        ("draw", DRAWN): 2,
    },
    "abalone": {
        ("marbles lost", WON): 50,
        ("marbles lost", LOST): 50,
        ("no turn", WON): 6,
        ("no turn", LOST): 6,
    },
    "arimaa-steps": dict.fromkeys(
        product(("rabbit at its goal", "no rabbit left", "no turn"), BOTH), 50
    ),
    "brandub": {
        ("king taken", WON): 50,
        ("king in a corner", LOST): 50,
        ("no turn", WON): 50,
        ("no turn", LOST): 50,
    },
}
"""For each game its kinds of endings with their goals, and how many are met at the least.

Below 50 are kinds of which there are not as many: 16 draws of tic-tac-toe, 33 single pegs, 24 ways
to divide the seeds of Kalah, 6 boards on which a player of Abalone is shut in.
"""


def endings(game: Game, positions: int, seed: int = 0, wanted: int = ENDINGS) -> list[Position]:
    return [p for p, legal in fresh_positions(game, positions, seed, wanted) if not legal]


def kind(game: Game, position: Position) -> tuple[str, tuple[int, ...]]:
    return game.ending(position), tuple(game.goals(position).values())


@pytest.mark.parametrize("spec", KINDS)
def test_every_kind_of_ending_is_met_with_every_result(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "IDLE_ENDINGS", IDLE.get(spec, fresh.IDLE_ENDINGS))
    game = load(spec)
    met = endings(game, 200, wanted=WANTED)
    assert len({p.outcome for p in met}) == len(met)
    found = Counter(kind(game, p) for p in met)
    assert set(found) == set(KINDS[spec])
    enough = {k: min(n, WANTED) for k, n in KINDS[spec].items()}
    assert {k: min(n, found[k]) for k, n in enough.items()} == enough


def test_every_registered_game_of_the_project_is_asked() -> None:
    own = {name for name, entry in available().items() if entry.value.startswith("grl_games.")}
    assert own <= {spec.partition(":")[0] for spec in KINDS}


def test_tic_tac_toe_has_16_drawn_boards() -> None:
    game = load("tic-tac-toe")
    full = ("".join(cells) for cells in product("xo", repeat=9) if cells.count("x") == 5)
    boards = (make_position(game.equipment, [c[:3], c[3:6], c[6:]], "o") for c in full)
    assert sum(kind(game, board) == ("board full", DRAWN) for board in boards) == 16


@pytest.mark.parametrize("spec", KINDS)
def test_a_game_that_goes_on_has_no_kind_of_ending(spec: str) -> None:
    game = load(spec)
    with pytest.raises(GameError):
        game.ending(game.initial)


def test_a_game_that_does_not_name_its_endings_has_one_kind() -> None:
    game = Race()
    assert {game.ending(p) for p in endings(game, 20)} == {"over"}


def test_endings_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    game = load("connect-four:width=5,height=4")
    one = [p.outcome for p in endings(game, 100, 1)]
    assert one == [p.outcome for p in endings(game, 100, 1)]
    assert one != [p.outcome for p in endings(game, 100, 2)]


def test_as_many_endings_come_as_are_asked_for_and_none_on_top_for_0() -> None:
    game = load("connect-four:width=5,height=4")
    few = [p for p, legal in fresh_positions(game, 40, 0, endings=0) if not legal]
    many = Counter(kind(game, p) for p in endings(game, 40))
    assert len(few) < ENDINGS
    assert min(many.values()) >= ENDINGS


def test_of_an_ending_with_many_results_fewer_of_each_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = load("connect-four:width=5,height=4")

    def stones(position: Position) -> dict[Player, int]:
        number = sum(cell != EMPTY for cell in position.cells)
        return dict(zip(game.equipment.players, (number, 100 - number), strict=True))

    monkeypatch.setattr(game, "goals", stones)
    wide = Counter(kind(game, p) for p in endings(game, 200))
    lines = [n for (ending, _), n in wide.items() if ending == "line"]
    monkeypatch.setattr(fresh, "MOST_RESULTS", len(lines))
    whole = Counter(kind(game, p) for p in endings(game, 200))

    assert len(lines) > 8
    assert wide.total() < whole.total()
    assert sum(n >= ENDINGS * 8 / len(lines) for n in lines) > len(lines) / 2
    assert wide["board full", (20, 80)] >= ENDINGS
