"""Every effect that can be learned has a sentence of its own."""

import pytest

from grl.board import Board, Equipment, Piece, Player
from grl.errors import ModelError
from grl.model import Effect
from grl.rules.cases import Setting
from grl.rules.effects import REMOVED, SAME, _descriptions
from grl.rules.english_effects import effect_sentence

A, B = Player("a"), Player("b")
LINKS = frozenset({(0, 1), (1, 0)})


def setting(board):
    pieces = {"x": Piece("x", A, "disc"), "o": Piece("o", B, "disc")}
    return Setting(
        Equipment(board, (A, B), pieces), {A: "identity", B: "identity"}, lambda _position: ()
    )


@pytest.mark.parametrize("board", [Board(3, 3), Board(3, 3, links=LINKS)])
def test_every_description_has_a_sentence_of_its_own(board):
    found = [
        effect_sentence(Effect(where, becomes, ("disc",)))
        for where in _descriptions(setting(board))
        for becomes in (REMOVED, SAME, "king")
    ]

    assert len(set(found)) == len(found) > 30


def test_sentences_read_well():
    where = ("enclosed", "around", "any", "own")
    assert effect_sentence(Effect(where, SAME, ("disc",))) == (
        "With a turn, all opposing discs in a straight line between the end of its first segment "
        "and a piece of the mover become the mover's."
    )
    assert effect_sentence(Effect(("passed",), REMOVED, ("king", "man"))) == (
        "With a turn, all opposing kings or men that its first segment passes over are removed."
    )


@pytest.mark.parametrize("where", [("nothing",), ("enclosed", "around"), ("around", "nowhere")])
def test_an_effect_that_there_is_not_is_refused(where):
    with pytest.raises(ModelError):
        effect_sentence(Effect(where, REMOVED, ("disc",)))
