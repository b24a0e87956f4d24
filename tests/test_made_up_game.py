"""The made-up game, against a second implementation that shares nothing with the first."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from made_up_game import BLACK, WHITE, MadeUp

from grl.board import Position, make_position
from grl.errors import GameError
from grl.fresh import fresh_positions
from grl.games import outcomes

Rows = tuple[str, ...]
Effect = tuple[str, Rows, bool]
"""First square, rows afterwards, and whether white is then to move."""


def second_rules(rows: Rows, white: bool) -> tuple[set[Effect], tuple[str, tuple[int, int]] | None]:
    """All effects of legal turns, and how the game has ended, if it has.

    Every pair of squares is asked whether a piece may go from one to the other.
    """
    grid = {(x, 5 - i): c for i, row in enumerate(rows) for x, c in enumerate(row, 1) if c != "#"}
    walkers = [[at for at, c in grid.items() if c == key] for key in "wW"]
    lamps = [[at for at, c in grid.items() if c == key] for key in "lL"]
    lit = [
        any((x - 1, y) in mine and (x + 1, y) in mine for x, y in shining)
        for mine, shining in zip(walkers, lamps, strict=True)
    ]
    few = [len(mine) < 3 for mine in walkers]
    for name, flags, (yes, no) in (
        ("lamp between walkers", lit, (100, 0)),
        ("few walkers", few, (25, 75)),
    ):
        if any(flags):
            first, second = ((yes if flag else no) for flag in flags)
            return set(), (name, (50, 50) if all(flags) else (first, second))
    found: dict[bool, set[Effect]] = {True: set(), False: set()}
    mine, ahead = (walkers[0], 1) if white else (walkers[1], -1)
    for (x, y), piece in grid.items():
        if piece not in ("wl" if white else "WL"):
            continue
        for (tx, ty), there in grid.items():
            dx, dy = tx - x, ty - y
            corner = tx in (1, 7) and ty in (1, 5)
            takes = there != "." and there.islower() != white
            if piece in "wW":
                steps = abs(dx) + abs(dy) == 1 and there == "."
                fits = steps or (takes and abs(dx) == 1 and dy == ahead)
            else:
                between = grid.get(((x + tx) // 2, (y + ty) // 2)) if abs(dx) == 2 else "."
                slides = abs(dx) == abs(dy) in (1, 2) and there == between == "."
                fits = slides and any(max(abs(wx - tx), abs(wy - ty)) == 1 for wx, wy in mine)
            if fits and not corner:
                after = grid | {(x, y): ".", (tx, ty): piece}
                drawn = tuple(
                    "".join(after.get((i, j), "#") for i in range(1, 8)) for j in range(5, 0, -1)
                )
                again = piece in "lL" and ty == 3
                found[takes].add((f"{'abcdefg'[x - 1]}{y}", drawn, white == again))
    effects = found[True] or found[False]
    if effects:
        return effects, None
    return set(), ("no turn", (40, 35) if white else (35, 40))


def assert_same(game: MadeUp, position: Position) -> None:
    effects, over = second_rules(tuple(position.rows), position.to_move == WHITE)
    found = {
        (text.split()[0], tuple(after.rows), after.to_move == WHITE)
        for text in game.legal(position)
        for after in [game.play(position, text)]
    }
    assert found == effects
    assert len(game.legal(position)) == len(outcomes(game, position)) == len(effects)
    assert game.is_terminal(position) == (over is not None)
    if over is None:
        with pytest.raises(GameError):
            game.goals(position)
    else:
        assert (game.ending(position), tuple(game.goals(position).values())) == over


def test_random_games_run_alike() -> None:
    game = MadeUp()
    chance = random.Random(7)
    for start in [game.initial] * 6 + game.endgames():
        position = start
        for _ in range(120):
            assert_same(game, position)
            turns = game.legal(position)
            if not turns:
                break
            position = game.play(position, chance.choice(turns))


def test_positions_from_outside_are_alike() -> None:
    game = MadeUp()
    chance = random.Random(8)
    for _ in range(300):
        pieces = chance.choices("wlWL.", (3, 1, 3, 1, chance.choice((1, 5, 12))), k=35)
        holes = game.equipment.board.holes
        cells = "".join("#" if s in holes else pieces[s] for s in range(35))
        rows = game.equipment.board.rows(cells)
        assert_same(game, make_position(game.equipment, rows, chance.choice((WHITE, BLACK))))


def perft_again(rows: Rows, white: bool, depth: int) -> int:
    effects, _ = second_rules(rows, white)
    if depth == 1:
        return len(effects)
    return sum(perft_again(after, mover, depth - 1) for _, after, mover in effects)


def test_perft_agrees_with_the_second_implementation() -> None:
    game = MadeUp()
    counts = [game.perft(game.initial, depth) for depth in (1, 2, 3)]
    assert counts == [perft_again(tuple(game.initial.rows), True, depth) for depth in (1, 2, 3)]


# The walkers on c1 and e1 and both lamps are shut in.
FIRST_TURNS = {
    "a2": 2,  # a3 and b2; a1 is a corner
    "c2": 3,  # c3, b2, d2
    "e2": 3,  # e3, d2, f2
    "g2": 2,  # g3 and f2; g1 is a corner
}


def test_the_first_turns_counted_by_hand() -> None:
    game = MadeUp()
    assert Counter(text.split()[0] for text in game.legal(game.initial)) == FIRST_TURNS


def test_every_kind_of_ending_comes_about_with_every_result() -> None:
    game = MadeUp()
    met = Counter(
        (game.ending(p), tuple(game.goals(p).values()))
        for p, legal in fresh_positions(game, 40, 1, endings=25)
        if not legal
    )
    assert set(met) == {
        ("lamp between walkers", (100, 0)),
        ("lamp between walkers", (0, 100)),
        ("few walkers", (25, 75)),
        ("few walkers", (75, 25)),
        ("no turn", (40, 35)),
        ("no turn", (35, 40)),
    }
    assert min(met.values()) >= 10


def test_every_rule_of_turns_is_felt_in_play() -> None:
    """Each restriction forbids something, and some turns keep the move."""
    game = MadeUp()
    captures = kept = lamps = 0
    for position, legal in fresh_positions(game, 300, 1, endings=0):
        kept += any(game.play(position, text).to_move == position.to_move for text in legal)
        captures += bool(legal) and all(" p)" in text for text in legal)
        lamps += any(position.cells[position.board.square(t.split()[0])] in "lL" for t in legal)
    assert min(captures, kept, lamps) > 20
