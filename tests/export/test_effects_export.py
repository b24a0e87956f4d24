"""Models with effects as programs: whole turns, what they leave, and what rules see of them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from capturing_games import (
    Demoting,
    EdgeEnclosing,
    Enclosing,
    Jumping,
    Keeping,
    Shoving,
    Surrounding,
    Winning,
    lesson,
)
from click.testing import CliRunner
from effect_terms import CLOSERS, DIRECTIONS, LENGTHS, effect
from gdl import answer_set_program, faults, read
from lessons import games_of, taught
from reversing_game import Reversing
from running import differences, no, solved, yes
from shorthand import (
    apart,
    at,
    beside,
    formed,
    heading,
    line,
    meets,
    moved,
    near,
    row,
    same,
    touches,
)

from grl.board import Board, Equipment, Piece, Player, Square, make_position
from grl.cli import main
from grl.errors import ModelError
from grl.export import levels
from grl.export.kif import gdl_program
from grl.export.program import asp_program, build, fluents
from grl.export.spelling import term_of
from grl.fresh import fresh_positions
from grl.model import AutomatonKey, Dfa, Effect, Literal, Model, Role, Rule, Rules, StateId
from grl.modelfile import write_model
from grl.rulebook import Rulebook
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.features.vocabulary import attacked, reached
from grl.rules.play.effects import generator_of
from grl.rules.templates.evaluation import compile_turn_feature
from grl.turn import Letter

A, B = Player("a"), Player("b")
SAME_VIEW = {A: "identity", B: "identity"}

GAMES = {
    "reversing": (Reversing, 5),
    "enclosing": (Enclosing, 3),
    "edge-enclosing": (EdgeEnclosing, 3),
    "keeping": (Keeping, 6),
    "winning": (Winning, 3),
    "demoting": (Demoting, 3),
    "surrounding": (Surrounding, 4),
    "jumping": (Jumping, 3),
    "shoving": (Shoving, 3),
}
"""Games, and in how many positions they are looked at."""


ROUND = ["......", ".b.b..", "......", ".b.b..", "..w...", "w....."]
"""A leaper can jump all the way round, over what leaves the board only when it stops."""


@cache
def learned_game(name):
    """A model and positions; that it is the game's own is not asked for here."""
    kind, positions = GAMES[name]
    if kind is Reversing:  # on the smallest board
        game = Reversing(4)
        rulebook = taught(game, games_of(game, 8, endgames=0.5, max_plies=40))
    else:
        game, rulebook = kind(), lesson(kind)
    found = [position for position, _ in fresh_positions(game, positions, 3, 0)]
    found = [rulebook.position(**position.to_dict()) for position in found]
    if name == "jumping":
        found.append(rulebook.position(ROUND, "white"))
    return rulebook.model, found


def in_gdl(model):
    """The GDL of a model, held to what GDL asks of rules, and read back."""
    rules = read(gdl_program(model))
    assert faults(rules) == []
    return answer_set_program(rules)


def changed_squares(model, positions):
    """The most squares that the effects of a legal turn change."""
    rulebook = Rulebook(model)
    return max(
        len(turn.segments) - model.segments
        for position in positions
        for turn in rulebook.legal(position)
    )


@pytest.mark.parametrize("name", GAMES)
def test_learned_games_are_the_models_in_asp(name):
    model, positions = learned_game(name)

    assert changed_squares(model, positions) > 0
    assert differences(model, asp_program(model), positions, 3) >= len(positions)


@pytest.mark.parametrize("name", GAMES)
def test_learned_games_are_the_models_in_gdl(name):
    model, positions = learned_game(name)

    assert differences(model, in_gdl(model), positions[::2], minus=True) >= len(positions) // 2


# Games that are put together by hand ------------------------------------------------------------


def pieces(**types: str) -> dict[str, Piece]:
    """Pieces by key, capital letters for `b`: ``m="man"`` is a man m of `a` and a man M of `b`."""
    both = [(A, key, kind) for key, kind in types.items()]
    both += [(B, key.upper(), kind) for key, kind in types.items()]
    return {key: Piece(key, player, kind) for player, key, kind in both}


