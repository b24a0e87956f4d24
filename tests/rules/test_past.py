"""The game so far: trails, rules about repetition and counters, and what they are worth in play."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from itertools import product

import pytest
from click.testing import CliRunner
from lessons import games_of, taught
from past_games import Blame, Opening, Patience, Threefold

from grl.board import Position, make_position
from grl.cli import main
from grl.compare import compare_game
from grl.errors import BoardError
from grl.games import load
from grl.rules.english.sentences import sentences
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.features.past import events
from grl.rules.play.referee import candidate_of
from grl.rules.templates.positions import compile_position
from grl.trail import Past, Trail
from grl.turn import Turn, play


def past(number: int) -> Past:
    return Past(str(number), "white", (), "pass")


def test_trails_share_what_they_have_in_common_and_no_more():
    trunk = Trail().followed_by(past(1)).followed_by(past(2))
    one, other = trunk.followed_by(past(3)), trunk.followed_by(past(4))
    longer = one.followed_by(past(5))

    assert [p.cells for p in trunk] == ["1", "2"]
    assert [p.cells for p in one] == ["1", "2", "3"]
    assert [p.cells for p in other] == ["1", "2", "4"]
    assert [p.cells for p in reversed(longer)] == ["5", "3", "2", "1"]
    assert [p.cells for p in pickle.loads(pickle.dumps(other))] == ["1", "2", "4"]
    assert len(longer) == 4
    with pytest.raises(IndexError):
        one[3]


def played(game, seed: int, plies: int) -> list[Position]:
    """The positions of a random game."""
    chance, found = random.Random(seed), [game.initial]
    while len(found) <= plies and not game.is_terminal(found[-1]):
        found.append(game.play(found[-1], chance.choice(game.legal(found[-1]))))
    return found


def test_positions_carry_the_game_so_far_and_are_equal_without_it():
    game = load("go:size=3")
    line = played(game, 1, 20)
    last = line[-1]

    assert [p.cells for p in last.trail] == [p.cells for p in line[:-1]]
    bare = make_position(game.equipment, **last.to_dict())
    whole = make_position(game.equipment, **last.to_dict(trail=True))
    assert bare == whole == last
    assert bare.trail is None
    assert list(whole.trail) == list(last.trail)
    assert whole.to_dict(trail=True) == last.to_dict(trail=True)


@pytest.mark.parametrize(
    ("trail", "field"),
    [
        ("abc", "history"),
        ([5], r"trail\[0\]"),
        ([{"rows": ["..", ".."], "to_move": "black"}], r"trail\[0\]"),
        ([{"rows": "....", "to_move": "black", "turn": "pass"}], r"trail\[0\]"),
        ([{"rows": ["..", ".q"], "to_move": "black", "turn": "pass"}], r"trail\[0\]"),
        ([{"rows": ["..", ".."], "to_move": "red", "turn": "pass"}], r"trail\[0\]"),
        (
            [{"rows": ["..", ".."], "to_move": "black", "turn": "pass", "reserve": 3}],
            r"trail\[0\]",
        ),
    ],
)
def test_a_trail_from_outside_is_checked(trail, field):
    equipment = load("go:size=2").equipment
    with pytest.raises(BoardError, match=field):
        make_position(equipment, ["..", ".."], "black", None, {"trail": trail})


def brute(line: list[Position], turns: list[str], feature) -> bool:
    """What a feature of the past says, worked out from the whole line of positions."""
    name, *arguments = feature
    *before, here = line
    if name == "times":
        scope, op, number = arguments
        same = [p for p in before if p.cells == here.cells]
        if scope == "position":
            same = [p for p in same if p.to_move == here.to_move]
        return len(same) == number if op == "=" else len(same) < number
    if name == "again":
        (number,) = arguments
        return len(before) >= number and before[-number].cells == here.cells
    if name == "passes":
        (number,) = arguments
        return turns[-number:] == ["pass"] * number
    event, op, number = arguments
    plies = 0
    for one, other in zip(before[::-1], line[:0:-1], strict=True):
        keys = {*one.cells, *other.cells} - {"."}
        stones = [(one.cells.count(key), other.cells.count(key)) for key in keys]
        if event == "capture" and any(many > fewer for many, fewer in stones):
            break
        if event == "handover" and one.to_move != other.to_move:
            break
        if event == "change" and sum(many - fewer for many, fewer in stones):
            break
        plies += 1
    return plies == number if op == "=" else plies < number


@pytest.mark.parametrize("seed", range(4))
def test_features_of_the_past_are_what_the_whole_game_says(seed):
    """In positions, and in what a turn would leave."""
    game = load("go:size=2,superko=0") if seed % 2 else load("go:size=3")
    frames = dict.fromkeys(game.equipment.players, "identity")
    setting = Setting(game.equipment, frames, lambda _: ())
    assert events(setting) == ["", "capture", "change", "handover"]
    features = [
        *(("times", s, op, n) for s in ("board", "position") for op in "=<" for n in range(4)),
        *(("again", n) for n in (1, 2, 4)),
        *(("passes", n) for n in (1, 2)),
        *(("since", e, op, n) for e in events(setting) for op in "=<" for n in (1, 3, 6, 20)),
    ]
    tests = [compile_position(setting, feature) for feature in features]
    met = set()
    line, turns = [game.initial], []
    chance = random.Random(seed)
    for _ in range(60):
        for feature, test in zip(features, tests, strict=True):
            said = test(PositionCase.of(setting, line[-1]))
            assert said == brute(line, turns, feature)
            met.add((feature[0], said))
        legal = game.legal(line[-1]) or ["pass"]
        text = chance.choice([*legal, "pass"])
        after = play(line[-1], Turn.parse(text))
        turn_list = TurnList(PositionCase.of(setting, line[-1]), [])
        if text != "pass":
            turn_list = TurnList(
                turn_list.before, [candidate_of(line[-1], Turn.parse(text), after)]
            )
            (case,) = turn_list.survivors
            for feature, test in zip(features, tests, strict=True):
                said = test(case.after)
                assert said == brute([*line, after], [*turns, text], feature), feature
                met.add((feature[0], said))
        if chance.random() < 0.2:
            after = replace(after, to_move=line[-1].to_move)
        line.append(after)
        turns.append(text)
    assert met == set(product(("times", "again", "passes", "since"), (False, True)))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Threefold, "occurred before two or more times"),
        (Blame, "another player moved with the last turn"),
        (Patience, "a piece was captured 12 plies ago or more"),
    ],
)
def test_ends_that_depend_on_the_game_so_far_are_learned(kind, sentence):
    game = kind()
    learned = taught(game, games_of(game, 100, endgames=0.0))

    said = sentences(game.equipment, "ending", learned.model.rules.endings)
    assert any(sentence in each for each in said), said
    assert learned.looks_back
    found = compare_game(learned, game, positions=200, endings=15)
    assert found.same, found


def test_a_rule_of_the_first_turns_is_learned():
    game = Opening()
    learned = taught(game, games_of(game, 100, endgames=0.0))

    said = sentences(game.equipment, "restriction", learned.model.rules.restrictions)
    assert said
    assert all("the game began fewer than 2 plies ago" in each for each in said), said
    found = compare_game(learned, game, positions=200, endings=15)
    assert found.same, found


def test_go_is_learned_whole(tmp_path):
    """Groups, suicide, positional superko, two passes and area, from few games."""
    game = load("go:size=4")
    learned = taught(game, games_of(game, 45, endgames=0.0))

    found = compare_game(learned, game, positions=120, endings=8)
    assert found.same, found
    assert learned.perft(learned.initial, 3) == game.perft(game.initial, 3)
    restrictions = str(learned.model.rules.restrictions)
    assert "times" in restrictions
    model = tmp_path / "go.grl.json"
    learned.save(model)
    shown = CliRunner().invoke(main, ["rules", str(model)])
    assert "the same board occurred before" in " ".join(shown.stdout.split())
    line = played(game, 3, 12)
    position = tmp_path / "position.json"
    position.write_text(json.dumps(line[-1].to_dict(trail=True)), encoding="utf-8")
    said = CliRunner().invoke(main, ["moves", str(model), "--position", str(position), "--json"])
    legal = {turn["turn"] for turn in json.loads(said.stdout)["turns"]}
    assert legal == set(game.legal(line[-1]))
