"""Whole games learned exactly: turns, endings by kind, goals and counts are the reference's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import takewhile

import drawn_games
import pytest
from lessons import games_of, taught
from made_once import made_once
from made_up_game import MadeUp
from perft_tables import tables

from grl.compare import compare_game
from grl.games import Game, load
from grl.rulebook import Rulebook
from grl.rules.english.sentences import sentences
from grl.tally import Comparison

LESSONS: dict[str, tuple[int, float, int | None]] = {
    "tic-tac-toe": (15, 0.0, None),
    "connect-four:width=5,height=4": (25, 0.25, None),
    "breakthrough:width=6,height=6": (10, 0.5, None),
    "peg-solitaire": (20, 0.25, None),
    "checkers": (10, 0.25, None),
    "graph-game": (20, 0.0, 50),
    "eight-puzzle": (30, 0.5, 40),
    "amazons:width=5,height=5": (2, 0.0, None),
    "five-field-kono": (40, 0.75, 60),
    "made-up": (70, 0.25, None),
    "drawn 5": (30, 0.25, drawn_games.MOST_PLIES),
    "drawn 13": (40, 0.25, drawn_games.MOST_PLIES),
}
"""How many games are learned from, the share that begins near an end, and their length at most."""
POSITIONS = 120
OF_A_KIND = 20
COUNTED = 6_000
"""Perft is held to the table as far as the counts are no larger."""


def game_of(name: str) -> Game:
    if name == "made-up":
        return MadeUp()
    if name.startswith("drawn"):
        return drawn_games.draw(int(name.split()[1]))
    return load(name)


@cache
def lesson(name: str) -> Rulebook:
    def learn() -> Rulebook:
        n, endgames, most = LESSONS[name]
        game = game_of(name)
        return taught(game, games_of(game, n, endgames=endgames, max_plies=most))

    return made_once(f"{name} from {LESSONS[name]}", learn)


@cache
def comparison(name: str) -> Comparison:
    """On fresh positions; among them lamps lit on the middle rank, which keep the move."""

    def compare() -> Comparison:
        return compare_game(lesson(name), game_of(name), POSITIONS, 3, endings=OF_A_KIND)

    return made_once(f"{name} learned exactly", compare)


ENDINGS = {
    "tic-tac-toe": ["board full", "line"],
    "connect-four:width=5,height=4": ["board full", "line"],
    "breakthrough:width=6,height=6": ["far rank", "no pawn left"],
    "peg-solitaire": ["no jump", "one peg left"],
    "checkers": ["no piece left", "no turn"],
    "graph-game": ["hole", "victory"],
    "eight-puzzle": ["in order"],
    "amazons:width=5,height=5": ["no turn"],
    "five-field-kono": ["all at the goal", "no turn"],
    "made-up": ["few walkers", "lamp between walkers", "no turn"],
    "drawn 5": ["no turn"],
    "drawn 13": ["crowded", "edges joined"],
}
"""The kinds of endings that fresh games come to."""


@pytest.mark.parametrize("name", LESSONS)
def test_turns_and_next_positions_are_the_references(name: str) -> None:
    found = comparison(name)
    differences = found.missing, found.surplus, found.elsewhere
    assert differences == (0, 0, 0), found.examples[:1]
    assert found.initial is not False
    assert found.turns > 0
    if name != "graph-game":
        assert found.positions == POSITIONS


@pytest.mark.parametrize("name", LESSONS)
def test_endings_of_every_kind_are_recognised_with_their_goals(name: str) -> None:
    found = comparison(name)
    assert lesson(name).knows_terminal
    assert lesson(name).knows_goals
    assert found.early == 0
    assert sorted({ending.kind for ending in found.endings}) == ENDINGS[name]
    wrong = [e for e in found.endings if not e.met == e.recognised == e.right]
    assert not wrong, found.examples[:1]
    assert found.same


COUNTS = [
    (table.spec, list(takewhile(lambda count: count <= COUNTED, table.counts)))
    for name in sorted({name.partition(":")[0] for name in LESSONS})
    if "drawn" not in name and name != "made-up"
    for table in tables(name)
    if table.spec in LESSONS
]


@pytest.mark.parametrize(("spec", "counts"), COUNTS, ids=[spec for spec, _ in COUNTS])
def test_perft_is_the_tables(spec: str, counts: Sequence[int]) -> None:
    rulebook = lesson(spec)
    depths = range(1, len(counts) + 1)
    assert [rulebook.perft(rulebook.initial, depth) for depth in depths] == counts
    assert len(counts) >= 3


def test_perft_of_the_made_up_game_is_the_references() -> None:
    game, rulebook = MadeUp(), lesson("made-up")
    for depth in (1, 2, 3):
        assert rulebook.perft(rulebook.initial, depth) == game.perft(game.initial, depth)


# What the rules say.


def said(name: str, part: str) -> list[str]:
    """The learned rules of a kind in English."""
    rules = lesson(name).model.rules
    assert rules is not None
    chosen = {
        "restriction": rules.restrictions,
        "ending": rules.endings,
        "control": rules.control,
    }[part]
    return sentences(lesson(name).model.equipment, part, chosen)


@pytest.mark.parametrize(
    ("name", "part", "rules"),
    [
        ("tic-tac-toe", "restriction", []),
        (
            "tic-tac-toe",
            "ending",
            ["straight lines of three or more stones of the other player", "no turn"],
        ),
        ("connect-four:width=5,height=4", "restriction", ["the square below its end is empty"]),
        (
            "connect-four:width=5,height=4",
            "ending",
            ["straight lines of four or more stones of the other player", "no turn"],
        ),
        ("breakthrough:width=6,height=6", "restriction", []),
        (
            "breakthrough:width=6,height=6",
            "ending",
            ["pawns of the other player on rank 6 as the other player sees it"],
        ),
        (
            "checkers",
            "restriction",
            [
                "appears and its end is not on rank 8",
                "does not take an opposing piece, unlike another legal turn",
                "begins as it does and goes on",
            ],
        ),
        ("checkers", "ending", ["no turn"]),
        ("peg-solitaire", "ending", ["pegs of the player to move", "no turn"]),
        ("amazons:width=5,height=5", "restriction", []),
        ("amazons:width=5,height=5", "ending", ["no turn"]),
        (
            "five-field-kono",
            "ending",
            ["no turn", "as the other player sees the board hold men of the other player"],
        ),
        (
            "made-up",
            "restriction",
            [
                "its end is on the corners",
                "does not take an opposing piece, unlike another legal turn",
                "its end is not adjacent orthogonally or diagonally to walkers of the mover",
            ],
        ),
        (
            "made-up",
            "ending",
            [
                "walkers of the player to move",
                "walkers of the other player",
                "a lamp of the other player on (1, 0)",
                "a lamp of the player to move on (1, 0)",
                "no turn",
            ],
        ),
        ("made-up", "control", ["its end is on rank 3 and it begins with a lamp of the mover"]),
    ],
)
def test_the_rules_say_what_the_game_is_about(name: str, part: str, rules: list[str]) -> None:
    """Every idea is said by some rule, and every rule says one of the ideas."""
    lines = said(name, part)
    for idea in rules:
        assert any(idea in line for line in lines), lines
    if name == "breakthrough:width=6,height=6":
        lines = lines[:1]
    assert all(any(idea in line for idea in rules) for line in lines), lines


@pytest.mark.parametrize(
    ("name", "part", "number"),
    [
        ("connect-four:width=5,height=4", "restriction", 1),
        ("checkers", "restriction", 3),
        ("checkers", "ending", 1),
        ("breakthrough:width=6,height=6", "ending", 2),
        ("drawn 13", "restriction", 1),
        ("made-up", "restriction", 3),
        ("made-up", "ending", 5),
        ("made-up", "control", 1),
    ],
)
def test_no_rule_is_told_twice(name: str, part: str, number: int) -> None:
    assert len(said(name, part)) == len(set(said(name, part))) == number


@pytest.mark.parametrize("name", LESSONS)
def test_the_report_says_that_all_is_explained(name: str) -> None:
    report = lesson(name).model.report
    assert report["restrictions"]["unexplained"] == report["restrictions"]["missing"] == 0
    assert report["endings"]["unexplained"] == report["endings"]["early"] == 0
    assert report["control"]["wrong"] == 0