def dfa(player, holds, role, *arcs, ends=(1,), goes_on=()):
    """An automaton by its transitions, numbered as they come."""
    states = {s for a, _, z in arcs for s in (a, z)} | {0, *ends, *goes_on}
    transitions = tuple((StateId(a), letter, StateId(z)) for a, letter, z in arcs)
    return Dfa(
        AutomatonKey(player, holds, role),
        len(states),
        transitions,
        frozenset(map(StateId, ends)),
        frozenset(map(StateId, goes_on)),
    )


def placing(equipment: Equipment, *, segments: int = 1) -> tuple[Dfa, ...]:
    """A piece of each kind of the mover's is put on an empty square, up to so often in a turn."""
    found = []
    again = (1,) if segments > 1 else ()
    for player, roles in product((A, B), (Role.FIRST, Role.LATER)[:segments]):
        keys = [key for key, piece in equipment.pieces.items() if piece.player == player]
        arcs = [(0, Letter(0, 0, "a", key), 1) for key in sorted(keys)]
        found.append(dfa(player, ".", roles, *arcs))
    for key, piece in equipment.pieces.items():
        goes_on = (0,) if again else ()
        found.append(dfa(piece.player, key, Role.APPEARED, ends=(0,), goes_on=goes_on))
    return tuple(found)


def model_of(equipment, automata, effects, rules=None, segments=1, reserve=None):
    rows = equipment.board.rows(
        "".join("#" if s in equipment.board.holes else "." for s in range(equipment.board.size))
    )
    initial = make_position(equipment, rows, A, reserve)
    return Model(
        "made by hand",
        equipment,
        initial,
        automata,
        passes={A: "forced", B: "forced"},
        segments=segments,
        effects=tuple(effects),
        rules=rules,
    )


def boards(equipment, number, seed, weights=(4, 3, 3), reserve=None):
    """Random positions with pieces of both players, one after the other to move."""
    chance = random.Random(seed)
    keys = ".", *sorted(equipment.pieces)
    share = [weights[0], *[weights[1] / (len(keys) - 1)] * (len(keys) - 1)]
    for index in range(number):
        cells = chance.choices(keys, share, k=equipment.board.size)
        for hole in equipment.board.holes:
            cells[hole] = "#"
        moved = [equipment.board.names[s] for s in equipment.board.squares[::2]]
        history = {"moved": moved, "last": "a1 (0 0 a m)"}
        rows = equipment.board.rows("".join(cells))
        yield make_position(equipment, rows, (A, B)[index % 2], reserve, history)


WHOLE_TURNS = Rules(
    {A: "identity", B: "turn"},
    restrictions=(
        Rule((yes("segments", "=", 2), yes("rival_has", "any", ("segments", "=", 3)))),
        Rule((yes(*same("start1", "end1")), yes("appears", "own"), no("takes", "opposing"))),
    ),
    endings=(Rule((yes("size", "now", ("lies", "own"), "<", 3),), (0, 100), 9),),
    control=(Rule((yes("takes", "opposing"), no("after", row("opposing", 2))), (0,)),),
)
"""Rules that look at segments, at what a turn takes, and at what it leaves."""
STONES = pieces(w="stone")
DESCRIPTIONS = [
    *(("enclosed", *words) for words in product(DIRECTIONS, LENGTHS, CLOSERS)),
    *product(("breathless", "around"), ("orthogonal", "around", "rising")),
]
BOARD = Board(4, 3, frozenset({Square(6)}))


@pytest.mark.parametrize("where", DESCRIPTIONS, ids=" ".join)
def test_every_description_is_told(where):
    """Stones are placed anywhere, and those of the description are turned or removed."""
    equipment = Equipment(BOARD, (A, B), STONES)
    automata = placing(equipment)
    for becomes in ("removed", "own:stone"):
        effects = [effect(where, becomes)]
        model = model_of(equipment, automata, effects, WHOLE_TURNS)
        positions = list(boards(equipment, 2, f"{where} {becomes}"))
        assert differences(model, asp_program(model), positions) == len(positions)
    assert differences(model, in_gdl(model), positions[:1], minus=True)


def check(model, positions, *, gdl=2):
    """Both programs against the model; some turn has effects."""
    assert changed_squares(model, positions) > 0
    assert differences(model, asp_program(model), positions, 2) >= len(positions)
    some = positions[:gdl]
    assert differences(model, in_gdl(model), some, minus=True) >= len(some)


