"""Rules in model files: read back as they were, and refused by the name of what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from learned import learned
from lessons import taught
from race import Race
from shorthand import pattern

import grl
from grl.errors import GrlError, ModelError
from grl.limits import MAX_RULES, MAX_TERM_DEPTH
from grl.logic.ops.lines import BEHIND, SOME_WAY
from grl.logic.ops.places import SQUARE
from grl.logic.ops.tables import MATCHED
from grl.logic.terms import make
from grl.model import Literal, Model, Rule, Rules
from grl.modelfile import from_data, read_model, to_data, write_model
from grl.rulesfile import DEEPEST, LARGEST, read_rules, rules_data

BELOW = ("shift", "board", 0, -1, ("square", "end1"))


def listed(value: Any) -> Any:
    """Tuples as JSON has them."""
    return [listed(each) for each in value] if isinstance(value, tuple) else value


RESTRICTIONS = (
    Rule(
        (
            Literal(("some", "before", ("both", BELOW, ("lies", "empty"))), True),
            Literal(("rival_has", "any", ("takes", "opposing")), False),
        ),
        support=12,
        against=1,
        provisional=True,
    ),
    Rule((Literal(("before", ("size", "now", ("lies", "own"), "<", 3)), True),), support=4),
)
ENDINGS = (
    Rule(
        (Literal(("some", "now", ("lined", "around", 3, ("lies", "opposing"))), True),),
        (0, 100),
        30,
    ),
    Rule((Literal(pattern(((0, 0, "own"), (1, 1, "empty"))), False),), (50, 50), 2, 0, True),
    Rule((Literal(("stuck", 0), True),), (50, 50), 9),
)
CONTROL = (Rule((Literal(("letter", "p"), True),), (0,), 7),)
PASSING = (
    Rule(
        (
            Literal(("before", ("passes", 1)), False),
            Literal(("rival_has", "any", ("letter", "p")), True),
        ),
        support=5,
    ),
)


def small() -> Model:
    """A small model with rules of every part."""
    model = learned("tic-tac-toe").model
    assert model.rules is not None
    return replace(model, rules=Rules(model.rules.frames, RESTRICTIONS, ENDINGS, CONTROL, PASSING))


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    plain = json.loads(json.dumps(to_data(small())))
    assert isinstance(plain, dict)
    return plain


def changed(data: dict[str, Any], *keys: str | int, to: object) -> dict[str, Any]:
    """The model's data with one value within the rules replaced."""
    copied = copy.deepcopy(data)
    place: Any = copied["rules"]
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    return copied


# There and back.


