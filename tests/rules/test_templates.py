"""Every template has all its parts, and each of them takes what the others do."""

import random

import pytest
from random_rules import DRAWS, Features
from test_asp_templates import bench

from grl.errors import ModelError
from grl.logic.code import Code
from grl.model import Literal, Rules
from grl.rules.asp.definitions import Definitions
from grl.rules.code.rules import RuleCode
from grl.rules.english.sentences import English
from grl.rules.features.cases import PositionCase, TurnList
from grl.rules.features.terms import TERM_TEMPLATES, terms_in
from grl.rules.templates import POSITIONS, RELATIONS, TURNS
from grl.rules.templates.evaluation import (
    check_position,
    check_turn,
    column,
    mirrored,
)
from grl.rules.templates.positions import compile_position, position_table

GAME = "checkers"
TRIES = 12
TABLES = {"positions": POSITIONS, "turns": TURNS, "rivals": RELATIONS}
EVERY = [(kind, name) for kind, table in TABLES.items() for name in table]


def drawn(kind, name):
    """Features of a template; some say the same."""
    at = bench(GAME)
    chance = random.Random(name)
    features = Features(chance, at.model, at.setting)
    return [features.of(TABLES[kind][name]) for _ in range(TRIES)]


def test_every_template_is_known_by_one_name():
    names = [*POSITIONS, *(TURNS.keys() - TERM_TEMPLATES), *RELATIONS]
    assert len(set(names)) == len(names)
    assert "not" not in names, "it stands for a literal that is denied"


def test_every_sort_of_argument_is_drawn():
    for table in TABLES.values():
        for template in table.values():
            if template.name not in TERM_TEMPLATES:
                for sort in template.takes:
                    assert sort in DRAWS or sort.words, (template.name, sort.name)


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_a_template_is_checked_evaluated_phrased_and_written(kind, name):
    at = bench(GAME)
    setting, template = at.setting, TABLES[kind][name]
    english, definitions = English(setting.equipment), Definitions(setting)
    code = RuleCode(setting.equipment, Rules(setting.frames), Code(setting.equipment, setting.grid))
    check = check_position if kind == "positions" else check_turn
    case = PositionCase.of(setting, at.at[0])
    for feature in drawn(kind, name):
        check(setting, feature)
        for number in range(1, len(feature)):
            with pytest.raises((ValueError, KeyError)):
                check(setting, (*feature[:number], None, *feature[number + 1 :]))
        with pytest.raises(ValueError, match="takes"):
            check(setting, (*feature, 1, 1))
        say = english.position if kind == "positions" else english.turn
        assert say(feature, True) != say(feature, False)
        define = definitions.position if kind == "positions" else definitions.turn
        if template.rules is not None and not any(term.leveled for term in terms_in(feature)):
            assert define(feature) in definitions.text()
        else:
            with pytest.raises(ModelError):
                define(feature)
        if kind == "positions":
            assert compile_position(setting, feature)(case) in (True, False)
            assert f"int {code.position(feature)}(Case *c)" in code.text()
        else:
            turns = TurnList(case, setting.generator(at.at[0]))
            assert column(turns, feature).shape == (len(turns.cases),)
            written = code.relation(feature) if kind == "rivals" else code.turn(feature)
            assert f" {written}(List *l" in code.text()


def test_features_of_many_positions_are_those_of_each_alone():
    at = bench(GAME)
    features = [feature for name in POSITIONS for feature in drawn("positions", name)]
    cases = [PositionCase.of(at.setting, position) for position in at.at[:12]]
    alone = [[compile_position(at.setting, each)(case) for each in features] for case in cases]
    assert position_table(at.setting, cases, features).tolist() == alone


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_said_of_all_players_in_turn_is_said_of_the_first_again(name):
    setting = bench(GAME).setting
    for feature in drawn("positions", name):
        literal = Literal(feature, True)
        other = mirrored(literal, 1, 2)
        if POSITIONS[name].absolute:
            assert other is None
        elif other is not None:
            check_position(setting, other.feature)
            assert mirrored(other, 1, 2) == literal
