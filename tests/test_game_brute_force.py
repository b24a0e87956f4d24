"""References against brute force: the rules written a second time, on rows of text, without tables.

Each brute force gives the legal turns of a position by origin and resulting rows, and the winner
once the game is over. It knows nothing of turns, boards or positions of the package. Where players
hold men in hand it is given how many.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest
from grids import AROUND, Effects, Grid, Rows, grid_of, name, rows_of
from perft_tables import Table, tables

from grl.board import Position, make_position
from grl.games import Game, load, outcomes

BruteForce = Callable[..., tuple[Effects, str | None]]
"""From a grid, whether the first player moves and, if any, the men in hand by player: effects,
and first, second, draw or None."""


def winner_by_line(grid: Grid, length: int) -> str | None:
    for key, result in (("x", "first"), ("o", "second")):
        for (x, y), (dx, dy) in product([s for s in grid if grid[s] == key], AROUND):
            if all(grid.get((x + n * dx, y + n * dy)) == key for n in range(1, length)):
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
    for start, end in product([s for s in grid if grid[s] == own], grid):
        aside = abs(end[0] - start[0])
        if end[1] - start[1] != ahead or aside > 1:
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


def checkers(grid: Grid, first: bool, continuing: bool = False) -> tuple[Effects, str | None]:
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
            further = [] if crowned and not continuing else jumps(now, at)
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


def both_or_one(first: bool, second: bool) -> str | None:
    return "draw" if first and second else "first" if first else "second" if second else None


def checker_bt(grid: Grid, first: bool, capturing: bool = False) -> tuple[Effects, str | None]:
    own, other, ahead = ("m", "M", 1) if first else ("M", "m", -1)
    over = both_or_one(
        any(grid[x, y] == "m" and y == 8 for x, y in grid),
        any(grid[x, y] == "M" and y == 1 for x, y in grid),
    )
    if over:
        return set(), over
    effects = set()
    for x, y in [s for s in grid if grid[s] == own]:
        for dx in (-1, 1):
            if grid.get((x + dx, y + ahead)) == ".":
                moved = grid | {(x, y): ".", (x + dx, y + ahead): own}
                effects.add((name((x, y)), rows_of(moved)))
        pending = [((x, y), grid)]
        while pending:
            (at_x, at_y), now = pending.pop()
            for dx in (-1, 1):
                middle, land = (at_x + dx, at_y + ahead), (at_x + 2 * dx, at_y + 2 * ahead)
                if now.get(middle) == other and now.get(land) == ".":
                    after = now | {(at_x, at_y): ".", land: own}
                    if capturing:
                        after[middle] = "."
                    effects.add((name((x, y)), rows_of(after)))
                    pending.append((land, after))
    return effects, None if effects else "second" if first else "first"


def chess_reaches(grid: Grid, start: tuple[int, int], end: tuple[int, int]) -> bool:
    kind = grid[start]
    dx, dy = end[0] - start[0], end[1] - start[1]
    less, more = sorted((abs(dx), abs(dy)))
    if kind in "Pp":
        return dy == (1 if kind == "P" else -1) and abs(dx) == (0 if grid[end] == "." else 1)
    if kind in "Kk":
        return more == 1
    if kind in "Nn":
        return (less, more) == (1, 2)
    if not ((less == more and kind in "BbQq") or (less == 0 and kind in "RrQq")):
        return False
    x, y = dx // more, dy // more
    return all(grid[start[0] + n * x, start[1] + n * y] == "." for n in range(1, more))


def chess_bt(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    over = both_or_one(
        any(grid[x, 8] in "PN" for x in range(1, 9)), any(grid[x, 1] in "pn" for x in range(1, 9))
    )
    if over:
        return set(), over
    own = {s for s in grid if grid[s] != "." and grid[s].isupper() == first}
    effects = {
        (name(start), rows_of(grid | {start: ".", end: grid[start]}))
        for start, end in product(own, set(grid) - own)
        if chess_reaches(grid, start, end)
    }
    return effects, None if effects else "second" if first else "first"


def five_field_kono(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    low = {(x, y) for x, y in grid if y == 1 or (y == 2 and x in {1, 5})}
    high = {(x, 6 - y) for x, y in low}
    over = both_or_one(all(grid[s] == "m" for s in high), all(grid[s] == "M" for s in low))
    if over:
        return set(), over
    own = "m" if first else "M"
    effects = {
        (name(a), rows_of(grid | {a: ".", b: own}))
        for a, b in product([s for s in grid if grid[s] == own], grid)
        if grid[b] == "." and abs(a[0] - b[0]) == abs(a[1] - b[1]) == 1
    }
    return effects, None if effects else "draw"


SIDES = [[(n, s) for n in (-1, 0, 1)] for s in (-1, 1)]
SIDES += [[(y, x) for x, y in side] for side in SIDES]
MORRIS_MILLS = [{(4 + d * x, 4 + d * y) for x, y in side} for d in (1, 2, 3) for side in SIDES]
MORRIS_MILLS += [
    {(4 + d * x, 4 + d * y) for d in (1, 2, 3)} for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))
]


def morris_neighbours(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a != b and any(
        {a, b} <= mill and not any(min(a, b) < c < max(a, b) for c in mill) for mill in MORRIS_MILLS
    )


def nine_mens_morris(
    grid: Grid, first: bool, in_hand: tuple[int, int], flying: bool = False
) -> tuple[Effects, str | None]:
    own, other, me = ("m", "M", 0) if first else ("M", "m", 1)
    men = [list(grid.values()).count(key) + n for key, n in zip("mM", in_hand, strict=True)]
    over = both_or_one(men[1] < 3, men[0] < 3)
    if over:
        return set(), over
    arrivals = []
    if in_hand[me]:
        arrivals = [(end, end, grid | {end: own}) for end in grid if grid[end] == "."]
    else:
        mine, free = ([s for s in grid if grid[s] == key] for key in (own, "."))
        for start, end in product(mine, free):
            if (flying and men[me] == 3) or morris_neighbours(start, end):
                arrivals.append((start, end, grid | {start: ".", end: own}))
    effects = set()
    for origin, end, after in arrivals:
        closed = [m for m in MORRIS_MILLS if {after[s] for s in m} in ({"m"}, {"M"})]
        if not any(end in mill for mill in closed):
            effects.add((name(origin), rows_of(after)))
            continue
        victims = {s for s in after if after[s] == other}
        for victim in victims.difference(*closed) or victims:
            effects.add((name(origin), rows_of(after | {victim: "."})))
    return effects, None if effects else "second" if first else "first"


def asalto(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    if all(grid[x, y] == "s" for x in (3, 4, 5) for y in (5, 6, 7)):
        return set(), "first"
    if list(grid.values()).count("s") < 9:
        return set(), "second"

    def linked(x: int, y: int, dx: int, dy: int) -> bool:
        return dx == 0 or dy == 0 or (x + y) % 2 == 0

    effects = set()
    for (x, y), (dx, dy) in product(grid, AROUND):
        end = (x + dx, y + dy)
        if not linked(x, y, dx, dy) or grid.get(end) != ".":
            continue
        inwards = dy == 0 and (x - 4) * dx < 0
        if grid[x, y] == ("s" if first else "O") and (not first or dy == 1 or inwards):
            effects.add((name((x, y)), rows_of(grid | {(x, y): ".", end: grid[x, y]})))
    pending = [] if first else [(s, s, grid) for s in grid if grid[s] == "O"]
    while pending:
        origin, (x, y), now = pending.pop()
        for dx, dy in AROUND:
            middle, land = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if linked(x, y, dx, dy) and now.get(middle) == "s" and now.get(land) == ".":
                after = now | {(x, y): ".", middle: ".", land: "O"}
                effects.add((name(origin), rows_of(after)))
                pending.append((origin, land, after))
    return effects, None if effects else "second" if first else "first"


def sliding(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    assert first
    read = "".join(rows_of(grid))
    if read[-1] == "." and list(read[:-1]) == sorted(read[:-1]):
        return set(), "first"
    return {
        (name(a), rows_of(grid | {a: ".", b: grid[a]}))
        for a, b in product(grid, grid)
        if grid[b] == "." != grid[a] and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    }, None


def graph_game(grid: Grid, first: bool) -> tuple[Effects, str | None]:
    assert first
    (row,) = rows_of(grid)
    if row in {"i...", "...i"}:
        return set(), "first" if row == "...i" else "second"
    after = {".i..": ("i...", "..i."), "..i.": (".i..", "...i")}[row]
    return {("abcd"[row.index("i")] + "1", (to,)) for to in after}, None


BRUTE_FORCE: dict[str, BruteForce] = {
    "tic-tac-toe": tic_tac_toe,
    "connect-four": connect_four,
    "connect-four:width=5,height=4": connect_four,
    "connect-four:width=9,height=3": connect_four,
    "breakthrough": breakthrough,
    "breakthrough:width=6,height=6": breakthrough,
    "breakthrough:width=3,height=5": breakthrough,
    "checkers": checkers,
    "checkers:continuing=1": partial(checkers, continuing=True),
    "checker-bt": checker_bt,
    "checker-bt:capturing=1": partial(checker_bt, capturing=True),
    "chess-bt": chess_bt,
    "five-field-kono": five_field_kono,
    "nine-mens-morris": nine_mens_morris,
    "nine-mens-morris:flying=1": partial(nine_mens_morris, flying=True),
    "asalto": asalto,
    "fifteen-puzzle": sliding,
    "fifteen-puzzle:width=3,height=2": sliding,
    "eight-puzzle": sliding,
    "graph-game": graph_game,
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
        {player: {key: chance.randrange(3)} for player, key in game.equipment.stocked},
    )


def assert_same(game: Game, brute_force: BruteForce, position: Position) -> None:
    first = position.to_move == game.equipment.players[0]
    held = {player: count for player, _, count in position.stock}
    in_hand = [tuple(held[player] for player in game.equipment.players)] if held else []
    expected, over = brute_force(grid_of(tuple(position.rows)), first, *in_hand)
    found = outcomes(game, position)
    board = position.board
    assert {(origin, tuple(board.rows(out[0]))) for origin, out in found} == expected
    assert len(game.legal(position)) == len(expected)
    assert game.is_terminal(position) == (over is not None)
    if over is not None:
        shares = {"first": [100, 0], "second": [0, 100], "draw": [50, 50]}[over]
        assert list(game.goals(position).values()) == shares[: len(game.equipment.players)]


@pytest.mark.parametrize("spec", BRUTE_FORCE)
def test_random_games_run_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    whole_games = 1 if spec == "amazons" else 3
    for _ in range(whole_games):
        position = game.initial
        for ply in range(200):
            turns = game.legal(position)
            if len(turns) < 400 or ply % 12 == 0:
                assert_same(game, BRUTE_FORCE[spec], position)
            if not turns:
                break
            position = game.play(position, chance.choice(turns))


@pytest.mark.parametrize(
    "spec", [s for s in BRUTE_FORCE if type(load(s)).endgames is not Game.endgames]
)
def test_endgames_are_alike(spec: str) -> None:
    game = load(spec)
    for position in game.endgames():
        assert_same(game, BRUTE_FORCE[spec], position)


SCATTERED = [
    "checkers",
    "checkers:continuing=1",
    "amazons:width=6,height=6",
    "amazons:width=4,height=7",
    "peg-solitaire",
    "checker-bt",
    "checker-bt:capturing=1",
    "chess-bt",
    "five-field-kono",
    "nine-mens-morris",
    "nine-mens-morris:flying=1",
    "asalto",
]


@pytest.mark.parametrize("spec", SCATTERED)
def test_positions_from_outside_are_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    for _ in range(40):
        assert_same(game, BRUTE_FORCE[spec], scattered(game, chance))


UNPUBLISHED = [
    *tables("connect-four")[1:],
    *tables("breakthrough")[1:],
    *tables("amazons")[1:],
    *tables("peg-solitaire"),
    *tables("checker-bt"),
    *tables("chess-bt"),
    *tables("asalto"),
    *tables("fifteen-puzzle"),
    *tables("eight-puzzle"),
    *tables("graph-game"),
]


@pytest.mark.parametrize("table", UNPUBLISHED, ids=lambda table: table.spec)
def test_perft_tables_without_a_published_source_come_out_by_brute_force(table: Table) -> None:
    game = load(table.spec)
    brute_force = BRUTE_FORCE.get(table.spec) or BRUTE_FORCE[game.name]
    layer = {tuple(game.initial.rows): 1}
    counts = []
    for ply in range(len(table.counts)):
        following: dict[Rows, int] = {}
        total = 0
        for rows, ways in layer.items():
            effects, _ = brute_force(grid_of(rows), ply % len(game.equipment.players) == 0)
            total += ways * len(effects)
            if ply + 1 < len(table.counts):
                for _, after in effects:
                    following[after] = following.get(after, 0) + ways
        counts.append(total)
        layer = following
    assert tuple(counts) == table.counts
