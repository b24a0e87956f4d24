"""Turns found as sets, of models made by hand, are those of the reference implementation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from differential import Met, compare, compare_games, reference_of
from random_models import random_position
from shorthand import apart

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, make_position
from grl.engine.source import program
from grl.engine.trimming import trimmed
from grl.model import AutomatonKey, Dfa, Effect, Literal, Model, Role, Rule, Rules, StateId
from grl.players.interface import Budget
from grl.players.minimax import Search
from grl.players.swift import Swift
from grl.rulebook import Rulebook
from grl.turn import Letter

PLAYERS = WHITE, BLACK = Player("white"), Player("black")
MEN = {WHITE: "m", BLACK: "M"}
PIECES = {key: Piece(key, player, "man") for player, key in MEN.items()}
REMOVE, FLY = Letter(0, 0, "d"), Letter(0, 0, "e", "", True)
STEPS = (Letter(0, -1, "e"), Letter(0, 1, "e"), Letter(1, 0, "e"))
POSITIONS = 40
LONGEST = 12

END, SECOND = ("square", "end1"), ("square", "end2")
ROW = ("both", END, ("lined", "around", 3, ("lies", "own")))
THEIR_ROW = ("both", SECOND, ("lined", "orthogonal", 2, ("lies", "opposing")))
NEAR = ("both", END, ("near", "orthogonal", ("square", "start1")))

Body = tuple[Literal, ...]


def yes(*feature: object) -> Literal:
    return Literal(feature, True)


def no(*feature: object) -> Literal:
    return Literal(feature, False)


def dfa(
    mover: Player, holds: str, role: Role, letters: Sequence[Letter], going_on: bool = False
) -> Dfa:
    """The words of one letter."""
    one = frozenset({StateId(1)})
    transitions = tuple((StateId(0), letter, StateId(1)) for letter in sorted(letters))
    key = AutomatonKey(mover, holds, role)
    return Dfa(key, 2, transitions, one, one if going_on else frozenset())


def men(
    letters: Sequence[Letter],
    bodies: Sequence[Body] = (),
    *,
    removing: bool = False,
    hands: bool = False,
    effects: tuple[Effect, ...] = (),
) -> Model:
    """Men that step, or are put down where they are in hand or letters say no way, and may then
    remove one of the opponent's."""
    automata = []
    stocked = frozenset(MEN.items()) if hands else frozenset()
    for mover, key in MEN.items():
        put = Letter(0, 0, "a", key)
        if hands or not letters:
            automata.append(dfa(mover, EMPTY, Role.FIRST, [put]))
            nothing, start = frozenset[StateId](), frozenset({StateId(0)})
            appeared = AutomatonKey(mover, key, Role.APPEARED)
            automata.append(Dfa(appeared, 1, (), start, start if removing else nothing))
        if letters:
            automata.append(dfa(mover, key, Role.FIRST, letters, removing))
        if removing:
            other = MEN[WHITE if mover == BLACK else BLACK]
            automata.append(dfa(mover, other, Role.LATER, [REMOVE]))
    equipment = Equipment(Board(5, 4), PLAYERS, PIECES, stocked)
    held = {"white": {"m": 3}, "black": {"M": 3}} if hands else None
    start = make_position(equipment, ["..M..", ".m.M.", ".M.m.", "..m.."], "white", held)
    rules = Rules(
        {WHITE: "identity", BLACK: "turn"},
        tuple(Rule(body, ()) for body in bodies),
        (Rule((yes("stuck", 0),), (0, 100)),),
    )
    return Model(
        "men",
        equipment,
        start,
        tuple(sorted(automata, key=lambda each: each.key)),
        segments=2 if removing else 1,
        effects=effects,
        rules=rules,
    )


def positions(reference: Rulebook) -> Iterator[Position]:
    """Those of random games from random boards, without end."""
    chance = Random(1)
    while True:
        position = random_position(chance, reference.model.equipment)
        for _ in range(LONGEST):
            yield position
            turns = reference.legal(position)
            if not turns:
                break
            position = reference.after(position, chance.choice(turns))


def same(model: Model) -> Met:
    """Holds the engine of a model to the reference."""
    reference, engine, met = reference_of(model), Rulebook(model).engine(), Met()
    some = list(islice(positions(reference), POSITIONS))
    assert not [str(each) for each in compare(reference, engine, some, met)]
    assert not [str(each) for each in compare_games(reference, engine, model.initial)]
    assert met.counts["turns"] > POSITIONS
    return met


COUNT = ("size", "now", ("all", "opposing"), "<", 4)
ONLY_ROWS = (yes("segments", "=", 2), no("some", "after", ROW))


@pytest.mark.parametrize(
    ("hands", "bodies"),
    [
        (True, (ONLY_ROWS, (yes("prefix"),), (yes("rival_has", "any", ("appears", "own")),))),
        (False, ((yes("rival_lacks", "first", ("some", "before", THEIR_ROW)),), (no("prefix"),))),
        (
            True,
            (
                (yes("some", "before", THEIR_ROW), no("appears", "own")),
                (yes("more", "any", "opposing"),),
            ),
        ),
        (False, ((yes("rival_has", "start", ("takes", "opposing")), no("before", COUNT)),)),
    ],
    ids=["lines", "rivals", "amounts", "takes"],
)
def test_turns_that_end_with_a_removal_are_rows(hands: bool, bodies: Sequence[Body]) -> None:
    model = men(STEPS, bodies, removing=True, hands=hands)
    written = program(model)
    assert (written.setwise, written.mixed) == ("", False)
    assert "#define ROWS 0" not in written.text
    same(model)
    engine, plain = Rulebook(model).engine(), {"order": False, "prune": False, "table": False}
    for position in islice(positions(reference_of(model)), 20):
        state = engine.state(position)
        if not state.over:
            ours = Swift(**plain).choose(engine, state, Budget(depth=2))
            theirs = Search(None, **plain).choose(engine, state, Budget(depth=2))
            assert (ours.nodes, ours.value) == (theirs.nodes, theirs.value)


