"""Names that constants can't be, and models that no program can be written of."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from effect_terms import effect as effect_of
from hypothesis import given
from hypothesis import strategies as st
from learned import learned_movements

from grl.board import Board, Equipment, Piece, Player
from grl.cli import main
from grl.errors import ModelError, TurnSyntaxError
from grl.export import shapes
from grl.export.program import asp_program
from grl.export.spelling import term_of, turn_of
from grl.model import Dfa, Literal, Role, Rule, Rules
from grl.modelfile import write_model
from grl.moves.problem import position_problem
from grl.rules.asp.naming import RESERVED, Names
from grl.turn import Letter

names = st.text(min_size=1, max_size=8)


@given(st.lists(names, min_size=1, max_size=4, unique=True), st.lists(names, max_size=6))
def test_constants_are_distinct_and_constants(players, types):
    pieces = {
        key: Piece(key, Player(players[i % len(players)]), kind)
        for i, (key, kind) in enumerate(zip("abcdef", types, strict=False))
    }
    found = Names(Equipment(Board(3, 3), tuple(map(Player, players)), pieces))

    constants = [*found.player.values(), *found.piece.values()]
    assert len(set(constants)) == len(constants)
    assert not set(constants) & RESERVED
    for constant in constants:
        assert constant.isidentifier()
        assert constant.isascii()
        assert constant[0].islower()


def breakthrough():
    return learned_movements("breakthrough:width=6,height=6").model


def test_pieces_that_may_go_round_in_a_circle_are_refused():
    model = breakthrough()
    first = next(dfa for dfa in model.automata if dfa.key.role is Role.FIRST)
    circle = Dfa(
        first.key, 2, ((0, Letter(1, 0, "e"), 1), (1, Letter(-1, 0, "e"), 0)), frozenset({1})
    )

    with pytest.raises(ModelError, match="go round in a circle"):
        asp_program(replace(model, automata=(circle,)))


def test_a_restriction_that_asks_what_turns_others_leave_is_refused():
    model = breakthrough()
    rule = Rule((Literal(("after", ("stuck", 0)), True),))
    frames = dict.fromkeys(model.equipment.players, "identity")

    with pytest.raises(ModelError, match="what turns the ones before it leave"):
        asp_program(replace(model, rules=Rules(frames, (rule,))))


def test_a_reserve_that_the_initial_position_does_not_list_is_refused():
    model = breakthrough()
    first = next(dfa for dfa in model.automata if dfa.key.role is Role.FIRST)
    keeping = Dfa(first.key, 2, ((0, Letter(0, 0, "r", "w"), 1),), frozenset({1}))

    with pytest.raises(ModelError, match="reserve"):
        asp_program(replace(model, automata=(keeping,)))


@pytest.mark.parametrize("feature", [("near", "near", "near"), ("nothing",), ("some", "now", 3)])
def test_rules_that_can_not_be_understood_are_refused(feature):
    rule = Rule((Literal(feature, True),), (), 1, 0)

    with pytest.raises(ModelError, match="a rule can't be understood"):
        asp_program(replace(breakthrough(), rules=Rules({}, restrictions=(rule,))))


def test_too_many_letters_are_not_searched_for_twins(monkeypatch):
    """Words that end nowhere count too: an automaton may have any number of them."""
    model = breakthrough()
    first = next(dfa for dfa in model.automata if dfa.key.role is Role.FIRST)
    ways = [Letter(dx, dy, "e") for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    rungs = tuple((s, letter, s + 1) for s in range(25) for letter in ways)
    # Accepted off the board alone: what is walked leads to no turn.
    ladder = Dfa(first.key, 27, (*rungs, (25, Letter(7, 0, "e"), 26)), frozenset({26}))
    monkeypatch.setattr(shapes, "MOST_STEPS", 1_000)

    assert not shapes.Shapes(model).twins()
    assert shapes.Shapes(replace(model, automata=(ladder,))).twins()


def test_planning_domains_of_effects_are_refused_and_nothing_is_written(tmp_path):
    """A domain without them would be one of another game."""
    path, folder = tmp_path / "model.grl.json", tmp_path / "programs"
    model = breakthrough()
    effect = effect_of(("passed",), "removed")
    with pytest.raises(ModelError, match="effects"):
        position_problem(replace(model, effects=(effect,)), model.initial)
    write_model(replace(model, effects=(effect,)), path)

    refused = CliRunner().invoke(main, ["export", str(path), "--to", "pddl", "-o", str(folder)])
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1
    assert "effects" in refused.stderr
    assert "grl rules" in refused.stderr
    assert not folder.exists()


def test_automata_of_a_model_with_effects_are_drawn(tmp_path):
    path, folder = tmp_path / "model.grl.json", tmp_path / "graphs"
    model = breakthrough()
    write_model(replace(model, effects=(effect_of(("passed",), "removed"),)), path)

    drawn = CliRunner().invoke(main, ["export", str(path), "--to", "dot", "-o", str(folder)])
    assert drawn.exit_code == 0, drawn.output
    assert len(list(folder.rglob("*.gv"))) >= len(model.automata)


@pytest.mark.parametrize(
    "text",
    [
        "pass",
        "c3 (1 1 p) (0 0 d) (-1 1 e) (0 0 a w)",
        "a1 (@d6 e)",
        "a1 (0 0 a w); f4 (0 0 d); b2 (0 0 r b) (1 0 w)",
    ],
)
def test_turns_are_spelt_as_terms_and_back(text):
    equipment = breakthrough().equipment

    assert turn_of(term_of(text, equipment), equipment) == text


@pytest.mark.parametrize(
    "term",
    ["", "then(from(c3)", "then(from(c3),hop(1))", "X", "from(c3) )", "(c3)", "from(" + "9" * 5000],
)
def test_other_terms_spell_no_turn(term):
    with pytest.raises(TurnSyntaxError):
        turn_of(term, breakthrough().equipment)
