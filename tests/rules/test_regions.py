"""Regions and patterns, from positions in which something known was planted."""

from __future__ import annotations

from random import Random

import pytest
from shorthand import held, lacks, pattern

from grl.board import Board, Equipment, Piece, Player, Square
from grl.logic.ops.shapes import FIGURE, PATTERN
from grl.rules.endings.patterns import KEPT, patterns
from grl.rules.endings.pictures import Pictures
from grl.rules.endings.regions import always_occupied, occupied, regions
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import some
from grl.rules.templates.positions import compile_position, position_table

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "m": Piece("m", WHITE, "man"),
    "k": Piece("k", WHITE, "king"),
    "M": Piece("M", BLACK, "man"),
    "K": Piece("K", BLACK, "king"),
    "x": Piece("x", None, "stone"),
}
SIZE = 5


def setting(frame: str = "flip", keys: str = "mkMKx", size: int = SIZE) -> Setting:
    equipment = Equipment(Board(size, size), (WHITE, BLACK), {k: PIECES[k] for k in keys})
    return Setting(equipment, {WHITE: "identity", BLACK: frame}, lambda _: [])


def case(at: Setting, cells: str, mover: Player = WHITE, last: str | None = None) -> PositionCase:
    return PositionCase(at, cells, (), mover, frozenset(), last)


def strewn(chance: Random, pieces: str) -> str:
    return "".join(chance.choice(pieces) for _ in range(SIZE * SIZE))


def holds(at: Setting, feature, cases) -> list[bool]:
    return list(map(compile_position(at, feature), cases))


def met(at: Setting, features, cases) -> list[bool]:
    """Which regions some case has: a feature holds there, or where it is a lack, does not."""
    denied = [
        feature[2][0] in ("without", "either") or feature[0] == "size" for feature in features
    ]
    return (position_table(at, cases, features) != denied).any(axis=0).tolist()


def planted(cells: str, stones: dict[str, str]) -> str:
    board = Board(SIZE, SIZE)
    found = list(cells)
    for name, key in stones.items():
        found[board.square(name)] = key
    return "".join(found)


# Regions.


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("stones", "seat", "cells"),
    [
        ({"b1": "m", "d2": "m"}, 0, ((2, 1, "own"), (4, 2, "own"))),
        ({"b1": "k", "d2": "m"}, 0, ((2, 1, "own"), (4, 2, "own"))),
        (
            {"a5": "M", "c5": "M", "e5": "M"},
            1,
            ((1, 1, "opposing"), (3, 1, "opposing"), (5, 1, "opposing")),
        ),
    ],
)
def test_the_cells_that_ends_share_are_found(
    stones: dict[str, str], seat: int, cells: tuple, seed: int
) -> None:
    """The next player's cells are named as that player sees the board, here upside down."""
    at, chance = setting(), Random(seed)
    positive = [case(at, planted(strewn(chance, "mMk..."), stones)) for _ in range(12)]
    lacking = compile_position(at, lacks(seat, cells))
    some = [case(at, strewn(chance, "mmMMkk..")) for _ in range(700)]
    negative = [c for c in some if lacking(c)]

    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]

    assert all(met(at, found, positive))
    assert not any(met(at, found, negative))
    assert lacks(seat, cells) in found


def test_a_region_of_more_squares_than_the_board_can_name_is_said_by_players_alone() -> None:
    at, chance = setting(size=15), Random(6)
    positive = [case(at, "m" * 225) for _ in range(8)]
    negative = [case(at, "".join(chance.choice("m.") for _ in range(225))) for _ in range(20)]

    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]

    assert found
    assert all(met(at, found, positive))
    assert not any(met(at, found, negative))
    assert {feature[2][1][0] for feature in found if feature[2][0] == "without"} == {"region"}


def test_a_region_names_types_where_only_they_tell_the_ends() -> None:
    at, chance = setting(), Random(3)
    wanted = lacks(0, ((3, 3, "own:king"),))
    positive = [case(at, planted(strewn(chance, "mM.."), {"c3": "k"})) for _ in range(12)]
    negative = [case(at, planted(strewn(chance, "mkM.."), {"c3": "m"})) for _ in range(300)]
    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]
    assert wanted in found
    assert not any(met(at, found, negative))


def test_a_region_is_seen_by_whoever_moves() -> None:
    """Each player ends the game on what is their own first rank."""
    at, chance = setting("turn"), Random(4)
    positive = [case(at, planted(strewn(chance, "M.."), {"b1": "m"}), WHITE) for _ in range(6)] + [
        case(at, planted(strewn(chance, "m.."), {"d5": "M"}), BLACK) for _ in range(6)
    ]
    negative = [
        case(at, planted(strewn(chance, "mM"), {"b1": ".", "d5": "."}), mover)
        for mover in (WHITE, BLACK) * 100
    ]
    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]
    assert lacks(0, ((2, 1, "own"),)) in found


