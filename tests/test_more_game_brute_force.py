"""More references against brute force: games with captures, hands, extra turns and repetition.

Each brute force gets all that its rules may look at: rows, whether the first player moves, what
each player holds, and the earlier boards. It gives the legal turns by origin and the state they
lead to.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

import pytest
from grids import Grid, Rows, grid_of, name, rows_of
from perft_tables import Table, tables

from grl.board import Position, make_position
from grl.games import Game, load
from grl.turn import Turn

Square = tuple[int, int]


class State(NamedTuple):
    """A position as brute force sees it; `hands` are sorted letters, `past` the earlier boards."""

    rows: Rows
    first: bool
    hands: tuple[str, str] = ("", "")
    past: tuple[Rows, ...] = ()


Effects = set[tuple[str, State]]
Answer = tuple[Effects, str | None]
BruteForce = Callable[[State], Answer]
"""Effects, and first, second, draw or None while the game goes on."""

STRAIGHT = [(1, 0), (0, 1), (-1, 0), (0, -1)]
SLANTING = [(1, 1), (-1, 1), (-1, -1), (1, -1)]


def more(first: float, second: float) -> str:
    return "draw" if first == second else "first" if first > second else "second"


def near(s: Square) -> list[Square]:
    return [(s[0] + dx, s[1] + dy) for dx, dy in STRAIGHT]


def between(a: Square, b: Square) -> list[Square] | None:
    """The squares between two of one file or rank; None for others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if (dx == 0) == (dy == 0):
        return None
    n = max(abs(dx), abs(dy))
    return [(a[0] + i * dx // n, a[1] + i * dy // n) for i in range(1, n)]


def region(grid: Grid, start: Square) -> set[Square]:
    """What hangs together with `start`, of one content."""
    found: set[Square] = set()
    fresh = {start}
    while fresh:
        found |= fresh
        fresh = {t for s in fresh for t in near(s) if grid.get(t) == grid[start]} - found
    return found


def borders(grid: Grid, squares: set[Square]) -> set[str]:
    return {grid[t] for s in squares for t in near(s) if t in grid and t not in squares}


def go(state: State, superko: bool = True) -> Answer:
    grid = grid_of(state.rows)
    if len(state.past) > 1 and state.past[-1] == state.past[-2] == state.rows:
        area = Counter(grid.values())
        for s in grid:
            if grid[s] == "." and len(found := borders(grid, region(grid, s))) == 1:
                area.update(found)
        return set(), more(area["x"], area["o"])
    own, other = ("x", "o") if state.first else ("o", "x")
    past = (*state.past, state.rows)
    effects = {("pass", State(state.rows, not state.first, past=past))}
    for s in [s for s in grid if grid[s] == "."]:
        after = grid | {s: own}
        for key in (other, own):
            doomed = [t for t in after if after[t] == key]
            doomed = [t for t in doomed if "." not in borders(after, region(after, t))]
            if key == own and doomed:
                break
            after |= dict.fromkeys(doomed, ".")
        else:
            rows = rows_of(after)
            if rows not in (past if superko else past[-2:]):
                effects.add((name(s), State(rows, not state.first, past=past)))
    return effects, None


def brandub(state: State) -> Answer:
    grid = grid_of(state.rows)
    corners = {(1, 1), (1, 7), (7, 1), (7, 7)}
    throne = (4, 4)
    if "k" not in grid.values():
        return set(), "first"
    if any(grid[s] == "k" for s in corners):
        return set(), "second"
    own, other = ("a", "dk") if state.first else ("dk", "a")
    effects = set()
    for start, end in product(grid, grid):
        piece = grid[start]
        if piece not in own or grid[end] != ".":
            continue
        way = between(start, end)
        barred = set() if piece == "k" else corners | {throne}
        if way is None or barred & {*way, end}:
            continue
        if any(grid[s] != "." for s in [*way, end]):
            continue
        after = grid | {start: ".", end: piece}
        taken = []
        for x, y in near(end):
            if after.get((x, y), ".") not in other:
                continue
            behind = (2 * x - end[0], 2 * y - end[1])
            against = after.get(behind, "#")
            held = against in own or (behind in {*corners, throne} and against == ".")
            around = [after[s] in own or s == throne for s in near((x, y)) if s in after]
            if after[x, y] == "k" and throne in [(x, y), *near((x, y))]:
                held = all(around)
            if held:
                taken.append((x, y))
        rows = rows_of(after | dict.fromkeys(taken, "."))
        effects.add((name(start), State(rows, not state.first)))
    return effects, None if effects else more(not state.first, state.first)


SEEDS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def kalah(state: State) -> Answer:
    """The pits in a ring: south's houses, south's store, north's houses, north's store."""
    north, south = ([SEEDS.index(c) for c in row if c != "#"] for row in state.rows)
    ring = south + north[::-1]
    h = len(south) - 1
    sides = (slice(0, h), slice(h + 1, 2 * h + 1))
    if not (any(ring[sides[0]]) and any(ring[sides[1]])):
        return set(), more(sum(ring[: h + 1]), sum(ring[h + 1 :]))
    first, store, barred = (0, h, 2 * h + 1) if state.first else (h + 1, 2 * h + 1, h)
    effects = set()
    for start in range(first, first + h):
        pits = list(ring)
        pits[start] = 0
        at = start
        for _ in range(ring[start]):
            at = (at + 1) % len(pits)
            if at == barred:
                at = (at + 1) % len(pits)
            pits[at] += 1
        if first <= at < first + h and pits[at] == 1 and pits[2 * h - at]:
            pits[store] += 1 + pits[2 * h - at]
            pits[at] = pits[2 * h - at] = 0
        over = not (any(pits[sides[0]]) and any(pits[sides[1]]))
        if over:
            for side, own in zip(sides, (h, 2 * h + 1), strict=True):
                pits[own] += sum(pits[side])
                pits[side] = [0] * h
        text = "".join(SEEDS[n] for n in pits)
        rows = (text[:h:-1] + "#", "#" + text[: h + 1])
        square = (start + 2, 1) if state.first else (2 * h + 2 - start, 2)
        again = at == store and not over
        if ring[start]:
            effects.add((name(square), State(rows, state.first == again)))
    return effects, None


def brazilian_draughts(state: State) -> Answer:
    """A capture is followed on a board where what was taken has become `x`, which bars the way."""
    grid = grid_of(state.rows)
    man, king, others, ahead, far = ("m", "k", "MK", 1, 8) if state.first else (
        "M", "K", "mk", -1, 1
    )  # fmt: skip
    quiet: list[tuple[Square, Square, Grid]] = []
    pending: list[tuple[Square, Square, Grid]] = []
    for s in grid:
        if grid[s] in (man, king):
            pending.append((s, s, grid))
            for dx, dy in SLANTING:
                for n in range(1, 8 if grid[s] == king else 2 if dy == ahead else 1):
                    end = (s[0] + n * dx, s[1] + n * dy)
                    if grid.get(end) != ".":
                        break
                    quiet.append((s, end, grid | {s: ".", end: grid[s]}))
    layers = [quiet]
    while pending:
        following = []
        for start, at, now in pending:
            for (dx, dy), reach in product(SLANTING, range(2, 8)):
                line = [(at[0] + n * dx, at[1] + n * dy) for n in range(1, reach + 1)]
                seen = "".join(now.get(s, "#") for s in line)
                hit = [s for s in line if now.get(s, "") and now[s] in others]
                if seen.replace(".", "", reach - 1) not in tuple(others) or seen[-1] != ".":
                    continue
                if now[at] == king or reach == 2:
                    after = now | {at: ".", hit[0]: "x", line[-1]: now[at]}
                    following.append((start, line[-1], after))
        pending = following
        if following:
            layers.append(following)
    effects = set()
    for start, at, now in layers[-1]:
        after = {s: "." if c == "x" else c for s, c in now.items()}
        if after[at] == man and at[1] == far:
            after[at] = king
        effects.add((name(start), State(rows_of(after), not state.first)))
    return effects, None if effects else more(not state.first, state.first)


def shogi_reaches(key: str, dx: int, dy: int) -> bool:
    """Whether a piece of the player below goes so far."""
    if key == "P":
        return (dx, dy) == (0, 1)
    if max(abs(dx), abs(dy)) != 1 or key == "K":
        return key == "K" and max(abs(dx), abs(dy)) == 1
    if key == "S":
        return dy != 0 and (dx, dy) != (0, -1)
    return dy == 1 or dx * dy == 0


def seen_from_below(state: State) -> tuple[Grid, str, str]:
    """The board and the hands, own and other, as if the player to move were the first."""
    if state.first:
        return grid_of(state.rows), *state.hands
    rows = tuple(row[::-1].swapcase() for row in reversed(state.rows))
    own, other = (hand.swapcase() for hand in reversed(state.hands))
    return grid_of(rows), own, other


def turned_back(state: State, grid: Grid, own: str, other: str, start: Square) -> tuple[str, State]:
    """The effect of a turn seen from below, with the name of its square."""
    width, height = max(grid)
    rows, hands = rows_of(grid), ("".join(sorted(own)), "".join(sorted(other)))
    if state.first:
        return name(start), State(rows, False, hands)
    rows = tuple(row[::-1].swapcase() for row in reversed(rows))
    back = State(rows, True, (hands[1].swapcase(), hands[0].swapcase()))
    return name((width + 1 - start[0], height + 1 - start[1])), back


def shogi_safe(grid: Grid) -> bool:
    """Whether no piece of the player above reaches the king of the one below."""
    kings = [s for s in grid if grid[s] == "K"]
    return not any(
        grid[s].islower() and shogi_reaches(grid[s].upper(), s[0] - king[0], s[1] - king[1])
        for s, king in product(grid, kings)
    )


def gorogoro(state: State) -> Answer:
    grid, own, other = seen_from_below(state)
    effects = set()
    for start, end in product(grid, grid):
        key, taken = grid[start], grid[end]
        if not key.isupper() or taken.isupper() or taken == "k":
            continue
        if not shogi_reaches(key, end[0] - start[0], end[1] - start[1]):
            continue
        hand = own + {"n": "S", "t": "P", ".": ""}.get(taken, taken.upper())
        becomes = {key}
        if key in "PS" and max(start[1], end[1]) >= 5:
            becomes.add({"P": "T", "S": "N"}[key])
        if end[1] == 6:
            becomes.discard("P")
        for piece in becomes:
            after = grid | {start: ".", end: piece}
            if shogi_safe(after):
                effects.add(turned_back(state, after, hand, other, start))
    for key, s in product(sorted(set(own)), grid):
        after = grid | {s: key}
        if grid[s] != "." or not shogi_safe(after):
            continue
        effect = turned_back(state, after, own.replace(key, "", 1), other, s)
        if key == "P":
            same_file = any(grid[t] == "P" and t[0] == s[0] for t in grid)
            mates = grid.get((s[0], s[1] + 1)) == "k" and not gorogoro(effect[1])[0]
            if same_file or s[1] == 6 or mates:
                continue
        effects.add(effect)
    return effects, None if effects else more(not state.first, state.first)


def xiangqi_reaches(grid: Grid, start: Square, end: Square) -> bool:
    """Whether the piece of the player below on `start` can go to `end` or strike it."""
    key = grid[start]
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = sorted((abs(dx), abs(dy)))
    palace = 3 <= end[0] <= 5 and end[1] <= 3
    if key == "P":
        return (dx, dy) == (0, 1) or (far == [0, 1] and dy == 0 and start[1] > 4)
    if key == "K":
        if grid[end] == "k":
            return dx == 0 and xiangqi_reaches(grid | {start: "R"}, start, end)
        return palace and far == [0, 1]
    if key == "A":
        return palace and far == [1, 1]
    if key == "H":
        leg = (start[0] + int(dx / 2), start[1] + int(dy / 2))
        return far == [1, 2] and grid[leg] == "."
    way = between(start, end)
    if way is None:
        return False
    screens = sum(grid[s] != "." for s in way)
    return screens == (1 if key == "C" and grid[end] != "." else 0)


def xiangqi_safe(grid: Grid) -> bool:
    """Whether no piece of the player above strikes the general of the one below."""
    width, height = max(grid)
    above = {(width + 1 - x, height + 1 - y): c.swapcase() for (x, y), c in grid.items()}
    generals = [s for s in above if above[s] == "k"]
    own = [s for s in above if above[s].isupper()]
    return not any(xiangqi_reaches(above, s, g) for s, g in product(own, generals))


def small_xiangqi(state: State) -> Answer:
    grid, own, other = seen_from_below(state)
    effects = set()
    for start, end in product(grid, grid):
        if not grid[start].isupper() or grid[end].isupper() or grid[end] == "k":
            continue
        after = grid | {start: ".", end: grid[start]}
        if xiangqi_reaches(grid, start, end) and xiangqi_safe(after):
            effects.add(turned_back(state, after, own, other, start))
    return effects, None if effects else more(not state.first, state.first)


HEXAGONAL = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)]


