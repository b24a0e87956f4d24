"""Where turns end, and what they leave that break off: what evaluators say, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from castling_game import CASTLING, CASTLINGS, WHITE, model

from grl.board import Position, make_position
from grl.engine import generator
from grl.logic.ops.places import ZONE, lies
from grl.logic.ops.sets import GROUP, NEAR, WITHOUT, together
from grl.logic.ops.turns import reachable, threatened
from grl.logic.rows import Rows
from grl.logic.terms import Term, make
from grl.model import Feature
from grl.rulebook import Rulebook
from grl.rules.features.cases import Generator, PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.vocabulary import attacked, reached
from grl.rules.play.effects import generator_of
from grl.rules.templates.columns import turn_table
from grl.rules.templates.evaluation import compile_turn_feature
from grl.rules.templates.positions import compile_position
from grl.rules.templates.template import PositionTest
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


def test_all_turns_of_positions_are_asked_as_each_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The squares that turns touch are looked up for all boards at once, or one by one."""
    monkeypatch.setattr(generator, "WORTH_WITHOUT", 1)
    features = [
        (when, reached(content, seat))
        for when in ("before", "midway", "after")
        for content in ("own:king", "opposing:king", "empty")
        for seat in (0, 1)
    ]

    def cases(generate: Generator) -> tuple[Setting, list[TurnCase]]:
        setting = Setting(MODEL.equipment, MODEL.rules.frames, generate)
        positions = [at(rows) for rows, *_ in CASTLINGS.values()]
        lists = [TurnList(PositionCase.of(setting, p), generate(p)) for p in positions]
        return setting, [case for each in lists for case in each.cases]

    setting, many = cases(generator.QuickGenerator(MODEL))
    alone, singly = cases(generator_of(MODEL))
    table = turn_table(setting, many, features)
    said = [
        [MOMENT[f[0]](compile_position(alone, f[1]), case) for f in features] for case in singly
    ]
    assert np.array_equal(table, said)
    for moment in MOMENT:
        some = table[:, [f[0] == moment for f in features]]
        assert 0 < some.sum() < some.size


MOMENT: dict[str, Callable[[PositionTest, TurnCase], bool]] = {
    "before": lambda test, case: test(case.before),
    "midway": lambda test, case: any(map(test, case.midway)),
    "after": lambda test, case: test(case.after),
}


def test_a_king_that_is_taken_from_beside_is_attacked_and_not_reached() -> None:
    rows = ["....k", ".....", ".gK..", "....."]
    shut = [*rows[:3], "..R.."]

    assert holds(attacked("own:king", 1), rows)
    assert not holds(reached("own:king", 1), rows)
    assert holds(reached("empty", 1), rows)
    assert not holds(attacked("own:king", 1), shut)


TAKEN = together(lies("own:guard"), threatened(1))
SQUARES = {
    reachable(0): "a2 b1 e2",
    reachable(1): "a3 b2 b4 c3 d3 d4 e3",
    threatened(1): "a3 b2 b3 b4 c3 d3 d4 e3 e4",
    TAKEN: "b2 e3",
    together(TAKEN, make(ZONE, "edge")): "e3",
    together(make(NEAR, "around", TAKEN), lies("own")): "a1",
    make(GROUP, "around", TAKEN, lies("own")): "a1 b2 e3",
    make(WITHOUT, lies("own"), threatened(1)): "a1",
}
"""Sets of squares that the turns of the players touch, where a rook could take two guards."""


@pytest.mark.parametrize("term", SQUARES)
def test_squares_that_turns_touch_are_sets_like_others(term: Term) -> None:
    setting = Setting(MODEL.equipment, MODEL.rules.frames, generator_of(MODEL))
    position = at(["....k", ".r..G", ".G...", "K...."])
    rows = Rows(MODEL.equipment, setting.grid, [PositionCase.of(setting, position).ground()])

    found = [position.board.names[square] for square in np.flatnonzero(rows.squares(term)[0])]
    assert sorted(found) == SQUARES[term].split()


def test_what_a_turn_leaves_midway_is_what_letters_have_done_so_far() -> None:
    """The guard puts itself down in the place of the king, and then beside the king's square."""
    rows = ["....k", ".....", ".Gr..", "K...."]
    turn = "b2 (1 0 p) (0 0 d) (0 -1 e)"
    on_rank = ("some", "now", ("both", ("lies", "opposing:guard"), ("line", "file", 0, "=", 3)))

    assert holds(("midway", on_rank), rows, turn)
    assert holds(("midway", ("size", "now", ("lies", "own:rook"), "=", 0)), rows, turn)
    assert not holds(("midway", ("size", "now", ("lies", "own:rook"), "=", 1)), rows, turn)
    assert not holds(("midway", ("size", "now", ("lies", "own"), "<", 9)), rows, "b2 (0 -1 e)")
