"""Rules of every kind at once: control, passes, history, reserves, attacks, turns alike."""

from dataclasses import replace
from functools import cache

import castling_game
import clingo
import pytest
from gdl import answer_set_program, faults, read
from learned import learned_movements, random_positions
from running import CHECKERS, differences, model_with, no, yes
from shorthand import heading, line, moved, on, same

from grl.board import Board, Player, make_position
from grl.errors import ModelError
from grl.export.kif import gdl_program
from grl.export.program import asp_program
from grl.model import AutomatonKey, Dfa, Role, Rule, Rules, StateId
from grl.moves.search import Searcher
from grl.rulebook import Rulebook
from grl.rules.features.vocabulary import attacked
from grl.turn import Letter

WHITE, BLACK = Player("white"), Player("black")
SAME = {WHITE: "identity", BLACK: "identity"}

AGAIN = Rules(
    {WHITE: "identity", BLACK: "flip"},
    restrictions=(
        Rule((yes("after", attacked("opposing", 0)), yes(*heading("level")))),
        Rule((yes(*same("start1", "end1")), yes(*moved("start1")), no("letter", "p"))),
    ),
    endings=(
        Rule((yes(*on("opposing", "rank", "=", 6)),), (0, 100), 12),
        Rule((yes("stuck", 1), no("mover", "white")), (100, 0), 2),
    ),
    control=(
        Rule(
            (yes("letter", "p"), no("before", ("size", "now", ("lies", "opposing"), "<", 3))),
            (0,),
            5,
        ),
        Rule((yes("after", ("stuck", 0)),), (0,), 3),
    ),
)
"""Passes, history and moves in a row, on the automata of a game that has none of these."""
MORRIS = Rules(
    SAME,
    restrictions=(
        Rule((yes("segments", "=", 2), no(*line("end1", "own", 3, "after")))),
        Rule((yes("prefix"),)),
        Rule((no("appears", "own"), no("before", ("size", "now", ("hand", "own"), "=", 0)))),
        Rule((yes("letter", "fly"), no("before", ("size", "now", ("all", "own"), "=", 3)))),
    ),
    endings=(
        Rule((yes("size", "now", ("all", "own"), "<", 3),), (0, 100), 9),
        Rule(
            (yes("passes", 1), yes("sizes", "now", ("lies", "own"), "<", ("lies", "opposing"))),
            (0, 100),
            1,
        ),
    ),
    control=(Rule((yes("segments", "=", 2), no("after", ("stuck", 0))), (0,)),),
)
LAST_PAWN = ["......", ".w....", "..b...", ".w....", "......", "......"]


def walked(rulebook, positions, length):
    """Positions with the history of play from others, and where play ends."""
    for start in positions:
        position = start
        for number in range(length):
            legal = rulebook.legal(position)
            if not legal:
                break
            position = rulebook.play(position, legal[(7 * number) % len(legal)])
        yield position


@cache
def breakthrough():
    model = model_with(AGAIN, "breakthrough:width=6,height=6")
    model = replace(model, passes={WHITE: "free", BLACK: "forced"})
    before = random_positions("breakthrough:width=6,height=6", 12, seed=2)
    last_pawn = make_position(model.equipment, LAST_PAWN, WHITE)
    return model, [last_pawn, *walked(Rulebook(model), before, 9)]


@cache
def morris():
    model = replace(model_with(MORRIS, "nine-mens-morris", 4), passes={WHITE: "forced"})
    return model, list(walked(Rulebook(model), random_positions("nine-mens-morris", 9, seed=2), 3))


@pytest.mark.parametrize("game", [breakthrough, morris])
def test_some_turns_are_followed_by_another_of_the_same_player(game):
    model, positions = game()
    rulebook = Rulebook(model)

    followers = [
        rulebook.play(position, turn).to_move == position.to_move
        for position in positions
        for turn in rulebook.legal(position)
    ]

    assert 0 < sum(followers) < len(followers)


@pytest.mark.parametrize("game", [breakthrough, morris])
def test_asp_says_what_the_model_says(game):
    model, positions = game()

    assert differences(model, asp_program(model), positions, 9) > len(positions)


@pytest.mark.parametrize("game", [breakthrough, morris])
def test_gdl_says_what_the_model_says(game):
    model, positions = game()

    rules = read(gdl_program(model))

    assert faults(rules) == []
    program = answer_set_program(rules)
    assert differences(model, program, positions[::4], minus=True) == len(positions[::4])


@pytest.mark.parametrize(
    ("role", "last", "back"), [("end1", "start1", 1), ("start1", "end1", 1), ("end1", "start1", 2)]
)
def test_a_rule_on_an_earlier_turn_makes_states_remember_it(role, last, back):
    rules = Rules({WHITE: "identity", BLACK: "flip"}, (Rule((yes(*same(role, last, back)),)),))
    model = model_with(rules, "breakthrough:width=6,height=6")
    start = random_positions("breakthrough:width=6,height=6", 3, seed=6)
    positions = list(walked(Rulebook(model), start, 5))

    assert differences(model, asp_program(model), positions, 2) >= len(positions) > 0