def abalone(state: State, marbles: int = 5, lost: int = 2) -> Answer:
    """Each line of squares from edge to edge is a text, and a turn a replacement in it."""
    grid = grid_of(state.rows)
    few = [list(grid.values()).count(key) <= marbles - lost for key in "oO"]
    if any(few):
        return set(), more(few[1], few[0])
    own, other = "oO" if state.first else "Oo"
    pattern = re.compile(rf"({own}{{1,3}})({other}*)(\.|$)")
    effects = set()
    for start, (dx, dy) in product(grid, HEXAGONAL):
        if grid[start] == "#" or grid.get((start[0] - dx, start[1] - dy), "#") != "#":
            continue
        line = [(start[0] + n * dx, start[1] + n * dy) for n in range(max(grid)[0])]
        line = [s for s in line if grid.get(s, "#") != "#"]
        text = "".join(grid[s] for s in line)
        for i, s in enumerate(line):
            found = pattern.match(text, i)
            if found is None or len(found[2]) >= len(found[1]) or not found[2] + found[3]:
                continue
            after = f"{text[:i]}.{found[1]}{found[2]}{text[found.end() :]}"
            rows = rows_of(grid | dict(zip(line, after, strict=False)))
            effects.add((name(s), State(rows, not state.first)))
    return effects, None if effects else more(not state.first, state.first)