def test_rules_are_read_back_equal_and_written_again_alike(tmp_path: Path) -> None:
    path, again = tmp_path / "one.grl.json", tmp_path / "two.grl.json"
    write_model(small(), path)
    back = read_model(path)
    assert back.rules == small().rules
    write_model(back, again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("spec", ["checkers", "breakthrough:width=6,height=6", "connect-four"])
def test_learned_rules_are_read_back_equal(spec: str) -> None:
    model = learned(spec).model
    assert model.rules is not None
    assert model.rules.endings
    plain = json.loads(json.dumps(rules_data(model.rules)))
    assert read_rules(plain, model.equipment) == model.rules


def test_a_model_without_rules_says_null_and_stays_without(tmp_path: Path) -> None:
    path = tmp_path / "bare.grl.json"
    write_model(replace(small(), rules=None), path)
    assert json.loads(path.read_text())["rules"] is None
    bare = grl.load(path)
    assert bare.model.rules is None
    assert (bare.knows_terminal, bare.knows_goals) == (False, False)
    less = json.loads(path.read_text())
    del less["rules"]
    assert from_data(less).rules is None


def test_rules_that_forbid_passes_are_written_where_there_are_any() -> None:
    model = small()
    assert model.rules is not None
    assert [rule["support"] for rule in rules_data(model.rules)["passing"]] == [5]
    plain = rules_data(replace(model.rules, passing=()))
    assert "passing" not in plain
    assert read_rules(plain, model.equipment).passing == ()


def test_a_literal_that_is_denied_stands_in_a_not() -> None:
    plain = rules_data(small().rules)["restrictions"][0]
    assert plain["if"] == [
        ["some", "before", ["both", listed(BELOW), ["lies", "empty"]]],
        ["not", ["rival_has", "any", ["takes", "opposing"]]],
    ]


def test_a_rule_without_conditions_is_read_back(tmp_path: Path) -> None:
    """Where one player makes all the turns, after every turn the mover moves again."""
    path = tmp_path / "alone.grl.json"
    game = Race()
    turns = [
        ["a1 (0 1 e)", "b1 (0 1 e)"],
        ["b1 (0 1 e)", "c1 (0 1 e)"],
        ["c1 (0 1 e)", "a1 (0 1 e)"],
    ]
    plays = [
        {"id": f"g{i}", "turns": [{"by": "white", "turn": t} for t in each], "end": "stopped"}
        for i, each in enumerate(turns)
    ]
    alone = taught(game, plays)
    assert alone.model.rules is not None
    assert [(rule.body, rule.value) for rule in alone.model.rules.control] == [((), (0,))]
    alone.save(path)
    back = grl.load(path)
    assert back.model.rules == alone.model.rules
    assert back.play(back.initial, "a1 (0 1 e)").to_move == "white"


# Broken rules.


DEEP: Any = 1
for _ in range(DEEPEST + 1):
    DEEP = [DEEP]

FRAMES, RULE = ("frames",), ("restrictions", 0)


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (FRAMES, None, "rules.frames"),
        (FRAMES, {}, "rules.frames"),
        (FRAMES, {"x": "identity"}, "rules.frames"),
        (FRAMES, {"x": "identity", "o": "identity", "z": "identity"}, "rules.frames"),
        (FRAMES, ["identity", "identity"], "rules.frames"),
        (("restrictions",), None, "rules.restrictions"),
        (("restrictions",), {}, "rules.restrictions"),
        (("endings",), "none", "rules.endings"),
        (("control",), 0, "rules.control"),
        (("passing",), None, "rules.passing"),
        (("passing",), {}, "rules.passing"),
        (("passing", 0), [], "rules.passing[0]"),
        (("passing", 0, "if"), [["letter", None]], "rules.passing[0].if[0]"),
        (("passing", 0, "value"), [1], "rules.passing[0].value"),
        (("endings",), [{}] * (MAX_RULES + 1), "rules.endings"),
        (RULE, None, "rules.restrictions[0]"),
        (RULE, [], "rules.restrictions[0]"),
        (("endings", 2), "row", "rules.endings[2]"),
        (("control", 0), 7, "rules.control[0]"),
        ((*RULE, "if"), None, "rules.restrictions[0].if"),
        ((*RULE, "if"), {}, "rules.restrictions[0].if"),
        ((*RULE, "if"), [[]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [3], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), ["letter"], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [[3, "letter"]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [[["letter", "p"]]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", None]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", True]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", 1.5]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", {}]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", DEEP]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["row", "own", LARGEST + 1]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["row", "own", -LARGEST - 1]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["row", "own", 10**30]], "rules.restrictions[0].if[0]"),
        ((*RULE, "if"), [["letter", *["p"] * LARGEST]], "rules.restrictions[0].if[0]"),
        ((*RULE, "value"), None, "rules.restrictions[0].value"),
        ((*RULE, "value"), 3, "rules.restrictions[0].value"),
        (("endings", 0, "value"), [100, "0"], "rules.endings[0].value[1]"),
        (("endings", 0, "value"), [100, 0.5], "rules.endings[0].value[1]"),
        (("endings", 0, "value"), [True, False], "rules.endings[0].value[0]"),
        (("endings", 0, "value"), [], "rules.endings[0].value"),
        (("endings", 0, "value"), [100], "rules.endings[0].value"),
        (("endings", 0, "value"), [101, 0], "rules.endings[0].value[0]"),
        (("endings", 0, "value"), [-1, 0], "rules.endings[0].value[0]"),
        (("control", 0, "value"), [], "rules.control[0].value"),
        (("control", 0, "value"), [2], "rules.control[0].value"),
        ((*RULE, "value"), [1], "rules.restrictions[0].value"),
        ((*RULE, "support"), "12", "rules.restrictions[0].support"),
        ((*RULE, "support"), None, "rules.restrictions[0].support"),
        ((*RULE, "against"), 0.0, "rules.restrictions[0].against"),
        ((*RULE, "provisional"), 1, "rules.restrictions[0].provisional"),
        ((*RULE, "provisional"), None, "rules.restrictions[0].provisional"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_field(
    keys: tuple[str | int, ...], value: object, message: str, data: dict[str, Any]
) -> None:
    with pytest.raises(ModelError) as caught:
        from_data(changed(data, *keys, to=value))
    text = str(caught.value)
    assert f"field {message} " in text
    assert len(text) < 400


@pytest.mark.parametrize("value", [[], "none", 3, True])
def test_rules_that_are_no_object_are_refused(value: object, data: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="field rules is wrong"):
        from_data({**data, "rules": value})


@pytest.mark.parametrize("key", ["frames", "restrictions", "endings", "control"])
def test_a_missing_part_is_refused_by_name(key: str, data: dict[str, Any]) -> None:
    rules = {k: v for k, v in data["rules"].items() if k != key}
    with pytest.raises(ModelError, match=f"field rules.{key} is missing"):
        from_data({**data, "rules": rules})


@pytest.mark.parametrize("key", ["if", "value", "support", "against", "provisional"])
def test_a_rule_without_one_of_its_fields_is_refused(key: str, data: dict[str, Any]) -> None:
    rule = {k: v for k, v in data["rules"]["endings"][1].items() if k != key}
    with pytest.raises(ModelError, match=r"field rules\.endings\[1\]"):
        from_data(changed(data, "endings", 1, to=rule))


def test_the_largest_that_is_allowed_is_read(data: dict[str, Any]) -> None:
    feature: Any = [["near", LARGEST, -LARGEST]]
    for _ in range(DEEPEST - 2):
        feature = [feature]
    plain = changed(data, *RULE, "if", to=[["filled", 0, *feature]])
    assert json.loads(json.dumps(to_data(from_data(plain)))) == plain


def test_no_term_is_deeper_than_what_is_read(data: dict[str, Any]) -> None:
    table = make(MATCHED, (("own", "opposing"),), make(SQUARE, "start1"))
    term = make(SOME_WAY, "around", make(BEHIND, table))
    while term.depth < MAX_TERM_DEPTH:
        term = make(BEHIND, term)
    with pytest.raises(ModelError, match="levels"):
        make(BEHIND, term)
    deepest = ("before", ("not", ("some", "now", term.data)))
    plain = changed(data, *RULE, "if", to=[["not", json.loads(json.dumps(deepest))]])
    assert from_data(plain).rules.restrictions[0].body == (Literal(deepest, False),)


def test_a_file_nested_without_end_is_refused(tmp_path: Path, data: dict[str, Any]) -> None:
    path = tmp_path / "deep.grl.json"
    marked = json.dumps(changed(data, *RULE, "if", to=[["letter", "HERE"]]))
    for depth in (500, 100_000):
        path.write_text(marked.replace('"HERE"', "[" * depth + "]" * depth))
        with pytest.raises(ModelError):
            grl.load(path)


# Rules that are well-formed and mean nothing.


@pytest.mark.parametrize(
    ("part", "feature"),
    [
        ("restrictions", ["teleports", "own"]),
        ("restrictions", ["some", "now", ["lies", "own"]]),
        ("restrictions", ["before", ["letter", "p"]]),
        ("restrictions", ["before"]),
        ("restrictions", ["not", ["not", ["letter", "p"]]]),
        ("restrictions", ["rival_has", "any", ["teleports"]]),
        ("restrictions", ["some", "before"]),
        ("restrictions", ["some", "before", "own"]),
        ("restrictions", ["some", "before", ["lies"]]),
        ("restrictions", ["some", "before", ["near", "everywhere", ["lies", "own"]]]),
        ("restrictions", ["some", "before", ["line", "rank", 0, "~", 3]]),
        ("restrictions", ["some", "before", ["line", "rank", 2, "=", 3]]),
        ("restrictions", ["some", "before", ["ahead", ["lies", "own"]]]),
        ("restrictions", ["size", "before", ["lies", "own"], "<", "3"]),
        ("restrictions", ["sizes", "before", ["lies", "own"], "<", 3]),
        ("endings", ["teleports"]),
        ("endings", ["letter", "p"]),
        ("endings", ["prefix"]),
        ("endings", ["size", "now", ["all", "own"], "<"]),
        ("endings", ["size", "now", ["all", "own"], ">", 3]),
        ("endings", ["size", "now", ["hand", "own", "own"], "<", 3]),
        ("endings", ["size", "now", ["board", "own"], "<", 3]),
        ("restrictions", ["size", "before", ["hand", "own"], "<", 3]),
        ("endings", ["size", "now", ["heads", "everywhere", ["lies", "own"]], "=", 1]),
        ("endings", ["some", "now", ["region", 0, 7]]),
        ("endings", ["some", "now", ["pattern", [["a", "b", "own"]]]]),
        ("restrictions", ["some", "before", ["square", "end0"]]),
        ("restrictions", ["some", "before", ["square", ""]]),
        ("restrictions", ["some", "before", ["shift", "aside", 0, -1, ["square", "end1"]]]),
        ("restrictions", ["some", "before", ["shift", "board", "0", -1, ["square", "end1"]]]),
        ("restrictions", ["some", "before", ["lies", ""]]),
        ("restrictions", ["some", "before", ["lies", "next2"]]),
        ("restrictions", ["some", "before", ["lies", "own:king"]]),
        ("restrictions", ["some", "since", ["lies", "own"]]),
        ("restrictions", ["moves", 3]),
        ("restrictions", ["moves", ["own"]]),
        ("restrictions", ["letter", "q"]),
        ("restrictions", ["some", "before", ["aligned", "wing", [], ["square", "end1"]]]),
        ("restrictions", ["some", "before", ["last", "end2"]]),
        ("restrictions", ["rival_has", "most", ["takes", "opposing"]]),
        ("restrictions", ["rival_has", "any", "takes"]),
        ("endings", ["stuck", 2]),
        ("endings", ["stuck", -1]),
        ("endings", ["mover", "nobody"]),
        ("endings", ["some", "now", ["square", "end1"]]),
        ("endings", ["some", "before", ["lies", "own"]]),
        ("endings", ["some", "now", ["pattern", [[0, 0]]]]),
        ("endings", ["some", "now", ["pattern", [[0, 0, "x"]]]]),
        ("control", ["stuck", 0]),
        ("passing", ["stuck", 0]),
        ("passing", ["rival_has", "any", ["teleports"]]),
        ("control", ["after", ["letter", "p"]]),
    ],
)
def test_an_unknown_feature_is_refused_when_a_rulebook_is_made(
    part: str, feature: list[Any], data: dict[str, Any], tmp_path: Path
) -> None:
    plain = changed(data, part, 0, "if", to=[feature])
    model = from_data(plain)
    assert json.loads(json.dumps(to_data(model))) == plain
    with pytest.raises(ModelError, match="can't be understood"):
        grl.Rulebook(model)
    path = tmp_path / "unknown.grl.json"
    path.write_text(json.dumps(plain))
    with pytest.raises(ModelError) as caught:
        grl.load(path)
    assert len(str(caught.value).splitlines()) == 1


def test_an_unknown_symmetry_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="frames"):
        from_data(changed(data, "frames", "o", to="sideways"))


def places(value: object, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value within plain data."""
    if keys:
        yield keys
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*keys, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, (*keys, i))


ODD: list[object] = [None, -1, 99_999, 10**30, 1.5, "", "x", "1", "0", "#", "=", [], [[]], {}]


def test_whatever_stands_anywhere_gives_rules_that_work_or_a_clear_error(
    data: dict[str, Any],
) -> None:
    """Every value in turn becomes something else; only `GrlError` may come of it, or answers."""
    refusals = []
    working = 0
    for keys in places(data["rules"]):
        for odd in ODD:
            try:
                rulebook = grl.Rulebook(from_data(changed(data, *keys, to=odd)))
            except GrlError as error:
                refusals.append(str(error))
                continue
            start = rulebook.initial
            for turn in rulebook.legal(start)[:1]:
                rulebook.goals(rulebook.play(start, turn))
            working += 1
    assert min(len(refusals), working) > 30
    assert not [text for text in refusals if len(text.splitlines()) != 1]