def test_a_board_with_links_has_its_own_neighbours_and_lines():
    """Every second link of a board is cut, one way."""
    plain = Board(4, 4)
    steps = [(s, t) for s in plain.squares for d in ((1, 0), (0, 1)) if (t := plain.step(s, *d))]
    both = [*steps, *((t, s) for s, t in steps[::2])]
    equipment = Equipment(Board(4, 4, links=frozenset(both)), (A, B), STONES)
    positions = list(boards(equipment, 6, "links"))
    for where in (
        ("around", "links"),
        ("breathless", "links"),
        ("enclosed", "around", "any", "own"),
    ):
        effects = [effect(where, "removed")]
        check(model_of(equipment, placing(equipment), effects, WHOLE_TURNS), positions)


MEN = pieces(m="man", k="king")


@pytest.mark.parametrize(
    ("becomes", "types"),
    [
        ("same", ("king", "man")),
        ("own:king", ("man",)),
        ("own:man", ("king", "man")),
        ("removed", ("king",)),
    ],
)
def test_only_some_types_change_and_become_what_they_should(becomes, types):
    equipment = Equipment(BOARD, (A, B), MEN)
    effects = [effect(("enclosed", "around", "any", "own or edge"), becomes, *types)]
    model = model_of(equipment, placing(equipment), effects, WHOLE_TURNS)

    check(model, list(boards(equipment, 8, becomes)))


def test_a_piece_that_the_mover_has_not_got_stays_as_it_is():
    """Only `b` has a king, so a king that `a` encloses keeps a run together and is not turned."""
    kinds = {key: piece for key, piece in MEN.items() if key != "k"}
    equipment = Equipment(BOARD, (A, B), kinds)
    effects = [
        effect(("enclosed", "around", "any", "own"), "same"),
        effect(("around", "orthogonal"), "removed", "king"),
    ]
    for found in (effects[:1], effects, effects[::-1]):
        model = model_of(equipment, placing(equipment), found, WHOLE_TURNS)
        check(model, list(boards(equipment, 8, "missing")))


@pytest.mark.parametrize("becomes", ["removed", "same"])
def test_turns_whose_effects_the_reserve_can_t_pay_for_are_none(becomes):
    """Men come from the reserve, kings from nowhere; a position has few men left, or none."""
    equipment = Equipment(BOARD, (A, B), MEN, frozenset({(A, "m"), (B, "M")}))
    effects = [effect(("around", "around"), becomes)]
    one_left = ("size", "now", ("hand", "opposing"), "=", 1)
    rules = Rules(SAME_VIEW, (Rule((yes("after", one_left),)),))
    stock = {A: {"m": 9}, B: {"M": 9}}
    model = model_of(equipment, placing(equipment), effects, rules, reserve=stock)
    positions = [
        position
        for left in range(4)
        for position in boards(equipment, 3, left, reserve={A: {"m": left}, B: {"M": left}})
    ]
    free = replace(model, equipment=replace(equipment, stocked=frozenset()))
    kept = [len(generator_of(model)(position)) for position in positions]
    unpaid = [
        len(generator_of(free)(replace(position, stock=()))) - n
        for position, n in zip(positions, kept, strict=True)
    ]

    assert sum(unpaid) > 0
    assert sum(kept) > 0
    check(model, positions, gdl=12)


def test_effects_begin_where_the_first_of_several_segments_stops():
    equipment = Equipment(BOARD, (A, B), STONES)
    for where in (("enclosed", "around", "any", "own"), ("breathless", "orthogonal")):
        model = model_of(
            equipment,
            placing(equipment, segments=2),
            [effect(where, "removed")],
            Rules(
                SAME_VIEW,
                (
                    Rule((yes(*apart("end2", "start3", 1, 0)),)),
                    Rule((yes("rival_has", "first", ("segments", "=", 4)),)),
                    Rule((yes("prefix"),)),
                ),
            ),
            segments=2,
        )
        check(model, list(boards(equipment, 6, "two", (2, 3, 3))))