def arimaa_steps(state: State) -> Answer:
    """A push and a pull alike move two pieces one square on along three squares in a row or bent.

    Both begin, as they are written, with the piece in the middle.
    """
    grid, own, other = seen_from_below(state)
    won = {True: more(state.first, not state.first), False: more(not state.first, state.first)}
    ends = {(c, s[1]) for s, c in grid.items()}
    for over, mine in (
        (("r", 1) in ends, False),
        (("R", 5) in ends, True),
        ("R" not in grid.values(), False),
        ("r" not in grid.values(), True),
    ):
        if over:
            return set(), won[mine]

    def force(s: Square) -> int:
        return ".rcde".index(grid.get(s, ".").lower())

    def mobile(s: Square) -> bool:
        beside = [t for t in near(s) if t in grid]
        held = any(grid[t].islower() and force(t) > force(s) for t in beside)
        return grid[s].isupper() and (not held or any(grid[t].isupper() for t in beside))

    moved: list[tuple[Square, Grid]] = []
    for middle, front in product(grid, grid):
        if front not in near(middle) or grid[middle] == "." or grid[front] != ".":
            continue
        step = grid | {front: grid[middle], middle: "."}
        if mobile(middle) and (grid[middle], front[1] - middle[1]) != ("R", -1):
            moved.append((middle, step))
        for rear in near(middle):
            if grid.get(rear, ".") == "." or grid[rear].isupper() == grid[middle].isupper():
                continue
            strong, weak = (rear, middle) if grid[rear].isupper() else (middle, rear)
            if mobile(strong) and force(strong) > force(weak):
                moved.append((middle, step | {middle: grid[rear], rear: "."}))
    effects = set()
    for start, after in moved:
        for trap in ((2, 3), (4, 3)):
            friends = str.isupper if after[trap].isupper() else str.islower
            if not any(friends(after[s]) for s in near(trap)):
                after[trap] = "."
        effects.add(turned_back(state, after, own, other, start))
    return effects, None if effects else won[False]


