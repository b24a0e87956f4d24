"""Phrases and sentences: every literal has its own."""

from types import MappingProxyType

import pytest
from shorthand import formed
from test_asp_templates import GAMES, bench

from grl.limits import MAX_TERM_DEPTH
from grl.logic.contents import contents_by_player
from grl.logic.ops.lines import BEHIND, SOME_WAY, brink
from grl.logic.ops.places import LIES
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.terms import make
from grl.model import Literal, Rule
from grl.rules.english.sentences import English, phrase, sentences
from grl.rules.features.vocabulary import attacked, reached, turn_features, words_of


def literals_of_turns(at):
    priced = [
        p.feature
        for level in range(3)
        for p in turn_features(at.setting, words_of(at.model), level)
    ]
    rivals = [
        (relation, scope, feature)
        for relation in ("rival_has", "rival_lacks")
        for scope in ("any", "start", "first")
        for feature in priced[:20]
    ]
    more = [
        ("more", scope, w)
        for scope in ("any", "start")
        for w in contents_by_player(at.setting.equipment)
    ]
    return list(dict.fromkeys([*at.turns, *at.afterwards, *priced, *rivals, *more]))


@pytest.mark.parametrize("spec", GAMES)
def test_no_two_literals_of_a_template_read_the_same(spec):
    at = bench(spec)
    only = [f"={k}" for k, piece in at.setting.equipment.pieces.items() if piece.player is None]
    same = only[:1] if len(only) == 1 else []  # as nobody's pieces, for there are no others
    for kind, features in (("ending", at.positions), ("restriction", literals_of_turns(at))):
        said = {}
        for feature in features:
            if any(f"'{each}'" in str(feature) for each in same):
                continue
            for holds in (True, False):
                text = phrase(at.setting.equipment, kind, Literal(feature, holds))
                other = said.setdefault((feature[0], text), (feature, holds))
                assert other == (feature, holds), text
        assert len(said) > 200


END = ("square", "end1")
OWN_NEXT = ("behind", ("both", ("lies", "own:man"), ("behind", ("lies", "own:man"))))
LAST_OF_THEIRS = ("behind", ("both", ("lies", "opposing"), ("brink",)))
FAR = ("behind", ("run_up", ("both", ("lies", "empty"), LAST_OF_THEIRS), ("lies", "empty")))
WORDS = ("behind", ("both", ("lies", "empty"), OWN_NEXT)), ("either", LAST_OF_THEIRS, FAR)
BELOW = ("shift", "board", 0, -1, END)
RULES = [
    (
        "restriction",
        Rule((Literal(("some", "before", ("both", BELOW, ("lies", "empty"))), True),)),
        "A turn is illegal if the square below its end is empty.",
    ),
    (
        "ending",
        Rule(
            (Literal(("some", "now", ("lined", "around", 4, ("lies", "opposing"))), True),),
            (0, 100),
        ),
        "The game is over if there are straight lines of four or more pieces of the other player: "
        "0 for the player to move and 100 for the other player.",
    ),
    (
        "restriction",
        Rule(
            (
                Literal(("moves", "own:man"), True),
                Literal(("some", "before", ("both", END, ("line", "rank", 0, "=", 8))), True),
                Literal(("appears", "own:king"), False),
            )
        ),
        "A turn is illegal if it begins with a man of the mover, its end is on rank 8 and "
        "a king of the mover does not appear.",
    ),
    (
        "restriction",
        Rule((Literal(("rival_has", "any", ("takes", "opposing")), True),)),
        "A turn is illegal if it does not take an opposing piece, unlike another legal turn.",
    ),
    (
        "restriction",
        Rule((Literal(formed("end1", ((0, 0, "own"), (1, 1, "own"))), False),)),
        "A turn is illegal if its end doesn't complete the pattern (0, 0) and (1, 1) of pieces of "
        "the mover afterwards.",
    ),
    (
        "restriction",
        Rule(
            (
                Literal(
                    (
                        "some",
                        "before",
                        ("both", END, ("some_way", "orthogonal", ("either", *WORDS))),
                    ),
                    False,
                ),
            )
        ),
        "A turn is illegal if its end is not among the squares that look along a rank or file onto "
        "an empty square, then two men of the mover or over empty squares, if any, onto an "
        "opposing piece, then the edge.",
    ),
    (
        "control",
        Rule((Literal(("after", ("stuck", 0)), True),), (0,)),
        "After a turn the mover moves again if after the turn the opponent has no turn to play.",
    ),
    (
        "restriction",
        Rule(
            (
                Literal(("midway", reached("opposing:king", 0)), True),
                Literal(("before", reached("own:king", 1)), False),
                Literal(("midway", attacked("opposing:man", 0)), False),
            )
        ),
        "A turn is illegal if at some square on its way the opponent could move onto a king of the "
        "mover, before the turn the opponent could move onto no king of the mover and it is not so "
        "that at some square on its way the opponent could take a man of the mover.",
    ),
    (
        "ending",
        Rule((Literal(("size", "now", ("all", "own"), "<", 3), True),), (0, 100)),
        "The game is over if there are fewer than three pieces of the player to move "
        "on the board or in hand: 0 for the player to move and 100 for the other player.",
    ),
]


@pytest.mark.parametrize(("kind", "rule", "text"), RULES)
def test_a_rule_reads_as_a_sentence(kind, rule, text):
    at = bench("checkers")

    assert sentences(at.setting.equipment, kind, [rule]) == [text]


def test_the_deepest_terms_are_said():
    at = bench("checkers")
    deep = make(BEHIND, make(LIES, "own:man"))
    while deep.depth < MAX_TERM_DEPTH - 2:
        deep = make(BEHIND, make(BOTH, make(LIES, "own:man"), deep))
    either = make(SOME_WAY, "around", make(EITHER, deep, brink))
    said = phrase(at.setting.equipment, "ending", Literal(("some", "now", either.data), True))
    assert said.endswith("men of the player to move or onto the edge")


def test_seats_of_several_players_are_told_by_places_after_the_mover():
    class Three:
        players = ("red", "green", "blue")
        pieces = MappingProxyType({})

    english = English(Three())
    english.view = "turn"

    assert [english.seat(i) for i in range(3)] == [
        "the mover",
        "the player 1 place after the mover",
        "the player 2 places after the mover",
    ]
    english.view = "after"
    assert english.seat(2) == "the mover"