def runners(*, flies: bool) -> tuple[Dfa, ...]:
    """Runners go right over anything, then up; or fly on; or vanish and let the bare hand go on."""
    arcs = [
        (source, Letter(dx, dy, on), target)
        for source, target, (dx, dy) in (
            (0, 1, (1, 0)),
            (1, 2, (1, 0)),
            (1, 3, (0, 1)),
            (2, 3, (0, 1)),
        )
        for on in "ewp"
    ]
    arcs += [(0, Letter(0, 0, "d"), 4), (4, Letter(0, 1, "p"), 5)]
    if flies:
        arcs.append((1, Letter(0, 0, "e", fly=True), 6))
    ends = (2, 3, 5, 6) if flies else (2, 3, 5)
    return tuple(dfa(p, key, Role.FIRST, *arcs, ends=ends) for p, key in ((A, "w"), (B, "W")))


@pytest.mark.parametrize("becomes", ["removed", "own:stone"])
def test_pieces_are_passed_over_unless_the_hand_flies(becomes):
    equipment = Equipment(BOARD, (A, B), STONES)
    rules = Rules(
        SAME_VIEW,
        (
            Rule((yes(*moved("start1")), yes(*same("start2", "end1")))),
            Rule(
                (
                    yes("steps", "=", 3),
                    no("letter", "d"),
                    yes("rival_has", "start", ("takes", "opposing")),
                )
            ),
        ),
        endings=(
            Rule(
                (yes(*attacked("own", 1)), yes("size", "now", ("lies", "opposing"), "=", 1)),
                (0, 100),
            ),
        ),
    )
    for flies in (False, True):
        effects = [effect(("passed",), becomes)]
        model = model_of(equipment, runners(flies=flies), effects, rules)
        positions = list(boards(equipment, 8, becomes))
        turns = [turn for position in positions for turn in Rulebook(model).legal(position)]
        assert any(" d)" in str(turn.segments[0]) for turn in turns if len(turn.segments) == 2)
        assert flies == any(segment.targets for turn in turns for segment in turn.segments)
        check(model, positions)


ALIVE = ("group", "orthogonal", ("near", "orthogonal", ("lies", "empty")), ("lies", "own"))
LIFELESS = ("without", ("lies", "own"), ALIVE)

FEW = ("size", "now", ("all", "opposing"), "<", 4)
SEEN = [
    *(("segments", op, n) for op in "<=" for n in (1, 2, 3)),
    *(("steps", "=", n) for n in (0, 1)),
    *(("appears", what) for what in ("own", "own:king")),
    *(("letter", kind) for kind in "drep"),
    *(("takes", what) for what in ("empty", "own", "opposing")),
    *(
        at(role, "file", "<", 3)
        for role in ("start1", "end1", "start2", "end2", "start3", "drop", "taken")
    ),
    *(
        near(role, "board", 0, 1, "opposing", when)
        for role in ("end1", "end3")
        for when in ("before", "after")
    ),
    *(touches(role, "around", "empty", "after") for role in ("start2", "end1")),
    *(beside(role, "orthogonal") for role in ("start2", "end3")),
    *(apart(one, other, 1, 0) for one, other in (("end1", "start2"), ("end2", "end3"))),
    line("start2", "own", 2, "after"),
    formed("end2", ((0, 0, "own"), (0, 1, "own"))),
    moved("start2"),
    same("start2", "end1"),
    *(meets(role, LIFELESS, "after") for role in ("end1", "end2")),
    heading("level"),
    apart("start1", "end1", 0, 0),
    *(("after", f) for f in (row("own", 2), FEW, attacked("own", 0))),
    ("before", attacked("own", 1)),
    *((when, reached("own", 0)) for when in ("before", "after", "midway")),
    *(("midway", f) for f in (row("own", 2), FEW)),
    ("prefix",),
    *(("further", begins) for begins in ("letters", "pieces")),
    *(
        (relation, scope, f)
        for relation in ("rival_has", "rival_lacks")
        for scope in ("any", "start", "first")
        for f in (("takes", "opposing"), ("segments", "=", 2))
    ),
    *(("more", scope, what) for scope in ("any", "start") for what in ("opposing", "empty")),
]


