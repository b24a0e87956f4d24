"""What endings may ask of positions, in rounds: pieces and where they stand, the game so far.

Regions and patterns are found bottom-up, from the terminal positions of a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product

from grl.logic.contents import NOTHING, contents_by_player, contents_of, owner_in, seat_of
from grl.logic.geometry import ZONES
from grl.logic.grid import WAYS_OF
from grl.logic.ops.groups import HEADS
from grl.logic.ops.lines import ALONG, LINED
from grl.logic.ops.places import LINE, RING, ZONE, lies
from grl.logic.ops.sets import CROWD, EITHER, GROUP, WITHOUT, together
from grl.logic.ops.shapes import FIGURE
from grl.logic.terms import Term, make
from grl.model import Feature, Literal, Model, Rule
from grl.rules.endings.contested import squares_contested
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.patterns import patterns
from grl.rules.endings.pictures import Pictures
from grl.rules.endings.points import points_compared
from grl.rules.endings.regions import always_occupied, occupied, regions
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.counted import positions_counted
from grl.rules.features.past import past_features
from grl.rules.features.quantities import (
    ANYBODYS,
    MOST_NUMBERS,
    area_features,
    number_features,
    types_shared,
)
from grl.rules.features.terms import asked_of, size, sizes, some
from grl.rules.features.vocabulary import (
    LONGEST_ROW,
    Priced,
    apart,
    attacked,
    besieged,
    broad,
    lifeless,
    meetings,
    named,
    reached,
)
from grl.rules.templates.evaluation import mirrored

WORLDS = {"before": 0, "after": 1, "midway": 1}
"""How many places further the player to move is where a restriction looks at a position."""
MOST_SEVERAL = 4
"""Up to so many pieces on a rank, file or ring are counted."""
SOME_LEFT_COST, FULL_COST = 2.4, 1.35
"""How many squares are empty costs more than two players without a turn, which a full board often
comes with; where nobody passes a full board alone costs less than a file with some piece."""
BEYOND_COST = 0.05
"""What several pieces from some rank on cost more than on it: it is asked whether there are enough,
and costs with that less than whether there are few left on the ranks below."""
FIGURE_COST = 0.3
"""What it costs that a pattern may be turned and mirrored."""
PART_COST = 1.7
"""What it costs to speak of pieces on a part of the board that is the same for both sides."""
REGION_NEGATIVES = 2_000
PATTERN_NEGATIVES = 2_000


def position_features(
    setting: Setting, model: Model, working: Sequence[Outcome], level: int
) -> Iterator[Priced]:
    """The features of positions of a round: plain ones and regions, patterns, attacks.

    Attacks that the restrictions of the model speak of come with the plain ones.
    """
    ends = [item for item in working if item.goals is not None]
    if level == 0:
        yield Priced(("stuck", 0), 1.0)
        if model.passes:
            yield from (
                Priced(("stuck", seat), 1.2) for seat in range(1, len(setting.equipment.players))
            )
            yield Priced(("passes", 1), 1.4)
        for player in setting.equipment.players:
            yield Priced(("mover", player), 1.6)
        yield from pieces_placed(setting)
        hands = bool(setting.equipment.stocked)
        yield from number_features(setting, [item.case for item in working], hands=hands)
        full = SOME_LEFT_COST if model.passes else FULL_COST
        yield from squares_left((item.case for item in working), full)
        if setting.equipment.sowing is not None:
            yield from positions_counted(setting, [item.case for item in working])
        going = [item.case for item in working if item.goals is None]
        for feature, price in past_features(setting, [item.case for item in ends], going):
            yield Priced(feature, price)
        yield from regions_of(setting, ends, working)
        seats = len(setting.equipment.players)
        for feature in known_attacks(model.rules.restrictions if model.rules else (), seats):
            yield Priced(feature, 1.5)
    elif level == 1:
        yield from area_features(setting, [item.case for item in ends])
        yield from meetings(setting)
        yield from pieces_counted(setting)
        yield from pieces_compared(setting)
        yield from squares_contested(setting, ends)
        yield from points_compared(setting, ends)
        yield from patterns_of(setting, ends, working)
    else:
        seats = len(setting.equipment.players)
        for seat in range(seats):
            for attacker in range(seats):
                if seat != attacker:
                    for each in contents_by_player(setting.equipment):
                        if seat_of(each, seats) == seat:
                            yield Priced(attacked(each, attacker), 2.0 + named(each))
                            yield Priced(reached(each, attacker), 2.05 + named(each))


def known_attacks(restrictions: Sequence[Rule], seats: int) -> list[Feature]:
    """What restrictions say of attacks, said of the player to move.

    After a turn that player is the last of `seats`.
    """
    found: dict[Feature, None] = {}
    for rule in restrictions:
        for literal in rule.body:
            name, *inner = literal.feature
            if name in WORLDS and asked_of(inner[0]):
                said = mirrored(Literal(inner[0], True), WORLDS[name], seats)
                assert said is not None
                found[said.feature] = None
    return list(found)


def squares_left(cases: Iterable[PositionCase], full: float) -> Iterator[Priced]:
    """How many squares are empty, as far as they are few, at the price that a `full` board has."""
    numbers = sorted({case.bits(NOTHING).bit_count() for case in cases})
    for number in numbers[:MOST_NUMBERS] if len(numbers) > 1 else ():
        price = SOME_LEFT_COST + min(number / 20, 0.4) if number else full
        yield Priced(size("now", lies("empty"), "=", number), price)
        if number > numbers[0]:
            yield Priced(size("now", lies("empty"), "<", number), price)


def pieces_placed(setting: Setting) -> Iterator[Priced]:
    """Groups, chains across the board, straight lines, and pieces on parts of the board."""
    board = setting.board
    for owner in setting.owners:
        for adjacency in sorted(setting.near):
            yield Priced(size("now", make(HEADS, adjacency, lies(owner)), "=", 1), 1.8)
    kinds = contents_of(setting.equipment)
    for kind in broad(setting)[1:]:
        for adjacency in sorted(setting.near) if kind != "neutral" else ():
            yield Priced(some("now", lifeless(kind, adjacency)), 1.8)
            yield Priced(some("now", apart(kind, "empty", adjacency)), 1.8)
            yield Priced(some("now", besieged(kind, adjacency)), 1.9)
            if "neutral" in kinds:
                yield Priced(some("now", besieged(kind, adjacency, "neutral")), 2.0)
            for scale, last in (("rank", board.height), ("file", board.width)):
                low, high = (make(LINE, scale, 0, "=", number) for number in (1, last))
                seeds = together(lies(kind), low)
                chain = make(GROUP, adjacency, seeds, lies(kind))
                yield Priced(some("now", together(high, chain)), 1.8)
    for kind in kinds[1:]:
        for scale, last in (("rank", board.height), ("file", board.width)):
            extra = named(kind) + (0.2 if scale == "file" else 0.0)
            for number in range(1, last + 1):
                yield Priced(some("now", on(setting, kind, scale, "=", number)), 1.4 + extra)
                if 1 < number < last:
                    below = on(setting, kind, scale, "<", number)
                    yield Priced(some("now", below), 1.7 + extra)
        for part in parts_of(setting):
            yield Priced(some("now", together(lies(kind), part)), PART_COST + named(kind))
        for length in range(2, min(LONGEST_ROW, max(board.width, board.height)) + 1):
            line = make(LINED, "around", length, lies(kind))
            yield Priced(some("now", line), 1.2 + named(kind))
            if ":" not in kind:
                longer = make(LINED, "around", length + 1, lies(kind))
                yield Priced(some("now", make(WITHOUT, line, longer)), 1.5)


def pieces_counted(setting: Setting) -> Iterator[Priced]:
    """Several pieces on ranks, files and rings, in lines of one sort, with gaps or without, and
    beside none of others.

    And pieces of a type on squares of a colour, whoever has them.
    """
    board = setting.board
    for shared, _ in types_shared(setting):
        for colour in (1, 2):
            there = together(shared, make(LINE, "colour", 0, "=", colour))
            yield Priced(some("now", there), 1.9 + ANYBODYS)
    for kind in broad(setting)[1:]:
        for ways in (each for each in WAYS_OF if each != "around"):
            for length in range(2, min(LONGEST_ROW, max(board.width, board.height)) + 1):
                line, longer = (make(LINED, ways, n, lies(kind)) for n in (length, length + 1))
                yield Priced(some("now", line), 1.6)
                yield Priced(some("now", make(WITHOUT, line, longer)), 1.9)
        for ways, others in product(WAYS_OF, range(2, MOST_SEVERAL + 1)):
            aligned = make(ALONG, ways, others, lies(kind))
            yield Priced(some("now", together(lies(kind), aligned)), 1.8)
        for other in broad(setting)[1:]:
            for adjacency in sorted(setting.near):
                yield Priced(some("now", apart(kind, other, adjacency)), 2.0)
                for number in range(2, MOST_SEVERAL + 1):
                    crowd = make(CROWD, adjacency, number, lies(other))
                    yield Priced(some("now", together(lies(kind), crowd)), 2.0)
    scales = (
        ("rank", board.height),
        ("file", board.width),
        ("ring", min(board.width, board.height) // 2),
    )
    for kind in contents_of(setting.equipment)[1:]:
        for scale, last in scales if owner_in(kind) != "neutral" else ():
            for number in range(1, last + 1):
                for least in range(2, MOST_SEVERAL + 1):
                    price = 1.6 + named(kind) + 0.1 * least + (scale != "rank") * 0.2
                    there = on(setting, kind, scale, "=", number)
                    yield Priced(size("now", there, "<", least), price)
                    if 1 < number < last:
                        there = on(setting, kind, scale, "<", number)
                        yield Priced(size("now", there, "<", least), price + 0.3)
                        beyond = make(WITHOUT, lies(kind), there)
                        yield Priced(size("now", beyond, "<", least), price + BEYOND_COST)
        for part, least in product(parts_of(setting), range(2, MOST_SEVERAL + 1)):
            there = together(lies(kind), part)
            yield Priced(
                size("now", there, "<", least), PART_COST + 0.2 + named(kind) + 0.1 * least
            )


def parts_of(setting: Setting) -> list[Term]:
    """Zones, and files by how far they are from the middle."""
    wings = range(1, (setting.board.width + 1) // 2 + 1)
    return [*(make(ZONE, z) for z in ZONES), *(make(LINE, "wing", 0, "=", n) for n in wings)]


def pieces_compared(setting: Setting) -> Iterator[Priced]:
    """Of which of two players more pieces are on ranks and files, as each sees them, and zones."""
    board = setting.board
    kinds = [kind for kind in broad(setting)[1:] if kind != "neutral"]
    for one, other in combinations(kinds, 2):
        pairs = [
            (on(setting, one, scale, "=", number), on(setting, other, scale, "=", number))
            for scale, last in (("rank", board.height), ("file", board.width))
            for number in range(1, last + 1)
        ]
        zones = [make(ZONE, zone) for zone in ZONES]
        for scale, last in (("rank", board.height), ("file", board.width)):
            low, high = (make(LINE, scale, 0, "=", number) for number in (1, last))
            zones.append(make(EITHER, low, high))
        pairs += [(together(lies(one), zone), together(lies(other), zone)) for zone in zones]
        for mine, theirs in pairs:
            yield Priced(sizes("now", mine, "=", theirs), 1.9)
            yield Priced(sizes("now", mine, "<", theirs), 1.9)


def on(setting: Setting, kind: str, scale: str, relation: str, number: int) -> Term:
    """Pieces on a rank, file or ring, as their owner sees the board."""
    if scale == "ring":
        return together(lies(kind), make(RING, relation, number))
    seat = seat_of(kind, len(setting.equipment.players)) or 0
    return together(lies(kind), make(LINE, scale, seat, relation, number))


def regions_of(
    setting: Setting, ends: Sequence[Outcome], working: Sequence[Outcome]
) -> Iterator[Priced]:
    """What squares hold in terminal positions of a class, and in no position that goes on.

    Of which squares all are occupied is asked of those of all classes together, too: whose pieces
    stand there may make the difference.
    """
    pictures = Pictures(setting)
    going = [item.case for item in working if item.goals is None][:REGION_NEGATIVES]
    classes = list(_classes(ends))
    for positive in classes:
        yield from regions(pictures, positive, going)
        yield from always_occupied(pictures, positive, going)
    if len(classes) > 1:
        yield from occupied(pictures, list(chain.from_iterable(classes)), going)


def patterns_of(
    setting: Setting, ends: Sequence[Outcome], working: Sequence[Outcome]
) -> Iterator[Priced]:
    """Patterns of a seat's pieces in terminal positions of a class, and in none that goes on."""
    going = [item.case for item in working if item.goals is None][:PATTERN_NEGATIVES]
    for positive in _classes(ends):
        for seat in range(len(setting.equipment.players)):
            for pattern in patterns(setting, seat, positive, going):
                (cells,) = pattern.arguments
                assert isinstance(cells, tuple)
                price = sum(0.5 + named(each) / 4 for _, _, each in cells)
                further = FIGURE_COST if pattern.operator is FIGURE else 0.0
                yield Priced(some("now", pattern), 1.2 + price + further)


def _classes(ends: Sequence[Outcome]) -> Iterator[list[PositionCase]]:
    """The terminal positions of each class in turn."""
    for goals in sorted({item.goals for item in ends if item.goals is not None}):
        yield [item.case for item in ends if item.goals == goals]