BRUTE_FORCE: dict[str, BruteForce] = {
    "go": go,
    "go:superko=0": partial(go, superko=False),
    "go:size=2": go,
    "go:size=3": go,
    "brandub": brandub,
    "small-xiangqi": small_xiangqi,
    "gorogoro": gorogoro,
    "brazilian-draughts": brazilian_draughts,
    "kalah": kalah,
    "kalah:houses=6,seeds=4": kalah,
    "kalah:houses=2,seeds=8": kalah,
    "abalone": abalone,
    "abalone:lost=5": partial(abalone, lost=5),
    "abalone:side=4": partial(abalone, marbles=9),
    "arimaa-steps": arimaa_steps,
}
WITH_PAST = {"go"}
CONFINED = {"small-xiangqi": {"KA": "123", "ka": "567"}}
SINGLE = {"brandub": "k", "small-xiangqi": "kK", "gorogoro": "kK"}


def state_of(game: Game, position: Position) -> State:
    players = game.equipment.players
    hands = [
        "".join(sorted(k * n for p, k, n in position.stock if p == player)) for player in players
    ]
    past: tuple[Rows, ...] = ()
    if game.name in WITH_PAST:
        past = tuple(tuple(position.board.rows(entry.cells)) for entry in position.trail or ())
    first = position.to_move == players[0]
    return State(tuple(position.rows), first, (hands[0], hands[1]), past)