@pytest.mark.parametrize("op", ["<", "="])
def test_a_margin_between_numbers_of_pieces_is_asked_of_words(op: str) -> None:
    margin = yes("sizes", "before", ("lies", "opposing"), op, ("lies", "own"), 2)
    model = men(STEPS, [(margin, yes(*apart("start1", "end1", 1, 0)))])
    assert program(model).setwise == ""
    same(model)


def test_flights_are_words_where_rules_don_t_shut_them() -> None:
    few = (no("some", "before", NEAR), no("after", ("size", "now", ("lies", "opposing"), "=", 3)))
    model = men((*STEPS, FLY), [few], removing=True)
    written = program(model)
    assert (written.setwise, written.mixed) == ("", False)
    assert "if (!level || !(" in written.text
    same(model)


AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, 2), (-2, 1), (-2, -1), (-1, -2))


def sliders(mover: Player, key: str, ways: Sequence[tuple[int, int]]) -> Dfa:
    """A piece that slides in some ways, leaps, and takes where it ends."""
    last = StateId(len(ways) + 1)
    transitions = [(StateId(0), Letter(*by, on), last) for by in LEAPS for on in "ep"]
    for number, by in enumerate(ways, 1):
        way = StateId(number)
        for state in (StateId(0), way):
            transitions += [(state, Letter(*by, "e"), way), (state, Letter(*by, "p"), last)]
    ends = frozenset(map(StateId, range(1, len(ways) + 2)))
    key_ = AutomatonKey(mover, key, Role.FIRST)
    return Dfa(key_, len(ways) + 2, tuple(sorted(transitions)), ends, frozenset())


def test_slides_are_loops_over_tables() -> None:
    model = men(STEPS, [(yes("some", "before", NEAR),)])
    kinds = {WHITE: ("m", "r"), BLACK: ("M", "R")}
    pieces = PIECES | {keys[1]: Piece(keys[1], who, "rook") for who, keys in kinds.items()}
    equipment = replace(model.equipment, pieces=pieces)
    start = make_position(equipment, ["R.M..", ".m.M.", ".M.m.", "..m.r"], "white")
    automata = [
        sliders(who, key, AROUND[: 8 - 4 * place])
        for who, keys in kinds.items()
        for place, key in enumerate(keys)
    ]
    ordered = tuple(sorted(automata, key=lambda each: each.key))
    model = replace(model, equipment=equipment, initial=start, automata=ordered)
    written = program(model)
    assert written.setwise == ""
    assert "find_ray(x" in written.text
    assert "hop_all(w" in written.text
    same(model)


RUN = ("run", ("ahead", END), ("lies", "opposing"))
BOUND = ("run_up", ("behind", ("lies", "own")), ("lies", "opposing"))


@pytest.mark.parametrize(
    ("becomes", "rule"),
    [
        ("own:man", yes("segments", "=", 1)),
        ("removed", yes("rival_has", "any", ("segments", "<", 2))),
    ],
)
def test_effects_that_look_ahead_are_sets(becomes: str, rule: Literal) -> None:
    effect = Effect(("some_way", "around", ("both", RUN, BOUND)), becomes)
    model = men((), [(rule,)], effects=(effect,))
    assert program(model).setwise == ""
    same(model)


@pytest.mark.parametrize("inner", [("both", ("near", "around", END), ("lies", "opposing")), RUN])
def test_other_effects_are_walked(inner: tuple[object, ...]) -> None:
    where = inner if inner is not RUN else ("some_way", "around", ("run", RUN, ("lies", "empty")))
    model = men((), effects=(Effect(where, "own:man"),))
    assert "left to the walk" in program(model).setwise


TEXT = """/* A comment
   in two lines. */
#define MANY 3
#define TWICE(x) (x + x)
#define CALL(number) part_##number();
#if MANY > 2 && !NONE_SUCH
#ifdef __TINYC__
static int unused(void) { return TWICE(1); }
#endif
#elif MANY
int never;
#endif
#if MANY == 3 /* so it is */
static int part_1(void) {
  return 1;
}
#else
int nor_this;
#endif
static const int table[] = {1, 2};
EXPORT int all(void) { return CALL(1) }
"""


def test_texts_are_trimmed_of_what_nothing_refers_to() -> None:
    assert trimmed(TEXT).splitlines() == [
        "#define MANY 3",
        "#define CALL(number) part_##number();",
        "#if MANY > 2 && !NONE_SUCH",
        "#ifdef __TINYC__",
        "#endif",
        "#else",
        "int never;",
        "#endif",
        "static int part_1(void) {",
        "  return 1;",
        "}",
        "EXPORT int all(void) { return CALL(1) }",
    ]


@pytest.mark.parametrize("removing", [False, True])
@pytest.mark.parametrize("begins", ["letters", "pieces"])
def test_routes_are_left_to_the_walk(removing: bool, begins: str) -> None:
    model = men(STEPS, [(yes("further", begins), yes("takes", "opposing"))], removing=removing)
    assert program(model).setwise
    same(model)
