"""Effects as sentences."""

from itertools import product

import pytest
from effect_terms import BRINK, CLOSERS, DIRECTIONS, LENGTHS, effect

from grl.board import Board, Equipment, Piece, Player
from grl.errors import ModelError
from grl.logic.changes import KEPT, REMOVED, SAME, WON
from grl.model import Effect
from grl.rules.english.effects import effect_sentence

A, B = Player("a"), Player("b")
DISCS = {"x": Piece("x", A, "disc"), "o": Piece("o", B, "disc")}
MEN = {"m": Piece("m", A, "man"), "M": Piece("M", B, "man"), "k": Piece("k", B, "king")}
NEARNESS = ("orthogonal", "around", "rising", "falling", "links")
DESCRIPTIONS = [
    *(("enclosed", *words) for words in product(DIRECTIONS, LENGTHS, CLOSERS)),
    *product(("breathless", "around"), NEARNESS),
    ("passed",),
]


def equipment(pieces):
    return Equipment(Board(3, 3, links=frozenset({(0, 1), (1, 0)})), (A, B), pieces)


def test_effects_that_differ_have_sentences_that_differ():
    made = [
        effect(where, becomes) for where in DESCRIPTIONS for becomes in (REMOVED, SAME, "own:man")
    ]
    found = [effect_sentence(each, equipment(MEN)) for each in made]

    assert len(set(found)) == len(found) > 60


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (
            effect(("enclosed", "around", "any", "own"), SAME),
            "all opposing discs in a straight line between its end and a disc of the mover become "
            "the mover's",
        ),
        (
            effect(("enclosed", "orthogonal", "one", "own or edge"), REMOVED),
            "single opposing discs along a rank or file between its end and a disc of the mover or "
            "the edge are removed",
        ),
        (
            effect(("passed",), REMOVED),
            "all opposing discs that its first segment passes over are removed",
        ),
        (
            effect(("around", "links"), KEPT),
            "all opposing discs adjacent by a link to its end are removed and kept in the mover's "
            "hand",
        ),
        (
            effect(("around", "links"), WON),
            "all opposing discs adjacent by a link to its end are removed and join the mover's "
            "hand as his",
        ),
        (
            effect(("around", "links"), "won:disc"),
            "all opposing discs adjacent by a link to its end are removed and join the mover's "
            "hand as discs of the mover",
        ),
        (
            effect(("around", "links"), "own:disc"),
            "all opposing discs adjacent by a link to its end become discs of the mover",
        ),
    ],
)
def test_sentences_read_well(made, sentence):
    assert effect_sentence(made, equipment(DISCS)) == f"With a turn, {sentence}."


def test_types_are_named_where_there_are_several():
    made = effect(("passed",), REMOVED, "king", "man")
    assert effect_sentence(made, equipment(MEN)) == (
        "With a turn, all opposing kings or opposing men that its first segment passes over are "
        "removed."
    )


@pytest.mark.parametrize("where", [("nothing",), ("near", "around"), ("near", "nowhere", BRINK)])
def test_an_effect_that_there_is_not_is_refused(where):
    with pytest.raises(ModelError):
        effect_sentence(Effect(where, REMOVED), equipment(DISCS))