def assert_same(game: Game, brute_force: BruteForce, position: Position) -> None:
    expected, over = brute_force(state_of(game, position))
    turns = game.legal(position)
    found = {(Turn.parse(turn).origin, state_of(game, game.play(position, turn))) for turn in turns}
    assert found == expected
    assert len(turns) == len(expected)
    assert game.is_terminal(position) == (over is not None)
    if over is not None:
        shares = {"first": [100, 0], "second": [0, 100], "draw": [50, 50]}[over]
        assert list(game.goals(position).values()) == shares


def scattered(game: Game, chance: random.Random) -> Position:
    """A position that need not come up in play: pieces anywhere, few or many; one king."""
    keys = list(game.equipment.pieces)
    density = chance.choice((0.1, 0.3, 0.6))
    board = game.equipment.board
    cells = [
        "#" if s in board.holes else chance.choice(keys) if chance.random() < density else "."
        for s in range(board.size)
    ]
    for keys, ranks in CONFINED.get(game.name, {}).items():
        home = {board.square(file + rank) for file in "cde" for rank in ranks}
        for s in board.squares:
            if cells[s] in keys and s not in home:
                cells[s] = "."
    for key in SINGLE.get(game.name, ""):
        for s in [s for s in board.squares if cells[s] == key][1:]:
            cells[s] = "."
    hands = {player: {key: chance.randrange(3)} for player, key in game.equipment.stocked}
    mover = chance.choice(game.equipment.players)
    return make_position(game.equipment, board.rows("".join(cells)), mover, hands)


def playout(game: Game, chance: random.Random, plies: int) -> Iterator[Position]:
    position = game.initial
    yield position
    for _ in range(plies):
        turns = game.legal(position)
        if not turns:
            return
        position = game.play(position, chance.choice(turns))
        yield position


@pytest.mark.parametrize("spec", BRUTE_FORCE)
def test_random_games_run_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    for _ in range(2):
        for position in playout(game, chance, 60):
            assert_same(game, BRUTE_FORCE[spec], position)


@pytest.mark.parametrize(
    "spec", [s for s in BRUTE_FORCE if type(load(s)).endgames is not Game.endgames]
)
def test_endgames_are_alike(spec: str) -> None:
    game = load(spec)
    for position in game.endgames()[::2]:
        assert_same(game, BRUTE_FORCE[spec], position)


SCATTERED = [
    "brandub",
    "small-xiangqi",
    "gorogoro",
    "brazilian-draughts",
    "abalone",
    "abalone:lost=5",
    "abalone:side=4",
    "arimaa-steps",
]


@pytest.mark.parametrize("spec", SCATTERED)
def test_positions_from_outside_are_alike(spec: str) -> None:
    game = load(spec)
    chance = random.Random(spec)
    for _ in range(40):
        assert_same(game, BRUTE_FORCE[spec], scattered(game, chance))


UNPUBLISHED = [
    *tables("go"),
    *tables("brandub"),
    *tables("gorogoro"),
    *tables("kalah"),
    *tables("small-xiangqi"),
    *tables("abalone"),
    *tables("arimaa-steps"),
]


@pytest.mark.parametrize("table", UNPUBLISHED, ids=lambda table: table.spec)
def test_perft_tables_come_out_by_brute_force(table: Table) -> None:
    game = load(table.spec)
    brute_force = BRUTE_FORCE.get(table.spec) or BRUTE_FORCE[game.name]
    layer = Counter([state_of(game, game.initial)])
    counts: list[int] = []
    for ply in range(len(table.counts)):
        following: Counter[State] = Counter()
        total = 0
        for state, ways in layer.items():
            effects = brute_force(state)[0]
            total += ways * len(effects)
            if ply + 1 < len(table.counts):
                for _, after in effects:
                    following[after] += ways
        counts.append(total)
        layer = following
    assert tuple(counts) == table.counts


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_play_reaches_as_many_boards_of_go_as_tromp_counts_legal(size: int, count: int) -> None:
    game = load(f"go:size={size}")
    swap = str.maketrans("xo", "ox")
    met = {game.initial.cells}
    fresh = [game.initial.cells]
    while fresh:
        position = make_position(game.equipment, game.equipment.board.rows(fresh.pop()), "black")
        following = {game.play(position, turn).cells for turn in game.legal(position)}
        following |= {cells.translate(swap) for cells in following}
        fresh += following - met
        met |= following
    assert len(met) == count
