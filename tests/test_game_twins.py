"""References against brute force: the rules told a second time, on rows of text, with no tables.

Each twin gives the legal turns of a position by origin and resulting rows, and the winner once
the game is over. It knows nothing of turns, boards or positions of the package.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from perft_tables import Table, tables

from grl.board import Position, make_position
from grl.games import Game, load, outcomes

Grid = dict[tuple[int, int], str]
Rows = tuple[str, ...]
Effects = set[tuple[str, Rows]]
Twin = Callable[[Grid, bool], tuple[Effects, str | None]]
"""From a grid and whether the first player moves: effects, and first, second, draw or None."""

AROUND = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


def grid_of(rows: Rows) -> Grid:
    return {(x, len(rows) - y): c for y, row in enumerate(rows) for x, c in enumerate(row, 1)}


def rows_of(grid: Grid) -> Rows:
    width, height = max(grid)
    return tuple("".join(grid[x, y] for x in range(1, width + 1)) for y in range(height, 0, -1))


def name(square: tuple[int, int]) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[square[0] - 1] + str(square[1])


def winner_by_line(grid: Grid, length: int) -> str | None:
    for key, result in (("x", "first"), ("o", "second")):
        for (x, y), (dx, dy) in product(grid, AROUND):
            if all(grid.get((x + n * dx, y + n * dy)) == key for n in range(length)):
                return result
    return None if "." in grid.values() else "draw"


def tic_tac_toe(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    over = winner_by_line(grid, 3)
    if over:
        return set(), over
    key = "x" if first else "o"
    return {(name(s), rows_of(grid | {s: key})) for s in grid if grid[s] == "."}, None


def connect_four(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    over = winner_by_line(grid, 4)
    if over:
        return set(), over
    key = "x" if first else "o"
    lowest = {s for s in grid if grid[s] == "." and grid.get((s[0], s[1] - 1)) != "."}
    return {(name(s), rows_of(grid | {s: key})) for s in lowest}, None


def breakthrough(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    _, height = max(grid)
    if any(grid[s] == "w" and s[1] == height for s in grid) or "b" not in grid.values():
        return set(), "first"
    if any(grid[s] == "b" and s[1] == 1 for s in grid) or "w" not in grid.values():
        return set(), "second"
    own, ahead = ("w", 1) if first else ("b", -1)
    effects = set()
    for start, end in product(grid, grid):
        aside = abs(end[0] - start[0])
        if grid[start] != own or end[1] - start[1] != ahead or aside > 1:
            continue
        if grid[end] == "." or (aside == 1 and grid[end] != own):
            effects.add((name(start), rows_of(grid | {start: ".", end: own})))
    return effects, None


def queen_reach(grid: Grid, start: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for dx, dy in AROUND:
        x, y = start[0] + dx, start[1] + dy
        while grid.get((x, y)) == ".":
            yield x, y
            x, y = x + dx, y + dy


def amazons(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    own = "q" if first else "Q"
    effects = set()
    for start in [s for s in grid if grid[s] == own]:
        for end in queen_reach(grid, start):
            moved = grid | {start: ".", end: own}
            for shot in queen_reach(moved, end):
                effects.add((name(start), rows_of(moved | {shot: "x"})))
    return effects, None if effects else "second" if first else "first"


def peg_solitaire(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    assert first
    effects = set()
    for (x, y), (dx, dy) in product(grid, AROUND):
        over, land = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        straight = dx == 0 or dy == 0
        if straight and grid[x, y] == grid.get(over) == "i" and grid.get(land) == ".":
            effects.add((name((x, y)), rows_of(grid | {(x, y): ".", over: ".", land: "i"})))
    if effects:
        return effects, None
    return effects, "first" if list(grid.values()).count("i") == 1 else "second"


def checkers(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    own, other, ahead, far = ("mk", "MK", 1, 8) if first else ("MK", "mk", -1, 1)

    def directions(piece: str) -> list[tuple[int, int]]:
        return [(dx, dy) for dx, dy in AROUND if dx and dy and (piece == own[1] or dy == ahead)]

    def jumps(now: Grid, at: tuple[int, int]) -> list[tuple[tuple[int, int], Grid, bool]]:
        found = []
        for dx, dy in directions(now[at]):
            over, land = (at[0] + dx, at[1] + dy), (at[0] + 2 * dx, at[1] + 2 * dy)
            if now.get(over, ".") in other and now.get(land) == ".":
                crowned = now[at] == own[0] and land[1] == far
                piece = own[1] if crowned else now[at]
                found.append((land, now | {at: ".", over: ".", land: piece}, crowned))
        return found

    captures: Effects = set()
    quiet: Effects = set()
    for start in [s for s in grid if grid[s] in own]:
        pending = [(land, after, crowned) for land, after, crowned in jumps(grid, start)]
        while pending:
            at, now, crowned = pending.pop()
            further = [] if crowned else jumps(now, at)
            pending += further
            if not further:
                captures.add((name(start), rows_of(now)))
        for dx, dy in directions(grid[start]):
            end = (start[0] + dx, start[1] + dy)
            if grid.get(end) == ".":
                piece = own[1] if end[1] == far else grid[start]
                quiet.add((name(start), rows_of(grid | {start: ".", end: piece})))
    effects = captures or quiet
    return effects, None if effects else "second" if first else "first"


TWINS: dict[str, Twin] = {
    "tic-tac-toe": tic_tac_toe,
    "connect-four": connect_four,
    "connect-four:width=5,height=4": connect_four,
    "connect-four:width=9,height=3": connect_four,
    "breakthrough": breakthrough,
    "breakthrough:width=6,height=6": breakthrough,
    "breakthrough:width=3,height=5": breakthrough,
    "checkers": checkers,
    "amazons": amazons,
    "amazons:width=6,height=6": amazons,
    "amazons:width=4,height=7": amazons,
    "peg-solitaire": peg_solitaire,
}


def scattered(game: Game, chance: random.Random) -> Position:
    """A position that need not come up in play: pieces anywhere, few or many."""
    keys = list(game.equipment.pieces)
    density = chance.choice((0.1, 0.3, 0.6))
    cells = [
        "#" if s in game.equipment.board.holes else chance.choice(keys) if chance.random() < density
        else "."
        for s in range(game.equipment.board.size)
    ]  # fmt: skip
    return make_position(
        game.equipment,
        game.equipment.board.rows("".join(cells)),
        chance.choice(game.equipment.players),
    )


def assert_same(game: Game, twin: Twin, position: Position) -> None:
    first = position.to_move == game.equipment.players[0]
    expected, over = twin(grid_of(tuple(position.rows)), first)
    found = outcomes(game, position)
    board = position.board
    assert {(origin, tuple(board.rows(out[0]))) for origin, out in found} == expected
    assert len(game.legal(position)) == len(expected)
    assert game.is_terminal(position) == (over is not None)
    if over is not None:
        shares = {"first": [100, 0], "second": [0, 100], "draw": [50, 50]}[over]
        assert list(game.goals(position).values()) == shares[: len(game.equipment.players)]


@pytest.mark.parametrize("spec", TWINS)
def test_random_games_run_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    whole_games = 1 if spec == "amazons" else 4
    for _ in range(whole_games):
        position = game.initial
        for ply in range(200):
            turns = game.legal(position)
            if len(turns) < 400 or ply % 12 == 0:
                assert_same(game, TWINS[spec], position)
            if not turns:
                break
            position = game.play(position, chance.choice(turns))


@pytest.mark.parametrize("spec", [s for s in TWINS if load(s).endgames()])
def test_endgames_are_alike(spec: str) -> None:
    game = load(spec)
    for position in game.endgames():
        assert_same(game, TWINS[spec], position)


SCATTERED = ["checkers", "amazons:width=6,height=6", "amazons:width=4,height=7", "peg-solitaire"]


@pytest.mark.parametrize("spec", SCATTERED)
def test_positions_from_outside_are_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    for _ in range(60):
        assert_same(game, TWINS[spec], scattered(game, chance))


UNPUBLISHED = [
    *tables("connect-four")[1:],
    *tables("breakthrough")[1:],
    *tables("amazons")[1:],
    *tables("peg-solitaire"),
]


@pytest.mark.parametrize("table", UNPUBLISHED, ids=lambda table: table.spec)
def test_perft_tables_without_a_published_source_come_out_by_brute_force(table: Table) -> None:
    game = load(table.spec)
    twin = {s.partition(":")[0]: t for s, t in TWINS.items()}[game.name]
    layer = {tuple(game.initial.rows): 1}
    counts = []
    for ply in range(len(table.counts)):
        following: dict[Rows, int] = {}
        total = 0
        for rows, ways in layer.items():
            effects, _ = twin(grid_of(rows), ply % len(game.equipment.players) == 0)
            total += ways * len(effects)
            for _, after in effects:
                following[after] = following.get(after, 0) + ways
        counts.append(total)
        layer = following
    assert tuple(counts) == table.counts
