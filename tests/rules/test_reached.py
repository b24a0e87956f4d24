"""Where turns end, and what they leave that break off: what evaluators say, worked out by hand."""

from __future__ import annotations

import pytest
from castling_game import CASTLING, CASTLINGS, WHITE, model

from grl.board import Position, make_position
from grl.model import Feature
from grl.rulebook import Rulebook
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.features.vocabulary import attacked, reached
from grl.rules.play.effects import generator_of
from grl.rules.templates.evaluation import compile_position, compile_turn_feature
from grl.turn import Turn

MODEL = model()


def at(rows: list[str]) -> Position:
    return make_position(MODEL.equipment, rows, WHITE)


def holds(feature: Feature, rows: list[str], turn: str = "") -> bool:
    """What the evaluator says of a position, or of a turn there."""
    setting = Setting(MODEL.equipment, MODEL.rules.frames, generator_of(MODEL))
    case = PositionCase.of(setting, at(rows))
    if not turn:
        return compile_position(setting, feature)(case)
    turn_list = TurnList(case, setting.generator(at(rows)))
    [found] = [each for each in turn_list.cases if each.turn == Turn.parse(turn)]
    return compile_turn_feature(setting, feature)(found)


@pytest.mark.parametrize("name", CASTLINGS)
def test_a_king_that_castles_passes_squares_where_it_could_be_taken(name: str) -> None:
    rows, before, between, after = CASTLINGS[name]
    taken = reached("opposing:king", 0)

    assert holds(("before", reached("own:king", 1)), rows, CASTLING) == before
    assert holds(("midway", taken), rows, CASTLING) == between
    assert holds(("after", taken), rows, CASTLING) == after
    assert (CASTLING in map(str, Rulebook(MODEL).legal(at(rows)))) == (
        not (before or between or after)
    )


def test_a_king_that_is_taken_from_beside_is_attacked_and_not_reached() -> None:
    rows = ["....k", ".....", ".gK..", "....."]
    shut = [*rows[:3], "..R.."]

    assert holds(attacked("own:king", 1), rows)
    assert not holds(reached("own:king", 1), rows)
    assert holds(reached("empty", 1), rows)
    assert not holds(attacked("own:king", 1), shut)


def test_what_a_turn_leaves_midway_is_what_letters_have_done_so_far() -> None:
    """The guard puts itself down in the place of the king, and then beside the king's square."""
    rows = ["....k", ".....", ".Gr..", "K...."]
    turn = "b2 (1 0 p) (0 0 d) (0 -1 e)"
    on_rank = ("some", "now", ("both", ("lies", "opposing:guard"), ("line", "file", 0, "=", 3)))

    assert holds(("midway", on_rank), rows, turn)
    assert holds(("midway", ("size", "now", ("lies", "own:rook"), "=", 0)), rows, turn)
    assert not holds(("midway", ("size", "now", ("lies", "own:rook"), "=", 1)), rows, turn)
    assert not holds(("midway", ("size", "now", ("lies", "own"), "<", 9)), rows, "b2 (0 -1 e)")
