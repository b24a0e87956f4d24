"""King safety, castling and mate, learned from positions that a hand-made model judges.

Its own judgement is worked out by hand in `test_reached.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from castling_game import BLACK, BOARD, WHITE, model

import grl
from grl.board import EMPTY, Position, make_position
from grl.model import Literal
from grl.rulebook import Rulebook
from grl.rules.features.vocabulary import reached
from grl.tracejson import describe, position_dict
from grl.traces import write_traces

HAND_MADE = Rulebook(model())
PLAYERS = (WHITE, WHITE, BLACK)
SAFE = Literal(("after", reached("opposing:king", 0)), True)


def drawn(number: int, seed: int) -> Iterator[Position]:
    """The white king and a rook where they may castle, other pieces anywhere above them."""
    equipment = HAND_MADE.model.equipment
    chance = Random(seed)
    for _ in range(number):
        above = ["k", *chance.choices("rgG", k=chance.randint(1, 5))]
        above += EMPTY * (BOARD.size - BOARD.width - len(above))
        chance.shuffle(above)
        cells = ["K", EMPTY, EMPTY, "R", EMPTY, *above]
        yield make_position(equipment, BOARD.rows("".join(cells)), chance.choice(PLAYERS))


def plays(number: int, seed: int) -> Iterator[dict[str, Any]]:
    """A turn in every position, one that ends the game where there is one."""
    for at, position in enumerate(drawn(number, seed)):
        turns = sorted(map(str, HAND_MADE.legal(position)))
        if not turns or HAND_MADE.is_terminal(position):
            continue
        after = {turn: HAND_MADE.play(position, turn) for turn in turns}
        ends = [turn for turn in turns if HAND_MADE.is_terminal(after[turn])]
        chosen = (ends or turns)[at % len(ends or turns)]
        play: dict[str, Any] = {
            "id": f"g{at}",
            "initial": position_dict(position),
            "turns": [{"turn": chosen, "legal": turns}],
            "end": "terminal" if ends else "stopped",
        }
        if ends:
            play["goals"] = dict(HAND_MADE.goals(after[chosen]))
        yield play


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    path: Path = tmp_path_factory.mktemp("castling") / "castling.jsonl"
    made = HAND_MADE.model
    write_traces(path, describe("castling", made.equipment, made.initial), plays(80, seed=1))
    return grl.learn(path)


def judged(rulebook: Rulebook, position: Position) -> tuple[bool, set[str], dict[str, int]]:
    over = rulebook.is_terminal(position)
    turns = set() if over else {str(turn) for turn in rulebook.legal(position)}
    return over, turns, dict(rulebook.goals(position)) if over else {}


def test_fresh_positions_are_judged_as_by_the_hand_made_model(learned: Rulebook) -> None:
    for position in drawn(200, seed=2):
        if position.to_move != WHITE:  # records say little of the other side
            continue
        given = learned.position(**position_dict(position))
        assert judged(learned, given) == judged(HAND_MADE, position), position.rows


def test_a_king_is_safe_by_a_rule_of_its_own(learned: Rulebook) -> None:
    rules = learned.model.rules
    assert rules is not None
    assert (SAFE,) in [rule.body for rule in rules.restrictions]
