"""A player's own last turn, however many plies ago, where players don't just alternate."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from lessons import games_of, taught
from strange_games import Pairs, Restless

from grl.board import Position
from grl.compare import compare_game
from grl.rulebook import Rulebook
from grl.rules.features.cases import PositionCase, Setting

STEP = re.compile(r"([a-z])(\d+) \((-?\d+) (-?\d+) .*")


def squares_of(turn: str) -> dict[str, str]:
    """Where a turn of one step begins and ends, by name."""
    found = STEP.fullmatch(turn)
    assert found is not None
    file, rank, dx, dy = found.groups()
    end = f"{chr(ord(file) + int(dx))}{int(rank) + int(dy)}"
    return {"start1": f"{file}{rank}", "end1": end}


def test_ones_own_last_turn_is_looked_for_in_the_game_so_far() -> None:
    game, chance = Pairs(), Random(1)
    players = game.equipment.players
    setting = Setting(game.equipment, dict.fromkeys(players, "identity"), lambda _: [])
    distances = set()
    for _ in range(10):
        position = game.initial
        played: list[tuple[str, str]] = []
        while legal := game.legal(position):
            case = PositionCase.of(setting, position)
            for player in players:
                past = enumerate(reversed(played), 1)
                ago, own = next(((n, turn) for n, (who, turn) in past if who == player), (0, ""))
                distances.add(ago)
                found = case.own_squares(player)
                names = {role: position.board.names[at] for role, at in found.items()}
                assert names == (squares_of(own) if own else {})
            turn = str(chance.choice(legal))
            played.append((position.to_move, turn))
            position = game.play(position, turn)
    assert distances >= {0, 1, 2, 3}


@cache
def restless() -> Rulebook:
    game = Restless()
    return taught(game, games_of(game, 60, endgames=0.0, max_plies=40))


def test_where_everybody_makes_two_turns_ones_own_last_turn_is_found() -> None:
    learned = restless()

    found = compare_game(learned, Restless(), 120, 3, endings=6)

    assert found.same, found.examples
    assert learned.model.rules is not None
    (rule,) = learned.model.rules.restrictions
    assert "('last', 'end1', 0)" in str(rule.body)


def test_c_knows_everybodys_last_turn() -> None:
    learned, chance = restless(), Random(2)
    engine = learned.engine()
    looked = 0
    for _ in range(5):
        position: Position = learned.initial
        state = engine.initial
        while not state.over:
            legal = sorted(map(str, learned.legal(position)))
            assert sorted(state.turns()) == legal
            assert sorted(engine.state(position).turns()) == legal
            turn = chance.choice(legal)
            position, state = learned.play(position, turn), state.play(state.turns().index(turn))
            looked += 1
    assert engine.kind != "python"
    assert looked > 50