def test_programs_say_where_turns_end_and_what_they_leave_midway():
    model = castling_game.model()
    positions = list(castling_game.positions(model.equipment, 8, 1))
    rules = read(gdl_program(model))

    assert faults(rules) == []
    assert differences(model, asp_program(model), positions, 2) > len(positions)
    program = answer_set_program(rules)
    assert differences(model, program, positions[:6:2], minus=True) == 3


COUNTING = Rules(
    {WHITE: "identity", BLACK: "flip"},
    restrictions=(
        Rule((yes("letter", "p"), no("before", ("size", "now", ("lies", "opposing"), "<", 2)))),
    ),
    control=(Rule((yes("after", ("stuck", 0)),), (0,), 3),),
)
SHUT_IN = ["......", "......", "b.....", ".w....", "w.....", "......"]


def test_what_a_turn_leaves_is_asked_how_many_pieces_there_are():
    model = model_with(COUNTING, "breakthrough:width=6,height=6")
    shut_in = make_position(model.equipment, SHUT_IN, WHITE)
    shut = Rulebook(model).play(shut_in, "a2 (0 1 e)")
    program = asp_program(model)

    said = []
    control = clingo.Control(logger=lambda _code, message: said.append(message))
    control.add("base", [], program)
    control.ground([("base", [])])

    assert said == []
    assert shut.to_move == WHITE
    assert differences(model, program, [shut_in] * 7, 2) > 5


CIRCLE = [
    "........",
    "........",
    ".M.M....",
    "........",
    ".M.M....",
    "..k.....",
    "........",
    "........",
]


@pytest.mark.parametrize("rules", [None, CHECKERS])
def test_of_turns_with_one_effect_the_one_that_the_model_lists_is_legal(rules):
    model = replace(learned_movements("checkers").model, rules=rules)
    round_trip = make_position(model.equipment, CIRCLE, "white")
    alike = [c for c in Searcher(model).spellings(round_trip) if c.ends == c.starts]
    legal = {str(turn) for turn in Rulebook(model).legal(round_trip)}

    assert len(alike) == 2
    assert sum(str(c.turn) in legal for c in alike) == 1
    assert differences(model, asp_program(model), [round_trip]) == 1


HALMA = ["b..b", ".b..", "b.w.", "wb.."]


@pytest.mark.parametrize("removing", [False, True])
def test_jumps_go_on_until_they_come_back_to_where_they_were(removing):
    """A man jumps over any piece, on and on, and may take it off or not."""
    arcs = []
    for number, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1)), 1):
        arcs += [(0, Letter(dx, dy, on), number) for on in "wp"]
        arcs.append((number, Letter(dx, dy, "e"), 0))
        if removing and dx:
            taken = 5 if dx > 0 else 6
            arcs += [(number, Letter(0, 0, "d"), taken), (taken, Letter(dx, dy, "e"), 0)]
    dfa = Dfa(
        AutomatonKey(WHITE, "w", Role.FIRST),
        7,
        tuple((StateId(a), x, StateId(b)) for a, x, b in arcs),
        frozenset({StateId(0)}),
    )
    before = learned_movements("breakthrough:width=6,height=6").model
    equipment = replace(before.equipment, board=Board(4, 4))
    position = make_position(equipment, HALMA, WHITE)
    model = replace(
        before, equipment=equipment, initial=position, automata=(dfa,), machines=(), rules=None
    )
    turns = Rulebook(model).legal(position)
    assert max(len(turn.segments[0].letters) for turn in turns) > 6

    assert differences(model, asp_program(model), [position], 2)
    if removing:
        with pytest.raises(ModelError, match=r"in GDL.* letters"):
            gdl_program(model)
    else:
        rules = read(gdl_program(model))
        assert faults(rules) == []
        assert differences(model, answer_set_program(rules), [position], minus=True)


def test_two_ways_to_one_square_are_one_turn():
    """A piece that goes to a square by two ways, and nothing is taken on either."""
    steps = [
        (0, Letter(1, 0, "e"), 1),
        (0, Letter(0, 1, "e"), 2),
        (1, Letter(0, 1, "e"), 3),
        (2, Letter(1, 0, "e"), 4),
    ]
    dfa = Dfa(
        AutomatonKey(WHITE, "w", Role.FIRST),
        5,
        tuple((StateId(a), x, StateId(b)) for a, x, b in steps),
        frozenset({StateId(3), StateId(4)}),
    )
    before = learned_movements("breakthrough:width=6,height=6").model
    model = replace(before, automata=(dfa,), machines=())
    rows = ["bbbbbb", "......", "......", ".w.w..", "......", "......"]
    position = make_position(model.equipment, rows, WHITE)
    assert len(Searcher(model).spellings(position)) > len(Rulebook(model).legal(position))

    assert differences(model, asp_program(model), [position], 2)
    rules = read(gdl_program(model))
    assert faults(rules) == []
    assert differences(model, answer_set_program(rules), [position], minus=True)