@pytest.mark.parametrize("segments", [1, 2])
def test_features_see_whole_turns(segments):
    """Every feature by ASP against its evaluator; many hold of some turns and not of others."""
    equipment = Equipment(BOARD, (A, B), MEN)
    model = model_of(
        equipment,
        placing(equipment, segments=segments),
        [effect(("enclosed", "around", "any", "own"), "same")],
        Rules(SAME_VIEW),
        segments,
    )
    setting = Setting(equipment, SAME_VIEW, generator_of(model))
    literals = [Literal(feature, True) for feature in SEEN]
    built = build(model, turns=literals)
    names = {feature: built.definitions.turn(feature) for feature in SEEN}
    tests = {feature: compile_turn_feature(setting, feature) for feature in SEEN}
    shown = " ".join(f"#show {name}/2." for name in names.values())
    program = f"{levels.recursive(built.text)} #show turn/2. {shown}"
    met = set()
    for position in boards(equipment, 6 // segments**2, "features", (3, 4, 4)):
        facts = [f"true({f})." for f in fluents(model, position, turns=literals)]
        found = set(solved(program, facts))
        turn_list = TurnList(PositionCase.of(setting, position), setting.generator(position))
        for case in turn_list.survivors:
            term = term_of(case.turn, equipment)
            assert f"turn(now,{term})" in found
            for feature in SEEN:
                met.add((feature, tests[feature](case)))
                where = feature, position.rows, position.to_move, str(case.turn)
                assert tests[feature](case) == (f"{names[feature]}(now,{term})" in found), where
    assert len(met) > 1.35 * len(SEEN)


def test_of_two_effects_on_a_square_the_first_counts():
    equipment = Equipment(BOARD, (A, B), STONES)
    both = [
        effect(("enclosed", "around", "any", "own"), "own:stone"),
        effect(("around", "orthogonal"), "removed"),
    ]
    for found in (both, both[::-1]):
        model = model_of(equipment, placing(equipment), found, WHOLE_TURNS)
        check(model, list(boards(equipment, 4, "two effects")))


def test_a_piece_that_the_hand_put_down_may_be_what_the_effect_changes():
    """Players drag opponents' pieces, which have moved then, unless the effect changes them."""
    equipment = Equipment(BOARD, (A, B), STONES)
    arcs = [(0, Letter(1, 0, on), 1) for on in "ewp"]
    drags = tuple(dfa(p, key, Role.FIRST, *arcs) for p, key in ((A, "W"), (B, "w")))
    rules = Rules(SAME_VIEW, (Rule((yes(*moved("end1")), yes(*moved("end2")))),))
    for where, becomes in (
        (("passed",), "removed"),
        (("passed",), "own:stone"),
        (("around", "around"), "removed"),
    ):
        model = model_of(equipment, drags, [effect(where, becomes)], rules)
        check(model, list(boards(equipment, 6, "dragged")))


def test_turns_that_come_to_the_same_by_their_effects_are_one_turn():
    """A stone takes one of two neighbours and turns the other, or the other way round."""
    equipment = Equipment(Board(3, 2), (A, B), STONES)
    arcs = [(0, Letter(dx, dy, "p"), 1) for dx, dy in ((1, 0), (0, 1))]
    taking = tuple(dfa(p, key, Role.FIRST, *arcs) for p, key in ((A, "w"), (B, "W")))
    model = model_of(equipment, taking, [effect(("around", "around"), "own:stone")])
    position = make_position(equipment, ["W..", "wW."], A)
    assert len(generator_of(model)(position)) == 2
    assert len(Rulebook(model).legal(position)) == 1

    check(model, [position])


def test_an_effect_that_there_is_not_is_refused():
    equipment = Equipment(BOARD, (A, B), STONES)
    model = model_of(equipment, placing(equipment), [Effect(("nearby",), "removed")])

    with pytest.raises(ModelError, match=r"effects\[0\]\.where"):
        asp_program(model)


@pytest.mark.parametrize(("kind", "mark"), [("asp", "%"), ("gdl", ";")])
def test_the_command_writes_programs_that_say_their_effects(kind, mark, tmp_path):
    path = tmp_path / "model.grl.json"
    write_model(learned_game("enclosing")[0], path)

    done = CliRunner().invoke(main, ["export", str(path), "--to", kind, "-o", str(tmp_path)])

    assert done.exit_code == 0, done.output
    text = next(tmp_path.glob("enclosing.*")).read_text(encoding="utf-8")
    assert f"{mark} Effect 1. With a turn, single opposing guards along a rank or file" in text
