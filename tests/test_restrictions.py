"""The rules by which the demo explains surplus turns."""

import pytest
from restrictions import RESTRICTIONS, UNEXPLAINED, explain

from grl.board import make_position
from grl.fresh import fresh_positions
from grl.games import load
from grl.turn import Turn


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_no_legal_turn_breaks_a_restriction(name):
    game = load(name)
    looked = 0

    for position, texts in fresh_positions(game, 100, seed=5):
        legal = [Turn.parse(text) for text in texts]
        for turn in legal:
            looked += 1
            broken = [
                r for r, breaks in RESTRICTIONS[name].items() if breaks(position, turn, legal)
            ]
            assert not broken, (position.rows, str(turn))

    assert looked > 300


CONNECT_FOUR = ["......."] * 5 + ["...x..."]
CROWNING = [
    "........",
    "..m.....",
    "........",
    "........",
    "........",
    "........",
    ".M......",
    "........",
]
JUMPING = [
    "........",
    "........",
    "........",
    "....M...",
    "........",
    "..M.....",
    ".m......",
    "......k.",
]


@pytest.mark.parametrize(
    ("name", "rows", "mover", "turn", "rule"),
    [
        ("connect-four", CONNECT_FOUR, "black", "a2 (0 0 a o)", "a disc rests on something"),
        ("connect-four", CONNECT_FOUR, "black", "d3 (0 0 a o)", "a disc rests on something"),
        ("checkers", CROWNING, "white", "c7 (1 1 e)", "a man is crowned"),
        ("checkers", CROWNING, "black", "b2 (-1 -1 e)", "a man is crowned"),
        ("checkers", JUMPING, "white", "g1 (1 1 e)", "a capture is compulsory"),
        ("checkers", JUMPING, "white", "b2 (1 1 p) (0 0 d) (1 1 e)", "a jump goes on"),
    ],
)
def test_a_turn_that_is_forbidden_breaks_the_rule_that_forbids_it(name, rows, mover, turn, rule):
    game = load(name)
    position = make_position(game.equipment, rows, mover)
    legal = [Turn.parse(text) for text in game.legal(position)]

    broken = [
        r for r, breaks in RESTRICTIONS[name].items() if breaks(position, Turn.parse(turn), legal)
    ]

    assert legal
    assert len(broken) == 1
    assert broken[0].startswith(rule)


class Learned:
    """A rulebook that allows a game's turns and some more."""

    def __init__(self, game, more):
        self.game = game
        self.more = more

    def legal(self, position):
        texts = [*self.game.legal(position), *self.more(position)]
        return [Turn.parse(text) for text in dict.fromkeys(texts)]


def test_surplus_turns_are_counted_by_the_rule_that_they_break():
    game = load("connect-four")

    def tops(position):
        free = [file for file, row in zip("abcdefg", position.rows[0], strict=True) if row == "."]
        return [f"{file}6 (0 0 a {'x' if position.to_move == 'white' else 'o'})" for file in free]

    found = explain(Learned(game, tops), game, 50, seed=1)

    assert set(found) == {"a disc rests on something"}
    assert found["a disc rests on something"] > 100


def test_a_surplus_turn_that_breaks_no_known_rule_is_unexplained():
    game = load("tic-tac-toe")

    def wrong_stone(position):
        return [
            text.replace("a x", "a @").replace("a o", "a x").replace("a @", "a o")
            for text in game.legal(position)
        ]

    found = explain(Learned(game, wrong_stone), game, 20, seed=1)

    assert set(found) == {UNEXPLAINED}