def test_a_region_may_lie_where_it_does_for_everybody() -> None:
    """Either player ends the game on the same square of the board."""
    at, chance = setting("flip"), Random(6)
    positive = [
        case(at, planted(strewn(chance, "mM.."), {"b1": key}), mover)
        for mover, key in ((WHITE, "m"), (BLACK, "M")) * 8
    ]
    negative = [
        case(at, planted(strewn(chance, "mM"), {"b1": "."}), mover)
        for mover in (WHITE, BLACK) * 100
    ]
    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]
    assert lacks(None, ((2, 1, "own"),)) in found


def test_empty_cells_and_nobodys_pieces_belong_to_the_whole_board() -> None:
    at, chance = setting(), Random(5)
    stones = {"c1": ".", "c3": "x"}
    positive = [case(at, planted(strewn(chance, "mMkx"), stones)) for _ in range(30)]
    negative = [
        case(at, planted(strewn(chance, "mM.x"), {"c1": one, "c3": other}))
        for one, other in ((".", "m"), ("m", "x"), (".", "."), ("x", "x"))
        for _ in range(100)
    ]
    found = [priced.feature for priced in regions(Pictures(at), positive, negative)]
    assert lacks(0, ((3, 1, "empty"), (3, 3, "neutral"))) in found


def test_squares_that_ends_fill_are_found_though_the_game_went_on_where_others_fill_them() -> None:
    at, chance = setting(), Random(8)
    full = ((2, 1), (3, 3), (4, 5))
    names = ("b1", "c3", "d5")
    positive = [
        case(at, planted(strewn(chance, "mM.."), dict(zip(names, keys, strict=True))))
        for keys in ("mxx", "xmx", "xxm", "mMx", "kxM", "mmm", "xkx")
    ]
    negative = [case(at, planted(strewn(chance, "mM.."), dict.fromkeys(names, "x")))]

    found = [priced.feature for priced in always_occupied(Pictures(at), positive, ())]

    assert held(0, full, "own") in found
    assert all(not any(holds(at, held(0, full, "empty"), some)) for some in (positive, negative))
    assert holds(at, held(0, full, "own"), [*positive, *negative]) == [True] * 7 + [False]
    assert not list(always_occupied(Pictures(at), positive[:2], ()))


def test_squares_that_are_never_empty_make_no_end() -> None:
    at, chance = setting(), Random(9)
    names = ("b1", "c3", "d5")
    positive = [
        case(at, planted(strewn(chance, "mM.."), dict.fromkeys(names, "m"))) for _ in range(8)
    ]
    filled = [dict.fromkeys(names, "x") | {name: "."} for name in ("b1", "c3")]
    negative = [case(at, planted(strewn(chance, "mM.."), stones)) for stones in filled * 40]

    found = [priced.feature for priced in always_occupied(Pictures(at), positive, negative)]

    assert held(0, ((2, 1), (3, 3)), "empty") in found


@pytest.mark.parametrize(("seldom", "chance_does"), [(20, True), (2, False)])
def test_a_square_that_is_filled_nearly_always_may_be_no_part_of_a_region(
    seldom: int, chance_does: bool
) -> None:
    at, chance = setting(), Random(10)
    names, other = ("b1", "c3", "d5"), "e2"
    positive = [
        case(at, planted(strewn(chance, "m..."), dict.fromkeys((*names, other), "m")))
        for _ in range(16)
    ]
    filled = [dict.fromkeys(names, "m") | {name: "."} for name in names]
    negative = [
        case(at, planted(strewn(chance, "m..."), stones | {other: "m" if n % seldom else "."}))
        for n, stones in enumerate(filled * 20)
    ]

    found = [priced.feature for priced in occupied(Pictures(at), positive, negative)]

    zones = [((2, 1), (3, 3), (4, 5)), ((2, 1), (3, 3), (4, 5), (5, 2))]
    assert held(0, zones[1], "empty") in found
    assert (held(0, zones[0], "empty") in found) == chance_does


def test_there_is_no_region_where_the_game_went_on_alike() -> None:
    at, chance = setting(), Random(6)
    positive = [case(at, strewn(chance, "mM..")) for _ in range(6)]
    assert regions(Pictures(at), positive, positive) == []
    assert regions(Pictures(at), [], positive) == []


# Patterns.

SHAPES = {
    "angle": ((0, 0), (1, 0), (0, 1)),
    "diagonal": ((0, 0), (1, 1), (2, 2)),
    "wide": ((0, 0), (2, 1)),
    "square": ((0, 0), (1, 0), (0, 1), (1, 1)),
}


def named(shape: tuple[tuple[int, int], ...], what: str = "own") -> tuple:
    """The feature: from the square that comes first on the board."""
    x0, y0 = min(shape, key=lambda d: (d[1], d[0]))
    return pattern(tuple(sorted((x - x0, y - y0, what) for x, y in shape)))


def found_patterns(*arguments) -> list:
    return [some("now", x) for x in patterns(*arguments) if x.operator is PATTERN]


def ends_and_others(
    at: Setting, chance: Random, shape: tuple[tuple[int, int], ...], *, lasts: bool
) -> tuple[list[PositionCase], list[PositionCase]]:
    test = compile_position(at, named(shape))
    board = at.board
    positive, negative = [], []
    places = at.places(shape)
    while len(positive) < 24:
        cells = list(strewn(chance, "m....MM"))
        squares = chance.choice(places)
        for square in squares:
            cells[square] = "m"
        last = f"{board.names[chance.choice(squares)]} (0 0 a m)" if lasts else None
        positive.append(case(at, "".join(cells), last=last))
    while len(negative) < 600:
        other = case(at, strewn(chance, "mmM..."))
        if not test(other):
            negative.append(other)
    return positive, negative


@pytest.mark.parametrize("lasts", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_pattern_that_ends_a_game_is_found(shape: str, lasts: bool) -> None:
    at, chance = setting(keys="mM"), Random(shape)
    positive, negative = ends_and_others(at, chance, SHAPES[shape], lasts=lasts)

    found = found_patterns(at, 0, positive, negative)

    assert named(SHAPES[shape]) in found
    for feature in found:
        assert sum(holds(at, feature, positive)) > 1
        assert not any(holds(at, feature, negative))
    assert max(len(feature[2][1]) for feature in found) == len(SHAPES[shape])
    assert len(found) <= KEPT * len(SHAPES[shape])


def test_no_smaller_pattern_is_taken_for_the_one_that_ends_the_game() -> None:
    at, chance = setting(keys="mM"), Random(9)
    positive, negative = ends_and_others(at, chance, SHAPES["square"], lasts=False)
    whole = set(SHAPES["square"])
    for feature in found_patterns(at, 0, positive, negative):
        offsets = {(x, y) for x, y, _ in feature[2][1]}
        assert not offsets < whole


def test_patterns_of_types_are_found_where_types_matter() -> None:
    at, chance = setting(), Random(10)
    wanted = pattern(((0, 0, "own:king"), (1, 0, "own:man")))
    test = compile_position(at, wanted)
    drawn = [case(at, strewn(chance, "mk....M")) for _ in range(900)]
    positive = [c for c in drawn if test(c)][:40]
    negative = [c for c in drawn if not test(c)]
    assert wanted in found_patterns(at, 0, positive, negative)


def test_the_other_seat_has_patterns_of_its_own() -> None:
    at, chance = setting(keys="mM"), Random(11)
    wanted = named(SHAPES["diagonal"], "opposing")
    test = compile_position(at, wanted)
    drawn = [case(at, strewn(chance, "mM."), mover) for mover in (WHITE, BLACK) * 400]
    positive = [c for c in drawn if test(c)][:40]
    negative = [c for c in drawn if not test(c)]
    assert wanted in found_patterns(at, 1, positive, negative)
    assert wanted not in found_patterns(at, 0, positive, negative)


def test_a_pattern_in_any_of_its_turnings_is_one_figure() -> None:
    at, chance = setting(keys="mM"), Random(12)
    hook = [(0, 0), (1, 0), (2, 0), (2, 1)]
    turnings = [
        [(sx * (y if swap else x), sy * (x if swap else y)) for x, y in hook]
        for sx in (1, -1)
        for sy in (1, -1)
        for swap in (False, True)
    ]
    drawn = [case(at, strewn(chance, "mm.M..")) for _ in range(2_000)]
    there = position_table(at, drawn, [named(tuple(each)) for each in turnings]).any(axis=1)
    positive = [c for c, ends in zip(drawn, there, strict=True) if ends][:60]
    negative = [c for c, ends in zip(drawn, there, strict=True) if not ends]

    figures = [x for x in patterns(at, 0, positive, negative) if x.operator is FIGURE]

    whole = [x for x in figures if all(holds(at, some("now", x), positive))]
    assert [sorted((x, y) for x, y, _ in each.arguments[0]) for each in whole] == [
        min(sorted((x - min(t)[0], y - min(t)[1]) for x, y in t) for t in turnings)
    ]


def test_a_pattern_met_once_is_no_pattern() -> None:
    at = setting(keys="mM")
    lonely = case(at, planted("." * 25, {"a1": "m", "e5": "m"}))
    assert found_patterns(at, 0, [lonely], [case(at, "." * 25)]) == []
    assert found_patterns(at, 0, [lonely, lonely], [case(at, "." * 25)]) != []


def test_the_last_turns_end_belongs_to_the_pattern() -> None:
    at = setting(keys="mM")
    cells = planted("." * 25, {"a1": "m", "b1": "m", "e5": "m", "e4": "m"})
    square = Square(at.board.square("e5"))
    ends = [case(at, cells, last="e5 (0 0 a m)")] * 2
    found = found_patterns(at, 0, ends, [case(at, "." * 25)])
    others = {at.board.square(name) for name in ("a1", "b1", "e4")}
    pairs = {tuple(sorted((square, other))) for other in others}
    wanted = {
        pattern(tuple(sorted([(0, 0, "own"), (b % SIZE - a % SIZE, b // SIZE - a // SIZE, "own")])))
        for a, b in pairs
    }
    assert set(found) == wanted
